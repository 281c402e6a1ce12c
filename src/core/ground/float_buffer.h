// Memory for floats that only grows, so that repeated work allocates nothing. Growing loses the values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include "core/ground/memory_room.h"

namespace attn {

class FloatBuffer {
public:
    FloatBuffer() = default;
    FloatBuffer(FloatBuffer&& other) noexcept { *this = std::move(other); }
    FloatBuffer(const FloatBuffer& other) { *this = other; }
    FloatBuffer& operator=(FloatBuffer&& other) noexcept {
        data_ = std::move(other.data_);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }
    FloatBuffer& operator=(const FloatBuffer& other) {
        if (this == &other) return *this;
        require_memory(reserve(other.capacity_));
        std::copy_n(other.data(), other.capacity_, data());
        return *this;
    }

    // Room for `count` floats at least, not set to anything. Returns false when the memory is refused: then there is
    // none.
    [[nodiscard]] bool reserve(std::size_t count) {
        if (count <= capacity_) return true;
        if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(float)) return false;
        data_.reset();  // before the new one: the two need not fit together
        const std::size_t bytes = (count * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
        data_.reset(static_cast<float*>(std::aligned_alloc(kAlignment, bytes)));
        capacity_ = data_ ? count : 0;
        return data_ != nullptr;
    }

    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    std::size_t capacity() const { return capacity_; }

private:
    static constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector
    struct Free {
        void operator()(float* data) const { std::free(data); }
    };
    std::unique_ptr<float, Free> data_;
    std::size_t capacity_ = 0;
};

}  // namespace attn
