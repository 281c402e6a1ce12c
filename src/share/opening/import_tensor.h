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

// The arrays of an archive, those that usable_arrays names, all at once.
Result<FileOffer> offer_arrays(std::string_view file_name, const std::vector<NamedArray>& arrays,
                               const PlaygroundState& state, const Notes& notes = {});

}  // namespace attn
