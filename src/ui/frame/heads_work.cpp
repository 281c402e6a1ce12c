// Makes and uploads maps a few rows at a time, and continues the walk that finds their range.
#include "ui/frame/heads_work.h"

#include <algorithm>

namespace attn {
namespace {

// Between frames, uploads fewer numbers at once than a frame does: while the graphics process lags behind or gets more
// memory, uploads take ten times as long.
constexpr int kUploadsPerStep = 4;

// Numbers that one call makes and uploads: 128 KiB of numbers and their texels stay in the second-level cache.
constexpr int kCellsAtOnce = 1 << 15;

int whole_bands(int rows) {
    return std::max(rows / HeatmapRenderer::kBandRows, 1) * HeatmapRenderer::kBandRows;
}

bool holds_any(const ShownStage& stage, const HeatmapRenderer& heatmaps, int first, int last) {
    for (int map = first; map < last; ++map) {
        if (heatmaps.holds(map, stage.content_version)) return true;
    }
    return false;
}

bool lacks_any(const ShownStage& stage, const HeatmapRenderer& heatmaps, int first, int last) {
    for (int map = first; map < last; ++map) {
        if (stage.is_ready(map) && !heatmaps.holds(map, stage.content_version)) return true;
    }
    return false;
}

}  // namespace

bool upload_some(const ShownStage& stage, HeatmapRenderer& heatmaps, int first, int last, std::int64_t most_cells) {
    const std::uint64_t version = stage.content_version;
    const int rows_at_once = whole_bands(kCellsAtOnce / stage.columns);
    std::int64_t num_cells = 0;
    for (int map = first; map < last && num_cells < most_cells; ++map) {
        if (!stage.is_ready(map) || heatmaps.holds(map, version)) continue;
        int begin = heatmaps.num_rows_held(map, version);
        if (begin == 0) heatmaps.begin_matrix(map, version, stage.rows, stage.columns);
        while (begin < stage.rows) {
            if (num_cells >= most_cells) return true;
            const int end = std::min(stage.rows, begin + rows_at_once);
            heatmaps.add_rows(map, map_rows(stage, map, begin, end));
            num_cells += static_cast<std::int64_t>(end - begin) * stage.columns;
            begin = end;
        }
    }
    return num_cells > 0;
}

void remember_shown(HeadsMemory& memory, const ShownStage& stage, const HeatmapRenderer* heatmaps, int first,
                    int last) {
    if (heatmaps == nullptr) last = first;
    memory.shown = {.version = stage.version,
                    .stage = stage.info.id,
                    .combine = stage.combine,
                    .blanks = stage.blanks,
                    .first_map = first,
                    .last_map = last,
                    .has_any = first < last && holds_any(stage, *heatmaps, first, last),
                    .has_more = !stage.is_summarized || (first < last && lacks_any(stage, *heatmaps, first, last))};
}

HeadsStep go_on_with_heads(const Evaluator& evaluator, HeadsMemory& memory, HeatmapRenderer* heatmaps, bool looks_on) {
    if (!memory.shown || memory.shown->version != evaluator.version()) return {};
    ShownHeads& shown = *memory.shown;
    const auto stage = [&](bool looks) {
        return shown_stage(evaluator.shown(), shown.version, shown.stage, memory.stage, shown.combine, shown.blanks,
                           looks);
    };
    const ShownStage so_far = stage(false);
    const std::int64_t most_cells = cells_per_step(so_far) / kUploadsPerStep;
    if (shown.first_map < shown.last_map &&
        upload_some(so_far, *heatmaps, shown.first_map, shown.last_map, most_cells)) {
        const bool had_any = shown.has_any;
        shown.has_any = had_any || holds_any(so_far, *heatmaps, shown.first_map, shown.last_map);
        return {.has_worked = true, .wants_frame = shown.has_any && !had_any};
    }
    if (!looks_on || so_far.is_summarized) return {};
    stage(true);
    return {.has_worked = true};
}

}  // namespace attn
