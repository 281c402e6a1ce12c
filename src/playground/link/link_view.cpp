#include "playground/link/link_view.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_numbers.h"
#include "playground/link/link_text.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Of `check`, beside the names of stages.
constexpr std::string_view kAllStages = "all";
constexpr std::string_view kCounts = "counts";

bool is_number(std::string_view value) {
    const std::optional<double> number = read_double(value);
    return number && !std::isnan(*number);
}

// A whole number from 0 to 1e6; nothing for all else.
std::optional<int> read_count(std::string_view text) {
    const std::optional<double> number = parse_number(text);
    if (!number || *number < 0 || *number > 1e6 || *number != std::floor(*number)) return std::nullopt;
    return static_cast<int>(*number);
}

void note_left_out(std::string_view key, const NameList& names, std::string_view want, Notes& notes) {
    if (!names.empty()) notes.push_back(concat(key, ": ", names.text(), " left out, ", want));
}

template <class Values, class Write>
std::string joined(const Values& values, Write write) {
    std::string text;
    for (const auto& value : values) text += concat(text.empty() ? "" : ",", write(value));
    return text;
}

}  // namespace

void read_window(std::string_view value, std::optional<CellWindow>& window, Notes& notes) {
    if (value.empty()) return window.reset();
    std::string_view rest = value;
    const std::optional<int> first_row = read_count(take_until(rest, ','));
    const std::optional<int> last_row = read_count(take_until(rest, ','));
    const std::optional<int> first_column = read_count(take_until(rest, ','));
    const std::optional<int> last_column = read_count(rest);
    if (first_row && last_row && first_column && last_column) {
        window = CellWindow{
            .first_row = *first_row, .last_row = *last_row, .first_column = *first_column, .last_column = *last_column};
    } else {
        notes.push_back(
            concat("window ", quoted(value),
                   " left out: it must be first row,last row,first column,last column, four numbers from 0"));
    }
}

std::string write_window(const CellWindow& window) {
    return concat(window.first_row, ",", window.last_row, ",", window.first_column, ",", window.last_column);
}

void read_select(std::string_view value, std::set<int>& select, Notes& notes) {
    select.clear();
    NameList unread;
    while (!value.empty()) {
        const std::string_view part = take_until(value, ',');
        const std::optional<int> token = read_count(part);
        if (token) select.insert(std::min(*token, static_cast<int>(kMaxTokens)));  // no token is so far back
        if (!token && !part.empty()) unread.add(quoted(part));
    }
    note_left_out("select", unread, "a token is named by its place, from 0", notes);
}

std::string write_select(const std::set<int>& select) {
    return joined(select, [](int token) { return concat(token); });
}

void read_plane(std::string_view value, Plane& plane, Notes& notes) {
    if (value == "principal") {
        plane = {.is_principal = true, .x = 0, .y = 1};
        return;
    }
    std::string_view rest = value;
    const std::optional<int> x = read_count(take_until(rest, ','));
    const std::optional<int> y = read_count(rest);
    if (x && y) {
        plane = {.is_principal = false, .x = *x, .y = *y};
    } else {
        notes.push_back(
            concat("plane stays ", write_plane(plane), ": ", quoted(value), " is neither two channels nor principal"));
    }
}

std::string write_plane(const Plane& plane) {
    return plane.is_principal ? "principal" : concat(plane.x, ",", plane.y);
}

void read_vector(std::string_view value, std::vector<float>& vector, Notes& notes) {
    std::vector<float> numbers;
    NameList unread;
    while (!value.empty() && numbers.size() <= kMaxVector) {  // one too many, so that clamp_to_legal notices
        const std::string_view part = take_until(value, ',');
        const std::optional<double> number = read_double(part);
        if (number && std::isfinite(*number)) {
            numbers.push_back(nearest_float(*number));
        } else {
            unread.add(quoted(part));
        }
    }
    note_left_out("vector", unread, "it takes numbers separated by commas", notes);
    if (!numbers.empty()) vector = std::move(numbers);
}

std::string write_vector(const std::vector<float>& vector) {
    return joined(vector, [](float number) { return exact_number(number); });
}

void read_check(std::string_view value, View& view, Notes& notes) {
    view.check.clear();
    view.asks_counts = false;
    NameList unknown;
    while (!value.empty()) {
        const std::string_view part = take_until(value, ',');
        const std::optional<TensorId> stage = stage_of_name(part);
        if (stage) {
            view.check.insert(*stage);
        } else if (part == kAllStages) {
            for (const StageInfo& info : stage_table()) view.check.insert(info.id);
        } else if (part == kCounts) {
            view.asks_counts = true;
        } else if (!part.empty()) {
            unknown.add(quoted(part));
        }
    }
    note_left_out("check", unknown, "no stage has this name", notes);
}

std::string write_check(const View& view) {
    std::string names = view.check.size() == stage_table().size()
                            ? std::string(kAllStages)
                            : joined(view.check, [](TensorId stage) { return tensor_name(stage); });
    if (view.asks_counts) names += concat(names.empty() ? "" : ",", kCounts);
    return names;
}

void read_score(std::string_view value, std::optional<Score>& score, Notes& notes) {
    if (value.empty()) return score.reset();
    std::string_view rest = value;
    const std::optional<int> right = read_count(take_until(rest, '/'));
    const std::optional<int> asked = read_count(take_until(rest, '/'));
    const std::optional<int> hints = rest.empty() ? 0 : read_count(rest);
    if (right && asked && hints) {
        score = Score{.right = *right, .asked = *asked, .hints = *hints};
    } else {
        notes.push_back(concat("score ", quoted(value), " left out: it must be right/asked/hints, such as 7/9/1"));
    }
}

std::string write_score(const Score& score) {
    return concat(score.right, "/", score.asked, "/", score.hints);
}

void read_head(std::string_view value, std::optional<int>& enlarged, Notes& notes) {
    if (value.empty()) return enlarged.reset();
    if (!is_number(value)) {
        notes.push_back(concat("head ", quoted(value), " left out: it is not a number"));
        return;
    }
    int head = 0;
    read_from_one(value, "head", head, notes);
    enlarged = head;
}

void read_cell(std::string_view value, std::optional<Cell>& cell, Notes& notes) {
    if (value.empty()) return cell.reset();
    int numbers[3] = {1, 0, 0};
    std::string_view rest = value;
    for (int& number : numbers) {
        const std::string_view text = take_until(rest, ',');
        if (!is_number(text)) {
            notes.push_back(concat("cell ", quoted(value), " left out: it must be head,row,column, three numbers"));
            return;
        }
        read_whole(text, "cell", number, notes);
    }
    cell = Cell{.head = numbers[0] - 1, .row = numbers[1], .column = numbers[2]};
}

std::string write_cell(const Cell& cell) {
    return concat(cell.head + 1, ",", cell.row, ",", cell.column);
}

void read_set(std::set<std::string>& names, std::string_view value) {
    names.clear();
    for (std::string& name : read_names(value)) names.insert(std::move(name));
}

std::vector<std::string> write_set(const std::set<std::string>& names) {
    if (names.empty()) return {};
    std::string list;
    for (const std::string& name : names) list += concat(list.empty() ? "" : ",", name);
    return {list};
}

}  // namespace attn
