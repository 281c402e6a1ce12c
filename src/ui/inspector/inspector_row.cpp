// One row of the weights as bars: where a query looks.
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "core/attention/masking.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/heads_together.h"
#include "playground/numbers/shown_rows.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr int kMostBars = 16;  // in sight before they scroll
constexpr float kLabelWidth = 74;
constexpr float kValueWidth = 46;

struct Row {
    std::vector<int> visible;  // keys
    int num_hidden = 0;
    bool hides_only_future = true;
};

Row row_of(const AttentionProblem& problem, TensorId stage, int query) {
    Row row;
    for (int key = 0; key < problem.num_tokens(); ++key) {
        const bool is_hidden = is_masked_stage(stage) &&
                               problem.hidden(static_cast<std::size_t>(query), static_cast<std::size_t>(key)) != 0;
        if (!is_hidden) {
            row.visible.push_back(key);
        } else {
            ++row.num_hidden;
            row.hides_only_future = row.hides_only_future && key > query;
        }
    }
    return row;
}

// "portrait: 0.165, pinned"
std::string words_of_bar(const Shown& shown, TensorId stage, const Cell& cell, float weight) {
    const bool is_secret = Blanks(shown.state).has(stage, cell.head, cell.row, cell.column);
    return concat(token_text(shown.evaluation, cell.column), ": ", is_secret ? "blank" : shown_number(weight, 3),
                  shown.state.view.cell == cell ? ", pinned" : "");
}

// Label, bar and number of one key. The bar of the largest weight fills its room.
void put_bar(UiFrame& frame, TensorId stage, const Cell& cell, float weight, float largest, float width) {
    const Palette& palette = frame.palette;
    const ItemState state = item(frame, concat("bar=", cell.column), {width, list_line_height(frame)});
    if (state.is_hovered) frame.next_hover.cell = cell;
    if (state.is_pressed) frame.next.view.cell = cell;
    if (state.is_focused) call_item(frame, state, words_of_bar(frame, stage, cell, weight));

    const bool is_pointed_at =
        frame.hover.cell && frame.hover.cell->row == cell.row && frame.hover.cell->column == cell.column;
    const bool is_pinned = frame.state.view.cell == cell;
    if (is_pointed_at) fill_box({state.min.x - 4, state.min.y}, {state.max.x + 2, state.max.y}, palette.lit, 4);
    const TextStyle label = is_pinned ? bold(frame) : body(frame);
    draw_text_in(state.min, state.max, {0, 0.5F}, label,
                 shortened(label, token_text(frame.evaluation, cell.column), kLabelWidth - 6));
    const float room = width - kLabelWidth - kValueWidth - 6;
    const bool is_secret = Blanks(frame.state).has(stage, cell.head, cell.row, cell.column);
    const float length = is_secret ? 0 : weight > 0 ? std::max(1.0F, room * weight / largest) : 0;
    const ImVec2 bar = {state.min.x + kLabelWidth, state.center().y - 5};
    if (length > 0)
        fill_box(bar, {bar.x + length, bar.y + 10}, to_imgui(head_color(cell.head, palette.is_dark), 0.85F), 2);
    draw_text_in(state.min, state.max, {1, 0.5F}, body(frame), is_secret ? std::string("?") : shown_number(weight, 3));
}

// Lets the visitor order a longer list. Returns whether it is sorted by weight.
bool put_order(Display& display, int count) {
    std::optional<bool>& chosen = inspector_memory(display.memory).is_by_weight;
    const bool is_by_weight = chosen.value_or(count > kMostBars);
    constexpr int kFew = 4;
    if (count < kFew) return false;
    TextStyle link = small(display);
    link.color = display.palette.link;
    if (text_link(display, "bars order", link, is_by_weight ? "in the sentence’s order" : "sort by weight"))
        chosen = !is_by_weight;
    return is_by_weight;
}

template <class WeightOf>
void sort_by_weight(std::vector<int>& keys, const WeightOf& weight_of) {
    const auto is_before = [&](int a, int b) {
        const float first = weight_of(a);
        const float second = weight_of(b);
        return first != second ? first > second : a < b;
    };
    std::make_heap(keys.begin(), keys.end(), is_before);  // a fifth of std::sort's code
    std::sort_heap(keys.begin(), keys.end(), is_before);
}

}  // namespace

void put_row_bars(UiFrame& frame, TensorId stage, const Cell& cell) {
    const Evaluation& evaluation = frame.evaluation;
    put_heading(frame, concat("THIS ROW: where “", token_text(evaluation, cell.row), "” looks"));
    const Vector weights = stage_row(*evaluation.problem, evaluation.trace, stage, cell.head, cell.row);
    const float largest = *std::max_element(weights.begin(), weights.end());
    const Blanks blanks(frame.state);
    Row row = row_of(*evaluation.problem, stage, cell.row);

    const RowStat stat = frame.state.view.row_stat;
    const bool has_blank = std::any_of(row.visible.begin(), row.visible.end(),
                                       [&](int key) { return blanks.has(stage, cell.head, cell.row, key); });
    if (stat != RowStat::none && !has_blank) {
        const Matrix shown = shown_rows(evaluation, stage, cell.head, cell.row, cell.row + 1);
        const double number = row_stat({shown.data(), shown.size()}, stat);
        put_text(small(frame), concat(row_stat_in_words(stat), " = ", shown_number(number)));
    }

    const int count = static_cast<int>(row.visible.size());
    const bool is_by_weight = put_order(frame, count);
    if (is_by_weight)
        sort_by_weight(row.visible, [&](int key) {
            // A blank number's place in the order would give it away.
            return blanks.has(stage, cell.head, cell.row, key) ? -1 : weights(static_cast<std::size_t>(key));
        });
    const float width =
        ImGui::GetContentRegionAvail().x - (count > kMostBars ? ImGui::GetStyle().ScrollbarSize + 4 : 0);
    begin_list(frame, "bars", count, kMostBars);
    ImGuiListClipper clipper;
    clipper.Begin(count, list_line_height(frame));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const int key = row.visible[static_cast<std::size_t>(i)];
            put_bar(frame, stage, {cell.head, cell.row, key}, weights(static_cast<std::size_t>(key)), largest, width);
        }
    }
    end_list(frame);
    if (row.num_hidden > 0) {
        put_text(small(frame), concat(with_thousands(row.num_hidden), " more ",
                                      row.hides_only_future ? "in the future: masked" : "masked"));
    }
}

}  // namespace attn
