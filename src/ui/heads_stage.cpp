// See the header.
#include "ui/heads_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/masking.h"

namespace attn {
namespace {

Matrix numbers_of(const ShownStage& stage, int head) {
    return stage.is_combined() ? *stage.combined : shown_matrix(stage.evaluation, stage.info.id, head);
}

}  // namespace

ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, HeadsMemory& memory, Combine combine,
                       const Blanks& blanks) {
    ATTN_CHECK(!evaluation.is_empty() && has_stage(*evaluation.problem, stage), "there is no stage ",
               tensor_name(stage), " to show");
    const Extent extent = stage_extent(evaluation.sizes, stage);
    ShownStage shown = {.evaluation = evaluation, .info = stage_info(stage), .summary = {}, .blanks = blanks};
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
            summarize_stage(evaluation, stage, shown.num_maps, [&](int head) { return numbers_of(shown, head); });
        memory.summary_of = shown.content_version;
    }
    shown.summary = memory.summary;
    shown.content_version ^= blanks.touches(stage) ? blanks.name() << 40U : 0;  // far above the evaluations
    const StageRange range = stage_range(evaluation, stage, shown.summary);
    shown.low = range.low;
    shown.high = range.high;
    return shown;
}

bool ShownStage::is_blank(int head, int row, int column) const {
    if (!is_combined()) return blanks.has(info.id, head, row, column);
    for (int h = 0; h < evaluation.sizes.num_heads; ++h) {
        if (blanks.has(info.id, h, row, column)) return true;
    }
    return false;
}

bool ShownStage::is_row_blank(int head, int row) const {
    if (!blanks.touches(info.id)) return false;
    for (int column = 0; column < columns; ++column) {
        if (is_blank(head, row, column)) return true;
    }
    return false;
}

Matrix map_values(const ShownStage& stage, int head) {
    Matrix values = numbers_of(stage, head);
    if (!stage.blanks.touches(stage.info.id)) return values;
    for (int i = 0; i < stage.rows; ++i) {
        for (int c = 0; c < stage.columns; ++c) {
            if (!std::isinf(values(i, c)) && stage.is_blank(head, i, c))
                values(i, c) = std::numeric_limits<float>::quiet_NaN();
        }
    }
    return values;
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
