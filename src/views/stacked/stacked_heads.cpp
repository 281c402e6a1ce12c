// Cuts the problem into one problem a head, computes each alone, and subtracts.
#include "views/stacked/stacked_heads.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/matrix_table.h"
#include "playground/text/format.h"

namespace attn {
namespace {

// Columns [first, first + count) of a matrix; an absent matrix stays absent.
Matrix columns_of(const Matrix& matrix, int first, int count) {
    if (matrix.size() == 0) return {};
    Matrix columns = zeros<Matrix>(matrix.shape(0), count);
    for (int i = 0; i < length(matrix, 0); ++i) {
        for (int c = 0; c < count; ++c) columns(i, c) = matrix(i, first + c);
    }
    return columns;
}

Vector entries_of(const Vector& vector, int first, int count) {
    if (vector.size() == 0) return {};
    Vector entries = zeros<Vector>(count);
    for (int c = 0; c < count; ++c) entries(c) = vector(first + c);
    return entries;
}

void subtract(StackedHeads& stacked) {
    stacked.difference = zeros<Matrix>(stacked.merged.shape(0), stacked.merged.shape(1));
    for (int i = 0; i < length(stacked.merged, 0); ++i) {
        for (int c = 0; c < length(stacked.merged, 1); ++c) {
            const float alone = stacked.concatenated(i, c);
            const float merged = stacked.merged(i, c);
            if (alone == merged || (std::isnan(alone) && std::isnan(merged))) continue;
            ++stacked.num_different;
            const float difference = alone - merged;
            stacked.difference(i, c) = difference;
            if (std::isfinite(difference)) stacked.largest = std::max(stacked.largest, std::abs(difference));
        }
    }
}

// Of the finite numbers.
float largest_number(const Matrix& values) {
    float largest = 0;
    for (const float value : elements(values)) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

struct Role {
    const char* name;
    Matrix Projections::* matrix;
    bool is_shared;  // by heads, perhaps
};
constexpr Role kRoles[] = {{"w_query", &Projections::w_query, false},
                           {"w_key", &Projections::w_key, true},
                           {"w_value", &Projections::w_value, true}};

// The matrices of a problem: X alone where queries, keys and values are X.
std::vector<HeadBlock> matrix_blocks(const AttentionProblem& problem, int first_column, int head_dim) {
    const auto block = [&](std::string name, const Matrix& values) {
        return HeadBlock{.name = std::move(name), .values = values, .first_column = first_column, .head_dim = head_dim};
    };
    std::vector<HeadBlock> blocks;
    if (problem.projections->w_query.size() == 0) {
        blocks.push_back(block("X", problem.embeddings));
        blocks.back().has_tokens = true;
        blocks.back().stage = TensorId::embeddings;
        return blocks;
    }
    for (const Role& role : kRoles) {
        blocks.push_back(block(role.name, (*problem.projections).*role.matrix));
        if (role.is_shared) blocks.back().readers = problem.heads_per_kv_head();
    }
    return blocks;
}

// The blocks of one head alone: its columns of the whole matrices.
std::vector<HeadBlock> single_head_blocks(const AttentionProblem& problem, int head) {
    const int head_dim = problem.head_dim();
    std::vector<HeadBlock> blocks = matrix_blocks(single_head_problem(problem, head), head * head_dim, head_dim);
    for (std::size_t n = 0; n < blocks.size(); ++n) {
        blocks[n].head = head;
        if (kRoles[n].is_shared) blocks[n].first_column = problem.kv_head(head) * head_dim;
    }
    return blocks;
}

HeadBlock token_block(std::string name, Matrix values, int first_column, int head_dim) {
    return {.name = std::move(name),
            .values = std::move(values),
            .first_column = first_column,
            .head_dim = head_dim,
            .has_tokens = true};
}

// One scale for all learned matrices (or X), and one for all contexts.
void set_scales(StackedPicture& picture) {
    float largest_input = 0;
    for (const HeadBlock& block : picture.whole) {
        if (!block.is_result) largest_input = std::max(largest_input, largest_number(block.values));
    }
    const float largest_result = largest_number(picture.whole.back().values);
    const auto set = [&](HeadBlock& block) { block.largest = block.is_result ? largest_result : largest_input; };
    for (std::vector<HeadBlock>& blocks : picture.singles) std::for_each(blocks.begin(), blocks.end(), set);
    std::for_each(picture.whole.begin(), picture.whole.end(), set);
    picture.difference.largest = picture.stacked.largest;
}

}  // namespace

AttentionProblem single_head_problem(const AttentionProblem& problem, int head) {
    ATTN_CHECK(head >= 0 && head < problem.settings.num_heads, "head is ", head, " of ", problem.settings.num_heads);
    const int head_dim = problem.head_dim();
    const int first = head * head_dim;
    const int first_shared = problem.kv_head(head) * head_dim;  // of keys and values
    const Projections& all = problem.projections;
    const bool has_matrices = all.w_query.size() > 0;
    AttentionProblem single = {
        .embeddings = has_matrices ? problem.embeddings : columns_of(problem.embeddings, first, head_dim),
        .projections =
            Projections{.w_query = columns_of(all.w_query, first, head_dim),
                        .w_key = columns_of(all.w_key, first_shared, head_dim),
                        .w_value = columns_of(all.w_value, first_shared, head_dim),
                        .w_down_query = all.w_down_query,
                        .w_down_kv = all.w_down_kv,
                        .b_query = entries_of(all.b_query, first, head_dim),
                        .b_key = entries_of(all.b_key, first_shared, head_dim),
                        .b_value = entries_of(all.b_value, first_shared, head_dim),
                        .w_out = {},
                        .b_out = {},
                        .w_query_rope = columns_of(all.w_query_rope, head * problem.rope_dim(), problem.rope_dim()),
                        .w_key_rope = all.w_key_rope,
                        .q_norm = all.q_norm,
                        .k_norm = all.k_norm,
                        .sink_logits = entries_of(all.sink_logits, head, 1)},
        .hidden = problem.hidden,
        .settings = problem.settings};
    for (TypedNumber typed : problem.typed_roles) {
        typed.column -= has_kv_heads(typed.role) ? first_shared : first;
        if (typed.column >= 0 && typed.column < head_dim) single.typed_roles.push_back(typed);
    }
    const auto num_tokens = static_cast<std::uint64_t>(problem.num_tokens());
    single.settings.alibi.first_head = head;
    single.settings.alibi.num_heads = problem.settings.num_heads;
    single.settings.num_heads = 1;
    single.settings.num_kv_heads = 0;
    single.settings.dropout_skip += static_cast<std::uint64_t>(head) * num_tokens * num_tokens;
    return single;
}

StackedHeads stack_heads(const Evaluation& evaluation) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no heads");
    const AttentionProblem& problem = *evaluation.problem;
    const int head_dim = problem.head_dim();
    const std::int64_t scores = static_cast<std::int64_t>(problem.num_tokens()) * problem.num_tokens();
    StackedHeads stacked;
    stacked.num_heads =
        static_cast<int>(std::clamp<std::int64_t>(kMaxStackedScores / scores, 1, problem.settings.num_heads));
    stacked.concatenated = zeros<Matrix>(problem.num_tokens(), stacked.num_heads * head_dim);
    for (int h = 0; h < stacked.num_heads; ++h) {
        const AttentionTrace alone = attend(single_head_problem(problem, h));
        for (int i = 0; i < problem.num_tokens(); ++i) {
            const std::span<const float> context = row_of(alone.context, 0, i);
            std::copy(context.begin(), context.end(), row_of(stacked.concatenated, i).begin() + h * head_dim);
        }
    }
    stacked.merged = columns_of(evaluation.trace.merged, 0, stacked.num_heads * head_dim);
    subtract(stacked);
    return stacked;
}

StackedPicture stacked_picture(const Evaluation& evaluation) {
    const AttentionProblem& problem = *evaluation.problem;
    const int head_dim = problem.head_dim();
    StackedPicture picture = {.stacked = stack_heads(evaluation), .singles = {}, .whole = {}, .difference = {}};
    const StackedHeads& stacked = picture.stacked;
    for (int h = 0; h < std::min(stacked.num_heads, kMostHeadsDrawn); ++h) {
        const int first = h * head_dim;
        std::vector<HeadBlock> blocks = single_head_blocks(problem, h);
        blocks.push_back(token_block("context", columns_of(stacked.concatenated, first, head_dim), first, head_dim));
        blocks.back().is_result = true;
        blocks.back().stage = TensorId::context;
        picture.singles.push_back(std::move(blocks));
    }
    picture.whole = matrix_blocks(problem, 0, head_dim);
    picture.whole.push_back(token_block("merged", stacked.merged, 0, head_dim));
    picture.whole.back().is_result = true;
    picture.whole.back().stage = TensorId::merged;
    picture.difference = token_block("difference", stacked.difference, 0, head_dim);
    set_scales(picture);
    return picture;
}

std::string stacked_in_words(const StackedHeads& stacked) {
    const auto num_cells = static_cast<std::int64_t>(stacked.merged.size());
    if (stacked.num_different == 0) {
        return num_cells == 1 ? std::string("the one number is the same, bit for bit")
                              : concat("all ", with_thousands(num_cells), " numbers are the same, bit for bit");
    }
    return concat(with_thousands(stacked.num_different), " of ", counted(num_cells, "number"), " differ, by at most ",
                  shown_number(static_cast<double>(stacked.largest)));
}

std::vector<TextTable> tables_of_stacked(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& evaluation = evaluator.shown();
    const StackedHeads stacked = stack_heads(evaluation);
    const Label tokens = token_labels(evaluation);
    const int head_dim = evaluation.sizes.head_dim();
    const Label column = [head_dim](int c) { return concat("head ", c / head_dim + 1, " channel ", c % head_dim); };
    const Blanks blanks(state);
    const auto is_blank = [&](int i, int c) { return blanks.has(TensorId::context, c / head_dim, i, c % head_dim); };
    const std::string heads =
        stacked.num_heads < evaluation.sizes.num_heads
            ? concat("the first ", stacked.num_heads, " of ", evaluation.sizes.num_heads, " heads")
            : counted(stacked.num_heads, "head");
    return {matrix_table(concat("Contexts of ", heads, " computed one by one, side by side"), stacked.concatenated,
                         tokens, column, is_blank),
            matrix_table("Merged: one matrix a role, cut into heads", stacked.merged, tokens, column, is_blank),
            matrix_table(concat("Difference: ", stacked_in_words(stacked)), stacked.difference, tokens, column)};
}

}  // namespace attn
