// The two columns of tokens: what is in view, what is pointed at or has the keyboard's focus, and what a click does.
#include <imgui.h>
#include <imgui_internal.h>  // keys that nobody owns

#include <algorithm>

#include "core/check.h"
#include "core/masking.h"
#include "playground/selection.h"
#include "playground/wishes.h"
#include "ui/icons.h"
#include "ui/lines_picture.h"
#include "ui/marks.h"
#include "ui/pins.h"
#include "ui/ui.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr float kPadding = 6;
constexpr float kSign = 12;  // room for the sign of a selected token

void pin_key(View& view, int key) {
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    if (!view.cell || !has_keys) return pin_token(view, key);
    if (view.cell->column == key) return view.cell.reset();
    view.cell->column = key;
}

// What a click means: Shift and Ctrl (or Command) go before the tool.
LinesTool tool_of_click(const LinesPicture& picture) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyShift) return LinesTool::wish;
    if (io.KeyCtrl || io.KeySuper) return LinesTool::select;
    return picture.memory.tool;
}

void act_on_query(const LinesPicture& picture, int query) {
    View& view = picture.frame.state.view;
    std::optional<int>& from = picture.memory.wish_from;
    switch (tool_of_click(picture)) {
        case LinesTool::pin:
            from.reset();
            return pin_token(view, query);
        case LinesTool::wish:
            from = from == query ? std::nullopt : std::optional(query);
            return;
        case LinesTool::select:
            return toggle_selected(view, query);
    }
}

void act_on_key(const LinesPicture& picture, int key) {
    UiFrame& frame = picture.frame;
    View& view = frame.state.view;
    std::optional<int>& from = picture.memory.wish_from;
    switch (tool_of_click(picture)) {
        case LinesTool::pin:
            from.reset();
            return pin_key(view, key);
        case LinesTool::wish: {
            const std::optional<int> query = from || !view.cell ? from : std::optional(view.cell->row);
            if (!query) return;  // the legend says what to do
            if (!toggle_wish(view, {.query = *query, .key = key})) {
                frame.notes = {concat("wish: there is room for ", kMaxWishes, ", this one was left out")};
            }
            return from.reset();
        }
        case LinesTool::select:
            return toggle_selected(view, key);
    }
}

// How a token stands in its column.
struct Standing {
    bool is_lit = false;       // pointed at, or the other end of the line that is
    bool is_pinned = false;    // the pinned query
    bool is_partner = false;   // the pinned key
    bool is_selected = false;  // as a query
    bool begins_wish = false;
    bool is_masked = false;  // hidden from the query that is looked at
};

void draw_label(const LinesPicture& picture, int token, const ItemState& state, bool is_query,
                const Standing& standing) {
    const UiFrame& frame = picture.frame;
    const Palette& palette = frame.palette;
    constexpr float kInset = 1;
    // The item reaches to the dot, the box around the label does not.
    ImVec2 min = {state.min.x, state.min.y + kInset};
    ImVec2 max = {state.max.x, state.max.y - kInset};
    (is_query ? max.x : min.x) += is_query ? -kDotDistance + 4 : kDotDistance - 4;
    if (standing.is_lit || standing.is_pinned) fill_box(min, max, palette.lit, 6);
    if (standing.is_selected) frame_box(min, max, palette.accent, 1.5F, 6);
    if (standing.begins_wish) dash_box(min, max, palette.ink, 1.5F, 6);
    const std::optional<Cell>& cell = frame.state.view.cell;
    if (standing.is_pinned) frame_box(min, max, cell_color(frame, *cell), 2, 6);
    if (standing.is_partner) dash_box(min, max, cell_color(frame, *cell), 1.5F, 6);

    TextStyle style = standing.is_lit || standing.is_pinned ? bold(frame) : body(frame);
    if (picture.pitch < style.size + 3) style.size = kSmallSize;
    if (standing.is_masked) style.color = palette.soft_ink;
    const std::string_view full = frame.evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
    const float sign = standing.is_selected ? kSign : 0;
    const std::string text = shortened(style, full, max.x - min.x - 2 * kPadding - sign);
    draw_text_in({min.x + kPadding, min.y}, {max.x - kPadding, max.y}, {is_query ? 1.0F : 0.0F, 0.5F}, style, text);
    if (standing.is_selected) draw_check_mark({min.x + kPadding + 3, state.center().y}, 9, palette.accent);
}

// One token of one column. Its item reaches from the edge to where the lines begin.
ItemState put_token(LinesPicture& picture, int token, bool is_query) {
    UiFrame& frame = picture.frame;
    const float width = picture.label_width + kDotDistance;
    const float x = is_query ? picture.origin.x : picture.origin.x + picture.width - width;
    ImGui::SetCursorScreenPos({x, picture.origin.y + static_cast<float>(token) * picture.pitch});
    const ItemState state = item(frame, concat(is_query ? "query=" : "key=", token), {width, picture.pitch});
    if (state.is_hovered) {  // or it has the keyboard's focus
        (is_query ? picture.pointed_at.query : picture.pointed_at.key) = token;
        frame.next_hover.token = token;
        const std::string text = token_text(frame.evaluation, token);
        if (text_size(bold(frame), text).x > width - kDotDistance - 2 * kPadding) put_tooltip(frame, text, {}, {});
    }
    if (is_held_long(frame)) {
        toggle_selected(frame.state.view, token);
    } else if (state.is_pressed) {
        is_query ? act_on_query(picture, token) : act_on_key(picture, token);
    }
    return state;
}

// The pinned row, if the sentence has it: the state may have moved on in this very frame.
std::optional<int> pinned_row(const LinesPicture& picture) {
    const std::optional<Cell>& cell = picture.frame.state.view.cell;
    if (!cell || cell->row >= picture.weights.num_tokens()) return std::nullopt;
    return cell->row;
}

Standing standing_of(const LinesPicture& picture, int token, bool is_query) {
    const UiFrame& frame = picture.frame;
    const View& view = frame.state.view;
    const LineEnd& pointed_at = picture.pointed_at;
    const std::optional<Cell>& cell = frame.hover.cell;  // pointed at elsewhere, as in the inspector's bars
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    Standing standing;
    if (is_query) {
        standing.is_lit = pointed_at.query == token || (cell && cell->row == token);
        standing.is_pinned = view.cell && view.cell->row == token;
        standing.is_selected = view.select.contains(token);
        standing.begins_wish = picture.memory.wish_from == token;
        return standing;
    }
    standing.is_lit = pointed_at.key == token || (cell && has_keys && cell->column == token);
    standing.is_partner = view.cell && has_keys && view.cell->column == token;
    const std::optional<int> query = pointed_at.query || pointed_at.key ? pointed_at.query : pinned_row(picture);
    standing.is_masked =
        query && is_masked_stage(picture.weights.stage()) &&
        frame.evaluation.problem->hidden(static_cast<std::size_t>(*query), static_cast<std::size_t>(token)) != 0;
    return standing;
}

}  // namespace

void put_line_tokens(LinesPicture& picture) {
    UiFrame& frame = picture.frame;
    const int num_tokens = frame.evaluation.num_tokens();
    picture.origin = ImGui::GetCursorScreenPos();
    const float scroll = ImGui::GetScrollY();
    picture.first = std::clamp(static_cast<int>(scroll / picture.pitch), 0, num_tokens - 1);
    const int in_sight = static_cast<int>(ImGui::GetWindowHeight() / picture.pitch) + 2;
    picture.end = std::min(num_tokens, picture.first + in_sight);
    // A token more on both sides, so that the arrow keys find what comes next.
    const int first = std::max(0, picture.first - 1);
    const int end = std::min(num_tokens, picture.end + 1);

    std::optional<int>& from = picture.memory.wish_from;
    const bool gives_up = ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, ImGuiKeyOwner_NoOwner);
    if (from && (gives_up || *from >= num_tokens)) from.reset();

    std::vector<std::pair<ItemState, ItemState>> states;
    for (int token = first; token < end; ++token) {
        const ItemState query = put_token(picture, token, true);
        states.emplace_back(query, put_token(picture, token, false));
    }
    // A token that is pointed at outside the columns is a query here.
    const bool is_elsewhere = !picture.pointed_at.query && !picture.pointed_at.key;
    if (is_elsewhere && frame.hover.token && *frame.hover.token < num_tokens &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) {
        picture.pointed_at.query = frame.hover.token;
    }
    for (int token = first; token < end; ++token) {
        const auto& [query, key] = states[static_cast<std::size_t>(token - first)];
        draw_label(picture, token, query, true, standing_of(picture, token, true));
        draw_label(picture, token, key, false, standing_of(picture, token, false));
    }
    ImGui::SetCursorScreenPos({picture.origin.x, picture.origin.y + static_cast<float>(num_tokens) * picture.pitch});
    ImGui::Dummy({1, 0});
}

}  // namespace attn
