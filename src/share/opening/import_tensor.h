// Arrays from files, and what they may become: X, a learned matrix, a bias, the mask, queries, keys or values. Their
// names decide where they can (tensor_names.h), else their shapes; a shape that does not fit is never changed
// silently. Knows no file formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/state/state.h"
#include "share/formats/npy.h"
#include "share/formats/npz.h"
#include "share/opening/file_offer.h"

namespace attn {

// One array. `name` is its file's, or its own in an archive. `notes` go with the question or the only choice.
// One or two axes, or three of which the first is 1; nn.Linear's weights are transposed. The error is a sentence:
// why_no_tensor, NaN and infinity with their place, a shape that nothing can have in this state.
Result<FileOffer> offer_array(std::string_view name, const NumberArray& array, const PlaygroundState& state,
                              const Notes& notes = {});

// Whether the arrays of an archive with these names can be used, one a name; the others are derived from them or
// unknown. Queries, keys and values only count where there are no matrices to compute them.
std::vector<bool> usable_arrays(const std::vector<std::string>& names);

// Instead of each array that is_stacked_name says so of its three parts, under the names "q_proj.weight", .... The
// error is a sentence: its rows are not three times as many as something.
Result<std::vector<NamedArray>> cut_stacked(std::vector<NamedArray> arrays);

// The arrays of an archive, those that usable_arrays names, all at once.
Result<FileOffer> offer_arrays(std::string_view file_name, const std::vector<NamedArray>& arrays,
                               const PlaygroundState& state, const Notes& notes = {});

}  // namespace attn
