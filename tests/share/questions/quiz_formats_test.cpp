// What a file of each format holds, letter by letter; tests/share/questions.test.mjs reads them with readers of others.
#include "share/questions/quiz_formats.h"

#include <catch_amalgamated.hpp>

#include "share/formats/zip_file.h"

namespace attn {
namespace {

// One numeric question and one choice, of texts that are signs in each of the formats, as quiz.cpp would escape them.
Quiz quiz_of_signs() {
    Quiz quiz;
    quiz.pictures.push_back({.svg = "<svg/>", .alt = "a \"picture\""});
    QuizSection& section = quiz.sections.emplace_back();
    section.name = R"(Ada / Bob \ <b>: = ~ # { })";
    section.questions.push_back(
        {.name = R"(weights: a=~#{}\ <b> ]]>)",
         .is_numeric = true,
         .html = "<p><bdi>x = {y} ~ # : \\ ]]&gt; &lt;script&gt;</bdi></p>\n",
         .asks = "What is it?",
         .picture = 0,
         .answers = {{.is_right = true, .number = -0.25, .tolerance = 0.005, .html = {}, .feedback = "Right."},
                     {.is_right = false, .number = 1e-7, .tolerance = 0.005, .html = {}, .feedback = "So = {not}."}},
         .other = "No.",
         .reason = "a<br/>b"});
    section.questions.push_back({.name = "choice",
                                 .is_numeric = false,
                                 .html = "<p>t</p>",
                                 .asks = "Which?",
                                 .picture = -1,
                                 .answers = {{.is_right = false, .html = "one -> two", .feedback = "why"},
                                             {.is_right = true, .html = "two", .feedback = "yes"}},
                                 .other = {},
                                 .reason = "so"});
    return quiz;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("numbers have neither an exponent nor more than nine decimals", "[questions]") {
    CHECK(plain_decimal(0.5) == "0.5");
    CHECK(plain_decimal(-0.25) == "-0.25");
    CHECK(plain_decimal(1e-7) == "0.0000001");
    CHECK(plain_decimal(-1e-12) == "0");
    CHECK(plain_decimal(-0.0) == "0");
    CHECK(plain_decimal(1e20) == "100000000000000000000");
    CHECK(plain_decimal(12) == "12");
}

TEST_CASE("Moodle XML has a category, files in base64, and answers in the order in which they are judged",
          "[questions]") {
    const std::string xml = write_moodle_xml(quiz_of_signs());
    CHECK(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>"));
    CHECK(contains(xml, R"(<category><text>$course$/Attention Playground/Ada // Bob \ &lt;b&gt;: = ~ # { }</text>)"));
    CHECK(contains(xml, R"(<name><text>weights: a=~#{}\ &lt;b&gt; ]]&gt;</text></name>)"));
    CHECK(contains(xml, R"(<img src="@@PLUGINFILE@@/picture.svg" alt="a &quot;picture&quot;"/>)"));
    CHECK(contains(xml, R"(<file name="picture.svg" path="/" encoding="base64">PHN2Zy8+</file>)"));
    CHECK(contains(xml, "<text>-0.25</text>"));
    CHECK(contains(xml, "<tolerance>0.005</tolerance>"));
    CHECK(xml.find("fraction=\"100\"") < xml.find("fraction=\"0\""));
    CHECK(xml.find("<text>0.0000001</text>") < xml.find("<text>*</text>"));
    CHECK(contains(xml, "<question type=\"multichoice\">"));
}

TEST_CASE("GIFT escapes its signs, but for the category", "[questions]") {
    const std::string text = write_gift(quiz_of_signs());
    CHECK(text.starts_with(R"($CATEGORY: $course$/Attention Playground/Ada // Bob \\ <b>: = ~ # { })"
                           "\n\n"));
    CHECK(contains(text, R"(::weights\: a\=\~\#\{\}\\ <b> ]]>::[html]<p><bdi>x \= \{y\} \~ \# \: \\ ]]&gt; )"));
    CHECK(contains(text, "{#\n\t=%100%-0.25:0.005#Right.\n\t=%0%0.0000001:0.005#So \\= \\{not\\}.\n\t~#No.\n"));
    CHECK(contains(text, "\t~one -> two#why\n\t=two#yes\n\t####<p>so</p>\n}\n\n"));
    CHECK(!contains(text, "\n\n\n"));
}

TEST_CASE("a package of QTI has manifest, test, items and pictures, the same bytes each time", "[questions]") {
    const Quiz quiz = quiz_of_signs();
    const std::string bytes = write_qti_package(quiz);
    CHECK(bytes == write_qti_package(quiz));
    const Result<ZipContents> zip = read_zip(bytes, [](std::string_view) { return true; });
    REQUIRE(zip);
    std::string names;
    for (const ZipEntry& entry : zip->entries) names += entry.name + " ";
    CHECK(names == "imsmanifest.xml test.xml question-1-1.xml question-1-2.xml picture-1.svg ");
    const std::string& item = zip->entries[2].bytes;
    CHECK(contains(item, R"(title="weights: a=~#{}\ &lt;b&gt; ]]&gt;")"));
    CHECK(contains(item, "<span>x = {y} ~ # : \\ ]]&gt; &lt;script&gt;</span>"));
    CHECK(contains(item, R"(<equal toleranceMode="absolute" tolerance="0.005 0.005">)"));
    CHECK(item.find("<correct identifier=\"RESPONSE\"/>") < item.find(">0.0000001<"));
}

TEST_CASE("the table finds each format by its name", "[questions]") {
    CHECK(quiz_formats().size() == 3);
    for (const QuizFormatInfo& info : quiz_formats()) {
        CHECK(quiz_format_of_name(info.name) == info.format);
        CHECK(&quiz_format_info(info.format) == &info);
        Quiz quiz = quiz_of_signs();
        quiz.format = info.format;
        CHECK(write_quiz(quiz) == info.write(quiz));
    }
    CHECK(!quiz_format_of_name("xml"));
}

}  // namespace
}  // namespace attn
