// Reads pasted rows, and puts their numbers into the typed rows of a sentence.
#include "ui/settings/typed_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"

namespace attn {
namespace {

bool ends_row(char c) {
    return c == '\n' || c == ';';
}
bool separates(char c) {
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '[' || c == ']';
}

// The rows that serve a sentence: its own, else the last ones there are.
const TypedRows* rows_of(const Inputs& inputs, int sentence) {
    if (inputs.typed.empty()) return nullptr;
    return &inputs.typed[std::min(static_cast<std::size_t>(sentence), inputs.typed.size() - 1)];
}

}  // namespace

std::optional<TypedRows> parse_typed_rows(std::string_view text, Notes& notes) {
    TypedRows rows;
    bool is_in_row = false;
    for (std::size_t at = 0; at < text.size();) {
        if (ends_row(text[at])) is_in_row = false;
        if (ends_row(text[at]) || separates(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !ends_row(text[end]) && !separates(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        const std::optional<double> number = parse_number(word);
        if (!number || std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max())) {
            notes.push_back(concat("the numbers stay as they were: ", quoted(word), " is not a number that fits"));
            return std::nullopt;
        }
        if (!is_in_row) rows.emplace_back();
        is_in_row = true;
        rows.back().push_back(static_cast<float>(*number));
        at = end;
    }
    if (rows.empty()) {
        notes.push_back("the numbers stay as they were: there are no numbers in what was pasted");
        return std::nullopt;
    }
    return rows;
}

bool holds_several_numbers(std::string_view text) {
    const auto divides = [](char c) { return ends_row(c) || separates(c); };
    const auto begin = std::find_if_not(text.begin(), text.end(), divides);
    const auto end = std::find_if(begin, text.end(), divides);
    return std::find_if_not(end, text.end(), divides) != text.end();
}

void place_typed_rows(Inputs& inputs, int sentence, int row, int column, const TypedRows& pasted, int num_rows,
                      Notes& notes) {
    ATTN_CHECK(row >= 0 && column >= 0 && sentence >= 0, "typed rows at ", row, ", ", column, " of sentence ",
               sentence);
    while (inputs.typed.size() <= static_cast<std::size_t>(sentence)) {
        inputs.typed.push_back(inputs.typed.empty() ? TypedRows() : inputs.typed.back());
    }
    TypedRows& rows = inputs.typed[static_cast<std::size_t>(sentence)];
    bool is_cut = false;
    for (std::size_t i = 0; i < pasted.size(); ++i) {
        const auto target_row = static_cast<std::size_t>(row) + i;
        if (target_row >= static_cast<std::size_t>(num_rows)) {
            is_cut = true;
            break;
        }
        if (rows.size() <= target_row) rows.resize(target_row + 1);
        std::vector<float>& target = rows[target_row];
        for (std::size_t c = 0; c < pasted[i].size(); ++c) {
            const auto target_column = static_cast<std::size_t>(column) + c;
            if (target_column >= static_cast<std::size_t>(inputs.d_in)) {
                is_cut = true;
                break;
            }
            if (target.size() <= target_column) target.resize(target_column + 1, 0.0F);
            target[target_column] = pasted[i][c];
        }
    }
    if (is_cut) {
        notes.push_back(concat("numbers outside the table were left out: it has ", counted(num_rows, "row"), " of ",
                               counted(inputs.d_in, "number"), "; d_in makes it wider"));
    }
}

float typed_number(const Inputs& inputs, int sentence, int row, int column) {
    const TypedRows* rows = rows_of(inputs, sentence);
    const auto i = static_cast<std::size_t>(row);
    const auto c = static_cast<std::size_t>(column);
    return rows && i < rows->size() && c < (*rows)[i].size() ? (*rows)[i][c] : 0.0F;
}

}  // namespace attn
