// Numbers with strides are put in order once all of them are there.
#include "model/layers/tensor_reading.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"

namespace attn {

std::uint64_t TensorReading::filed_bytes(const ModelTensor& tensor) {
    return tensor.filed().tensor.end - tensor.filed().tensor.begin;
}

TensorReading::TensorReading(ModelTensor& tensor) : tensor_(&tensor), end_(filed_bytes(tensor)) {}

TensorReading::TensorReading(ModelTensor& tensor, int part) : TensorReading(tensor) {
    if (!tensor.filed().tensor.strides.empty()) return;
    const ModelTensor::Bytes bytes = tensor.bytes_of_part(part);
    at_ = bytes.first;
    end_ = bytes.first + bytes.size;
}

TensorSlice TensorReading::next(std::size_t most, std::vector<std::uint8_t>& buffer) const {
    ATTN_CHECK(!is_done(), "all of ", tensor_->name(), " is read");
    const std::size_t whole = tensor_->filed().tensor.strides.empty() ? tensor_->slice_bytes() : 1;
    buffer.resize(
        std::min<std::size_t>(std::max<std::size_t>(most / whole, 1) * whole, static_cast<std::size_t>(end_ - at_)));
    return {.tensor = &tensor_->filed(), .first_byte = at_, .into = buffer};
}

void TensorReading::slice_is_there(const TensorSlice& slice) {
    ATTN_CHECK(slice.tensor == &tensor_->filed() && slice.first_byte == at_, "a slice that was not asked for");
    at_ += slice.into.size();
    if (tensor_->filed().tensor.strides.empty()) {
        tensor_->put(static_cast<std::size_t>(slice.first_byte), slice.into);
    } else {
        strided_.insert(strided_.end(), slice.into.begin(), slice.into.end());
        if (is_done()) tensor_->put(0, bytes_in_order(tensor_->filed().tensor, std::exchange(strided_, {})));
    }
}

}  // namespace attn
