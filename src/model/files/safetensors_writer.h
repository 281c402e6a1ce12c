// Writes a safetensors file (see safetensors.h for the format). Knows numbers and names, no model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

struct WrittenTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::span<const float> numbers;  // as many as the shape says
};

// The bytes of the file. `type` is F32, or F16 for the nearest halves. The header is padded with blanks, so that the
// numbers begin at a multiple of 8. Names and metadata are plain ASCII.
std::string write_safetensors(std::span<const WrittenTensor> tensors, std::string_view type,
                              std::span<const std::pair<std::string, std::string>> metadata);

// The half that is nearest to a number, of two the one that ends in 0; infinity from 65520 on; NaN stays NaN.
std::uint16_t narrow_to_half(float number);

}  // namespace attn
