#include "core/fast/changed_rows.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/attention/rms_norm.h"

namespace attn {

Rotation rotation_of(const AttentionProblem& problem, int token) {
    const RotarySettings& rotary = problem.settings.rotary;
    const int size = problem.rope_dim() == 0 ? problem.head_dim() : problem.rope_dim();
    return rotation_at(token + rotary.shift, size, rotary.base);
}

void reserve_changed(const AttentionProblem& problem, AttentionTrace& trace) {
    if (trace.changed_query.size() != 0) return;
    const int num_heads = problem.settings.num_heads;
    trace.changed_query = unset<Cube>(num_heads, problem.num_tokens(), problem.score_dim());
    trace.changed_key = unset<Cube>(problem.num_kv_heads(), problem.num_tokens(), problem.score_dim());
    if (problem.rope_dim() == 0) return;
    trace.position_query = unset<Cube>(num_heads, problem.num_tokens(), problem.rope_dim());
    trace.position_key = unset<Matrix>(problem.num_tokens(), problem.rope_dim());
}

bool put_changed(const AttentionProblem& problem, const Vector& norm, const Rotation& rotation,
                 std::span<const float> row, std::span<const float> own, std::span<float> changed) {
    std::vector<float> numbers(row.begin(), row.end());
    if (problem.has_qk_norm()) rms_norm(row, elements(norm), kQueryKeyNormEps, numbers);
    numbers.insert(numbers.end(), own.begin(), own.end());
    if (is_rotary(problem.settings))
        rotate(problem.settings.rotary.pairs, rotation,
               std::span<float>(numbers).subspan(own.empty() ? 0 : row.size()));
    const bool stays = std::memcmp(numbers.data(), changed.data(), changed.size_bytes()) == 0;
    std::copy(numbers.begin(), numbers.end(), changed.begin());
    return stays;
}

void rotate_back_heads(const AttentionProblem& problem, Cube& heads) {
    for (int i = 0; i < problem.num_tokens(); ++i) {
        const Rotation rotation = rotation_of(problem, i);
        for (int h = 0; h < length(heads, 0); ++h)
            rotate_back(problem.settings.rotary.pairs, rotation, row_of(heads, h, i));
    }
}

}  // namespace attn
