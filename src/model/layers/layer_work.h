// One layer of a model, fast: its attention is a problem of the core, around it norms, sums and the MLP. In slices, the
// same bits whatever they are. forward_reference.cpp computes the same in plain loops.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/fast/attention_work.h"
#include "model/layers/activations.h"
#include "model/layers/blocked_product.h"
#include "model/layers/edited_layer.h"
#include "model/layers/model_input.h"
#include "model/layers/problem_work.h"
#include "model/layers/row_attention.h"

namespace attn {

// Everything in a layer: what stands around its attention, and the attention. Names and shapes as in ReferenceLayer.
struct LayerTrace : BlockStages {
    AttentionProblem problem;  // its embeddings are the attention's input
    AttentionTrace attention;  // of all heads, also of those that are off or patched
    Matrix merged;             // (T, attention_width), heads that are off or patched replaced
};

// What a layer has around its attention.
BlockParts block_parts(const Model& model, int layer, bool replaces_heads);

// Puts what heads that are off hand on into the heads side by side of a layer, (T, attention_width): 0, or their mean
// over the tokens.
void switch_heads_off(const Model& model, const ModelInput& input, int layer, Matrix& merged);

// Puts what patched heads hand on into the same. `taken`: the rows of this layer, in the order of the patches; `values`
// of the layer, (num_kv_heads, T, head_dim).
void take_heads(const Model& model, const TakenRows& taken, const Cube& values, Matrix& merged);
// How many of a taken row's weights are of keys that a text of `num_tokens` has.
int num_taken_keys(const TakenRow& taken, int num_tokens);

// One of the rows that a token's vector is the sum of, each times `scale`.
struct EmbeddedRow {
    enum class Of { token, position, type } of = Of::token;
    const ModelTensor* table = nullptr;
    int row = 0;
    float scale = 1;
};
// All of them, in the order they are added. `positions` is position_rows_of the input.
std::vector<EmbeddedRow> embedded_rows(const Model& model, const ModelInput& input, int token,
                                       std::span<const int> positions);

// What goes into the first layer: (T, width).
Matrix embed(const Model& model, const ModelInput& input);

// What the last norm makes of some rows of the stream behind all layers; and what BERT's head makes of its dense
// layer's product in place.
Matrix norm_last(const Model& model, const Matrix& stream);
void finish_logit_input(const Model& model, Matrix& dense);

class LayerWork {
public:
    // `model` and `input` stay as they are until all is done.
    // `taken`: what the input's patches of this layer take over from its other text, but for the stream.
    LayerWork(const Model& model, const ModelInput& input, int layer, Matrix before, TakenRows taken = {});

    // Only what the next layer and later tokens need: the trace has neither `problem` nor `attention`, and of all else
    // the last rows, whose stream `before` is. `kept` has the tokens before them; null where there are none. The input
    // has no edits; where heads that are off hand on their mean, or the input has patches, these are all rows.
    static LayerWork of_last_rows(const Model& model, const ModelInput& input, int layer, Matrix before,
                                  std::shared_ptr<const KeysAndValues> kept, TakenRows taken = {});

    // What stands around an attention that is done, that of the layer's problem, and behind the last layer.
    static LayerWork around(const Model& model, const ModelInput& input, int layer, Matrix before,
                            const AttentionTrace& attention, TakenRows taken = {});

    // Goes on until about `multiply_adds` are spent or all is done, at least by one step. Takes what was spent from it.
    bool advance(std::int64_t& multiply_adds);
    bool is_done() const { return step_ == Step::done; }

    LayerTrace& trace() { return trace_; }  // complete once all is done
    // Of all tokens, once all is done; of of_last_rows().
    KeysAndValues& keys_and_values() { return rows_->keys_and_values(); }

private:
    enum class Step { problem, attention, output, mlp_gate, mlp_in, mlp_out, head, done };
    const LayerWeights& weights() const { return edited_.weights(); }
    bool replaces_heads() const { return input_->replaces_heads(layer_); }
    void begin_rows();
    void replace_heads(const Cube& values);
    void finish_attention();
    void finish_mlp();
    void finish_layer();
    void run(std::int64_t& multiply_adds);
    // A product; once it is complete the work is at `next`. Returns whether it is.
    bool multiply_into(const LinearWeights& linear, const Matrix& x, Matrix& out, Step next,
                       std::int64_t& multiply_adds);

    const Model* model_;
    const ModelInput* input_;
    int layer_;
    TakenRows taken_;
    EditedWeights edited_;
    Step step_ = Step::problem;
    LayerTrace trace_;
    std::optional<ProblemWork> problem_;
    AttentionWork attention_;
    bool has_last_rows_alone_ = false;
    bool goes_behind_ = false;  // up to what the logits are made of
    std::shared_ptr<const KeysAndValues> kept_;
    std::optional<RowAttention> rows_;
    std::optional<BlockedProduct> product_;
};

}  // namespace attn
