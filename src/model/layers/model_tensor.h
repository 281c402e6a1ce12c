// A tensor of a model in memory, in the type that its file has: halves stay halves, and become floats where they are
// computed with. Matrices of products lie as the kernels read them, so that none is rewritten before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ground/float_buffer.h"
#include "model/files/tensor_files.h"

namespace attn {

// How a file has a matrix that is used as x . w, w (inputs, outputs).
enum class MatrixLayout {
    as_used,     // (inputs, outputs): GPT-2, whose modules are Conv1D
    transposed,  // (outputs, inputs): nn.Linear
    by_head,     // (num_heads, inputs, head_dim): TransformerLens
};

struct FiledMatrix {
    MatrixLayout layout = MatrixLayout::transposed;
    int inputs = 0, outputs = 0;
    int head_dim = 0;  // by_head: it divides outputs
    friend bool operator==(const FiledMatrix&, const FiledMatrix&) = default;
};

class ModelTensor {
public:
    // Its type is one that is computed. It has no memory yet.
    explicit ModelTensor(const FiledTensor& filed);

    // Says, before there is memory, that products read it as this matrix. Said twice, it is the same one.
    void become_matrix(const FiledMatrix& matrix);

    // Memory for its numbers. They are set to nothing before put().
    void allocate();

    // The file's bytes from first_byte on, in order. `bytes` is a multiple of slice_bytes(), or reaches to the end.
    void put(std::size_t first_byte, std::span<const std::uint8_t> bytes);
    std::size_t slice_bytes() const;

    const FiledTensor& filed() const { return filed_; }
    const std::string& name() const { return filed_.tensor.name; }
    std::int64_t num_numbers() const { return filed_.tensor.num_numbers(); }
    std::size_t num_bytes() const { return num_bytes_; }        // of its numbers, as in a file of their own
    std::size_t memory_bytes() const { return memory_bytes_; }  // with 0 behind the last column, up to a whole panel

    // Numbers `first` to `first + numbers.size()` in the file's order.
    void copy(std::int64_t first, std::span<float> numbers) const;

    // How the file has it, of one that is a matrix.
    const FiledMatrix& matrix() const;

    // Of a matrix: numbers `first` to `first + numbers.size()` of a row, (inputs, outputs) as it is used.
    void copy_row(int row, int first, std::span<float> numbers) const;
    // The same for a column, from the first input on.
    void copy_column(int column, std::span<float> numbers) const;
    // Which number of the file's order stands in a row and a column.
    std::int64_t number_at(int row, int column) const;
    // One number of it, of floats, becomes another.
    void set(int row, int column, float number);

    // Of a matrix: the panels (kernel_table.h) of `count` columns from `first` on, the first of a panel. Where they
    // lie, if they are floats as this machine has them, or else widened into `scratch`.
    const float* panels(int first, int count, FloatBuffer& scratch) const;
    bool is_widened() const;  // whether they are

    // A tensor of floats in memory, a matrix where `matrix` says so; its numbers in the order that a file would have.
    static std::unique_ptr<ModelTensor> of_floats(std::string name, std::vector<std::int64_t> shape,
                                                  const std::optional<FiledMatrix>& matrix,
                                                  std::span<const float> numbers);
    // The same tensor with other numbers, as many.
    std::unique_ptr<ModelTensor> with_numbers(std::span<const float> numbers) const {
        return of_floats(name(), filed_.tensor.shape, matrix_, numbers);
    }

    // How many are NaN or infinite; counted anew at each call.
    struct NotFinite {
        std::int64_t num_nan = 0, num_infinite = 0;
    };
    NotFinite count_not_finite() const;

private:
    std::size_t number_bytes() const { return static_cast<std::size_t>(filed_.tensor.type->bits) / 8; }
    std::size_t place(int row, int column) const;  // in memory, in numbers
    void put_run(int row, int column, const std::uint8_t* from, std::size_t count);
    void gather(std::size_t first, std::size_t step, std::span<float> numbers) const;

    FiledTensor filed_;
    std::optional<FiledMatrix> matrix_;
    std::size_t num_bytes_;
    std::size_t memory_bytes_ = 0;
    std::size_t panel_width_ = 0;  // of a matrix
    std::unique_ptr<std::uint8_t[]> bytes_;
};

// All of a tensor's numbers; none of null.
std::vector<float> numbers_of(const ModelTensor* tensor);

}  // namespace attn
