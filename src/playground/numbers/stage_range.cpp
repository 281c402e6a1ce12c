// Looks at all numbers of a stage, and chooses the ends of its colours.
#include "playground/numbers/stage_range.h"

#include <algorithm>
#include <bit>
#include <span>

#include "core/attention/masking.h"
#include "playground/text/format.h"

namespace attn {
namespace {

void look_for_hidden(const Flags& hidden, StageSummary& summary) {
    for (int i = 0; i < static_cast<int>(hidden.shape(0)); ++i) {
        const std::span<const std::uint8_t> row = row_of(hidden, i);
        const auto is_hidden = [](std::uint8_t flag) { return flag != 0; };
        summary.has_hidden = summary.has_hidden || std::any_of(row.begin(), row.end(), is_hidden);
        if (std::any_of(row.begin(), row.begin() + i + 1, is_hidden)) summary.hides_only_future = false;
    }
}

}  // namespace

StageCensus::StageCensus(const Evaluation& evaluation, TensorId stage)
    : has_ceiling_(!stage_info(stage).is_signed && extent_of(evaluation.sizes, stage).rows > kManyTokens) {
    if (is_masked_stage(stage)) look_for_hidden(evaluation.problem->hidden, hidden_);
}

void StageCensus::add(std::span<const float> row) {
    // Without their sign, floats are ordered as their bits are; whole numbers have a largest one that compilers find by
    // several at once.
    constexpr std::uint32_t kNoSign = 0x7fffffff;
    constexpr std::uint32_t kInfinity = 0x7f800000;
    std::uint32_t largest_bits = 0;
    for (const float value : row) {
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) & kNoSign;
        largest_bits = std::max(largest_bits, bits < kInfinity ? bits : 0);
    }
    const auto row_largest = std::bit_cast<float>(largest_bits);
    for (std::size_t k = 0; k < kCeilings.size(); ++k) num_above_[k] += row_largest > kCeilings[k] ? 1 : 0;
    largest_ = std::max(largest_, row_largest);
    ++num_rows_;
}

StageSummary StageCensus::summary() const {
    StageSummary summary = hidden_;
    summary.largest = largest_;
    if (!has_ceiling_) return summary;
    summary.ceiling = kCeilings[0];
    for (std::size_t k = 1; k < kCeilings.size() && num_above_[k] * 4 <= num_rows_; ++k) summary.ceiling = kCeilings[k];
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
