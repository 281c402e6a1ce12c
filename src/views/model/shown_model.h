// What view=model reads of a state beside the model and its text: where one looks, and what is drawn.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/origin.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"
#include "views/model/model_scene.h"
#include "views/model/say_next.h"

namespace attn {

inline constexpr double kMostAtOnce = 2e9;      // multiply-adds: a text version is made at once
inline constexpr double kMostSaidAtOnce = 2e8;  // what is said at each change of the state: part of a frame
inline constexpr double kBoundlessCost = std::numeric_limits<double>::infinity();

// The picture of a state's model, computed to its end; nothing where no model is open, or where it costs more.
struct ComputedModel {
    ModelText text;
    std::unique_ptr<ModelPictureWork> work;
};
std::optional<ComputedModel> compute_model(const PlaygroundState& state, double most = kMostAtOnce);

// The row of the pinned cell, else the last token.
int next_row(const View& view, int num_tokens);

// A trained model that comes with the program. A text that nobody chose becomes the first sentence of its card.
void show_own_model(PlaygroundState& state, const OwnModel& model);

// The layer and the head that one looks at, and looking elsewhere.
HeadOff looked_at(const PlaygroundState& state, const ModelConfig& config);
// The same once the picture is there: where no head is chosen, the one of the layer that decides the word.
HeadOff looked_at(const PlaygroundState& state, const ModelPicture& picture, const ModelTokenizer* tokenizer);
void look_at_head(PlaygroundState& state, const HeadOff& head);
// The head's weights in the view matrix.
void open_laboratory(PlaygroundState& state, const HeadOff& head);
// Switches it off, or on again; `num_heads` of a layer.
void switch_head(Inputs& inputs, const HeadOff& head, int num_heads);

NextDraw next_draw(const View& view);
// Why no word can be said after a token, in a sentence; empty where one can.
std::string find_saying_problem(const ModelText& shown, int row);
// Draws a word after `row` from its logits, and puts it at the end of the shown sentence of `next`. Returns why it
// could not, in a sentence; empty where it did.
std::string say_next_token(PlaygroundState& next, const PlaygroundState& state, const ModelText& shown, int row,
                           std::span<const float> logits);
// "“brush” is drawn; its probability is 0.53"
std::string drawn_in_words(const ModelText& shown, const NextDraw& draw, std::span<const float> logits);

// What stands above a figure of a model: its sentence; what the model is, and `of`, what the figure shows of it.
FigureWords words_of_figure(const FigureTask& task, const Model& model, std::string_view of, std::string description);

// What is drawn of a picture that is there; the work stays as it is.
ModelDrawing model_drawing(const PlaygroundState& state, const ModelPictureWork& work, const ModelTokenizer* tokenizer);

// model_csv of the state; fails with a sentence where no model is open.
Result<std::string> csv_of_model(const PlaygroundState& state);

std::vector<TextTable> tables_of_model(const PlaygroundState& state, const Evaluator& evaluator);
// Empty without a model: then what else is on the screen is said.
std::string announcement_of_model(const PlaygroundState& state, const Evaluation& evaluation);

}  // namespace attn
