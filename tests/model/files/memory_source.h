// A file in memory, and safetensors files made by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/byte_source.h"

namespace attn::test {

class MemorySource : public ByteSource {
public:
    MemorySource(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return bytes_.size(); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        if (is_broken) return "The disk is broken.";
        if (begin + into.size() > bytes_.size()) return "read beyond the end";
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }
    bool is_broken = false;

private:
    std::string name_, bytes_;
};

// The file with this header, as it is, and these numbers.
inline std::string safetensors(std::string_view header, std::string_view numbers = {}) {
    std::string file;
    for (unsigned i = 0; i < 8; ++i) file += static_cast<char>(std::uint64_t{header.size()} >> 8 * i & 255U);
    return file.append(header).append(numbers);
}

inline std::vector<std::unique_ptr<ByteSource>> sources(std::vector<std::pair<std::string, std::string>> files) {
    std::vector<std::unique_ptr<ByteSource>> all;
    for (auto& [name, bytes] : files) all.push_back(std::make_unique<MemorySource>(name, bytes));
    return all;
}

}  // namespace attn::test
