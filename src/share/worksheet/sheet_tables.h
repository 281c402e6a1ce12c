// Tables of numbers as HTML for paper: wide ones in several parts below each other, blanks as boxes. Knows no page.
#pragma once

#include <string>
#include <string_view>

#include "playground/link/blanks.h"
#include "share/worksheet/sheet_needs.h"

namespace attn {

// A stranger's text between tags or in an attribute: on one line (one_line), with nothing that HTML would take for a
// sign. Marks that turn the direction of writing are named; what is around it has to keep right-to-left text together
// (<bdi>).
std::string html_text(std::string_view bytes);

// The same in <bdi>, cut after `most` code points.
std::string html_name(std::string_view bytes, int most);

// "masked scores": a stage as a sheet calls it.
std::string words_of_stage(TensorId stage);

// So many columns stand beside each other: what A4 and Letter have room for.
inline constexpr int kColumnsOfPart = 8;

// What the cells of a table to fill in hold.
enum class SheetFill {
    boxes,    // to write into; those that nobody asks for, but that would give one away, are grey
    numbers,  // those that were asked for are marked
    signs,    // "?" for what is asked, "–" for what would give it away: where no style is
};

class SheetTables {
public:
    SheetTables(const PlaygroundState& state, const Evaluation& evaluation, const SheetTask& task);

    // A table whose numbers are given.
    std::string given(const SheetTable& table) const;
    // A table that is asked for, in whole or in part.
    std::string to_fill(const SheetTable& table, SheetFill fill) const;
    // "weights, head 2"; of matrices their names, "w_query".
    std::string title(const SheetTable& table) const;
    // Whether one of the tables to fill in has a grey box.
    bool has_company() const;

private:
    enum class CellKind { number, box, company, answer, hidden };
    CellKind kind_of(const SheetTable& table, int row, int column) const;
    std::string row_label(const SheetTable& table, int row) const;
    std::string column_label(const SheetTable& table, int column) const;
    template <class WriteCell>
    std::string table_of(const SheetTable& table, const WriteCell& write_cell) const;

    const Evaluation& evaluation_;
    const SheetTask& task_;
    const Blanks blanks_;  // with what would give them away
};

}  // namespace attn
