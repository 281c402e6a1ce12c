// A layer as rows: which operation makes which tensor of which others, forward and backward. Everything that computes,
// differentiates or explains a stage asks these rows, and so no other place has to know what a stage is made of.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/graph/tensor_id.h"

namespace attn {

// Each has a file in this folder, which gives its values and its terms. Shapes are (matrices, rows, columns); where the
// second operand has fewer matrices than the first, neighbouring heads share one.
enum class Operation : std::uint8_t {
    add_positions,  // token vectors + positions
    project,        // x . w + b, cut into heads; without w x itself
    rms_norm,       // over the root mean square of the row, times a weight a column
    rotate,         // pairs of columns turned by an angle of the row's position; x itself, and the second turned behind
    absorb,         // a head's queries times the transpose of its columns of w_key
    dot,            // y(i, j) = row i of the first . row j of the second
    scale,          // over the divisor of the scores
    cap,            // cap * tanh(x / cap), of scores or logits
    add_alibi,      // minus slope * distance
    mask,           // -inf at hidden keys
    softmax,        // of each row, with a sink's logit beside it where there is one
    sink_share,     // what the sink takes of each row
    mask_weights,   // 0 at hidden keys; then each row over its sum, where the settings say so
    drop,           // dropout: over 1 - p, or 0
    mix,            // y(i) = sum over j of first(i, j) * row j of the second; with a mask over the keys that i sees
    merge,          // heads side by side
    project_grad_x,  // from here on those of the backward pass alone
    project_grad_w,
    project_grad_b,
    rms_norm_grad_x,
    rms_norm_grad_w,
    rotate_grad,
    rotate_own_grad,
    copy,
    cap_grad,
    softmax_grad,
    sink_grad,
    mask_weights_grad,
    mix_by_key,        // y(j) = sum over i of first(i, j) * row i of the second, and over the heads that share row j
    mix_grad_weights,  // y(i, j) = row i of the first . row j of the second; 0 at hidden keys
    split,             // cut into heads
    pattern_grad,      // of the loss of a pattern at the weights
    next_grad,         // of the loss of the next word at the logits
};
inline constexpr std::size_t kNumOperations = static_cast<std::size_t>(Operation::next_grad) + 1;

// The first of its tensors that the layer has.
class Operand {
public:
    constexpr Operand() = default;
    constexpr Operand(TensorId one) : ids_{one, one}, count_(1) {}
    constexpr Operand(TensorId first, TensorId otherwise) : ids_{first, otherwise}, count_(2) {}
    constexpr Operand(TensorId first, TensorId second, TensorId otherwise)
        : ids_{first, second, otherwise}, count_(3) {}

    std::span<const TensorId> ids() const { return std::span(ids_).first(count_); }

private:
    std::array<TensorId, 3> ids_ = {};
    std::size_t count_ = 0;
};

// How a layer makes a tensor. A row counts where the layer has the result and the first operand; the others may be
// absent.
struct LayerRow {
    TensorId result;
    Operation operation;
    std::array<Operand, 3> operands;
};

// In the order in which they are computed.
inline constexpr std::array kLayerRows = [] {
    using enum TensorId;
    using Op = Operation;
    const Operand of_queries(query_latents, embeddings), of_keys(latents, embeddings);
    const Operand turned_q(normed_queries, queries), turned_k(normed_keys, keys);
    const Operand scored_q(rotated_queries, normed_queries, queries), scored_k(rotated_keys, normed_keys, keys);
    const Operand unbiased_scores(capped_scores, scaled_scores), mixing(dropped_weights, weights);
    const Operand unmasked_scores(biased_scores, capped_scores, scaled_scores);
    return std::array{
        LayerRow{embeddings, Op::add_positions, {token_vectors, positions}},
        LayerRow{query_latents, Op::project, {embeddings, w_down_query}},
        LayerRow{latents, Op::project, {embeddings, w_down_kv}},
        LayerRow{queries, Op::project, {of_queries, w_query, b_query}},
        LayerRow{keys, Op::project, {of_keys, w_key, b_key}},
        LayerRow{values, Op::project, {of_keys, w_value, b_value}},
        LayerRow{absorbed_queries, Op::absorb, {queries, w_key}},
        LayerRow{position_queries, Op::project, {of_queries, w_query_rope}},
        LayerRow{position_keys, Op::project, {embeddings, w_key_rope}},
        LayerRow{normed_queries, Op::rms_norm, {queries, q_norm}},
        LayerRow{normed_keys, Op::rms_norm, {keys, k_norm}},
        LayerRow{rotated_queries, Op::rotate, {turned_q, position_queries}},
        LayerRow{rotated_keys, Op::rotate, {turned_k, position_keys}},
        LayerRow{scores, Op::dot, {scored_q, scored_k}},
        LayerRow{scaled_scores, Op::scale, {scores}},
        LayerRow{capped_scores, Op::cap, {scaled_scores}},
        LayerRow{biased_scores, Op::add_alibi, {unbiased_scores}},
        LayerRow{masked_scores, Op::mask, {unmasked_scores, TensorId::mask}},
        LayerRow{unmasked_weights, Op::softmax, {unmasked_scores}},
        LayerRow{weights, Op::softmax, {masked_scores, sink_logits}},
        LayerRow{weights, Op::mask_weights, {unmasked_weights, TensorId::mask}},
        LayerRow{sink_weights, Op::sink_share, {masked_scores, sink_logits}},
        LayerRow{dropped_weights, Op::drop, {weights, keep_mask}},
        LayerRow{mixed_latents, Op::mix, {mixing, latents, TensorId::mask}},
        LayerRow{context, Op::mix, {mixing, values, TensorId::mask}},
        LayerRow{merged, Op::merge, {context}},
        LayerRow{output, Op::project, {merged, w_out, b_out}},
        LayerRow{logits, Op::dot, {Operand(output, merged), vocabulary}},
        LayerRow{capped_logits, Op::cap, {logits}},
        LayerRow{probabilities, Op::softmax, {Operand(capped_logits, logits)}},
    };
}();

// What an operation of the backward pass takes: the gradient at the result of the forward one, that result, or one of
// its operands.
enum class From : std::uint8_t { none, gradient, result, first, second, third };

// The backward pass of an operation: `adds` is added to the gradient of operand number `operand`.
struct BackwardRow {
    Operation of;
    std::size_t operand;
    Operation adds;
    std::array<From, 3> operands;
};

inline constexpr std::array kBackwardRows = {
    BackwardRow{Operation::project, 0, Operation::project_grad_x, {From::gradient, From::second}},
    BackwardRow{Operation::project, 1, Operation::project_grad_w, {From::gradient, From::first}},
    BackwardRow{Operation::project, 2, Operation::project_grad_b, {From::gradient}},
    BackwardRow{Operation::rms_norm, 0, Operation::rms_norm_grad_x, {From::gradient, From::first, From::second}},
    BackwardRow{Operation::rms_norm, 1, Operation::rms_norm_grad_w, {From::gradient, From::first}},
    BackwardRow{Operation::rotate, 0, Operation::rotate_grad, {From::gradient, From::second}},
    BackwardRow{Operation::rotate, 1, Operation::rotate_own_grad, {From::gradient}},
    BackwardRow{Operation::dot, 0, Operation::mix, {From::gradient, From::second}},
    BackwardRow{Operation::dot, 1, Operation::mix_by_key, {From::gradient, From::first}},
    BackwardRow{Operation::scale, 0, Operation::scale, {From::gradient}},
    BackwardRow{Operation::cap, 0, Operation::cap_grad, {From::gradient, From::result}},
    BackwardRow{Operation::add_alibi, 0, Operation::copy, {From::gradient}},
    BackwardRow{Operation::mask, 0, Operation::copy, {From::gradient}},
    BackwardRow{Operation::softmax, 0, Operation::softmax_grad, {From::gradient, From::result}},
    BackwardRow{Operation::softmax, 1, Operation::sink_grad, {From::gradient, From::result}},
    BackwardRow{Operation::mask_weights, 0, Operation::mask_weights_grad, {From::gradient, From::result, From::first}},
    BackwardRow{Operation::drop, 0, Operation::drop, {From::gradient, From::second}},
    BackwardRow{Operation::mix, 0, Operation::mix_grad_weights, {From::gradient, From::second}},
    BackwardRow{Operation::mix, 1, Operation::mix_by_key, {From::first, From::gradient, From::third}},
    BackwardRow{Operation::merge, 0, Operation::split, {From::gradient}},
};

}  // namespace attn
