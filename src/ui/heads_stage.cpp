// See the header.
#include "ui/heads_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/masking.h"
#include "core/score_rows.h"

namespace attn {
namespace {

void hide_keys(std::span<const std::uint8_t> hidden, std::span<float> row) {
    for (std::size_t j = 0; j < hidden.size(); ++j) {
        if (hidden[j] != 0) row[j] = -std::numeric_limits<float>::infinity();
    }
}

constexpr int kBand = 128;  // rows that are made at once: keys are packed anew for each band of scores

// The rows [first, end) of one map, -inf in hidden cells; blank ones too.
Matrix shown_rows(const ShownStage& stage, int head, int first, int end) {
    Matrix values = zeros<Matrix>(end - first, stage.columns);
    if (stage.is_combined() || !is_score_row(stage.info.id)) {
        for (int row = first; row < end; ++row) {
            const Vector numbers = shown_row(stage, head, row);
            std::copy(numbers.begin(), numbers.end(), row_of(values, row - first).begin());
        }
        return values;
    }
    const AttentionProblem& problem = *stage.evaluation.problem;
    make_score_rows(problem, stage.evaluation.trace, stage.info.id, head, first, end, elements(values));
    for (int row = first; hides_keys(stage.info.id) && row < end; ++row) {
        hide_keys(row_of(problem.hidden, row), row_of(values, row - first));
    }
    return values;
}

// Goes on with the walk over all numbers that are computed. Returns whether it has come to their end.
bool walk_on(const ShownStage& stage, StageWalk& walk) {
    if (walk.of != stage.content_version) {
        walk.of = stage.content_version;
        walk.census.emplace(stage.evaluation, stage.info.id);
        walk.num_rows.assign(static_cast<std::size_t>(stage.num_maps), 0);
    }
    std::int64_t num_cells = 0;
    for (int map = 0; map < stage.num_maps; ++map) {
        if (!stage.is_ready(map)) continue;
        int& first = walk.num_rows[static_cast<std::size_t>(map)];
        while (first < stage.rows) {
            if (num_cells >= cells_per_frame(stage)) return false;
            const Matrix values = shown_rows(stage, map, first, std::min(first + kBand, stage.rows));
            for (int row = 0; row < length(values, 0); ++row) walk.census->add(row_of(values, row));
            first += length(values, 0);
            num_cells += static_cast<std::int64_t>(values.size());
        }
    }
    return true;
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
        if (evaluation.is_complete()) {
            if (memory.combined_of != shown.content_version)
                memory.combined = combined_matrix(evaluation, stage, combine);
            memory.combined_of = shown.content_version;
            shown.combined = &memory.combined;
        }
    }
    if (memory.summary_of != shown.content_version) {
        shown.is_summarized = walk_on(shown, memory.walk);
        memory.summary = memory.walk.census->summary();
        if (shown.is_summarized && evaluation.is_complete()) memory.summary_of = shown.content_version;
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

bool ShownStage::is_ready(int head) const {
    if (is_combined()) return combined != nullptr;
    const AttentionTrace& trace = evaluation.trace;
    // Weights could be made from queries and keys before their head is computed, but then they would be made twice.
    const bool waits_for_head = info.id == TensorId::weights;
    return attn::is_ready(trace, info.id, head) &&
           (!waits_for_head || trace.ready.heads[static_cast<std::size_t>(head)] != 0);
}

std::int64_t cells_per_frame(const ShownStage& stage) {
    constexpr std::int64_t kKept = 1 << 20;
    constexpr int kAsSlow = 64;  // multiply-adds that take as long as looking at a number
    const bool is_kept = !stage.has_keys() || stage.info.id == TensorId::weights || stage.is_combined();
    return is_kept ? kKept : kKept * kAsSlow / (kAsSlow + stage.evaluation.sizes.head_dim());
}

Matrix map_rows(const ShownStage& stage, int head, int first, int last) {
    Matrix values = shown_rows(stage, head, first, last);
    if (!stage.blanks.touches(stage.info.id)) return values;
    for (int row = first; row < last; ++row) {
        for (int column = 0; column < stage.columns; ++column) {
            float& value = row_of(values, row - first)[static_cast<std::size_t>(column)];
            if (!std::isinf(value) && stage.is_blank(head, row, column)) {
                value = std::numeric_limits<float>::quiet_NaN();
            }
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
    if (hides_keys(stage.info.id)) hide_keys(row_of(problem.hidden, row), elements(values));
    return values;
}

}  // namespace attn
