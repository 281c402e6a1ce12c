// One frame of the table of view=edit, handed from part to part: where its cells are, and what each part does to them.
// Writing goes through views/edit/edit_table.h; this room only decides what pointer and keys mean.
#pragma once

#include <imgui.h>

#include <string>

#include "ui/edit/edit_memory.h"
#include "ui/frame/frame.h"
#include "views/edit/edit_table.h"

namespace attn {

// One frame of the table.
struct EditPicture {
    UiFrame& frame;
    EditMemory& memory;
    TensorId tensor;
    Extent extent;        // at least one cell
    ImVec2 cell;          // points
    float left = 0;       // room for the rows' labels
    float top = 0;        // for the columns' labels, and the line of the heads
    ImVec2 origin = {};   // screen: top left corner of cell (0, 0), scrolled
    ImVec2 visible = {};  // size of the part of the cells that is in sight

    ImVec2 cell_min(Spot spot) const {
        return {origin.x + static_cast<float>(spot.column) * cell.x, origin.y + static_cast<float>(spot.row) * cell.y};
    }
    ImVec2 cell_max(Spot spot) const { return cell_min({spot.row + 1, spot.column + 1}); }
    float number(Spot spot) const { return number_at(frame.evaluation, tensor, spot.row, spot.column); }
    bool is_mask() const { return tensor == TensorId::mask; }
};

// Says why what was typed or pasted is not taken.
inline void refuse(UiFrame& frame, const std::string& why) {
    frame.notes.clear();
    frame.session.note_failure(why);
}

// What is selected.
Area selected_area(const EditMemory& memory);
void select(EditMemory& memory, Spot spot);

// The cells in sight with their labels and marks.
void draw_edit_cells(const EditPicture& picture);

// Acts on the pointer over the cells, the last ImGui item, and shows their tips.
void take_edit_pointer(const EditPicture& picture, bool is_pressed);

// Acts on the keys.
void take_edit_keys(const EditPicture& picture);

// The field over the cell being typed into, if there is one.
void put_edit_cell_field(const EditPicture& picture);

// Opens that field over a cell: with `text` and the caret at its end, or with the cell's own number, all selected.
void begin_typing(const EditPicture& picture, Spot spot);
void begin_typing(const EditPicture& picture, Spot spot, std::string text);

// The selection to the clipboard, the clipboard to the selection, the seed's numbers to the selection. The remark says
// what was done; the notes say why something was not.
void copy_selection(const EditPicture& picture);
void paste_clipboard(const EditPicture& picture);
void revert_selection(const EditPicture& picture);
// Hides all keys of the selection, or shows them if the first is hidden. For the mask only.
void switch_selection(const EditPicture& picture);

}  // namespace attn
