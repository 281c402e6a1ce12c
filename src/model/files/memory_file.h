// A file whose bytes are in memory already.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "model/files/byte_source.h"

namespace attn {

class MemoryFile : public ByteSource {
public:
    MemoryFile(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return bytes_.size(); }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        ATTN_CHECK(begin <= bytes_.size() && into.size() <= bytes_.size() - begin, "bytes ", begin, " to ",
                   begin + into.size(), " of ", bytes_.size());
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }

private:
    std::string name_, bytes_;
};

}  // namespace attn
