// A file that is read in slices: on disk, dropped on a page, or in memory. Who has the file says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attn {

class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    // The file's name as people know it, for sentences: "model.safetensors".
    virtual const std::string& name() const = 0;
    virtual std::uint64_t size() const = 0;  // bytes

    // Reads the bytes [begin, begin + into.size()), which lie within the file. Returns nothing, or a sentence that says
    // why they cannot be read.
    virtual std::string read(std::uint64_t begin, std::span<std::uint8_t> into) = 0;
};

}  // namespace attn
