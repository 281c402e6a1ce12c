// The header first: where each tensor's bytes lie follows from the shapes.
#include "model/files/safetensors_writer.h"

#include <algorithm>
#include <bit>

#include "core/ground/check.h"

namespace attn {
namespace {

std::string text_in_json(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        ATTN_CHECK(letter >= ' ' && letter <= '~', "a name with the byte ", static_cast<int>(letter));
        if (letter == '"' || letter == '\\') quoted += '\\';
        quoted += letter;
    }
    return quoted + '"';
}

void append_low_bytes(std::string& bytes, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 255U);
}

}  // namespace

std::uint16_t narrow_to_half(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t size = bits & 0x7fffffffU;
    if (size > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
    if (size >= 0x477ff000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
    // Below 2^-14 halves lie 2^-24 apart: the float of the sum with 1/2 has them as its last bits, rounded.
    if (size < 0x38800000U) {
        const float sum = std::bit_cast<float>(size) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000U));
    }
    // The exponent moves from 127 to 15; half of what is cut off, less 1, plus the last bit that stays, rounds.
    const std::uint32_t moved = size - ((127U - 15U) << 23U);
    return static_cast<std::uint16_t>(sign | (moved + 0xfffU + (moved >> 13U & 1U)) >> 13U);
}

std::string write_safetensors(std::span<const WrittenTensor> tensors, std::string_view type,
                              std::span<const std::pair<std::string, std::string>> metadata) {
    ATTN_CHECK(type == "F32" || type == "F16", "numbers of the type ", type);
    const unsigned size = type == "F16" ? 2 : 4;
    std::string header = "{";
    if (!metadata.empty()) {
        header += "\"__metadata__\":{";
        for (const auto& [key, value] : metadata)
            header += concat(header.ends_with('{') ? "" : ",", text_in_json(key), ":", text_in_json(value));
        header += "}";
    }
    std::uint64_t begin = 0;
    for (const WrittenTensor& tensor : tensors) {
        std::string shape;
        std::int64_t count = 1;
        for (const std::int64_t axis : tensor.shape) {
            shape += concat(shape.empty() ? "" : ",", axis);
            count *= axis;
        }
        ATTN_CHECK(static_cast<std::uint64_t>(count) == tensor.numbers.size(), tensor.name, " has ",
                   tensor.numbers.size(), " numbers, want ", count);
        const std::uint64_t end = begin + tensor.numbers.size() * size;
        header += concat(header.size() > 1 ? "," : "", text_in_json(tensor.name), ":{\"dtype\":\"", type,
                         "\",\"shape\":[", shape, "],\"data_offsets\":[", begin, ",", end, "]}");
        begin = end;
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    std::string file;
    append_low_bytes(file, header.size(), 8);
    file += header;
    for (const WrittenTensor& tensor : tensors) {
        for (const float number : tensor.numbers) {
            if (size == 2) append_low_bytes(file, narrow_to_half(number), 2);
            if (size == 4) append_low_bytes(file, std::bit_cast<std::uint32_t>(number), 4);
        }
    }
    return file;
}

}  // namespace attn
