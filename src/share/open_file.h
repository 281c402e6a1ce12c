// A file that was dropped on the playground or chosen in a dialog: what it is, and what can be done with it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "playground/notes.h"
#include "playground/state.h"

namespace attn {

inline constexpr std::size_t kMaxFileBytes = 64 << 20;

struct NamedFile {
    std::string name;  // without folders
    std::string bytes;
};

// One thing that can be done: the whole state as it would be afterwards, legal.
struct FileChoice {
    std::string label;  // "as w_query", "as X, d_in becomes 6"
    PlaygroundState state;
    Notes notes;  // what was ignored or moved
};

struct FileOffer {
    std::string question;             // "weights.npy holds (6, 3) numbers. What are they?"
    std::vector<FileChoice> choices;  // at least one
    bool is_certain = false;          // the first choice fits as it is and nothing else is meant: no need to ask
};

// What `file` offers on top of the legal `state`, told by its content first and its name second: a session file, NPY,
// NPZ, or a table of numbers (CSV, TSV). The error is a sentence that says what is wrong and where.
Result<FileOffer> open_file(const NamedFile& file, const PlaygroundState& state);

}  // namespace attn
