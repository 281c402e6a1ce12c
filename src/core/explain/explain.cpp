// The terms behind one number. All values are the float numbers the screen shows, added and multiplied in double, so
// that a reader who does the sum by hand gets the number shown, up to its own rounding.
#include "core/explain/explain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/masking.h"
#include "core/explain/explain_gradient.h"
#include "core/explain/explain_parts.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

// The products of x . w + b: row i of `x` (a stage without heads) times column `column` of `w`, then the bias.
std::vector<Term> projection_terms(const TraceCells& in, TensorId x_stage, int i, const Matrix& w, TensorId w_id,
                                   const Vector& b, TensorId b_id, int column) {
    const Vector x = in.row(x_stage, 0, i);
    std::vector<Term> terms;
    for (int k = 0; k < length(w, 0); ++k) {
        terms.push_back({.a = cell_value(x(k), {x_stage, 0, i, k}),
                         .b = cell_value(w(k, column), {w_id, 0, k, column}),
                         .label = ""});
    }
    if (b.size() != 0) terms.push_back(single(cell_value(b(column), {b_id, 0, 0, column}), "bias"));
    return terms;
}

// queries, keys, values: the typed number, or the products; without matrices a copy of X.
std::vector<Term> role_terms(const TraceCells& in, const CellRef& cell) {
    const Projections& p = in.problem.projections;
    const int head = has_kv_heads(cell.tensor) ? in.problem.kv_head(cell.head) : cell.head;
    const int column = head * in.problem.head_dim() + cell.column;  // before the cut into heads
    for (const TypedNumber& typed : in.problem.typed_roles) {
        if (typed.role == cell.tensor && typed.row == cell.row && typed.column == column)
            return {single(constant(static_cast<double>(typed.value)), "typed")};
    }
    if (p.w_query.size() == 0) {
        return {
            single(cell_value(in.problem.embeddings(cell.row, column), {TensorId::embeddings, 0, cell.row, column}))};
    }
    const TensorId x = in.problem.source_of(cell.tensor);
    if (cell.tensor == TensorId::queries) {
        return projection_terms(in, x, cell.row, p.w_query, TensorId::w_query, p.b_query, TensorId::b_query, column);
    }
    if (cell.tensor == TensorId::keys) {
        return projection_terms(in, x, cell.row, p.w_key, TensorId::w_key, p.b_key, TensorId::b_key, column);
    }
    return projection_terms(in, x, cell.row, p.w_value, TensorId::w_value, p.b_value, TensorId::b_value, column);
}

// The parts of X, or the typed number where an edit put something else in their place.
std::vector<Term> embedding_terms(const EmbeddingParts& parts, const CellRef& cell, float shown) {
    const std::size_t i = static_cast<std::size_t>(cell.row);
    std::vector<Term> terms;
    if (parts.pieces.empty()) {
        terms.push_back(single(
            cell_value(parts.token_vectors(cell.row, cell.column), {TensorId::token_vectors, 0, cell.row, cell.column}),
            "token"));
    } else {
        const std::vector<std::string>& pieces = parts.pieces[i];
        for (const std::string& piece : pieces) {
            const float value = piece_value(piece, pieces.size(), cell.column, parts.seed);
            terms.push_back(single(constant(static_cast<double>(value)), piece));
        }
    }
    if (parts.positions.size() != 0) {
        terms.push_back(
            single(cell_value(parts.positions(cell.row, cell.column), {TensorId::positions, 0, cell.row, cell.column}),
                   "position"));
    }
    double sum = 0;
    double size = 0;
    for (const Term& term : terms) {
        sum += term.product();
        size += std::abs(term.product());
    }
    // Each float addition may be off by half a unit in the last place of a partial sum, which is at most `size`.
    const double rounding = static_cast<double>(terms.size()) * 0x1p-24 * size;
    if (std::abs(sum - static_cast<double>(shown)) <= rounding) return terms;
    return {single(constant(static_cast<double>(shown)), "typed")};
}

std::vector<Term> score_terms(const TraceCells& in, const CellRef& cell) {
    const TensorId queries = scored_queries(in.problem.settings), keys = scored_keys(in.problem.settings);
    const Vector query = in.row(queries, cell.head, cell.row);
    const Vector key = in.row(keys, cell.head, cell.column);
    std::vector<Term> terms;
    for (int c = 0; c < in.problem.score_dim(); ++c) {
        terms.push_back({.a = cell_value(query(c), {queries, cell.head, cell.row, c}),
                         .b = cell_value(key(c), {keys, cell.head, cell.column, c}),
                         .label = ""});
    }
    return terms;
}

// A query of this head times the row of w_key that belongs to one number of the latent.
std::vector<Term> absorbed_terms(const TraceCells& in, const CellRef& cell) {
    const Vector query = in.row(TensorId::queries, cell.head, cell.row);
    const int first = in.problem.kv_head(cell.head) * in.problem.head_dim();
    std::vector<Term> terms;
    for (int c = 0; c < in.problem.head_dim(); ++c) {
        terms.push_back({.a = cell_value(query(c), {TensorId::queries, cell.head, cell.row, c}),
                         .b = cell_value(in.problem.projections->w_key(cell.column, first + c),
                                         {TensorId::w_key, 0, cell.column, first + c}),
                         .label = ""});
    }
    return terms;
}

// The scaled score, and what the distance of the two tokens takes off it.
std::vector<Term> bias_terms(const TraceCells& in, const CellRef& cell) {
    const auto slope = static_cast<float>(slope_of_head(in.problem.settings, cell.head));
    return {in.copied(TensorId::scaled_scores, cell),
            {.a = constant(-static_cast<double>(slope)),
             .b = constant(std::abs(cell.row - cell.column)),
             .label = "distance"}};
}

// exp(score - row_max) over the row's sum of the same.
void explain_softmax(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const TensorId source = softmax_source(in.problem.settings);
    const Vector scores = in.row(source, cell.head, cell.row);
    const bool has_sink = in.problem.has_sink();
    const bool is_sink = has_sink && cell.tensor == TensorId::sink_weights;
    const float logit = has_sink ? in.problem.projections->sink_logits(cell.head) : 0;
    float row_max = *std::max_element(scores.begin(), scores.end());
    if (has_sink) row_max = std::max(row_max, logit);
    explanation.is_softmax = true;
    explanation.row_max = static_cast<double>(row_max);
    explanation.score = static_cast<double>(is_sink ? logit : scores(cell.column));
    explanation.divisor = 0;
    for (int j = 0; j < length(scores, 0); ++j) {
        if (is_masked_stage(source) && in.problem.hidden(cell.row, j) != 0) continue;
        const double exponential = portable::exp(static_cast<double>(scores(j)) - explanation.row_max);
        const CellRef score = {source, cell.head, cell.row, j};
        const Term term = single({.value = exponential, .has_source = true, .source = score}, "exp");
        explanation.divisor += exponential;
        explanation.divisor_terms.push_back(term);
        if (!is_sink && j == cell.column) explanation.terms.push_back(term);
    }
    if (!has_sink) return;
    const double exponential = portable::exp(static_cast<double>(logit) - explanation.row_max);
    const CellRef source_of_sink = {TensorId::sink_logits, 0, 0, cell.head};
    const Term term = single({.value = exponential, .has_source = true, .source = source_of_sink}, "exp");
    explanation.divisor += exponential;
    explanation.divisor_terms.push_back(term);
    if (is_sink) explanation.terms.push_back(term);
}

// A weight that was masked after the softmax: taken over as it is, or over the sum of what is left of the row.
void explain_masked_weight(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    explanation.terms = {in.copied(TensorId::unmasked_weights, cell)};
    if (in.problem.settings.mask_at == MaskAt::after_raw) return;
    explanation.divisor = 0;
    for (int j = 0; j < in.problem.num_tokens(); ++j) {
        if (in.problem.hidden(cell.row, j) != 0) continue;
        explanation.divisor_terms.push_back(
            in.copied(TensorId::unmasked_weights, {TensorId::unmasked_weights, cell.head, cell.row, j}));
        explanation.divisor += explanation.divisor_terms.back().product();
    }
}

Term dropped_term(const TraceCells& in, const CellRef& cell) {
    Term term = in.copied(TensorId::weights, cell);
    if (in.trace.keep(cell.head, cell.row, cell.column) != 0) {
        term.b = constant(static_cast<double>(keep_scale(in.problem.settings.dropout)));
    } else {
        term.b = cell_value(0, {TensorId::keep_mask, cell.head, cell.row, cell.column});
    }
    return term;
}

// Values mixed by the weights, or latents.
std::vector<Term> context_terms(const TraceCells& in, const CellRef& cell) {
    const bool is_latent = kHasLatents && cell.tensor == TensorId::mixed_latents;
    const TensorId mix =
        has_stage(in.problem, TensorId::dropped_weights) ? TensorId::dropped_weights : TensorId::weights;
    const Vector weights = in.row(mix, cell.head, cell.row);
    std::vector<Term> terms;
    for (int j = 0; j < in.problem.num_tokens(); ++j) {
        if (in.problem.hidden(cell.row, j) != 0) continue;
        terms.push_back({.a = cell_value(weights(j), {mix, cell.head, cell.row, j}),
                         .b = is_latent ? in.factor({TensorId::latents, 0, j, cell.column})
                                        : cell_value(in.trace.value(in.problem.kv_head(cell.head), j, cell.column),
                                                     {TensorId::values, cell.head, j, cell.column}),
                         .label = ""});
    }
    return terms;
}

// The stages that are there only with latents. False for all others.
bool explain_latents(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Projections& p = in.problem.projections;
    const TensorId x = TensorId::embeddings;
    const Vector none;  // the two have no bias
    switch (cell.tensor) {
        case TensorId::query_latents:
            explanation.terms = projection_terms(in, x, cell.row, p.w_down_query, TensorId::w_down_query, none,
                                                 TensorId::b_query, cell.column);
            return true;
        case TensorId::latents:
            explanation.terms =
                projection_terms(in, x, cell.row, p.w_down_kv, TensorId::w_down_kv, none, TensorId::b_key, cell.column);
            return true;
        case TensorId::absorbed_queries:
            explanation.terms = absorbed_terms(in, cell);
            return true;
        case TensorId::mixed_latents:
            explanation.terms = context_terms(in, cell);
            return true;
        case TensorId::position_queries:
            explanation.terms = projection_terms(in, in.problem.source_of(cell.tensor), cell.row, p.w_query_rope,
                                                 TensorId::w_query_rope, none, TensorId::b_query,
                                                 cell.head * in.problem.rope_dim() + cell.column);
            return true;
        case TensorId::position_keys:
            explanation.terms = projection_terms(in, x, cell.row, p.w_key_rope, TensorId::w_key_rope, none,
                                                 TensorId::b_key, cell.column);
            return true;
        case TensorId::rotated_queries:
        case TensorId::rotated_keys:  // where only the numbers behind those of queries and keys are turned
            if (in.problem.rope_dim() == 0 || cell.column >= in.problem.head_dim()) return false;
            explanation.terms = {
                in.copied(cell.tensor == TensorId::rotated_queries ? TensorId::queries : TensorId::keys, cell)};
            return true;
        default:
            return false;
    }
}

}  // namespace

Explanation explain(const AttentionProblem& problem, const AttentionTrace& trace, const EmbeddingParts& parts,
                    TensorId stage, int head, int row, int column) {
    const TraceCells in{problem, trace};
    const Vector shown_row = in.row(stage, head, row);
    ATTN_CHECK(column >= 0 && column < length(shown_row, 0), "column is ", column, ", want 0 to ",
               length(shown_row, 0) - 1);

    Explanation explanation;
    explanation.cell = {stage, head, row, column};
    explanation.shown = shown_row(column);
    explanation.is_hidden = is_masked_stage(stage) && problem.hidden(row, column) != 0;
    if (explanation.is_hidden) return explanation;

    if (needs_goal(stage)) {
        explain_gradient(in, explanation);
        return explanation;
    }
    if (kHasLatents && explain_latents(in, explanation)) return explanation;
    const CellRef& cell = explanation.cell;
    const Projections& p = problem.projections;
    switch (stage) {
        case TensorId::embeddings:
            explanation.terms = embedding_terms(parts, cell, explanation.shown);
            break;
        case TensorId::queries:
        case TensorId::keys:
        case TensorId::values:
            explanation.terms = role_terms(in, cell);
            break;
        case TensorId::rotated_queries:
        case TensorId::rotated_keys:
            if (is_rotary(problem.settings)) explain_turn(in, 1, explanation);
            break;
        case TensorId::scores:
            explanation.terms = score_terms(in, cell);
            break;
        case TensorId::scaled_scores:
            explanation.terms = {in.copied(TensorId::scores, cell)};
            explanation.divisor = static_cast<double>(score_divisor(problem.settings, problem.head_dim()));
            break;
        case TensorId::biased_scores:
            if (is_alibi(problem.settings)) explanation.terms = bias_terms(in, cell);
            break;
        case TensorId::masked_scores:
            explanation.terms = {in.copied(scores_before_mask(problem.settings), cell)};
            break;
        case TensorId::unmasked_weights:
            explain_softmax(in, explanation);
            break;
        case TensorId::weights:
            problem.settings.mask_at == MaskAt::before ? explain_softmax(in, explanation)
                                                       : explain_masked_weight(in, explanation);
            break;
        case TensorId::sink_weights:
            if (kHasSinks) explain_softmax(in, explanation);
            break;
        case TensorId::dropped_weights:
            explanation.terms = {dropped_term(in, cell)};
            break;
        case TensorId::context:
            explanation.terms = context_terms(in, cell);
            break;
        case TensorId::merged:
            explanation.terms = {in.copied(
                TensorId::context, {TensorId::context, column / problem.head_dim(), row, column % problem.head_dim()})};
            break;
        case TensorId::output:
            explanation.terms =
                projection_terms(in, TensorId::merged, row, p.w_out, TensorId::w_out, p.b_out, TensorId::b_out, column);
            break;
        default:
            fail_check(__FILE__, __LINE__, concat("tensor ", tensor_name(stage), " is not a stage"));
    }
    return explanation;
}

}  // namespace attn
