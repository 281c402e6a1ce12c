// Every change goes through state_edits.h, which keeps edits sorted, one a cell.
#include "views/edit/edit_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

Result<Area> refuse(std::string sentence) {
    return Result<Area>::failure(std::move(sentence));
}

Result<Area> refuse_block(std::string_view why) {
    return refuse(concat("nothing was pasted: ", why));
}

int sentence_of(const PlaygroundState& state, TensorId tensor) {
    return is_of_sentence(tensor) ? state.view.sentence : 0;
}

bool is_of_table(const PlaygroundState& state, TensorId tensor, const Edit& edit) {
    return edit.layer == state.inputs.layer && edit.tensor == tensor && edit.sentence == sentence_of(state, tensor);
}

// Column `column` of all heads side by side.
float role_number(const Cube& heads, int row, int column) {
    const int head_dim = length(heads, 2);
    return heads(static_cast<std::size_t>(column / head_dim), static_cast<std::size_t>(row),
                 static_cast<std::size_t>(column % head_dim));
}

std::string shape_text(std::size_t rows, std::size_t columns) {
    return concat(rows, " × ", columns);
}

bool is_flag(float value) {
    return value == 0 || value == 1;
}

// A block as large as the selection, filled with a single number.
NumberBlock spread(float value, const Area& selected) {
    return NumberBlock(static_cast<std::size_t>(selected.rows),
                       std::vector<float>(static_cast<std::size_t>(selected.columns), value));
}

std::string does_not_fit(TensorId tensor, const Extent& extent, const Area& at, const NumberBlock& block) {
    const std::size_t rows = block.size();
    const std::size_t columns = block.front().size();
    const bool would_fit_turned =
        at.row + static_cast<int>(columns) <= extent.rows && at.column + static_cast<int>(rows) <= extent.columns;
    const std::string place = at.row == 0 && at.column == 0 ? "" : concat(" at row ", at.row, ", column ", at.column);
    return concat("the block is ", shape_text(rows, columns), ", ", editable_name(tensor), " is ",
                  shape_text(static_cast<std::size_t>(extent.rows), static_cast<std::size_t>(extent.columns)),
                  place.empty() ? "" : " and the selection begins", place,
                  would_fit_turned ? " (its transpose would fit: nn.Linear keeps its weight so)" : "");
}

Result<Area> paste_block(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, const Area& selected,
                         NumberBlock block) {
    if (block.size() == 1 && block.front().size() == 1) block = spread(block.front().front(), selected);
    const Area area = {.row = selected.row,
                       .column = selected.column,
                       .rows = static_cast<int>(block.size()),
                       .columns = static_cast<int>(block.front().size())};
    const Extent extent = table_extent(evaluation, tensor);
    if (area.row + area.rows > extent.rows || area.column + area.columns > extent.columns)
        return refuse_block(does_not_fit(tensor, extent, selected, block));
    Result<Area> written = write_over(state, evaluation, tensor, area, block);
    return written ? written : refuse_block(written.error());
}

}  // namespace

Extent table_extent(const Evaluation& evaluation, TensorId tensor) {
    if (evaluation.is_empty()) return {};
    if (is_learned(tensor) && !has_learned(tensor, layer_parts(*evaluation.problem))) return {};
    return whole_extent(evaluation.sizes, tensor);
}

float number_at(const Evaluation& evaluation, TensorId tensor, int row, int column) {
    const Extent extent = table_extent(evaluation, tensor);
    ATTN_CHECK(extent.contains(row, column), tensor_name(tensor), "[", row, ",", column, "] of ", extent.rows, " x ",
               extent.columns);
    const AttentionProblem& problem = *evaluation.problem;
    const auto i = static_cast<std::size_t>(row);
    const auto c = static_cast<std::size_t>(column);
    if (is_learned(tensor)) return row_of_learned(*problem.projections, tensor, row)[c];
    switch (tensor) {
        case TensorId::embeddings:
            return problem.embeddings(i, c);
        case TensorId::queries:
            return role_number(evaluation.trace.query, row, column);
        case TensorId::keys:
            return role_number(evaluation.trace.key, row, column);
        case TensorId::values:
            return role_number(evaluation.trace.value, row, column);
        default:
            return problem.hidden(i, c) != 0 ? 1.0F : 0.0F;
    }
}

bool is_typed_over(const PlaygroundState& state, TensorId tensor, int row, int column) {
    return find_edit(state.inputs, tensor, sentence_of(state, tensor), row, column) != nullptr;
}

int count_typed_over(const PlaygroundState& state, TensorId tensor) {
    int count = 0;
    for (const Edit& edit : state.inputs.edits) count += is_of_table(state, tensor, edit) ? 1 : 0;
    return count;
}

NumberBlock copy_area(const Evaluation& evaluation, TensorId tensor, const Area& area) {
    NumberBlock block;
    for (int i = 0; i < area.rows; ++i) {
        std::vector<float>& row = block.emplace_back();
        for (int c = 0; c < area.columns; ++c) {
            row.push_back(number_at(evaluation, tensor, area.row + i, area.column + c));
        }
    }
    return block;
}

Result<Area> type_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, int row, int column,
                       std::string_view text) {
    // "1,5" in a single cell is a decimal comma rather than two numbers.
    const bool may_be_block = text.find_first_of(" \t\r\n;[") != std::string_view::npos;
    if (may_be_block && is_block_of_numbers(text))
        return paste_over(state, evaluation, tensor, {.row = row, .column = column}, text);
    const Edit cell{.tensor = tensor, .sentence = sentence_of(state, tensor), .row = row, .column = column, .value = 0};
    const auto stays = [&](std::string_view why) {
        return refuse(concat(cell_name(cell), " stays ", exact_number(number_at(evaluation, tensor, row, column)), ": ",
                             text.empty() ? "no number was typed" : concat(quoted(text), " ", why)));
    };
    const std::optional<double> number = parse_number(with_decimal_point(text));
    if (!number) return stays("is not a number");
    if (std::abs(*number) > static_cast<double>(std::numeric_limits<float>::max())) {
        return stays("is too large for a float");
    }
    const auto value = static_cast<float>(*number);
    if (tensor == TensorId::mask && !is_flag(value)) return stays("is neither 0 (visible) nor 1 (hidden)");
    Result<Area> written = write_over(state, evaluation, tensor, {.row = row, .column = column}, {{value}});
    return written ? written : refuse_block(written.error());
}

bool is_block_of_numbers(std::string_view text) {
    const Result<std::vector<NumberReading>> readings = number_readings(text);
    return readings && std::ranges::any_of(*readings, [](const NumberReading& reading) {
               return reading.block.size() > 1 || reading.block.front().size() > 1;
           });
}

Result<std::vector<Paste>> pastes(const PlaygroundState& state, const Evaluation& evaluation, TensorId tensor,
                                  const Area& selected, std::string_view text) {
    using Ways = Result<std::vector<Paste>>;
    Result<std::vector<NumberReading>> readings = number_readings(text);
    if (!readings) return Ways::failure(refuse_block(readings.error()).error());
    std::vector<Paste> ways;
    std::string failure;
    for (NumberReading& reading : *readings) {
        Paste way = {.state = state, .area = {}, .has_decimal_commas = reading.has_decimal_commas};
        const Result<Area> written = paste_block(way.state, evaluation, tensor, selected, std::move(reading.block));
        if (!written && failure.empty()) failure = written.error();
        if (!written) continue;
        way.area = *written;
        ways.push_back(std::move(way));
    }
    return ways.empty() ? Ways::failure(failure) : Ways(std::move(ways));
}

Result<Area> paste_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, const Area& selected,
                        std::string_view text) {
    Result<std::vector<Paste>> ways = pastes(state, evaluation, tensor, selected, text);
    if (!ways) return refuse(ways.error());
    if (ways->size() > 1)
        return refuse_block("its commas may part numbers or be decimal points: write points, or tabs between numbers");
    state = std::move(ways->front().state);
    return ways->front().area;
}

Result<Area> write_over(PlaygroundState& state, const Evaluation& evaluation, TensorId tensor, const Area& area,
                        const NumberBlock& block) {
    std::vector<Edit>& edits = state.inputs.edits;
    const int sentence = sentence_of(state, tensor);
    std::vector<Edit> fresh;
    std::size_t num_more = 0;
    for (int i = 0; i < area.rows; ++i) {
        for (int c = 0; c < area.columns; ++c) {
            const float value = block[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
            const int row = area.row + i;
            const int column = area.column + c;
            if (tensor == TensorId::mask && !is_flag(value)) {
                return refuse(concat("row ", i, ", column ", c, " is ", exact_number(value),
                                     ", the mask holds 0 (visible) and 1 (hidden)"));
            }
            const bool has_edit = find_edit(state.inputs, tensor, sentence, row, column) != nullptr;
            const float present = number_at(evaluation, tensor, row, column);
            const bool is_same = present == value && std::signbit(present) == std::signbit(value);
            if (!has_edit && is_same) continue;
            num_more += has_edit ? 0 : 1;
            if (fresh.size() > kMaxEdits) continue;  // only counted, for the sentence
            fresh.push_back({.tensor = tensor,
                             .sentence = sentence,
                             .row = row,
                             .column = column,
                             .value = value,
                             .layer = state.inputs.layer});
        }
    }
    if (edits.size() + num_more > kMaxEdits) {
        return refuse(concat(with_thousands(static_cast<std::int64_t>(num_more)), " numbers more, and at most ",
                             with_thousands(kMaxEdits), " can be typed over (",
                             with_thousands(static_cast<std::int64_t>(edits.size())), " are)"));
    }
    edits.insert(edits.end(), fresh.begin(), fresh.end());
    clamp_edits(edits, state.inputs.layer);  // sorts them; of two edits of a cell the later one stays
    return area;
}

int revert_area(PlaygroundState& state, TensorId tensor, const Area& area) {
    return static_cast<int>(std::erase_if(state.inputs.edits, [&](const Edit& edit) {
        return is_of_table(state, tensor, edit) && area.contains(edit.row, edit.column);
    }));
}

int revert_table(PlaygroundState& state, TensorId tensor) {
    return static_cast<int>(
        std::erase_if(state.inputs.edits, [&](const Edit& edit) { return is_of_table(state, tensor, edit); }));
}

}  // namespace attn
