// Numbers with strides are put in order once all of them are there; rows in another order lie within a slice.
#include "model/layers/tensor_reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/ground/check.h"
#include "model/files/packed_type.h"

namespace attn {
namespace {

// Rows 0, half, 1, half + 1 ... of each `paired` rows become 0, 1 ... half, half + 1 ...
std::vector<std::uint8_t> unpaired(std::span<const std::uint8_t> bytes, std::size_t paired, std::size_t row_bytes) {
    std::vector<std::uint8_t> rows(bytes.size());
    for (std::size_t row = 0; row < bytes.size() / row_bytes; ++row) {
        const std::size_t in_pairs = row % paired;
        const std::size_t to = row - in_pairs + in_pairs / 2 + in_pairs % 2 * (paired / 2);
        std::memcpy(rows.data() + to * row_bytes, bytes.data() + row * row_bytes, row_bytes);
    }
    return rows;
}

}  // namespace

ModelTensor::NotFinite TensorSlice::count_not_finite() const {
    const StoredTensor& stored = tensor->tensor;
    const std::size_t numbers_each = stored.packed != nullptr ? stored.packed->numbers : 1;
    const std::size_t bytes_each =
        stored.packed != nullptr ? stored.packed->bytes : static_cast<std::size_t>(stored.type->bits) / 8;
    ModelTensor::NotFinite found;
    std::array<float, 1024> numbers;
    for (std::size_t at = 0; at < into.size();) {
        const std::size_t count = std::min(numbers.size() / numbers_each, (into.size() - at) / bytes_each);
        const std::span<float> part(numbers.data(), count * numbers_each);
        const std::span<const std::uint8_t> bytes = into.subspan(at, count * bytes_each);
        stored.packed != nullptr ? unpack(*stored.packed, bytes, part) : widen(*stored.type, bytes, part);
        for (const float number : part) {
            if (std::isnan(number)) ++found.num_nan;
            if (std::isinf(number)) ++found.num_infinite;
        }
        at += count * bytes_each;
    }
    return found;
}

std::uint64_t TensorReading::filed_bytes(const ModelTensor& tensor) {
    return tensor.filed().tensor.end - tensor.filed().tensor.begin;
}

TensorReading::TensorReading(ModelTensor& tensor) : tensor_(&tensor), end_(filed_bytes(tensor)) {}

std::size_t TensorReading::packed_bytes(std::size_t bytes) const {
    const PackedType* packed = tensor_->filed().tensor.packed;
    return packed == nullptr ? bytes : static_cast<std::size_t>(packed->bytes_of(bytes / sizeof(float)));
}

std::size_t TensorReading::unpacked_bytes(std::size_t bytes) const {
    const PackedType* packed = tensor_->filed().tensor.packed;
    return packed == nullptr ? bytes : bytes / packed->bytes * packed->numbers * sizeof(float);
}

TensorReading::TensorReading(ModelTensor& tensor, int part) : TensorReading(tensor) {
    if (!tensor.filed().tensor.strides.empty()) return;
    const ModelTensor::Bytes bytes = tensor.bytes_of_part(part);
    at_ = packed_bytes(bytes.first);
    end_ = at_ + packed_bytes(bytes.size);
}

TensorSlice TensorReading::next(std::size_t most, std::vector<std::uint8_t>& buffer) const {
    ATTN_CHECK(!is_done(), "all of ", tensor_->name(), " is read");
    const bool is_in_order = tensor_->filed().tensor.strides.empty();
    const std::size_t whole = is_in_order ? packed_bytes(tensor_->slice_bytes()) : 1;
    buffer.resize(
        std::min<std::size_t>(std::max<std::size_t>(most / whole, 1) * whole, static_cast<std::size_t>(end_ - at_)));
    return {.tensor = &tensor_->filed(), .first_byte = at_, .into = buffer};
}

void TensorReading::put_changed(const TensorSlice& slice) {
    const StoredTensor& stored = tensor_->filed().tensor;
    const auto first = unpacked_bytes(static_cast<std::size_t>(slice.first_byte));
    std::vector<float> floats;
    std::span<const std::uint8_t> bytes = slice.into;
    if (stored.packed != nullptr) {
        floats.resize(unpacked_bytes(bytes.size()) / sizeof(float));
        unpack(*stored.packed, bytes, floats);
        bytes = {reinterpret_cast<const std::uint8_t*>(floats.data()), floats.size() * sizeof(float)};
    }
    if (stored.paired_rows == 0) return tensor_->put(first, bytes);
    tensor_->put(first, unpaired(bytes, static_cast<std::size_t>(stored.paired_rows), tensor_->row_bytes()));
}

void TensorReading::slice_is_there(const TensorSlice& slice) {
    const StoredTensor& stored = tensor_->filed().tensor;
    ATTN_CHECK(slice.tensor == &tensor_->filed() && slice.first_byte == at_, "a slice that was not asked for");
    at_ += slice.into.size();
    if (!stored.strides.empty()) {
        strided_.insert(strided_.end(), slice.into.begin(), slice.into.end());
        if (is_done()) tensor_->put(0, bytes_in_order(stored, std::exchange(strided_, {})));
    } else if (stored.packed != nullptr || stored.paired_rows != 0) {
        put_changed(slice);
    } else {
        tensor_->put(static_cast<std::size_t>(slice.first_byte), slice.into);
    }
}

}  // namespace attn
