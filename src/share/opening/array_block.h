// Arrays from files as matrices. Knows no state: what a matrix may become is import_tensor's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/text/number_block.h"
#include "share/formats/npy.h"

namespace attn {

// Why no tensor can have this shape, whatever the numbers and the state are: too many axes, rows or columns, no number.
// A sentence; empty where one can. To be asked before the numbers are read.
std::string why_no_tensor(std::string_view name, std::span<const std::int64_t> shape);

// The matrix of an array: one axis is a row, and of three the first must be 1. The error is a sentence: why_no_tensor,
// NaN, infinity and numbers too large for a float, with their place.
Result<NumberBlock> block_of(std::string_view name, const NumberArray& array);

// Rows become columns.
NumberBlock turned(const NumberBlock& block);

}  // namespace attn
