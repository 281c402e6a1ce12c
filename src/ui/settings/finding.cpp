// The field of the search, the list of what it found, and the way to a setting that was chosen there.
#include "ui/settings/finding.h"

#include <imgui_internal.h>  // the keyboard's focus goes to a setting
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/find/find.h"
#include "playground/lessons/lessons.h"
#include "playground/link/setting_groups.h"
#include "playground/state/open_models.h"
#include "ui/frame/layout.h"
#include "ui/kit/fields.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"
#include "ui/lessons/lesson_lights.h"
#include "ui/lessons/lesson_menu.h"
#include "ui/settings/folding.h"

namespace attn {
namespace {

constexpr std::string_view kCall = "Find a setting, a view or a lesson";
constexpr std::string_view kHint = "Find: RoPE, GQA, mask …";
constexpr float kFieldIndent = 10;
constexpr std::size_t kMostFound = 9;  // on the list; more letters find fewer

// The characters typed since the last frame; nobody else gets them.
std::string take_typed() {
    std::string text;
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    for (const ImWchar character : typed) {
        std::array<char, 5> bytes{};
        ImTextCharToUtf8(bytes.data(), character);
        text += bytes.data();
    }
    typed.resize(0);
    return text;
}

// A field to type in. Not inlined: it comes with a later part of the page.
[[gnu::noinline]] bool put_typed_query(UiFrame& frame, FindMemory& find, float width) {
    ImGui::PushFont(frame.fonts.sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(kFieldIndent, (control_height(frame) - kTextSize) / 2));
    ImGui::SetNextItemWidth(width);
    if (!find.has_focus) {
        find.early += take_typed();
        ImGui::GetCurrentContext()->NavId = 0;  // an item of the rows below that has the focus would take it back
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::InputTextWithHint("##search", drawable(kHint).c_str(), &find.query, ImGuiInputTextFlags_EscapeClearsAll);
    record_item(frame, "search");
    note_field(frame, "search", kCall, find.query);
    frame_box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), frame.palette.accent, 1.5F);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    const bool is_entered = ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                                                           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
    if (ImGui::IsItemActive()) {
        if (!find.has_focus) ImGui::GetIO().AddInputCharactersUTF8(std::exchange(find.early, {}).c_str());
        find.has_focus = true;
    } else if (find.has_focus && find.query.empty()) {
        find.is_on = find.has_focus = false;
    }
    return is_entered;
}

void leave_search(FindMemory& find) {
    find.query.clear();
    find.is_on = find.has_focus = false;
}

// Opens the setting's group; its row takes the focus when it is drawn.
void go_to_setting(UiFrame& frame, FindMemory& find, std::string_view key) {
    constexpr int kFrames = 3;
    const bool is_of_model = open_model_of(frame.state.inputs) != nullptr;
    open_group(frame.memory, is_of_model && key != "text" ? SettingGroup::model : group_of_key(key));
    frame.memory.helped_key = key;
    find.wanted = key;
    find.frames_wanted = kFrames;
}

void choose_found(UiFrame& frame, FindMemory& find, const Found& found) {
    const std::string name(found.name);
    leave_search(find);
    if (found.kind == FoundKind::setting) return go_to_setting(frame, find, name);
    ImGui::CloseCurrentPopup();  // the drawer, where the settings are one
    if (const Lesson* lesson = found.kind == FoundKind::lesson ? find_lesson(name) : nullptr)
        return open_lesson(frame, *lesson);
    set_value(frame, "view", name);
}

// One line of the list, two if its title is long.
bool put_found_entry(UiFrame& frame, const Found& found, float width) {
    constexpr float kPadding = 5;
    const float text_width = width - 2 * kFieldIndent;
    const float title_height = wrapped_height(bold(frame), found.title, text_width);
    const float height = std::max(control_height(frame), title_height + kSmallSize + 2 * kPadding);
    const ItemState state = item(frame, concat("result=", found.name), {width, height});
    if (state.is_focused) call_item(frame, state, concat(found.title, ", ", found.where, ": ", found.about));
    if (state.is_hovered || state.is_focused) fill_box(state.min, state.max, frame.palette.chip);
    const ImVec2 text = {state.min.x + kFieldIndent, state.min.y + kPadding};
    ImGui::SetCursorScreenPos(text);
    ImGui::PushTextWrapPos(text.x - ImGui::GetWindowPos().x + text_width);
    put_wrapped_text(bold(frame), found.title);
    ImGui::PopTextWrapPos();
    draw_text({text.x, text.y + title_height}, small(frame), shortened(small(frame), found.where, text_width));
    put_tooltip(frame, found.title, {}, found.about);
    ImGui::SetCursorScreenPos(state.min);
    ImGui::Dummy({width, height});
    return state.is_pressed;
}

// Not inlined, as above.
[[gnu::noinline]] void put_list_of_found(UiFrame& frame, FindMemory& find) {
    const std::vector<Found> all = find_by_words(find.query, frame.state);
    if (std::exchange(find.told, find.query) != find.query)
        frame.said.push_back(all.empty() ? "nothing found" : concat(all.size(), " found, ", all.front().title));
    const float width = ImGui::GetContentRegionAvail().x;
    const std::size_t count = std::min(all.size(), kMostFound);
    for (std::size_t i = 0; i < count; ++i) {
        ImGui::PushID(static_cast<int>(all[i].kind));  // a view and a lesson may have one name
        const bool is_chosen = put_found_entry(frame, all[i], width);
        ImGui::PopID();
        if (is_chosen) return choose_found(frame, find, all[i]);
    }
    if (count == 0)
        put_wrapped_text(small(frame), concat("Nothing here is called ", quoted(find.query), "."));
    else if (count < all.size())
        put_wrapped_text(small(frame), concat(all.size() - count, " more: type more letters."));
}

// The field, and the button that ends the search. Not inlined, as above.
[[gnu::noinline]] void put_search(UiFrame& frame, FindMemory& find, float width) {
    const float side = control_height(frame) + 4;
    const bool is_entered = put_typed_query(frame, find, width - side - 4);
    ImGui::SameLine(0, 4);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 2);
    const bool is_ended = icon_button(frame, "search=close", Icon::close, "Back to the settings");
    const std::vector<Found> all = is_entered ? find_by_words(find.query, frame.state) : std::vector<Found>();
    if (!all.empty()) return choose_found(frame, find, all.front());
    if (is_ended) leave_search(find);
}

// Not inlined, as above.
[[gnu::noinline]] void begin_search(UiFrame& frame) {
    FindMemory& find = find_memory(frame.memory);
    find.is_on = true;
    find.has_focus = false;
    find.wants_drawer = frame.layout != LayoutKind::wide;
    find.early = take_typed().substr(1);  // "/" is no letter of it
}

// Not inlined, as above.
[[gnu::noinline]] void focus_found(UiFrame& frame, FindMemory& find, std::size_t first_item) {
    const std::string_view before = setting_before(find.wanted);
    const UiItem* target = nullptr;
    for (const std::string_view key : {std::string_view(find.wanted), before}) {
        for (std::size_t i = first_item; i < frame.items.size() && target == nullptr; ++i) {
            const UiItem& row = frame.items[i];
            if (row.takes_focus && !key.empty() && is_item_of(row.name, key)) target = &row;
        }
        // A number itself, not the button before it.
        for (std::size_t i = first_item; i < frame.items.size() && target != nullptr; ++i)
            if (frame.items[i].name == key) target = &frame.items[i];
    }
    if (target != nullptr) {
        ImGui::SetFocusID(target->id, ImGui::GetCurrentWindow());
        ImGui::SetNavCursorVisible(true);
        frame.widgets.scroll_to = {target->name};
        frame.memory.scroll_frames = 2;
    }
    if (target != nullptr || --find.frames_wanted == 0) find.wanted.clear();
    frame.widgets.is_moving = true;
}

}  // namespace

FindMemory& find_memory(PanelMemory& memory) {
    if (!memory.find) memory.find = std::make_shared<FindMemory>();
    return *memory.find;
}

void take_find_key(UiFrame& frame) {
    ImGuiIO& io = ImGui::GetIO();
    if (io.InputQueueCharacters.empty() || io.WantTextInput || !shows_part(frame, "settings")) return;
    const bool is_covered = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (!is_covered && io.InputQueueCharacters.front() == '/') begin_search(frame);
}

float find_field_height(const Look& look) {
    return control_height(look);
}

void put_find_field(UiFrame& frame, float width) {
    FindMemory& find = find_memory(frame.memory);
    if (find.is_on) return put_search(frame, find, width);
    const ItemState state = item(frame, "search", {width, control_height(frame)});
    if (state.is_focused) call_item(frame, state, concat(kCall, ", text field"));
    fill_box(state.min, state.max, frame.palette.paper);
    frame_box(state.min, state.max, frame.palette.edge);
    TextStyle style = body(frame);
    style.color = frame.palette.soft_ink;
    const ImVec2 min = {state.min.x + kFieldIndent, state.min.y};
    const ImVec2 max = {state.max.x - kFieldIndent, state.max.y};
    draw_text_in(min, max, {0, 0.5F}, style, kHint);
    if (!frame.is_touch) draw_text_in(min, max, {1, 0.5F}, style, "/");
    if (state.is_pressed) find.is_on = true;
}

bool put_found(UiFrame& frame) {
    FindMemory& find = find_memory(frame.memory);
    if (!find.is_on || find.query.empty()) return false;
    put_list_of_found(frame, find);
    return true;
}

void follow_found(UiFrame& frame, std::size_t first_item) {
    FindMemory& find = find_memory(frame.memory);
    if (!find.wanted.empty()) focus_found(frame, find, first_item);
}

}  // namespace attn
