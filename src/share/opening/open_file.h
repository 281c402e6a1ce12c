// A file that was dropped on the playground or chosen in a dialog: what it is, and what can be done with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/state/state.h"
#include "share/opening/file_offer.h"

namespace attn {

inline constexpr std::size_t kMaxFileBytes = 64 << 20;

struct NamedFile {
    std::string name;        // without folders
    std::string_view bytes;  // stay where they are: a file may be as large as the room that is left
};

// What `file` offers on top of the legal `state`, told by its content first and its name second: a session file, a
// teacher's task, NPY, NPZ, a module's state_dict (safetensors, or of torch.save), or a table of numbers (CSV, TSV).
// The error is a sentence that says what is wrong and where.
Result<FileOffer> open_file(const NamedFile& file, const PlaygroundState& state);

}  // namespace attn
