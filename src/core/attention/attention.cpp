// What follows from a problem without computing it: its mask, its divisor, the stages it has.
#include "core/attention/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/score_changes.h"
#include "core/ground/check.h"

namespace attn {

int AttentionProblem::d_out() const {
    return projections->w_query.size() == 0 ? d_in() : length(projections->w_query, 1);
}

Flags make_mask(Mask mask, int num_tokens, const MaskWindow& window) {
    Flags hidden = zeros<Flags>(num_tokens, num_tokens);
    for (int i = 0; i < num_tokens; ++i) {
        const std::span<std::uint8_t> row = row_of(hidden, i);
        if (mask == Mask::causal) std::fill(row.begin() + i + 1, row.end(), std::uint8_t{1});
        if (window.keys == 0) continue;
        for (int j = 0; j < num_tokens; ++j) {
            if (window.hides(i, j)) row[static_cast<std::size_t>(j)] = 1;
        }
    }
    return hidden;
}

TensorId scores_before_mask(const LayerParts& parts) {
    if (parts.is_alibi) return TensorId::biased_scores;
    return parts.has_cap ? TensorId::capped_scores : TensorId::scaled_scores;
}

TensorId softmax_source(const LayerParts& parts) {
    return parts.mask_at == MaskAt::before ? TensorId::masked_scores : scores_before_mask(parts);
}

TensorId softmax_source_of_words(const LayerParts& parts) {
    return parts.has_logit_cap ? TensorId::capped_logits : TensorId::logits;
}

TensorId scored_queries(const LayerParts& parts) {
    if (parts.is_rotary) return TensorId::rotated_queries;
    return parts.has_qk_norm ? TensorId::normed_queries : TensorId::queries;
}

TensorId scored_keys(const LayerParts& parts) {
    if (parts.is_rotary) return TensorId::rotated_keys;
    return parts.has_qk_norm ? TensorId::normed_keys : TensorId::keys;
}

TensorId weights_of_values(const LayerParts& parts) {
    return parts.has_dropout ? TensorId::dropped_weights : TensorId::weights;
}

float score_divisor(const AttentionSettings& settings, int head_dim) {
    double scale = 1;
    const int score_dim = head_dim + rope_dim_of(settings);
    if (settings.scale == Scale::sqrt) scale = std::sqrt(static_cast<double>(score_dim));
    if (settings.scale == Scale::dim) scale = score_dim;
    return static_cast<float>(scale * static_cast<double>(settings.temperature));
}

double slope_of_head(const AttentionSettings& settings, int head) {
    const AlibiSettings& alibi = settings.alibi;
    if (!is_alibi(settings)) return 0;
    return alibi_slope(alibi.first_head + head, alibi.num_heads == 0 ? settings.num_heads : alibi.num_heads);
}

float keep_scale(double dropout) {
    return 1.0f / static_cast<float>(1.0 - dropout);
}

bool is_ready(const AttentionTrace& trace, TensorId stage, int head) {
    if (stage == TensorId::embeddings) return true;
    if (needs_goal(stage)) return trace.gradients != nullptr;
    if (stage == TensorId::merged || stage == TensorId::output) return trace.ready.output;
    if (is_block_stage(stage)) return trace.block != nullptr;
    if (!trace.ready.heads.empty() && trace.ready.heads[static_cast<std::size_t>(head)] != 0) return true;
    return trace.ready.roles && stage != TensorId::dropped_weights && stage != TensorId::mixed_latents &&
           stage != TensorId::sink_weights && stage != TensorId::context;
}

namespace {

struct PartOfTensor {
    TensorId tensor;
    bool LayerParts::* part;
};

constexpr std::array kParts = std::to_array<PartOfTensor>({
    {TensorId::query_latents, &LayerParts::has_query_latent},
    {TensorId::latents, &LayerParts::has_latent},
    {TensorId::absorbed_queries, &LayerParts::has_latent},
    {TensorId::mixed_latents, &LayerParts::has_latent},
    {TensorId::position_queries, &LayerParts::has_own_rotary},
    {TensorId::position_keys, &LayerParts::has_own_rotary},
    {TensorId::normed_queries, &LayerParts::has_qk_norm},
    {TensorId::normed_keys, &LayerParts::has_qk_norm},
    {TensorId::rotated_queries, &LayerParts::is_rotary},
    {TensorId::rotated_keys, &LayerParts::is_rotary},
    {TensorId::capped_scores, &LayerParts::has_cap},
    {TensorId::capped_logits, &LayerParts::has_logit_cap},
    {TensorId::biased_scores, &LayerParts::is_alibi},
    {TensorId::sink_weights, &LayerParts::has_sink},
    {TensorId::dropped_weights, &LayerParts::has_dropout},
    {TensorId::output, &LayerParts::has_out},
    {TensorId::before, &LayerParts::has_block},
    {TensorId::attention_out, &LayerParts::has_attention_out},
    {TensorId::attention_added, &LayerParts::has_attention_added},
    {TensorId::middle, &LayerParts::has_block},
    {TensorId::mlp_input, &LayerParts::has_mlp},
    {TensorId::mlp_gate, &LayerParts::has_mlp_gate},
    {TensorId::mlp_sums, &LayerParts::has_mlp},
    {TensorId::mlp_hidden, &LayerParts::has_mlp},
    {TensorId::mlp_out, &LayerParts::has_mlp_out},
    {TensorId::mlp_added, &LayerParts::has_mlp},
    {TensorId::after, &LayerParts::has_block},
    {TensorId::final_stream, &LayerParts::has_final_stream},
    {TensorId::logit_input, &LayerParts::has_logit_input},
    {TensorId::w_query, &LayerParts::has_matrices},
    {TensorId::w_key, &LayerParts::has_matrices},
    {TensorId::w_value, &LayerParts::has_matrices},
    {TensorId::b_query, &LayerParts::has_bias},
    {TensorId::b_key, &LayerParts::has_bias},
    {TensorId::b_value, &LayerParts::has_bias},
    {TensorId::w_out, &LayerParts::has_out},
    {TensorId::b_out, &LayerParts::has_out},
    {TensorId::w_down_query, &LayerParts::has_query_latent},
    {TensorId::w_down_kv, &LayerParts::has_latent},
    {TensorId::w_query_rope, &LayerParts::has_own_rotary},
    {TensorId::w_key_rope, &LayerParts::has_own_rotary},
    {TensorId::q_norm, &LayerParts::has_qk_norm},
    {TensorId::k_norm, &LayerParts::has_qk_norm},
    {TensorId::sink_logits, &LayerParts::has_sink},
});

// What no weight depends on.
constexpr std::array kBehindWeights = {TensorId::capped_logits, TensorId::logits,  TensorId::output,
                                       TensorId::merged,        TensorId::context, TensorId::dropped_weights,
                                       TensorId::values,        TensorId::w_value, TensorId::b_value,
                                       TensorId::w_out,         TensorId::b_out};

// Whether the part that has the tensor is in the layer, and compiled in.
bool has_part(TensorId tensor, const LayerParts& parts) {
    if (!kHasLatents && has_columns_of_latents(tensor)) return false;
    bool LayerParts::* const part = part_with(tensor);
    if (!kHasSinks && part == &LayerParts::has_sink) return false;
    return part == nullptr || parts.*part;
}

bool has_forward_stage(TensorId stage, const LayerParts& parts) {
    // A rotary position stands between the query and the matrix that would be absorbed into it, unless it turns numbers
    // of its own.
    if (stage == TensorId::absorbed_queries && parts.is_rotary && !parts.has_own_rotary) return false;
    return has_part(stage, parts) && exists_with(parts.mask_at, stage);
}

}  // namespace

bool LayerParts::* part_with(TensorId tensor) {
    const auto found = std::ranges::find(kParts, tensor, &PartOfTensor::tensor);
    return found == kParts.end() ? nullptr : found->part;
}

bool is_behind_weights(TensorId tensor) {
    return std::ranges::find(kBehindWeights, tensor) != kBehindWeights.end();
}

namespace {

// Whether the loss depends on the tensor.
bool has_gradient(TensorId gradient, GoalKind goal, const LayerParts& parts) {
    const TensorId tensor = tensor_of_gradient(gradient);
    if (goal != GoalKind::next && is_behind_weights(tensor)) return false;
    if (is_learned(tensor)) return has_learned(tensor, parts);
    return needs_goal(tensor) ? has_part(tensor, parts) : has_forward_stage(tensor, parts);
}

}  // namespace

LayerParts layer_parts(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    LayerParts parts = {.has_matrices = p.w_query.size() != 0,
                        .has_bias = p.b_query.size() != 0,
                        .has_out = p.w_out.size() != 0,
                        .has_dropout = problem.settings.dropout > 0,
                        .has_query_latent = problem.query_latent() != 0,
                        .has_latent = problem.latent() != 0,
                        .is_rotary = is_rotary(problem.settings),
                        .is_alibi = is_alibi(problem.settings),
                        .has_cap = is_capped(problem.settings),
                        .has_logit_cap = problem.settings.logit_cap > 0,
                        .has_own_rotary = problem.rope_dim() != 0,
                        .has_qk_norm = problem.has_qk_norm(),
                        .has_sink = problem.has_sink(),
                        .mask_at = problem.settings.mask_at};
    if (kOpensModels && problem.block.is_there) parts.add_block(problem.block);
    return parts;
}

void LayerParts::add_block(const BlockParts& block) {
    has_block = block.is_there;
    has_attention_out = block.is_there && block.norms_outputs && !block.has_output;
    has_attention_added = block.is_there && (block.norms_outputs || !block.has_output);
    has_mlp = block.mlp_width != 0;
    has_mlp_gate = block.has_mlp_gate;
    has_mlp_out = has_mlp && block.norms_outputs;
    norms_inputs = block.norms_inputs;
    norms_sums = block.norms_sums;
    is_parallel = block.is_parallel;
    has_final_stream = block.is_last;
    has_logit_input = block.is_last && block.has_own_head;
}

namespace {

struct BlockStage {
    TensorId id;
    Matrix BlockStages::* matrix;
};
constexpr std::array kBlockStages = {BlockStage{TensorId::before, &BlockStages::before},
                                     BlockStage{TensorId::attention_out, &BlockStages::attention_out},
                                     BlockStage{TensorId::attention_added, &BlockStages::attention_added},
                                     BlockStage{TensorId::middle, &BlockStages::middle},
                                     BlockStage{TensorId::mlp_input, &BlockStages::mlp_input},
                                     BlockStage{TensorId::mlp_gate, &BlockStages::mlp_gate},
                                     BlockStage{TensorId::mlp_sums, &BlockStages::mlp_sums},
                                     BlockStage{TensorId::mlp_hidden, &BlockStages::mlp_hidden},
                                     BlockStage{TensorId::mlp_out, &BlockStages::mlp_out},
                                     BlockStage{TensorId::mlp_added, &BlockStages::mlp_added},
                                     BlockStage{TensorId::after, &BlockStages::after},
                                     BlockStage{TensorId::final_stream, &BlockStages::final_stream},
                                     BlockStage{TensorId::logit_input, &BlockStages::logit_input}};

}  // namespace

const Matrix* block_matrix(const BlockStages& block, TensorId id) {
    const auto found = std::ranges::find(kBlockStages, id, &BlockStage::id);
    return found == kBlockStages.end() ? nullptr : &(block.*found->matrix);
}

bool has_stage(const AttentionProblem& problem, TensorId stage) {
    return has_stage(stage, problem.goal.kind, layer_parts(problem));
}

bool has_stage(TensorId stage, GoalKind goal, const LayerParts& parts) {
    if (!is_stage(stage)) return false;
    if (!kHasLatents && has_columns_of_latents(stage)) return false;
    if (!needs_goal(stage)) return has_forward_stage(stage, parts);
    if (goal == GoalKind::none) return false;
    return is_gradient(stage) ? has_gradient(stage, goal, parts) : goal == GoalKind::next && has_part(stage, parts);
}

bool has_learned(TensorId tensor, const LayerParts& parts) {
    ATTN_CHECK(is_learned(tensor), tensor_name(tensor), " is not learned");
    return has_part(tensor, parts);
}

Sizes sizes_of(const AttentionProblem& problem) {
    return {.num_tokens = problem.num_tokens(),
            .d_in = problem.d_in(),
            .d_out = problem.d_out(),
            .num_heads = problem.settings.num_heads,
            .num_words = length(problem.goal.vocabulary, 0),
            .num_kv_heads = problem.settings.num_kv_heads,
            .query_latent = problem.query_latent(),
            .latent = problem.latent(),
            .rope_dim = problem.rope_dim(),
            .mlp_width = problem.block.mlp_width};
}

}  // namespace attn
