// The lines themselves, their weights in numbers, and the wished-for ones over them.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "ui/layout.h"
#include "ui/lines_picture.h"
#include "ui/marks.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr float kThinnest = 0.75F;  // points
constexpr float kWidest = 6.5F;     // where there are few lines
constexpr float kDot = 2.5F;

ImDrawList& list() {
    return *ImGui::GetWindowDrawList();
}

// How much of their width lines get: all of it while there are few.
float room_for_lines(std::size_t count) {
    constexpr float kFew = 150;
    return std::sqrt(std::min(1.0F, kFew / static_cast<float>(std::max<std::size_t>(count, 1))));
}

// Both grow with the weight: a line that is as wide as another is never fainter.
void draw_line(const LinesPicture& picture, const AttentionLine& line, float room) {
    const float strength = line_strength(line.weight, picture.high);
    const ImU32 color = lines_color(picture.frame, picture.weights, line.head);
    const float opacity = (0.1F + 0.85F * strength) * (0.3F + 0.7F * room);
    const ImU32 faded = (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(opacity * 255) << IM_COL32_A_SHIFT;
    list().AddLine(picture.query_end(line.query, line.head), picture.key_end(line.key, line.head), faded,
                   kThinnest + (kWidest * room - kThinnest) * strength);
}

void draw_dots(const LinesPicture& picture) {
    const ImU32 color = picture.frame.palette.soft_ink;
    for (int token = picture.first; token < picture.end; ++token) {
        list().AddCircleFilled(picture.query_dot(token), kDot, color);
        list().AddCircleFilled(picture.key_dot(token), kDot, color);
    }
}

struct HeadWeight {
    int head;
    float weight;
};

// The weights at one end, each with its head's colour, on paper: as many heads as fit, else the largest alone.
void draw_numbers(const LinesPicture& picture, ImVec2 dot, bool is_at_key, std::vector<HeadWeight> weights,
                  const std::string& name) {
    constexpr float kSquare = 8;
    constexpr float kNumber = 28;
    constexpr float kPadding = 4;
    const UiFrame& frame = picture.frame;
    const bool has_squares = picture.weights.num_heads() > 1;
    const float piece = kNumber + (has_squares ? kSquare + 3 : 0);
    const float span = picture.key_dot(0).x - picture.query_dot(0).x;
    const auto fits = static_cast<int>(std::max(1.0F, span * 0.45F / piece));
    const bool is_largest_alone = picture.heads.count() > fits;
    std::string head;
    if (is_largest_alone) {
        const auto largest =
            std::max_element(weights.begin(), weights.end(),
                             [](const HeadWeight& a, const HeadWeight& b) { return a.weight < b.weight; });
        weights = {*largest};
        head = concat("head ", largest->head + 1);
    }
    std::sort(weights.begin(), weights.end(), [](const HeadWeight& a, const HeadWeight& b) { return a.head < b.head; });

    const float height = std::min(picture.pitch - 3, 20.0F);
    const TextStyle style = {frame.fonts.sans, std::min(kSmallSize, height), frame.palette.ink};
    const float name_width = is_largest_alone ? text_size(style, head).x + kPadding : 0;
    const float width = piece * static_cast<float>(weights.size()) + name_width + 2 * kPadding;
    const ImVec2 min = {is_at_key ? dot.x - 9 - width : dot.x + 9, dot.y - height / 2};
    const ImVec2 max = {min.x + width, min.y + height};
    fill_box(min, max, frame.palette.paper, 5);
    frame_box(min, max, frame.palette.line, 1, 5);
    float x = min.x + kPadding;
    for (const HeadWeight& entry : weights) {
        if (has_squares) {
            fill_box({x, dot.y - kSquare / 2}, {x + kSquare, dot.y + kSquare / 2},
                     lines_color(frame, picture.weights, entry.head), 2);
        }
        draw_text_in({x, min.y}, {x + piece - 4, max.y}, {1, 0.5F}, style, cell_number(entry.weight));
        x += piece;
    }
    TextStyle soft = style;
    soft.color = frame.palette.soft_ink;
    draw_text_in({x, min.y}, {max.x - kPadding, max.y}, {0, 0.5F}, soft, head);
    frame.items.push_back({.name = name, .id = 0, .min = min, .max = max, .is_clipped = false});
}

// The weights beside the other end of one token's lines.
void draw_weights(const LinesPicture& picture) {
    const LineChoice& choice = *picture.memory.choice;
    const bool is_of_one = choice.key || (choice.queries.size() == 1 && picture.frame.state.view.select.empty());
    const bool is_isolated = picture.pointed_at.query || choice.key || picture.frame.state.view.cell;
    if (!is_of_one || !is_isolated || !shows_part(picture.frame, "values")) return;
    std::map<int, std::vector<HeadWeight>> by_end;
    for (const AttentionLine& line : picture.memory.lines.lines) {
        by_end[choice.key ? line.query : line.key].push_back({line.head, line.weight});
    }
    for (const auto& [token, weights] : by_end) {
        if (token < picture.first || token >= picture.end) continue;
        const int query = choice.key ? token : choice.queries.front();
        const int key = choice.key.value_or(token);
        draw_numbers(picture, choice.key ? picture.query_dot(token) : picture.key_dot(token), !choice.key, weights,
                     concat("line=", query, ">", key));
    }
}

void draw_wishes(const LinesPicture& picture) {
    constexpr float kRing = 5;
    for (const Wish& wish : picture.frame.state.view.wish) {
        const bool is_above = std::max(wish.query, wish.key) < picture.first;
        const bool is_below = std::min(wish.query, wish.key) >= picture.end;
        if (is_above || is_below) continue;
        draw_wish_line(picture.frame, picture.query_dot(wish.query), picture.key_dot(wish.key), kRing);
    }
    if (picture.memory.wish_from && picture.pointed_at.key) {
        draw_wish_line(picture.frame, picture.query_dot(*picture.memory.wish_from),
                       picture.key_dot(*picture.pointed_at.key), kRing);
    }
}

}  // namespace

void draw_strokes(const LinesPicture& picture) {
    LinesMemory& memory = picture.memory;
    LineChoice choice =
        choose_lines(picture.frame.state.view, picture.weights, picture.first, picture.end, picture.pointed_at);
    if (memory.choice != choice) {
        memory.lines = strongest_lines(picture.weights, choice, kMostLines);
        memory.choice = std::move(choice);
    }
    const float room = room_for_lines(memory.lines.lines.size());
    for (const AttentionLine& line : memory.lines.lines) draw_line(picture, line, room);
    draw_dots(picture);
    draw_wishes(picture);
    draw_weights(picture);
}

}  // namespace attn
