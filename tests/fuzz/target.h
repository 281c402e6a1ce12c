// What a fuzz target is; driver.cpp calls it. A target knows what is promised for any input, and stops the program
// (ATTN_CHECK) where that is broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Tries one input; returns 0. The name is libFuzzer's, whose own driver can be linked in place of ours.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

// A seed made from a golden link: a file that the program writes, say.
std::string input_of_link(std::string_view link);
