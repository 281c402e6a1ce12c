// Targets: which key a query of a head should look at. Kept sorted, one a cell, so that two states with the same
// targets are equal however they came about.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"

namespace attn {

// Whether the mask hides the key from the query: by its rule, or because somebody changed it.
bool hides_key(const Inputs& inputs, int sentence, int query, int key);

// Whether a window or somebody's hand hides keys, besides those that come later.
bool hides_by_window_or_hand(const Inputs& inputs);

// The target of this cell, whatever its share, or null.
const TargetCell* find_target(const std::vector<TargetCell>& targets, const TargetCell& cell);

// The share that training asks a cell for: its own divided by the sum of its row; 0 where it is no target.
double share_of_row(const std::vector<TargetCell>& targets, const TargetCell& cell);

// What painting a cell came to.
enum class Painted {
    yes,
    hidden,  // the mask hides the key: nothing changed
    full,    // there are kMaxTargets already: nothing changed
};

// Sets the target of a cell, as a person does by hand. Where there is no goal, it becomes `pattern`, at step 0: no
// number changes. `cell` lies in the sentence and the heads.
Painted paint_target(Inputs& inputs, const TargetCell& cell);

// Takes it away again; false where there was none. The goal `pattern` ends with its last target.
bool erase_target(Inputs& inputs, const TargetCell& cell);

// Takes away all of a sentence's targets in the heads from `first` to before `end`.
void erase_targets(Inputs& inputs, int sentence, int first, int end);

// Ready-made targets of whole sentences.
enum class TargetPreset { before, first, itself, same, readings };
inline constexpr int kNumTargetPresets = 5;
// "token before"
std::string_view preset_title(TargetPreset preset);
// "each token at the one before it"
std::string_view preset_meaning(TargetPreset preset);

// The targets of a preset for a sentence with these tokens, in the heads from `first` to before `end`. `readings` are
// the lecture's: brush → artist and brush → woman, in a head each; a single head has both, half and half. None where
// there is nothing to ask; what the mask hides is left out.
std::vector<TargetCell> preset_targets(const Inputs& inputs, TargetPreset preset, int sentence,
                                       const std::vector<std::string>& tokens, int first, int end);

// Why there are none, as a note.
std::string why_no_targets(TargetPreset preset);

// Puts them in the place of what these heads were asked in this sentence, as painting does. Not for an empty list.
void put_preset(Inputs& inputs, const std::vector<TargetCell>& targets, int first, int end);

}  // namespace attn
