// The table of formats, and what they write alike.
#include "share/questions/quiz_formats.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/ground/check.h"
#include "core/ground/decimal.h"

namespace attn {
namespace {

constexpr QuizFormatInfo kFormats[] = {
    {QuizFormat::moodle, "moodle", ".xml", "application/xml", write_moodle_xml},
    {QuizFormat::gift, "gift", ".txt", "text/plain", write_gift},
    {QuizFormat::qti, "qti", ".zip", "application/zip", write_qti_package},
};

}  // namespace

std::span<const QuizFormatInfo> quiz_formats() {
    return kFormats;
}

std::optional<QuizFormat> quiz_format_of_name(std::string_view name) {
    const auto* const row = std::ranges::find(kFormats, name, &QuizFormatInfo::name);
    return row == std::end(kFormats) ? std::nullopt : std::optional(row->format);
}

const QuizFormatInfo& quiz_format_info(QuizFormat format) {
    const auto* const row = std::ranges::find(kFormats, format, &QuizFormatInfo::format);
    ATTN_CHECK(row != std::end(kFormats), "no format ", static_cast<int>(format));
    return *row;
}

std::string write_quiz(const Quiz& quiz) {
    return quiz_format_info(quiz.format).write(quiz);
}

std::string plain_decimal(double number) {
    constexpr int kDecimals = 9;
    ATTN_CHECK(std::isfinite(number), "a number of a question is not finite");
    std::string text = fixed_text(std::abs(number), kDecimals);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return number < 0 && text != "0" ? "-" + text : text;
}

}  // namespace attn
