// view=stacked: heads computed one by one, each with small matrices of its own, beside heads cut from one matrix a
// role. Same columns, same numbers: the view shows the difference. Knows numbers, no pixels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

// The problem of head `head` alone: its columns of the matrices and biases (of X itself where there are no matrices),
// its typed numbers, its part of the keep mask; one head, no output projection.
AttentionProblem single_head_problem(const AttentionProblem& problem, int head);

struct StackedHeads {
    int num_heads = 0;      // compared heads; fewer than all if all would take too long (kMaxStackedScores)
    Matrix concatenated;    // (T, num_heads * head_dim): the contexts of the single heads side by side
    Matrix merged;          // the same columns of the stage `merged`
    Matrix difference;      // concatenated - merged
    int num_different = 0;  // cells whose bits differ; NaN beside NaN is no difference
    float largest = 0;      // the largest absolute difference
};

// The view computes at most this many scores (T * T a head) again: 16 million multiply-adds a channel.
inline constexpr std::int64_t kMaxStackedScores = 1LL << 22;

// Runs each head alone. `evaluation` is not empty.
StackedHeads stack_heads(const Evaluation& evaluation);

// A matrix with its name, as pictures show it.
struct HeadBlock {
    std::string name;
    Matrix values;
    int first_column = 0;  // of the whole matrix
    int head_dim = 1;
    std::optional<int> head = {};  // that all of it belongs to; else its columns are those of one head after the other
    int readers = 1;               // heads that share each head of these columns
    bool has_tokens = false;       // rows are tokens; else they are d_in
    std::optional<TensorId> stage = {};  // the stage that holds these numbers, if any
    bool is_result = false;              // it follows from the blocks before it
    float largest = 0;                   // largest absolute value of all blocks that share a colour scale

    // The head that a column belongs to.
    // Shared ones belong to the first that reads them.
    int head_of(int column) const { return head ? *head : (first_column + column) / head_dim * readers; }
};

// What the view draws: matrices and contexts of the first kMostHeadsDrawn heads, the large matrices with the merged
// one, and the difference.
struct StackedPicture {
    StackedHeads stacked;
    std::vector<std::vector<HeadBlock>> singles;  // of each head that is drawn
    std::vector<HeadBlock> whole;                 // the large matrices
    HeadBlock difference;
};
inline constexpr int kMostHeadsDrawn = 6;

// `evaluation` is not empty.
StackedPicture stacked_picture(const Evaluation& evaluation);

// "all 44 numbers are the same, bit for bit", or how many are not.
std::string stacked_in_words(const StackedHeads& stacked);

// The drawn matrices as text tables.
std::vector<TextTable> tables_of_stacked(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
