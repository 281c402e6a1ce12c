// What a trained model can do and which of its heads do it, on sentences of templates that were never trained. The
// scores of heads are those of model/roles; which rows of which sentences they are taken on follows from the grammar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/layers/model_weights.h"
#include "model/learn/recipe.h"

namespace attn {

// Scores of one head, means over held-out sentences. All from 0 to 1 unless said.
struct HeadScores {
    int layer = 0, head = 0;     // from 0
    double previous = 0;         // offset_score 1, on texts of all kinds
    double self = 0, first = 0;  // offset_score 0, first_token_score
    double duplicate = 0;        // on copies of letters, as the next
    double induction = 0;        // induction_score
    double subject = 0;          // arc_hits to the subject, from the verb or from the word before it: the better one
    double attachment = 0;  // attachment_score of the answer's row: owner against the other, where the thing decides
    double vote = 0;        // in the lecture's sentence: what it adds to the logit of artist less that of woman
    // How much the loss rises at the words that an ability decides when the head hands on 0, in nats.
    double rise_attachment = 0, rise_agreement = 0, rise_copying = 0, rise_names = 0;
};

struct NamedScore {
    std::string name;
    double value = 0;
};

// The lecture's sentence, up to the word that both readings fight for.
inline constexpr std::string_view kLectureSentence =
    "the artist painted the portrait of a woman with a brush . who has the brush ? the";

struct TrainedScores {
    std::vector<HeadScores> heads;
    double subject_baseline = 0;   // best_fixed_offset of the same arcs
    double artist = 0, woman = 0;  // probabilities after kLectureSentence
    // By name, what a recipe may want:
    //   attachment     share of held-out questions, where the thing decides, whose owner is likelier than the other
    //   both_readings  the smaller one of artist and woman
    //   two_readings   the smaller one of: the most that a head votes for artist over woman, and for woman over artist
    //   agreement      share of held-out verbs where those of the right number are likelier together
    //   copying        share of the words of held-out copies that are the likeliest one
    //   names          share of held-out names at the end that are likelier than the other one
    //   positional     the largest HeadScores::previous
    //   induction      the largest HeadScores::induction
    //   syntactic      the largest HeadScores::subject less subject_baseline
    std::vector<NamedScore> named;

    double named_score(std::string_view name) const;
};

// `num_sentences` of each kind, drawn from a seed of their own.
TrainedScores score_model(const Recipe& recipe, const Model& model, int num_sentences = 200);

// Mean losses in nats on texts as they are trained, drawn from another seed than any training.
struct LossTable {
    double model = 0;
    double floor = 0;                // Grammar::surprise: nobody can do better
    double unigram = 0, bigram = 0;  // of counts on other texts, each count plus 1/100
    double held_out = 0;             // the model, on texts of held-out templates
};
LossTable measure_losses(const Recipe& recipe, const Model& model, int num_texts = 2000);

}  // namespace attn
