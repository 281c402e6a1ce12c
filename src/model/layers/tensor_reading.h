// A tensor's bytes on their way from its file into memory, slice by slice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/layers/model_tensor.h"

namespace attn {

// Where the next bytes go.
struct TensorSlice {
    const FiledTensor* tensor = nullptr;
    std::uint64_t first_byte = 0;  // of the tensor
    std::span<std::uint8_t> into;  // until the slice is there
};

class TensorReading {
public:
    // All of a tensor, or a part of it: its memory is there. The tensor stays where it is.
    explicit TensorReading(ModelTensor& tensor);
    TensorReading(ModelTensor& tensor, int part);

    bool is_done() const { return at_ == end_; }
    // About `most` bytes, whole numbers; into `buffer`. Not to be called once all is there.
    TensorSlice next(std::size_t most, std::vector<std::uint8_t>& buffer) const;
    void slice_is_there(const TensorSlice& slice);

    // Bytes of the tensor in its file: of one with strides all from its first number to its last.
    static std::uint64_t filed_bytes(const ModelTensor& tensor);

private:
    ModelTensor* tensor_;
    std::uint64_t at_ = 0, end_ = 0;     // bytes of it that are there, and the last one's end
    std::vector<std::uint8_t> strided_;  // all of a tensor with strides
};

}  // namespace attn
