// Writes the cells of a workbook, sheet by sheet, and within a sheet row by row. Rows and columns count from 0.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// What a cell looks like; the formats are in workbook_pen.cpp.
enum class CellStyle {
    title,   // of a sheet
    words,   // a sentence
    label,   // a token, the number of a channel, a head: bold, on grey
    column,  // what stands over a column of numbers: the same at the right
    input,   // a number that may be changed: blue, on yellow
    number,  // four decimals, as on the page
    helper,  // the same in grey: what a formula beside it is made of
    fixed,   // a number that the form of the sheets decides
};

// How a sheet is seen: the width of its first columns in letters, of all others, and what stays when it is scrolled.
struct SheetLook {
    double first_width = 14;
    double width = 10;
    int frozen_rows = 0;
    int frozen_columns = 0;
};

class SheetPen {
public:
    virtual ~SheetPen() = default;

    // All that follows stands on this sheet. The name has at most 31 ASCII letters, digits and "_", or blanks.
    virtual void begin_sheet(const std::string& name, const SheetLook& look) = 0;
    // Never read as a formula, whatever it begins with.
    virtual void text(int row, int column, std::string_view text, CellStyle style) = 0;
    // Finite.
    virtual void number(int row, int column, double number, CellStyle style) = 0;
    // `formula` begins with "="; `value` is what it gives, shown by programs that do not compute.
    virtual void formula(int row, int column, const std::string& formula, double value, CellStyle style) = 0;
    // The same of a formula that gives a text.
    virtual void formula(int row, int column, const std::string& formula, std::string_view value, CellStyle style) = 0;
    // Names a cell of the sheet, for formulas.
    virtual void name_cell(std::string_view name, int row, int column) = 0;
};

}  // namespace attn
