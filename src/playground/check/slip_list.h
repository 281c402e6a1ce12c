// What the files of the slips share: the list they add to, and the numbers they start from.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "playground/check/slip.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// Where slips are made: one cell of one stage of a sentence.
struct SlipPlace {
    const Evaluation& evaluation;
    TensorId stage;
    Cell cell;
    std::vector<Slip>& slips;

    const AttentionProblem& problem() const { return *evaluation.problem; }
    const AttentionSettings& settings() const { return evaluation.problem->settings; }
    int num_tokens() const { return evaluation.num_tokens(); }
    int head_dim() const { return evaluation.sizes.head_dim(); }
    int num_heads() const { return evaluation.sizes.num_heads; }
    bool is_visible(int query, int key) const { return problem().hidden(query, key) == 0; }

    // The stage as one head shows it, in the floats of the screen.
    Matrix matrix(TensorId of, int head) const {
        return stage_matrix(problem(), evaluation.trace, of, stage_info(of).has_heads ? head : 0);
    }

    // Numbers that are not finite are no answers: left out.
    void add(double number, std::string words) const;
};

// a · b over two rows of numbers of the same length, each rounded to `decimals` first unless that is negative.
double dot(std::span<const float> a, std::span<const float> b, int decimals = -1);

// Rounded half away from zero, as people round.
double rounded(double number, int decimals);

// Column `column` of a matrix.
std::vector<float> column_of(const Matrix& matrix, int column);

// The slips of queries, keys, values and the output: a row times a column of a learned matrix.
void add_projection_slips(const SlipPlace& at);
// Of the last step of training, where `x`, a row, meets column `column` of the matrix of a projection that it changed:
// `shown` is their product with the bias.
void add_step_slips(const SlipPlace& at, std::span<const float> x, int column, double shown);
// Of normed queries and keys.
void add_norm_slips(const SlipPlace& at);
// Of rotated queries and keys, and of their gradients on the way back.
void add_turn_slips(const SlipPlace& at);
// Of scores: as they are, scaled, biased and masked.
void add_score_slips(const SlipPlace& at);
// Of the weights, masked or not, before dropout.
void add_weight_slips(const SlipPlace& at);
// Of what a sink takes.
void add_sink_slips(const SlipPlace& at);
// Of dropped weights.
void add_dropout_slips(const SlipPlace& at);
// Of the context and of the merged heads.
void add_context_slips(const SlipPlace& at);
// Of gradients; other stages of a goal have none.
void add_gradient_slips(const SlipPlace& at);

}  // namespace attn
