// Mean and maximum over the heads, the numbers beside rows, and the words for both.
#include "playground/numbers/heads_together.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/numbers/shown_rows.h"
#include "playground/text/format.h"
#include "playground/text/text_table.h"

namespace attn {
namespace {

void check_combined(const Evaluation& evaluation, TensorId stage, Combine combine) {
    ATTN_CHECK(is_combined(evaluation, stage, combine), tensor_name(stage), " of ", evaluation.sizes.num_heads,
               " heads cannot be combined");
}

// Whether `a` takes the place of `b` as the largest. NaN does, so that it is never covered up.
bool is_larger(float a, float b) {
    return a > b || (std::isnan(a) && !std::isnan(b));
}
float larger(float a, float b) {
    return is_larger(a, b) ? a : b;
}

// Added in double, in the order of the heads.
Matrix mean_of_heads(const Evaluation& evaluation, TensorId stage, int first, int end) {
    const int num_heads = evaluation.sizes.num_heads;
    Matrix mean = zeros<Matrix>(end - first, evaluation.num_tokens());
    std::vector<double> sums(mean.size());
    for (int h = 0; h < num_heads; ++h) {
        const Matrix shown = shown_rows(evaluation, stage, h, first, end);
        const std::span<const float> numbers = elements(shown);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(numbers[i]);
    }
    const std::span<float> means = elements(mean);
    for (std::size_t i = 0; i < sums.size(); ++i) means[i] = static_cast<float>(sums[i] / num_heads);
    return mean;
}

Matrix largest_of_heads(const Evaluation& evaluation, TensorId stage, int first, int end) {
    Matrix largest = shown_rows(evaluation, stage, 0, first, end);
    const std::span<float> numbers = elements(largest);
    for (int h = 1; h < evaluation.sizes.num_heads; ++h) {
        const Matrix shown = shown_rows(evaluation, stage, h, first, end);
        const std::span<const float> others = elements(shown);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = larger(others[i], numbers[i]);
    }
    return largest;
}

// Rows (and columns) of a table of text: kMirrorCells of them, with `center` as near the middle as the ends allow.
struct Piece {
    int first = 0;
    int end = 0;
};
Piece piece_around(int total, int center) {
    const int count = std::min(total, kMirrorCells);
    const int first = std::clamp(center - count / 2, 0, total - count);
    return {.first = first, .end = first + count};
}

std::string cut_words(const Piece& piece, int total) {
    if (piece.end - piece.first == total) return "";
    return concat(", tokens ", piece.first, " to ", piece.end - 1, " of ", total);
}

const std::string& token_text_of(const Evaluation& evaluation, int token) {
    return evaluation.tokens.tokens[static_cast<std::size_t>(token)].text;
}

std::string_view stat_name(RowStat stat) {
    if (stat == RowStat::sum) return "sum";
    return stat == RowStat::entropy ? "entropy in bits" : "largest";
}

TextTable combined_table(const View& view, const Evaluation& evaluation) {
    const int total = evaluation.num_tokens();
    const Piece rows = piece_around(total, view.cell ? view.cell->row : 0);
    const Piece columns = piece_around(total, view.cell ? view.cell->column : 0);
    const Matrix combined = combined_matrix(evaluation, view.stage, view.combine);
    const bool has_stat = view.row_stat != RowStat::none && has_row_stats(view.stage);
    TextTable table;
    table.title = concat(combined_title(view.combine, evaluation.sizes.num_heads), ", ", tensor_name(view.stage),
                         cut_words(rows, total));
    table.columns.emplace_back("query");
    for (int j = columns.first; j < columns.end; ++j) table.columns.push_back(token_text_of(evaluation, j));
    if (has_stat) table.columns.emplace_back(stat_name(view.row_stat));
    for (int i = rows.first; i < rows.end; ++i) {
        std::vector<std::string> row = {token_text_of(evaluation, i)};
        for (int j = columns.first; j < columns.end; ++j) {
            const float value = combined(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            row.push_back(value == kHiddenCell ? "masked" : shown_number(static_cast<double>(value)));
        }
        if (has_stat) row.push_back(shown_number(row_stat(row_of(combined, i), view.row_stat)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// The chosen number of each row, a column for each head that is shown.
TextTable stat_table(const View& view, const Evaluation& evaluation) {
    const int total = evaluation.num_tokens();
    const Piece rows = piece_around(total, view.cell ? view.cell->row : 0);
    const int first = view.head.value_or(0);
    const int end = view.head ? first + 1 : std::min(evaluation.sizes.num_heads, kMirrorHeads);
    TextTable table;
    table.title = concat("Beside each row: ", stat_name(view.row_stat), cut_words(rows, total));
    table.columns.emplace_back("query");
    for (int i = rows.first; i < rows.end; ++i) table.rows.push_back({token_text_of(evaluation, i)});
    for (int h = first; h < end; ++h) {
        table.columns.push_back(concat("head ", h + 1));
        const Matrix shown = shown_matrix(evaluation, view.stage, h);
        for (int i = rows.first; i < rows.end; ++i) {
            const std::string text = shown_number(row_stat(row_of(shown, i), view.row_stat));
            table.rows[static_cast<std::size_t>(i - rows.first)].push_back(text);
        }
    }
    return table;
}

Term term_of(float value, const CellRef& source) {
    return {.a = {.value = static_cast<double>(value), .has_source = true, .source = source},
            .b = {},
            .label = concat("head ", source.head + 1)};
}

}  // namespace

bool is_combined(const Evaluation& evaluation, TensorId stage, Combine combine) {
    const StageInfo& info = stage_info(stage);
    return combine != Combine::none && info.has_heads && info.columns == Axis::key_token &&
           evaluation.sizes.num_heads > 1;
}

bool shows_combined(const Evaluation& evaluation, const View& view) {
    const bool has_maps =
        view.view == ViewKind::matrix || view.view == ViewKind::lines || view.view == ViewKind::numbers;
    return has_maps && !evaluation.is_empty() && is_combined(evaluation, view.stage, view.combine);
}

std::string combined_title(Combine combine, int num_heads) {
    ATTN_CHECK(combine != Combine::none, "heads that stay apart have no common title");
    return concat(combine == Combine::mean ? "Mean of " : "Largest of ", num_heads, " heads");
}

Matrix combined_matrix(const Evaluation& evaluation, TensorId stage, Combine combine) {
    return combined_rows(evaluation, stage, combine, 0, evaluation.num_tokens());
}

Matrix combined_rows(const Evaluation& evaluation, TensorId stage, Combine combine, int first, int end) {
    check_combined(evaluation, stage, combine);
    return combine == Combine::mean ? mean_of_heads(evaluation, stage, first, end)
                                    : largest_of_heads(evaluation, stage, first, end);
}

Explanation explain_combined(const Evaluation& evaluation, TensorId stage, Combine combine, int row, int column) {
    check_combined(evaluation, stage, combine);
    Explanation explanation;
    explanation.cell = {.tensor = stage, .head = 0, .row = row, .column = column};
    const bool is_mean = combine == Combine::mean;
    double sum = 0;
    for (int h = 0; h < evaluation.sizes.num_heads; ++h) {
        const CellRef source = {.tensor = stage, .head = h, .row = row, .column = column};
        const Vector values = stage_row(*evaluation.problem, evaluation.trace, stage, h, row);
        const float value = values(static_cast<std::size_t>(column));
        sum += static_cast<double>(value);
        if (is_mean || h == 0) {
            explanation.terms.push_back(term_of(value, source));
        } else if (is_larger(value, static_cast<float>(explanation.terms[0].a.value))) {
            explanation.terms[0] = term_of(value, source);
        }
    }
    if (is_mean) explanation.divisor = evaluation.sizes.num_heads;
    explanation.shown = static_cast<float>(is_mean ? sum / explanation.divisor : explanation.terms[0].a.value);
    const auto i = static_cast<std::size_t>(row);
    explanation.is_hidden =
        is_masked_stage(stage) && evaluation.problem->hidden(i, static_cast<std::size_t>(column)) != 0;
    if (explanation.is_hidden) {
        explanation.terms.clear();
        explanation.divisor = 1;
    }
    return explanation;
}

std::vector<std::string> combined_lines(const Explanation& explanation, Combine combine) {
    if (explanation.is_hidden) return {"masked: the key is hidden from the query in every head"};
    const std::string shown = shown_number(static_cast<double>(explanation.shown));
    if (combine == Combine::max) {
        const CellRef& source = explanation.terms.front().a.source;
        return {"largest of all heads", concat("= ", shown, ", of head ", source.head + 1)};
    }
    return {"mean = the sum over all heads / their number",
            concat("= ", shown_number(explanation.sum()), " / ", explanation.terms.size()), concat("= ", shown)};
}

bool has_row_stats(TensorId stage) {
    const StageInfo& info = stage_info(stage);
    return info.columns == Axis::key_token && !info.is_signed;
}

double row_sum(std::span<const float> weights) {
    double sum = 0;
    for (const float weight : weights) sum += weight == kHiddenCell ? 0 : static_cast<double>(weight);
    return sum;
}

double row_entropy_bits(std::span<const float> weights) {
    double bits = 0;
    for (const float weight : weights) {
        if (weight == kHiddenCell || weight == 0) continue;
        const auto w = static_cast<double>(weight);
        bits -= w * portable::log2(w);
    }
    return bits;
}

double row_largest(std::span<const float> weights) {
    float largest = kHiddenCell;
    for (const float weight : weights) largest = larger(weight, largest);
    return static_cast<double>(largest);
}

double row_stat(std::span<const float> weights, RowStat stat) {
    ATTN_CHECK(stat != RowStat::none, "no number of the row is chosen");
    if (stat == RowStat::sum) return row_sum(weights);
    return stat == RowStat::entropy ? row_entropy_bits(weights) : row_largest(weights);
}

std::vector<double> row_stats(const Matrix& shown, RowStat stat) {
    if (stat == RowStat::none) return {};
    std::vector<double> stats;
    for (int i = 0; i < length(shown, 0); ++i) stats.push_back(row_stat(row_of(shown, i), stat));
    return stats;
}

std::vector<double> row_stats(const Evaluation& evaluation, TensorId stage, int head, RowStat stat) {
    ATTN_CHECK(has_row_stats(stage), tensor_name(stage), " has no weights in its rows");
    return row_stats(shown_matrix(evaluation, stage, head), stat);
}

std::vector<TextTable> tables_of_heads_together(const View& view, const Evaluation& evaluation) {
    if (is_combined(evaluation, view.stage, view.combine)) return {combined_table(view, evaluation)};
    if (view.row_stat != RowStat::none && has_row_stats(view.stage)) return {stat_table(view, evaluation)};
    return {};
}

}  // namespace attn
