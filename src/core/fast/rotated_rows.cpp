#include "core/fast/rotated_rows.h"

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

void reserve_normed(const AttentionProblem& problem, AttentionTrace& trace) {
    if (trace.normed_query.size() != 0) return;
    const int T = problem.num_tokens();
    trace.normed_query = unset<Cube>(problem.settings.num_heads, T, problem.head_dim());
    trace.normed_key = unset<Cube>(problem.num_kv_heads(), T, problem.head_dim());
}

void reserve_rotated(const AttentionProblem& problem, AttentionTrace& trace) {
    if (trace.rotated_query.size() != 0) return;
    const int num_heads = problem.settings.num_heads;
    trace.rotated_query = unset<Cube>(num_heads, problem.num_tokens(), problem.score_dim());
    trace.rotated_key = unset<Cube>(problem.num_kv_heads(), problem.num_tokens(), problem.score_dim());
    if (problem.rope_dim() == 0) return;
    trace.position_query = unset<Cube>(num_heads, problem.num_tokens(), problem.rope_dim());
    trace.position_key = unset<Matrix>(problem.num_tokens(), problem.rope_dim());
}

bool put_rotated(RotaryPairs pairs, const Rotation& rotation, std::span<const float> row, std::span<const float> own,
                 std::span<float> turned) {
    std::vector<float> numbers(row.begin(), row.end());
    numbers.insert(numbers.end(), own.begin(), own.end());
    rotate(pairs, rotation, std::span<float>(numbers).subspan(own.empty() ? 0 : row.size()));
    const bool stays = std::memcmp(numbers.data(), turned.data(), turned.size_bytes()) == 0;
    std::copy(numbers.begin(), numbers.end(), turned.begin());
    return stays;
}

bool put_normed(std::span<const float> row, std::span<const float> weight, std::span<float> normed) {
    const std::vector<float> before(normed.begin(), normed.end());
    rms_norm(row, weight, kQueryKeyNormEps, normed);
    return std::memcmp(before.data(), normed.data(), normed.size_bytes()) == 0;
}

void rotate_back_heads(const AttentionProblem& problem, Cube& heads) {
    for (int i = 0; i < problem.num_tokens(); ++i) {
        const Rotation rotation = rotation_of(problem, i);
        for (int h = 0; h < length(heads, 0); ++h)
            rotate_back(problem.settings.rotary.pairs, rotation, row_of(heads, h, i));
    }
}

}  // namespace attn
