// The files of a model that attn has trained: config.json, model.safetensors, tokenizer.json, and card.json, which says
// what the model is, how it was trained, what it can do and which heads do it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/learn/model_training.h"
#include "model/learn/trained_scores.h"

namespace attn {

// One of the trainings that a model was chosen from.
struct TrainedSeed {
    std::uint64_t seed = 0;
    int num_steps = 0;
    TrainedScores scores;
};

struct TrainedModel {
    const Recipe& recipe;
    ModelTraining& training;             // which measures, too
    const TrainingTexts* texts;          // the recipe's, or null
    std::string_view tokenizer;          // the text of tokenizer.json, or empty: made from the grammar's words
    std::string_view about;              // the text of about.json, or empty
    std::span<const TrainedSeed> seeds;  // all that were trained, this one among them; its scores are the card's
    std::size_t chosen = 0;              // of them
};

// Writes the files into `folder`, which is there, tensors as halves. Returns nothing, or a sentence.
std::string write_trained_folder(const TrainedModel& trained, const std::string& folder);

// The scores of a training where it stands, of the halves that its file would have.
TrainedScores scores_of_training(const Recipe& recipe, ModelTraining& training, const TrainingTexts* texts);

}  // namespace attn
