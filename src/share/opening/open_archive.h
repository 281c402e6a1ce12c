// Arrays that come together, in an NPZ file or as a module's state_dict: which of them is used, and which module's.
#pragma once

#include <functional>
#include <string_view>

#include "core/ground/result.h"
#include "playground/state/state.h"
#include "share/formats/npz.h"
#include "share/opening/file_offer.h"

namespace attn {

// Reads the arrays that `is_wanted` names, unless `why_not` speaks against one: read_npz or read_tensors of some file.
using ReadArchive = std::function<Result<NpzContents>(const std::function<bool(std::string_view name)>& is_wanted,
                                                      const WhyNoArray& why_not)>;

// What the arrays offer on top of the legal `state`. Those of one module are taken whole or refused; of a file with
// several attention modules, or with other layers beside one, a module is chosen. The error is a sentence.
Result<FileOffer> open_archive(std::string_view file_name, const PlaygroundState& state, const ReadArchive& read);

}  // namespace attn
