// See the header.
#include "ui/heads_stage.h"

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "core/masking.h"

namespace attn {
ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, HeadsMemory& memory,
                       Combine combine) {
    ATTN_CHECK(!evaluation.is_empty() && has_stage(*evaluation.problem, stage), "there is no stage ",
               tensor_name(stage), " to show");
    const Extent extent = stage_extent(evaluation.sizes, stage);
    ShownStage shown = {.evaluation = evaluation, .info = stage_info(stage), .summary = {}};
    shown.num_maps = shown.info.has_heads ? evaluation.sizes.num_heads : 1;
    shown.rows = extent.rows;
    shown.columns = extent.columns;
    shown.content_version = (static_cast<std::uint64_t>(version) + 1) << 8U | static_cast<std::uint64_t>(stage);
    if (is_combined(evaluation, stage, combine)) {
        shown.num_maps = 1;
        shown.combine = combine;
        shown.content_version |= static_cast<std::uint64_t>(combine) << 6U;  // above the stages
        if (memory.combined_of != shown.content_version) memory.combined = combined_matrix(evaluation, stage, combine);
        memory.combined_of = shown.content_version;
        shown.combined = &memory.combined;
    }
    if (memory.summary_of != shown.content_version) {
        memory.summary =
            summarize_stage(evaluation, stage, shown.num_maps, [&](int head) { return map_values(shown, head); });
        memory.summary_of = shown.content_version;
    }
    shown.summary = memory.summary;
    const StageRange range = stage_range(evaluation, stage, shown.summary);
    shown.low = range.low;
    shown.high = range.high;
    return shown;
}

Matrix map_values(const ShownStage& stage, int head) {
    return stage.is_combined() ? *stage.combined : shown_matrix(stage.evaluation, stage.info.id, head);
}

Vector shown_row(const ShownStage& stage, int head, int row) {
    if (stage.is_combined()) {
        const std::span<const float> numbers = row_of(*stage.combined, row);
        Vector values = zeros<Vector>(numbers.size());
        std::copy(numbers.begin(), numbers.end(), values.begin());
        return values;
    }
    const AttentionProblem& problem = *stage.evaluation.problem;
    Vector values = stage_row(problem, stage.evaluation.trace, stage.info.id, head, row);
    if (!hides_keys(stage.info.id)) return values;
    const std::span<const std::uint8_t> hidden = row_of(problem.hidden, row);
    for (std::size_t j = 0; j < hidden.size(); ++j) {
        if (hidden[j] != 0) values(j) = -std::numeric_limits<float>::infinity();
    }
    return values;
}

}  // namespace attn
