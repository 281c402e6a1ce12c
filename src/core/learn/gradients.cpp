// core/operations says the same in plain loops, stage by stage. Here the way from the weights to the scores is
// one formula: with a row's softmax R, its gradient g and the average D = sum of g_j A_j over the keys it sees, the
// scaled scores get R_j (g_j - D). R is the weights A, or with MaskAt::after_raw the unmasked weights, of which hidden
// keys have g = 0. (With MaskAt::after the division by the row's sum cancels.) A sink that is learned is one more share
// with g = 0.
#include "core/learn/gradients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/attention/score_changes.h"
#include "core/fast/attend.h"
#include "core/fast/score_rows.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/kernels/simd_kernels.h"
#include "core/learn/gradient_blocks.h"

namespace attn {
namespace {

constexpr int kRowsAtOnce = 64;  // their products and transposes stay in the second cache

const Matrix& layer_output(const AttentionTrace& trace) {
    return trace.output.size() != 0 ? trace.output : trace.merged;
}

// ln of the share of `next` in the softmax of a row, from the row and its softmax: finite where the share itself is 0.
double log_share(std::span<const float> logits, std::span<const float> shares, int next) {
    const auto largest = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    return static_cast<double>(logits[static_cast<std::size_t>(next)]) - static_cast<double>(logits[largest]) +
           portable::log(static_cast<double>(shares[largest]));
}

// A pattern's loss: the mean over the rows with targets of -share * ln(weight); infinite where a target's weight is 0.
double loss_of_targets(const AttentionTrace& trace, const Goal& goal) {
    double loss = 0;
    for (const TargetRow& row : goal.rows) {
        const std::span<const float> weights = row_of(trace.weights, row.head, row.query);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0) loss -= share * portable::log(static_cast<double>(weights[j]));
        }
    }
    return loss / goal.num_terms;
}

}  // namespace

double dot_of_gradients(std::span<const float> a, std::span<const float> b) {
    constexpr std::size_t kLanes = 8;
    std::array<double, kLanes> sums = {};
    std::size_t j = 0;
    for (; j + kLanes <= a.size(); j += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums[lane] += static_cast<double>(a[j + lane]) * static_cast<double>(b[j + lane]);
    }
    for (; j < a.size(); ++j) sums[j % kLanes] += static_cast<double>(a[j]) * static_cast<double>(b[j]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void multiply_by_cap_slopes(float cap, std::span<const float> capped_row, std::span<float> gradients) {
    for (std::size_t j = 0; j < gradients.size(); ++j) gradients[j] *= cap_slope(capped_row[j], cap);
}

void logit_gradients(std::span<const float> probabilities, const Goal& goal, int i, std::span<float> at_logits) {
    const int next = goal.next[static_cast<std::size_t>(i)];
    if (next < 0) {
        std::fill(at_logits.begin(), at_logits.end(), 0.0F);
        return;
    }
    std::copy(probabilities.begin(), probabilities.end(), at_logits.begin());
    at_logits[static_cast<std::size_t>(next)] -= 1;
    simd::kernels().divide(at_logits.data(), at_logits.size(), static_cast<float>(goal.num_terms));
}

const Gradients& BackwardPass::run(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal) {
    const Projections& p = problem.projections;
    Projections& at = gradients_.projections;
    give_shapes(problem);
    if (goal.kind == GoalKind::next) begin_at_logits(problem.settings.logit_cap, trace, goal);
    if (goal.kind == GoalKind::pattern) scores_of_targets(problem, trace, goal);
    const bool has_output_loss = goal.kind == GoalKind::next;
    if (has_output_loss) through_output(problem, trace);
    for (int h = 0; h < problem.settings.num_heads; ++h) {
        if (has_output_loss) through_mixing(problem, trace, h);
        through_scores(problem, trace, h);
    }
    if (is_rotary(problem.settings)) through_turns(problem);
    if (problem.has_qk_norm()) through_norms(problem, trace);
    // The embeddings' transpose is made once where they are all that is projected.
    const bool has_query_latent = problem.query_latent() != 0;
    const bool has_latent = problem.latent() != 0;
    Matrix& at_x = gradients_.embeddings;
    Matrix& at_keys = has_latent ? gradients_.latents : at_x;
    transpose_factor(has_query_latent ? trace.query_latents : problem.embeddings);
    through_role(problem, {TensorId::queries, gradients_.query, p.w_query, p.b_query, at.w_query, at.b_query},
                 has_query_latent ? gradients_.query_latents : at_x);
    const bool has_rope = problem.rope_dim() != 0;
    if (has_rope) {
        Vector none;  // no bias
        through_role(
            problem,
            {TensorId::position_queries, gradients_.position_query, p.w_query_rope, none, at.w_query_rope, none},
            has_query_latent ? gradients_.query_latents : at_x);
    }
    if (has_query_latent || has_latent) transpose_factor(has_latent ? trace.latents : problem.embeddings);
    through_role(problem, {TensorId::keys, gradients_.key, p.w_key, p.b_key, at.w_key, at.b_key}, at_keys);
    through_role(problem, {TensorId::values, gradients_.value, p.w_value, p.b_value, at.w_value, at.b_value}, at_keys);
    if (has_latent) transpose_factor(problem.embeddings);
    if (has_query_latent) through_down(p.w_down_query, gradients_.query_latents, at.w_down_query);
    if (has_latent) through_down(p.w_down_kv, gradients_.latents, at.w_down_kv);
    if (has_rope) through_down(p.w_key_rope, gradients_.position_key, at.w_key_rope);
    return gradients_;
}

void BackwardPass::give_shapes(const AttentionProblem& problem) {
    const int T = problem.num_tokens();
    const int num_heads = problem.settings.num_heads;
    const Projections& p = problem.projections;
    Projections& at = gradients_.projections;
    gradients_.loss = 0;
    const bool has_out = p.w_out.size() != 0;
    gradients_.logits = Matrix();
    gradients_.probabilities = Matrix();
    gradients_.batch = Projections();
    gradients_.normed_query = gradients_.normed_key = Cube();
    gradients_.rotated_query = gradients_.rotated_key = gradients_.position_query = Cube();
    gradients_.position_key = Matrix();
    clear(gradients_.output, has_out ? T : 0, has_out ? problem.d_out() : 0);
    clear(gradients_.merged, T, problem.d_out());
    clear(gradients_.scores, num_heads, T, T);
    // Of what the scores are made of; through_turns() makes two parts of them where some numbers are turned alone.
    clear(gradients_.query, num_heads, T, problem.score_dim());
    clear(gradients_.key, problem.num_kv_heads(), T, problem.score_dim());
    clear(gradients_.value, problem.num_kv_heads(), T, problem.head_dim());
    clear(gradients_.query_latents, T, problem.query_latent());
    clear(gradients_.latents, T, problem.latent());
    clear(gradients_.embeddings, T, problem.d_in());
    at = p;  // the shapes
    for (const TensorId tensor : kLearnedTensors) std::ranges::fill(numbers_of(at, tensor), 0.0F);

    seen_.assign(static_cast<std::size_t>(T), T);
    if (problem.settings.mask_at == MaskAt::after_raw) return;
    for (int i = 0; i < T; ++i) {
        int& seen = seen_[static_cast<std::size_t>(i)];
        while (seen > 0 && problem.hidden(i, seen - 1) != 0) --seen;
    }
}

// The gradient at the layer's output: that at the logits, (softmax - wanted) / num_terms, times the vocabulary.
void BackwardPass::begin_at_logits(float cap, const AttentionTrace& trace, const Goal& goal) {
    const Matrix& output = layer_output(trace);
    const std::size_t T = output.shape(0);
    const std::size_t d_out = output.shape(1);
    const std::size_t num_words = goal.vocabulary.shape(0);
    factor_.pack_transposed(goal.vocabulary.data(), d_out, d_out, num_words);
    const std::size_t stride = factor_.row_stride();
    reserve(product_, T * stride);
    factor_.multiply(output.data(), d_out, T, product_.data());
    // The kernel's softmax writes over its scores, up to the next multiple of 16.
    const std::size_t room = (num_words + 15) / 16 * 16;
    reserve(transposed_, room);
    reserve(sums_, room);
    clear(gradients_.logits, T, num_words);
    clear(gradients_.probabilities, T, num_words);
    copy_rows(product_.data(), stride, T, num_words, gradients_.logits.data());
    for (std::size_t i = 0; i < T; ++i) {
        const auto row = static_cast<int>(i);
        const std::span<const float> given = row_of(gradients_.logits, row);
        capped_.assign(given.begin(), given.end());
        if (cap > 0) cap_row(cap, num_words, capped_.data());
        const std::span<const float> logits = capped_;
        std::copy(logits.begin(), logits.end(), transposed_.data());
        simd::kernels().softmax({transposed_.data(), room, sums_.data(), room, room}, &num_words, 1, 1);
        std::copy_n(sums_.data(), num_words, row_of(gradients_.probabilities, row).begin());
        if (goal.next[i] >= 0) gradients_.loss -= log_share(logits, {sums_.data(), num_words}, goal.next[i]);
        const std::span<float> at_logits(product_.data() + i * stride, num_words);
        logit_gradients(row_of(gradients_.probabilities, row), goal, row, at_logits);
        if (cap > 0) multiply_by_cap_slopes(cap, logits, at_logits);
    }
    gradients_.loss /= goal.num_terms;
    factor_.pack(goal.vocabulary.data(), d_out, num_words, d_out);
    reserve(transposed_, T * factor_.row_stride());
    factor_.multiply(product_.data(), stride, T, transposed_.data());
    Matrix& at = trace.output.size() != 0 ? gradients_.output : gradients_.merged;
    copy_rows(transposed_.data(), factor_.row_stride(), T, d_out, at.data());
}

void BackwardPass::through_output(const AttentionProblem& problem, const AttentionTrace& trace) {
    const Matrix& w_out = problem.projections->w_out;
    if (w_out.size() == 0) return;
    const std::size_t T = gradients_.output.shape(0);
    const std::size_t d_out = w_out.shape(0);
    factor_.pack_transposed(w_out.data(), d_out, d_out, d_out);
    reserve(product_, T * factor_.row_stride());
    factor_.multiply(gradients_.output.data(), d_out, T, product_.data());
    copy_rows(product_.data(), factor_.row_stride(), T, d_out, gradients_.merged.data());
    transpose_factor(trace.merged);
    at_matrix(d_out, gradients_.output, gradients_.projections.w_out);
    if (problem.projections->b_out.size() != 0) add_rows(gradients_.output, gradients_.projections.b_out);
}

// A pattern's gradient at the scores before the mask is (R - shares) / num_terms, R the row's softmax: weights minus
// target.
void BackwardPass::scores_of_targets(const AttentionProblem& problem, const AttentionTrace& trace, const Goal& goal) {
    const std::size_t T = trace.query.shape(1);
    const bool is_raw = problem.settings.mask_at == MaskAt::after_raw;
    const auto num_terms = static_cast<float>(goal.num_terms);
    const float divisor = score_divisor(problem.settings, problem.head_dim());
    gradients_.loss = loss_of_targets(trace, goal);
    clear(shares_, T);
    for (const TargetRow& row : goal.rows) {
        const std::span<float> at = row_of(gradients_.scores, row.head, row.query);
        if (is_raw) {
            make_score_rows(problem, trace, TensorId::unmasked_weights, row.head, row.query, row.query + 1,
                            elements(shares_));
            std::copy(shares_.begin(), shares_.end(), at.begin());
        } else {
            const std::span<const float> weights = row_of(trace.weights, row.head, row.query);
            std::copy(weights.begin(), weights.end(), at.begin());
        }
        for (std::size_t j = 0; j < T; ++j) at[j] = (at[j] - row.shares(j)) / num_terms;
        through_cap(problem, trace, row.head, row.query, at);
        simd::kernels().divide(at.data(), T, divisor);
        // No target: its share itself.
        if (problem.has_sink())
            gradients_.projections.sink_logits(row.head) += trace.sink_weights(row.head, row.query, 0) / num_terms;
    }
}

void BackwardPass::through_mixing(const AttentionProblem& problem, const AttentionTrace& trace, int h) {
    const int T = problem.num_tokens();
    const auto head_dim = static_cast<std::size_t>(problem.head_dim());
    const std::size_t stride =
        (head_dim + simd::kernels().panel_width - 1) / simd::kernels().panel_width * simd::kernels().panel_width;
    reserve(sums_, static_cast<std::size_t>(T) * stride);
    std::fill_n(sums_.data(), static_cast<std::size_t>(T) * stride, 0.0F);
    for (int first = 0; first < T; first += kRowsAtOnce)
        mixing_block(problem, trace, h, first, std::min(first + kRowsAtOnce, T));
    put_shared(problem, h, gradients_.value);
}

// Rows first to end: from the context to the scores and, into sums_, to the values.
void BackwardPass::mixing_block(const AttentionProblem& problem, const AttentionTrace& trace, int h, int first,
                                int end) {
    const auto T = static_cast<std::size_t>(problem.num_tokens());
    const auto head_dim = static_cast<std::size_t>(problem.head_dim());
    const auto d_out = static_cast<std::size_t>(problem.d_out());
    const auto rows = static_cast<std::size_t>(end - first);
    const float* at_context = &gradients_.merged(first, static_cast<std::size_t>(h) * head_dim);
    const int seen = *std::max_element(seen_.begin() + first, seen_.begin() + end);
    const auto num_seen = static_cast<std::size_t>(seen);

    factor_.pack_transposed(head_of(trace.value, problem.kv_head(h)).data(), head_dim, head_dim, num_seen);
    const std::size_t stride = factor_.row_stride();
    reserve(product_, rows * stride);
    factor_.multiply(at_context, d_out, rows, product_.data());
    const bool drops = trace.keep.size() != 0;
    const float scale = keep_scale(problem.settings.dropout);
    mixed_.resize({rows, T});
    for (int i = first; i < end; ++i) {
        const std::span<float> at_weights(product_.data() + static_cast<std::size_t>(i - first) * stride, num_seen);
        const std::span<const float> weights = row_of(trace.weights, h, i);
        const std::span<float> mixed = row_of(mixed_, i - first);
        std::copy(weights.begin(), weights.end(), mixed.begin());
        const std::span<const std::uint8_t> keep = drops ? row_of(trace.keep, h, i) : std::span<const std::uint8_t>();
        for (std::size_t j = 0; drops && j < num_seen; ++j) {
            const float factor = keep[j] != 0 ? scale : 0;
            mixed[j] *= factor;
            at_weights[j] *= factor;
        }
        scores_of_row(problem, trace, h, i, at_weights);
    }
    factor_.pack(at_context, d_out, rows, head_dim);
    add_transposed(mixed_.data(), T, rows, num_seen, factor_, sums_);
}

void BackwardPass::scores_of_row(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i,
                                 std::span<float> at_weights) {
    const std::span<const float> weights = row_of(trace.weights, h, i).first(at_weights.size());
    const bool is_raw = problem.settings.mask_at == MaskAt::after_raw;
    const std::span<const std::uint8_t> hidden = row_of(problem.hidden, i);
    for (std::size_t j = 0; j < at_weights.size(); ++j) at_weights[j] = hidden[j] != 0 ? 0 : at_weights[j];
    const auto average = static_cast<float>(dot_of_gradients(at_weights, weights));
    if (problem.has_sink()) gradients_.projections.sink_logits(h) -= trace.sink_weights(h, i, 0) * average;
    std::span<const float> softmax = weights;
    if (is_raw) {
        clear(shares_, at_weights.size());
        make_score_rows(problem, trace, TensorId::unmasked_weights, h, i, i + 1, elements(shares_));
        softmax = elements(shares_);
    }
    const std::span<float> at_scores = row_of(gradients_.scores, h, i).first(at_weights.size());
    // Plus 0: a hidden key's gradient is 0, never -0.
    for (std::size_t j = 0; j < at_scores.size(); ++j) at_scores[j] = softmax[j] * (at_weights[j] - average) + 0.0F;
    through_cap(problem, trace, h, i, at_scores);
    simd::kernels().divide(at_scores.data(), at_scores.size(), score_divisor(problem.settings, problem.head_dim()));
}

// From the capped scores of a row, or its first numbers, to the scaled ones.
void BackwardPass::through_cap(const AttentionProblem& problem, const AttentionTrace& trace, int h, int i,
                               std::span<float> at_scores) {
    if (!is_capped(problem.settings)) return;
    capped_.resize(trace.key.shape(1));
    make_score_rows(problem, trace, TensorId::capped_scores, h, i, i + 1, capped_);
    multiply_by_cap_slopes(problem.settings.score_cap, capped_, at_scores);
}

void BackwardPass::through_scores(const AttentionProblem& problem, const AttentionTrace& trace, int h) {
    const auto T = static_cast<std::size_t>(problem.num_tokens());
    const auto head_dim = static_cast<std::size_t>(problem.score_dim());  // of queries and keys
    const float* at_scores = head_of(gradients_.scores, h).data();
    const float* query = head_of(trace.scored_query(), h).data();
    factor_.pack(head_of(trace.scored_key(), problem.kv_head(h)).data(), head_dim, T, head_dim);
    const std::size_t stride = factor_.row_stride();
    reserve(product_, kRowsAtOnce * stride);
    for (std::size_t first = 0; first < T; first += kRowsAtOnce) {
        const std::size_t rows = std::min<std::size_t>(kRowsAtOnce, T - first);
        const auto begin = seen_.begin() + static_cast<std::ptrdiff_t>(first);
        const int seen = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(rows));
        factor_.multiply_first(static_cast<std::size_t>(seen), at_scores + first * T, T, rows, product_.data());
        copy_rows(product_.data(), stride, rows, head_dim, head_of(gradients_.query, h).data() + first * head_dim);
    }
    reserve(sums_, T * stride);
    std::fill_n(sums_.data(), T * stride, 0.0F);
    for (std::size_t first = 0; first < T; first += kRowsAtOnce) {
        const std::size_t rows = std::min<std::size_t>(kRowsAtOnce, T - first);
        const auto begin = seen_.begin() + static_cast<std::ptrdiff_t>(first);
        const int seen = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(rows));
        factor_.pack(query + first * head_dim, head_dim, rows, head_dim);
        add_transposed(at_scores + first * T, T, rows, static_cast<std::size_t>(seen), factor_, sums_);
    }
    put_shared(problem, h, gradients_.key);
}

// From sums_ to the keys or values that head h reads: the first head of those that read them puts its own, others add.
void BackwardPass::put_shared(const AttentionProblem& problem, int h, Cube& heads) {
    const int shared = problem.kv_head(h);
    const std::span<float> to = head_of(heads, shared);
    const std::size_t head_dim = heads.shape(2);
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t stride = (head_dim + width - 1) / width * width;
    if (h == shared * problem.heads_per_kv_head())
        return copy_rows(sums_.data(), stride, heads.shape(1), head_dim, to.data());
    for (std::size_t i = 0; i < heads.shape(1); ++i) {
        for (std::size_t c = 0; c < head_dim; ++c) to[i * head_dim + c] += sums_.data()[i * stride + c];
    }
}

}  // namespace attn
