// Writes GIFT: a paragraph for each question, an empty line between two of them.
#include <string>

#include "core/ground/check.h"
#include "share/questions/quiz_formats.h"

namespace attn {
namespace {

// `text` with a backslash before each letter that GIFT takes for a sign. Line breaks end a question where two of them
// follow each other, so a break is a blank.
std::string gift_text(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (std::string_view("\\~=#{}:").find(letter) != std::string_view::npos) escaped += '\\';
        escaped += letter == '\n' ? ' ' : letter;
    }
    return escaped;
}

// A name in a category line, where nothing but the backslash is escaped; "/" stands between categories, and "//" is
// one within a name.
std::string gift_category(std::string_view name) {
    std::string text;
    for (const char letter : name)
        text += letter == '/' ? std::string("//") : letter == '\\' ? std::string("\\\\") : std::string(1, letter);
    return text;
}

// Right answers begin with "=". A wrong number has 0 per cent: "~" is for any other.
std::string gift_numbers(const QuizQuestion& question) {
    std::string text = "{#\n";
    for (const QuizAnswer& answer : question.answers)
        text += concat("\t=%", answer.is_right ? 100 : 0, "%", plain_decimal(answer.number), ":",
                       plain_decimal(answer.tolerance), "#", gift_text(answer.feedback), "\n");
    return concat(text, "\t~#", gift_text(question.other), "\n");
}

std::string gift_choices(const QuizQuestion& question) {
    std::string text = "{\n";
    for (const QuizAnswer& answer : question.answers)
        text +=
            concat("\t", answer.is_right ? "=" : "~", gift_text(answer.html), "#", gift_text(answer.feedback), "\n");
    return text;
}

}  // namespace

std::string write_gift(const Quiz& quiz) {
    std::string text;
    for (const QuizSection& section : quiz.sections) {
        text += concat("$CATEGORY: $course$/Attention Playground/", gift_category(section.name), "\n\n");
        for (const QuizQuestion& question : section.questions)
            text += concat("::", gift_text(question.name), "::[html]",
                           gift_text(concat(question.html, "<p><strong>", question.asks, "</strong></p>")),
                           question.is_numeric ? gift_numbers(question) : gift_choices(question), "\t####",
                           gift_text(concat("<p>", question.reason, "</p>")), "\n}\n\n");
    }
    return text;
}

}  // namespace attn
