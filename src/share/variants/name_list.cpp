// The names of a class in whatever form they are pasted: cuts the list into cells, and finds the names in them.
#include "share/variants/variants.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/name_seed.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using NameCells = std::vector<std::string>;

// Rows of cells as in CSV; `text` may be anything.
std::vector<NameCells> rows_of_cells(std::string_view text, char separator) {
    std::vector<NameCells> rows(1, NameCells(1));
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        std::string& cell = rows.back().back();
        if (is_quoted) {
            const bool is_pair = letter == '"' && i + 1 < text.size() && text[i + 1] == '"';
            if (is_pair) ++i;
            if (letter == '"' && !is_pair) {
                is_quoted = false;
            } else {
                cell += letter;
            }
        } else if (letter == '"' && trimmed(cell).empty()) {
            // A quote that nothing closes is a letter, and not the rest of the list.
            is_quoted = text.find('"', i + 1) != std::string_view::npos;
            if (!is_quoted) cell += letter;
        } else if (letter == separator) {
            rows.back().emplace_back();
        } else if (letter == '\n' || letter == '\r') {
            rows.emplace_back(1);
        } else {
            cell += letter;
        }
    }
    for (NameCells& row : rows) {
        for (std::string& cell : row) cell = normal_name(cell);
    }
    std::erase_if(rows, [](const NameCells& row) {
        return std::ranges::all_of(row, [](const std::string& cell) { return cell.empty(); });
    });
    return rows;
}

char separator_of(std::string_view text) {
    for (const char one : {'\t', ';'}) {
        if (text.find(one) != std::string_view::npos) return one;
    }
    return ',';
}

// In small letters, without blanks and dashes: "First name", "FIRST_NAME" are "firstname".
std::string column_name(std::string_view cell) {
    std::string name;
    for (const char letter : cell) {
        if (letter >= 'A' && letter <= 'Z') {
            name += static_cast<char>(letter - 'A' + 'a');
        } else if (letter != ' ' && letter != '_' && letter != '-') {
            name += letter;
        }
    }
    return name;
}

std::optional<std::size_t> column_called(const NameCells& first, std::span<const std::string_view> names) {
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (std::ranges::find(names, column_name(first[c])) != names.end()) return c;
    }
    return std::nullopt;
}

bool is_no_name(const std::string& cell) {
    if (cell.find('@') != std::string::npos) return true;
    return std::ranges::all_of(cell, [](char letter) { return (letter >= '0' && letter <= '9') || letter == ' '; });
}

// The columns of the first line that names some; empty where it names none.
std::vector<std::size_t> named_columns(const NameCells& first) {
    constexpr std::array<std::string_view, 7> kWhole = {"name",        "fullname",    "student", "studentname",
                                                        "displayname", "participant", "names"};
    constexpr std::array<std::string_view, 4> kGiven = {"firstname", "givenname", "forename", "first"};
    constexpr std::array<std::string_view, 5> kFamily = {"lastname", "surname", "familyname", "last", "family"};
    if (const auto whole = column_called(first, kWhole)) return {*whole};
    const auto given = column_called(first, kGiven), family = column_called(first, kFamily);
    if (given && family) return {*given, *family};
    return {};
}

}  // namespace

NameTable read_names(std::string_view bytes) {
    NameTable table;
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    if (bytes.size() > kMaxNameListBytes) {
        bytes = bytes.substr(0, kMaxNameListBytes);
        bytes = bytes.substr(0, bytes.find_last_of('\n') == std::string_view::npos ? 0 : bytes.find_last_of('\n'));
        table.notes.push_back("the list of names is cut after 1 MiB");
    }
    std::vector<NameCells> rows = rows_of_cells(bytes, separator_of(bytes));
    std::vector<std::size_t> columns;
    if (!rows.empty() && (rows.size() > 1 || rows[0].size() > 1)) columns = named_columns(rows[0]);
    if (!columns.empty()) {
        rows.erase(rows.begin());
        table.notes.push_back("the first line of the list names its columns, and is no student");
    } else if (rows.size() == 1) {  // a name a cell
        const NameCells cells = rows[0];
        rows.clear();
        for (const std::string& cell : cells) rows.push_back({cell});
    }
    for (const NameCells& row : rows) {
        std::string name;
        const auto add = [&](const std::string& cell) {
            if (!cell.empty()) name += concat(name.empty() ? "" : " ", cell);
        };
        if (!columns.empty()) {
            for (const std::size_t column : columns) add(column < row.size() ? row[column] : std::string());
        } else {
            for (const std::string& cell : row) {
                if (row.size() == 1 || !is_no_name(cell)) add(cell);
            }
        }
        if (!name.empty()) table.names.push_back(std::move(name));
    }
    if (table.names.size() > kMostNames) {
        table.notes.push_back(concat(with_thousands(static_cast<std::int64_t>(table.names.size() - kMostNames)),
                                     " names left out: a list has at most ", kMostNames));
        table.names.resize(kMostNames);
    }
    return table;
}

}  // namespace attn
