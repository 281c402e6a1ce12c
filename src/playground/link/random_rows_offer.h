// The way from typed embeddings to random ones, for a press beside the note that says whose numbers the typed ones are.
#pragma once

#include <optional>
#include <string_view>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// The note on a sentence that changed while its embeddings are typed.
inline constexpr std::string_view kTypedForOldWords =
    "the new words take over the numbers that were typed for the old ones";

// Whether that is to be said of a sentence that was `before`.
bool takes_typed_rows_over(const Inputs& before, const Inputs& after, int sentence);

// The same inputs with a random vector for each word, where one of the notes is that one. Nothing where the author of
// the page locked the embedding.
std::optional<Inputs> random_rows_offer(const Notes& notes, const PlaygroundState& state);

inline constexpr std::string_view kRandomRowsLabel = "Use random numbers";

}  // namespace attn
