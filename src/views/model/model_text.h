// The text version of view=model, and what a screen reader says of it.
#pragma once

#include <string>
#include <vector>

#include "playground/text/text_table.h"
#include "views/model/model_scene.h"

namespace attn {

// The next words, the votes, the heads with their scores, the chosen map, the stream's lengths.
std::vector<TextTable> tables_of_picture(const ModelDrawing& drawing);

// For the ear: "0.5421", or "below 0.0001".
std::string probability_in_words(double p);

// "After “the”: “artist” 0.5421, “woman” 0.4018. Layer 2 · Head 3: token before .97. 1 head is off."
std::string picture_in_words(const ModelDrawing& drawing);

// What the model is, in a line: "GPT-2, 2 layers, 8 heads each, 110,144 numbers".
std::string model_in_words(const ModelConfig& config, std::int64_t num_parameters);

}  // namespace attn
