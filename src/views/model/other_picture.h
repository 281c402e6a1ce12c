// The state B that stands beside the one that view=model shows, A (View::compare): what follows from it for the words
// of A. Knows no pixels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "playground/models/model_numbers.h"
#include "playground/state/state.h"
#include "views/model/model_scene.h"

namespace attn {

// B itself; nothing where there is none.
std::optional<PlaygroundState> other_state(const View& view);

// B's picture for `drawing`, which is of A. `text` and `work` are B's; null where its model is not open, or while there
// is no picture.
OtherPicture other_picture(const PlaygroundState& a, const PlaygroundState& b, const ModelText* text,
                           const ModelPictureWork* work, const ModelDrawing& drawing);

// Whether there is a picture of B, with next words.
bool has_other(const ModelDrawing& drawing);
// The token of B that is this word of A, and its probability; nothing where B does not know the word.
std::optional<int> token_of_other(const ModelDrawing& drawing, int token);
std::optional<double> probability_of_other(const ModelDrawing& drawing, int token);

// The tokens whose probabilities are shown: the most probable ones of A, those of B that A knows, and the chosen one.
std::vector<int> shown_words_of_both(const ModelDrawing& drawing);

// "+0.2100": A − B.
std::string shown_difference(double difference);

// The lines of both columns by their labels, those of A first: with what rounding leaves, without the sums.
struct VotesOfLine {
    VoteLine line;  // of A, or of B where A has none
    std::optional<std::int64_t> a = {}, b = {};
};
std::vector<VotesOfLine> votes_of_both(const ModelDrawing& drawing);

}  // namespace attn
