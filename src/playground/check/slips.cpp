// The slips that can be made anywhere, and those of the projections; the others are in
// slips_scores.cpp, slips_context.cpp, slips_training.cpp and slips_gradient.cpp.
#include "playground/check/slips.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <cmath>

#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/operations/layer_rows.h"
#include "playground/check/slip_list.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// The learned matrix and bias of a role.
struct Role {
    const Matrix& w;
    const Vector& b;
    std::string name;  // of the matrix
};

const Vector kNoBias;  // of latents

Role role_of(const Projections& p, TensorId stage) {
    switch (stage) {
        case TensorId::queries:
            return {p.w_query, p.b_query, "w_query"};
        case TensorId::keys:
            return {p.w_key, p.b_key, "w_key"};
        case TensorId::values:
            return {p.w_value, p.b_value, "w_value"};
        case TensorId::output:
            return {p.w_out, p.b_out, "w_out"};
        case TensorId::query_latents:
            return {p.w_down_query, kNoBias, "w_down_query"};
        case TensorId::latents:
            return {p.w_down_kv, kNoBias, "w_down_kv"};
        case TensorId::position_queries:
            return {p.w_query_rope, kNoBias, "w_query_rope"};
        case TensorId::position_keys:
            return {p.w_key_rope, kNoBias, "w_key_rope"};
        default:
            fail_check(__FILE__, __LINE__, concat(tensor_name(stage), " is no projection"));
    }
}

// Row `row` of x times column `column` of w.
double product(const Matrix& x, int row, const Role& role, int column, int decimals = -1) {
    return dot(row_of(x, row), column_of(role.w, column), decimals);
}

double bias_of(const Role& role, int column) {
    return role.b.size() == 0 ? 0 : static_cast<double>(role.b(column));
}

// The number that stands in the same place one step before or after, unless another slip leads to it already.
void add_neighbours(const SlipPlace& at) {
    const StageInfo& own = stage_info(at.stage);
    for (const StageInfo& other : stage_table()) {
        const bool is_beside = has_source(own.id, other.id) || has_source(other.id, own.id);
        const bool is_alike =
            other.rows == own.rows && other.columns == own.columns && other.has_heads == own.has_heads;
        if (!is_beside || !is_alike || !has_stage(at.problem(), other.id)) continue;
        const Matrix numbers = at.matrix(other.id, at.cell.head);
        if (at.cell.row >= length(numbers, 0) || at.cell.column >= length(numbers, 1)) continue;
        const auto number = static_cast<double>(numbers(at.cell.row, at.cell.column));
        const bool is_known = std::any_of(at.slips.begin(), at.slips.end(),
                                          [&](const Slip& slip) { return std::abs(slip.number - number) < 1e-6; });
        if (!is_known) at.add(number, concat("take the number of ", other.name, " for that of ", own.name));
    }
}

// The number of another cell, another head, another sign.
void add_misplaced(const SlipPlace& at) {
    const Matrix own = at.matrix(at.stage, at.cell.head);
    const auto& [head, row, column] = at.cell;
    at.add(-static_cast<double>(own(row, column)), "turn the sign around");
    const bool is_swapped_inside = column < length(own, 0) && row < length(own, 1) && row != column;
    if (is_swapped_inside) {
        at.add(static_cast<double>(own(column, row)), concat("swap row and column: row ", column, ", column ", row));
    }
    add_neighbours(at);
    if (!stage_info(at.stage).has_heads) return;
    for (int h = 0; h < at.num_heads(); ++h) {
        if (h == head || (has_kv_heads(at.stage) && at.problem().kv_head(h) == at.problem().kv_head(head))) continue;
        const Matrix other = at.matrix(at.stage, h);
        at.add(static_cast<double>(other(row, column)), concat("take the columns of head ", h + 1));
    }
}

void add_embedding_slips(const SlipPlace& at) {
    const EmbeddingParts& parts = at.evaluation.parts;
    if (parts.positions.size() == 0) return;
    at.add(static_cast<double>(parts.token_vectors(at.cell.row, at.cell.column)), "forget to add the position");
    at.add(static_cast<double>(parts.positions(at.cell.row, at.cell.column)), "take the position alone");
}

}  // namespace

void SlipPlace::add(double number, std::string words) const {
    if (std::isfinite(number)) slips.push_back({.words = std::move(words), .number = number});
}

double rounded(double number, int decimals) {
    const double unit = portable::power_of_ten(decimals);
    return std::round(number * unit) / unit;
}

double dot(std::span<const float> a, std::span<const float> b, int decimals) {
    ATTN_CHECK(a.size() == b.size(), "a row of ", a.size(), " times one of ", b.size());
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        const auto x = static_cast<double>(a[c]);
        const auto y = static_cast<double>(b[c]);
        sum += decimals < 0 ? x * y : rounded(x, decimals) * rounded(y, decimals);
    }
    return sum;
}

std::vector<float> column_of(const Matrix& matrix, int column) {
    std::vector<float> numbers;
    for (int i = 0; i < length(matrix, 0); ++i) numbers.push_back(matrix(i, column));
    return numbers;
}

void add_projection_slips(const SlipPlace& at) {
    const Role role = role_of(at.problem().projections, at.stage);
    if (role.w.size() == 0) return;  // a copy of X
    const bool is_output = at.stage == TensorId::output;
    const bool is_own = has_rope_columns(at.stage);  // what is turned alone
    const bool is_down = at.stage == TensorId::query_latents || at.stage == TensorId::latents;
    const bool is_latent = is_down || is_own;
    const TensorId source = is_output ? TensorId::merged
                            : is_down ? TensorId::embeddings
                                      : at.problem().source_of(at.stage);
    const Matrix x = at.matrix(source, 0);
    const int row = at.cell.row;
    const int head = has_kv_heads(at.stage) ? at.problem().kv_head(at.cell.head) : at.cell.head;
    const int width = at.stage == TensorId::position_queries ? at.problem().rope_dim() : at.head_dim();
    const bool is_whole = is_output || (is_latent && at.stage != TensorId::position_queries);  // not cut into heads
    const int column = is_whole ? at.cell.column : head * width + at.cell.column;
    const double bias = bias_of(role, column);
    if (role.b.size() != 0) at.add(product(x, row, role, column), "forget the bias");
    if (length(role.w, 0) == length(role.w, 1)) {
        at.add(dot(row_of(x, row), row_of(role.w, column)) + bias,
               concat("go along a row of ", role.name, " instead of down a column"));
    }
    at.add(product(x, row, role, column, 2) + rounded(bias, 2),
           "round the numbers to two decimals before you multiply");
    // Latents learn with the matrix that is applied to them: such a step has more parts than these slips know.
    if (is_output || (!is_latent && source == TensorId::embeddings))
        add_step_slips(at, row_of(x, row), column, product(x, row, role, column) + bias);
    if (is_output || is_latent) return;
    for (const TensorId other : {TensorId::queries, TensorId::keys, TensorId::values}) {
        if (other == at.stage) continue;
        const Role wrong = role_of(at.problem().projections, other);
        if (column >= length(wrong.w, 1)) continue;             // keys and values that heads share are narrower
        if (at.problem().source_of(other) != source) continue;  // is applied to other numbers
        at.add(product(x, row, wrong, column) + bias_of(wrong, column),
               concat("take ", wrong.name, " for ", role.name));
    }
}

namespace {

// Where the stream becomes the sum of two numbers.
[[gnu::noinline]] void add_stream_slips(const SlipPlace& at) {
    const Explanation sum = explain(at.evaluation, at.stage, at.cell.head, at.cell.row, at.cell.column);
    if (sum.steps.size() != 1 || sum.steps[0].terms.size() != 2) return;
    const Term &stream = sum.steps[0].terms[0], &added = sum.steps[0].terms[1];
    if (stream.b.value != 1 || added.b.value != 1) return;
    at.add(added.a.value, "leave out the stream that comes in");
    at.add(stream.a.value, "leave out what is added to the stream");
    at.add(stream.a.value - added.a.value, "take off what is added");
    at.add(stream.a.value * added.a.value, "multiply what is added");
}

}  // namespace

std::vector<Slip> slips_at(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    ATTN_CHECK(!evaluation.is_empty() && has_stage(*evaluation.problem, stage), "there is no ", tensor_name(stage));
    std::vector<Slip> slips;
    const SlipPlace at = {.evaluation = evaluation, .stage = stage, .cell = cell, .slips = slips};
    if (is_block_stage(stage)) {
        add_stream_slips(at);
        add_misplaced(at);
        return slips;
    }
    switch (stage) {
        case TensorId::embeddings:
            add_embedding_slips(at);
            break;
        case TensorId::query_latents:
        case TensorId::latents:
        case TensorId::position_queries:
        case TensorId::position_keys:
        case TensorId::queries:
        case TensorId::keys:
        case TensorId::values:
        case TensorId::output:
            add_projection_slips(at);
            break;
        case TensorId::absorbed_queries:
        case TensorId::mixed_latents:
            break;  // but for the wrong place
        case TensorId::normed_queries:
        case TensorId::normed_keys:
            add_norm_slips(at);
            break;
        case TensorId::rotated_queries:
        case TensorId::rotated_keys:
            add_turn_slips(at);
            break;
        case TensorId::unmasked_weights:
        case TensorId::weights:
            add_weight_slips(at);
            break;
        case TensorId::sink_weights:
            add_sink_slips(at);
            break;
        case TensorId::dropped_weights:
            add_dropout_slips(at);
            break;
        case TensorId::context:
        case TensorId::merged:
            add_context_slips(at);
            break;
        default:
            is_score(stage) ? add_score_slips(at) : add_gradient_slips(at);
    }
    add_misplaced(at);
    return slips;
}

std::vector<Slip> matching_slips(const Evaluation& evaluation, TensorId stage, const Cell& cell, double typed,
                                 double tolerance) {
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, stage, cell.head, cell.row);
    const auto number = static_cast<double>(row(cell.column));
    std::vector<Slip> matching;
    for (Slip& slip : slips_at(evaluation, stage, cell)) {
        const bool matches = std::abs(slip.number - typed) <= tolerance;
        const bool is_apart = std::abs(slip.number - number) > 2 * tolerance;
        if (matches && is_apart) matching.push_back(std::move(slip));
    }
    return matching;
}

std::vector<Slip> distinct_slips(const Evaluation& evaluation, TensorId stage, const Cell& cell, double tolerance) {
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, stage, cell.head, cell.row);
    const auto number = static_cast<double>(row(cell.column));
    const auto is_near = [&](double one, double other) { return std::abs(one - other) <= 2 * tolerance; };
    std::vector<Slip> distinct;
    for (Slip& slip : slips_at(evaluation, stage, cell)) {
        const bool is_taken =
            std::ranges::any_of(distinct, [&](const Slip& earlier) { return is_near(earlier.number, slip.number); });
        if (!is_taken && !is_near(slip.number, number)) distinct.push_back(std::move(slip));
    }
    return distinct;
}

std::string remark_on_mistake(double number, std::string_view ways) {
    return concat("Not yet, because ", shown_number(number), " comes out when you ", ways, ".");
}

}  // namespace attn
