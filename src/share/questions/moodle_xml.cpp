// Writes Moodle XML: one <question> after another, a dummy one of type "category" before those of a section.
#include "core/ground/check.h"
#include "model/words/text_changes.h"
#include "share/questions/quiz_formats.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

// Where the pictures of questions come from once Moodle has them.
constexpr std::string_view kPictureFile = "picture.svg";

// HTML within XML. No text of ours has "]]>", as ">" is escaped in what strangers typed.
std::string html_field(std::string_view html) {
    ATTN_CHECK(html.find("]]>") == std::string_view::npos, "HTML that ends its CDATA section");
    return concat("<text><![CDATA[", html, "]]></text>");
}

std::string field_of(std::string_view tag, std::string_view html) {
    return concat("    <", tag, " format=\"html\">", html_field(html), "</", tag, ">\n");
}

// The category of a section, one for all of ours above it. "/" stands between categories, and "//" is one within a
// name.
std::string category_of(const QuizSection& section) {
    std::string name;
    for (const char letter : section.name) name += letter == '/' ? std::string("//") : std::string(1, letter);
    return concat("  <question type=\"category\">\n    <category><text>$course$/Attention Playground/", html_text(name),
                  "</text></category>\n  </question>\n");
}

std::string text_of_question(const Quiz& quiz, const QuizQuestion& question) {
    std::string html = question.html, file;
    if (question.picture >= 0) {
        const QuizPicture& picture = quiz.pictures[static_cast<std::size_t>(question.picture)];
        html +=
            concat("<p><img src=\"@@PLUGINFILE@@/", kPictureFile, "\" alt=\"", html_text(picture.alt), "\"/></p>\n");
        file = concat("<file name=\"", kPictureFile, "\" path=\"/\" encoding=\"base64\">", to_base64(picture.svg),
                      "</file>");
    }
    html += concat("<p><strong>", question.asks, "</strong></p>");
    return concat("    <questiontext format=\"html\">", html_field(html), file, "</questiontext>\n");
}

// An answer; `tolerance` of a number, in its tag.
std::string answer_element(int fraction, std::string_view format, std::string_view text, std::string_view feedback,
                           std::string_view tolerance) {
    return concat("    <answer fraction=\"", fraction, "\" format=\"", format, "\">\n      ", text,
                  "\n      <feedback format=\"html\">", html_field(feedback), "</feedback>\n", tolerance,
                  "    </answer>\n");
}

std::string numeric_answers(const QuizQuestion& question) {
    const auto tolerance_of = [](double tolerance) {
        return concat("      <tolerance>", plain_decimal(tolerance), "</tolerance>\n");
    };
    constexpr std::string_view kPlain = "moodle_auto_format";
    std::string xml;
    for (const QuizAnswer& answer : question.answers)
        xml +=
            answer_element(answer.is_right ? 100 : 0, kPlain, concat("<text>", plain_decimal(answer.number), "</text>"),
                           answer.feedback, tolerance_of(answer.tolerance));
    xml += answer_element(0, kPlain, "<text>*</text>", question.other, tolerance_of(0));
    // No units.
    return xml +
           "    <unitgradingtype>0</unitgradingtype>\n    <unitpenalty>0.1000000</unitpenalty>\n"
           "    <showunits>3</showunits>\n    <unitsleft>0</unitsleft>\n";
}

std::string choice_answers(const QuizQuestion& question) {
    std::string xml =
        "    <single>true</single>\n    <shuffleanswers>true</shuffleanswers>\n"
        "    <answernumbering>abc</answernumbering>\n";
    // Each answer has a feedback of its own.
    for (const std::string_view tag : {"correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"})
        xml += field_of(tag, "");
    for (const QuizAnswer& answer : question.answers)
        xml += answer_element(answer.is_right ? 100 : 0, "html", html_field(answer.html), answer.feedback, "");
    return xml;
}

std::string element_of(const Quiz& quiz, const QuizQuestion& question) {
    return concat("  <question type=\"", question.is_numeric ? "numerical" : "multichoice", "\">\n    <name><text>",
                  html_text(question.name), "</text></name>\n", text_of_question(quiz, question),
                  field_of("generalfeedback", concat("<p>", question.reason, "</p>")),
                  "    <defaultgrade>1.0000000</defaultgrade>\n    <penalty>0.3333333</penalty>\n"
                  "    <hidden>0</hidden>\n    <idnumber></idnumber>\n",
                  question.is_numeric ? numeric_answers(question) : choice_answers(question), "  </question>\n");
}

}  // namespace

std::string write_moodle_xml(const Quiz& quiz) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n";
    for (const QuizSection& section : quiz.sections) {
        xml += category_of(section);
        for (const QuizQuestion& question : section.questions) xml += element_of(quiz, question);
    }
    return xml + "</quiz>\n";
}

}  // namespace attn
