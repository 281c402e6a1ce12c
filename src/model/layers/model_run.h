// A whole model for one text, fast, in slices: the residual stream between the layers, and the logits. Kept is the
// stream alone; what is inside a layer is computed again for the layer that is looked at, with the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/layers/blocked_product.h"
#include "model/layers/layer_work.h"
#include "model/layers/model_input.h"

namespace attn {

// How far a model has come with a text and the logits after one of its rows.
struct ModelProgress {
    int num_layers_done = 0, num_layers = 0;
    int num_logits_done = 0, num_logits = 0;  // 0 of 0 without an unembedding
    bool operator==(const ModelProgress&) const = default;
};

// About those of one layer of a text.
std::int64_t multiply_adds_of_layer(const ModelConfig& config, int num_tokens);

// How many of the first tokens are the same in both, and of a kind that later ones do not change.
int tokens_in_common(const Model& model, const ModelInput& earlier, const ModelInput& now);

class ModelRun {
public:
    // `model` stays where it is. The input is one that find_input_problem has nothing against. What `earlier`, of the
    // same model, has computed for the same first tokens is taken over, where later ones cannot change it. `other`: the
    // run of the text that the input's patches come from, as far as somebody computed it; null: it is begun.
    ModelRun(const Model& model, ModelInput input, const ModelRun* earlier = nullptr,
             std::shared_ptr<ModelRun> other = nullptr);
    // The same text, with other heads off or other patches from layer `layer` on, which is at most
    // whole.num_layers_done(): what is below is taken over, with the same bits. `other` as above, null: that of
    // `whole`; it has come to `layer` where that one's stream is patched.
    ModelRun(const ModelRun& whole, ModelInput input, int layer, std::shared_ptr<ModelRun> other = nullptr);
    ModelRun(const ModelRun&) = delete;
    ModelRun& operator=(const ModelRun&) = delete;

    // Where numbers come in parts that are not there it waits: it does less. Computes layer after layer until about
    // `multiply_adds` are spent. Returns is_done().
    bool advance(std::int64_t multiply_adds) { return advance_to(model_->config.num_layers, multiply_adds); }
    // The same up to the stream before layer `layer`, and what patches of the layer take over. Returns whether both are
    // there.
    bool advance_to(int layer, std::int64_t multiply_adds) { return go_to(layer, multiply_adds); }
    bool is_done() const { return num_layers_done() == model_->config.num_layers; }
    // -1 before the first stream, whose tokens may have to be read.
    int num_layers_done() const { return static_cast<int>(layers_.streams.size()) - 1; }

    ModelProgress progress() const;
    // About what is left up to the stream before layer `layer`.
    std::int64_t multiply_adds_to(int layer) const;

    const Model& model() const { return *model_; }
    const ModelInput& input() const { return input_; }
    // The residual stream (T, width) before layer `layer`, which is at most num_layers_done(); num_layers: after all.
    const Matrix& stream(int layer) const { return *layers_.streams[static_cast<std::size_t>(layer)]; }

    // The work on a layer whose stream is there, for all that is inside of it.
    LayerWork layer_work(int layer) const;
    // What the patches of a layer that advance_to came to take over from the other text, but for the stream.
    TakenRows taken_rows(int layer) const;

    // The stream after the last norm, (T, width); once all is done.
    Matrix final_stream() const;

    // One row of final_stream(), (1, width).
    Matrix final_row(int row) const;
    // What the last norm makes of one row of the stream before layer `layer`, at most num_layers_done(), (1, width). Of
    // a model without a last norm the row itself. At num_layers it is final_row().
    Matrix lens_row(int layer, int row) const;

    // How many of the first tokens were taken over from the earlier run.
    int num_taken_over() const { return num_taken_over_; }

private:
    // Streams before each layer that can be computed, and after the last; what each of these layers keeps, null where
    // it was computed with edits. Runs of the same beginning share what they took over until they have their own.
    struct Layers {
        std::vector<std::shared_ptr<const Matrix>> streams;
        std::vector<std::shared_ptr<const KeysAndValues>> kept;
    };
    bool embeds();  // whether the first stream is there
    bool go_to(int layer, std::int64_t& multiply_adds);
    // Whether what patches take over inside of the layers up to this one is there.
    bool takes_rows(int layer, std::int64_t& multiply_adds);
    bool has_inside(int layer, std::int64_t& multiply_adds);
    void take_stream(int layer, Matrix& stream) const;
    bool has_patch(int layer, bool is_of_stream) const;
    LayerWork next_work() const;
    void finish_layer();
    // What a layer keeps of the tokens that are taken over; null where the earlier run had not come so far.
    std::shared_ptr<const KeysAndValues> taken_over(int layer) const;

    const Model* model_;
    ModelInput input_;
    int num_taken_over_ = 0;
    Layers layers_, earlier_;
    std::optional<LayerWork> work_;
    std::shared_ptr<ModelRun> other_;  // null without patches
    std::optional<LayerWork> inside_;  // of a layer, for the runs that take rows over from it: the last one asked for
    int inside_layer_ = -1;
    TakenRows taken_;  // of the first layers
    int num_taken_layers_ = 0;
};

// What the unembedding is multiplied with, of some rows of a final stream: themselves, or what BERT's head makes of
// them. The model has an unembedding.
Matrix logit_input(const Model& model, const Matrix& rows);

// The logits of some rows of a final stream, in slices.
class LogitsWork {
public:
    // `rows` (any number, width) of final_stream() or lens_row(). The model has an unembedding.
    LogitsWork(const Model& model, const Matrix& rows);

    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return product_.is_done(); }
    int num_done() const { return product_.num_columns_done(); }  // of each row
    const Matrix& logits() const { return logits_; }              // (rows, vocabulary) once all is done

private:
    const ModelConfig* config_;
    Matrix head_;
    BlockedProduct product_;
    Matrix logits_;
};

// The logit of one token, with the bits that LogitsWork gives it; `row` is (1, width). The numbers of the token are
// there (asks_for_columns).
float logit_of(const Model& model, const Matrix& row, int token);

// The logits after one row of a text, in slices: what the run has not yet, then that row's.
class RowLogits {
public:
    // 0 <= row < run->input().num_tokens(), and the run's model has an unembedding.
    RowLogits(std::shared_ptr<ModelRun> run, int row);

    // Goes on for about `multiply_adds`. Returns is_done().
    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return logits_ && logits_->is_done(); }
    ModelProgress progress() const;
    std::span<const float> logits() const;  // of each token of the vocabulary, once all is done

private:
    std::shared_ptr<ModelRun> run_;
    int row_ = 0;
    std::optional<LogitsWork> logits_;
};

// A softmax of a row of logits: the probability at one of them is e^(logit - most) / sum. The sum is in double in the
// order of the tokens. NaN among them makes all NaN.
struct SoftmaxOfRow {
    double most = 0, sum = 0;
    float probability(float logit) const;
    std::vector<float> probabilities(std::span<const float> logits) const;
};
SoftmaxOfRow softmax_of_row(std::span<const float> logits);
std::vector<float> probabilities_of(std::span<const float> logits);

// All of it at once: (T, vocabulary). Stops the program where the model has no unembedding.
Matrix logits_of(const Model& model, const ModelInput& input);

}  // namespace attn
