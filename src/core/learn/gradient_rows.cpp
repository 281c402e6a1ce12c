// Rows between those that gradients.cpp keeps. core/operations says the same in plain loops over whole tensors.
#include "core/learn/gradient_rows.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/attention/score_changes.h"
#include "core/fast/score_rows.h"
#include "core/ground/check.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// What every row is made of.
struct Place {
    const AttentionProblem& problem;
    const AttentionTrace& trace;
    int head, row;

    const Gradients& gradients() const { return *trace.gradients; }
    bool is_next() const { return problem.goal.kind == GoalKind::next; }
    bool hides(std::size_t key) const { return problem.hidden(static_cast<std::size_t>(row), key) != 0; }
    std::span<const float> weights() const { return row_of(trace.weights, head, row); }
    std::span<const float> context_gradient() const {
        const auto head_dim = static_cast<std::size_t>(problem.head_dim());
        return row_of(gradients().merged, row).subspan(static_cast<std::size_t>(head) * head_dim, head_dim);
    }
};

void copy(std::span<const float> from, std::span<float> to) {
    std::copy(from.begin(), from.end(), to.begin());
}

// At what mixes the values: grad_context . value of each key that is seen.
void mixing_row(const Place& at, std::span<float> numbers) {
    const std::span<const float> gradient = at.context_gradient();
    for (std::size_t j = 0; j < numbers.size(); ++j) {
        const std::span<const float> value = row_of(at.trace.value, at.problem.kv_head(at.head), static_cast<int>(j));
        float sum = 0;
        for (std::size_t c = 0; c < gradient.size(); ++c) sum += gradient[c] * value[c];
        numbers[j] = at.hides(j) ? 0 : sum;
    }
}

void weight_row(const Place& at, std::span<float> numbers) {
    if (!at.is_next()) {
        const Vector* shares = target_shares(at.problem.goal, at.head, at.row);
        std::fill(numbers.begin(), numbers.end(), 0.0F);
        for (std::size_t j = 0; shares != nullptr && j < numbers.size(); ++j) {
            const float share = (*shares)(j);
            if (share > 0) numbers[j] = -share / (static_cast<float>(at.problem.goal.num_terms) * at.weights()[j]);
        }
        return;
    }
    mixing_row(at, numbers);
    if (at.trace.keep.size() == 0) return;
    const std::span<const std::uint8_t> keep = row_of(at.trace.keep, at.head, at.row);
    const float scale = keep_scale(at.problem.settings.dropout);
    for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] = keep[j] != 0 ? numbers[j] * scale : 0;
}

// The row of the softmax: the weights, or those before the mask.
std::vector<float> softmax_row(const Place& at) {
    std::vector<float> shares(at.weights().size());
    const TensorId stage = softmax_stage(at.problem.settings.mask_at);
    make_score_rows(at.problem, at.trace, stage, at.head, at.row, at.row + 1, shares);
    return shares;
}

// With MaskAt::after the row was divided by what the mask left of it.
float left_of_row(const Place& at, std::span<const float> softmax) {
    float sum = 0;
    for (std::size_t j = 0; j < softmax.size(); ++j) sum += at.hides(j) ? 0 : softmax[j];
    return sum;
}

void unmasked_row(const Place& at, std::span<float> numbers) {
    weight_row(at, numbers);
    if (at.problem.settings.mask_at == MaskAt::after_raw) return;
    const float average = average_gradient(at.problem, at.trace, at.head, at.row);
    const float left = left_of_row(at, softmax_row(at));
    for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] = at.hides(j) ? 0 : (numbers[j] - average) / left;
}

// At the scores before the mask: weights minus target, or weight * (gradient - average).
void score_row(const Place& at, std::span<float> numbers) {
    const bool is_raw = at.problem.settings.mask_at == MaskAt::after_raw;
    const std::vector<float> softmax = is_raw ? softmax_row(at) : std::vector<float>();
    const std::span<const float> shares = is_raw ? softmax : at.weights();
    if (at.is_next()) {
        weight_row(at, numbers);
        const float average = average_gradient(at.problem, at.trace, at.head, at.row);
        for (std::size_t j = 0; j < numbers.size(); ++j)
            numbers[j] = shares[j] * (numbers[j] - average) + 0.0F;  // never -0
        return;
    }
    const Vector* target = target_shares(at.problem.goal, at.head, at.row);
    const auto num_terms = static_cast<float>(at.problem.goal.num_terms);
    for (std::size_t j = 0; j < numbers.size(); ++j)
        numbers[j] = target == nullptr ? 0 : (shares[j] - (*target)(j)) / num_terms;
}

void capped_logits_row(const Place& at, std::span<float> numbers) {
    copy(row_of(at.gradients().logits, at.row), numbers);
    cap_row(at.problem.settings.logit_cap, numbers.size(), numbers.data());
}

// At the logits that the softmax takes in; behind a cap also at those before it.
void word_gradient_row(const Place& at, TensorId stage, std::span<float> numbers) {
    logit_gradients(row_of(at.gradients().probabilities, at.row), at.problem.goal, at.row, numbers);
    const float cap = at.problem.settings.logit_cap;
    if (cap == 0 || stage == TensorId::grad_capped_logits) return;
    std::vector<float> row(numbers.size());
    capped_logits_row(at, row);
    multiply_by_cap_slopes(cap, row, numbers);
}

void through_cap(const Place& at, std::span<float> numbers) {
    std::vector<float> row(numbers.size());
    make_score_rows(at.problem, at.trace, TensorId::capped_scores, at.head, at.row, at.row + 1, row);
    multiply_by_cap_slopes(at.problem.settings.score_cap, row, numbers);
}

}  // namespace

float average_gradient(const AttentionProblem& problem, const AttentionTrace& trace, int head, int row) {
    const Place at{problem, trace, head, row};
    std::vector<float> gradient(trace.key.shape(1));
    weight_row(at, gradient);
    return static_cast<float>(dot_of_gradients(gradient, at.weights()));
}

std::span<const float> parameter_gradient_row(const AttentionTrace& trace, TensorId stage, int row, bool is_of_batch) {
    const Gradients& gradients = *trace.gradients;
    const bool has_batch = gradients.batch.w_query.size() + gradients.batch.w_out.size() != 0;
    const Projections& learned = is_of_batch && has_batch ? gradients.batch : gradients.projections;
    return row_of_learned(learned, tensor_of_gradient(stage), row);
}

void make_gradient_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head, int row,
                       std::span<float> numbers) {
    ATTN_CHECK(trace.gradients != nullptr, tensor_name(stage), " is not computed yet");
    const Place at{problem, trace, head, row};
    const Gradients& gradients = at.gradients();
    if (stage == TensorId::capped_logits) return capped_logits_row(at, numbers);
    if (is_gradient(stage) && dims_of(stage).columns == Dim::words) return word_gradient_row(at, stage, numbers);
    if (is_gradient(stage) && stage != TensorId::grad_scores && is_score(tensor_of_gradient(stage))) {
        score_row(at, numbers);
        if (stage == TensorId::grad_scaled_scores && is_capped(problem.settings)) through_cap(at, numbers);
        return;
    }
    switch (stage) {
        case TensorId::logits:
            return copy(row_of(gradients.logits, row), numbers);
        case TensorId::probabilities:
            return copy(row_of(gradients.probabilities, row), numbers);
        case TensorId::grad_output:
            return copy(row_of(gradients.output, row), numbers);
        case TensorId::grad_merged:
            return copy(row_of(gradients.merged, row), numbers);
        case TensorId::grad_context:
            return copy(at.context_gradient(), numbers);
        case TensorId::grad_dropped_weights:
            return mixing_row(at, numbers);
        case TensorId::grad_weights:
            return weight_row(at, numbers);
        case TensorId::grad_unmasked_weights:
            return unmasked_row(at, numbers);
        case TensorId::grad_scores:
            return copy(row_of(gradients.scores, head, row), numbers);
        case TensorId::grad_normed_queries:
            return copy(row_of(gradients.normed_query, head, row), numbers);
        case TensorId::grad_normed_keys:
            return copy(row_of(gradients.normed_key, problem.kv_head(head), row), numbers);
        case TensorId::grad_rotated_queries:
            return copy(row_of(gradients.rotated_query, head, row), numbers);
        case TensorId::grad_rotated_keys:
            return copy(row_of(gradients.rotated_key, problem.kv_head(head), row), numbers);
        case TensorId::grad_queries:
            return copy(row_of(gradients.query, head, row), numbers);
        case TensorId::grad_keys:
            return copy(row_of(gradients.key, problem.kv_head(head), row), numbers);
        case TensorId::grad_values:
            return copy(row_of(gradients.value, problem.kv_head(head), row), numbers);
        case TensorId::grad_query_latents:
            return copy(row_of(gradients.query_latents, row), numbers);
        case TensorId::grad_latents:
            return copy(row_of(gradients.latents, row), numbers);
        case TensorId::grad_position_queries:
            return copy(row_of(gradients.position_query, head, row), numbers);
        case TensorId::grad_position_keys:
            return copy(row_of(gradients.position_key, row), numbers);
        case TensorId::grad_embeddings:
            return copy(row_of(gradients.embeddings, row), numbers);
        default:
            return copy(parameter_gradient_row(trace, stage, row, true), numbers);
    }
}

}  // namespace attn
