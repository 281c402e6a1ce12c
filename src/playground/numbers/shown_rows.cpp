// Compiled for speed on the web too: a long text has sixty million numbers.
#include "playground/numbers/shown_rows.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <limits>

#include "core/attention/masking.h"
#include "core/fast/head_attention.h"
#include "core/fast/score_rows.h"
#include "core/ground/check.h"

namespace attn {
namespace {

void copy_rows(const Evaluation& evaluation, int head, int first, Matrix& rows) {
    for (int row = 0; row < length(rows, 0); ++row) {
        const std::span<const float> kept = row_of(evaluation.trace.weights, head, first + row);
        std::copy(kept.begin(), kept.end(), row_of(rows, row).begin());
    }
}

}  // namespace

bool keeps_rows(const Evaluation& evaluation, TensorId stage, int head) {
    return stage == TensorId::weights && evaluation.trace.ready.heads[static_cast<std::size_t>(head)] != 0;
}

Matrix stage_rows(const Evaluation& evaluation, TensorId stage, int head, int first, int end) {
    const AttentionProblem& problem = *evaluation.problem;
    Matrix rows = zeros<Matrix>(end - first, extent_of(evaluation.sizes, stage).columns);
    if (keeps_rows(evaluation, stage, head)) {
        copy_rows(evaluation, head, first, rows);
    } else if (is_score_row(stage)) {
        make_score_rows(problem, evaluation.trace, stage, head, first, end, elements(rows));
    } else {
        for (int row = first; row < end; ++row) {
            const Vector numbers = stage_row(problem, evaluation.trace, stage, head, row);
            std::copy(numbers.begin(), numbers.end(), row_of(rows, row - first).begin());
        }
    }
    return rows;
}

Matrix shown_rows(const Evaluation& evaluation, TensorId stage, int head, int first, int end) {
    Matrix rows = stage_rows(evaluation, stage, head, first, end);
    for (int row = first; is_masked_stage(stage) && row < end; ++row) {
        hide_keys(row_of(evaluation.problem->hidden, row), kHiddenCell, row_of(rows, row - first).data());
    }
    return rows;
}

Vector shown_row(const Evaluation& evaluation, TensorId stage, int head, int row) {
    const AttentionProblem& problem = *evaluation.problem;
    Vector numbers = stage_row(problem, evaluation.trace, stage, head, row);
    if (is_masked_stage(stage)) hide_keys(row_of(problem.hidden, row), kHiddenCell, numbers.data());
    return numbers;
}

Matrix shown_matrix(const Evaluation& evaluation, TensorId stage, int head) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no numbers to show");
    const AttentionProblem& problem = *evaluation.problem;
    Matrix shown = stage_matrix(problem, evaluation.trace, stage, head);
    if (!is_masked_stage(stage)) return shown;
    hide_keys(elements(problem.hidden), -std::numeric_limits<float>::infinity(), shown.data());
    return shown;
}

}  // namespace attn
