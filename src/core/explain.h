// Where one number comes from: the terms that are added to make it, each with the cells its factors stand in.
// Every explanation has one form: shown = (sum of a * b over the terms) / divisor. For a weight the divisor is the row sum,
// whose own terms are listed too.
#pragma once

#include <string>
#include <vector>

#include "core/attention.h"

namespace attn {

struct CellRef {
    TensorId tensor = TensorId::embeddings;
    int head = 0;  // 0 for tensors without heads
    int row = 0;   // for biases: 0
    int column = 0;

    bool operator==(const CellRef&) const = default;
};

struct Factor {
    double value = 1;
    bool has_source = false;  // false: a constant (exp of a difference, 1/(1-p), the 1 of a copied number)
    CellRef source;
};

struct Term {
    Factor a, b;     // the product a * b; b is 1 where there is only one factor
    std::string label;  // what the term is, where no cell says it: "<pa" for an n-gram, "bias", "position"
    double product() const { return a.value * b.value; }
};

struct Explanation {
    CellRef cell;
    float shown = 0;                  // the number on the screen
    bool is_hidden = false;           // a hidden cell: masked score -inf, weight 0; no terms
    std::vector<Term> terms;
    double divisor = 1;
    std::vector<Term> divisor_terms;  // weights only: exp(s - row_max) of each visible key, adding up to the divisor
    double row_max = 0;               // weights only: the largest masked score of the row
    double score = 0;                 // weights only: the masked score of this cell

    double sum() const;               // of the terms
    double result() const { return sum() / divisor; }
};

// How the embeddings were made, for the terms of an embedding cell. Parts in the order they are added; edits replace
// the cell (one term, label "typed").
struct EmbeddingParts {
    std::vector<std::vector<std::string>> pieces;  // [T]: the hashed pieces of each token; empty when not hashed
    std::vector<std::vector<Vector>> piece_vectors;  // [T][pieces]: each (d_in), already scaled so that they simply add up
    Matrix token_vectors;                          // (T, d_in) before positions
    Matrix positions;                              // (T, d_in), size 0 without positions
};

// The terms behind the number at (head, row, column) of `stage`. The cell must lie inside the stage, which must be present.
Explanation explain(const AttentionProblem& problem, const AttentionTrace& trace, const EmbeddingParts& parts,
                    TensorId stage, int head, int row, int column);

}  // namespace attn
