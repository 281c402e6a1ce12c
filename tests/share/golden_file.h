// Reads the files of tests/golden.
#pragma once

#include <catch_amalgamated.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "project_folder.h"

namespace attn::test {

inline std::string golden_file(const std::string& name) {
    std::ifstream in(std::string(kProjectFolder) + "/tests/golden/" + name, std::ios::binary);
    INFO(name);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace attn::test
