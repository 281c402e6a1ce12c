// The readers do not know the present shapes: edits may lie anywhere, and clamp_edits checks them.
#include "playground/link/link_tensors.h"

#include <charconv>
#include <limits>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_numbers.h"
#include "playground/link/link_text.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Counts what is worth a note while the numbers of one value are read.
struct NumberReader {
    NameList unreadable;
    std::size_t num_too_large = 0;

    // Nothing where `text` is not a number.
    std::optional<float> read(std::string_view text) {
        const std::optional<double> number = read_double(text);
        if (!number) {
            unreadable.add(quoted(text));
            return std::nullopt;
        }
        if (is_too_large_for_float(*number)) ++num_too_large;
        return nearest_float(*number);
    }

    void note(std::string_view where, std::string_view what_happens, Notes& notes) const {
        if (!unreadable.empty()) {
            notes.push_back(concat(where, ": ", unreadable.text(), " ", what_happens, ", not a number"));
        }
        if (num_too_large > 0) {
            notes.push_back(concat(where, ": ", counted(static_cast<std::int64_t>(num_too_large), "number"),
                                   " set to the largest float, 3.4e38"));
        }
    }
};

// "0,1" or "2,0,1": whole numbers, all of them.
std::optional<std::vector<int>> read_indices(std::string_view text) {
    std::vector<int> indices;
    while (!text.empty() && indices.size() < 4) {
        const std::string_view index = take_until(text, ',');
        int number = 0;
        const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), number);
        if (error != std::errc() || end != index.data() + index.size() || number < 0) return std::nullopt;
        indices.push_back(number);
    }
    return indices;
}

// Takes "2." from the front of "2.w_query[0,1]". False where what stands there is no layer's number.
[[gnu::noinline]] bool take_layer(std::string_view& text, int& layer) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return true;
    const std::optional<std::vector<int>> number = read_indices(text.substr(0, dot));
    if (!number || number->size() != 1 || number->front() < 1) return false;
    layer = number->front() - 1;
    text.remove_prefix(dot + 1);
    return true;
}

// The cell before the '=': an edit whose value is still missing.
std::optional<Edit> read_cell(std::string_view text) {
    int layer = kOpensModels ? kShownLayer : 0;
    if (kOpensModels && !take_layer(text, layer)) return std::nullopt;
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
    const std::optional<TensorId> tensor = editable_of_name(text.substr(0, open));
    const auto indices = read_indices(text.substr(open + 1, text.size() - open - 2));
    if (!tensor || !indices) return std::nullopt;
    const std::vector<int>& at = *indices;
    Edit cell{.tensor = *tensor, .sentence = 0, .row = 0, .column = 0, .value = 0, .layer = layer};
    if (at.size() == 1 && is_bias(*tensor)) {
        cell.column = at[0];
    } else if (at.size() == 2) {
        cell.row = at[0];
        cell.column = at[1];
    } else if (at.size() == 3 && is_of_sentence(*tensor)) {
        cell.sentence = at[0];
        cell.row = at[1];
        cell.column = at[2];
    } else {
        return std::nullopt;
    }
    return cell;
}

// How many edits from `first` on stand side by side in one row.
std::size_t run_length(const std::vector<Edit>& edits, std::size_t first) {
    std::size_t length = 1;
    const Edit& start = edits[first];
    while (first + length < edits.size()) {
        const Edit& next = edits[first + length];
        if (next.layer != start.layer || next.tensor != start.tensor || next.sentence != start.sentence ||
            next.row != start.row)
            break;
        if (next.column != start.column + static_cast<int>(length)) break;
        ++length;
    }
    return length;
}

// Whether the run at `next` lies right below the run at `above` and is as long.
bool continues_block(const std::vector<Edit>& edits, std::size_t above, std::size_t next, std::size_t length) {
    if (next >= edits.size()) return false;
    const Edit &upper = edits[above], &lower = edits[next];
    return lower.layer == upper.layer && lower.tensor == upper.tensor && lower.sentence == upper.sentence &&
           lower.row == upper.row + 1 && lower.column == upper.column && run_length(edits, next) == length;
}

void write_run(const std::vector<Edit>& edits, std::size_t first, std::size_t length, std::string& text) {
    for (std::size_t i = 0; i < length; ++i) {
        if (i > 0) text += ',';
        text += exact_number(edits[first + i].value);
    }
}

}  // namespace

TypedRows read_rows(std::string_view value, Notes& notes) {
    TypedRows rows;
    NumberReader reader;
    // Stops at one row or number too many, so that clamp_to_legal notices and tells the visitor.
    while (!value.empty() && rows.size() <= kMaxTokens) {
        std::string_view row_text = take_until(value, ';');
        std::vector<float>& row = rows.emplace_back();
        while (!row_text.empty() && row.size() <= kMaxWidth)
            row.push_back(reader.read(take_until(row_text, ',')).value_or(0.0f));
    }
    reader.note("x", "counted as 0", notes);
    return rows;
}

std::string write_rows(const TypedRows& rows) {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) text += ';';
        for (std::size_t c = 0; c < rows[i].size(); ++c) {
            if (c > 0) text += ',';
            text += exact_number(rows[i][c]);
        }
    }
    return text;
}

void read_edit(std::string_view value, std::vector<Edit>& edits, Notes& notes) {
    if (value.empty()) return;
    std::string_view rest = value;
    const std::string_view cell_text = take_until(rest, '=');
    const std::optional<Edit> cell = read_cell(cell_text);
    if (!cell) {
        notes.push_back(concat("edit: ", quoted(value), " left out, it is not of the form tensor[row,column]=number"));
        return;
    }
    NumberReader reader;
    Edit edit = *cell;
    do {
        std::string_view row_text = take_until(rest, ';');
        edit.column = cell->column;
        do {
            if (edits.size() == kMostEditsRead) {
                notes.push_back(concat("edit: no more than ", with_thousands(kMostEditsRead), " are read"));
                return;
            }
            if (const std::optional<float> number = reader.read(take_until(row_text, ','))) {
                edit.value = *number;
                edits.push_back(edit);
            }
            if (edit.column < std::numeric_limits<int>::max()) ++edit.column;
        } while (!row_text.empty());
        if (edit.row < std::numeric_limits<int>::max()) ++edit.row;
    } while (!rest.empty());
    reader.note(concat("edit of ", cell_name(*cell)), "left out", notes);
}

std::vector<std::string> write_edits(const std::vector<Edit>& edits, bool has_model) {
    std::vector<std::string> values;
    for (std::size_t at = 0; at < edits.size();) {
        const std::size_t length = run_length(edits, at);
        std::string value = concat(cell_name(edits[at]), "=");
        if (kOpensModels && has_model) value = concat(edits[at].layer + 1, ".", value);
        write_run(edits, at, length, value);
        std::size_t next = at + length;
        for (; continues_block(edits, next - length, next, length); next += length) {
            value += ';';
            write_run(edits, next, length, value);
        }
        values.push_back(std::move(value));
        at = next;
    }
    return values;
}

}  // namespace attn
