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

// How the weights at the ends of lines are written: all rows alike.
struct NumberLook {
    TextStyle style;
    float height = 0;
    float piece = 0;  // width of one weight with its head's colour
    bool has_squares = false;
    bool is_largest_alone = false;  // there is no room for all heads
};

constexpr float kSquare = 8;
constexpr float kPadding = 4;

NumberLook look_for(const LinesPicture& picture, float widest_number) {
    const UiFrame& frame = picture.frame;
    NumberLook look{.style = {frame.fonts.sans, kSmallSize, frame.palette.ink}};
    look.height = std::min(picture.pitch - 3, 20.0F);
    look.has_squares = picture.weights.num_heads() > 1;
    look.piece = widest_number + kPadding + (look.has_squares ? kSquare + kPadding : 0);
    const float span = picture.key_dot(0).x - picture.query_dot(0).x;
    look.is_largest_alone = static_cast<float>(picture.heads.count()) * look.piece > span * 0.45F;
    return look;
}

// The weights at one end, each with its head's colour, on paper; where there is no room the largest, with its head.
void draw_numbers(const LinesPicture& picture, const NumberLook& look, ImVec2 dot, bool is_at_key,
                  std::vector<HeadWeight> weights, const std::string& name) {
    const UiFrame& frame = picture.frame;
    const auto is_smaller = [](const HeadWeight& a, const HeadWeight& b) { return a.weight < b.weight; };
    const auto is_earlier = [](const HeadWeight& a, const HeadWeight& b) { return a.head < b.head; };
    std::string head;
    if (look.is_largest_alone && picture.heads.count() > 1) {
        const HeadWeight largest = *std::max_element(weights.begin(), weights.end(), is_smaller);
        weights = {largest};
        head = concat("head ", largest.head + 1);
    }
    std::sort(weights.begin(), weights.end(), is_earlier);

    const float name_width = head.empty() ? 0 : text_size(look.style, head).x + kPadding;
    const float width = look.piece * static_cast<float>(weights.size()) + name_width + kPadding;
    const ImVec2 min = {is_at_key ? dot.x - 9 - width : dot.x + 9, dot.y - look.height / 2};
    const ImVec2 max = {min.x + width, min.y + look.height};
    fill_box(min, max, frame.palette.paper, 5);
    frame_box(min, max, frame.palette.line, 1, 5);
    float x = min.x + kPadding;
    for (const HeadWeight& entry : weights) {
        if (look.has_squares) {
            fill_box({x, dot.y - kSquare / 2}, {x + kSquare, dot.y + kSquare / 2},
                     lines_color(frame, picture.weights, entry.head), 2);
        }
        const std::string number = cell_number(static_cast<double>(entry.weight));
        draw_text_in({x, min.y}, {x + look.piece - kPadding, max.y}, {1, 0.5F}, look.style, number);
        x += look.piece;
    }
    TextStyle soft = look.style;
    soft.color = frame.palette.soft_ink;
    draw_text_in({x, min.y}, {max.x - kPadding, max.y}, {0, 0.5F}, soft, head);
    frame.items.push_back({.name = name, .id = 0, .min = min, .max = max, .is_clipped = false});
}

// The weights beside the other ends of the lines of one token, which is pointed at or pinned.
void draw_weights(const LinesPicture& picture) {
    const LineChoice& choice = *picture.memory.choice;
    const bool is_of_query =
        choice.queries.size() == 1 && (picture.pointed_at.query || picture.frame.state.view.cell.has_value());
    if ((!choice.key && !is_of_query) || !shows_part(picture.frame, "values")) return;
    std::map<int, std::vector<HeadWeight>> by_end;
    float widest = 0;
    for (const AttentionLine& line : picture.memory.lines.lines) {
        const int end = choice.key ? line.query : line.key;
        if (end < picture.first || end >= picture.end) continue;
        by_end[end].push_back({line.head, line.weight});
        widest = std::max(widest, text_size(small(picture.frame), cell_number(static_cast<double>(line.weight))).x);
    }
    const NumberLook look = look_for(picture, widest);
    for (const auto& [token, weights] : by_end) {
        const int query = choice.key ? token : choice.queries.front();
        const int key = choice.key.value_or(token);
        const ImVec2 dot = choice.key ? picture.query_dot(token) : picture.key_dot(token);
        draw_numbers(picture, look, dot, !choice.key, weights, concat("line=", query, ">", key));
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
