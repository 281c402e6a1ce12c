// The state B that stands beside the shown state A: the ways to choose it, and in which keys the two differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"

namespace attn {

// Exchanges the shown state and B; the view stays. There must be a B.
void swap_with_other(PlaygroundState& state);

// A state one step away from the shown one, worth comparing it with.
struct QuickOther {
    std::string_view name;  // "seed"
    std::string label;      // "seed 124"
    std::string link;       // as legal_compare leaves it
};

// Those that make sense for this state: without the edits, with another seed, ...
std::vector<QuickOther> quick_others(const PlaygroundState& state);

// The same state before its first step of training, as B.
std::string link_before_training(const PlaygroundState& state);

// How B differs from A, one entry a key: "seed 124 instead of 123". Empty when both are the same.
std::vector<std::string> differences_in_words(const PlaygroundState& a, const PlaygroundState& b);

// The head that a state is compared by: the enlarged one, or else the first.
int compared_head(const PlaygroundState& state);

}  // namespace attn
