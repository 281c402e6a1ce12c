#include "ui/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/check.h"
#include "playground/check_me.h"
#include "playground/words.h"
#include "ui/check.h"
#include "ui/compare.h"
#include "ui/cost.h"
#include "ui/dots.h"
#include "ui/edit_view.h"
#include "ui/layout.h"
#include "ui/lines.h"
#include "ui/lock.h"
#include "ui/softmax.h"
#include "ui/split.h"
#include "ui/stacked.h"
#include "ui/vectors.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr auto kViews = std::to_array<ViewInfo>({
    {ViewKind::matrix, "Matrix", "heat maps of all heads", true, draw_heads},
    {ViewKind::lines, "Lines", "each weight a line from query to key", true, draw_lines},
    {ViewKind::vectors, "Vectors", "queries and keys as arrows, the context as a chain of values", true, draw_vectors},
    {ViewKind::numbers, "Numbers", "the matrices as tables", true, draw_heads},
    {ViewKind::compare, "Compare", "two states side by side, and their difference", true, draw_compare},
    {ViewKind::edit, "Edit", "type over any number of X, the weights, the biases, the mask", false, draw_edit},
    {ViewKind::split, "Weight split", "one matrix becomes many heads, and back", false, draw_split},
    {ViewKind::stacked, "Stacked heads", "heads one by one, and heads cut from one matrix", false, draw_stacked_heads},
    {ViewKind::cost, "Cost", "learned numbers, memory, multiply-adds", false, draw_cost},
    {ViewKind::dots, "Dot products", "why scores are divided by √d", false, draw_dots},
    {ViewKind::softmax, "Softmax", "what a gain makes of a few numbers", false, draw_softmax},
});

constexpr const char* kMore = "more views";
constexpr float kGap = 4;
constexpr float kIndent = 12;  // of a tab's label

std::string item_name(const ViewInfo& info) {
    return concat("view=", word_of(kViewWords, info.kind));
}

// Wide enough whether the view is chosen or not, so that the bar does not change with it.
float tab_width(const UiFrame& frame, std::string_view label) {
    return text_size(bold(frame), label).x + 2 * kIndent;
}

// How many views have a tab of their own in `width`: the first ones; the rest share "More".
std::size_t num_tabs(const UiFrame& frame, float width) {
    float widest_rest = tab_width(frame, "More …");
    for (const ViewInfo& info : kViews) widest_rest = std::max(widest_rest, tab_width(frame, concat(info.title, " …")));
    float x = 0;
    std::size_t count = 0;
    for (const ViewInfo& info : kViews) {
        x += tab_width(frame, info.title) + kGap;
        const bool is_last = count + 1 == kViews.size();
        if (!info.is_of_stage || x + (is_last ? 0 : widest_rest) > width) break;
        ++count;
    }
    return count;
}

void choose(UiFrame& frame, const ViewInfo& info) {
    frame.state.view.view = info.kind;
}

// One view in the list: its title and what it is for.
bool put_entry(UiFrame& frame, const ViewInfo& info, float width) {
    const float height = std::max(control_height(frame), kTextSize + kSmallSize + 12);
    const ItemState state = item(frame, item_name(info), {width, height});
    const bool is_chosen = frame.state.view.view == info.kind;
    if (is_chosen || state.is_hovered) fill_box(state.min, state.max, frame.palette.chip);
    draw_text({state.min.x + 10, state.min.y + 5}, bold(frame), info.title);
    draw_text({state.min.x + 10, state.min.y + 5 + kTextSize}, small(frame), info.help);
    return state.is_pressed;
}

void put_list(UiFrame& frame, std::span<const ViewInfo> views) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8, 8));
    const bool is_open = ImGui::BeginPopup(kMore, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    float width = 0;
    for (const ViewInfo& info : views) {
        width = std::max({width, text_size(bold(frame), info.title).x, text_size(small(frame), info.help).x});
    }
    width = std::min(width + 20, ImGui::GetIO().DisplaySize.x - 32);
    for (const ViewInfo& info : views) {
        if (!put_entry(frame, info, width)) continue;
        choose(frame, info);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace

std::span<const ViewInfo> view_table() {
    return kViews;
}

const ViewInfo& view_info(ViewKind kind) {
    const auto place = std::find_if(kViews.begin(), kViews.end(), [&](const ViewInfo& v) { return v.kind == kind; });
    ATTN_CHECK(place != kViews.end(), "view ", static_cast<int>(kind), " is not in the table");
    return *place;
}

void put_view_tabs(UiFrame& frame, float width) {
    const std::size_t count = num_tabs(frame, width);
    const ViewKind chosen = frame.state.view.view;
    const LockScope lock(frame, "view", frame.palette.paper);
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) ImGui::SameLine(0, kGap);
        if (tab(frame, item_name(kViews[i]), kViews[i].title, kViews[i].kind == chosen)) choose(frame, kViews[i]);
    }
    const std::span<const ViewInfo> rest = std::span<const ViewInfo>(kViews).subspan(count);
    if (rest.empty()) return;
    const auto in_rest = std::find_if(rest.begin(), rest.end(), [&](const ViewInfo& v) { return v.kind == chosen; });
    const bool is_in_rest = in_rest != rest.end();
    if (count > 0) ImGui::SameLine(0, kGap);
    if (tab(frame, "views", is_in_rest ? concat(in_rest->title, " …") : "More …", is_in_rest)) ImGui::OpenPopup(kMore);
    put_list(frame, rest);
}

void draw_view(UiFrame& frame) {
    if (shows_blank(frame.state)) return draw_check(frame);
    view_info(frame.state.view.view).draw(frame);
}

}  // namespace attn
