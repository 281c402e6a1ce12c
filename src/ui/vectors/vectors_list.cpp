// Under the drawings of the vectors view: the dot product of the shown key in full, and all keys as a list.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "ui/frame/pins.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"
#include "ui/vectors/vectors_picture.h"

namespace attn {
namespace {

constexpr float kNameShare = 0.24F;  // of the list's width, for the key's text

// What the list says of each key, from left to right; a narrow list leaves out |k|.
struct ListColumns {
    std::array<std::string_view, 5> titles = {"|k|", "cos θ", "θ", "q·k", "weight"};
    std::size_t first = 0;
    float left = 0;   // of the first column, from the list's corner
    float width = 0;  // of each

    // The right end of a column.
    float right(std::size_t column) const { return left + static_cast<float>(column - first + 1) * width; }
};

ListColumns columns_for(float width) {
    constexpr float kNarrow = 430;
    ListColumns columns;
    columns.first = width < kNarrow ? 1 : 0;
    columns.left = std::max(width * kNameShare, 84.0F);
    columns.width = (width - columns.left) / static_cast<float>(columns.titles.size() - columns.first);
    return columns;
}

std::array<std::string, 5> numbers_of(const KeyMeasure& measured) {
    const bool has_angle = !std::isnan(measured.cosine);
    return {shown_number(measured.length), has_angle ? shown_number(measured.cosine) : "–",
            has_angle ? concat(shown_number(measured.degrees, 1), "°") : "–", shown_number(measured.dot),
            measured.is_hidden ? "masked" : shown_number(static_cast<double>(measured.weight))};
}

// "portrait: dot product 0.4086, weight 0.1648, chosen" for the ear.
std::string words_of_key(const VectorsPicture& picture, int key, bool is_chosen) {
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(key)];
    std::string words = concat("key ", token_text(picture.frame.evaluation, key));
    if (picture.shows_values) words += concat(": dot product ", shown_number(measured.dot), ", ");
    if (picture.shows_values && !measured.is_hidden)
        words += concat("weight ", shown_number(static_cast<double>(measured.weight)));
    if (measured.is_hidden) words += picture.shows_values ? "masked" : ", masked";
    return concat(words, is_chosen ? ", chosen" : "");
}

void put_head_line(const Look& look, const ListColumns& columns, float width) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(look);
    draw_text(corner, style, "key");
    for (std::size_t k = columns.first; k < columns.titles.size(); ++k) {
        const float right = corner.x + columns.right(k);
        draw_text_in({right - columns.width, corner.y}, {right, corner.y + style.size}, {1, 0}, style,
                     columns.titles[k]);
    }
    ImGui::Dummy({width, style.size + 3});
    const float line = ImGui::GetCursorScreenPos().y - 2;
    ImGui::GetWindowDrawList()->AddLine({corner.x, line}, {corner.x + width, line}, look.palette.line);
}

void put_key(const VectorsPicture& picture, const ListColumns& columns, int key, float width) {
    Display& display = picture.frame;
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(key)];
    const ItemState state = item(display, concat("vector=", key), {width, list_line_height(display)});
    if (state.is_hovered) point_at_key(picture, key);
    if (state.is_pressed) choose_key(picture, key);
    const bool is_chosen = key == picture.plane.choice.key;
    if (state.is_focused) call_item(display, state, words_of_key(picture, key, is_chosen));
    if (is_chosen || picture.is_lit(key)) fill_box(state.min, state.max, display.palette.lit, 4);
    TextStyle style = is_chosen ? bold(display) : body(display);
    if (measured.is_hidden) style.color = display.palette.soft_ink;
    draw_text_in({state.min.x + 4, state.min.y}, state.max, {0, 0.5F}, style,
                 shortened(style, token_text(display.evaluation, key), columns.left - 10));
    if (!picture.shows_values) return;
    const std::array<std::string, 5> numbers = numbers_of(measured);
    style.size = kSmallSize;
    for (std::size_t k = columns.first; k < numbers.size(); ++k) {
        const float right = state.min.x + columns.right(k) - 4;
        draw_text_in({right - columns.width, state.min.y}, {right, state.max.y}, {1, 0.5F}, style, numbers[k]);
    }
}

// What the arithmetic says; without a key, how to get one.
std::string shown_words(const VectorsPicture& picture) {
    const std::optional<int> key = picture.shown_key();
    if (!key) return picture.frame.is_touch ? "Tap a key to see its angle." : "Click a key to see its angle.";
    if (!picture.shows_values) return "";
    const KeyMeasure& measured = picture.plane.measures[static_cast<std::size_t>(*key)];
    const std::string angle =
        std::isnan(measured.degrees) ? "" : concat("   θ = ", shown_number(measured.degrees, 1), "°");
    const std::string all =
        picture.plane.is_projection() ? concat("   (all ", picture.plane.score_dim, " channels)") : "";
    return concat(dot_words(picture.plane, *key), angle, all);
}

}  // namespace

float dot_product_height(const VectorsPicture& picture, float width) {
    return kSmallSize + wrapped_height(mono(picture.frame), shown_words(picture), width) + 12;
}

void put_dot_product(const VectorsPicture& picture) {
    const Display& display = picture.frame;
    const VectorPlane& plane = picture.plane;
    const std::optional<int> key = picture.shown_key();
    std::string title = token_text(display.evaluation, plane.choice.query);
    if (key) title = from_to(title, token_text(display.evaluation, *key));
    const bool is_hidden = key && plane.measures[static_cast<std::size_t>(*key)].is_hidden;
    TextStyle heading = small(display);
    heading.font = display.fonts.sans_bold;
    put_text(heading,
             shortened(heading, concat("HEAD ", plane.choice.head + 1, " · ", title, is_hidden ? " (masked)" : ""),
                       ImGui::GetContentRegionAvail().x));
    put_wrapped_text(mono(display), shown_words(picture));
}

void put_key_list(const VectorsPicture& picture, float height) {
    Canvas& canvas = picture.frame;
    const int count = static_cast<int>(picture.plane.measures.size());
    const float line = list_line_height(canvas);
    const int most = std::max(3, static_cast<int>((height - kSmallSize - 8) / line));
    const bool scrolls = count > most;
    const float width = ImGui::GetContentRegionAvail().x - (scrolls ? ImGui::GetStyle().ScrollbarSize + 4 : 0);
    const ListColumns columns = columns_for(width);
    put_head_line(canvas, columns, width);
    begin_list(canvas, "keys of the query", count, most);
    ImGuiListClipper clipper;
    clipper.Begin(count, line);
    while (clipper.Step()) {
        for (int key = clipper.DisplayStart; key < clipper.DisplayEnd; ++key) put_key(picture, columns, key, width);
    }
    end_list(canvas);
}

}  // namespace attn
