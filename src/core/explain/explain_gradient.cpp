// The chain rule, one cell at a time: what gradients_reference.cpp adds up in its loops.
#include "core/explain/explain_gradient.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/attention/masking.h"
#include "core/explain/explain_matrices.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/learn/gradient_rows.h"

namespace attn {
namespace {

Factor vocabulary_number(const TraceCells& in, int word, int column) {
    return cell_value(in.problem.goal.vocabulary(word, column), {TensorId::vocabulary, 0, word, column});
}

std::vector<Term> logit_terms(const TraceCells& in, const CellRef& cell) {
    const TensorId stage = has_stage(in.problem, TensorId::output) ? TensorId::output : TensorId::merged;
    const Vector output = in.row(stage, 0, cell.row);
    std::vector<Term> terms;
    for (int c = 0; c < length(output, 0); ++c) {
        terms.push_back({.a = cell_value(output(c), {stage, 0, cell.row, c}),
                         .b = vocabulary_number(in, cell.column, c),
                         .label = ""});
    }
    return terms;
}

void explain_probability(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector logits = in.row(TensorId::logits, 0, cell.row);
    explanation.is_softmax = true;
    explanation.row_max = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    explanation.score = static_cast<double>(logits(cell.column));
    explanation.divisor = 0;
    for (int v = 0; v < length(logits, 0); ++v) {
        const double exponential = portable::exp(static_cast<double>(logits(v)) - explanation.row_max);
        const CellRef logit = {TensorId::logits, 0, cell.row, v};
        const Term term = single({.value = exponential, .has_source = true, .source = logit}, "exp");
        explanation.divisor += exponential;
        explanation.divisor_terms.push_back(term);
        if (v == cell.column) explanation.terms.push_back(term);
    }
}

void explain_logit_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Goal& goal = in.problem.goal;
    const int next = goal.next[static_cast<std::size_t>(cell.row)];
    if (next < 0) {
        explanation.terms = {single(constant(0), "no word follows")};
        return;
    }
    explanation.terms = {in.copied(TensorId::probabilities, cell)};
    if (next == cell.column) explanation.terms.push_back(single(constant(-1), "wanted word"));
    explanation.divisor = goal.num_terms;
}

// At the layer's output: the logits' gradients times the words' vectors.
std::vector<Term> word_terms(const TraceCells& in, const CellRef& cell) {
    const Vector at_logits = in.row(TensorId::grad_logits, 0, cell.row);
    std::vector<Term> terms;
    for (int v = 0; v < length(at_logits, 0); ++v) {
        terms.push_back({.a = cell_value(at_logits(v), {TensorId::grad_logits, 0, cell.row, v}),
                         .b = vocabulary_number(in, v, cell.column),
                         .label = ""});
    }
    return terms;
}

std::vector<Term> merged_terms(const TraceCells& in, const CellRef& cell) {
    if (!has_stage(in.problem, TensorId::output)) return word_terms(in, cell);
    const Matrix& w_out = in.problem.projections->w_out;
    const Vector at_output = in.row(TensorId::grad_output, 0, cell.row);
    std::vector<Term> terms;
    for (int c = 0; c < length(at_output, 0); ++c) {
        terms.push_back({.a = cell_value(at_output(c), {TensorId::grad_output, 0, cell.row, c}),
                         .b = cell_value(w_out(cell.column, c), {TensorId::w_out, 0, cell.column, c}),
                         .label = ""});
    }
    return terms;
}

// The gradient at what mixes the values: a hidden key is not mixed.
std::vector<Term> mixing_terms(const TraceCells& in, const CellRef& cell) {
    if (in.problem.hidden(cell.row, cell.column) != 0) return {single(constant(0), "hidden")};
    const Vector at_context = in.row(TensorId::grad_context, cell.head, cell.row);
    std::vector<Term> terms;
    for (int c = 0; c < length(at_context, 0); ++c) {
        terms.push_back({.a = cell_value(at_context(c), {TensorId::grad_context, cell.head, cell.row, c}),
                         .b = cell_value(in.trace.value(in.problem.kv_head(cell.head), cell.column, c),
                                         {TensorId::values, cell.head, cell.column, c}),
                         .label = ""});
    }
    return terms;
}

// The share that the cell is a target with; 0 where other cells of the row are, nothing where none is.
const Vector* target_of(const TraceCells& in, const CellRef& cell) {
    return target_shares(in.problem.goal, cell.head, cell.row);
}

Term no_target() {
    return single(constant(0), "no target");
}

void explain_weight_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    if (in.problem.goal.kind == GoalKind::pattern) {
        const Vector* shares = target_of(in, cell);
        const float share = shares == nullptr ? 0 : (*shares)(cell.column);
        if (share == 0) {
            explanation.terms = {no_target()};
            return;
        }
        explanation.terms = {single(constant(-static_cast<double>(share)), "target")};
        const Factor weight = in.factor({TensorId::weights, cell.head, cell.row, cell.column});
        explanation.divisor_terms = {{.a = weight, .b = constant(in.problem.goal.num_terms), .label = ""}};
        explanation.divisor = explanation.divisor_terms.front().product();
        return;
    }
    if (!has_stage(in.problem, TensorId::grad_dropped_weights)) {
        explanation.terms = mixing_terms(in, cell);
        return;
    }
    Term term = in.copied(TensorId::grad_dropped_weights, cell);
    const bool is_kept = in.trace.keep(cell.head, cell.row, cell.column) != 0;
    term.b = is_kept ? constant(static_cast<double>(keep_scale(in.problem.settings.dropout)))
                     : cell_value(0, {TensorId::keep_mask, cell.head, cell.row, cell.column});
    explanation.terms = {term};
}

// The average that a row takes off, and what it is the sum of: gradient * share of each key.
Term take_average(const TraceCells& in, TensorId gradient, TensorId shares, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const Vector at = in.row(gradient, cell.head, cell.row);
    const Vector share = in.row(shares, cell.head, cell.row);
    double average = 0;
    for (int j = 0; j < length(at, 0); ++j) {
        if (is_masked_stage(shares) && in.problem.hidden(cell.row, j) != 0) continue;
        explanation.average_terms.push_back({.a = cell_value(at(j), {gradient, cell.head, cell.row, j}),
                                             .b = cell_value(share(j), {shares, cell.head, cell.row, j}),
                                             .label = ""});
        average += explanation.average_terms.back().product();
    }
    return single(constant(-average), "average");
}

void explain_unmasked_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    if (in.problem.hidden(cell.row, cell.column) != 0) {
        explanation.terms = {single(constant(0), "hidden")};
        return;
    }
    explanation.terms = {in.copied(TensorId::grad_weights, cell)};
    if (in.problem.settings.mask_at == MaskAt::after_raw) return;
    explanation.terms.push_back(take_average(in, TensorId::grad_weights, TensorId::weights, explanation));
    const Vector unmasked = in.row(TensorId::unmasked_weights, cell.head, cell.row);
    explanation.divisor = 0;
    for (int j = 0; j < length(unmasked, 0); ++j) {
        if (in.problem.hidden(cell.row, j) != 0) continue;
        explanation.divisor_terms.push_back(
            single(cell_value(unmasked(j), {TensorId::unmasked_weights, cell.head, cell.row, j})));
        explanation.divisor += explanation.divisor_terms.back().product();
    }
}

// Back through a softmax: share * (gradient - average); of a pattern (share - target) / rows with targets.
void explain_softmax_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    const MaskAt mask_at = in.problem.settings.mask_at;
    if (in.problem.goal.kind == GoalKind::pattern) {
        const Vector* shares = target_of(in, cell);
        if (shares == nullptr) {
            explanation.terms = {no_target()};
            return;
        }
        const TensorId stage = mask_at == MaskAt::after_raw ? TensorId::unmasked_weights : TensorId::weights;
        explanation.terms = {in.copied(stage, cell),
                             single(constant(-static_cast<double>((*shares)(cell.column))), "target")};
        explanation.divisor = in.problem.goal.num_terms;
        return;
    }
    // Where a row was divided again after the mask, that division cancels on the way back.
    const bool is_raw = mask_at == MaskAt::after_raw;
    const TensorId gradient = is_raw ? TensorId::grad_unmasked_weights : TensorId::grad_weights;
    const TensorId shares = is_raw ? TensorId::unmasked_weights : TensorId::weights;
    Term average = take_average(in, gradient, shares, explanation);
    average.b = in.factor({shares, cell.head, cell.row, cell.column});
    explanation.terms = {{.a = in.factor({gradient, cell.head, cell.row, cell.column}), .b = average.b, .label = ""},
                         average};
}

// The sink is a share of each row that nothing reads: share * (0 - average); of a pattern share / rows with targets.
void explain_sink_gradient(const TraceCells& in, Explanation& explanation) {
    const int h = explanation.cell.column;
    const Goal& goal = in.problem.goal;
    for (int i = 0; i < in.problem.num_tokens(); ++i) {
        const bool is_pattern = goal.kind == GoalKind::pattern;
        if (is_pattern && target_shares(goal, h, i) == nullptr) continue;
        const double factor =
            is_pattern ? 1.0 / goal.num_terms : -static_cast<double>(average_gradient(in.problem, in.trace, h, i));
        explanation.terms.push_back({.a = in.factor({TensorId::sink_weights, h, i, 0}),
                                     .b = constant(factor),
                                     .label = is_pattern ? "" : "average"});
    }
    if (explanation.terms.empty()) explanation.terms = {no_target()};
}

// At the scores that the mask takes in: biased ones or scaled ones.
void explain_unhidden_gradient(const TraceCells& in, Explanation& explanation) {
    if (in.problem.settings.mask_at == MaskAt::before) {
        explanation.terms = {in.copied(TensorId::grad_masked_scores, explanation.cell)};
    } else {
        explain_softmax_gradient(in, explanation);
    }
}

// The query heads whose scores and contexts this stage of this head is made of: all that read the same keys and values.
struct Readers {
    int first, end;
};
Readers readers_of(const TraceCells& in, const CellRef& cell) {
    const int count = has_kv_heads(cell.tensor) ? in.problem.heads_per_kv_head() : 1;
    const int first = cell.head / count * count;
    return {.first = first, .end = first + count};
}

// Row of scores' gradients times keys, or a column of them times queries.
std::vector<Term> role_terms(const TraceCells& in, const CellRef& cell) {
    const Cube& scores = in.trace.gradients->scores;
    const bool is_query = cell.tensor == TensorId::grad_queries || cell.tensor == TensorId::grad_rotated_queries;
    const Cube& other = is_query ? in.trace.scored_key() : in.trace.scored_query();
    const TensorId other_id = is_query ? scored_keys(in.problem.settings) : scored_queries(in.problem.settings);
    const Readers readers = readers_of(in, cell);
    std::vector<Term> terms;
    for (int h = readers.first; h < readers.end; ++h) {
        const int other_head = is_query ? in.problem.kv_head(h) : h;
        for (int k = 0; k < in.problem.num_tokens(); ++k) {
            const int i = is_query ? cell.row : k;
            const int j = is_query ? k : cell.row;
            if (is_masked_stage(softmax_stage(in.problem.settings.mask_at)) && in.problem.hidden(i, j) != 0) continue;
            terms.push_back({.a = cell_value(scores(h, i, j), {TensorId::grad_scores, h, i, j}),
                             .b = cell_value(other(other_head, k, cell.column), {other_id, h, k, cell.column}),
                             .label = ""});
        }
    }
    return terms;
}

// A column of the weights times the context's gradients.
std::vector<Term> value_terms(const TraceCells& in, const CellRef& cell) {
    const TensorId mix =
        has_stage(in.problem, TensorId::dropped_weights) ? TensorId::dropped_weights : TensorId::weights;
    const Readers readers = readers_of(in, cell);
    std::vector<Term> terms;
    for (int h = readers.first; h < readers.end; ++h) {
        for (int i = 0; i < in.problem.num_tokens(); ++i) {
            if (in.problem.hidden(i, cell.row) != 0) continue;
            terms.push_back({.a = in.factor({mix, h, i, cell.row}),
                             .b = in.factor({TensorId::grad_context, h, i, cell.column}),
                             .label = ""});
        }
    }
    return terms;
}

}  // namespace

void explain_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    switch (cell.tensor) {
        case TensorId::logits:
            explanation.terms = logit_terms(in, cell);
            return;
        case TensorId::probabilities:
            return explain_probability(in, explanation);
        case TensorId::grad_logits:
            return explain_logit_gradient(in, explanation);
        case TensorId::grad_output:
            explanation.terms = word_terms(in, cell);
            return;
        case TensorId::grad_merged:
            explanation.terms = merged_terms(in, cell);
            return;
        case TensorId::grad_context:
            explanation.terms = {single(
                in.factor({TensorId::grad_merged, 0, cell.row, cell.head * in.problem.head_dim() + cell.column}))};
            return;
        case TensorId::grad_dropped_weights:
            explanation.terms = mixing_terms(in, cell);
            return;
        case TensorId::grad_weights:
            return explain_weight_gradient(in, explanation);
        case TensorId::grad_unmasked_weights:
            return explain_unmasked_gradient(in, explanation);
        case TensorId::grad_masked_scores:
            return explain_softmax_gradient(in, explanation);
        case TensorId::grad_biased_scores:
            return explain_unhidden_gradient(in, explanation);
        case TensorId::grad_scaled_scores:
            if (!is_alibi(in.problem.settings)) return explain_unhidden_gradient(in, explanation);
            explanation.terms = {in.copied(TensorId::grad_biased_scores, cell)};
            return;
        case TensorId::grad_scores:
            explanation.terms = {in.copied(TensorId::grad_scaled_scores, cell)};
            explanation.divisor = static_cast<double>(score_divisor(in.problem.settings, in.problem.head_dim()));
            return;
        case TensorId::grad_queries:
        case TensorId::grad_keys:
            if (in.problem.rope_dim() != 0) {
                explanation.terms = {in.copied(cell.tensor == TensorId::grad_queries ? TensorId::grad_rotated_queries
                                                                                     : TensorId::grad_rotated_keys,
                                               cell)};
                return;
            }
            if (is_rotary(in.problem.settings)) return explain_turn(in, -1, explanation);
            explanation.terms = role_terms(in, cell);
            return;
        case TensorId::grad_position_queries:
        case TensorId::grad_position_keys:
            return explain_turn(in, -1, explanation);
        case TensorId::grad_rotated_queries:
        case TensorId::grad_rotated_keys:
            explanation.terms = role_terms(in, cell);
            return;
        case TensorId::grad_values:
            explanation.terms = value_terms(in, cell);
            return;
        case TensorId::grad_query_latents:
        case TensorId::grad_latents:
            explanation.terms = latent_gradient_terms(in, cell);
            return;
        case TensorId::grad_embeddings:
            explanation.terms = embedding_gradient_terms(in, cell);
            return;
        case TensorId::grad_sink_logits:
            explain_sink_gradient(in, explanation);
            return add_other_sentences(in, explanation);
        default:
            return explain_matrix_gradient(in, explanation);
    }
}

}  // namespace attn
