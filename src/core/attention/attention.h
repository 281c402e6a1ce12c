// What decides the numbers of multi-head attention (the problem), and the numbers (the trace). core/operations
// computes them in plain loops, core/fast/attend.h fast. Vaswani et al. 2017, section 3.2; the heads are cut from one
// matrix a role, as the lectures do.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/attention/goal.h"
#include "core/attention/masking.h"
#include "core/attention/projections.h"
#include "core/attention/rotary.h"
#include "core/attention/stages.h"
#include "core/attention/weight_rows.h"
#include "core/ground/shared.h"
#include "core/ground/tensor.h"

namespace attn {

enum class Mask { causal, none };

// How far a query sees. `keys` 0: as far as the mask lets it. Else key j is hidden from query i when j <= i - keys, so
// the last `keys` keys stay, the query's own among them (as in Mistral and GPT-Neo); without a causal mask also when
// j >= i + keys, the same to the other side. The first `sinks` keys stay visible whatever the window says, unless they
// are later ones under a causal mask (the cache policy of StreamingLLM, Xiao et al. 2023, 2309.17453).
struct MaskWindow {
    int keys = 0;   // >= 0
    int sinks = 0;  // >= 0; counts only with keys

    bool hides(int query, int key) const {
        return keys != 0 && key >= sinks && (key <= query - keys || key >= query + keys);
    }
};

enum class Scale { sqrt, none, dim };  // scores divided by sqrt(d), 1, d; d numbers make a score

// Queries and keys are turned by their positions before they meet (see rotary.h): token i stands at position i + shift.
struct RotarySettings {
    bool is_on = false;
    RotaryPairs pairs = RotaryPairs::halves;
    double base = 10000;  // >= 1
    int shift = 0;        // |position| <= kMaxRotaryPosition for every token
    // Even. Above 0: queries and keys are not turned; so many numbers more are, which are made for that alone and stand
    // behind those of each query and key (DeepSeek-V2, 2405.04434, section 2.1.3; see Projections).
    int own_dim = 0;

    bool operator==(const RotarySettings&) const = default;
};

// Scaled scores lose what is farther away (ALiBi, see score_changes.h).
struct AlibiSettings {
    bool is_on = false;
    int first_head = 0;  // where the problem is a part of another one's heads: the first of them there,
    int num_heads = 0;   // and how many there are; 0: as many as here

    bool operator==(const AlibiSettings&) const = default;
};

struct AttentionSettings {
    int num_heads = 1;     // divides d_out
    int num_kv_heads = 0;  // heads of keys and values: divides num_heads; 0: as many as num_heads
    Mask mask = Mask::causal;
    MaskWindow window = {};
    MaskAt mask_at = MaskAt::before;
    Scale scale = Scale::sqrt;
    float temperature = 1;       // > 0; scores are divided by it too
    float score_cap = 0;         // > 0: scaled scores stay between -cap and cap (see score_changes.h); 0: no cap
    float logit_cap = 0;         // the same of the logits of goal `next`
    RotarySettings rotary = {};  // head_dim is even where it is on without numbers of its own
    AlibiSettings alibi = {};
    double dropout = 0;  // p, 0 <= p < 1
    std::uint64_t dropout_seed = 0;
    std::uint64_t dropout_skip = 0;  // elements of the keep mask that earlier sentences of the batch used
};

// A number that somebody typed in the place of what the projection gives: row = token, column = 0 to role_width - 1,
// before the cut into heads.
struct TypedNumber {
    TensorId role = TensorId::queries;  // queries, keys or values
    int row = 0;
    int column = 0;
    float value = 0;
};

// Which stages a layer of a model has around its attention: the residual stream, the MLP, and what the model makes of
// the stream behind its last layer.
struct BlockParts {
    bool is_there = false;       // a stream: the problem is the attention of a model's layer
    bool norms_inputs = true;    // x + f(norm(x)), as most have it
    bool norms_sums = false;     // norm(x + f(x)), as BERT
    bool norms_outputs = false;  // x + norm(f(x)), as OLMo 2, with the first also Gemma 2
    bool is_parallel = false;    // the MLP works on the stream that comes in, too
    bool has_output = false;     // the output projection gives the stage `output`: no head is off
    int mlp_width = 0;           // 0: no MLP
    bool has_mlp_gate = false;
    bool is_last = false;       // the stream that goes out is the model's final stream, but for a norm
    bool has_own_head = false;  // and the logits are not made of that alone, as in BERT

    bool operator==(const BlockParts&) const = default;
};

// Their numbers, which a model computes (model/layers/layer_work.h): (T, d_in) or (T, mlp_width); size 0 where the
// layer does not have the stage.
struct BlockStages {
    Matrix before;           // the residual stream that comes in
    Matrix attention_out;    // the output projection, where its norm is added; as mlp_out
    Matrix attention_added;  // what the attention adds to it
    Matrix middle;           // the stream between attention and MLP
    Matrix mlp_input;        // what the MLP works on
    Matrix mlp_gate, mlp_sums;
    Matrix mlp_hidden;                 // the sums after the activation
    Matrix mlp_out;                    // the MLP's last product
    Matrix mlp_added;                  // what the MLP adds to the stream
    Matrix after;                      // the stream that goes out
    Matrix final_stream, logit_input;  // of the last layer
};

// The stage's numbers; null for a tensor that is none of these.
const Matrix* block_matrix(const BlockStages& block, TensorId id);

struct Gradients;  // core/learn/gradients.h

// All that decides the numbers of one sentence.
struct AttentionProblem {
    Matrix embeddings;                // (T, d_in), positions and edits included; T >= 1
    Shared<Projections> projections;  // edits included
    Flags hidden;                     // (T, T), 1 where key j is hidden from query i; each row shows at least one key
    AttentionSettings settings;
    std::vector<TypedNumber> typed_roles = {};  // at most one a cell
    Goal goal = {};                             // decides the gradients alone
    BlockParts block = {};                      // what a model has around the attention; decides no number of it

    int num_tokens() const { return static_cast<int>(embeddings.shape(0)); }
    int d_in() const { return static_cast<int>(embeddings.shape(1)); }
    int d_out() const;  // columns of w_query, or d_in when there are no matrices
    int head_dim() const { return d_out() / settings.num_heads; }

    // Heads of keys and values. Fewer than heads: groups of query heads read the same ones (Shazeer 2019 with one,
    // Ainslie et al. 2023 with some).
    int num_kv_heads() const { return settings.num_kv_heads == 0 ? settings.num_heads : settings.num_kv_heads; }
    int heads_per_kv_head() const { return settings.num_heads / num_kv_heads(); }
    int kv_head(int head) const { return head / heads_per_kv_head(); }  // whose keys and values this head reads
    // Widths of the latent vectors (see Projections); 0: queries, or keys and values, are made of the embeddings.
    int query_latent() const { return width_of(projections->w_down_query); }
    int latent() const { return width_of(projections->w_down_kv); }
    // Numbers of a query or key that are turned alone, and of all that a score is the products of.
    int rope_dim() const;
    int score_dim() const { return head_dim() + rope_dim(); }
    // The stage that queries, keys, values, position queries or position keys are projected from.
    TensorId source_of(TensorId role) const {
        if (role == TensorId::position_keys) return TensorId::embeddings;
        if (role == TensorId::queries || role == TensorId::position_queries)
            return query_latent() == 0 ? TensorId::embeddings : TensorId::query_latents;
        return latent() == 0 ? TensorId::embeddings : TensorId::latents;
    }
    // Whether each row's softmax has a sink beside its keys (see Projections::sink_logits).
    bool has_sink() const {
        return kHasSinks && projections->sink_logits.size() != 0 && settings.mask_at == MaskAt::before;
    }
    // Whether each head's queries and keys are normed before they are turned or meet (see rms_norm.h).
    bool has_qk_norm() const { return !kForwardOnly && projections->q_norm.size() != 0; }
    // Columns of queries, keys or values before the cut into heads.
    int role_width(TensorId role) const { return role == TensorId::queries ? d_out() : num_kv_heads() * head_dim(); }

private:
    static int width_of(const Matrix& down) { return kHasLatents && down.size() != 0 ? length(down, 1) : 0; }
};

// Whether queries and keys are rotated, and scaled scores capped or biased.
constexpr bool is_rotary(const AttentionSettings& settings) {
    return !kForwardOnly && settings.rotary.is_on;
}
constexpr bool is_capped(const AttentionSettings& settings) {
    return !kForwardOnly && settings.score_cap > 0;
}
constexpr bool is_alibi(const AttentionSettings& settings) {
    return !kForwardOnly && settings.alibi.is_on;
}
// How many numbers of a query or key are made to be turned alone; 0: none.
constexpr int rope_dim_of([[maybe_unused]] const AttentionSettings& settings) {
    return kHasLatents && is_rotary(settings) ? settings.rotary.own_dim : 0;
}
inline int AttentionProblem::rope_dim() const {
    return rope_dim_of(settings);
}

struct LayerParts;
// What the mask and the softmax take in: biased, capped or scaled scores; and what a softmax is taken of.
TensorId scores_before_mask(const LayerParts& parts);
TensorId softmax_source(const LayerParts& parts);
// What the probabilities of the words are the softmax of: logits, or these capped.
TensorId softmax_source_of_words(const LayerParts& parts);
// What the scores are the products of: queries or keys, these normed, or rotated.
TensorId scored_queries(const LayerParts& parts);
TensorId scored_keys(const LayerParts& parts);
// What the values are multiplied by: the weights, or what dropout leaves of them.
TensorId weights_of_values(const LayerParts& parts);

// The mask before edits: (T, T), causal hides key j from query i when j > i, the window what it says.
Flags make_mask(Mask mask, int num_tokens, const MaskWindow& window = {});

// What the scores are divided by: the scale times the temperature. The scale counts all numbers that a score is the
// products of: head_dim, and those that are turned alone.
float score_divisor(const AttentionSettings& settings, int head_dim);

// How fast the scaled scores of a head fall with the distance; 0 without ALiBi.
double slope_of_head(const AttentionSettings& settings, int head);

// What dropout multiplies a kept weight by: 1 / (1 - p), rounded to float once for the division, as PyTorch does, which
// multiplies the weights by a tensor of 0 and 1 / (1 - p).
float keep_scale(double dropout);

// How far a trace is.
struct Readiness {
    bool roles = false;               // query, key and value
    std::vector<std::uint8_t> heads;  // [num_heads], 1 where weights, keep and context are there
    bool output = false;              // merged and output: all is there
};

// What attend() computed. The weights are the only (num_heads, T, T) float tensor that is kept; the other stages with a
// number a pair of tokens follow from query and key row by row and are made when asked for (stage_matrix), bit for bit
// as attend() made them. The gradients are another's work (core/learn): attend() leaves them out.
struct AttentionTrace {
    Matrix query_latents, latents;  // (T, query_latent), (T, latent); size 0 without
    Cube query;                     // (num_heads, T, head_dim)
    Cube key, value;                // (num_kv_heads, T, head_dim)
    Cube position_query;            // (num_heads, T, rope_dim); size 0 without numbers that are turned alone
    Matrix position_key;            // (T, rope_dim), for all heads; the same
    Cube changed_query;             // (num_heads, T, score_dim), normed, rotated or both; size 0 where neither
    Cube changed_key;               // (num_kv_heads, T, score_dim); the same
    WeightRows weights;             // (num_heads, T, T), after softmax and mask, before dropout
    Cube sink_weights;  // (num_heads, T, 1), how far each row of them falls short of 1; size 0 without a sink
    FlagCube keep;      // (num_heads, T, T), the dropout keep mask; size 0 without dropout
    Cube context;       // (num_heads, T, head_dim)
    Matrix merged;      // (T, d_out), heads side by side
    Matrix output;      // (T, d_out); size 0 without an output projection
    Readiness ready;
    // What the scores are made of.
    const Cube& scored_query() const { return changed_query.size() != 0 ? changed_query : query; }
    const Cube& scored_key() const { return changed_key.size() != 0 ? changed_key : key; }
    std::shared_ptr<const Gradients> gradients = {};  // of the problem's goal; null until all else is there
    std::shared_ptr<const BlockStages> block = {};    // of a model's layer; null until somebody computes them
};

// Whether stage_matrix and stage_row can give this stage of this head already: embeddings always; queries, keys, values
// and what follows from queries and keys alone (up to the weights) with them; dropped weights, mixed latents and
// context with their head; merged and output at the end, what belongs to the goal with the gradients, what stands
// around the attention with the block. `head` as in stage_matrix.
bool is_ready(const AttentionTrace& trace, TensorId stage, int head);

// Whether this problem has the stage: `dropped_weights` needs dropout, `output` an output projection, `masked_scores` a
// mask before the softmax, `unmasked_weights` one after it, `query_latents` a query latent, `latents`,
// `absorbed_queries` and `mixed_latents` a latent, normed queries and keys their norms, rotated queries and keys rotary
// positions, `position_queries` and `position_keys` numbers that are turned alone, `capped_scores` a cap,
// `biased_scores` ALiBi, `sink_weights` a sink; `logits`, `probabilities` and gradients need a goal, `capped_logits` a
// cap besides, and only those tensors have a gradient that the loss depends on; the stages of a block need a model.
bool has_stage(const AttentionProblem& problem, TensorId stage);

// The same from what decides it, and what decides the words of stages (stage_words.h).
struct LayerParts {
    bool has_matrices = false, has_bias = false, has_out = false, has_dropout = false;
    bool has_query_latent = false, has_latent = false;
    bool is_rotary = false, is_alibi = false, has_cap = false, has_logit_cap = false;
    bool has_own_rotary = false;  // is_rotary, in numbers of its own
    bool has_qk_norm = false, has_sink = false;
    bool has_block = false, has_attention_added = false;  // a model's: its stream, and what is added where not `output`
    bool has_attention_out = false, has_mlp_out = false;  // where the norms of these are added
    bool has_mlp = false, has_mlp_gate = false;
    bool norms_inputs = true, norms_sums = false, is_parallel = false;
    bool has_final_stream = false, has_logit_input = false;  // behind its last layer
    MaskAt mask_at = MaskAt::before;

    // What a model has around its attention.
    [[gnu::noinline]] void add_block(const BlockParts& block);
};
LayerParts layer_parts(const AttentionProblem& problem);
bool has_stage(TensorId stage, GoalKind goal, const LayerParts& parts);
// What a pattern, which is asked of the weights, does not depend on.
bool is_behind_weights(TensorId tensor);
// Whether the layer has this tensor, of those that is_learned().
bool has_learned(TensorId tensor, const LayerParts& parts);
// The part of a layer that has this stage or learned tensor, &LayerParts::has_dropout for dropped_weights; null where
// every layer has it, or where the place of the mask decides (exists_with).
bool LayerParts::* part_with(TensorId tensor);

// Those that the problem's own tensors have.
Sizes sizes_of(const AttentionProblem& problem);

}  // namespace attn
