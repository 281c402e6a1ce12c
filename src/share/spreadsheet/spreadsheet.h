// A state as a spreadsheet in which every stage is a formula over the sheets before it: the input numbers can be
// changed in any program for spreadsheets, and everything after them follows. The page's program only says whether a
// state can become one; the file is written by a module of its own (src/workbook_module.cpp) from the same code.
#pragma once

#include <string>
#include <string_view>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "share/spreadsheet/layer_sheets.h"
#include "share/spreadsheet/sheet_pen.h"

namespace attn {

// At most so many tokens, numbers of a vector (d_in, d_out) and heads: about 290,000 formulas.
inline constexpr int kMaxSheetTokens = 64;
inline constexpr int kMaxSheetWidth = 64;
inline constexpr int kMaxSheetHeads = 8;
inline constexpr int kMaxSheetWords = 256;  // of the vocabulary, with goal `next`

// Says what stands in each cell of the workbook, row by row: Read me, settings, inputs, a sheet a stage.
class SpreadsheetWork {
public:
    // As write_spreadsheet takes them. Inputs and evaluation stay as long as this.
    SpreadsheetWork(std::string_view link, const Inputs& inputs, int sentence, const Evaluation& evaluation);

    // Writes one row of a matrix, or what stands before it: at most some hundred cells. Returns whether all is written.
    bool advance(SheetPen& pen);

private:
    void write_read_me(SheetPen& pen) const;
    void write_settings(SheetPen& pen) const;
    void write_angles(SheetPen& pen) const;
    void begin_layer_sheet(SheetPen& pen, const LayerSheet& sheet) const;
    void write_headings(SheetPen& pen, const LayerSheet& sheet, int n) const;
    void write_row(SheetPen& pen, const LayerSheet& sheet, int n, int i) const;
    void put_label(SheetPen& pen, int row, int column, Dim dim, int index) const;
    std::string label(Dim dim, int index) const;

    std::string link_;
    LayerSheets sheets_;
    bool has_begun_ = false;
    std::size_t sheet_ = 0;  // the next one to write,
    int matrix_ = 0;         // its matrix,
    int row_ = -1;           // and its row; -1: the headings
};

// The file, .xlsx (ECMA-376), of the sentence that `evaluation` is of. `link` is the state's, as write_link writes it.
// The same arguments give the same bytes on every machine. The state has no obstacle (spreadsheet_obstacle); the
// evaluation is complete. On the page two links, which the page's script hands to the module.
std::string write_spreadsheet(std::string_view link, const Inputs& inputs, int sentence, const Evaluation& evaluation);

}  // namespace attn
