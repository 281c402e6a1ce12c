// Writes a package of QTI 2.1: the manifest, the test, an item for each question.
#include <vector>

#include "core/ground/check.h"
#include "share/formats/zip_file.h"
#include "share/questions/quiz_formats.h"
#include "share/worksheet/sheet_tables.h"

namespace attn {
namespace {

constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view kInstance = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
constexpr std::string_view kOfQti =
    " xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
    "xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imsqti_v2p1 "
    "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd\"";
constexpr std::string_view kRightFeedback = "right", kOtherFeedback = "other";

// QTI 2.1 has no <bdi>.
std::string qti_html(std::string_view html) {
    std::string text;
    while (!html.empty()) {
        const bool begins = html.starts_with("<bdi>"), ends = html.starts_with("</bdi>");
        if (begins || ends) {
            text += begins ? "<span>" : "</span>";
            html.remove_prefix(begins ? 5 : 6);
        } else {
            text += html.front();
            html.remove_prefix(1);
        }
    }
    return text;
}

std::string picture_name(int picture) {
    return concat("picture-", picture + 1, ".svg");
}

std::string choice_name(std::size_t n) {
    return concat("choice-", n + 1);
}

std::string set_outcome(std::string_view outcome, std::string_view type, std::string_view value) {
    return concat("<setOutcomeValue identifier=\"", outcome, "\"><baseValue baseType=\"", type, "\">", value,
                  "</baseValue></setOutcomeValue>\n");
}

std::string modal_feedback(std::string_view name, std::string_view html) {
    return concat("  <modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"", name, "\" showHide=\"show\">",
                  qti_html(html), "</modalFeedback>\n");
}

std::string feedback_with_reason(const QuizQuestion& question, const QuizAnswer& answer) {
    // A wrong number may be tried again, so how it is made is told to a right one alone.
    const bool tells = answer.is_right || !question.is_numeric;
    return concat("<p>", answer.feedback, "</p>", tells ? concat("<p>", question.reason, "</p>") : std::string());
}

// What an answer of its own scores and says: `test` is an expression.
std::string branch(std::string_view tag, std::string_view test, bool is_right, std::string_view feedback) {
    return concat("      <", tag, ">\n        ", test, "\n        ",
                  set_outcome("SCORE", "float", is_right ? "1" : "0"), "        ",
                  set_outcome("FEEDBACK", "identifier", feedback), "      </", tag, ">\n");
}

// No answer scores nothing and says nothing.
constexpr std::string_view kUnanswered =
    "      <responseIf>\n        <isNull><variable identifier=\"RESPONSE\"/></isNull>\n        <setOutcomeValue "
    "identifier=\"SCORE\"><baseValue baseType=\"float\">0</baseValue></setOutcomeValue>\n      </responseIf>\n";

struct QtiParts {
    std::string response, interaction, processing, feedback;
};

QtiParts numeric_parts(const QuizQuestion& question) {
    QtiParts parts;
    parts.response = concat("<responseDeclaration identifier=\"RESPONSE\" cardinality=\"single\" baseType=\"float\">",
                            "<correctResponse><value>", plain_decimal(question.answers.front().number),
                            "</value></correctResponse></responseDeclaration>");
    parts.interaction =
        concat("<p>", question.asks,
               "</p>\n<p><textEntryInteraction responseIdentifier=\"RESPONSE\" expectedLength=\"12\"/></p>");
    for (std::size_t n = 0; n < question.answers.size(); ++n) {
        const QuizAnswer& answer = question.answers[n];
        const std::string tolerance = plain_decimal(answer.tolerance);
        const std::string number =
            answer.is_right ? std::string("<correct identifier=\"RESPONSE\"/>")
                            : concat("<baseValue baseType=\"float\">", plain_decimal(answer.number), "</baseValue>");
        const std::string name = answer.is_right ? std::string(kRightFeedback) : concat("mistake-", n);
        parts.processing += branch("responseElseIf",
                                   concat("<equal toleranceMode=\"absolute\" tolerance=\"", tolerance, " ", tolerance,
                                          "\"><variable identifier=\"RESPONSE\"/>", number, "</equal>"),
                                   answer.is_right, name);
        parts.feedback += modal_feedback(name, feedback_with_reason(question, answer));
    }
    parts.processing += branch("responseElse", "", false, kOtherFeedback);
    parts.feedback += modal_feedback(kOtherFeedback, concat("<p>", question.other, "</p>"));
    return parts;
}

QtiParts choice_parts(const QuizQuestion& question) {
    QtiParts parts;
    std::string choices;
    for (std::size_t n = 0; n < question.answers.size(); ++n) {
        const QuizAnswer& answer = question.answers[n];
        const std::string name = choice_name(n);
        choices += concat("    <simpleChoice identifier=\"", name, "\">", qti_html(answer.html), "</simpleChoice>\n");
        if (answer.is_right && parts.response.empty())
            parts.response = concat(
                "<responseDeclaration identifier=\"RESPONSE\" cardinality=\"single\" "
                "baseType=\"identifier\"><correctResponse><value>",
                name, "</value></correctResponse></responseDeclaration>");
        parts.processing +=
            branch("responseElseIf",
                   concat("<match><variable identifier=\"RESPONSE\"/><baseValue baseType=\"identifier\">", name,
                          "</baseValue></match>"),
                   answer.is_right, name);
        parts.feedback += modal_feedback(name, feedback_with_reason(question, answer));
    }
    parts.interaction =
        concat("<choiceInteraction responseIdentifier=\"RESPONSE\" shuffle=\"true\" maxChoices=\"1\">\n",
               "    <prompt>", question.asks, "</prompt>\n", choices, "  </choiceInteraction>");
    return parts;
}

std::string item_of(const Quiz& quiz, const QuizQuestion& question, std::string_view identifier) {
    const QtiParts parts = question.is_numeric ? numeric_parts(question) : choice_parts(question);
    std::string picture;
    if (question.picture >= 0)
        picture = concat("<p><img src=\"", picture_name(question.picture), "\" alt=\"",
                         html_text(quiz.pictures[static_cast<std::size_t>(question.picture)].alt), "\"/></p>\n");
    return concat(kXmlHead, "<assessmentItem", kOfQti, " identifier=\"", identifier, "\" title=\"",
                  html_text(question.name), "\" adaptive=\"false\" timeDependent=\"false\">\n  ", parts.response,
                  "\n  <outcomeDeclaration identifier=\"SCORE\" cardinality=\"single\" baseType=\"float\" "
                  "normalMaximum=\"1\"><defaultValue><value>0</value></defaultValue></outcomeDeclaration>\n"
                  "  <outcomeDeclaration identifier=\"FEEDBACK\" cardinality=\"single\" baseType=\"identifier\"/>\n"
                  "  <itemBody>\n",
                  qti_html(question.html), picture, "  ", parts.interaction,
                  "\n  </itemBody>\n  <responseProcessing>\n    <responseCondition>\n", kUnanswered, parts.processing,
                  "    </responseCondition>\n  </responseProcessing>\n", parts.feedback, "</assessmentItem>\n");
}

}  // namespace

std::string write_qti_package(const Quiz& quiz) {
    std::vector<ZipEntry> entries;
    std::string sections, resources, dependencies;
    for (std::size_t s = 0; s < quiz.sections.size(); ++s) {
        const QuizSection& section = quiz.sections[s];
        sections += concat("    <assessmentSection identifier=\"section-", s + 1, "\" title=\"",
                           html_text(section.name), "\" visible=\"true\">\n");
        for (std::size_t q = 0; q < section.questions.size(); ++q) {
            const QuizQuestion& question = section.questions[q];
            const std::string identifier = concat("question-", s + 1, "-", q + 1);
            sections +=
                concat("      <assessmentItemRef identifier=\"", identifier, "\" href=\"", identifier, ".xml\"/>\n");
            resources += concat("    <resource identifier=\"", identifier, "\" type=\"imsqti_item_xmlv2p1\" href=\"",
                                identifier, ".xml\"><file href=\"", identifier, ".xml\"/>");
            if (question.picture >= 0) resources += concat("<file href=\"", picture_name(question.picture), "\"/>");
            resources += "</resource>\n";
            dependencies += concat("<dependency identifierref=\"", identifier, "\"/>");
            entries.push_back({.name = identifier + ".xml", .bytes = item_of(quiz, question, identifier)});
        }
        sections += "    </assessmentSection>\n";
    }
    for (std::size_t n = 0; n < quiz.pictures.size(); ++n)
        entries.push_back({.name = picture_name(static_cast<int>(n)), .bytes = quiz.pictures[n].svg});
    const std::string test =
        concat(kXmlHead, "<assessmentTest", kOfQti,
               " identifier=\"attention-playground\" title=\"Attention Playground\">\n  <testPart identifier=\"part\" "
               "navigationMode=\"nonlinear\" submissionMode=\"individual\">\n",
               sections, "  </testPart>\n</assessmentTest>\n");
    const std::string manifest = concat(
        kXmlHead, "<manifest xmlns=\"http://www.imsglobal.org/xsd/imscp_v1p1\"", kInstance,
        " xsi:schemaLocation=\"http://www.imsglobal.org/xsd/imscp_v1p1 "
        "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd\" identifier=\"attention-playground-"
        "package\">\n  <metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>\n"
        "  <organizations/>\n  <resources>\n    <resource identifier=\"test\" type=\"imsqti_test_xmlv2p1\" "
        "href=\"test.xml\"><file href=\"test.xml\"/>",
        dependencies, "</resource>\n", resources, "  </resources>\n</manifest>\n");
    entries.insert(entries.begin(),
                   {{.name = "imsmanifest.xml", .bytes = manifest}, {.name = "test.xml", .bytes = test}});
    return write_zip(entries);
}

}  // namespace attn
