// Arrays from files, and what they may become: X, a learned matrix, a bias, the mask, queries, keys or values. Their
// names say it where they can (tensor_names.h), their shapes where not; a shape that does not fit is never changed in
// silence. Knows no file formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "playground/state.h"
#include "share/npy.h"
#include "share/npz.h"
#include "share/open_file.h"

namespace attn {

// One array. `name` is its file's, or its own in an archive. `notes` go with the question or the only choice.
// One or two axes, or three of which the first is 1; nn.Linear's weights are turned over. The error is a sentence: too
// many axes, no numbers, NaN and infinity with their place, a shape that nothing can have.
Result<FileOffer> offer_array(std::string_view name, const NumberArray& array, const PlaygroundState& state,
                              const Notes& notes = {});

// Whether the arrays of an archive with these names can be used, one a name; the others are derived from them or
// unknown. Queries, keys and values only count where there are no matrices to compute them.
std::vector<bool> usable_arrays(const std::vector<std::string>& names);

// The arrays of an archive, those that usable_arrays names, all at once.
Result<FileOffer> offer_arrays(std::string_view file_name, const std::vector<NamedArray>& arrays,
                               const PlaygroundState& state, const Notes& notes = {});

}  // namespace attn
