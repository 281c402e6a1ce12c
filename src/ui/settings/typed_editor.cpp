// The table of typed embeddings as an ImGui window: cells, labels, pasted blocks.
#include "ui/settings/typed_editor.h"

#include <imgui_internal.h>  // taking the focus from a cell

#include <algorithm>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/number_block.h"
#include "ui/frame/ask_commas.h"
#include "ui/frame/pins.h"
#include "ui/kit/fields.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/settings/typed_rows.h"

namespace attn {
namespace {

constexpr const char* kPopup = "typed embeddings";
constexpr float kCellWidth = 72;
constexpr float kTokenWidth = 110;

float row_height(const Look& look) {
    return control_height(look) + 2;
}

// The rows in a text; where they cannot be read a note says so.
std::optional<TypedRows> read_rows(UiFrame& frame, std::string_view text) {
    Notes unread;
    std::optional<TypedRows> rows = parse_typed_rows(text, unread);
    for (const std::string& note : unread) frame.session.note_failure(note);
    return rows;
}

void paste(UiFrame& frame, int row, int column) {
    const char* clipboard = ImGui::GetClipboardText();
    const std::string_view text = clipboard ? clipboard : "";
    const int sentence = frame.state.view.sentence, num_rows = frame.evaluation.num_tokens();
    Result<std::vector<NumberReading>> readings = number_readings(text);
    if (!readings || !readings->back().has_decimal_commas) {
        if (const auto rows = read_rows(frame, text))
            place_typed_rows(frame.next.inputs, sentence, row, column, *rows, num_rows, frame.notes);
        return;
    }
    std::vector<PastedReading> ways;
    for (NumberReading& reading : *readings) {
        PastedReading way = {.rows = reading.block.size(),
                             .columns = reading.block.front().size(),
                             .has_decimal_commas = reading.has_decimal_commas,
                             .state = frame.next};
        place_typed_rows(way.state.inputs, sentence, row, column, reading.block, num_rows, way.notes);
        ways.push_back(std::move(way));
    }
    if (ways.size() > 1) return ask_about_commas(frame, std::move(ways));
    frame.next = std::move(ways.front().state);
    append_notes(frame.notes, ways.front().notes);
}

// Handles the paste of a whole block while one cell has the focus: puts the block in its place and clears what ImGui
// pasted into the cell.
bool takes_block_paste(UiFrame& frame, int row, int column) {
    if (!ImGui::IsItemActive() || !ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_V)) return false;
    const char* clipboard = ImGui::GetClipboardText();
    if (!clipboard || !holds_several_numbers(clipboard)) return false;
    ImGui::ClearActiveID();
    paste(frame, row, column);
    return true;
}

void put_cell(UiFrame& frame, int row, int column) {
    const Inputs& inputs = frame.state.inputs;
    const int sentence = frame.state.view.sentence;
    const std::string value = exact_number(typed_number(inputs, sentence, row, column));
    const auto typed = edit_field(frame, concat("x[", row, ",", column, "]"), value, kCellWidth - 4, 6);
    note_field(frame, concat("x[", row, ",", column, "]"),
               concat(token_text(frame.evaluation, row), ", channel ", column), value);
    if (takes_block_paste(frame, row, column) || !typed) return;
    if (const auto rows = read_rows(frame, with_decimal_point(*typed))) {
        place_typed_rows(frame.next.inputs, sentence, row, column, *rows, frame.evaluation.num_tokens(), frame.notes);
    }
}

struct Range {
    int begin, end;
};
// The rows or columns of `count` in sight, each `extent` long, with one more on either side for the keyboard to reach.
Range in_sight(float scroll, float room, float extent, int count) {
    const int first = static_cast<int>(scroll / extent) - 1;
    const int last = static_cast<int>((scroll + room) / extent) + 2;
    return {std::clamp(first, 0, count), std::clamp(last, 0, count)};
}

void put_table(UiFrame& frame, ImVec2 size) {
    const int num_rows = frame.evaluation.num_tokens();
    const int num_columns = frame.state.inputs.d_in;
    const float height = row_height(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({corner.x + kTokenWidth, corner.y + height});
    ImGui::SetNextWindowContentSize(
        {static_cast<float>(num_columns) * kCellWidth, static_cast<float>(num_rows) * height});
    ImGui::BeginChild("cells", {size.x - kTokenWidth, size.y - height}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_HorizontalScrollbar);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const Range rows = in_sight(ImGui::GetScrollY(), ImGui::GetWindowHeight(), height, num_rows);
    const Range columns = in_sight(ImGui::GetScrollX(), ImGui::GetWindowWidth(), kCellWidth, num_columns);
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int column = columns.begin; column < columns.end; ++column) {
            ImGui::SetCursorScreenPos(
                {origin.x + static_cast<float>(column) * kCellWidth, origin.y + static_cast<float>(row) * height});
            put_cell(frame, row, column);
        }
    }
    scroll_by_finger(frame);
    ImGui::EndChild();

    // Tokens on the left and channels on top go along with the cells but stay in sight.
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect({corner.x, corner.y + height}, {corner.x + kTokenWidth, corner.y + size.y}, true);
    for (int row = rows.begin; row < rows.end; ++row) {
        const float y = origin.y + static_cast<float>(row) * height;
        const std::string text = shortened(body(frame), token_text(frame.evaluation, row), kTokenWidth - 10);
        draw_text_in({corner.x, y}, {corner.x + kTokenWidth - 8, y + height}, {1, 0.5F}, body(frame), text);
    }
    list.PopClipRect();
    list.PushClipRect({corner.x + kTokenWidth, corner.y}, {corner.x + size.x, corner.y + height}, true);
    for (int column = columns.begin; column < columns.end; ++column) {
        const float x = origin.x + static_cast<float>(column) * kCellWidth;
        draw_text_in({x, corner.y}, {x + kCellWidth - 4, corner.y + height}, {0.5F, 0.5F}, small(frame),
                     concat(column));
    }
    list.PopClipRect();
}

// Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_popup(UiFrame& frame, const ScreenBox& opener) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float width = std::min(display.x - 16, 760.0F);
    const PopupPlace place = popup_place(opener, width, display);
    const ImVec2 size = {width, std::min(place.most_height, 560.0F)};
    place_next_popup(place);
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14, 12));
    if (ImGui::BeginPopup(kPopup, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar)) {
        ImGui::PopStyleVar();
        put_text(bold(frame), "Typed embeddings");
        put_wrapped_text(
            small(frame),
            "One row per token, one column per channel. Rows can be pasted from a notebook or a spreadsheet.");
        // This window covers the notes, so it repeats the newest one.
        if (!frame.notes.empty()) {
            const std::string& note = frame.notes.back();
            const bool is_failure = frame.session.is_failure(note);
            put_wrapped_text(
                {frame.fonts.sans, kSmallSize, is_failure ? frame.palette.warning : frame.palette.soft_ink}, note);
        }
        const float foot = control_height(frame) + 4;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        put_table(frame, {room.x, room.y - foot - 10});
        ImGui::SetCursorPosY(size.y - foot - 12);
        if (button(frame, "x=paste", "Paste rows")) paste(frame, 0, 0);
        ImGui::SameLine();
        if (button(frame, "x=done", "Done", ButtonKind::primary)) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    } else {
        ImGui::PopStyleVar();
    }
}

}  // namespace

void put_typed_editor(UiFrame& frame) {
    {
        SettingRow row(frame, "x");
        const std::string label = concat("edit ", frame.evaluation.num_tokens(), " × ", frame.state.inputs.d_in);
        row.place_control(text_size(body(frame), label).x + 24);
        if (button(frame, "x", label, ButtonKind::quiet, !frame.evaluation.is_empty())) ImGui::OpenPopup(kPopup);
        call_last_item(frame, "edit the typed embeddings");
        if (ImGui::IsPopupOpen(kPopup)) put_popup(frame, last_item_box());
    }
}

}  // namespace attn
