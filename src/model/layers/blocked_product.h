// x . w + b where w is a model's: some columns at a time, so that no more of w is a float than a block of it, and long
// products fit between frames.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ground/float_buffer.h"
#include "core/ground/tensor.h"
#include "core/kernels/packed_rows.h"
#include "model/layers/model_weights.h"

namespace attn {

class BlockedProduct {
public:
    // A number of w comes from memory while a core makes so many multiply-adds: of fewer rows it costs as much.
    static constexpr int kReading = 8;

    // `linear` stays where it is, with its tensors.
    explicit BlockedProduct(const LinearWeights& linear) : linear_(&linear) {}

    // Computes some columns more of `out`, which becomes (rows of x, outputs) at the first call; the same x each time,
    // in the same place.
    // Where w comes in parts that are not there, nothing is left to spend: it waits. Takes what was spent from
    // `multiply_adds`, which may fall below 0; of few rows more, because w is read. Returns whether all is there. The
    // bits do not depend on the blocks: each number is a sum over the inputs in their order, and the bias is added
    // last.
    bool advance(const Matrix& x, Matrix& out, std::int64_t& multiply_adds);

    bool is_done() const { return next_ == linear_->outputs; }
    int num_columns_done() const { return next_; }

private:
    void multiply_block(const Matrix& x, int count, const float* bias, Matrix& out);

    const LinearWeights* linear_;
    int next_ = 0;
    PackedRows x_;
    FloatBuffer panels_, rows_;
    std::vector<float> bias_;
};

// All of it.
Matrix multiply(const Matrix& x, const LinearWeights& linear);

}  // namespace attn
