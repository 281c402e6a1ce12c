#include "ui/wish_strip.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "playground/format.h"
#include "playground/wishes.h"
#include "ui/inspector.h"
#include "ui/layout.h"
#include "ui/lines_memory.h"
#include "ui/marks.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kHeading = 22;
constexpr float kColumn = 58;  // square or check mark, and the weight
constexpr float kDistance = 6;

int most_lines(const UiFrame& frame) {
    return frame.layout == LayoutKind::phone ? 2 : 4;
}

float heading_height(const UiFrame& frame) {
    return std::max(kHeading, text_link_height(frame, small(frame)));
}

struct ScoreColumns {
    HeadRange heads;
    int num_left_out = 0;
    float label = 0;  // width of "query → key"
};

ScoreColumns columns_for(const UiFrame& frame, const ShownWeights& weights, float width) {
    ScoreColumns columns{.heads = heads_looked_at(weights, frame.state.view.head)};
    columns.label = std::clamp(width * 0.34F, 90.0F, 230.0F);
    const int fitting = std::max(1, static_cast<int>((width - columns.label) / kColumn));
    columns.num_left_out = std::max(0, columns.heads.count() - fitting);
    columns.heads.end -= columns.num_left_out;
    return columns;
}

// "wish ○- -○ · weight in each head, ✓ largest of its row", and the way to take all away.
void put_strip_heading(UiFrame& frame, const ScoreColumns& columns, float width) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const TextStyle style = small(frame);
    TextStyle link = style;
    link.color = frame.palette.accent;
    const float height = heading_height(frame);
    const float middle = corner.y + height / 2;
    const char* clear = "clear wishes";
    const float clear_width = text_size(link, clear).x;
    const TextStyle title = {frame.fonts.sans_bold, style.size, style.color};
    draw_text({corner.x, middle - style.size / 2}, title, "Wish");
    const float x = corner.x + text_size(title, "Wish").x + 14;
    draw_wish_line(frame, {x, middle}, {x + 44, middle}, 4);
    std::string words = "weight in each head, ✓ where it is the largest of its row";
    if (columns.num_left_out > 0) words += concat(" · ", columns.num_left_out, " more heads left out");
    const float left = x + 44 + 14;
    const std::string shown = shortened(style, words, corner.x + width - clear_width - 16 - left);
    draw_text({left, middle - style.size / 2}, style, shown);
    ImGui::SetCursorScreenPos(
        {corner.x + width - clear_width, corner.y + (height - text_link_height(frame, link)) / 2});
    if (text_link(frame, "wish=clear", link, clear)) frame.state.view.wish.clear();
    ImGui::SetCursorScreenPos({corner.x, corner.y + height});
}

void put_score(UiFrame& frame, const ShownWeights& weights, int head, const Wish& wish, ImVec2 min, ImVec2 max) {
    constexpr float kSquare = 8;
    const Vector row = weights.row(head, wish.query);
    const WishScore score = score_wish(row, wish);
    const float middle = (min.y + max.y) / 2;
    fill_box({min.x, middle - kSquare / 2}, {min.x + kSquare, middle + kSquare / 2}, lines_color(frame, weights, head),
             2);
    const TextStyle style = score.is_hidden ? small(frame) : score.is_largest ? bold(frame) : body(frame);
    const std::string text = score.is_hidden ? "masked" : cell_number(score.weight);
    const float x = min.x + kSquare + 4;
    if (shows_part(frame, "values")) draw_text_in({x, min.y}, max, {0, 0.5F}, style, shortened(style, text, max.x - x));
    if (score.is_largest) draw_check_mark({max.x - 9, middle}, 9, frame.palette.ink);
}

void put_wish(UiFrame& frame, const ShownWeights& weights, const ScoreColumns& columns, const Wish& wish, float width) {
    View& view = frame.state.view;
    const ItemState state = item(frame, concat("wish=", wish.query, ">", wish.key), {width, list_line_height(frame)});
    if (state.is_hovered) fill_box(state.min, state.max, frame.palette.chip, 4);
    const std::string text = wish_text(frame.evaluation, wish);
    const TextStyle style = body(frame);
    draw_text_in({state.min.x + 4, state.min.y}, state.max, {0, 0.5F}, style,
                 shortened(style, text, columns.label - 12));
    for (int h = columns.heads.first; h < columns.heads.end; ++h) {
        const float x = state.min.x + columns.label + static_cast<float>(h - columns.heads.first) * kColumn;
        put_score(frame, weights, h, wish, {x, state.min.y}, {x + kColumn - 4, state.max.y});
    }
    if (!state.is_pressed) return;
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    const int head = view.cell ? view.cell->head : view.head.value_or(0);
    view.cell = Cell{.head = head, .row = wish.query, .column = has_keys ? wish.key : 0};
}

}  // namespace

float wish_strip_height(const UiFrame& frame) {
    const int count = static_cast<int>(frame.state.view.wish.size());
    if (count == 0 || are_weights_blank(frame)) return 0;
    return kDistance + heading_height(frame) +
           static_cast<float>(std::min(count, most_lines(frame))) * list_line_height(frame);
}

void put_wish_strip(UiFrame& frame) {
    const std::vector<Wish> wishes = frame.state.view.wish;  // a click may take them away
    if (wishes.empty() || are_weights_blank(frame)) return;
    const int num_tokens = frame.evaluation.num_tokens();
    // The sentence may have changed in this very frame.
    const bool all_exist = std::all_of(wishes.begin(), wishes.end(), [&](const Wish& wish) {
        return wish.query < num_tokens && wish.key < num_tokens;
    });
    if (!all_exist) return;
    const ShownWeights& weights = shown_weights(frame);
    const int count = static_cast<int>(wishes.size());
    const bool scrolls = count > most_lines(frame);
    const float width = ImGui::GetContentRegionAvail().x;
    const float line = width - (scrolls ? ImGui::GetStyle().ScrollbarSize + 4 : 0);
    const ScoreColumns columns = columns_for(frame, weights, line);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    put_strip_heading(frame, columns, width);
    begin_list(frame, "wishes", count, most_lines(frame));
    ImGuiListClipper clipper;
    clipper.Begin(count, list_line_height(frame));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            put_wish(frame, weights, columns, wishes[static_cast<std::size_t>(i)], line);
        }
    }
    end_list(frame);
    ImGui::PopStyleVar();
}

}  // namespace attn
