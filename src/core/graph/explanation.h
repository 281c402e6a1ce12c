// Where one number comes from: the terms that are added to make it, each with the cells its factors stand in.
// Every explanation has one form: shown = (sum of a * b over the terms) / divisor. For a weight the divisor is a row
// sum, for a normed number the root of a mean; their own terms are listed too. What a model makes around its attention
// takes more sums than one: each is a step, the last of which is the number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/tensor_id.h"

namespace attn {

struct CellRef {
    TensorId tensor = {};
    int head = 0;  // 0 for tensors without heads
    int row = 0;   // for biases: 0
    int column = 0;
    int layer = 0;  // of a model, from 0

    bool operator==(const CellRef&) const = default;
};

// A number that is in no cell: of a tensor of a model's files, by its name there and its place there, or what an
// earlier step came to, by the step's name.
struct NamedNumber {
    std::string name;
    std::vector<std::int64_t> place;  // an index for each of the tensor's dimensions; none: a step
};

struct Factor {
    double value = 1;
    bool has_source = false;  // false: a constant (a hashed piece, 1/(1-p), the 1 of a copied number)
    CellRef source;  // the cell it stands in; for a term labelled "exp", "tanh" or "over rms" the number behind it
    std::shared_ptr<const NamedNumber> named = {};  // in the place of a source
};

// Whether it is the constant 1, which a factor stands alone with.
inline bool is_one(const Factor& factor) {
    return !factor.has_source && factor.named == nullptr && factor.value == 1;
}

struct Term {
    Factor a, b;        // the product a * b; b is 1 where there is only one factor
    std::string label;  // what the term is, where cells do not say it: the piece of a hashed token, "token",
                        // "position", "typed", "bias", "exp", "tanh", "distance", "cos", "sin"; of gradients "target",
                        // "average", "wanted word", "over rms", "other sentences"
    double product() const { return a.value * b.value; }
};

inline double sum_of(const std::vector<Term>& terms) {
    double sum = 0;
    for (const Term& term : terms) sum += term.product();
    return sum;
}

// value = rule(sum of the terms / divisor).
struct ExplainedStep {
    std::string name;  // how later steps call it; of the last one the stage
    std::vector<Term> terms;
    double divisor = 1;
    std::string rule;  // "1 / √·", where · is what the terms make; empty: it is that
    double value = 0;

    double sum() const { return sum_of(terms); }
};

struct Explanation {
    CellRef cell;
    float shown = 0;         // the number on the screen
    bool is_hidden = false;  // a key hidden from this query: masked score -inf, weights 0; no terms
    std::vector<Term> terms;
    double divisor = 1;
    // What the divisor is the sum of. A softmax: exp(s - row_max) of each key it sees, and of a learned sink's logit.
    // Weights masked after the softmax and divided again: the unmasked weight of each visible key. A norm: the squares
    // of the row, whose mean + eps it is the root of. Else empty.
    std::vector<Term> divisor_terms;
    // What a term with the label "average" takes off is the sum of these over average_divisor: gradient * weight of
    // each key, on the way back through a softmax; gradient * normed number, on that through a norm. Else empty.
    std::vector<Term> average_terms;
    double average_divisor = 1;
    bool is_softmax = false;  // one of a softmax: terms and divisor terms are exponentials
    double row_max = 0;       // softmax only: the largest score of the row, or the sink's logit
    double score = 0;         // softmax only: the score of this cell
    bool is_normed = false;   // over the root mean square of its row: normed queries and keys, and the way back
    bool is_turned = false;   // x cos - partner sin: rotated queries and keys, and the way back through them
    double angle = 0;         // turned only: by how much, in radians; the way back turns by the opposite
    int position = 0;         // turned only: where the token stands
    // What a model makes: the steps to the number, in the place of terms; none where the key is hidden.
    std::string formula = {};  // in the names of stages and steps
    std::vector<ExplainedStep> steps = {};

    double sum() const { return sum_of(terms); }
    double average() const { return sum_of(average_terms) / average_divisor; }
    double result() const { return sum() / divisor; }
};

}  // namespace attn
