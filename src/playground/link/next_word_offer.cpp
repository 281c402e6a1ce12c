#include "playground/link/next_word_offer.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/recipe_keys.h"

namespace attn {

// Read from the words, so that a note is nothing but its words wherever it comes from.
std::optional<Inputs> next_word_offer(const Notes& notes, const PlaygroundState& state) {
    if (locks_control(state.view, "goal") || locks_control(state.view, "d_out")) return std::nullopt;
    const bool is_too_narrow =
        std::ranges::any_of(notes, [](const std::string& note) { return note.starts_with(kNotAsWide); });
    if (!is_too_narrow || state.inputs.goal == GoalKind::next) return std::nullopt;
    Inputs offer = state.inputs;
    offer.goal = GoalKind::next;
    offer.d_out = offer.d_in;
    return offer;
}

std::string next_word_offer_label(const Inputs& offer) {
    return concat("Take d_out ", offer.d_out);
}

}  // namespace attn
