// See the header.
#include "ui/heads_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/masking.h"

namespace attn {
namespace {

// 1, 0.5, 0.2, 0.1, 0.05, ... down to what 2048 equal weights are.
constexpr std::array kCeilings = {1.0F, 0.5F, 0.2F, 0.1F, 0.05F, 0.02F, 0.01F, 0.005F, 0.002F, 0.001F, 0.0005F};

// Looks at the rows of all heads.
struct Census {
    float largest = 0;
    int num_rows = 0;
    std::array<int, kCeilings.size()> num_above{};  // rows with a number above each ceiling

    void add(const Matrix& values) {
        for (int i = 0; i < static_cast<int>(values.shape(0)); ++i) {
            float row_largest = 0;
            for (const float value : row_of(values, i)) {
                if (std::isfinite(value)) row_largest = std::max(row_largest, std::abs(value));
            }
            for (std::size_t k = 0; k < kCeilings.size(); ++k) num_above[k] += row_largest > kCeilings[k] ? 1 : 0;
            largest = std::max(largest, row_largest);
            ++num_rows;
        }
    }
    float ceiling() const {
        float found = kCeilings[0];
        for (std::size_t k = 1; k < kCeilings.size() && num_above[k] * 4 <= num_rows; ++k) found = kCeilings[k];
        return found;
    }
};

void look_for_hidden(const Flags& hidden, StageSummary& summary) {
    for (int i = 0; i < static_cast<int>(hidden.shape(0)); ++i) {
        const std::span<const std::uint8_t> row = row_of(hidden, i);
        const auto is_hidden = [](std::uint8_t flag) { return flag != 0; };
        summary.has_hidden = summary.has_hidden || std::any_of(row.begin(), row.end(), is_hidden);
        if (std::any_of(row.begin(), row.begin() + i + 1, is_hidden)) summary.hides_only_future = false;
    }
}

StageSummary summarize(const ShownStage& stage) {
    StageSummary summary;
    Census census;
    for (int head = 0; head < stage.num_maps; ++head) census.add(map_values(stage, head));
    summary.largest = census.largest;
    if (!stage.info.is_signed && stage.rows > kManyTokens) summary.ceiling = census.ceiling();
    if (hides_keys(stage.info.id)) look_for_hidden(stage.evaluation.problem->hidden, summary);
    return summary;
}

}  // namespace

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
        memory.summary = summarize(shown);
        memory.summary_of = shown.content_version;
    }
    shown.summary = memory.summary;
    if (!shown.info.is_signed) {
        const bool is_dropped = stage == TensorId::dropped_weights;
        const double kept = is_dropped ? 1 - evaluation.problem->settings.dropout : 1;
        shown.high = static_cast<float>(shown.summary.ceiling / kept);
    } else {
        shown.high = shown.summary.largest > 0 ? shown.summary.largest : 1;  // all zeros: any range shows them as zeros
        shown.low = -shown.high;
    }
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
