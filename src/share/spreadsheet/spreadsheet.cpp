#include "share/spreadsheet/spreadsheet.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/attention/rotary.h"
#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "share/spreadsheet/sheet_formulas.h"
#include "share/spreadsheet/workbook_pen.h"

namespace attn {
namespace {

constexpr std::size_t kMostOfCell = 8000;  // bytes of a link in one cell: a cell holds 32,767 letters

StageWords words_of(const LayerSheets& sheets, const LayerSheet& sheet) {
    if (!sheet.row) return {.formula = "numbers to change", .meaning = meaning_of_input(sheet.tensor)};
    return stage_words(sheet.tensor, layer_parts(sheets.problem()), sheets.problem().goal.kind);
}

constexpr std::array<std::string_view, 7> kGuide = {
    "Each sheet is one step of the attention, in the order in which it is computed. Its cells are formulas over the "
    "sheets before.",
    "Blue numbers on yellow are inputs: change one, and everything after it follows.",
    "Rows of tokens are queries, columns of tokens are keys. Heads stand below one another and count from 1, tokens "
    "and "
    "channels from 0.",
    "A score whose key is hidden is the text −∞. The softmax counts it as 0. The sheet \"mask\" decides which keys "
    "are hidden.",
    "Grey numbers beside a softmax are what its formulas are made of: the row's largest score, the exponentials, their "
    "sum.",
    "Cells show four decimals and hold more. The numbers have no units.",
    "A number of X, queries, keys or values that was typed on the page is an input here and has no formula.",
};

}  // namespace

SpreadsheetWork::SpreadsheetWork(std::string_view link, const Inputs& inputs, int sentence,
                                 const Evaluation& evaluation)
    : link_(link), sheets_(inputs, sentence, evaluation) {}

bool SpreadsheetWork::advance(SheetPen& pen) {
    if (!has_begun_) {
        write_read_me(pen);
        write_settings(pen);
        if (sheets_.uses(Operation::rotate)) write_angles(pen);
        has_begun_ = true;
        return false;
    }
    const LayerSheet& sheet = sheets_.all()[sheet_];
    if (row_ < 0) {
        sheets_.begin_matrix();
        if (matrix_ == 0) begin_layer_sheet(pen, sheet);
        write_headings(pen, sheet, matrix_);
    } else {
        write_row(pen, sheet, matrix_, row_);
    }
    if (++row_ < sheet.rows) return false;
    row_ = -1;
    if (++matrix_ == sheet.num_matrices) {
        matrix_ = 0;
        ++sheet_;
    }
    return sheet_ == sheets_.all().size();
}

void SpreadsheetWork::write_read_me(SheetPen& pen) const {
    pen.begin_sheet("Read me", {.first_width = 18, .width = 28, .frozen_rows = 1});
    int row = 0;
    pen.text(row, 0, "Attention Playground: one state with live formulas", CellStyle::title);
    row += 2;
    pen.text(row, 0, "Sentence", CellStyle::label);
    std::string sentence;
    for (const Token& token : sheets_.evaluation().tokens.tokens)
        sentence += (sentence.empty() ? "" : " ") + token.text;
    pen.text(row++, 1, sentence, CellStyle::words);
    pen.text(row, 0, "Link", CellStyle::label);
    for (std::size_t at = 0; at < link_.size() || at == 0;) {
        std::size_t end = std::min(at + kMostOfCell, link_.size());
        while (end < link_.size() && (static_cast<unsigned char>(link_[end]) & 0xC0U) == 0x80U) --end;
        pen.text(row++, 1, concat(at == 0 ? "#" : "", link_.substr(at, end - at)), CellStyle::words);
        at = std::max(end, std::size_t{1});
    }
    pen.text(row++, 1, "Put it behind the address of the playground: it opens this state.", CellStyle::words);
    ++row;
    for (const std::string_view line : kGuide) pen.text(row++, 0, line, CellStyle::words);
    ++row;
    for (const auto& [column, heading] : {std::pair{0, "Sheet"}, {1, "Shape"}, {2, "What it is"}})
        pen.text(row, column, heading, CellStyle::label);
    ++row;
    for (const LayerSheet& sheet : sheets_.all()) {
        pen.text(row, 0, sheet.name, CellStyle::words);
        pen.text(row, 1, shape_letters(sheets_.evaluation().sizes, sheet.tensor), CellStyle::words);
        pen.text(row++, 2, words_of(sheets_, sheet).formula, CellStyle::words);
    }
}

void SpreadsheetWork::write_settings(SheetPen& pen) const {
    pen.begin_sheet("settings", {.first_width = 16, .width = 12, .frozen_rows = 3});
    pen.text(0, 0, "settings", CellStyle::title);
    for (const auto& [column, heading] : {std::pair{0, "Name"}, {1, "Value"}, {2, "What it is"}})
        pen.text(2, column, heading, CellStyle::label);
    int row = 3;
    for (const SheetSetting& one : sheet_settings(sheets_)) {
        pen.text(row, 0, one.name, CellStyle::words);
        if (!one.formula.empty())
            pen.formula(row, 1, one.formula, one.value, CellStyle::number);
        else
            pen.number(row, 1, one.value, one.is_fixed ? CellStyle::fixed : CellStyle::input);
        pen.text(row, 2, one.meaning, CellStyle::words);
        pen.name_cell(one.name, row++, 1);
    }
}

// The columns of the page's rotated numbers: both of a pair have its angle.
void SpreadsheetWork::write_angles(SheetPen& pen) const {
    const RotarySettings& rotary = sheets_.settings().rotary;
    const int size = rotary.own_dim == 0 ? sheets_.problem().head_dim() : rotary.own_dim;
    const int first = kPositionColumn + 1, heading = kFrequencyRow - 1;
    pen.begin_sheet(kAngleSheet, {.frozen_rows = kFrequencyRow, .frozen_columns = first});
    pen.text(0, 0, kAngleSheet, CellStyle::title);
    pen.text(1, 0, "position · frequency, in radians", CellStyle::words);
    pen.text(2, 0, "By how much each number of a query or key is turned (RoPE); the two of a pair have one frequency.",
             CellStyle::words);
    pen.text(heading, kPositionColumn, "position", CellStyle::column);
    for (int c = 0; c < size; ++c) pen.number(heading, first + c, c, CellStyle::column);
    pen.text(kFrequencyRow, 0, "frequency", CellStyle::label);
    for (int c = 0; c < size; ++c) {
        const int pair = pair_of(rotary.pairs, size, c);
        pen.formula(kFrequencyRow, first + c, concat("=rope_base^(-2*", pair, "/", size, ")"),
                    rotary_angle(1, pair, size, rotary.base), CellStyle::helper);
    }
    for (int i = 0; i < sheets_.problem().num_tokens(); ++i) {
        const int row = kFrequencyRow + 1 + i;
        pen.text(row, 0, label(Dim::tokens, i), CellStyle::label);
        pen.formula(row, kPositionColumn, concat("=rope_shift+", i), i + rotary.shift, CellStyle::fixed);
        for (int c = 0; c < size; ++c) {
            pen.formula(row, first + c,
                        concat("=", cell_name(row, kPositionColumn, Fixed::column), "*",
                               cell_name(kFrequencyRow, first + c, Fixed::row)),
                        rotary_angle(i + rotary.shift, pair_of(rotary.pairs, size, c), size, rotary.base),
                        CellStyle::number);
        }
    }
}

void SpreadsheetWork::begin_layer_sheet(SheetPen& pen, const LayerSheet& sheet) const {
    const bool is_one = sheet.num_matrices == 1;
    pen.begin_sheet(sheet.name, {.frozen_rows = LayerSheet::kFirstHeading + (is_one ? 1 : -1), .frozen_columns = 1});
    const StageWords words = words_of(sheets_, sheet);
    pen.text(0, 0, concat(sheet.name, " ", shape_letters(sheets_.evaluation().sizes, sheet.tensor)), CellStyle::title);
    pen.text(1, 0, words.formula, CellStyle::words);
    pen.text(2, 0, words.meaning, CellStyle::words);
}

std::string SpreadsheetWork::label(Dim dim, int index) const {
    const Evaluation& evaluation = sheets_.evaluation();
    if (dim == Dim::tokens || dim == Dim::keys)
        return concat(token_text(evaluation, index), place_if_repeated(evaluation, index));
    if (dim == Dim::words) return evaluation.run->words().at(static_cast<std::size_t>(index));
    if (dim == Dim::heads) return concat("head ", index + 1);
    return "";
}

void SpreadsheetWork::put_label(SheetPen& pen, int row, int column, Dim dim, int index) const {
    const std::string text = label(dim, index);
    const CellStyle style = column == 0 ? CellStyle::label : CellStyle::column;
    if (text.empty())
        pen.number(row, column, index, style);
    else
        pen.text(row, column, text, style);
}

void SpreadsheetWork::write_headings(SheetPen& pen, const LayerSheet& sheet, int n) const {
    const Dims dims = dims_of(sheet.tensor);
    const int row = sheet.heading_row(n);
    if (dims.matrices != Dim::one)
        pen.text(row, 0, concat(dims.matrices == Dim::kv_heads ? "key head " : "head ", n + 1), CellStyle::label);
    for (int c = 0; c < sheet.columns; ++c) put_label(pen, row, LayerSheet::column_of(c), dims.columns, c);
    if (!sheet.row) return;
    int column = sheet.first_helper();
    for (const Helper& helper : stage_helpers(sheets_, sheet, n, 0))
        pen.text(row, column++, helper.heading, CellStyle::column);
}

void SpreadsheetWork::write_row(SheetPen& pen, const LayerSheet& sheet, int n, int i) const {
    const int row = sheet.row_of(n, i);
    const Dims dims = dims_of(sheet.tensor);
    if (dims.rows != Dim::one) put_label(pen, row, 0, dims.rows, i);
    const Matrix& numbers = sheets_.matrix(sheet.tensor, n);
    for (int c = 0; c < sheet.columns; ++c) {
        const int column = LayerSheet::column_of(c);
        const double value = as_typed(numbers(i, c));
        if (!sheet.row || sheets_.is_typed(sheet.tensor, n, i, c)) {
            pen.number(row, column, value, CellStyle::input);
            continue;
        }
        const std::string formula = stage_formula(sheets_, sheet, n, i, c);
        const bool is_hidden = sheet.row->operation == Operation::mask && value < 0;
        if (std::isfinite(value))
            pen.formula(row, column, formula, value, CellStyle::number);
        else
            pen.formula(row, column, formula, is_hidden ? kHiddenScore : "#NUM!", CellStyle::number);
    }
    if (!sheet.row) return;
    int column = sheet.first_helper();
    for (const Helper& helper : stage_helpers(sheets_, sheet, n, i))
        pen.formula(row, column++, helper.formula, helper.value, CellStyle::helper);
}

std::string write_spreadsheet(std::string_view link, const Inputs& inputs, int sentence, const Evaluation& evaluation) {
    WorkbookPen pen;
    SpreadsheetWork work(link, inputs, sentence, evaluation);
    while (!work.advance(pen)) continue;
    return pen.take();
}

}  // namespace attn
