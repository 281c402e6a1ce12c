// Measures, shortens, wraps and draws text with ImGui, in any script.
#include "ui/kit/text.h"

#include <imgui_internal.h>  // whether a narrower wrap is set

#include <algorithm>
#include <cfloat>
#include <functional>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

ImVec2 text_size(const TextStyle& style, std::string_view text) {
    const std::string shown = drawable(text);
    return style.font->CalcTextSizeA(style.size, FLT_MAX, 0, shown.data(), shown.data() + shown.size());
}

void draw_text(ImVec2 position, const TextStyle& style, std::string_view text) {
    const std::string shown = drawable(text);
    ImGui::GetWindowDrawList()->AddText(style.font, style.size, position, style.color, shown.data(),
                                        shown.data() + shown.size());
}

void draw_text_in(ImVec2 min, ImVec2 max, ImVec2 align, const TextStyle& style, std::string_view text) {
    const ImVec2 size = text_size(style, text);
    draw_text({min.x + (max.x - min.x - size.x) * align.x, min.y + (max.y - min.y - size.y) * align.y}, style, text);
}

std::string shortened(const TextStyle& style, std::string_view text, float width) {
    // Longer text fits nowhere, and its pictures would fill the font atlas.
    constexpr std::size_t kMostCharacters = 200;
    const auto fits = [&] { return text_size(style, text).x <= width + 0.5F; };
    if (text.size() <= kMostCharacters && fits()) return std::string(text);  // most do
    std::vector<std::size_t> starts;                                         // of its characters
    for (std::size_t at = 0; at < text.size() && starts.size() <= kMostCharacters; ++at) {
        if (!continues_code_point(text[at])) starts.push_back(at);
    }
    const bool is_short = starts.size() <= kMostCharacters;
    if (is_short && text.size() > kMostCharacters && fits()) return std::string(text);
    // The widest prefix that fits together with the ellipsis, found by halving: each try may cost a picture.
    const auto cut = [&](std::size_t start) { return concat(text.substr(0, start), "…"); };
    const auto is_too_wide = [&](std::size_t start) { return text_size(style, cut(start)).x > width; };
    const auto first_too_wide = std::partition_point(starts.begin(), starts.end(), std::not_fn(is_too_wide));
    return cut(first_too_wide == starts.begin() ? 0 : *(first_too_wide - 1));
}

void put_text(const TextStyle& style, std::string_view text, float height) {
    const ImVec2 position = ImGui::GetCursorScreenPos();
    const ImVec2 size = text_size(style, text);
    const float taller = std::max(size.y, height);
    ImGui::Dummy({size.x, taller});
    draw_text({position.x, position.y + (taller - size.y) / 2}, style, text);
}

namespace {

// Replaces the blanks before each word that does not fit its line by a line break. ImGui alone would also break after
// points and commas, as in "1.8524"; it still breaks words wider than a line.
std::string broken_at_blanks(const TextStyle& style, const std::string& text, float width) {
    const auto width_of = [&](std::size_t begin, std::size_t end) {
        return style.font->CalcTextSizeA(style.size, FLT_MAX, 0, text.data() + begin, text.data() + end).x;
    };
    constexpr float kRounding = 0.5F;  // of sums of widths
    std::string broken;
    float line = 0;  // how wide it is so far
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t word = std::min(text.find_first_not_of(' ', begin), text.size());  // after its blanks
        const std::size_t end = std::min(text.find_first_of(" \n", std::max(word, begin + 1)), text.size());
        const float added = width_of(begin, end);
        if (word > begin && line > 0 && line + added > width - kRounding) {
            broken.append("\n").append(text, word, end - word);
            line = width_of(word, end);
        } else {
            broken.append(text, begin, end - begin);
            line = text[begin] == '\n' ? added : line + added;
        }
        begin = end;
    }
    return broken;
}

}  // namespace

void put_wrapped_text(const TextStyle& style, std::string_view text) {
    ImGui::PushFont(style.font, style.size);
    ImGui::PushStyleColor(ImGuiCol_Text, style.color);
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const float narrower = std::max(window->DC.TextWrapPos, 0.0F);  // set by the caller; negative: not
    ImGui::PushTextWrapPos(narrower);
    const std::string shown =
        broken_at_blanks(style, drawable(text), ImGui::CalcWrapWidthForPos(window->DC.CursorPos, narrower));
    ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

float wrapped_height(const TextStyle& style, std::string_view text, float width) {
    const std::string shown = broken_at_blanks(style, drawable(text), width);
    return style.font->CalcTextSizeA(style.size, FLT_MAX, width, shown.data(), shown.data() + shown.size()).y;
}

TextStyle body(const Look& look) {
    return {look.fonts.sans, kTextSize, look.palette.ink};
}
TextStyle bold(const Look& look) {
    return {look.fonts.sans_bold, kTextSize, look.palette.ink};
}
TextStyle small(const Look& look) {
    return {look.fonts.sans, kSmallSize, look.palette.soft_ink};
}
TextStyle mono(const Look& look) {
    return {look.fonts.mono, kMonoSize, look.palette.ink};
}

void put_heading(const Look& look, std::string_view text) {
    const bool is_first = ImGui::GetCursorPosY() <= ImGui::GetCursorStartPos().y;
    if (!is_first) ImGui::Dummy({1, 6});
    put_wrapped_text({look.fonts.sans_bold, kHeadingSize, look.palette.soft_ink}, text);
}

}  // namespace attn
