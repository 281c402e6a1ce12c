// The field over the cell being typed into.
#include <imgui_internal.h>  // key ownership, and the characters that come before the field has the keyboard
#include <misc/cpp/imgui_stdlib.h>

#include <array>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/edit/edit_picture.h"
#include "ui/kit/fields.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

constexpr const char* kField = "##typed cell";

// ImGui selects the whole text of a field that the program opens. If the visitor has begun to type, the caret belongs
// at its end.
int place_caret(ImGuiInputTextCallbackData* data) {
    EditMemory& memory = *static_cast<EditMemory*>(data->UserData);
    if (!memory.places_caret) return 0;
    data->ClearSelection();
    data->CursorPos = data->BufTextLen;
    memory.places_caret = false;
    return 0;
}

// Collects what the visitor types before ImGui gives the field the keyboard.
void collect_characters(EditMemory& memory) {
    ImGuiIO& io = ImGui::GetIO();
    if (io.InputQueueCharacters.empty()) return;
    if (!memory.places_caret) memory.text.clear();  // it would have been selected
    memory.places_caret = true;
    for (const ImWchar character : io.InputQueueCharacters) {
        std::array<char, 5> bytes{};
        ImTextCharToUtf8(bytes.data(), character);
        if (character >= ' ') memory.text += bytes.data();
    }
    io.InputQueueCharacters.resize(0);
}

// Returns whether the table accepted it.
bool write(const EditPicture& picture, Spot spot, const std::string& text) {
    UiFrame& frame = picture.frame;
    const Result<Area> area = type_over(frame.next, frame.evaluation, picture.tensor, spot.row, spot.column, text);
    const std::string comma = comma_note(text);
    if (!area) refuse(frame, area.error());
    if (area && !comma.empty()) frame.notes = {comma};
    return static_cast<bool>(area);
}

// A block in the clipboard goes into the table, not into the field.
bool takes_block_paste(const EditPicture& picture, Spot spot) {
    if (!ImGui::IsItemActive() || !ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V)) return false;
    const char* clipboard = ImGui::GetClipboardText();
    if (!is_block_of_numbers(clipboard == nullptr ? "" : clipboard)) return false;
    ImGui::ClearActiveID();
    picture.memory.typed.reset();
    picture.memory.refocuses = true;
    select(picture.memory, spot);
    paste_clipboard(picture);
    return true;
}

bool is_enter_pressed() {
    return ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

bool is_escape_pressed() {
    return ImGui::IsKeyPressed(ImGuiKey_Escape, false);
}

// The visitor left the field, by a key or by going elsewhere.
void end_typing(const EditPicture& picture, Spot spot, bool is_tab) {
    EditMemory& memory = picture.memory;
    memory.typed.reset();
    const bool is_enter = is_enter_pressed();
    const bool is_escape = is_escape_pressed();
    const bool is_taken = is_escape || memory.text == memory.text_before || write(picture, spot, memory.text);
    if (!is_enter && !is_escape && !is_tab) return;
    if (!is_taken) {  // the visitor goes on where it went wrong
        memory.typed = spot;
        memory.has_field = false;
        memory.places_caret = true;
        return;
    }
    memory.refocuses = true;
    memory.follows_end = true;
    if (is_enter) select(memory, {.row = std::min(spot.row + 1, picture.extent.rows - 1), .column = spot.column});
    if (is_tab) select(memory, {.row = spot.row, .column = std::min(spot.column + 1, picture.extent.columns - 1)});
}

}  // namespace

void begin_typing(const EditPicture& picture, Spot spot) {
    EditMemory& memory = picture.memory;
    select(memory, spot);
    memory.typed = spot;
    memory.text = exact_number(picture.number(spot));
    memory.text_before = memory.text;
    memory.has_field = false;
    memory.places_caret = false;
}

void begin_typing(const EditPicture& picture, Spot spot, std::string text) {
    begin_typing(picture, spot);
    picture.memory.text = std::move(text);
    picture.memory.places_caret = true;
    ImGui::GetIO().InputQueueCharacters.resize(0);  // they are in `text`
}

void put_edit_cell_field(const EditPicture& picture) {
    EditMemory& memory = picture.memory;
    if (!memory.typed) return;
    const Display& display = picture.frame;
    const Spot spot = *memory.typed;
    const ImVec2 min = picture.cell_min(spot);
    if (!memory.has_field) {
        collect_characters(memory);
        const bool is_tab = ImGui::IsKeyPressed(ImGuiKey_Tab, false);
        if (memory.places_caret && (is_tab || is_enter_pressed() || is_escape_pressed())) {
            end_typing(picture, spot, is_tab);
            return;
        }
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::SetCursorScreenPos(min);
    ImGui::PushFont(display.fonts.sans, kTextSize);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6, (picture.cell.y - kTextSize) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 2.0F);
    ImGui::SetNextItemWidth(picture.cell.x + 1);
    ImGui::InputText(kField, &memory.text, ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_AutoSelectAll,
                     place_caret, &memory);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    record_item(picture.frame, "edit cell");
    const int sentence = is_of_sentence(picture.tensor) ? display.state.view.sentence : 0;
    note_field(
        picture.frame, "edit cell",
        cell_name({.tensor = picture.tensor, .sentence = sentence, .row = spot.row, .column = spot.column, .value = 0}),
        memory.text_before);
    frame_box(min, {min.x + picture.cell.x + 1, min.y + picture.cell.y + 1}, display.palette.accent, 2, 2);
    if (ImGui::IsItemActive()) {
        memory.has_field = true;
        ImGui::SetKeyOwner(ImGuiKey_Tab, ImGui::GetItemID());  // it goes to the right, not out of the table
        if (takes_block_paste(picture, spot)) return;
        const bool is_tab = ImGui::IsKeyPressed(ImGuiKey_Tab, ImGuiInputFlags_None, ImGui::GetItemID());
        if (!is_tab) return;
        ImGui::ClearActiveID();
        end_typing(picture, spot, true);
    } else if (memory.has_field) {
        end_typing(picture, spot, false);
    }
}

}  // namespace attn
