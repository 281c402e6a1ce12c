// What can be done with a file that came in. Knows no file formats.
#pragma once

#include <string>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// One thing that can be done: the whole state as it would be afterwards, legal.
struct FileChoice {
    std::string label;  // "as w_query", "as X, d_in becomes 6"
    PlaygroundState state;
    Notes notes;  // what was ignored or moved
};

struct FileOffer {
    std::string question;             // "weights.npy holds (6, 3) numbers. What are they?"
    std::vector<FileChoice> choices;  // at least one
    bool is_certain = false;          // the first choice fits as it is and no other can be meant: no need to ask
};

}  // namespace attn
