// Floats out of a file's bytes, in the order that a product wants.
#include "model/layers/model_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/ground/check.h"
#include "core/kernels/row_product.h"
#include "core/words/code_points.h"

namespace attn {

ModelTensor::ModelTensor(const FiledTensor& filed)
    : filed_(filed), num_bytes_(static_cast<std::size_t>(filed.tensor.end - filed.tensor.begin)) {
    ATTN_CHECK(filed.tensor.type->is_computed, "no model computes with ", filed.tensor.type->name);
}

void ModelTensor::allocate() {
    bytes_.reset(new std::uint8_t[num_bytes_]);
}

void ModelTensor::copy(std::int64_t first, std::span<float> numbers) const {
    const NumberType& type = *filed_.tensor.type;
    const std::size_t size = static_cast<std::size_t>(type.bits) / 8;
    const std::size_t begin = static_cast<std::size_t>(first) * size;
    ATTN_CHECK(first >= 0 && begin <= num_bytes_ && numbers.size() * size <= num_bytes_ - begin, "numbers ", first,
               " to ", first + static_cast<std::int64_t>(numbers.size()), " of ", num_numbers());
    widen(type, {bytes_.get() + begin, numbers.size() * size}, numbers);
}

ModelTensor::NotFinite ModelTensor::count_not_finite() const {
    NotFinite found;
    std::array<float, 1024> numbers = {};
    for (std::int64_t at = 0; at < num_numbers(); at += 1024) {
        const std::span<float> part(numbers.data(),
                                    static_cast<std::size_t>(std::min<std::int64_t>(1024, num_numbers() - at)));
        copy(at, part);
        for (const float number : part) {
            if (std::isnan(number)) ++found.num_nan;
            if (std::isinf(number)) ++found.num_infinite;
        }
    }
    return found;
}

const float* ModelTensor::floats() const {
    const bool is_float = filed_.tensor.type->bits == 32 && std::endian::native == std::endian::little;
    return is_float ? reinterpret_cast<const float*>(bytes_.get()) : nullptr;
}

std::vector<float> numbers_of(const ModelTensor* tensor) {
    std::vector<float> numbers;
    if (tensor == nullptr) return numbers;
    numbers.resize(static_cast<std::size_t>(tensor->num_numbers()));
    tensor->copy(0, numbers);
    return numbers;
}

// Where they are, or widened into `scratch`.
LinearWeights::Columns LinearWeights::columns(int first, int count, FloatBuffer& scratch) const {
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const bool is_transposed = layout == MatrixLayout::transposed;
    const std::int64_t from = first_output + first;
    if (const float* floats = weight->floats(); floats != nullptr && layout != MatrixLayout::by_head) {
        return is_transposed ? Columns{floats + from * inputs, size(inputs), true}
                             : Columns{floats + from, size(stored_outputs), false};
    }
    ATTN_CHECK(scratch.reserve(size(inputs) * size(count)), "no memory for ", inputs, " x ", count, " floats");
    const auto place = [&](std::size_t at, int length) { return std::span<float>(scratch.data() + at, size(length)); };
    if (is_transposed) {
        weight->copy(from * inputs, place(0, inputs * count));
        return {scratch.data(), size(inputs), true};
    }
    for (int row = 0; row < inputs; ++row) {
        const std::size_t at = size(row) * size(count);
        if (layout == MatrixLayout::as_used) {
            weight->copy(std::int64_t{row} * stored_outputs + from, place(at, count));
            continue;
        }
        for (int column = 0; column < count;) {  // as many as the head still has
            const int head = (first + column) / head_dim;
            const int channel = (first + column) % head_dim;
            const int length = std::min(head_dim - channel, count - column);
            weight->copy((std::int64_t{head} * inputs + row) * head_dim + channel, place(at + size(column), length));
            column += length;
        }
    }
    return {scratch.data(), size(count), false};
}

void LinearWeights::pack(int first, int count, PackedMatrix& packed, FloatBuffer& scratch) const {
    const auto [floats, stride, is_transposed] = columns(first, count, scratch);
    const auto num_inputs = static_cast<std::size_t>(inputs), num_columns = static_cast<std::size_t>(count);
    const bool is_there = is_transposed ? packed.pack_transposed(floats, stride, num_inputs, num_columns)
                                        : packed.pack(floats, stride, num_inputs, num_columns);
    ATTN_CHECK(is_there, "no memory for ", inputs, " x ", count, " numbers of a matrix");
}

void LinearWeights::multiply_row(const float* x, int first, int count, float* out, FloatBuffer& scratch) const {
    const auto [floats, stride, is_transposed] = columns(first, count, scratch);
    const auto num_inputs = static_cast<std::size_t>(inputs), num_columns = static_cast<std::size_t>(count);
    is_transposed ? multiply_row_transposed(x, floats, stride, num_inputs, num_columns, out)
                  : attn::multiply_row(x, floats, stride, num_inputs, num_columns, out);
}

Matrix LinearWeights::matrix() const {
    Matrix result = unset<Matrix>(inputs, outputs);
    std::vector<float> line(static_cast<std::size_t>(std::max(inputs, head_dim)));
    if (layout == MatrixLayout::transposed) {
        for (int column = 0; column < outputs; ++column) {
            const std::span<float> numbers(line.data(), static_cast<std::size_t>(inputs));
            weight->copy(std::int64_t{first_output + column} * inputs, numbers);
            for (int row = 0; row < inputs; ++row) result(row, column) = line[static_cast<std::size_t>(row)];
        }
        return result;
    }
    for (int row = 0; row < inputs; ++row) {
        const std::span<float> numbers = row_of(result, row);
        if (layout == MatrixLayout::as_used) {
            weight->copy(std::int64_t{row} * stored_outputs + first_output, numbers);
            continue;
        }
        for (int head = 0; head < outputs / head_dim; ++head) {
            weight->copy(
                (std::int64_t{head} * inputs + row) * head_dim,
                numbers.subspan(static_cast<std::size_t>(head * head_dim), static_cast<std::size_t>(head_dim)));
        }
    }
    return result;
}

Vector LinearWeights::bias_vector() const {
    if (bias == nullptr) return {};
    Vector result = unset<Vector>(outputs);
    bias->copy(first_output, elements(result));
    return result;
}

std::int64_t num_parameters(const Model& model) {
    std::int64_t sum = 0;
    for (const auto& tensor : model.tensors) sum += tensor->num_numbers();
    return sum;
}

std::vector<std::string> find_not_finite(const Model& model) {
    std::vector<std::string> sentences;
    for (const auto& tensor : model.tensors) {
        const auto [num_nan, num_infinite] = tensor->count_not_finite();
        if (num_nan == 0 && num_infinite == 0) continue;
        sentences.push_back(concat("The tensor \"", one_line(tensor->name()), "\" has ", num_nan, " NaN and ",
                                   num_infinite, " infinite numbers of ", tensor->num_numbers(), "."));
    }
    return sentences;
}

}  // namespace attn
