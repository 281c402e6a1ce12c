// GGUF files, which llama.cpp reads: a model's settings, its tokenizer and its tensors in one file. The format
// (github.com/ggml-org/ggml, docs/gguf.md), all little endian: "GGUF", the version, how many tensors and how many
// settings there are; the settings, each a key, a type and a value; of each tensor its name, its sides, the fastest
// first, its type and where its bytes begin; behind them, from the next multiple of the alignment on, these bytes. A
// text is its length in 8 bytes and its bytes; a list is the type of its elements, their number and them.
//
// Knows bytes, no model. Reads the file's beginning in pieces, each as large as all before it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/files/byte_source.h"
#include "model/files/safetensors.h"

namespace attn {

// By the numbers that files have for them.
enum class GgufType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

struct GgufValue {
    GgufType type = GgufType::u8;
    double number = 0;      // of a number, and 0 or 1 of a boolean
    std::string text = {};  // any bytes
    // Of a list: its elements' type, and its numbers, texts or lists.
    GgufType elements = GgufType::u8;
    std::vector<double> numbers = {};
    std::vector<std::string> texts = {};
    std::vector<GgufValue> lists = {};

    bool is_number() const { return type != GgufType::text && type != GgufType::list && type != GgufType::boolean; }
    // A number of a whole type from 0 to 2^53 - 1.
    std::optional<std::uint64_t> whole() const;
};

struct Gguf {
    static constexpr std::uint64_t kMaxHeader = 100'000'000;  // bytes before the tensors'; Gemma 3's has 7 MB
    static constexpr std::uint64_t kMaxEntries = 1 << 16;     // settings, and tensors
    static constexpr std::uint64_t kMaxElements = 4'000'000;  // of all lists; Llama 3's tokenizer has 537,000
    static constexpr int kMaxDepth = 4;                       // lists within lists
    static constexpr std::size_t kMaxSettingNumbers = 1 << 14;

    std::string file;  // its name
    std::vector<std::pair<std::string, GgufValue>> settings;
    std::vector<StoredTensor> tensors;  // by their names there, sides as elsewhere: the fastest last
    // The numbers of those that are settings rather than learned: "rope_freqs.weight" and "rope_factors_….weight".
    std::map<std::string, std::vector<float>> setting_tensors;

    const GgufValue* find(std::string_view key) const;  // null: it has none
    std::string_view text(std::string_view key) const;  // "" without one
};

bool begins_like_gguf(std::string_view first_bytes);

// Fails with a sentence: another version, the byte order of other machines, a part of several, counts and lengths
// beyond the file or beyond the bounds above, types of values that there are not, a key or a name twice, tensors of a
// type that is not read, that lie elsewhere than the alignment allows, in each other, or beyond the end.
Result<Gguf> read_gguf(ByteSource& file);

}  // namespace attn
