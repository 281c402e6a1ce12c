// Each number has one place in memory; where a matrix lies in panels, the file's order is found again by it.
#include "model/layers/model_tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/memory_room.h"
#include "core/kernels/simd_kernels.h"
#include "model/files/packed_type.h"

namespace attn {
namespace {

std::size_t as_count(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

// Numbers of `kBytes` bytes; `step` is from one to the next.
template <std::size_t kBytes>
void copy_numbers(const std::uint8_t* from, std::size_t step, std::size_t count, std::uint8_t* to) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * kBytes, from + i * step * kBytes, kBytes);
}

// to(c, r) = from(r, c): `rows` rows of `columns` numbers, to rows that have room for `width`.
template <std::size_t kBytes>
void turn_numbers(const std::uint8_t* from, std::size_t rows, std::size_t columns, std::uint8_t* to,
                  std::size_t width) {
    for (std::size_t c = 0; c < columns; ++c)
        copy_numbers<kBytes>(from + c * kBytes, columns, rows, to + c * width * kBytes);
}

// Runs of bytes to others: so many, each `from_step` and `to_step` behind the one before.
struct Runs {
    const std::uint8_t* from;
    std::size_t from_step;
    std::uint8_t* to;
    std::size_t to_step, count;
};

// In halves down to what a load takes: WebAssembly calls a function for longer ones.
template <std::size_t kBytes>
void copy_run(const std::uint8_t* from, std::uint8_t* to) {
    if constexpr (kBytes <= 8) {
        std::memcpy(to, from, kBytes);
    } else {
        copy_run<kBytes / 2>(from, to);
        copy_run<kBytes / 2>(from + kBytes / 2, to + kBytes / 2);
    }
}

template <std::size_t kBytes>
void copy_runs_of(const Runs& runs) {
    for (std::size_t i = 0; i < runs.count; ++i)
        copy_run<kBytes>(runs.from + i * runs.from_step, runs.to + i * runs.to_step);
}

// A row of a panel is short: a call for each takes several times as long as moving it.
void copy_runs(const Runs& runs, std::size_t num_bytes) {
    switch (num_bytes) {
        case 16:
            return copy_runs_of<16>(runs);
        case 32:
            return copy_runs_of<32>(runs);
        case 64:
            return copy_runs_of<64>(runs);
        case 128:
            return copy_runs_of<128>(runs);
        default:
            for (std::size_t i = 0; i < runs.count; ++i)
                std::memcpy(runs.to + i * runs.to_step, runs.from + i * runs.from_step, num_bytes);
    }
}

}  // namespace

ModelTensor::ModelTensor(const FiledTensor& filed)
    : filed_(filed), num_bytes_(as_count(filed.tensor.num_numbers()) * number_bytes()) {
    ATTN_CHECK(filed.tensor.type->is_computed, "no model computes with ", filed.tensor.type->name);
}

void ModelTensor::become_matrix(const FiledMatrix& matrix) {
    ATTN_CHECK(parts_.empty() && (!matrix_ || *matrix_ == matrix), name(), " is another matrix");
    ATTN_CHECK(std::int64_t{matrix.inputs} * matrix.outputs == num_numbers(), name(), " has ", num_numbers(),
               " numbers, want ", matrix.inputs, " x ", matrix.outputs);
    const bool has_heads = matrix.layout == MatrixLayout::by_head || matrix.layout == MatrixLayout::in_groups;
    ATTN_CHECK(!has_heads || matrix.outputs % (matrix.roles * matrix.head_dim) == 0, matrix.roles, " times heads of ",
               matrix.head_dim, " in ", matrix.outputs, " columns");
    matrix_ = matrix;
    panel_width_ = simd::kernels().panel_width;
}

int FiledMatrix::filed_output(int column) const {
    if (layout != MatrixLayout::in_groups) return column;
    const int of_role = outputs / roles;
    const int role = column / of_role, head = column % of_role / head_dim;
    return (head * roles + role) * head_dim + column % head_dim;
}

int FiledMatrix::used_output(int filed) const {
    if (layout != MatrixLayout::in_groups) return filed;
    const int group = filed / head_dim;
    return (group % roles * (outputs / roles / head_dim) + group / roles) * head_dim + filed % head_dim;
}

const FiledMatrix& ModelTensor::matrix() const {
    ATTN_CHECK(matrix_.has_value(), name(), " is no matrix of a product");
    return *matrix_;
}

std::size_t ModelTensor::place(int row, int column) const {
    const FiledMatrix& m = matrix();
    ATTN_CHECK(row >= 0 && row < m.inputs && column >= 0 && column < m.outputs, "row ", row, ", column ", column,
               " of ", m.inputs, " x ", m.outputs);
    const std::size_t at = as_count(column);
    return (at / panel_width_ * as_count(m.inputs) + as_count(row)) * panel_width_ + at % panel_width_;
}

std::size_t ModelTensor::row_bytes() const {
    const std::vector<std::int64_t>& shape = filed_.tensor.shape;
    return (shape.size() < 2 ? 1 : as_count(shape.back())) * number_bytes();
}

std::size_t ModelTensor::slice_bytes() const {
    std::size_t whole = std::max<std::size_t>(put_bytes(), 1);
    const PackedType* packed = filed_.tensor.packed;
    const int paired_rows = filed_.tensor.paired_rows;
    if (packed != nullptr) whole = std::lcm(whole, packed->numbers * number_bytes());
    if (paired_rows > 0) whole = std::lcm(whole, std::max<std::size_t>(as_count(paired_rows) * row_bytes(), 1));
    return whole;
}

std::size_t ModelTensor::put_bytes() const {
    if (!matrix_) return number_bytes();
    switch (matrix_->layout) {
        case MatrixLayout::transposed:
            return panel_width_ * as_count(matrix_->inputs) * number_bytes();
        case MatrixLayout::by_head:
            return as_count(matrix_->head_dim) * number_bytes();
        case MatrixLayout::in_groups:
            return as_count(matrix_->inputs) * number_bytes();
        default:
            return as_count(matrix_->outputs) * number_bytes();
    }
}

// Numbers beside each other in a row of the matrix, from a file's row that has them so.
void ModelTensor::put_run(int row, int column, const std::uint8_t* from, std::size_t count) {
    const std::size_t size = number_bytes(), whole = panel_width_ * size;
    const std::size_t panel_step = as_count(matrix_->inputs) * whole;
    const std::size_t in_panel = as_count(column) % panel_width_;
    std::uint8_t* to = memory_at(place(row, column) * size);
    if (in_panel != 0) {
        const std::size_t length = std::min(panel_width_ - in_panel, count);
        std::memcpy(to, from, length * size);
        to += panel_step - in_panel * size;
        from += length * size;
        count -= length;
    }
    const std::size_t num_whole = count / panel_width_;
    copy_runs({from, whole, to, panel_step, num_whole}, whole);
    const std::size_t rest = count % panel_width_;
    if (rest != 0) std::memcpy(to + num_whole * panel_step, from + num_whole * whole, rest * size);
}

void ModelTensor::put(std::size_t first_byte, std::span<const std::uint8_t> bytes) {
    ATTN_CHECK(first_byte <= num_bytes_ && bytes.size() <= num_bytes_ - first_byte, "bytes ", first_byte, " to ",
               first_byte + bytes.size(), " of ", num_bytes_);
    if (bytes.empty()) return;
    if (!matrix_) {
        std::memcpy(memory_at(first_byte), bytes.data(), bytes.size());
        return;
    }
    const std::size_t unit = put_bytes();
    ATTN_CHECK(first_byte % unit == 0 && (bytes.size() % unit == 0 || first_byte + bytes.size() == num_bytes_),
               "bytes ", first_byte, " to ", first_byte + bytes.size(), " of a matrix that comes in ", unit);
    const FiledMatrix& m = *matrix_;
    const int first = static_cast<int>(first_byte / unit);
    const int end = static_cast<int>((first_byte + bytes.size() + unit - 1) / unit);
    const std::size_t size = number_bytes();
    if (m.layout == MatrixLayout::transposed) {
        for (int panel = first; panel < end; ++panel) {
            const std::size_t at = as_count(panel - first) * unit;
            const std::size_t inputs = as_count(m.inputs);
            const std::size_t rows = std::min(unit, bytes.size() - at) / (inputs * size);
            std::uint8_t* to = memory_at(as_count(panel) * unit);
            if (size == 4) {  // any bits, as floats
                simd::kernels().pack_transposed(reinterpret_cast<const float*>(bytes.data() + at), inputs, inputs, rows,
                                                reinterpret_cast<float*>(to));
            } else {
                turn_numbers<2>(bytes.data() + at, rows, inputs, to, panel_width_);
            }
        }
        return;
    }
    if (m.layout == MatrixLayout::in_groups) {
        for (int filed = first; filed < end; ++filed) {
            const std::uint8_t* from = bytes.data() + as_count(filed - first) * unit;
            std::uint8_t* to = memory_at(place(0, m.used_output(filed)) * size);
            for (int row = 0; row < m.inputs; ++row, from += size, to += panel_width_ * size)
                std::memcpy(to, from, size);
        }
        return;
    }
    if (m.layout == MatrixLayout::by_head) {
        for (int row = first; row < end; ++row)
            put_run(row % m.inputs, row / m.inputs * m.head_dim, bytes.data() + as_count(row - first) * unit,
                    as_count(m.head_dim));
        return;
    }
    // Some columns of all rows after each other, because whole rows would write to all panels in turn.
    constexpr int kColumns = 64;
    for (int column = 0; column < m.outputs; column += kColumns) {
        const std::size_t count = as_count(std::min(kColumns, m.outputs - column));
        for (int row = first; row < end; ++row)
            put_run(row, column, bytes.data() + as_count(row - first) * unit + as_count(column) * size, count);
    }
}

// Numbers that lie `step` apart in memory, as floats.
void ModelTensor::gather(std::size_t first, std::size_t step, std::span<float> numbers) const {
    const std::size_t size = number_bytes();
    const std::uint8_t* from = at(first * size);
    if (step == 1) return widen(*filed_.tensor.type, {from, numbers.size() * size}, numbers);
    constexpr std::size_t kTogether = 256;
    std::array<std::uint8_t, kTogether * 4> together;
    while (!numbers.empty()) {
        const std::size_t count = std::min(kTogether, numbers.size());
        size == 4 ? copy_numbers<4>(from, step, count, together.data())
                  : copy_numbers<2>(from, step, count, together.data());
        widen(*filed_.tensor.type, {together.data(), count * size}, numbers.first(count));
        from += count * step * size;
        numbers = numbers.subspan(count);
    }
}

void ModelTensor::copy(std::int64_t first, std::span<float> numbers) const {
    const std::int64_t end = first + static_cast<std::int64_t>(numbers.size());
    ATTN_CHECK(first >= 0 && end <= num_numbers(), "numbers ", first, " to ", end, " of ", num_numbers());
    if (!matrix_) {
        const std::size_t in_part = std::max<std::size_t>(part_memory_ / number_bytes(), 1);
        while (!numbers.empty()) {
            const std::size_t count = std::min(numbers.size(), in_part - as_count(first) % in_part);
            gather(as_count(first), 1, numbers.first(count));
            numbers = numbers.subspan(count);
            first += static_cast<std::int64_t>(count);
        }
        return;
    }
    const FiledMatrix& m = *matrix_;
    const bool is_transposed = m.layout == MatrixLayout::transposed || m.layout == MatrixLayout::in_groups;
    const int line = is_transposed ? m.inputs : m.layout == MatrixLayout::by_head ? m.head_dim : m.outputs;
    while (!numbers.empty()) {
        const int at = static_cast<int>(first / line), in_line = static_cast<int>(first % line);
        const std::size_t count = std::min(numbers.size(), as_count(line - in_line));
        const std::span<float> part = numbers.first(count);
        if (is_transposed) {
            gather(place(in_line, m.used_output(at)), panel_width_, part);
        } else if (m.layout == MatrixLayout::by_head) {
            copy_row(at % m.inputs, at / m.inputs * m.head_dim + in_line, part);
        } else {
            copy_row(at, in_line, part);
        }
        numbers = numbers.subspan(count);
        first += static_cast<std::int64_t>(count);
    }
}

void ModelTensor::copy_row(int row, int first, std::span<float> numbers) const {
    if (numbers.empty()) return;
    ATTN_CHECK(numbers.size() <= as_count(matrix().outputs - first), numbers.size(), " numbers of a row from ", first,
               " on");
    const std::size_t panel_step = as_count(matrix_->inputs) * panel_width_;
    const std::size_t in_panel = as_count(first) % panel_width_;
    std::size_t at = place(row, first);
    const auto take = [&](std::size_t count) {
        gather(at, 1, numbers.first(count));
        numbers = numbers.subspan(count);
        at += panel_step;
    };
    if (in_panel != 0) {
        take(std::min(panel_width_ - in_panel, numbers.size()));
        at -= in_panel;
    }
    const bool is_in_one = !is_widened() && parts_.size() == 1;  // memory without widening or gaps
    const std::size_t num_whole = is_in_one ? numbers.size() / panel_width_ : 0;
    const std::size_t whole = panel_width_ * sizeof(float);
    if (num_whole > 0)
        copy_runs({this->at(at * sizeof(float)), panel_step * sizeof(float),
                   reinterpret_cast<std::uint8_t*>(numbers.data()), whole, num_whole},
                  whole);
    numbers = numbers.subspan(num_whole * panel_width_);
    at += num_whole * panel_step;
    while (!numbers.empty()) take(std::min(panel_width_, numbers.size()));
}

void ModelTensor::copy_column(int column, std::span<float> numbers) const {
    ATTN_CHECK(numbers.size() <= as_count(matrix().inputs), numbers.size(), " numbers of a column of ",
               matrix().inputs);
    gather(place(0, column), panel_width_, numbers);
}

std::int64_t ModelTensor::number_at(int row, int column) const {
    const FiledMatrix& m = matrix();
    switch (m.layout) {
        case MatrixLayout::as_used:
            return std::int64_t{row} * m.outputs + column;
        case MatrixLayout::transposed:
        case MatrixLayout::in_groups:
            return std::int64_t{m.filed_output(column)} * m.inputs + row;
        case MatrixLayout::by_head:
            return (std::int64_t{column / m.head_dim} * m.inputs + row) * m.head_dim + column % m.head_dim;
    }
    fail_check(__FILE__, __LINE__, "no such layout");
}

void ModelTensor::set(int row, int column, float number) {
    ATTN_CHECK(number_bytes() == sizeof number, name(), " has no floats");
    std::memcpy(memory_at(place(row, column) * sizeof number), &number, sizeof number);
}

bool ModelTensor::is_widened() const {
    return number_bytes() != sizeof(float) || std::endian::native != std::endian::little;
}

const float* ModelTensor::panels(int first, int count, FloatBuffer& scratch) const {
    ATTN_CHECK(panel_width_ == simd::kernels().panel_width, "panels for other kernels");
    ATTN_CHECK(as_count(first) % panel_width_ == 0 && first + count <= matrix().outputs, "columns ", first, " to ",
               first + count);
    const std::size_t begin = place(0, first);
    if (!is_widened()) return reinterpret_cast<const float*>(at(begin * sizeof(float)));
    const std::size_t num_floats = simd::panel_floats(as_count(matrix().inputs), as_count(count));
    require_memory(scratch.reserve(num_floats));
    gather(begin, 1, {scratch.data(), num_floats});
    return scratch.data();
}

std::unique_ptr<ModelTensor> ModelTensor::of_floats(std::string name, std::vector<std::int64_t> shape,
                                                    const std::optional<FiledMatrix>& matrix,
                                                    std::span<const float> numbers) {
    const NumberType* type = number_type_of("F32");
    ATTN_CHECK(type != nullptr, "there is no F32");
    FiledTensor filed = {
        .tensor = {.name = std::move(name), .type = type, .shape = std::move(shape), .begin = 0, .end = 0}};
    filed.tensor.end = numbers.size_bytes();
    auto tensor = std::make_unique<ModelTensor>(filed);
    ATTN_CHECK(numbers.size() == as_count(tensor->num_numbers()), numbers.size(), " numbers of ",
               tensor->num_numbers());
    if (matrix) tensor->become_matrix(*matrix);
    tensor->allocate();
    tensor->put(0, {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()});
    return tensor;
}

std::vector<float> numbers_of(const ModelTensor* tensor) {
    std::vector<float> numbers;
    if (tensor == nullptr) return numbers;
    numbers.resize(static_cast<std::size_t>(tensor->num_numbers()));
    tensor->copy(0, numbers);
    return numbers;
}

}  // namespace attn
