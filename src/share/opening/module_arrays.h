// The arrays of an attention module's state_dict as one array a tensor: nn.MultiheadAttention, GPT-2 and others keep
// the matrices of queries, keys and values in one, and buffers beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "share/formats/npz.h"

namespace attn {

// Whether an array of this name holds queries', keys' and values' matrices or biases in one: "in_proj_weight",
// "in_proj_bias" of nn.MultiheadAttention, "c_attn.weight" of GPT-2, "qkv.weight", "to_qkv.weight", whatever module
// stands before it.
bool is_stacked_name(std::string_view name);

// Whether it is no learned number but a module's buffer, which follows from its settings: the mask of a lecture's head
// ("tril") or of GPT-2's attention ("attn.bias").
bool is_buffer_name(std::string_view name);

// Whether the arrays of an archive with these names can be used, one a name; the others are derived from them or
// unknown. Queries, keys and values only count where there are no matrices to compute them.
std::vector<bool> usable_arrays(const std::vector<std::string>& names);

// The module that a name is of: "h.0.attn" of "h.0.attn.c_attn.weight", of "h.0.attn.to_out.0.bias", and of a head
// alone, "h.0.attn.heads.2.key.weight". Empty for a name without a module.
std::string_view module_of(std::string_view name);

// The modules that have matrices of queries, keys or values, in the order of the names.
std::vector<std::string_view> attention_modules(const std::vector<std::string>& names);

// Whether a name belongs to a module: by itself, or as what every module reads ("x", "mask").
bool belongs_to(std::string_view name, std::string_view module);

// Heads that are modules of their own ("heads.0.key.weight", "heads.1.key.weight") side by side, as one module has them
// ("key.weight"); returns how many there are, 0 for arrays of no such heads. The error is a sentence: a head without an
// array that others have, of another shape, or with an output projection of its own.
Result<int> join_heads(std::vector<NamedArray>& arrays);

// Instead of each stacked array its three parts, under the names "q_proj.weight", ...; of GPT-2's Conv1D, (E, 3E),
// under "w_query", .... The error is a sentence: a shape that is not three of something, or that could be either.
Result<std::vector<NamedArray>> cut_stacked(std::vector<NamedArray> arrays);

}  // namespace attn
