// A tensor that a person may type over, as a table of numbers: reading, typing, pasting and copying numbers. Rows and
// columns are those of edits: queries, keys and values before the cut into heads, biases as one row. Knows no screen
// and no clipboard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/shapes.h"
#include "playground/state/state.h"
#include "playground/text/number_block.h"

namespace attn {

// Cells from (row, column) on.
struct Area {
    int row = 0;
    int column = 0;
    int rows = 1;
    int columns = 1;

    bool contains(int i, int j) const { return i >= row && i < row + rows && j >= column && j < column + columns; }
    bool operator==(const Area&) const = default;
};

// Rows and columns of the tensor as evaluated; 0 x 0 if it is absent.
Extent table_extent(const Evaluation& evaluation, TensorId tensor);

// The number in use, edits included; the mask: 0 visible, 1 hidden. The cell must lie in table_extent.
float number_at(const Evaluation& evaluation, TensorId tensor, int row, int column);

// Whether the visitor typed over this cell of the shown sentence.
bool is_typed_over(const PlaygroundState& state, TensorId tensor, int row, int column);
// How many edits belong to this tensor (and to the shown sentence, if each sentence has its own).
int count_typed_over(const PlaygroundState& state, TensorId tensor);

// The numbers of an area that lies in the table.
NumberBlock copy_area(const Evaluation& evaluation, TensorId tensor, const Area& area);

// Writes one typed number. The text may also be a block of numbers, which is pasted from this cell on. On an error
// nothing changes; the error quotes the text and says that the cell stays.
Result<Area> type_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, int row, int column,
                       std::string_view text);

// Whether the text is a block of more than one number, however it is read.
bool is_block_of_numbers(std::string_view text);

// A state with a block pasted into it, and where.
struct Paste {
    PlaygroundState state;
    Area area;
    bool has_decimal_commas = false;  // the text's commas were read so
};

// Every way to write a block at the first cell of `selected`, or a single number into all selected cells; two where the
// text's commas may part numbers or be decimal points, and both fit. Leaves cells alone that already hold the number.
// The error says why there is none: the text is no block (number_readings), it does not fit (both shapes are named),
// the mask would hold anything but 0 and 1, more than kMaxEdits.
Result<std::vector<Paste>> pastes(const PlaygroundState& state, const Evaluation& evaluation, TensorId tensor,
                                  const Area& selected, std::string_view text);

// The same where there is one way; nothing is changed where there are two, and the error says what to do.
Result<Area> paste_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, const Area& selected,
                        std::string_view text);

// Writes a block that has the shape of `area`, which lies in the table, cell by cell. Leaves cells alone that already
// hold the number. Changes nothing, and returns half a sentence as error, if the mask would hold anything but 0 and 1,
// and beyond kMaxEdits.
Result<Area> write_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, const Area& area,
                        const NumberBlock& block);

// Gives the cells of the area their numbers from the seed back. Returns how many were edited.
int revert_area(PlaygroundState& state, TensorId tensor, const Area& area);

// Resets all cells of the tensor, also those outside the present shape.
int revert_table(PlaygroundState& state, TensorId tensor);

}  // namespace attn
