// What view=lens reads of a state: the model and its text, the cell that is open, the word that is asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"
#include "views/lens/lens_picture.h"

namespace attn {

// After which layer the open cell is; `num_layers` where the state does not say.
int open_lens_layer(const View& view, int num_layers);
// The token of a word that a view chose; nothing where it chose none, or the model does not know it.
std::optional<int> chosen_word(std::string_view word, const ModelText& text);
// Opens a cell.
void open_lens_cell(View& view, int layer, int position);

// The work on the lens of a state's text, from nothing: the positions of lens_window. The model has a lens.
std::unique_ptr<LensWork> begin_lens(const View& view, const ModelText& text, int most = kMostLensPositions);

// What is drawn of it, without a sum: all its positions, or those of `shown`.
LensDrawing lens_drawing(const View& view, const LensWork& work, const ModelText& text,
                         std::optional<LensWindow> shown = {});
// Whether the sum of the open cell can be made: its word is known, and its numbers are in memory; they are asked for.
bool can_sum(const LensDrawing& drawing);

// Multiply-adds of a lens of so many positions.
double lens_cost(const ModelConfig& config, int num_positions);

// Of a state whose model is open: all at once, of as many positions as may be; of none but the one looked at where more
// cost too much, and a sentence where that one does, or the model has no lens.
std::vector<TextTable> tables_of_lens(const PlaygroundState& state, const Evaluator& evaluator);
// Empty without a model, and where it takes more than part of a frame: then what else is on the screen is said.
std::string announcement_of_lens(const PlaygroundState& state);
// lens_csv of the state, of all positions; fails with a sentence.
Result<std::string> csv_of_lens(const PlaygroundState& state);
// Needs an open model with a text and a head; computes it to the end.
Result<Figure> figure_of_lens(const FigureTask& task);

}  // namespace attn
