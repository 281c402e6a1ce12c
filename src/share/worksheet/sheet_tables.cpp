// Writes the tables cell by cell.
#include "share/worksheet/sheet_tables.h"

#include <algorithm>
#include <vector>

#include "core/attention/masking.h"
#include "core/graph/dims.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/check/withheld.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr int kMostLabelLetters = 16;

std::string cut(std::string_view text, int most) {
    std::string kept;
    for (int n = 0; !text.empty(); ++n) {
        if (n == most) return kept + "…";
        kept += take_code_point(text).bytes;
    }
    return kept;
}

}  // namespace

std::string html_text(std::string_view bytes) {
    std::string text;
    for (const char letter : one_line(bytes)) {
        switch (letter) {
            case '&':
                text += "&amp;";
                break;
            case '<':
                text += "&lt;";
                break;
            case '>':
                text += "&gt;";
                break;
            case '"':
                text += "&quot;";
                break;
            case '\'':
                text += "&#39;";
                break;
            default:
                text += letter;
        }
    }
    return text;
}

std::string html_name(std::string_view bytes, int most) {
    return concat("<bdi>", html_text(cut(one_line(bytes), most)), "</bdi>");
}

std::string words_of_stage(TensorId stage) {
    std::string words(tensor_name(stage));
    std::ranges::replace(words, '_', ' ');
    return words;
}

SheetTables::SheetTables(const PlaygroundState& state, const Evaluation& evaluation, const SheetTask& task)
    : evaluation_(evaluation), task_(task), blanks_(with_withheld(state)) {}

SheetTables::CellKind SheetTables::kind_of(const SheetTable& table, int row, int column) const {
    if (!is_stage(table.tensor)) return CellKind::number;
    if (is_masked_stage(table.tensor) && evaluation_.problem->hidden(row, column) != 0) return CellKind::hidden;
    if (!blanks_.has(table.tensor, table.head, row, column)) return CellKind::number;
    const bool is_asked = std::ranges::any_of(task_.asked, [&](const Question& question) {
        return question.stage == table.tensor && question.head == table.head && question.row == row &&
               question.column == column;
    });
    return is_asked ? CellKind::box : CellKind::company;
}

std::string SheetTables::title(const SheetTable& table) const {
    if (!is_stage(table.tensor)) return std::string(tensor_name(table.tensor));
    return concat(words_of_stage(table.tensor),
                  stage_info(table.tensor).has_heads ? concat(", head ", table.head + 1) : std::string());
}

bool SheetTables::has_company() const {
    return std::ranges::any_of(task_.to_fill, [&](const SheetTable& table) {
        return std::ranges::any_of(table.rows, [&](int row) {
            return std::ranges::any_of(table.columns,
                                       [&](int column) { return kind_of(table, row, column) == CellKind::company; });
        });
    });
}

std::string SheetTables::row_label(const SheetTable& table, int row) const {
    if (dims_of(table.tensor).rows != Dim::tokens) return concat(row);
    return html_name(token_text(evaluation_, row), kMostLabelLetters) + place_if_repeated(evaluation_, row);
}

std::string SheetTables::column_label(const SheetTable& table, int column) const {
    const bool is_of_keys = dims_of(table.tensor).columns == Dim::keys;
    if (!is_of_keys && !is_stage(table.tensor)) return concat(column);
    const std::string place = is_of_keys ? place_if_repeated(evaluation_, column) : std::string();
    if (!is_stage(table.tensor)) return html_name(token_text(evaluation_, column), kMostLabelLetters) + place;
    return html_name(column_text(evaluation_, table.tensor, column), kMostLabelLetters) + place;
}

template <class WriteCell>
std::string SheetTables::table_of(const SheetTable& table, const WriteCell& write_cell) const {
    std::string html;
    const std::vector<int> columns(table.columns.begin(), table.columns.end());
    for (std::size_t first = 0; first < columns.size(); first += kColumnsOfPart) {
        const std::size_t end = std::min(columns.size(), first + kColumnsOfPart);
        const bool is_part = columns.size() > kColumnsOfPart;
        html += concat("<table>\n<caption>", title(table),
                       is_part ? concat(", columns ", columns[first], " to ", columns[end - 1]) : std::string(),
                       "</caption>\n<thead><tr><td></td>");
        for (std::size_t c = first; c < end; ++c)
            html += concat("<th scope=\"col\">", column_label(table, columns[c]), "</th>");
        // A last part that is narrower keeps the width of the columns above it.
        const std::size_t num_empty = is_part ? kColumnsOfPart - (end - first) : 0;
        for (std::size_t c = 0; c < num_empty; ++c) html += "<td></td>";
        html += "</tr></thead>\n<tbody>\n";
        for (const int row : table.rows) {
            html += concat("<tr><th scope=\"row\">", row_label(table, row), "</th>");
            for (std::size_t c = first; c < end; ++c) html += write_cell(row, columns[c]);
            for (std::size_t c = 0; c < num_empty; ++c) html += "<td class=\"none\"></td>";
            html += "</tr>\n";
        }
        html += "</tbody>\n</table>\n";
    }
    return html;
}

std::string SheetTables::given(const SheetTable& table) const {
    return table_of(table, [&](int row, int column) -> std::string {
        if (kind_of(table, row, column) == CellKind::hidden)
            return concat("<td class=\"hidden\">", hidden_number(table.tensor), "</td>");
        return concat("<td>", shown_number(number_of(evaluation_, table, row, column)), "</td>");
    });
}

std::string SheetTables::to_fill(const SheetTable& table, SheetFill fill) const {
    return table_of(table, [&](int row, int column) -> std::string {
        const CellKind kind = kind_of(table, row, column);
        if (kind == CellKind::hidden) return concat("<td class=\"hidden\">", hidden_number(table.tensor), "</td>");
        const bool shows = fill == SheetFill::numbers || kind == CellKind::number;
        const std::string text = shows ? shown_number(number_of(evaluation_, table, row, column)) : std::string();
        if (kind == CellKind::number) return concat("<td>", text, "</td>");
        if (fill == SheetFill::signs) return kind == CellKind::company ? "<td>–</td>" : "<td>?</td>";
        if (kind == CellKind::company) return concat("<td class=\"company\">", text, "</td>");
        return concat("<td class=\"", shows ? "answer" : "box", "\">", text, "</td>");
    });
}

}  // namespace attn
