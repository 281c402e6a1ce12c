// The weights of all heads, (num_heads, T, T): the largest tensor by far. Its rows lie a little further apart than they
// are long, so that a text can grow by some tokens without moving what is there.
#pragma once

#include <cstddef>
#include <span>

#include "core/ground/float_buffer.h"

namespace attn {

class WeightRows {
public:
    // For this many heads and tokens, not set to anything. The memory is kept when it is large enough.
    void resize(int num_heads, int num_tokens);

    // For this many tokens. The first rows and columns stay, as many as both sizes have; others are not set. Returns
    // false when that would have meant to copy more than kMaxCopied floats: then nothing stays.
    bool set_num_tokens(int num_tokens);

    int num_heads() const { return num_heads_; }
    int num_tokens() const { return num_tokens_; }
    // Floats that are shown: num_heads * T * T.
    std::size_t size() const;

    // From one row of a head to the next.
    std::size_t row_stride() const { return stride_; }
    float* head(int h);
    const float* head(int h) const;

private:
    static constexpr std::size_t kMaxCopied = 1U << 24;  // 64 MiB: about 20 ms
    int num_heads_ = 0, num_tokens_ = 0;
    std::size_t stride_ = 0;  // floats a row, and rows a head
    FloatBuffer data_;
};

// Row i of head h: (T).
std::span<const float> row_of(const WeightRows& weights, int h, int i);

}  // namespace attn
