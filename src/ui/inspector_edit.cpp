// Numbers that a person may set by hand: what is typed becomes an edit on top of what the seed gives.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/state_edits.h"
#include "ui/fields.h"
#include "ui/inspector.h"
#include "ui/pins.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr const char* kPopup = "parameter";

Edit edit_of(const UiFrame& frame, const CellRef& cell, float value) {
    const int sentence = is_of_sentence(cell.tensor) ? frame.state.view.sentence : 0;
    return {.tensor = cell.tensor, .sentence = sentence, .row = cell.row, .column = cell.column, .value = value};
}

bool is_edited(const UiFrame& frame, const Edit& edit) {
    return find_edit(frame.state.inputs.edits, edit.tensor, edit.sentence, edit.row, edit.column) != nullptr;
}

void put_revert(UiFrame& frame, const Edit& edit) {
    if (!is_edited(frame, edit)) return;
    ImGui::SameLine();
    if (button(frame, "edit revert", "revert")) {
        remove_edit(frame.state.inputs.edits, edit.tensor, edit.sentence, edit.row, edit.column);
    }
}

// A number too large for a float, NaN or text changes nothing.
void put_number_field(UiFrame& frame, const CellRef& cell, float value) {
    const Edit edit = edit_of(frame, cell, value);
    const std::string before = exact_number(value);
    const std::optional<std::string> typed = edit_field(frame, "edit", before, 130, 8);
    put_revert(frame, edit);
    if (!typed) return;
    const std::optional<double> number = parse_number(*typed);
    if (!number || std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max())) {
        frame.notes.push_back(
            concat(cell_name(edit), " stays ", before, ": ", quoted(*typed), " is not a number that fits"));
        return;
    }
    set_edit(frame.state.inputs.edits, edit_of(frame, cell, static_cast<float>(*number)));
}

std::optional<float> element(const Matrix& matrix, const CellRef& cell) {
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    return row < matrix.shape(0) && column < matrix.shape(1) ? std::optional(matrix(row, column)) : std::nullopt;
}

std::optional<float> element(const Vector& vector, const CellRef& cell) {
    const auto column = static_cast<std::size_t>(cell.column);
    return column < vector.shape(0) ? std::optional(vector(column)) : std::nullopt;
}

// The learned number in use, edits included; nothing when the settings have changed and it is no longer there.
std::optional<float> parameter_value(const Evaluation& evaluation, const CellRef& cell) {
    if (evaluation.is_empty()) return std::nullopt;
    const Projections& projections = evaluation.problem->projections;
    switch (cell.tensor) {
        case TensorId::w_query:
            return element(projections.w_query, cell);
        case TensorId::w_key:
            return element(projections.w_key, cell);
        case TensorId::w_value:
            return element(projections.w_value, cell);
        case TensorId::b_query:
            return element(projections.b_query, cell);
        case TensorId::b_key:
            return element(projections.b_key, cell);
        case TensorId::b_value:
            return element(projections.b_value, cell);
        case TensorId::w_out:
            return element(projections.w_out, cell);
        case TensorId::b_out:
            return element(projections.b_out, cell);
        default:
            return std::nullopt;
    }
}

// Whether a key is hidden from a query: shown as a switch.
void put_mask_field(UiFrame& frame, const CellRef& cell) {
    const Evaluation& evaluation = frame.evaluation;
    const bool is_hidden =
        evaluation.problem->hidden(static_cast<std::size_t>(cell.row), static_cast<std::size_t>(cell.column)) != 0;
    const CellRef mask = {.tensor = TensorId::mask, .head = 0, .row = cell.row, .column = cell.column};
    const std::string label = is_hidden ? "Show this key to this query" : "Hide this key from this query";
    if (button(frame, "edit mask", label))
        set_edit(frame.state.inputs.edits, edit_of(frame, mask, is_hidden ? 0.0F : 1.0F));
    put_revert(frame, edit_of(frame, mask, 0));
}

}  // namespace

void put_edit_field(UiFrame& frame, const CellRef& cell, float value) {
    ImGui::Dummy({1, 2});
    if (cell.tensor == TensorId::masked_scores) return put_mask_field(frame, cell);
    put_text(small(frame), "Type a number to see what follows.");
    put_number_field(frame, cell, value);
}

void open_parameter(UiFrame& frame, const CellRef& cell) {
    frame.memory.parameter = cell;
    frame.memory.opens_parameter = true;
}

void put_parameter_popup(UiFrame& frame) {
    PanelMemory& memory = frame.memory;
    if (memory.opens_parameter) ImGui::OpenPopup(kPopup);
    memory.opens_parameter = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14, 12));
    const bool is_open = ImGui::BeginPopup(kPopup, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    const std::optional<float> value = parameter_value(frame.evaluation, memory.parameter);
    if (value) {
        put_text(bold(frame), cell_name(edit_of(frame, memory.parameter, *value)));
        put_text(small(frame), "A learned number. Type another one to see what follows.");
        put_number_field(frame, memory.parameter, *value);
    } else {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace attn
