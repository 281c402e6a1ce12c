// What a trained model can do and which of its heads do it, on sentences of templates that were never trained. The
// scores of heads are those of model/roles; which rows of which sentences they are taken on follows from the grammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/layers/model_weights.h"
#include "model/learn/recipe.h"

namespace attn {

// Scores of one head, means over held-out sentences; nothing where the grammar has none of the kind. All from 0 to 1
// unless said.
struct HeadScores {
    int layer = 0, head = 0;            // from 0
    std::optional<double> previous;     // offset_score 1, on texts of all kinds
    std::optional<double> self, first;  // offset_score 0, first_token_score
    std::optional<double> duplicate;    // on copies of letters, as the next
    std::optional<double> induction;    // induction_score
    std::optional<double> subject;      // arc_hits to the subject, from the verb or the word before it: the better one
    // attachment_score of the answer's row: owner against the other, where the thing decides.
    std::optional<double> attachment;
    std::optional<double> vote;  // in the lecture's sentence: what it adds to the logit of artist less that of woman
    // How much the loss rises at the words that an ability decides when the head hands on 0, in nats.
    std::optional<double> rise_attachment, rise_agreement, rise_copying, rise_names;
    std::optional<double> rise_text;  // of all words of texts that people wrote, held out
};

struct NamedScore {
    std::string name;
    double value = 0;
};

struct TrainedScores {
    std::vector<HeadScores> heads;
    std::optional<double> subject_baseline;  // best_fixed_offset of the same arcs
    std::optional<double> artist, woman;     // probabilities after the lecture's sentence
    std::optional<HeldOutLoss> held_out;     // of a recipe with texts
    // By name, what a recipe may want, as far as its grammar has sentences for it:
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

constexpr int kSentencesOfAKind = 200;
constexpr int kSentencesBesideTexts = 1000;  // where no template was trained, so that chance is told from skill

// Which of the named scores a model of this recipe has. Asked before a training, which may take hours. `texts`: those
// of the recipe, null where it has none, here and below.
std::vector<std::string> names_of_scores(const Recipe& recipe, const TrainingTexts* texts = nullptr);
// Nothing, or a sentence: which score the recipe wants that its models do not have, or which word of its templates is
// not one token.
std::string find_score_problem(const Recipe& recipe, const TrainingTexts* texts = nullptr);

// `num_sentences` of each kind, drawn from a seed of their own. Scores without a sentence are left out. All but
// `held_out`, which a training measures.
TrainedScores score_model(const Recipe& recipe, const Model& model, int num_sentences = kSentencesOfAKind,
                          const TrainingTexts* texts = nullptr);

// Mean losses in nats on texts as they are trained, drawn from another seed than any training.
struct LossTable {
    double model = 0;
    double floor = 0;                // Grammar::surprise: nobody can do better
    double unigram = 0, bigram = 0;  // of counts on other texts, each count plus 1/100
    std::optional<double> held_out;  // the model, on texts of held-out templates, if there are some
};
LossTable measure_losses(const Recipe& recipe, const Model& model, int num_texts = 2000);

}  // namespace attn
