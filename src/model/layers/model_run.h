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

class ModelRun {
public:
    // `model` stays where it is. The input is one that find_input_problem has nothing against.
    ModelRun(const Model& model, ModelInput input);
    ModelRun(const ModelRun&) = delete;
    ModelRun& operator=(const ModelRun&) = delete;

    // Computes layer after layer until about `multiply_adds` are spent. Returns is_done().
    bool advance(std::int64_t multiply_adds) { return advance_to(model_->config.num_layers, multiply_adds); }
    // The same up to the stream before layer `layer`. Returns whether it is there.
    bool advance_to(int layer, std::int64_t multiply_adds);
    bool is_done() const { return num_layers_done() == model_->config.num_layers; }
    int num_layers_done() const { return static_cast<int>(streams_.size()) - 1; }

    const ModelInput& input() const { return input_; }
    // The residual stream (T, width) before layer `layer`, which is at most num_layers_done(); num_layers: after all.
    const Matrix& stream(int layer) const { return streams_[static_cast<std::size_t>(layer)]; }

    // The work on a layer whose stream is there, for all that is inside of it.
    LayerWork layer_work(int layer) const;

    // The stream after the last norm, (T, width); once all is done.
    Matrix final_stream() const;

private:
    const Model* model_;
    ModelInput input_;
    std::vector<Matrix> streams_;  // before each layer that can be computed, and after the last
    std::optional<LayerWork> work_;
};

// The logits of some rows of a final stream, in slices.
class LogitsWork {
public:
    // `rows` (any number, width) of final_stream(). The model has an unembedding.
    LogitsWork(const Model& model, const Matrix& rows);
    // Of one row of final_stream().
    LogitsWork(const Model& model, const Matrix& final_stream, int row);

    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return product_.is_done(); }
    const Matrix& logits() const { return logits_; }  // (rows, vocabulary) once all is done

private:
    Matrix head_;
    BlockedProduct product_;
    Matrix logits_;
};

// The logits after one row of a text, in slices: a run of its own, then that row's.
class RowLogits {
public:
    // As for ModelRun; 0 <= row < input.num_tokens(), and the model has an unembedding.
    RowLogits(const Model& model, ModelInput input, int row);

    // Goes on for about `multiply_adds`. Returns is_done().
    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return logits_ && logits_->is_done(); }
    std::span<const float> logits() const;  // of each token of the vocabulary, once all is done

private:
    const Model* model_;
    int row_ = 0;
    std::unique_ptr<ModelRun> run_;  // until its last stream is there
    std::optional<LogitsWork> logits_;
};

// e^(logit - largest) / their sum, the sum in double in the order of the tokens. NaN among them makes all NaN.
std::vector<float> probabilities_of(std::span<const float> logits);

// All of it at once: (T, vocabulary). Stops the program where the model has no unembedding.
Matrix logits_of(const Model& model, const ModelInput& input);

}  // namespace attn
