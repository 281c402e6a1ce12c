// Parts of a tensor that come and go.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "core/kernels/simd_kernels.h"
#include "model/layers/model_store.h"
#include "model/layers/model_tensor.h"

namespace attn {
namespace {

std::size_t to_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

}  // namespace

std::size_t ModelTensor::memory_bytes() const {
    if (!matrix_) return num_bytes_;
    return simd::num_panels(to_size(matrix_->outputs)) * panel_width_ * to_size(matrix_->inputs) * number_bytes();
}

void ModelTensor::allocate() {
    memory_bytes_ = memory_bytes();
    part_memory_ = std::max<std::size_t>(memory_bytes_, 1);
    parts_.resize(1);
    allocate_part(0);
    part_is_there(0);
}

void ModelTensor::come_in_parts(ModelStore& store, int place, std::size_t part_bytes) {
    memory_bytes_ = memory_bytes();
    part_memory_ = std::max<std::size_t>(memory_bytes_, 1);
    store_ = &store;
    store_place_ = place;
    const bool is_cut = filed_.tensor.strides.empty() && (!matrix_ || matrix_->layout == MatrixLayout::transposed);
    if (is_cut) {
        const std::size_t unit = slice_bytes();
        part_memory_ = std::min(std::max<std::size_t>(part_bytes / unit, 1) * unit, part_memory_);
    }
    parts_.clear();
    parts_.resize((memory_bytes_ + part_memory_ - 1) / part_memory_);
}

// Behind the last column, up to a whole panel, there is 0.
void ModelTensor::allocate_part(int part) {
    const std::size_t size = memory_of_part(part);
    std::unique_ptr<std::uint8_t[]>& bytes = parts_[to_size(part)].bytes;
    bytes.reset(new std::uint8_t[size]);
    if (!matrix_ || part + 1 < num_parts() || size == 0) return;
    const std::size_t panel = panel_width_ * to_size(matrix_->inputs) * number_bytes();
    std::fill_n(bytes.get() + size - panel, panel, std::uint8_t{0});
}

std::size_t ModelTensor::memory_of_part(int part) const {
    return std::min(part_memory_, memory_bytes_ - to_size(part) * part_memory_);
}

ModelTensor::Bytes ModelTensor::bytes_of_part(int part) const {
    const std::size_t first = to_size(part) * part_memory_;
    return {.first = first, .size = std::min(part_memory_, num_bytes_ - first)};
}

const std::uint8_t* ModelTensor::at(std::size_t byte) const {
    const std::size_t part = parts_.size() == 1 ? 0 : byte / part_memory_;
    if (!parts_[part].is_there) store_->fetch(store_place_, static_cast<int>(part));
    return parts_[part].bytes.get() + (byte - part * part_memory_);
}

std::uint8_t* ModelTensor::memory_at(std::size_t byte) {
    const std::size_t part = byte / part_memory_;
    return parts_[part].bytes.get() + (byte - part * part_memory_);
}

std::size_t ModelTensor::part_of_column(int column) const {
    return place(0, column) * number_bytes() / part_memory_;
}

bool ModelTensor::asks_for_parts(std::size_t first, std::size_t end, std::size_t also_until) const {
    for (std::size_t part = first; part < end; ++part) {
        if (parts_[part].is_there) continue;
        store_->ask(store_place_, static_cast<int>(part), static_cast<int>(std::max(end, also_until)));
        return store_->reads_at_once();
    }
    return true;
}

bool ModelTensor::asks_for_columns(int first, int count, int end) const {
    if (store_ == nullptr) return true;
    return asks_for_parts(part_of_column(first), part_of_column(first + count - 1) + 1, part_of_column(end - 1) + 1);
}

bool ModelTensor::asks_for_all() const {
    return store_ == nullptr || asks_for_parts(0, parts_.size(), 0);
}

bool ModelTensor::asks_for_numbers(std::int64_t first, std::int64_t count) const {
    if (store_ == nullptr) return true;
    if (!matrix_) {
        const std::size_t size = number_bytes();
        return asks_for_parts(to_size(first) * size / part_memory_,
                              to_size(first + count - 1) * size / part_memory_ + 1, 0);
    }
    if (matrix_->layout != MatrixLayout::transposed) return asks_for_all();
    const auto line_of = [&](std::int64_t number) { return static_cast<int>(number / matrix_->inputs); };
    const int column = line_of(first);
    return asks_for_columns(column, line_of(first + count - 1) - column + 1, column + 1);
}

int ModelTensor::columns_in_part(int first) const {
    const int rest = matrix().outputs - first;
    if (parts_.size() == 1) return rest;
    const std::size_t panel = panel_width_ * to_size(matrix_->inputs) * number_bytes();
    const std::size_t end = (part_of_column(first) + 1) * (part_memory_ / panel) * panel_width_;
    return std::min(rest, static_cast<int>(end) - first);
}

ModelTensor::NotFinite ModelTensor::count_not_finite(int part) const {
    NotFinite found;
    std::array<float, 1024> numbers = {};
    const std::size_t first = to_size(part) * part_memory_ / number_bytes();
    const std::size_t end = std::min(first + part_memory_ / number_bytes(), memory_bytes_ / number_bytes());
    for (std::size_t at = first; at < end; at += numbers.size()) {  // what fills up the last panel is finite
        const std::span<float> some(numbers.data(), std::min(numbers.size(), end - at));
        gather(at, 1, some);
        for (const float number : some) {
            if (std::isnan(number)) ++found.num_nan;
            if (std::isinf(number)) ++found.num_infinite;
        }
    }
    return found;
}

ModelTensor::NotFinite ModelTensor::count_not_finite() const {
    NotFinite sum;
    for (int part = 0; part < num_parts(); ++part) {
        if (!has_part(part)) continue;
        const NotFinite found = count_not_finite(part);
        sum.num_nan += found.num_nan;
        sum.num_infinite += found.num_infinite;
    }
    return sum;
}

}  // namespace attn
