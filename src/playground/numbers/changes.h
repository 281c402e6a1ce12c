// What the numbers that the visitor typed over have changed in the stages: each shown number beside the one it was
// without them. Every difference counts, also one too small to be printed: two numbers are the same only if they are
// equal (0 and −0 are) or both not a number. Knows no screen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "playground/numbers/evaluation.h"

namespace attn {

bool is_changed(float before, float now);

// "0.1500 → 0.1623", with more digits than four where those would look the same; "masked" for the -inf of a hidden key.
std::string change_text(float before, float now);

struct StageChanges {
    std::int64_t num_changed = 0;
    std::int64_t num_cells = 0;  // of all heads
};

// `before` and `now` have the same shapes and the stage.
StageChanges count_changes(const Evaluation& before, const Evaluation& now, TensorId stage);

// The counts of all stages, each made when first asked for and kept until the evaluator has other numbers.
class ChangeCounts {
public:
    // All zeros where there is nothing to compare with (Evaluator::unedited), and for a stage that nobody looked at,
    // which is not computed. The evaluator must show numbers.
    StageChanges of(const Evaluator& evaluator, TensorId stage);

private:
    // Apart: a first visit typed nothing over.
    [[gnu::noinline]] StageChanges count(const Evaluation& before, const Evaluator& evaluator, TensorId stage);

    int version_ = -1, unedited_version_ = -1;
    // By the number of the stage.
    std::array<std::optional<StageChanges>, kNumTensors> counts_;
};

}  // namespace attn
