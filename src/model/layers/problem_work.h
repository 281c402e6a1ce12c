// A layer's attention as a problem of the core, so that all that is known of a problem (explanations, edits, exports)
// holds for it. In slices: a large layer's matrices are as many numbers as a whole small model has.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/ground/shared.h"
#include "model/layers/blocked_product.h"
#include "model/layers/edited_layer.h"

namespace attn {

// Of the residual stream `before` that comes into the layer. The problem has w_out where the heads together are as wide
// as the stream. What the core does not know yet, queries and keys that are normed, turned, or have their positions
// added alone, are typed numbers of it.
class ProblemWork {
public:
    // `model` and `before` stay as they are until all is done. `edits` may be of all layers: the matrices that they
    // change are in memory. `projections`: the layer's, of the same edits, as an earlier problem has them, so that
    // those of many texts share them; nothing: they are made.
    ProblemWork(const Model& model, int layer, const Matrix& before, std::vector<LayerEdit> edits,
                std::optional<Shared<Projections>> projections = {});

    // Goes on until about `multiply_adds` are spent or all is done, at least by one step. Takes what was spent from it.
    // Where numbers come in parts that are not there, nothing is left to spend: it waits.
    bool advance(std::int64_t& multiply_adds);
    bool is_done() const { return step_ == Step::done; }
    AttentionProblem take() { return std::move(problem_); }  // once all is done

private:
    enum class Step { projections, input, queries, keys, done };
    void run(std::int64_t& multiply_adds);
    void make_projections(std::int64_t& multiply_adds);
    void make_input();
    // Queries or keys as the model's rules make them, typed over what the projection alone would give.
    void type_role(TensorId role, const LinearWeights& linear, const NormWeights& norm, Step next,
                   std::int64_t& multiply_adds);

    const Model* model_;
    int layer_;
    const Matrix* before_;
    std::vector<LayerEdit> edits_;
    EditedWeights edited_;
    Step step_;
    AttentionProblem problem_;
    Projections made_;  // so far
    int matrix_ = 0, column_ = 0;
    Matrix placed_, rows_;
    std::optional<BlockedProduct> product_;
};

// All of it at once.
AttentionProblem layer_problem(const Model& model, int layer, const Matrix& before,
                               std::span<const LayerEdit> edits = {});

}  // namespace attn
