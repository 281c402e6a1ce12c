// GGUF files made by hand: settings and tensors, one after the other.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::test {

inline std::string little_endian(std::uint64_t number, std::size_t size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * i & 255U);
    return bytes;
}
inline std::string gguf_text(std::string_view text) {
    return little_endian(text.size(), 8).append(text);
}
inline std::string float_bytes(const std::vector<float>& numbers) {
    std::string bytes;
    for (const float one : numbers) bytes += little_endian(std::bit_cast<std::uint32_t>(one), 4);
    return bytes;
}

struct GgufMaker {
    // The value of a type's number, as it is in the file.
    void setting(std::string_view key, std::uint32_t type, std::string_view value) {
        settings += gguf_text(key) + little_endian(type, 4);
        settings += value;
        ++num_settings;
    }
    void whole(std::string_view key, std::uint64_t number) { setting(key, 4, little_endian(number, 4)); }
    void number(std::string_view key, float number) { setting(key, 6, float_bytes({number})); }
    void flag(std::string_view key, bool value) { setting(key, 7, little_endian(value ? 1 : 0, 1)); }
    void text(std::string_view key, std::string_view value) { setting(key, 8, gguf_text(value)); }
    // A list: the type of its elements, and these.
    void list(std::string_view key, std::uint32_t type, std::uint64_t count, std::string_view elements) {
        setting(key, 9, (little_endian(type, 4) + little_endian(count, 8)).append(elements));
    }
    void texts(std::string_view key, const std::vector<std::string>& values) {
        std::string elements;
        for (const std::string& one : values) elements += gguf_text(one);
        list(key, 8, values.size(), elements);
    }
    void wholes(std::string_view key, const std::vector<int>& values) {
        std::string elements;
        for (const int one : values) elements += little_endian(static_cast<std::uint32_t>(one), 4);
        list(key, 5, values.size(), elements);
    }

    // `shape` with the fastest side last; its bytes lie behind those of the tensors before it.
    void tensor(std::string_view name, const std::vector<std::int64_t>& shape, std::uint32_t type,
                std::string_view bytes) {
        tensor_at(name, shape, type, data.size());
        data += bytes;
        while (data.size() % alignment != 0) data += '\0';
    }
    void tensor_at(std::string_view name, const std::vector<std::int64_t>& shape, std::uint32_t type,
                   std::uint64_t begin) {
        tensors += gguf_text(name) + little_endian(shape.size(), 4);
        for (auto side = shape.rbegin(); side != shape.rend(); ++side)
            tensors += little_endian(static_cast<std::uint64_t>(*side), 8);
        tensors += little_endian(type, 4) + little_endian(begin, 8);
        ++num_tensors;
    }
    void floats(std::string_view name, const std::vector<std::int64_t>& shape, const std::vector<float>& numbers) {
        tensor(name, shape, 0, float_bytes(numbers));
    }

    std::string file(std::uint64_t version = 3) const {
        std::string bytes = "GGUF" + little_endian(version, 4) + little_endian(num_tensors, 8) +
                            little_endian(num_settings, 8) + settings + tensors;
        while (bytes.size() % alignment != 0) bytes += '\0';
        return bytes + data;
    }

    std::string settings = {}, tensors = {}, data = {};
    std::uint64_t num_settings = 0, num_tensors = 0, alignment = 32;
};

}  // namespace attn::test
