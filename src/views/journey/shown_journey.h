// What view=journey reads of a state: the model and its text, the token, the layer that is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "views/journey/journey_picture.h"

namespace attn {

// The layer whose stops are shown.
int open_journey_layer(const Inputs& inputs, const ModelConfig& config);

// The work on the journey of the state's token, from nothing.
std::unique_ptr<JourneyWork> begin_journey(const PlaygroundState& state, const ModelText& text);

JourneyDrawing journey_drawing(const JourneyWork& work, const ModelText& text);

// Shows a stop in the view matrix: its stage, the token's row, the largest number of it pinned. `layer` is what the
// stop belongs to, `stop` has its row.
void open_stop(PlaygroundState& state, const JourneyStop& stop, int layer, int row);

// Of a state whose model is open: all at once, and a sentence where that costs too much.
std::vector<TextTable> tables_of_journey(const PlaygroundState& state, const Evaluator& evaluator);
// Empty without a model, and where it takes more than part of a frame: then what else is on the screen is said.
std::string announcement_of_journey(const PlaygroundState& state);
// journey_csv of the state; fails with a sentence.
Result<std::string> csv_of_journey(const PlaygroundState& state);
// Needs an open model with a text; computes it to the end.
Result<Figure> figure_of_journey(const FigureTask& task);

}  // namespace attn
