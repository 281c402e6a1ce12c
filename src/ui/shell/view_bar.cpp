// The tabs of the views, the list of those without a tab, and the panel of each view.
#include "ui/shell/view_bar.h"
#include "ui/matrix/matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/state/view_table.h"
#include "ui/check/check.h"
#include "ui/edit/edit_view.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "ui/lessons/lesson_menu.h"
#include "ui/lines/lines.h"
#include "ui/share/share.h"
#include "ui/shell/drawer.h"
#include "ui/shell/sheet.h"
#include "ui/vectors/vectors.h"
#include "ui/views/cache.h"
#include "ui/views/compare.h"
#include "ui/views/cost.h"
#include "ui/views/door.h"
#include "ui/views/dots.h"
#include "ui/views/learn.h"
#include "ui/views/model.h"
#include "ui/views/softmax.h"
#include "ui/views/split.h"
#include "ui/views/stacked.h"

namespace attn {
namespace {

// Hands a panel the part of the frame that it takes.
template <auto kDrawPanel>
void draw_panel(UiFrame& frame) {
    kDrawPanel(frame);
}

// Each into the current window at the cursor; never called without tokens.
constexpr void (*kPanels[])(UiFrame&) = {
#define ATTN_VIEW_PANEL(name, ...) draw_panel<draw_##name>,
    ATTN_VIEWS(ATTN_VIEW_PANEL)
#undef ATTN_VIEW_PANEL
};

constexpr const char* kMore = "more views";
constexpr ViewKind kLastTab = ViewKind::patch;  // what comes after it has no tab of its own
constexpr float kGap = 1;

// The label of the tab that opens the other views; the smallest phones have no room for the dots.
std::string more_label(const Look& look, std::string_view title) {
    return concat(title, ImGui::GetIO().DisplaySize.x < 340 && look.is_small() ? "" : " …");
}

std::string item_name(const ViewInfo& info) {
    return concat("view=", info.name);
}

// As tab() draws it.
float tab_width(const Look& look, std::string_view label) {
    return text_size(bold(look), label).x + 2 * kTabIndent;
}

// The least width of the tab of the views from `first` on; it is called after the one that is chosen.
float least_more_width(const Look& look, std::size_t first, ViewKind chosen) {
    if (first == kViews.size()) return 0;
    const auto place = static_cast<std::size_t>(chosen);
    if (place < first) return tab_width(look, more_label(look, "More"));
    TextStyle style = bold(look);
    style.size = kSmallSize;
    return text_size(style, more_label(look, kViews[place].title)).x + 2 * kLeastTabIndent;
}

// How many views have a tab of their own in `width`: the first ones; the rest share "More".
std::size_t num_tabs(const Look& look, float width, ViewKind chosen) {
    std::size_t count = static_cast<std::size_t>(kLastTab) + 1;
    float tabs = 0;
    for (std::size_t i = 0; i < count; ++i) tabs += tab_width(look, kViews[i].title) + kGap;
    while (count > 0 && tabs + least_more_width(look, count, chosen) > width) {
        --count;
        tabs -= tab_width(look, kViews[count].title) + kGap;
    }
    return count;
}

void choose(Wishes& wishes, const ViewInfo& info) {
    wishes.next.view.view = info.kind;
}

// One view in the list: its title and what it is for.
bool put_entry(Display& display, const ViewInfo& info, float width) {
    const float help_width = width - 20;
    const float help_height = wrapped_height(small(display), info.help, help_width);
    const float height = std::max(control_height(display), kTextSize + help_height + 12);
    const ItemState state = item(display, item_name(info), {width, height});
    const bool is_chosen = display.state.view.view == info.kind;
    if (state.is_focused)
        call_item(display, state, concat("view, ", info.title, is_chosen ? ", chosen: " : ": ", info.help));
    if (is_chosen || state.is_hovered) fill_box(state.min, state.max, display.palette.chip);
    draw_text({state.min.x + 10, state.min.y + 5}, bold(display), info.title);
    const ImVec2 help = {state.min.x + 10, state.min.y + 5 + kTextSize};
    ImGui::SetCursorScreenPos(help);
    ImGui::PushTextWrapPos(help.x - ImGui::GetWindowPos().x + help_width);
    put_wrapped_text(small(display), info.help);
    ImGui::PopTextWrapPos();
    ImGui::SetCursorScreenPos(state.min);
    ImGui::Dummy({width, height});
    return state.is_pressed;
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_list(UiFrame& frame, std::span<const ViewInfo> views, const ScreenBox& button) {
    constexpr float kPadding = 8;
    float width = 0;
    for (const ViewInfo& info : views) {
        width = std::max({width, text_size(bold(frame), info.title).x, text_size(small(frame), info.help).x});
    }
    width = std::min(width + 20, ImGui::GetIO().DisplaySize.x - 32 - ImGui::GetStyle().ScrollbarSize);
    const PopupPlace place = popup_place(button, width + 2 * kPadding, ImGui::GetIO().DisplaySize);
    place_next_popup(place);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {width + 4 * kPadding, place.most_height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, kPadding));
    const bool is_open = ImGui::BeginPopup(kMore, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    for (const ViewInfo& info : views) {
        if (!put_entry(frame, info, width)) continue;
        choose(frame, info);
        ImGui::CloseCurrentPopup();
    }
    scroll_by_finger(frame);
    ImGui::EndPopup();
}

// At most `width` wide.
void put_view_tabs(UiFrame& frame, float width) {
    const ViewKind chosen = frame.state.view.view;
    const std::size_t count = num_tabs(frame, width, chosen);
    const float left = ImGui::GetCursorPosX();
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
    const float widest = width - (ImGui::GetCursorPosX() - left);
    if (tab(frame, "views", more_label(frame, is_in_rest ? in_rest->title : "More"), is_in_rest, widest))
        ImGui::OpenPopup(kMore);
    if (ImGui::IsPopupOpen(kMore)) put_list(frame, rest, last_item_box());
}

}  // namespace

void draw_view_bar(UiFrame& frame) {
    constexpr float kNarrowest = 310;  // the smallest phones
    const float gap = ImGui::GetContentRegionAvail().x < kNarrowest ? 3.0F : has_icons_beside_tabs(frame) ? 6.0F : 8.0F;
    const bool has_settings = frame.layout != LayoutKind::wide && shows_part(frame, "settings");
    const bool has_lessons = shows_part(frame, "lessons");
    const float side = control_height(frame) + 4;
    const float settings = has_settings ? side + gap : 0;
    const float lessons = has_lessons ? lesson_button_width(frame) + gap : 0;
    const bool has_share = shows_part(frame, "share");
    const float share = has_share ? share_button_width(frame) + gap : 0;
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    // Upright, a phone has them on the sheet.
    const bool has_undo_here = frame.is_small() ? has_undo(frame) : shows_part(frame, "undo");
    if (has_undo_here && frame.layout != LayoutKind::phone) {
        put_undo_buttons(frame);
        ImGui::SameLine(0, gap);
    }
    if (frame.evaluation.num_tokens() > 0 && shows_part(frame, "views")) {
        const bool has_check = shows_part(frame, "check");
        const float check = has_check ? check_button_width(frame) + gap : 0;
        put_view_tabs(frame, ImGui::GetContentRegionAvail().x - settings - share - lessons - check);
        ImGui::SameLine();
        ImGui::SetCursorPosX(right - settings - share - lessons - check + gap);
        if (has_check) put_check_button(frame);
        if (has_settings || has_share || has_lessons) ImGui::SameLine();
    }
    if (has_lessons) {
        ImGui::SetCursorPosX(right - settings - share - lessons + gap);
        put_lesson_button(frame);
        if (has_settings || has_share) ImGui::SameLine();
    }
    if (has_share) {
        ImGui::SetCursorPosX(right - settings - share + gap);
        put_share_button(frame);
        if (has_settings) ImGui::SameLine();
    }
    if (has_settings) {
        ImGui::SetCursorPosX(right - side);
        if (icon_button(frame, "settings", Icon::settings, "Settings")) open_drawer();
    }
}

void draw_view(UiFrame& frame) {
    if (shows_blank(frame.state)) return draw_check(frame);
    kPanels[static_cast<std::size_t>(frame.state.view.view)](frame);
}

}  // namespace attn
