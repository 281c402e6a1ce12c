// What the experiments and the check keep from one frame to the next: numbers that are slow to make, and what is being
// typed. No choices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/check_me.h"
#include "playground/dot_experiment.h"
#include "ui/ui.h"

namespace attn {

struct ExperimentMemory {
    std::optional<DotExperiment> pairs;         // of view=dots, as far as it has come
    std::vector<HeadDimStep> steps;             // of the sentence with other head_dims
    int steps_version = -1;                     // of the evaluation they belong to
    int explained_number = -1;                  // of view=softmax; -1: the largest
    std::string draft;                          // what is being typed as an answer
    std::optional<Question> drafted;            // for which question
    bool wants_answer_field = false;            // the keyboard goes to the field of the answer in the next frame
    std::optional<Question> followed_question;  // the one that was last scrolled to
};

// The one that the panels share; made when it is first asked for.
ExperimentMemory& experiments(UiFrame& frame);

}  // namespace attn
