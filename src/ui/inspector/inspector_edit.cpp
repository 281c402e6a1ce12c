// Fields for numbers that a person may type: each becomes an edit on top of what the seed gives.
#include <imgui.h>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/kit/fields.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/change_marks.h"
#include "views/edit/edit_table.h"

namespace attn {
namespace {

constexpr const char* kPopup = "parameter";

// The cell as edits name it: queries, keys and values before the cut into heads.
Edit edit_of(const Shown& shown, const CellRef& cell) {
    const int sentence = is_of_sentence(cell.tensor) ? shown.state.view.sentence : 0;
    const Sizes& sizes = shown.evaluation.sizes;
    const int head = is_shared_by_heads(cell.tensor) ? cell.head / sizes.heads_per_kv_head() : cell.head;
    const int before = is_role(cell.tensor) ? head * sizes.head_dim() : 0;
    return {.tensor = cell.tensor,
            .sentence = sentence,
            .row = cell.row,
            .column = before + cell.column,
            .value = 0,
            .layer = shown.state.inputs.layer};
}

// Back to the seed's number, for this cell and for all of them.
void put_reverts(UiFrame& frame, const std::string& name, const Edit& edit) {
    const std::vector<Edit>& edits = frame.state.inputs.edits;
    if (find_edit(frame.state.inputs, edit.tensor, edit.sentence, edit.row, edit.column) != nullptr) {
        ImGui::SameLine();
        if (button(frame, concat(name, " revert"), "revert")) {
            remove_edit(frame.next.inputs, edit.tensor, edit.sentence, edit.row, edit.column);
        }
        call_last_item(frame, "revert this number");
    }
    if (edits.size() < 2) return;
    const std::string label = concat("revert all ", with_thousands(static_cast<std::int64_t>(edits.size())));
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < text_size(body(frame), label).x + 24) ImGui::NewLine();
    if (button(frame, concat(name, " revert all"), label)) frame.next.inputs.edits.clear();
}

// Ignores text that is no number or too large for a float. `name` begins the names of the items.
void put_number_field(UiFrame& frame, const std::string& name, const Edit& cell, float value) {
    const std::optional<std::string> typed = edit_field(frame, name, exact_number(value), 130, 8);
    note_field(frame, name, cell_name(cell), exact_number(value));
    put_reverts(frame, name, cell);
    if (!typed) return;
    const Result<Area> area = type_over(frame.next, frame.evaluation, cell.tensor, cell.row, cell.column, *typed);
    if (!area) frame.session.note_failure(area.error());
}

// The number in use; nothing when the settings have changed and it is no longer there.
std::optional<float> parameter_value(const Shown& shown, const CellRef& cell) {
    const bool is_editable = editable_of_name(editable_name(cell.tensor)) == cell.tensor;
    if (!is_editable || !table_extent(shown.evaluation, cell.tensor).contains(cell.row, cell.column)) {
        return std::nullopt;
    }
    return number_at(shown.evaluation, cell.tensor, cell.row, cell.column);
}

// Whether a key is hidden from a query: shown as a switch.
void put_mask_field(UiFrame& frame, const CellRef& cell) {
    const Edit mask = edit_of(frame, {.tensor = TensorId::mask, .head = 0, .row = cell.row, .column = cell.column});
    const bool is_hidden = number_at(frame.evaluation, TensorId::mask, cell.row, cell.column) != 0;
    const std::string label = is_hidden ? "Show this key to this query" : "Hide this key from this query";
    if (button(frame, "edit mask", label)) {
        Edit edit = mask;
        edit.value = is_hidden ? 0.0F : 1.0F;
        set_edit(frame.next.inputs.edits, edit);
    }
    put_reverts(frame, "edit", mask);
}

// The stage in which the mask comes in.
TensorId mask_stage(const Inputs& inputs) {
    return exists_with(inputs.mask_at, TensorId::masked_scores) ? TensorId::masked_scores : TensorId::weights;
}

}  // namespace

bool can_type_over(const Inputs& inputs, TensorId stage) {
    return stage == TensorId::embeddings || is_role(stage) || stage == mask_stage(inputs);
}

void put_edit_field(UiFrame& frame, const CellRef& cell, float value) {
    ImGui::Dummy({1, 2});
    if (cell.tensor == mask_stage(frame.state.inputs)) return put_mask_field(frame, cell);
    put_text(small(frame), "Type a number to see what follows.");
    put_number_field(frame, "edit", edit_of(frame, cell), value);
}

void put_change(const Display& display, TensorId stage, const Cell& cell) {
    const std::string change = cell_change_text(display, stage, cell);
    if (!change.empty()) put_wrapped_text(small(display), concat(change, " by what you typed"));
}

void open_parameter(Display& display, const CellRef& cell) {
    if (locks_control(display.state.view, "edit")) return;
    display.memory.parameter = cell;
    display.memory.opens_parameter = true;
    display.memory.parameter_min = ImGui::GetItemRectMin();
    display.memory.parameter_max = ImGui::GetItemRectMax();
}

void put_parameter_popup(UiFrame& frame) {
    PanelMemory& memory = frame.memory;
    if (memory.opens_parameter) ImGui::OpenPopup(kPopup);
    memory.opens_parameter = false;
    if (!ImGui::IsPopupOpen(kPopup)) return;
    constexpr float kWidth = 300;
    const PopupPlace place =
        popup_place({memory.parameter_min, memory.parameter_max}, kWidth, ImGui::GetIO().DisplaySize);
    place_next_popup(place);
    ImGui::SetNextWindowSizeConstraints({kWidth, 0}, {kWidth, place.most_height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14, 12));
    const bool is_open = ImGui::BeginPopup(kPopup, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    const std::optional<float> value = parameter_value(frame, memory.parameter);
    if (value) {
        const Edit cell = edit_of(frame, memory.parameter);
        put_text(bold(frame), cell_name(cell));
        put_wrapped_text(small(frame), "A learned number. Type another one to see what follows.");
        put_number_field(frame, "learned", cell, *value);
    } else {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

}  // namespace attn
