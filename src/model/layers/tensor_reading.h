// A tensor's bytes on their way from its file into memory, slice by slice. What a quantiser packed becomes floats, and
// rows that the file has in another order are put into theirs.
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
    std::uint64_t first_byte = 0;  // of the tensor in its file
    std::span<std::uint8_t> into;  // until the slice is there

    // How many numbers are NaN or infinite, of a slice that is there.
    ModelTensor::NotFinite count_not_finite() const;
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
    // In the file, of so many bytes of the tensor's numbers in memory; and the way back.
    std::size_t packed_bytes(std::size_t bytes) const;
    std::size_t unpacked_bytes(std::size_t bytes) const;
    void put_changed(const TensorSlice& slice);

    ModelTensor* tensor_;
    std::uint64_t at_ = 0, end_ = 0;     // bytes of it that are there, and the last one's end
    std::vector<std::uint8_t> strided_;  // all of a tensor with strides
};

}  // namespace attn
