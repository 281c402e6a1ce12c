#include "core/fast/rotated_rows.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace attn {

Rotation rotation_of(const AttentionProblem& problem, int token) {
    const RotarySettings& rotary = problem.settings.rotary;
    return rotation_at(token + rotary.shift, problem.head_dim(), rotary.base);
}

void reserve_rotated(const AttentionProblem& problem, AttentionTrace& trace) {
    if (trace.rotated_query.size() != 0) return;
    trace.rotated_query = unset<Cube>(problem.settings.num_heads, problem.num_tokens(), problem.head_dim());
    trace.rotated_key = unset<Cube>(problem.num_kv_heads(), problem.num_tokens(), problem.head_dim());
}

bool put_rotated(RotaryPairs pairs, const Rotation& rotation, std::span<const float> row, std::span<float> turned) {
    std::vector<float> numbers(row.begin(), row.end());
    rotate(pairs, rotation, std::span<float>(numbers));
    const bool stays = std::memcmp(numbers.data(), turned.data(), turned.size_bytes()) == 0;
    std::copy(numbers.begin(), numbers.end(), turned.begin());
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
