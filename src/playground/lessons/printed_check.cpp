// Holds printed numbers against the step's computed ones, and makes tables of both.
#include "playground/lessons/printed_check.h"
#include "core/explain/stage_numbers.h"

#include <cmath>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/numbers/softmax.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Half a unit of the last printed digit, and a little for the rounding of the float sums behind the number: printed
// numbers come from other machines, whose sums may be rounded in another order.
bool is_within(float computed, float printed, int digits) {
    if (std::isinf(printed) || std::isinf(computed)) return printed == computed;
    const double unit = portable::power_of_ten(-digits);
    const double rounding = 1e-6 * std::abs(static_cast<double>(printed));
    return std::abs(static_cast<double>(computed) - static_cast<double>(printed)) <=
           0.5 * unit + 0.01 * unit + rounding;
}

std::string label_of(const Evaluation& evaluation, Axis axis, int place) {
    if (axis == Axis::channel || axis == Axis::sink) return concat(place);
    const std::vector<Token>& tokens = evaluation.tokens.tokens;
    return place < evaluation.num_tokens() ? tokens[static_cast<std::size_t>(place)].text : std::string();
}

std::vector<float> softmax_row(const View& view) {
    const Softmax softmax = softmax_of(view.vector, view.gain);
    return {softmax.weights.begin(), softmax.weights.end()};
}

// One row of the stage, of one head or of all heads side by side; empty without such a row.
std::vector<float> row_of(const Printed& printed, const View& view, const Evaluation& evaluation, int row) {
    if (printed.of == PrintedOf::softmax) return softmax_row(view);
    std::vector<float> numbers;
    const bool has_heads = stage_info(printed.stage).has_heads;
    const bool is_all = has_heads && printed.head == kAllHeads;
    const int first = is_all || !has_heads ? 0 : printed.head;
    const int end = is_all ? evaluation.sizes.num_heads : first + 1;
    for (int h = first; h < end; ++h) {
        if (!has_cell(evaluation, printed.stage, {.head = h, .row = row, .column = 0})) continue;
        const Vector one = stage_row(*evaluation.problem, evaluation.trace, printed.stage, h, row);
        numbers.insert(numbers.end(), one.begin(), one.end());
    }
    return numbers;
}

}  // namespace

PrintedTable check_printed(const Printed& printed, const View& view, const Evaluation& evaluation) {
    const StageInfo& info = stage_info(printed.stage);
    const bool is_of_stage = printed.of == PrintedOf::stage;
    PrintedTable table;
    table.title = is_of_stage ? std::string(info.name) : "softmax";
    const bool is_of_head = is_of_stage && info.has_heads && printed.head != kAllHeads;
    if (is_of_head && evaluation.sizes.num_heads > 1) table.title += concat(", head ", printed.head + 1);
    table.source = printed.source;
    table.digits = printed.digits;

    for (std::size_t i = 0; i < printed.numbers.size(); ++i) {
        const int row = printed.row + static_cast<int>(i);
        table.row_labels.push_back(is_of_stage ? label_of(evaluation, Axis::token, row) : "weight");
        const std::vector<float> numbers = row_of(printed, view, evaluation, row);
        std::vector<PrintedCell>& cells = table.rows.emplace_back();
        for (std::size_t c = 0; c < printed.numbers[i].size(); ++c) {
            const int column = printed.column + static_cast<int>(c);
            if (i == 0)
                table.column_labels.push_back(label_of(evaluation, is_of_stage ? info.columns : Axis::channel, column));
            PrintedCell& cell = cells.emplace_back();
            cell.printed = printed.numbers[i][c];
            cell.exists = column < static_cast<int>(numbers.size());
            if (!cell.exists) continue;
            cell.computed = numbers[static_cast<std::size_t>(column)];
            cell.follows = is_within(cell.computed, cell.printed, printed.digits);
        }
    }
    return table;
}

std::vector<PrintedTable> check_printed(const View& view, const Evaluation& evaluation) {
    std::vector<PrintedTable> tables;
    const LessonStep* step = step_of(view);
    if (step == nullptr || evaluation.is_empty() || !view.check.empty()) return tables;  // no answers to a check
    for (const Printed& printed : step->printed) tables.push_back(check_printed(printed, view, evaluation));
    return tables;
}

PrintedCount count_printed(const std::vector<PrintedTable>& tables) {
    PrintedCount count;
    if (!tables.empty()) count.source = tables.front().source;
    for (const PrintedTable& table : tables) {
        for (const std::vector<PrintedCell>& row : table.rows) {
            for (const PrintedCell& cell : row) {
                ++count.all;
                if (cell.follows) ++count.follow;
            }
        }
    }
    return count;
}

bool has_other_numbers(const PlaygroundState& state) {
    const LessonStep* step = step_of(state.view);
    return step != nullptr && step->state.inputs != state.inputs;
}

std::string sentence_of(const PrintedCount& count, bool has_other_numbers) {
    if (count.all == 0) return {};
    const bool is_all = count.follow == count.all;
    const std::string numbers =
        concat(is_all ? "All " : concat(count.follow, " of "), count.all, " numbers printed in ", count.source);
    if (is_all || !has_other_numbers) return concat(numbers, " come out here");
    return concat("You changed this step: ", numbers, " still come out");
}

TextTable printed_as_text(const PrintedTable& table) {
    TextTable text;
    text.title = concat(table.title, ", printed in ", table.source);
    text.columns.emplace_back();
    text.columns.insert(text.columns.end(), table.column_labels.begin(), table.column_labels.end());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        std::vector<std::string>& row = text.rows.emplace_back();
        row.push_back(table.row_labels[i]);
        for (const PrintedCell& cell : table.rows[i]) {
            const std::string printed = printed_number(cell.printed, table.digits);
            if (cell.follows) {
                row.push_back(printed);
            } else {
                row.push_back(cell.exists
                                  ? concat(printed, " (really ", printed_number(cell.computed, table.digits), ")")
                                  : concat(printed, " (no such cell)"));
            }
        }
    }
    return text;
}

std::string printed_number(float value, int digits) {
    return shown_number(static_cast<double>(value), digits);
}

}  // namespace attn
