// Memory for the weights, with room behind each row.
#include "core/attention/weight_rows.h"

#include <algorithm>
#include <utility>

#include "core/ground/memory_room.h"

namespace attn {
namespace {

constexpr std::size_t kRoom = 32;  // rows are a multiple of it long

std::size_t stride_for(int num_tokens) {
    return (static_cast<std::size_t>(num_tokens) + kRoom - 1) / kRoom * kRoom;
}

}  // namespace

void WeightRows::resize(int num_heads, int num_tokens) {
    num_heads_ = num_heads;
    num_tokens_ = num_tokens;
    stride_ = stride_for(num_tokens);
    const std::size_t count = static_cast<std::size_t>(num_heads) * stride_ * stride_;
    require_memory(data_.reserve(count));
}

bool WeightRows::set_num_tokens(int num_tokens) {
    // Shorter rows stay where they are, unless most of the memory would be unused.
    const std::size_t wanted = stride_for(num_tokens);
    if (wanted <= stride_ && 4 * wanted >= 3 * stride_) {
        num_tokens_ = num_tokens;
        return true;
    }
    const std::size_t common = static_cast<std::size_t>(std::min(num_tokens, num_tokens_));
    if (static_cast<std::size_t>(num_heads_) * common * common > kMaxCopied) {
        resize(num_heads_, num_tokens);
        return false;
    }
    WeightRows moved;
    moved.resize(num_heads_, num_tokens);
    for (int h = 0; h < num_heads_; ++h) {
        for (std::size_t i = 0; i < common; ++i) {
            std::copy_n(head(h) + i * stride_, common, moved.head(h) + i * moved.stride_);
        }
    }
    *this = std::move(moved);
    return true;
}

std::size_t WeightRows::size() const {
    return static_cast<std::size_t>(num_heads_) * static_cast<std::size_t>(num_tokens_) *
           static_cast<std::size_t>(num_tokens_);
}

float* WeightRows::head(int h) {
    return data_.data() + static_cast<std::size_t>(h) * stride_ * stride_;
}

const float* WeightRows::head(int h) const {
    return data_.data() + static_cast<std::size_t>(h) * stride_ * stride_;
}

std::span<const float> row_of(const WeightRows& weights, int h, int i) {
    return {weights.head(h) + static_cast<std::size_t>(i) * weights.row_stride(),
            static_cast<std::size_t>(weights.num_tokens())};
}

}  // namespace attn
