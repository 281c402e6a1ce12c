// The inspector, and what its files share: one number of an explanation, and lists of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/explain/explain.h"
#include "ui/frame/frame.h"

namespace attn {

// The pinned cell in full, into the current window at the cursor.
void draw_inspector(UiFrame& frame);

// Where the mean, or the largest number, of the heads comes from: the cells of the heads, each of which can be chosen.
// The stage can be combined and holds the cell.
void put_combined(UiFrame& frame, const Cell& cell);

// Where the selected queries look on average, as bars for each head that is looked at, and the entropy of each one's
// row. There is a selection.
void put_selection(UiFrame& frame);
// One number of a sum in the arithmetic's font. A number that stands in a cell of its own is underlined and can be
// chosen: that goes to its stage and pins its cell, or, for a learned number, opens it for editing. `name` is its
// item's name.
void put_factor(UiFrame& frame, const Factor& factor, const std::string& name, int digits = 4);

// A piece of arithmetic in the same font and as high, so that it can stand beside a factor.
void put_arithmetic(const Look& look, std::string_view text);

// How high both are: for a finger more than their text.
float factor_height(const Look& look);

// Whether the number stands in a cell that is blank: it is written "?".
bool is_blank(const Shown& shown, const Factor& factor);

// The terms of a sum, one a line: what it is, the factors, the product; under them the sum, "?" if it is blank. More
// than `most_lines` scroll, and only those in sight are drawn. `name` begins the names of the items.
void put_terms(UiFrame& frame, const std::string& name, const std::vector<Term>& terms, double sum, int most_lines,
               bool sum_is_blank = false);

// The arithmetic of a cell of the shown numbers, which are computed: made once for as long as they and the cell stay.
// It holds until another cell is asked for.
const Explanation& explain_shown(Display& display, TensorId stage, const Cell& cell);
// The same of another cell beside it, and whether a cell is blank.
Explanation explain_cell(const Evaluation& evaluation, TensorId stage, const Cell& cell);
bool is_cell_blank(const Shown& shown, TensorId stage, const Cell& cell);

// The empty panel: one number of the shown stage with its arithmetic, and a link that pins it. At the cursor; nothing
// where numbers are hidden, blank or of all heads together.
void put_example(UiFrame& frame);

// The lines of PyTorch that make the shown stage, with what copies them: alone, or lit among those of all stages, each
// of which leads to its stage. Nothing where the script has none.
void put_code(UiFrame& frame);
// How high that is while the lines stand alone.
float code_height(UiFrame& frame);

// The parts of the number, unless its arithmetic shows them already; for a gradient its proof and the next step.
void put_sections(UiFrame& frame, const Cell& cell, const Explanation& explanation);

// Where a query looks: the weights of one row as bars in the head's colour. `cell` is a cell of `stage`, the weights
// before or after dropout.
void put_row_bars(UiFrame& frame, TensorId stage, const Cell& cell);

// A field that finds tokens by their letters; one that is chosen is pinned.
void put_token_search(UiFrame& frame);
// The largest weights of a head, behind a link.
void put_strongest(UiFrame& frame);

// Shows the cell that a factor stands in, and remembers the way back.
void walk_to(UiFrame& frame, const CellRef& cell);
// The numbers the reader came by, each a way back; nothing before the first walk, or after another cell was pinned.
void put_trail(UiFrame& frame);

// The matrices that the terms stand in (at most two, side by side, small), their cells framed. A click goes there: a
// stage is shown, a learned matrix opened for editing. And how high that is.
void put_sources(UiFrame& frame, const Explanation& explanation);
float sources_height(const Explanation& explanation);

struct InspectorMemory& inspector_memory(PanelMemory& memory);

// Whether the numbers of this stage may be typed over: X, queries, keys, values, and where the mask comes in.
bool can_type_over(const Inputs& inputs, TensorId stage);
// The field in which the number of such a cell is typed, and the way back to the seed's number.
void put_edit_field(UiFrame& frame, const CellRef& cell, float value);
// The target of the pinned cell, or the way to make it one; nothing in stages that have none.
void put_target_field(UiFrame& frame, const Cell& pinned);
// "0.1500 → 0.1623", if typed numbers changed the cell of this stage.
void put_change(const Display& display, TensorId stage, const Cell& cell);
// Opens it for a learned number, over the picture.
void open_parameter(Display& display, const CellRef& cell);
void put_parameter_popup(UiFrame& frame);

}  // namespace attn
