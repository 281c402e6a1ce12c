// The header of a safetensors file: which tensors it has and where their numbers lie. The format: 8 bytes with the
// length N of the header, little endian; N bytes of JSON, padded with blanks; the numbers, one tensor after the other
// without holes, little endian, the last axis running fastest (github.com/huggingface/safetensors, README and
// tensor.rs). Knows bytes, no model.
//
// A reader takes slices: the first 8 bytes, then the header, then the tensors that it wants. Nothing is allocated for a
// length before the file was found to have it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/files/byte_source.h"
#include "model/files/number_type.h"

namespace attn {

struct PackedType;

inline constexpr std::uint64_t kSafetensorsLengthBytes = 8;
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;  // the reference reader's bound
inline constexpr std::size_t kMaxTensorAxes = 16;                    // ours: a model's tensors have at most 5

struct StoredTensor {
    std::string name;
    const NumberType* type = nullptr;  // never null
    std::vector<std::int64_t> shape;   // empty: one number
    std::uint64_t begin = 0, end = 0;  // bytes of the file
    // How far the next number along each axis is, in numbers from `begin` on; empty where they lie one after the other,
    // the last axis running fastest.
    std::vector<std::int64_t> strides = {};
    // How its numbers are packed in the file; null: they are there as `type` has them, which else is what they become.
    const PackedType* packed = nullptr;
    // Above 0: of each so many rows the file has those of both halves in turns, row i and row i + half beside each
    // other.
    int paired_rows = 0;

    std::int64_t num_numbers() const;
};

struct SafetensorsHeader {
    std::vector<StoredTensor> tensors;                          // in the order of the file's bytes
    std::vector<std::pair<std::string, std::string>> metadata;  // any text: a stranger wrote it
};

// N, from the file's first 8 bytes (fewer where the file has fewer). Fails with a sentence about `file` for a file that
// is too short for a header, and for lengths that no header has.
Result<std::uint64_t> safetensors_header_length(std::span<const std::uint8_t> first_bytes, std::uint64_t file_size,
                                                std::string_view file);

// What the N bytes behind the first 8 say. Fails with one sentence for whatever the format does not allow: text that is
// no JSON, a name twice, a type that there is not, sizes that do not fit a shape, bytes that overlap, that belong to no
// tensor, or that are not in the file.
Result<SafetensorsHeader> read_safetensors_header(std::string_view json, std::uint64_t file_size,
                                                  std::string_view file);

// Both, of a file.
Result<SafetensorsHeader> read_safetensors_header(ByteSource& file);

// "(768, 2304)", "()".
std::string tensor_shape_text(std::span<const std::int64_t> shape);

}  // namespace attn
