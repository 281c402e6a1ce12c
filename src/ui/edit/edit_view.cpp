// The editor of one matrix: which one, its table, the selection, and the buttons for it.
#include "ui/edit/edit_view.h"

#include <imgui_internal.h>  // vector arithmetic, scrolling to a cell

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/recipe_keys.h"
#include "playground/numbers/recipe.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/edit/edit_actions.h"
#include "ui/edit/edit_map.h"
#include "ui/edit/edit_picture.h"
#include "ui/frame/layout.h"
#include "ui/kit/touch.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"
#include "views/edit/edit_text.h"

namespace attn {
namespace {

constexpr int kFewRows = 5;

EditMemory& memory_of(PanelMemory& memory) {
    if (!memory.edit) memory.edit = std::make_shared<EditMemory>();
    return *memory.edit;
}

// On a low canvas, in one line that leaves the table its room: the tensor between its neighbours.
void put_neighbours(UiFrame& frame, std::span<const TensorId> tensors, int chosen) {
    const float height = control_height(frame) + 4;
    const auto put_step = [&](const char* name, Icon icon, const char* help, int to) {
        const bool exists = to >= 0 && to < static_cast<int>(tensors.size());
        if (icon_button(frame, name, icon, help, exists))
            frame.next.view.tensor = tensors[static_cast<std::size_t>(to)];
    };
    float widest = 0;  // so that the second button stays where it is
    for (const TensorId tensor : tensors) widest = std::max(widest, text_size(bold(frame), tensor_name(tensor)).x);
    put_step("tensor-", Icon::left, "Previous tensor", chosen - 1);
    ImGui::SameLine(0, 8);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_text_in(corner, {corner.x + widest, corner.y + height}, {0.5F, 0.5F}, bold(frame),
                 tensor_name(frame.state.view.tensor));
    ImGui::SetCursorScreenPos({corner.x + widest + 8, corner.y});
    put_step("tensor+", Icon::right, "Next tensor", chosen + 1);
}

// The tensors that exist; a line below names the others, with the reason.
void put_choice(UiFrame& frame) {
    std::vector<Segment> segments;
    std::vector<TensorId> tensors;
    int chosen = -1;
    for (const TensorId tensor : editable_tensors()) {
        if (table_extent(frame.evaluation, tensor).rows == 0) continue;
        if (tensor == frame.state.view.tensor) chosen = static_cast<int>(tensors.size());
        segments.push_back({concat("tensor=", editable_name(tensor)), std::string(tensor_name(tensor))});
        tensors.push_back(tensor);
    }
    if (lacks_height(frame)) return put_neighbours(frame, tensors, chosen);
    const float width = std::min(ImGui::GetContentRegionAvail().x, segmented_width(frame, segments));
    if (const auto pressed = segmented(frame, segments, chosen, width)) {
        frame.next.view.tensor = tensors[static_cast<std::size_t>(*pressed)];
    }
}

// "not here: b_query, b_key, b_value (bias is off)".
std::string absent_text(const Shown& shown) {
    std::string text;
    std::string last_reason;
    for (const TensorId tensor : editable_tensors()) {
        const std::string reason = why_absent(shown.state.inputs, tensor);
        if (reason.empty()) continue;
        const bool is_first = text.empty();
        if (!is_first && reason != last_reason) text += concat(" (", last_reason, ")");
        text += concat(is_first ? "not here: " : ", ", tensor_name(tensor));
        last_reason = reason;
    }
    return text.empty() ? text : concat(text, " (", last_reason, ")");
}

float label_width(const Display& display, TensorId tensor, int num_rows) {
    constexpr float kWidest = 110;
    constexpr int kSample = 64;  // of many labels
    float width = 0;
    for (int k = 0; k < std::min(num_rows, kSample); ++k) {
        const int row = static_cast<int>(static_cast<std::int64_t>(k) * num_rows / std::min(num_rows, kSample));
        width = std::max(width, text_size(bold(display), table_row_label(display.evaluation, tensor, row)).x);
    }
    const std::string last = table_row_label(display.evaluation, tensor, num_rows - 1);
    return std::ceil(std::min(std::max(width, text_size(bold(display), last).x), kWidest)) + 14;
}

EditPicture make_picture(UiFrame& frame, const Extent& extent) {
    const TensorId tensor = frame.state.view.tensor;
    const float touched = lacks_height(frame) ? 32.0F : 40.0F;  // still wide enough for a finger
    return {.frame = frame,
            .memory = memory_of(frame.memory),
            .tensor = tensor,
            .extent = extent,
            .cell = {tensor == TensorId::mask ? 64.0F : 78.0F, frame.is_touch ? touched : 28.0F},
            .left = label_width(frame, tensor, extent.rows),
            .top = kSmallSize + 8};
}

// The matrix may be another or have shrunk; keeps the selection inside.
void keep_selection_inside(const EditPicture& picture) {
    EditMemory& memory = picture.memory;
    const Extent& extent = picture.extent;
    if (memory.tensor != picture.tensor) {
        EditMap map = std::move(memory.map);
        memory = EditMemory();
        memory.tensor = picture.tensor;
        memory.map = std::move(map);
    }
    const auto is_inside = [&](Spot spot) { return extent.contains(spot.row, spot.column); };
    if (!is_inside(memory.anchor) || !is_inside(memory.end)) select(memory, {});
    if (memory.typed && !is_inside(*memory.typed)) memory.typed.reset();
}

void follow_end(const EditPicture& picture) {
    if (!picture.memory.follows_end) return;
    picture.memory.follows_end = false;
    ImGui::ScrollToRect(
        ImGui::GetCurrentWindow(), ImRect(picture.cell_min(picture.memory.end), picture.cell_max(picture.memory.end)),
        ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY | ImGuiScrollFlags_NoScrollParent);
}

// The original of an edited number, beside its cell.
void put_cell_tooltip(const EditPicture& picture) {
    const Display& display = picture.frame;
    if (!ImGui::IsItemHovered() || display.is_touch || picture.memory.typed) return;
    const ImVec2 place = ImGui::GetMousePos() - picture.origin;
    const Spot spot = {.row = static_cast<int>(place.y / picture.cell.y),
                       .column = static_cast<int>(place.x / picture.cell.x)};
    if (!picture.extent.contains(spot.row, spot.column)) return;
    if (!is_typed_over(display.state, picture.tensor, spot.row, spot.column)) return;
    const Evaluation* before = display.evaluator.unedited();
    const std::string was = before == nullptr ? "typed over"
                                              : concat("was ", shown_number(static_cast<double>(number_at(
                                                                   *before, picture.tensor, spot.row, spot.column))));
    if (begin_tip({picture.cell_min(spot), picture.cell_max(spot)})) {
        put_text(body(display), was);
        end_tip();
    }
}

// All digits that make the number, with the minus of shown numbers.
std::string exact_text(float value) {
    std::string text;
    for (const char c : exact_number(value)) text += c == '-' ? std::string("−") : std::string(1, c);
    return text;
}

// "w_query[0,1] = 0.5 · was 0.1234", or how large the selection is.
std::string selected_in_words(const EditPicture& picture) {
    const Shown& shown = picture.frame;
    const Area area = selected_area(picture.memory);
    if (area.rows * area.columns > 1) return concat(area.rows, " × ", area.columns, " selected");
    const int sentence = is_of_sentence(picture.tensor) ? shown.state.view.sentence : 0;
    const std::string name =
        cell_name({.tensor = picture.tensor, .sentence = sentence, .row = area.row, .column = area.column, .value = 0});
    std::string text = concat(name, " = ", exact_text(picture.number({area.row, area.column})));
    const Evaluation* before = shown.evaluator.unedited();
    if (before != nullptr && is_typed_over(shown.state, picture.tensor, area.row, area.column)) {
        text += concat(" · was ", exact_text(number_at(*before, picture.tensor, area.row, area.column)));
    }
    return text;
}

// The selected cell, from outside with how to walk.
std::string words_of_cells(const EditPicture& picture) {
    const std::string selected = selected_in_words(picture);
    if (picture.memory.is_in_cells) return selected;
    return concat(selected, ": press Enter, then walk with the arrow keys or type a number");
}

// The same, or what was just done with it.
std::string selection_text(const EditPicture& picture) {
    return picture.memory.remark.empty() ? selected_in_words(picture) : picture.memory.remark;
}

void put_table(EditPicture& picture, ImVec2 room) {
    Canvas& canvas = picture.frame;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 all = {static_cast<float>(picture.extent.columns) * picture.cell.x + 2,
                        static_cast<float>(picture.extent.rows) * picture.cell.y + 2};
    const float bar = ImGui::GetStyle().ScrollbarSize;
    ImVec2 size = {std::max(room.x - picture.left, 60.0F), std::max(room.y - picture.top, 60.0F)};
    size.y = std::min(size.y, all.y + (all.x > size.x ? bar : 0));
    size.x = std::min(size.x, all.x + (all.y > size.y ? bar : 0));
    ImGui::SetCursorScreenPos({corner.x + picture.left, corner.y + picture.top});
    ImGui::SetNextWindowContentSize(all);
    const std::string id = concat("edit ", editable_name(picture.tensor));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild(id.c_str(), size, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PopStyleVar();
    picture.origin = ImGui::GetCursorScreenPos();
    picture.visible = ImGui::GetCurrentWindow()->InnerRect.GetSize();

    ImGui::PushStyleColor(ImGuiCol_NavCursor, IM_COL32_BLACK_TRANS);  // ours is drawn around what is in sight
    ImGui::SetNextItemAllowOverlap();
    const bool is_pressed = ImGui::InvisibleButton("cells", all, ImGuiButtonFlags_EnableNav);
    ImGui::PopStyleColor();
    record_item(canvas, "edit cells");
    const bool has_focus = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
    take_edit_pointer(picture, is_pressed);
    put_cell_tooltip(picture);
    take_edit_keys(picture);
    draw_edit_cells(picture);
    const ImRect seen = ImGui::GetCurrentWindow()->InnerRect;
    if (has_focus) {
        frame_box(seen.Min, seen.Max, canvas.palette.accent, 1.5F, 0);
        canvas.widgets.focus.name = "edit cells";
        canvas.widgets.focus.words = words_of_cells(picture);
    }
    follow_end(picture);
    put_edit_cell_field(picture);
    scroll_by_finger(canvas);
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({corner.x, corner.y + picture.top + size.y});
    ImGui::Dummy({1, 1});
}

// Goes on in the same line, if `text` fits what is left of it.
void put_beside(const TextStyle& style, const std::string& text, float left) {
    constexpr float kGap = 16;
    if (text_size(style, text).x + kGap > left) return;
    ImGui::SameLine(0, kGap);
    put_text(style, text);
}

// What a number that training changed shows, and what typing there does. Empty for the others.
std::string training_text(const EditPicture& picture) {
    const Inputs& inputs = picture.frame.state.inputs;
    if (!is_trained(inputs) || !trained_tensors(inputs).contains(picture.tensor)) return {};
    return concat("These are the numbers after ", counted(picture.frame.evaluation.run->num_steps(), "step"),
                  " of training; what you type is where training begins. ");
}

std::string hint_text(const EditPicture& picture) {
    if (locks_control(picture.frame.state.view, "edit")) return "The author of this page fixed these numbers.";
    const std::string training = training_text(picture);
    if (picture.frame.is_touch) {
        return training + (picture.is_mask() ? "Tap a cell to switch it." : "Tap a cell, tap it again to type.");
    }
    return training + (picture.is_mask()
                           ? "Click a cell to switch it. Drag selects, Space switches all of them."
                           : "Click a cell and type. Delete reverts, Ctrl+C and Ctrl+V copy and paste a block.");
}

std::string meaning_text(const EditPicture& picture) {
    return concat(tensor_name(picture.tensor), " (", picture.extent.rows, ", ", picture.extent.columns,
                  "): ", table_meaning(picture.tensor));
}

// What the table means, under the choice. On a low canvas beside it stand the buttons, or else the meaning. Returns
// whether the buttons do.
bool put_above_table(const EditPicture& picture, const std::vector<EditAction>& actions) {
    const Look& look = picture.frame;
    if (!lacks_height(picture.frame)) {
        put_wrapped_text(small(look), meaning_text(picture));
        return false;
    }
    constexpr float kNarrowest = 140;
    ImGui::SameLine(0, 12);
    const float rest = ImGui::GetContentRegionAvail().x;
    const bool has_actions = rest >= edit_actions_width(look, actions);
    const bool has_room = rest >= kNarrowest;
    if (!has_room) ImGui::NewLine();
    if (has_actions) {
        put_edit_actions(picture, actions);
    } else {
        const std::string shown = shortened(small(look), meaning_text(picture), ImGui::GetContentRegionAvail().x);
        put_text(small(look), shown, has_room ? control_height(look) + 4 : 0);
    }
    return has_actions;
}

// The table and its map, as high as leaves `foot` free.
void put_table_and_map(EditPicture& picture, ImVec2 room, float foot) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 table = {picture.left + static_cast<float>(picture.extent.columns) * picture.cell.x + 2,
                          picture.top + static_cast<float>(picture.extent.rows) * picture.cell.y + 2};
    const EditRoom rooms = edit_room(picture, {room.x, room.y - foot}, table);
    put_table(picture, rooms.table);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    if (rooms.has_map()) draw_edit_map(picture, corner + rooms.corner, rooms.map);
    ImGui::SetCursorScreenPos({below.x, std::max(below.y, ImGui::GetItemRectMax().y)});
}

// The table between what it means and what can be done with it. Returns whether there is room left for `absent`.
bool put_editor(EditPicture& picture, const std::string& absent) {
    const Look& look = picture.frame;
    const std::vector<EditAction> actions = edit_actions(picture);
    const bool has_actions_above = put_above_table(picture, actions);
    const bool has_hint = !lacks_height(picture.frame) || look.is_touch;
    const bool has_hint_line = has_hint && !has_actions_above;
    const std::string hint = hint_text(picture);

    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float button_height = control_height(look) + 4;
    const auto num_rows = has_actions_above ? 0.0F : static_cast<float>(num_edit_action_rows(look, actions, room.x));
    float foot = num_rows * (button_height + 4) + kTextSize + 12;
    if (has_hint_line) foot += wrapped_height(small(look), hint, room.x) + 4;
    const float said = wrapped_height(small(look), absent, room.x) + 4;
    // The line that names absent tensors gives way to the table if few of its rows would be visible.
    const auto few_rows = static_cast<float>(std::min(kFewRows, picture.extent.rows));
    const bool has_room = room.y - foot - said >= picture.top + few_rows * picture.cell.y;
    if (!absent.empty() && has_room) foot += said;

    put_table_and_map(picture, room, foot);
    const std::string selected = shortened(body(look), selection_text(picture), room.x);
    put_text(body(look), selected);
    if (has_hint && has_actions_above) put_beside(small(look), hint, room.x - text_size(body(look), selected).x);
    if (!has_actions_above) put_edit_actions(picture, actions);
    if (has_hint_line) put_wrapped_text(small(look), hint);
    return has_room;
}

}  // namespace

void draw_edit(UiFrame& frame) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 4));
    put_choice(frame);
    const TensorId tensor = frame.state.view.tensor;
    const Extent extent = table_extent(frame.evaluation, tensor);
    const std::string absent = absent_text(frame);
    bool tells_absent = !absent.empty();
    if (extent.rows == 0) {
        put_wrapped_text(body(frame),
                         concat(tensor_name(tensor), " is not here: ", why_absent(frame.state.inputs, tensor)));
    } else {
        EditPicture picture = make_picture(frame, extent);
        keep_selection_inside(picture);
        tells_absent = put_editor(picture, absent) && tells_absent;
    }
    if (tells_absent) put_wrapped_text(small(frame), absent);
    ImGui::PopStyleVar();
}

}  // namespace attn
