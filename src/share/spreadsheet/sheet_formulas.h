// Each operation of the layer as formulas of a spreadsheet: its face for workbooks, beside value and terms
// (core/operations/operations.h). They use functions alone that every program for spreadsheets has had for decades, and
// no array formulas: a product of a row and a column is =SUM(MMULT(row,column)), of two rows =SUMPRODUCT(row,row).
#pragma once

#include <string>
#include <vector>

#include "share/spreadsheet/layer_sheets.h"

namespace attn {

// The text of a score whose key is hidden. The softmax counts it as 0, as it does every text.
inline constexpr const char* kHiddenScore = "−∞";

// The formula of one number of a stage, "=SUM(MMULT(X!$B6:$D6,w_query!B$6:B$8))". The sheet has a row.
std::string stage_formula(const LayerSheets& in, const LayerSheet& sheet, int n, int row, int column);

// Numbers beside a row that its formulas are made of: of a softmax the largest score, the exponentials and their sum.
struct Helper {
    std::string heading;
    std::string formula;
    double value = 0;
};
std::vector<Helper> stage_helpers(const LayerSheets& in, const LayerSheet& sheet, int n, int row);

// What formulas call by a name, on the sheet "settings". A value without a formula is an input, or fixed.
struct SheetSetting {
    std::string name;
    std::string formula;  // empty: a number
    double value = 0;
    bool is_fixed = false;  // the form of the sheets decides it
    std::string meaning;
};
std::vector<SheetSetting> sheet_settings(const LayerSheets& in);

// The double nearest to the shortest decimal that reads back as this float: 0.43 instead of 0.43000000715.
double as_typed(float number);

}  // namespace attn
