// The two columns of tokens: what is in view, what is pointed at or has the keyboard's focus, and what a click does.
#include <imgui.h>
#include <imgui_internal.h>  // keys that nobody owns

#include <algorithm>

#include "core/ground/check.h"
#include "ui/frame/frame.h"
#include "ui/frame/pins.h"
#include "ui/kit/marks.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_picture.h"
#include "ui/lines/target_tools.h"
#include "views/lines/selection.h"

namespace attn {
namespace {

constexpr float kTokenPadding = 6;

void pin_key(View& view, int key) {
    const bool has_keys = stage_info(view.stage).columns == Axis::key_token;
    if (!view.cell || !has_keys) return pin_token(view, key);
    if (view.cell->column == key) return view.cell.reset();
    view.cell->column = key;
}

// What a click means: Shift and Ctrl (or Command) go before the tool.
LinesTool tool_of_click(const LinesPicture& picture) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyShift) return LinesTool::target;
    if (io.KeyCtrl || io.KeySuper) return LinesTool::select;
    return picture.memory.tool;
}

void act_on_query(const LinesPicture& picture, int query) {
    View& view = picture.frame.next.view;
    std::optional<int>& from = picture.memory.target_from;
    switch (tool_of_click(picture)) {
        case LinesTool::pin:
            from.reset();
            return pin_token(view, query);
        case LinesTool::target:
            from = from == query ? std::nullopt : std::optional(query);
            return;
        case LinesTool::select:
            return toggle_selected(view, query);
    }
}

void act_on_key(const LinesPicture& picture, int key) {
    UiFrame& frame = picture.frame;
    View& view = frame.next.view;
    std::optional<int>& from = picture.memory.target_from;
    switch (tool_of_click(picture)) {
        case LinesTool::pin:
            from.reset();
            return pin_key(view, key);
        case LinesTool::target: {
            const std::optional<int> query = from || !view.cell ? from : std::optional(view.cell->row);
            if (!query) return;  // the legend says what to do
            const HeadRange heads = painted_heads(frame.state);
            const TargetPair pair = {.query = *query, .key = key};
            paint_pair_now(frame, heads, pair, has_pair(frame, heads, pair));
            return from.reset();
        }
        case LinesTool::select:
            return toggle_selected(view, key);
    }
}

// One token of one column. Its item reaches from the edge to where the lines begin.
void put_token(LinesPicture& picture, int token, bool is_query) {
    UiFrame& frame = picture.frame;
    const float width = picture.label_width + kEndOfToken;
    const float x = is_query ? picture.origin.x : picture.origin.x + picture.width - width;
    ImGui::SetCursorScreenPos({x, picture.origin.y + static_cast<float>(token) * picture.pitch});
    const ItemState state = item(frame, concat(is_query ? "query=" : "key=", token), {width, picture.pitch});
    if (state.is_focused && is_query && picture.memory.target_from == token)
        call_item(frame, state, concat("query ", token, ", ", token_text(frame.evaluation, token), ": choose its key"));
    if (state.is_hovered) {  // or it has the keyboard's focus
        (is_query ? picture.pointed_at.query : picture.pointed_at.key) = token;
        frame.next_hover.token = token;
        const std::string text = token_text(frame.evaluation, token);
        if (text_size(bold(frame), text).x > width - kEndOfToken - 2 * kTokenPadding) put_tooltip(frame, text, {}, {});
    }
    if (is_held_long(frame)) {
        toggle_selected(frame.next.view, token);
    } else if (state.is_pressed) {
        is_query ? act_on_query(picture, token) : act_on_key(picture, token);
    }
}

}  // namespace

void put_line_tokens(LinesPicture& picture) {
    const Shown& shown = picture.frame;
    const int num_tokens = shown.evaluation.num_tokens();
    picture.origin = ImGui::GetCursorScreenPos();
    const float scroll = ImGui::GetScrollY();
    picture.first = std::clamp(static_cast<int>(scroll / picture.pitch), 0, num_tokens - 1);
    const int in_sight = static_cast<int>(ImGui::GetWindowHeight() / picture.pitch) + 2;
    picture.end = std::min(num_tokens, picture.first + in_sight);
    // A token more on both sides, so that the arrow keys find what comes next.
    const int first = std::max(0, picture.first - 1);
    const int end = std::min(num_tokens, picture.end + 1);

    std::optional<int>& from = picture.memory.target_from;
    const bool gives_up = ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, ImGuiKeyOwner_NoOwner);
    if (from && (gives_up || *from >= num_tokens)) from.reset();

    for (int token = first; token < end; ++token) {
        put_token(picture, token, true);
        put_token(picture, token, false);
    }
    // A token that is pointed at outside the columns is a query here.
    const bool is_elsewhere = !picture.pointed_at.query && !picture.pointed_at.key;
    if (is_elsewhere && shown.hover.token && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) {
        picture.pointed_at.query = shown.hover.token;
    }
    ImGui::SetCursorScreenPos({picture.origin.x, picture.origin.y + static_cast<float>(num_tokens) * picture.pitch});
    ImGui::Dummy({1, 0});
}

}  // namespace attn
