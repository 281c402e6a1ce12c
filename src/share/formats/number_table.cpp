// Names are taken off the table, then the block of numbers is read. However long the table is, only
// one line at a time is split into cells, and of a line no more cells than a matrix may have.
#include "share/formats/number_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using Cells = std::vector<std::string>;

Result<NumberTable> refuse_table(std::string sentence) {
    return Result<NumberTable>::failure(std::move(sentence));
}

// What separates the cells of a table with names; ' ' stands for any blanks.
char separator_of(std::string_view text) {
    for (const char separator : {'\t', ';', ','}) {
        if (text.find(separator) != std::string_view::npos) return separator;
    }
    return ' ';
}

// A name, and one number more than a row may have.
constexpr std::size_t kMostCells = kMaxBlockSide + 2;

// The first cells of one line; a separator between double quotes does not count.
Cells cells_of(std::string_view line, char separator, std::size_t most = kMostCells) {
    Cells cells(1);
    bool is_quoted = false;
    while (!line.empty()) {
        const char stops[] = {'"', separator};
        const std::size_t length = std::min(line.find_first_of(std::string_view(stops, 2)), line.size());
        cells.back() += line.substr(0, length);
        if (length == line.size()) break;
        const char c = line[length];
        line.remove_prefix(length + 1);
        if (c == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted) {
            cells.back() += c;
        } else if (separator != ' ' || !cells.back().empty()) {
            if (cells.size() == most) break;
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

// Whether a cell holds words; what spreadsheets write for a missing number does not count.
bool is_name(const std::string& cell) {
    constexpr std::string_view kNoNames[] = {"nan",       "inf", "-inf", "+inf", "infinity",
                                             "-infinity", "na",  "n/a",  "null"};
    const auto small = [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); };
    const auto is_cell = [&](std::string_view word) {
        return std::equal(cell.begin(), cell.end(), word.begin(), word.end(),
                          [&](char c, char letter) { return small(c) == letter; });
    };
    const bool has_letter = std::any_of(cell.begin(), cell.end(), [&](char c) {
        return (small(c) >= 'a' && small(c) <= 'z') || (static_cast<unsigned char>(c) >= 0x80U);
    });
    return has_letter && !is_number(cell) && std::none_of(std::begin(kNoNames), std::end(kNoNames), is_cell) &&
           cell.find_first_of(",…") == std::string::npos && cell != "−";
}

// Calls visit(line) for each line that is not blank, from the first on until it returns false.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (!trimmed(line).empty() && !visit(line)) return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// What tells whether there are names around the numbers.
struct Beginnings {
    Cells first_line;
    std::size_t num_lines = 0;
    bool have_more_columns = true;  // all lines
    bool are_names = true;          // the first cells of all lines after the first
};

Beginnings beginnings_of(std::string_view text, char separator) {
    Beginnings found;
    for_each_line(text, [&](std::string_view line) {
        const bool is_first = found.num_lines++ == 0;
        const Cells cells = cells_of(line, separator, is_first ? kMostCells : 2);
        found.have_more_columns = found.have_more_columns && cells.size() > 1;
        found.are_names = found.are_names && (is_first || is_name(cells.front()));
        if (is_first) found.first_line = cells;
        // Further lines change nothing: there is no column of names, or there are more rows than are read.
        return (found.have_more_columns || found.num_lines < 2) && found.num_lines < kMaxBlockSide + 2;
    });
    return found;
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

Names names_of(const Beginnings& table) {
    Names names;
    const Cells& first = table.first_line;
    if (first.empty() || table.num_lines < 2) return names;
    const bool has_more_columns = table.have_more_columns;
    if (has_more_columns && first.front().empty()) return {.in_first_line = true, .in_first_column = true};
    names.in_first_column = has_more_columns && table.are_names;
    const auto from = names.in_first_column ? first.begin() + 1 : first.begin();
    names.in_first_line = std::any_of(from, first.end(), is_name) || (names.in_first_column && counts_up(first));
    return names;
}

// The numbers of the table as text again, a tab between two; no more lines than a matrix may have rows, and one.
std::string without_names(std::string_view text, char separator, Names names) {
    std::string numbers;
    std::size_t num_lines = 0;
    for_each_line(text, [&](std::string_view line) {
        if (num_lines++ == 0 && names.in_first_line) return true;
        const Cells cells = cells_of(line, separator);
        for (std::size_t c = names.in_first_column ? 1 : 0; c < cells.size(); ++c) numbers += cells[c] + '\t';
        numbers.back() = '\n';
        return num_lines < kMaxBlockSide + 2;
    });
    return numbers;
}

std::string quoted_line(const Cells& cells) {
    constexpr std::size_t kMoreThanShown = 128;
    std::string text;
    for (const std::string& cell : cells) {
        text += concat(text.empty() ? "" : ", ", cell);
        if (text.size() > kMoreThanShown) break;
    }
    return quoted(text);
}

// The line, from 1, up to which there are more cells than X can have numbers, the largest there can be; 0 if there are
// not so many. Such a table is not split into cells. Blanks around a separator may count for one.
std::size_t line_of_too_many(std::string_view text) {
    const auto parts = [](char c) {
        return c == ',' || c == ';' || c == '\t' || c == '\n' || c == ' ' || c == '\r' || c == '\f' || c == '\v' ||
               c == '[';
    };
    std::size_t count = 0, line = 1;
    for (std::size_t at = 1; at < text.size(); ++at) {
        const char before = text[at - 1];
        if (before == '\n') ++line;
        if (!parts(text[at]) || (text[at] == ' ' && parts(before)) || (text[at] == '\n' && before == '\r')) continue;
        if (++count > 2 * kMaxTypedNumbers) return line;
    }
    return 0;
}

constexpr std::string_view kLongFormat[] = {"sentence", "stage", "head", "row", "column", "value"};

}  // namespace

Result<NumberTable> read_number_table(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        return refuse_table("The table is written in UTF-16: save it as UTF-8 (\"CSV UTF-8\" in spreadsheets).");
    }
    if (const std::size_t line = line_of_too_many(text.substr(0, kMaxTableBytes)); line > 0) {
        return refuse_table(concat("The table has more than ",
                                   with_thousands(static_cast<std::int64_t>(kMaxTypedNumbers)), " numbers up to line ",
                                   with_thousands(static_cast<std::int64_t>(line)), ", and X can have no more."));
    }
    if (text.size() > kMaxTableBytes) {
        return refuse_table(concat("The table has more than ", kMaxTableBytes >> 20U,
                                   " MiB, and X, the largest there can be, does not take so many: it has ",
                                   with_thousands(static_cast<std::int64_t>(kMaxTypedNumbers)), " numbers at most."));
    }
    NumberTable table;
    std::string numbers;
    bool is_one_column = false;
    if (text.find('[') == std::string_view::npos) {
        char separator = separator_of(text);
        const Beginnings beginnings = beginnings_of(text, separator);
        const Cells& first = beginnings.first_line;
        if (std::equal(first.begin(), first.end(), std::begin(kLongFormat), std::end(kLongFormat))) {
            return refuse_table(
                "This is a list of a stage's numbers, one a line, as the playground writes it. It reads matrices: "
                "save the stage as NPY to bring it back.");
        }
        const Names names = names_of(beginnings);
        // One name is one column: commas in it are decimal points.
        if (separator == ',' && names.in_first_line && first.size() == 1) separator = '\0';
        is_one_column = separator == '\0';
        if (names.in_first_line)
            table.notes.push_back(concat("the first line, ", quoted_line(first), ", was taken for names and left out"));
        if (names.in_first_column) table.notes.push_back("the first column was taken for names and left out");
        const bool has_quotes = text.find('"') != std::string_view::npos;
        if (has_quotes || names.in_first_line || names.in_first_column) numbers = without_names(text, separator, names);
    }
    Result<std::vector<NumberReading>> readings = number_readings(numbers.empty() ? text : std::string_view(numbers));
    if (!readings) return refuse_table(concat("The table cannot be read: ", readings.error(), "."));
    table.readings = std::move(*readings);
    if (is_one_column && table.readings.back().has_decimal_commas)
        table.readings.erase(table.readings.begin(), table.readings.end() - 1);
    return table;
}

}  // namespace attn
