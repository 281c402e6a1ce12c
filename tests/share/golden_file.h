// Reads the files of tests/golden.
#pragma once

#include <catch_amalgamated.hpp>
#include <fstream>
#include <iterator>
#include <string>

namespace attn::test {

inline std::string golden_file(const std::string& name) {
    std::ifstream in(std::string(ATTN_GOLDEN_FOLDER) + "/" + name, std::ios::binary);
    INFO(name);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace attn::test
