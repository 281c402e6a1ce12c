// Arrays from files as matrices. Knows no state: what a matrix may become is import_tensor's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// What the ones of a mask do. Here they hide, as True does in nn.MultiheadAttention's attn_mask; in
// scaled_dot_product_attention's, True lets through, and so does torch.tril(torch.ones(T, T)).
struct MaskReading {
    bool ones_hide = true;
    std::string_view words;  // about the ones, for a choice; empty where nothing else can be meant
};

// Whether all numbers are 0 or 1.
bool is_mask(const NumberBlock& block);

// How a mask can be read, the likelier way first: two ways where it is of true and false, and of numbers by which a
// query would see no key at all.
std::vector<MaskReading> mask_readings(const NumberBlock& mask, bool is_boolean);

// The mask with 1 where a key is hidden.
NumberBlock hidden_by(NumberBlock mask, const MaskReading& reading);

}  // namespace attn
