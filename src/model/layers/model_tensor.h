// A tensor of a model in memory, in the type that its file has: halves stay halves, and become floats where they are
// computed with. Matrices of products lie as the kernels read them, so that none is rewritten before it is used. Of a
// model that memory has no room for, tensors are there in parts, which come and go (model_store.h).
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
    in_groups,   // (num_heads, roles, head_dim, inputs): GPT-NeoX; used are (roles, num_heads, head_dim) outputs
};

struct FiledMatrix {
    MatrixLayout layout = MatrixLayout::transposed;
    int inputs = 0, outputs = 0;
    int head_dim = 0;  // by_head, in_groups: it divides outputs
    int roles = 1;     // in_groups: as many matrices of one size in one

    // Which of the file's outputs is the one that is used as `column`. Others than in_groups keep their order.
    int filed_output(int column) const;
    int used_output(int filed) const;  // the way back
    friend bool operator==(const FiledMatrix&, const FiledMatrix&) = default;
};

class ModelStore;

class ModelTensor {
public:
    // Its type is one that is computed. It has no memory yet.
    explicit ModelTensor(const FiledTensor& filed);

    // Says, before there is memory, that products read it as this matrix. Said twice, it is the same one.
    void become_matrix(const FiledMatrix& matrix);

    // Memory for its numbers. They are set to nothing before put().
    void allocate();

    // In its place: the tensor has no memory yet, and `store` brings parts of about so many bytes of it when they are
    // needed: as `place` of the store's tensors. Only a matrix that the file has transposed and a tensor that is no
    // matrix have several parts; strides leave one.
    void come_in_parts(ModelStore& store, int place, std::size_t part_bytes);
    bool comes_in_parts() const { return store_ != nullptr; }
    int num_parts() const { return static_cast<int>(parts_.size()); }
    bool has_part(int part) const { return parts_[static_cast<std::size_t>(part)].is_there; }
    void allocate_part(int part);  // it is there once its numbers are
    void part_is_there(int part) { parts_[static_cast<std::size_t>(part)].is_there = true; }
    void free_part(int part) { parts_[static_cast<std::size_t>(part)] = {}; }
    std::size_t memory_of_part(int part) const;  // bytes
    // Of the tensor as put() takes it.
    struct Bytes {
        std::size_t first = 0, size = 0;
    };
    Bytes bytes_of_part(int part) const;

    // Whether these columns of a matrix are in memory. Those that are not are asked for, with those behind them up to
    // `end`: one who waits for them asks again.
    bool asks_for_columns(int first, int count, int end) const;
    // The same for all of it, and for some numbers of a tensor in the file's order.
    bool asks_for_all() const;
    bool asks_for_numbers(std::int64_t first, std::int64_t count) const;
    // How many columns from this one on are together in memory.
    int columns_in_part(int first) const;

    // Bytes of its numbers in the file's order from first_byte on, which are not packed. `bytes` is a multiple of
    // slice_bytes(), or reaches to the end.
    void put(std::size_t first_byte, std::span<const std::uint8_t> bytes);
    // What can be put by itself, and is whole blocks of a file that packs numbers, and all of the rows that it has in
    // turns.
    std::size_t slice_bytes() const;
    std::size_t row_bytes() const;  // of numbers along the last axis; of a single axis each number is a row

    const FiledTensor& filed() const { return filed_; }
    const std::string& name() const { return filed_.tensor.name; }
    std::int64_t num_numbers() const { return filed_.tensor.num_numbers(); }
    std::size_t num_bytes() const { return num_bytes_; }  // of its numbers, as in a file of their own
    std::size_t memory_bytes() const;                     // with 0 behind the last column, up to a whole panel

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
    NotFinite count_not_finite() const;  // in what is there
    NotFinite count_not_finite(int part) const;

private:
    std::size_t number_bytes() const { return static_cast<std::size_t>(filed_.tensor.type->bits) / 8; }
    std::size_t place(int row, int column) const;  // in memory, in numbers
    // Where a byte lies in memory, with those behind it in its part. A part that is not there is fetched.
    const std::uint8_t* at(std::size_t byte) const;
    std::uint8_t* memory_at(std::size_t byte);  // the same of a part that is being filled
    std::size_t part_of_column(int column) const;
    std::size_t put_bytes() const;  // what put() takes at least
    bool asks_for_parts(std::size_t first, std::size_t end, std::size_t also_until) const;
    void put_run(int row, int column, const std::uint8_t* from, std::size_t count);
    void gather(std::size_t first, std::size_t step, std::span<float> numbers) const;

    FiledTensor filed_;
    std::optional<FiledMatrix> matrix_;
    std::size_t num_bytes_;
    std::size_t memory_bytes_ = 0;
    std::size_t panel_width_ = 0;  // of a matrix
    ModelStore* store_ = nullptr;
    int store_place_ = 0;
    std::size_t part_memory_ = 0;
    struct Part {
        std::unique_ptr<std::uint8_t[]> bytes;
        bool is_there = false;
    };
    std::vector<Part> parts_;  // all of one size in memory, the last one at most
};

// All of a tensor's numbers; none of null.
std::vector<float> numbers_of(const ModelTensor* tensor);

}  // namespace attn
