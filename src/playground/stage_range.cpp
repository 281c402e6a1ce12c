// See the header.
#include "playground/stage_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/masking.h"
#include "playground/format.h"

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

}  // namespace

StageSummary summarize_stage(const Evaluation& evaluation, TensorId stage, int num_maps,
                             const std::function<Matrix(int)>& map_of) {
    StageSummary summary;
    Census census;
    for (int head = 0; head < num_maps; ++head) census.add(map_of(head));
    summary.largest = census.largest;
    const int num_rows = stage_extent(evaluation.sizes, stage).rows;
    if (!stage_info(stage).is_signed && num_rows > kManyTokens) summary.ceiling = census.ceiling();
    if (hides_keys(stage)) look_for_hidden(evaluation.problem->hidden, summary);
    return summary;
}

StageRange stage_range(const Evaluation& evaluation, TensorId stage, const StageSummary& summary) {
    if (!stage_info(stage).is_signed) {
        const bool is_dropped = stage == TensorId::dropped_weights;
        const double kept = is_dropped ? 1 - evaluation.problem->settings.dropout : 1;
        return {.low = 0, .high = static_cast<float>(summary.ceiling / kept)};
    }
    const float high = summary.largest > 0 ? summary.largest : 1;  // all zeros: any range shows them as zeros
    return {.low = -high, .high = high};
}

std::string range_end_text(float value) {
    std::string text = shown_number(static_cast<double>(value));
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace attn
