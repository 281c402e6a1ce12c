// What pointer, keys and clipboard do to the table.
#include <imgui_internal.h>  // key ownership: the arrows belong to the cells while they have the focus

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/edit/edit_picture.h"
#include "ui/frame/ask_commas.h"
#include "ui/kit/text.h"

namespace attn {
namespace {

int line_at(float place, float extent, int count) {
    return std::clamp(static_cast<int>(std::floor(place / extent)), 0, count - 1);
}

Spot spot_at(const EditPicture& picture, ImVec2 point) {
    return {.row = line_at(point.y - picture.origin.y, picture.cell.y, picture.extent.rows),
            .column = line_at(point.x - picture.origin.x, picture.cell.x, picture.extent.columns)};
}

bool is_only_selection(const EditMemory& memory, Spot spot) {
    return memory.is_in_cells && memory.anchor == spot && memory.end == spot;
}

void extend(EditMemory& memory, Spot spot) {
    memory.end = spot;
    memory.remark.clear();
}

// A click switches a cell of the mask; on the one selected cell it opens the field.
void click_cell(const EditPicture& picture, Spot spot, bool was_selected) {
    if (picture.is_mask()) {
        switch_selection(picture);
    } else if (was_selected) {
        begin_typing(picture, spot);
    }
}

struct Move {
    ImGuiKey key;
    int rows, columns;
};
constexpr std::array<Move, 4> kMoves = {
    {{ImGuiKey_UpArrow, -1, 0}, {ImGuiKey_DownArrow, 1, 0}, {ImGuiKey_LeftArrow, 0, -1}, {ImGuiKey_RightArrow, 0, 1}}};
constexpr std::array kOwnKeys = {ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                 ImGuiKey_Home,    ImGuiKey_End,       ImGuiKey_PageUp,    ImGuiKey_PageDown,
                                 ImGuiKey_Enter,   ImGuiKey_Space,     ImGuiKey_Escape,    ImGuiKey_KeypadEnter};

bool is_pressed(ImGuiKey key, ImGuiID id, bool repeats = true) {
    return ImGui::IsKeyPressed(key, repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None, id);
}

void go(const EditPicture& picture, int rows, int columns) {
    EditMemory& memory = picture.memory;
    const Spot spot = {.row = std::clamp(memory.end.row + rows, 0, picture.extent.rows - 1),
                       .column = std::clamp(memory.end.column + columns, 0, picture.extent.columns - 1)};
    ImGui::GetIO().KeyShift ? extend(memory, spot) : select(memory, spot);
    memory.follows_end = true;
}

void move_selection(const EditPicture& picture, ImGuiID id) {
    for (const Move& move : kMoves) {
        if (is_pressed(move.key, id)) go(picture, move.rows, move.columns);
    }
    const int page = std::max(1, static_cast<int>(picture.visible.y / picture.cell.y) - 1);
    if (is_pressed(ImGuiKey_PageUp, id)) go(picture, -page, 0);
    if (is_pressed(ImGuiKey_PageDown, id)) go(picture, page, 0);
    if (is_pressed(ImGuiKey_Home, id)) go(picture, 0, -picture.extent.columns);
    if (is_pressed(ImGuiKey_End, id)) go(picture, 0, picture.extent.columns);
}

// The characters typed since the last frame that nobody else took.
std::string typed_characters() {
    std::string text;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || io.KeyAlt || io.KeySuper) return text;
    for (const ImWchar character : io.InputQueueCharacters) {
        std::array<char, 5> bytes{};
        ImTextCharToUtf8(bytes.data(), character);
        if (character > ' ' || !text.empty()) text += bytes.data();
    }
    return text;
}

void take_shortcuts(const EditPicture& picture) {
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_C)) copy_selection(picture);
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_V)) paste_clipboard(picture);
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_A)) {
        select(picture.memory, {});
        extend(picture.memory, {.row = picture.extent.rows - 1, .column = picture.extent.columns - 1});
    }
}

// The area in words: "w_query[0,1]" or "6 numbers of w_query".
std::string name_of(const EditPicture& picture, const Area& area) {
    if (area.rows * area.columns > 1) {
        return concat(area.rows, " × ", area.columns, " numbers of ", editable_name(picture.tensor));
    }
    const int sentence = is_of_sentence(picture.tensor) ? picture.frame.state.view.sentence : 0;
    return cell_name(
        {.tensor = picture.tensor, .sentence = sentence, .row = area.row, .column = area.column, .value = 0});
}

// What was done, under the table and to screen readers.
void remark(const EditPicture& picture, std::string words) {
    picture.frame.said.push_back(words + ".");
    picture.memory.remark = std::move(words);
}

}  // namespace

Area selected_area(const EditMemory& memory) {
    const auto [top, bottom] = std::minmax(memory.anchor.row, memory.end.row);
    const auto [left, right] = std::minmax(memory.anchor.column, memory.end.column);
    return {.row = top, .column = left, .rows = bottom - top + 1, .columns = right - left + 1};
}

void select(EditMemory& memory, Spot spot) {
    memory.anchor = spot;
    extend(memory, spot);
}

void take_edit_pointer(const EditPicture& picture, bool is_pressed_now) {
    const Look& look = picture.frame;
    EditMemory& memory = picture.memory;
    const bool is_touch = look.is_touch;
    const Spot spot = spot_at(picture, ImGui::GetMousePos());
    const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    const bool is_drag = std::hypot(drag.x, drag.y) >= ImGui::GetIO().MouseDragThreshold;
    const bool by_mouse = ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (ImGui::IsItemActivated() && by_mouse) {
        memory.was_selected = is_only_selection(memory, spot);
        if (!is_touch) ImGui::GetIO().KeyShift ? extend(memory, spot) : select(memory, spot);
        memory.is_in_cells = memory.is_in_cells || !is_touch;
    }
    if (ImGui::IsItemActive() && is_drag && !is_touch && spot != memory.end) {
        extend(memory, spot);
        memory.follows_end = true;
    }
    const bool is_click = is_pressed_now && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !is_drag;
    if (!is_click || ImGui::GetIO().KeyShift) return;
    select(memory, spot);
    memory.is_in_cells = true;
    click_cell(picture, spot, memory.was_selected);
}

void take_edit_keys(const EditPicture& picture) {
    EditMemory& memory = picture.memory;
    const ImGuiID id = ImGui::GetItemID();
    if (memory.refocuses) {
        ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
        ImGui::SetNavCursorVisible(true);  // who types stays with the keyboard: the next Tab moves on
        memory.refocuses = false;
        memory.is_in_cells = true;
    }
    if (memory.typed) return;
    if (!ImGui::IsItemFocused()) {
        memory.is_in_cells = false;
        return;
    }
    const bool was_inside = memory.is_in_cells;
    if (!was_inside && ImGui::IsKeyPressed(ImGuiKey_Enter, false)) memory.is_in_cells = true;
    const std::string characters = typed_characters();
    if (!was_inside && !characters.empty()) memory.is_in_cells = true;
    if (!memory.is_in_cells) return;
    for (const ImGuiKey key : kOwnKeys) ImGui::SetKeyOwner(key, id);
    take_shortcuts(picture);
    if (!was_inside && characters.empty()) return;
    if (is_pressed(ImGuiKey_Escape, id, false)) {
        memory.is_in_cells = false;
        return;
    }
    move_selection(picture, id);
    if (ImGui::IsKeyPressed(ImGuiKey_Delete) || ImGui::IsKeyPressed(ImGuiKey_Backspace)) revert_selection(picture);
    const bool opens = is_pressed(ImGuiKey_Enter, id, false) || is_pressed(ImGuiKey_KeypadEnter, id, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_F2, false);
    if (picture.is_mask() && (opens || is_pressed(ImGuiKey_Space, id, false))) {
        switch_selection(picture);
    } else if (!characters.empty()) {
        begin_typing(picture, memory.end, characters);  // a fast Enter in the same frame ends it: put_edit_cell_field
    } else if (opens) {
        begin_typing(picture, memory.end);
    }
}

void copy_selection(const EditPicture& picture) {
    const Area area = selected_area(picture.memory);
    const std::string text = write_number_block(copy_area(picture.frame.evaluation, picture.tensor, area));
    ImGui::SetClipboardText(text.c_str());
    remark(picture, concat("copied ", name_of(picture, area)));
}

void paste_clipboard(const EditPicture& picture) {
    UiFrame& frame = picture.frame;
    const char* text = ImGui::GetClipboardText();
    Result<std::vector<Paste>> ways = pastes(frame.next, frame.evaluation, picture.tensor,
                                             selected_area(picture.memory), text == nullptr ? "" : text);
    if (!ways) {
        refuse(frame, ways.error());
        return;
    }
    if (ways->size() > 1) {
        std::vector<PastedReading> readings;
        for (Paste& way : *ways) {
            readings.push_back({.rows = static_cast<std::size_t>(way.area.rows),
                                .columns = static_cast<std::size_t>(way.area.columns),
                                .has_decimal_commas = way.has_decimal_commas,
                                .state = std::move(way.state)});
        }
        ask_about_commas(frame, std::move(readings));
        return;
    }
    const Area& area = ways->front().area;
    frame.next = std::move(ways->front().state);
    select(picture.memory, {.row = area.row, .column = area.column});
    extend(picture.memory, {.row = area.row + area.rows - 1, .column = area.column + area.columns - 1});
    const std::string_view how = ways->front().has_decimal_commas ? ", its commas as decimal points" : "";
    remark(picture, concat("pasted ", name_of(picture, area), how));
}

void revert_selection(const EditPicture& picture) {
    const int count = revert_area(picture.frame.next, picture.tensor, selected_area(picture.memory));
    remark(picture, count == 0 ? "nothing was typed over here" : concat(counted(count, "number"), " reverted"));
}

void switch_selection(const EditPicture& picture) {
    UiFrame& frame = picture.frame;
    const Area area = selected_area(picture.memory);
    const float value = picture.number({area.row, area.column}) == 0 ? 1.0F : 0.0F;
    const Result<Area> written = paste_over(frame.next, frame.evaluation, picture.tensor, area, exact_number(value));
    if (!written) refuse(frame, written.error());
    picture.memory.remark.clear();
}

}  // namespace attn
