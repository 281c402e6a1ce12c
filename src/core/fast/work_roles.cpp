// The steps of AttentionWork that make latents, queries, keys and values.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/fast/attention_work.h"
#include "core/fast/changed_rows.h"
#include "core/fast/work_steps.h"
#include "core/ground/memory_room.h"

namespace attn {

// Some rows of the query latents or of the latents.
std::int64_t AttentionWork::project_latent(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    const Matrix& w = step.which == 0 ? problem.projections->w_down_query : problem.projections->w_down_kv;
    Matrix& latents = step.which == 0 ? trace.query_latents : trace.latents;
    const std::size_t d_in = w.shape(0);
    const std::size_t width = w.shape(1);
    std::int64_t num_rows = 0;
    const auto project = [&](std::size_t first, std::size_t end) {
        if (packed_ != kDownProjection + step.which) {
            require_memory(matrix_.pack(w.data(), width, d_in, width));
            packed_ = kDownProjection + step.which;
        }
        require_memory(x_.reserve(PackedMatrix::kRowsAtOnce, d_in));
        x_.pack(problem.embeddings.data() + first * d_in, end - first, d_in);
        const float* rows = matrix_.project(x_, 0, end - first, nullptr);
        for (std::size_t i = first; i < end; ++i, rows += matrix_.row_stride())
            std::copy_n(rows, width, latents.data() + i * width);
        num_rows += static_cast<std::int64_t>(end - first);
    };
    for_each_run(reuse_.latent_rows(step.which), as_size(step.first), as_size(step.end), PackedMatrix::kRowsAtOnce,
                 project);
    return num_rows * static_cast<std::int64_t>(d_in * width);
}

// Some rows of the position queries of all heads, or of the position keys. The roles' steps turn them.
std::int64_t AttentionWork::project_positions(const Step& step, const AttentionProblem& problem,
                                              AttentionTrace& trace) {
    const bool is_query = step.which == 0;
    const Matrix& w = is_query ? problem.projections->w_query_rope : problem.projections->w_key_rope;
    const Matrix& x = is_query && problem.query_latent() != 0 ? trace.query_latents : problem.embeddings;
    const std::size_t inner = w.shape(0);
    const std::size_t width = w.shape(1);
    const std::size_t dim = as_size(problem.rope_dim());
    std::int64_t num_rows = 0;
    const auto project = [&](std::size_t first, std::size_t end) {
        if (packed_ != kOwnProjection - step.which) {
            require_memory(matrix_.pack(w.data(), width, inner, width));
            packed_ = kOwnProjection - step.which;
        }
        require_memory(x_.reserve(PackedMatrix::kRowsAtOnce, inner));
        x_.pack(x.data() + first * inner, end - first, inner);
        const float* rows = matrix_.project(x_, 0, end - first, nullptr);
        for (std::size_t i = first; i < end; ++i, rows += matrix_.row_stride()) {
            const int row = static_cast<int>(i);
            if (!is_query) std::copy_n(rows, width, row_of(trace.position_key, row).begin());
            for (int h = 0; is_query && h < problem.settings.num_heads; ++h)
                std::copy_n(rows + as_size(h) * dim, dim, row_of(trace.position_query, h, row).begin());
        }
        num_rows += static_cast<std::int64_t>(end - first);
    };
    for_each_run(reuse_.role_rows(step.which), as_size(step.first), as_size(step.end), PackedMatrix::kRowsAtOnce,
                 project);
    return num_rows * static_cast<std::int64_t>(inner * width);
}

// The queries, keys or values of some rows: X itself where there are no matrices, then the numbers that were typed; cut
// into heads, head h takes columns h * head_dim to (h + 1) * head_dim; queries and keys are normed and turned there,
// too. A step may be of one head's columns alone.
std::int64_t AttentionWork::project_role(const Step& step, const AttentionProblem& problem, AttentionTrace& trace) {
    const Projections& p = problem.projections;
    const int role = role_of(step.which);
    std::optional<int> head = head_of_role(step.which);
    if (head && role != 0) head = problem.kv_head(*head);
    const Matrix& w = role == 0 ? p.w_query : role == 1 ? p.w_key : p.w_value;
    const Vector& b = role == 0 ? p.b_query : role == 1 ? p.b_key : p.b_value;
    const TensorId id = role == 0 ? TensorId::queries : role == 1 ? TensorId::keys : TensorId::values;
    const TensorId source = problem.source_of(id);
    const Matrix& from_rows = source == TensorId::query_latents ? trace.query_latents
                              : source == TensorId::latents     ? trace.latents
                                                                : problem.embeddings;
    Cube& heads = role == 0 ? trace.query : role == 1 ? trace.key : trace.value;
    const std::size_t width = heads.shape(0) * heads.shape(2);  // before the cut into heads
    const std::size_t dim = heads.shape(2);
    const bool has_matrix = w.size() != 0;
    const bool changes = changes_roles(problem) && role != kRoles - 1;
    const int first_head = head.value_or(0);
    const int end_head = head ? *head + 1 : length(heads, 0);
    const std::size_t first_column = as_size(first_head) * dim;
    const std::size_t num_columns = as_size(end_head - first_head) * dim;
    const float* bias = b.size() == 0 ? nullptr : b.data() + first_column;

    std::int64_t num_rows = 0;
    const auto project = [&](std::size_t first, std::size_t end) {
        const int packed = head ? kOutProjection + 1 + step.which : role;
        if (has_matrix && packed_ != packed) {
            require_memory(matrix_.pack(w.data() + first_column, w.shape(1), w.shape(0), num_columns));
            packed_ = packed;
        }
        const std::span<const float> x = row_of(from_rows, static_cast<int>(first));
        float* rows = nullptr;
        std::size_t stride = width;
        if (has_matrix) {
            require_memory(x_.reserve(PackedMatrix::kRowsAtOnce, w.shape(0)));
            x_.pack(x.data(), end - first, w.shape(0));
            rows = matrix_.project(x_, 0, end - first, bias);
            stride = matrix_.row_stride();
        } else {
            require_memory(plain_rows_.reserve(PackedMatrix::kRowsAtOnce * width));
            rows = plain_rows_.data();
            std::copy_n(x.data(), (end - first) * width, rows);
        }
        for (const TypedNumber& typed : problem.typed_roles) {
            const std::size_t row = as_size(typed.row);
            const std::size_t column = as_size(typed.column);
            const bool is_inside = column >= first_column && column < first_column + num_columns;
            if (typed.role == id && row >= first && row < end && is_inside)
                rows[(row - first) * stride + column - first_column] = typed.value;
        }
        for (std::size_t i = first; i < end; ++i, rows += stride) {
            const Rotation rotation =
                changes && is_rotary(problem.settings) ? rotation_of(problem, static_cast<int>(i)) : Rotation();
            for (int h = first_head; h < end_head; ++h) {
                const float* from = rows + as_size(h - first_head) * dim;
                const std::span<float> to = row_of(heads, h, static_cast<int>(i));
                bool stays = std::memcmp(from, to.data(), to.size_bytes()) == 0;
                if (changes) {
                    std::span<const float> own;
                    if (problem.rope_dim() != 0)
                        own = role == 0 ? row_of(std::as_const(trace.position_query), h, static_cast<int>(i))
                                        : row_of(std::as_const(trace.position_key), static_cast<int>(i));
                    Cube& changed = role == 0 ? trace.changed_query : trace.changed_key;
                    stays = put_changed(problem, role == 0 ? p.q_norm : p.k_norm, rotation, {from, dim}, own,
                                        row_of(changed, h, static_cast<int>(i))) &&
                            stays;
                }
                if (stays) continue;
                reuse_.set_role_changed(role, h, static_cast<int>(i));
                std::copy_n(from, dim, to.begin());
            }
        }
        num_rows += static_cast<std::int64_t>(end - first);
    };
    for_each_run(reuse_.role_rows(role), as_size(step.first), as_size(step.end), PackedMatrix::kRowsAtOnce, project);
    if (!head) (role == 0 ? rows_.queries : role == 1 ? rows_.keys : rows_.values) += num_rows;
    return num_rows * static_cast<std::int64_t>(has_matrix ? w.shape(0) * num_columns : width);
}

}  // namespace attn
