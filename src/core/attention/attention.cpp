// What follows from a problem without computing it: its mask, its divisor, the stages it has.
#include "core/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace attn {

int AttentionProblem::d_out() const {
    return projections.w_query.size() == 0 ? d_in() : length(projections.w_query, 1);
}

Flags make_mask(Mask mask, int num_tokens) {
    if (mask == Mask::none) return zeros<Flags>(num_tokens, num_tokens);
    Flags hidden = unset<Flags>(num_tokens, num_tokens);
    for (int i = 0; i < num_tokens; ++i) {
        const std::span<std::uint8_t> row = row_of(hidden, i);
        const auto first_hidden = row.begin() + i + 1;
        std::fill(row.begin(), first_hidden, std::uint8_t{0});
        std::fill(first_hidden, row.end(), std::uint8_t{1});
    }
    return hidden;
}

float score_divisor(const AttentionSettings& settings, int head_dim) {
    double scale = 1;
    if (settings.scale == Scale::sqrt) scale = std::sqrt(static_cast<double>(head_dim));
    if (settings.scale == Scale::dim) scale = head_dim;
    return static_cast<float>(scale * static_cast<double>(settings.temperature));
}

float keep_scale(double dropout) {
    return 1.0f / static_cast<float>(1.0 - dropout);
}

bool is_ready(const AttentionTrace& trace, TensorId stage, int head) {
    if (stage == TensorId::embeddings) return true;
    if (stage == TensorId::merged || stage == TensorId::output) return trace.ready.output;
    if (!trace.ready.heads.empty() && trace.ready.heads[static_cast<std::size_t>(head)] != 0) return true;
    return trace.ready.roles && stage != TensorId::dropped_weights && stage != TensorId::context;
}

bool has_stage(const AttentionProblem& problem, TensorId stage) {
    if (stage == TensorId::dropped_weights) return problem.settings.dropout > 0;
    if (stage == TensorId::output) return problem.projections.w_out.size() != 0;
    return stage_info(stage).id == stage && exists_with(problem.settings.mask_at, stage);
}

}  // namespace attn
