#include "playground/link/random_rows_offer.h"

#include <algorithm>
#include <string>

#include "playground/link/hiding.h"

namespace attn {

bool takes_typed_rows_over(const Inputs& before, const Inputs& after, int sentence) {
    const auto shown = static_cast<std::size_t>(sentence);
    const bool is_typed = after.embed == EmbeddingKind::typed && !after.typed.empty() && after.model.empty();
    return is_typed && shown < before.texts.size() && shown < after.texts.size() &&
           before.texts[shown] != after.texts[shown] && !after.texts[shown].empty();
}

std::optional<Inputs> random_rows_offer(const Notes& notes, const PlaygroundState& state) {
    if (locks_control(state.view, "embed") || state.inputs.embed != EmbeddingKind::typed) return std::nullopt;
    const bool is_told = std::ranges::any_of(notes, [](const std::string& note) { return note == kTypedForOldWords; });
    if (!is_told) return std::nullopt;
    Inputs offer = state.inputs;
    offer.embed = EmbeddingKind::hash;
    return offer;
}

}  // namespace attn
