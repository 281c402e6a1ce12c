// The numbers, the size and the range of the shown stage, read from the evaluation.
#include "views/stage/shown_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/shown_rows.h"

namespace attn {
namespace {

// How many numbers a step reads: some milliseconds' work, three times as long until the browser has optimised our code.
constexpr std::int64_t kCellsAtOnce = 1 << 20;

// How many rows to make at once if each costs this many numbers: every band of scores packs the keys again.
int band_rows(std::int64_t row_cost) {
    constexpr std::int64_t kMost = 128;
    return static_cast<int>(std::clamp<std::int64_t>(kCellsAtOnce / row_cost, 1, kMost));
}

// The rows [first, end) of one map, -inf in hidden cells; blank ones too.
Matrix band_of(const ShownStage& stage, int head, int first, int end) {
    if (!stage.is_combined()) return shown_rows(stage.evaluation, stage.info.id, head, first, end);
    Matrix values = zeros<Matrix>(end - first, stage.columns);
    for (int row = first; row < end; ++row) {
        const std::span<const float> numbers = row_of(*stage.combined, row);
        std::copy(numbers.begin(), numbers.end(), row_of(values, row - first).begin());
    }
    return values;
}

// Which of these rows, which begin with row `first`, are blank.
Flags blank_flags(const ShownStage& stage, int map, int first, const Matrix& values) {
    if (!stage.blanks.touches(stage.info.id)) return {};
    Flags flags = zeros<Flags>(values.shape(0), values.shape(1));
    for (int i = 0; i < length(values, 0); ++i) {
        for (int j = 0; j < length(values, 1); ++j) {
            flags(i, j) = values(i, j) != kHiddenCell && stage.is_blank(map, first + i, j) ? 1 : 0;
        }
    }
    return flags;
}

// Counts them, without those that are blank.
void count_rows(StageRows rows, StageCensus& census) {
    for (std::size_t k = 0; k < rows.blank.size(); ++k) {
        if (elements(rows.blank)[k] != 0) elements(rows.values)[k] = kHiddenCell;
    }
    for (int i = 0; i < length(rows.values, 0); ++i) census.add(row_of(rows.values, i));
}

// Reads the rows [first, end) of one map; makes them first if the heads are combined.
void walk_rows(const ShownStage& stage, int map, int first, int end, StageWalk& walk, Matrix& combined,
               const VisitRows& visit) {
    const TensorId id = stage.info.id;
    StageRows rows;
    if (stage.is_combined()) {
        rows.values = combined_rows(stage.evaluation, id, stage.combine, first, end);
        std::copy(rows.values.begin(), rows.values.end(), row_of(combined, first).begin());
    } else if (keeps_rows(stage.evaluation, id, map) && !visit && !stage.blanks.touches(id)) {
        for (int row = first; row < end; ++row) walk.census->add(row_of(stage.evaluation.trace.weights, map, row));
        return;
    } else {
        rows.values = shown_rows(stage.evaluation, id, map, first, end);
    }
    rows.blank = blank_flags(stage, map, first, rows.values);
    if (visit) visit(map, first, rows);
    count_rows(std::move(rows), *walk.census);
}

// Continues the walk over all computed numbers, about `most_cells` of them. Returns whether it has reached the end.
bool walk_on(const ShownStage& stage, StageWalk& walk, Matrix& combined, std::int64_t most_cells,
             const VisitRows& visit) {
    if (walk.of != stage.content_version) {
        walk.of = stage.content_version;
        walk.census.emplace(stage.evaluation, stage.info.id);
        walk.num_rows.assign(static_cast<std::size_t>(stage.num_maps), 0);
        combined = stage.is_combined() ? zeros<Matrix>(stage.rows, stage.columns) : Matrix();
    }
    const std::int64_t row_cost =
        static_cast<std::int64_t>(stage.columns) * (stage.is_combined() ? stage.evaluation.sizes.num_heads : 1);
    std::int64_t num_cells = 0;
    for (int map = 0; map < stage.num_maps; ++map) {
        if (!stage.is_computed(map)) continue;
        int& first = walk.num_rows[static_cast<std::size_t>(map)];
        while (first < stage.rows) {
            if (num_cells >= most_cells) return false;
            const int end = std::min(first + band_rows(row_cost), stage.rows);
            walk_rows(stage, map, first, end, walk, combined, visit);
            num_cells += (end - first) * row_cost;
            first = end;
        }
    }
    return true;
}

}  // namespace

ShownStage shown_stage(const Evaluation& evaluation, int version, TensorId stage, StageMemory& memory, Combine combine,
                       const Blanks& blanks, bool looks_on, const VisitRows& visit) {
    ATTN_CHECK(!evaluation.is_empty() && has_stage(*evaluation.problem, stage), "there is no stage ",
               tensor_name(stage), " to show");
    const Extent extent = extent_of(evaluation.sizes, stage);
    ShownStage shown = {.evaluation = evaluation,
                        .info = stage_info(stage),
                        .version = version,
                        .rows = extent.rows,
                        .columns = extent.columns,
                        .blanks = blanks};
    if (is_combined(evaluation, stage, combine)) {
        shown.combine = combine;
    } else {
        shown.num_maps = shown.info.has_heads ? evaluation.sizes.num_heads : 1;
    }
    shown.content_version = (static_cast<std::uint64_t>(version) + 1) << 8U | static_cast<std::uint64_t>(stage);
    shown.content_version |= static_cast<std::uint64_t>(shown.combine) << 6U;   // above the stages
    shown.content_version ^= blanks.touches(stage) ? blanks.name() << 40U : 0;  // far above the evaluations
    if (memory.summary_of != shown.content_version) {
        const std::int64_t most_cells = looks_on ? cells_per_step(shown) : 0;
        shown.is_summarized = walk_on(shown, memory.walk, memory.combined, most_cells, visit);
        memory.summary = memory.walk.census->summary();
        if (shown.is_summarized && evaluation.is_complete()) memory.summary_of = shown.content_version;
    }
    if (shown.is_combined() && memory.summary_of == shown.content_version) shown.combined = &memory.combined;
    shown.summary = memory.summary;
    shown.range = stage_range(evaluation, stage, shown.summary);
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
    return is_computed(head) && (!is_combined() || combined != nullptr);
}

bool ShownStage::is_computed(int head) const {
    if (is_combined()) return evaluation.is_complete();
    const AttentionTrace& trace = evaluation.trace;
    // Queries and keys would be enough to make the weights before their head is computed, but then they would be made
    // twice.
    const bool waits_for_head = info.id == TensorId::weights;
    return attn::is_ready(trace, info.id, head) &&
           (!waits_for_head || trace.ready.heads[static_cast<std::size_t>(head)] != 0);
}

std::int64_t cells_per_step(const ShownStage& stage) {
    constexpr int kAsSlow = 64;  // multiply-adds that take as long as reading a number
    const bool is_kept = !stage.has_keys() || stage.info.id == TensorId::weights || stage.is_combined();
    return is_kept ? kCellsAtOnce : kCellsAtOnce * kAsSlow / (kAsSlow + stage.evaluation.sizes.head_dim());
}

StageRows rows_of_map(const ShownStage& stage, int map, int first, int end) {
    StageRows rows = {.values = band_of(stage, map, first, end), .blank = {}};
    rows.blank = blank_flags(stage, map, first, rows.values);
    return rows;
}

Matrix map_rows(const ShownStage& stage, int head, int first, int last) {
    StageRows rows = rows_of_map(stage, head, first, last);
    for (std::size_t k = 0; k < rows.blank.size(); ++k) {
        if (elements(rows.blank)[k] != 0) elements(rows.values)[k] = std::numeric_limits<float>::quiet_NaN();
    }
    return std::move(rows.values);
}

Vector shown_row(const ShownStage& stage, int head, int row) {
    if (stage.is_combined()) {
        const std::span<const float> numbers = row_of(*stage.combined, row);
        Vector values = zeros<Vector>(numbers.size());
        std::copy(numbers.begin(), numbers.end(), values.begin());
        return values;
    }
    return shown_row(stage.evaluation, stage.info.id, head, row);
}

}  // namespace attn
