// The share card: link, session, exports, and the outcome of the last request.
#include "ui/share/share.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/notes.h"
#include "share/formats/session_file.h"
#include "ui/frame/layout.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/settings/about.h"
#include "ui/views/model_card.h"

namespace attn {
namespace {

constexpr const char* kPanel = "share panel";
constexpr const char* kLabel = "Share";
constexpr const char* kSend = "Send …";  // by the system's own sheet
constexpr float kButtonGap = 8;
constexpr float kIndent = 12;   // of the button's label
constexpr float kPadding = 16;  // around the panel's content
constexpr float kColumn = 340;
constexpr float kColumnGap = 28;
constexpr float kOutcomeGap = 6;  // ImGui's between two items

void ask(UiFrame& frame, UiRequest request) {
    share_memory(frame.memory).outcome.clear();
    frame.requests.push_back(std::move(request));
}

// The link as it can be handed on: with the page's address where there is a page.
std::string whole_link(const Display& display) {
    const std::string link = write_link(display.state);
    const std::string& address = display.surroundings.page_address;
    return address.empty() ? link : concat(address, "#", link);
}

void put_link(UiFrame& frame) {
    constexpr std::size_t kMostShown = 200;  // letters that are measured; the box is narrower
    put_heading(frame, "LINK");
    const std::string link = whole_link(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = {ImGui::GetContentRegionAvail().x, control_height(frame) + 4};
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.chip);
    const TextStyle style = {frame.fonts.mono, kSmallSize, frame.palette.ink};
    draw_text_in({corner.x + 10, corner.y}, {corner.x + size.x, corner.y + size.y}, {0, 0.5F}, style,
                 shortened(style, std::string_view(link).substr(0, kMostShown), size.x - 20));
    ImGui::Dummy(size);
    const bool is_long = link.size() > kLongLink;
    const bool can_share = frame.surroundings.can_share_link;
    const auto width = [&](std::string_view label) { return text_size(body(frame), label).x + 2 * kIndent; };
    const float room = width("Copy link") + (can_share ? width(kSend) + kButtonGap : 0);
    begin_share_row(frame, concat(with_thousands(static_cast<std::int64_t>(link.size())), " characters"),
                    {room, control_height(frame) + 4});
    if (can_share) {
        if (button(frame, "share=link", kSend, ButtonKind::primary)) {
            ask(frame, {.kind = UiRequest::Kind::share_link, .what = {}, .options = {}, .text = link, .index = 0});
        }
        ImGui::SameLine(0, kButtonGap);
    }
    if (button(frame, "copy=link", "Copy link", can_share ? ButtonKind::quiet : ButtonKind::primary)) {
        ask(frame, {.kind = UiRequest::Kind::copy_text, .what = {}, .options = {}, .text = link, .index = 0});
    }
    put_wrapped_text(small(frame), is_long ? concat("Chats and mail programs may cut links beyond ",
                                                    with_thousands(static_cast<std::int64_t>(kLongLink)),
                                                    " characters: a session file, below, keeps everything.")
                                           : "It holds everything you chose and typed, and opens just this.");
    put_prepare_link(frame, "prepare");
}

void put_exports(UiFrame& frame, ExportScope scope) {
    for (const ExportInfo& info : export_table()) {
        if (info.scope != scope || info.kind == ExportKind::session || !is_offered(info.kind, frame.state)) continue;
        put_export_row(frame, info);
    }
}

bool has_exports(ExportScope scope) {
    const std::span<const ExportInfo> table = export_table();
    return std::any_of(table.begin(), table.end(),
                       [&](const ExportInfo& info) { return info.scope == scope && info.kind != ExportKind::session; });
}

void put_session(UiFrame& frame) {
    put_heading(frame, "SESSION");
    put_export_row(frame, export_info(ExportKind::session));
    if (button(frame, "open", "Open a file …")) {
        ask(frame, {.kind = UiRequest::Kind::open, .what = {}, .options = {}, .text = {}, .index = 0});
    }
    put_wrapped_text(
        small(frame),
        "Session files, and numbers for the embeddings and the learned matrices. Or drop them on the picture.");
    put_fetch_button(frame, "fetch");
    const std::vector<std::string>& recent = frame.surroundings.recent;
    if (recent.empty()) return;
    put_heading(frame, "RECENT");
    const float room = ImGui::GetContentRegionAvail().x;
    for (std::size_t i = 0; i < recent.size(); ++i) {
        TextStyle style = body(frame);
        style.color = frame.palette.link;
        if (text_link(frame, concat("recent=", i), style, shortened(style, recent[i], room))) {
            const int index = static_cast<int>(i);
            ask(frame, {.kind = UiRequest::Kind::open_recent, .what = {}, .options = {}, .text = {}, .index = index});
        }
        call_last_item(frame, concat("Open ", recent[i]));
        put_tooltip(frame, recent[i], {}, {});
    }
}

void put_link_and_figures(UiFrame& frame) {
    put_link(frame);
    if (!has_exports(ExportScope::view)) return;
    put_heading(frame, "FIGURE OF THIS VIEW");
    put_figure_options(frame);
    put_exports(frame, ExportScope::view);
}

void put_numbers_and_code(UiFrame& frame) {
    if (has_exports(ExportScope::stage)) {
        put_heading(frame, "NUMBERS OF A STAGE");
        put_stage_choice(frame);
        put_exports(frame, ExportScope::stage);
    }
    if (has_exports(ExportScope::state)) {
        put_heading(frame, "ALL NUMBERS, CODE, SOLUTION");
        put_exports(frame, ExportScope::state);
    }
}

void begin_column(const char* id, float width) {
    ImGui::BeginChild(id, {width, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY);
}

// In one column, or in two where there is room. At most `height` high; more of it scrolls.
void put_content(UiFrame& frame, float width, float height) {
    const bool has_columns = width >= 2 * 290 + kColumnGap;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 6));
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, height});
    ImGui::BeginChild("share content", {width, 0}, ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AutoResizeY);
    if (has_columns) {
        const float column = (ImGui::GetContentRegionAvail().x - kColumnGap) / 2;
        begin_column("share left", column);
        put_link_and_figures(frame);
        put_session(frame);
        ImGui::EndChild();
        ImGui::SameLine(0, kColumnGap);
        begin_column("share right", column);
        put_numbers_and_code(frame);
        ImGui::EndChild();
    } else {
        put_link_and_figures(frame);
        put_numbers_and_code(frame);
        put_session(frame);
    }
    scroll_by_finger(frame);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

// With the gap above it; 0 while there is nothing to say.
float outcome_height(const Display& display, float width) {
    const std::string& outcome = share_memory(display.memory).outcome;
    return outcome.empty() ? 0 : wrapped_height(body(display), outcome, width - 20) + 14 + kOutcomeGap;
}

// The outcome of the last request, below everything else.
void put_outcome(Display& display, float width) {
    const std::string& outcome = share_memory(display.memory).outcome;
    if (outcome.empty()) return;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size = {width, outcome_height(display, width) - kOutcomeGap};
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, mix(display.palette.panel, display.palette.accent, 0.12F));
    ImGui::SetCursorScreenPos({corner.x + 10, corner.y + 7});
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - 20);
    put_wrapped_text(body(display), outcome);
    ImGui::PopTextWrapPos();
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy(size);
    record_item(display, "outcome");
}

void put_title(Canvas& canvas, float width) {
    const float side = control_height(canvas) + 4;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_text_in(corner, {corner.x + width, corner.y + side}, {0, 0.5F},
                 {canvas.fonts.sans_bold, kTitleSize, canvas.palette.ink}, kLabel);
    ImGui::SetCursorScreenPos({corner.x + width - side, corner.y});
    if (icon_button(canvas, "share=close", Icon::close, "Close")) ImGui::CloseCurrentPopup();
    call_last_item(canvas, "Close “Share”");
}

// Opens the panel below `top` if there is room, else higher; a phone's fills the canvas. Not inlined: it comes with
// a later part of the page.
[[gnu::noinline]] void put_panel(UiFrame& frame, const ScreenBox& button) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const bool is_phone = frame.layout == LayoutKind::phone;
    const float margin = is_phone ? 0 : 8;
    const float width =
        is_phone ? display.x : std::min(2 * kColumn + kColumnGap + 2 * kPadding, display.x - 2 * margin);
    const PopupPlace place =
        is_phone ? PopupPlace{.at = {}, .pivot = {}, .most_height = display.y} : popup_place(button, width, display);
    const float height = place.most_height;
    float& drawn_height = share_memory(frame.memory).height;
    place_next_popup(place);
    ImGui::SetNextWindowSizeConstraints({width, is_phone ? height : 0}, {width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kPadding, is_phone ? 10 : 12));
    if (is_phone) ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, 0.0F);
    const bool is_open = ImGui::BeginPopup(
        kPanel, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(is_phone ? 2 : 1);
    if (!is_open) return;
    frame.widgets.is_moving = frame.widgets.is_moving || drawn_height != ImGui::GetWindowHeight();
    drawn_height = ImGui::GetWindowHeight();
    const float room = width - 2 * kPadding;
    const float side = control_height(frame) + 4;
    put_title(frame, room);
    // Without an outcome below it, what scrolls reaches the lower edge: a strip of paper under words that are cut would
    // look as if they ended there.
    const float outcome = outcome_height(frame, room);
    put_content(frame, room, height - 12 - side - 6 - (outcome > 0 ? 12 + outcome : 1));
    put_outcome(frame, room);
    ImGui::EndPopup();
}

bool is_share_icon(const Look& look) {
    return look.layout != LayoutKind::wide || has_icons_beside_tabs(look);
}

}  // namespace

ShareMemory& share_memory(PanelMemory& memory) {
    if (!memory.share) memory.share = std::make_shared<ShareMemory>();
    return *memory.share;
}

void begin_share_row(const Look& look, std::string_view label, ImVec2 control) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    draw_text_in(corner, {corner.x + room, corner.y + control.y}, {0, 0.5F}, body(look),
                 shortened(body(look), label, room - control.x - 8));
    ImGui::SetCursorScreenPos({corner.x + room - control.x, corner.y});
}

float share_button_width(const Look& look) {
    if (is_share_icon(look)) return control_height(look) + 4;
    return text_size(body(look), kLabel).x + 2 * kIndent;
}

void put_share_button(UiFrame& frame) {
    const bool opens =
        is_share_icon(frame) ? icon_button(frame, "share", Icon::share, kLabel) : button(frame, "share", kLabel);
    const ScreenBox box = last_item_box();
    if (opens) {
        share_memory(frame.memory).outcome.clear();
        ImGui::OpenPopup(kPanel);
    }
    if (ImGui::IsPopupOpen(kPanel)) put_panel(frame, box);
}

void take_share_keys(UiFrame& frame) {
    if (!shows_part(frame, "share") || frame.memory.offer) return;
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_S, ImGuiInputFlags_RouteGlobal)) {
        ask(frame, {.kind = UiRequest::Kind::save, .what = ExportKind::session, .options = {}, .text = {}, .index = 0});
    }
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_O, ImGuiInputFlags_RouteGlobal)) {
        ask(frame, {.kind = UiRequest::Kind::open, .what = {}, .options = {}, .text = {}, .index = 0});
    }
}

}  // namespace attn
