// Places letters one by one: along a slant, or on whole device pixels.
#include "ui/kit/heads_text.h"

#include <imgui_internal.h>  // characters of UTF-8

#include <algorithm>
#include <cmath>
#include <vector>

#include "playground/text/format.h"

namespace attn {

void draw_turned(const TextStyle& style, ImVec2 start, float angle, std::string_view text) {
    const std::string shown = drawable(text);
    ImFontBaked* baked = style.font->GetFontBaked(style.size);
    const float size = style.size / baked->Size;
    std::vector<ImWchar> characters;
    characters.reserve(shown.size());
    for (const char* at = shown.c_str(); *at != 0;) {
        unsigned character = 0;
        at += ImTextCharFromUtf8(&character, at, shown.c_str() + shown.size());
        characters.push_back(character);
        baked->FindGlyph(character);  // may move glyphs in the atlas, so all are loaded before the first is drawn
    }
    const float along_x = std::cos(angle);
    const float along_y = -std::sin(angle);
    const auto place = [&](float x, float y) {  // x along the line, y down from its middle
        return ImVec2(start.x + x * along_x - y * along_y, start.y + x * along_y + y * along_x);
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = 0;
    for (const ImWchar character : characters) {
        const ImFontGlyph glyph = *baked->FindGlyph(character);
        if (glyph.Visible) {
            const float x0 = x + glyph.X0 * size;
            const float x1 = x + glyph.X1 * size;
            const float y0 = glyph.Y0 * size - style.size / 2;
            const float y1 = glyph.Y1 * size - style.size / 2;
            const ImU32 color = glyph.Colored ? style.color | ~IM_COL32_A_MASK : style.color;
            list.PrimReserve(6, 4);
            list.PrimQuadUV(place(x0, y0), place(x1, y0), place(x1, y1), place(x0, y1), {glyph.U0, glyph.V0},
                            {glyph.U1, glyph.V0}, {glyph.U1, glyph.V1}, {glyph.U0, glyph.V1}, color);
        }
        x += glyph.AdvanceX * size;
    }
}

void draw_level(const TextStyle& style, ImVec2 min, ImVec2 max, ImVec2 align, float scale, std::string_view text) {
    const auto on_pixel = [scale](float point) { return std::round(point * scale) / scale; };
    const ImVec2 size = text_size(style, text);
    const float left = on_pixel(min.x + (max.x - min.x - size.x) * align.x);
    const float top = on_pixel(min.y + (max.y - min.y - style.size) * align.y);
    draw_turned(style, {left, top + style.size / 2}, 0, text);
}

float usual_number_width(bool is_signed, float high) {
    if (!is_signed) return 1.48F;
    return high < 1 ? 2.08F : 2.68F;
}

float cell_number_size(ImVec2 cell, float usual_width) {
    constexpr float kLargest = 26;
    const float wanted = std::min({cell.y * 0.5F, (cell.x - 4) / usual_width * 0.8F, std::max(13.0F, cell.y * 0.24F)});
    return std::round(font_size(std::clamp(wanted, kSmallestNumber, kLargest)));
}

float lowest_number_cell() {
    return std::ceil(font_size(kSmallestNumber)) + kBetweenNumbers;
}

std::string number_in_cell(ImFont* font, double value, float high, float room) {
    constexpr float kAllSmall = 0.1F;
    constexpr double kShownAsZero = 0.005;
    if (high >= kAllSmall || std::abs(value) >= kShownAsZero || value == 0) return cell_number(value);
    const TextStyle smallest = {font, font_size(kSmallestNumber), 0};
    for (const int digits : {1, 0}) {
        std::string text = shown_number(value, digits);
        if (text_size(smallest, text).x <= room) return text;
    }
    return cell_number(value);
}

void draw_in_cell(TextStyle style, ImVec2 min, ImVec2 max, float scale, std::string_view text) {
    const float room = max.x - min.x - kBetweenNumbers;
    const float width = text_size(style, text).x;
    if (width > room) style.size = std::floor(style.size * room / width);
    draw_level(style, min, max, {0.5F, 0.5F}, scale, text);
}

}  // namespace attn
