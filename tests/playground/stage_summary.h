// What is true of a stage's maps together, from whole matrices.
#pragma once

#include <functional>

#include "playground/numbers/stage_range.h"

namespace attn::test {

inline StageSummary summarize_stage(const Evaluation& evaluation, TensorId stage, int num_maps,
                                    const std::function<Matrix(int)>& map_of) {
    StageCensus census(evaluation, stage);
    for (int head = 0; head < num_maps; ++head) {
        const Matrix values = map_of(head);
        for (int row = 0; row < length(values, 0); ++row) census.add(row_of(values, row));
    }
    return census.summary();
}

}  // namespace attn::test
