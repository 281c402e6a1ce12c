// Where several selected queries look.
#include <imgui.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/heads_together.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/kit/list.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_memory.h"
#include "views/lines/selection.h"

namespace attn {
namespace {

constexpr int kMostHeads = 12;
constexpr int kMostBars = 11;  // in sight before they scroll
constexpr int kMostNamed = 12;
constexpr float kLabelWidth = 74;
constexpr float kValueWidth = 46;

// "woman, with, brush and 4 more"
std::string names_of(const Shown& shown) {
    NameList names;
    for (const int token : shown.state.view.select) names.add(token_text(shown.evaluation, token));
    return names.text();
}

void put_bar(UiFrame& frame, const std::string& name, int key, float mean, float largest, ImU32 color, float width) {
    const ItemState state = item(frame, name, {width, list_line_height(frame)});
    if (state.is_hovered) frame.next_hover.token = key;
    if (state.is_focused)
        call_item(frame, state,
                  concat(token_text(frame.evaluation, key), ", mean weight",
                         shows_part(frame, "values") ? concat(" ", shown_number(static_cast<double>(mean), 3)) : ""));
    if (frame.hover.token == key) {
        fill_box({state.min.x - 4, state.min.y}, {state.max.x + 2, state.max.y}, frame.palette.lit, 4);
    }
    const TextStyle label = body(frame);
    draw_text_in(state.min, state.max, {0, 0.5F}, label,
                 shortened(label, token_text(frame.evaluation, key), kLabelWidth - 6));
    const float room = width - kLabelWidth - kValueWidth - 6;
    const float length = mean > 0 && largest > 0 ? std::max(1.0F, room * mean / largest) : 0;
    const ImVec2 bar = {state.min.x + kLabelWidth, state.center().y - 5};
    fill_box(bar, {bar.x + length, bar.y + 10}, color, 2);
    if (!shows_part(frame, "values")) return;
    draw_text_in(state.min, state.max, {1, 0.5F}, label, shown_number(static_cast<double>(mean), 3));
}

void put_bars(UiFrame& frame, const ShownWeights& weights, int head) {
    const Vector mean = mean_of_rows(weights, head, frame.state.view.select);
    std::vector<int> visible;
    float largest = 0;
    for (int j = 0; j < weights.num_tokens(); ++j) {
        const float value = mean(static_cast<std::size_t>(j));
        if (value == -std::numeric_limits<float>::infinity()) continue;
        visible.push_back(j);
        largest = std::max(largest, value);
    }
    const int count = static_cast<int>(visible.size());
    const float width =
        ImGui::GetContentRegionAvail().x - (count > kMostBars ? ImGui::GetStyle().ScrollbarSize + 4 : 0);
    begin_list(frame, concat("means ", head).c_str(), count, kMostBars);
    ImGuiListClipper clipper;
    clipper.Begin(count, list_line_height(frame));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const int key = visible[static_cast<std::size_t>(i)];
            put_bar(frame, concat("mean=", head + 1, ",", key), key, mean(static_cast<std::size_t>(key)), largest,
                    lines_color(frame, weights, head), width);
        }
    }
    end_list(frame);
}

// "entropy in bits: woman 2.31 · with 2.90"
std::string entropy_words(const Shown& shown, const ShownWeights& weights, int head) {
    std::string text;
    int num_named = 0;
    const std::set<int>& select = shown.state.view.select;
    for (const int query : select) {
        if (num_named++ == kMostNamed) break;
        text += concat(text.empty() ? "entropy in bits: " : " · ", token_text(shown.evaluation, query), " ",
                       shown_number(entropy_of_row(weights, head, query), 2));
    }
    const int num_left_out = static_cast<int>(select.size()) - kMostNamed;
    return num_left_out > 0 ? concat(text, " and ", with_thousands(num_left_out), " more") : text;
}

}  // namespace

void put_selection(UiFrame& frame) {
    const std::set<int>& select = frame.state.view.select;
    if (select.empty()) return;
    const ShownWeights& weights = shown_weights(frame);
    const std::string count = with_thousands(static_cast<std::int64_t>(select.size()));
    put_heading(frame, concat(count, select.size() == 1 ? " SELECTED TOKEN AS QUERY" : " SELECTED TOKENS AS QUERIES"));
    put_wrapped_text(body(frame), names_of(frame));
    TextStyle link = small(frame);
    link.color = frame.palette.link;
    const bool clears = text_link(frame, "select=clear", link, "clear selection");
    const bool is_blank = are_weights_blank(frame);
    if (is_blank) put_wrapped_text(small(frame), "Where they look is what you are asked for.");

    const HeadRange heads = heads_looked_at(weights, frame.state.view.head);
    const int end = std::min(heads.end, heads.first + kMostHeads);
    const std::string_view stage = tensor_name(weights.stage());
    for (int h = heads.first; h < end && !is_blank; ++h) {
        const std::string head = weights.is_combined()
                                     ? combined_title(frame.state.view.combine, frame.evaluation.sizes.num_heads)
                                     : concat("HEAD ", h + 1);
        put_heading(frame, concat(head, ": mean ", stage));
        put_bars(frame, weights, h);
        if (shows_part(frame, "values")) put_wrapped_text(small(frame), entropy_words(frame, weights, h));
    }
    if (end < heads.end && !is_blank)
        put_wrapped_text(small(frame), concat(counted(heads.end - end, "more head"), " left out"));
    if (clears) frame.next.view.select.clear();
}

}  // namespace attn
