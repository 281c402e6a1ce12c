// See number_table.h. Names are taken off the table, then the block of numbers is read.
#include "share/number_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "playground/state.h"

namespace attn {
namespace {

using Cells = std::vector<std::string>;

Result<NumberTable> refuse(std::string sentence) {
    return Result<NumberTable>::failure(std::move(sentence));
}

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// What parts the cells of a table with names: ' ' stands for any blanks.
char separator_of(std::string_view text) {
    for (const char separator : {'\t', ';', ','}) {
        if (text.find(separator) != std::string_view::npos) return separator;
    }
    return ' ';
}

// The cells of one line; a separator between double quotes parts nothing.
Cells cells_of(std::string_view line, char separator) {
    Cells cells(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c != separator || is_quoted) {
            cells.back() += c;
        } else if (separator != ' ' || !cells.back().empty()) {
            cells.emplace_back();
        }
    }
    if (separator == ' ' && cells.size() > 1 && cells.back().empty()) cells.pop_back();
    for (std::string& cell : cells) cell = std::string(trimmed(cell));
    return cells;
}

bool is_number(const std::string& cell) {
    return parse_number(cell).has_value();
}

// A cell of words: what spreadsheets write where a number is missing is none.
bool is_name(const std::string& cell) {
    constexpr std::string_view kNoNames[] = {"nan",       "inf", "-inf", "+inf", "infinity",
                                             "-infinity", "na",  "n/a",  "null"};
    std::string lower = cell;
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    const bool has_letter = std::any_of(lower.begin(), lower.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) >= 0x80U);
    });
    return has_letter && !is_number(cell) &&
           std::find(std::begin(kNoNames), std::end(kNoNames), lower) == std::end(kNoNames) &&
           lower.find_first_of(",…") == std::string::npos && lower != "−";
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty()) lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Names around the numbers.
struct Names {
    bool in_first_line = false;
    bool in_first_column = false;
};

// Whether these cells, from the second on, are 0, 1, 2, ...: how columns without names are numbered.
bool counts_up(const Cells& cells) {
    for (std::size_t c = 1; c < cells.size(); ++c) {
        if (cells[c] != concat(c - 1)) return false;
    }
    return cells.size() > 1;
}

Names names_of(const std::vector<Cells>& lines) {
    Names names;
    if (lines.empty() || lines.front().empty()) return names;
    const Cells& first = lines.front();
    const bool has_rows = lines.size() > 1;
    const bool has_more_columns =
        std::all_of(lines.begin(), lines.end(), [](const Cells& cells) { return cells.size() > 1; });
    if (has_more_columns && has_rows && first.front().empty()) return {.in_first_line = true, .in_first_column = true};
    names.in_first_column =
        has_more_columns && has_rows &&
        std::all_of(lines.begin() + 1, lines.end(), [](const Cells& cells) { return is_name(cells.front()); });
    const auto from = names.in_first_column ? first.begin() + 1 : first.begin();
    names.in_first_line =
        has_rows && (std::any_of(from, first.end(), is_name) || (names.in_first_column && counts_up(first)));
    return names;
}

// The numbers of the table as text again, a tab between two.
std::string without_names(const std::vector<Cells>& lines, Names names) {
    std::string text;
    for (std::size_t l = names.in_first_line ? 1 : 0; l < lines.size(); ++l) {
        for (std::size_t c = names.in_first_column ? 1 : 0; c < lines[l].size(); ++c) text += lines[l][c] + '\t';
        text.back() = '\n';
    }
    return text;
}

std::string quoted_line(const Cells& cells) {
    std::string text;
    for (const std::string& cell : cells) text += concat(text.empty() ? "" : ", ", cell);
    return quoted(text);
}

// X is the largest there can be. More cells are not even parted; blanks around a separator may count for one.
bool has_too_many_cells(std::string_view text) {
    const auto parts = [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\n' || c == ' '; };
    std::size_t count = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
        const bool begins_cell = parts(text[at]) && !(text[at] == ' ' && parts(text[at - 1]));
        if (begins_cell && ++count > 2 * kMaxTypedNumbers) return true;
    }
    return false;
}

constexpr std::string_view kLongFormat[] = {"sentence", "stage", "head", "row", "column", "value"};

}  // namespace

Result<NumberTable> read_number_table(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        return refuse("The table is written in UTF-16: save it as UTF-8 (\"CSV UTF-8\" in spreadsheets).");
    }
    if (has_too_many_cells(text)) {
        return refuse(concat("The table has more than ", with_thousands(static_cast<std::int64_t>(kMaxTypedNumbers)),
                             " numbers, and X can have no more."));
    }
    NumberTable table;
    std::string numbers;
    if (text.find('[') == std::string_view::npos) {
        std::vector<Cells> lines;
        const char separator = separator_of(text);
        for (const std::string_view line : lines_of(text)) lines.push_back(cells_of(line, separator));
        if (!lines.empty() &&
            std::equal(lines[0].begin(), lines[0].end(), std::begin(kLongFormat), std::end(kLongFormat))) {
            return refuse(
                "This is a list of a stage's numbers, one a line, as the playground writes it. It reads matrices: "
                "save the stage as NPY to bring it back.");
        }
        const Names names = names_of(lines);
        if (names.in_first_line)
            table.notes.push_back(
                concat("the first line, ", quoted_line(lines[0]), ", was taken for names and left out"));
        if (names.in_first_column) table.notes.push_back("the first column was taken for names and left out");
        const bool has_quotes = text.find('"') != std::string_view::npos;
        if (has_quotes || names.in_first_line || names.in_first_column) numbers = without_names(lines, names);
    }
    Result<NumberBlock> rows = parse_number_block(numbers.empty() ? text : std::string_view(numbers));
    if (!rows) return refuse(concat("The table cannot be read: ", rows.error(), "."));
    table.rows = std::move(*rows);
    return table;
}

}  // namespace attn
