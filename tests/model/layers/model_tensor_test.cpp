// A matrix lies in panels in memory, whatever the file's layout and type and in whatever slices it came.
#include "model/layers/model_tensor.h"

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/ground/random.h"
#include "core/kernels/simd_kernels.h"
#include "model/files/number_type.h"

namespace {

using attn::FiledMatrix;
using attn::FiledTensor;
using attn::MatrixLayout;
using attn::ModelTensor;

FiledTensor filed_tensor(std::string_view type, std::int64_t count) {
    FiledTensor filed = {.tensor = {.name = "w", .type = attn::number_type_of(type), .shape = {count}}};
    filed.tensor.end = static_cast<std::uint64_t>(count * filed.tensor.type->bits / 8);
    return filed;
}

// Any bytes: NaN and infinities among them.
std::vector<std::uint8_t> any_bytes(std::size_t count) {
    attn::TorchGenerator generator(5);
    std::vector<float> drawn(count);
    attn::fill_uniform(generator, drawn, 0, 256);
    std::vector<std::uint8_t> bytes;
    for (const float one : drawn) bytes.push_back(static_cast<std::uint8_t>(one));
    return bytes;
}

void put_in_slices(ModelTensor& tensor, const std::vector<std::uint8_t>& bytes, std::size_t units) {
    tensor.allocate();
    const std::size_t slice = units * tensor.slice_bytes();
    for (std::size_t at = 0; at < bytes.size(); at += slice)
        tensor.put(at, std::span(bytes).subspan(at, std::min(slice, bytes.size() - at)));
}

// The place in the file of a number of the matrix.
std::size_t in_file(const FiledMatrix& m, int row, int column) {
    if (m.layout == MatrixLayout::as_used) return static_cast<std::size_t>(row * m.outputs + column);
    if (m.layout == MatrixLayout::transposed) return static_cast<std::size_t>(column * m.inputs + row);
    return static_cast<std::size_t>((column / m.head_dim * m.inputs + row) * m.head_dim + column % m.head_dim);
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void check_matrix(const ModelTensor& tensor, const FiledMatrix& m, const std::vector<float>& filed) {
    CHECK(same_bits(attn::numbers_of(&tensor), filed));
    std::vector<float> part(filed.size() / 2);
    tensor.copy(static_cast<std::int64_t>(filed.size() / 3), part);
    CHECK(same_bits(part, std::span(filed).subspan(filed.size() / 3, part.size())));

    std::vector<float> used;  // (inputs, outputs)
    for (int row = 0; row < m.inputs; ++row)
        for (int column = 0; column < m.outputs; ++column) used.push_back(filed[in_file(m, row, column)]);
    const auto columns = static_cast<std::size_t>(m.outputs), inputs = static_cast<std::size_t>(m.inputs);
    for (int row = 0; row < m.inputs; ++row) {
        const int first = m.outputs / 3;
        std::vector<float> numbers(static_cast<std::size_t>(m.outputs - first));
        tensor.copy_row(row, first, numbers);
        const std::size_t at = static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(first);
        CHECK(same_bits(numbers, std::span(used).subspan(at, numbers.size())));
    }
    for (int column = 0; column < m.outputs; ++column) {
        std::vector<float> numbers(inputs);
        tensor.copy_column(column, numbers);
        for (std::size_t row = 0; row < inputs; ++row)
            CHECK(same_bits({&numbers[row], 1}, {&used[row * columns + static_cast<std::size_t>(column)], 1}));
    }

    std::vector<float> panels(attn::simd::panel_floats(inputs, columns));
    attn::simd::kernels().pack(used.data(), columns, inputs, columns, panels.data());
    attn::FloatBuffer scratch;
    for (int first = 0; first < m.outputs; first += static_cast<int>(attn::simd::kernels().panel_width)) {
        const float* from = tensor.panels(first, m.outputs - first, scratch);
        const std::size_t at = static_cast<std::size_t>(first) * inputs;
        CHECK(same_bits({from, panels.size() - at}, std::span(panels).subspan(at)));
    }
}

}  // namespace

TEST_CASE("a matrix lies in panels and is read in the file's order", "[model][simd]") {
    const attn::simd::InstructionSet before = attn::simd::in_use();
    for (const attn::simd::InstructionSet set : attn::simd::available()) {
        attn::simd::use(set);
        for (const FiledMatrix& m : {FiledMatrix{.layout = MatrixLayout::as_used, .inputs = 5, .outputs = 70},
                                     {.layout = MatrixLayout::as_used, .inputs = 3, .outputs = 1},
                                     {.layout = MatrixLayout::transposed, .inputs = 5, .outputs = 70},
                                     {.layout = MatrixLayout::transposed, .inputs = 1, .outputs = 64},
                                     {.layout = MatrixLayout::by_head, .inputs = 5, .outputs = 36, .head_dim = 12},
                                     {.layout = MatrixLayout::by_head, .inputs = 2, .outputs = 70, .head_dim = 35}}) {
            for (const std::string_view type : {"F32", "F16", "BF16"}) {
                const FiledTensor filed = filed_tensor(type, std::int64_t{m.inputs} * m.outputs);
                const std::vector<std::uint8_t> bytes = any_bytes(static_cast<std::size_t>(filed.tensor.end));
                std::vector<float> numbers(static_cast<std::size_t>(filed.tensor.num_numbers()));
                attn::widen(*filed.tensor.type, bytes, numbers);
                for (const std::size_t units : {1U, 3U, 1000U}) {
                    INFO(attn::simd::name_of(set) << ", layout " << static_cast<int>(m.layout) << ", " << m.inputs
                                                  << " x " << m.outputs << ", " << type << ", " << units);
                    ModelTensor tensor(filed);
                    tensor.become_matrix(m);
                    put_in_slices(tensor, bytes, units);
                    check_matrix(tensor, m, numbers);
                }
            }
        }
    }
    attn::simd::use(before);
}

TEST_CASE("what is no matrix stays in the file's order", "[model]") {
    const FiledTensor filed = filed_tensor("BF16", 37);
    const std::vector<std::uint8_t> bytes = any_bytes(74);
    std::vector<float> numbers(37);
    attn::widen(*filed.tensor.type, bytes, numbers);
    ModelTensor tensor(filed);
    put_in_slices(tensor, bytes, 5);
    CHECK(same_bits(attn::numbers_of(&tensor), numbers));
    CHECK(tensor.memory_bytes() == 74);
}

TEST_CASE("a matrix of halves takes the room of halves, and of its last panel", "[model]") {
    ModelTensor tensor(filed_tensor("F16", 10 * 100));
    tensor.become_matrix({.layout = MatrixLayout::transposed, .inputs = 10, .outputs = 100});
    put_in_slices(tensor, any_bytes(2000), 1);
    CHECK(tensor.num_bytes() == 2000);
    CHECK(tensor.memory_bytes() == 2 * attn::simd::panel_floats(10, 100));
}

TEST_CASE("a number of a matrix is changed, and those that are none are counted", "[model]") {
    ModelTensor tensor(filed_tensor("F32", 3 * 21));
    tensor.become_matrix({.layout = MatrixLayout::transposed, .inputs = 3, .outputs = 21});
    put_in_slices(tensor, std::vector<std::uint8_t>(4 * 63), 1);
    tensor.set(2, 20, 1.5F);
    tensor.set(0, 0, std::numeric_limits<float>::infinity());
    tensor.set(1, 20, std::numeric_limits<float>::quiet_NaN());
    const std::vector<float> numbers = attn::numbers_of(&tensor);
    CHECK(numbers[20 * 3 + 2] == 1.5F);
    CHECK(numbers[0] == std::numeric_limits<float>::infinity());
    CHECK(tensor.count_not_finite().num_nan == 1);
    CHECK(tensor.count_not_finite().num_infinite == 1);
}
