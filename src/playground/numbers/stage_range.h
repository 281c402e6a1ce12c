// What the first and the last colour of a stage's maps stand for, and what else is true of all its maps together.
// Knows no screen.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "playground/numbers/evaluation.h"

namespace attn {

inline constexpr int kManyTokens = 16;

struct StageSummary {
    float largest = 0;              // the largest absolute value among the finite numbers
    float ceiling = 1;              // weights: 1, 0.5, 0.2, 0.1, ... that at most one row in four goes beyond
    bool has_hidden = false;        // at least one hidden cell
    bool hides_only_future = true;  // every hidden cell has its key after its query
};

// Looks at the rows of all maps, in any order and any number of turns.
class StageCensus {
public:
    // Of this stage, without any row yet. Looks at the mask.
    StageCensus(const Evaluation& evaluation, TensorId stage);

    // A row as the screen shows it. Numbers that are not finite do not count.
    void add(std::span<const float> row);
    // What is true of the rows so far.
    StageSummary summary() const;

private:
    // 1, 0.5, 0.2, 0.1, 0.05, ... down to what 2048 equal weights are.
    static constexpr std::array kCeilings = {1.0F,  0.5F,   0.2F,   0.1F,   0.05F,  0.02F,
                                             0.01F, 0.005F, 0.002F, 0.001F, 0.0005F};

    StageSummary hidden_;      // what the mask says
    bool has_ceiling_ = true;  // else it is 1
    float largest_ = 0;
    std::int64_t num_rows_ = 0;
    std::array<std::int64_t, kCeilings.size()> num_above_{};  // rows with a number above each ceiling
};

// One range for all heads; low < high. Weights: 0 to 1, so that pictures can be compared; dropped weights: 0 to
// 1 / (1 - p), the most they can be. With more than kManyTokens most weights would be too close to 0 to be told apart,
// so the range ends at the summary's ceiling (times 1 / (1 - p)), and what lies above has the last colour. Signed
// stages: plus and minus the largest absolute value.
struct StageRange {
    float low = 0;
    float high = 1;
};
StageRange stage_range(const Evaluation& evaluation, TensorId stage, const StageSummary& summary);

// An end of the range as legends print it, without the zeros at the end: "1", "0.05", "−2.1968".
std::string range_end_text(float value);

}  // namespace attn
