// Why scores are divided by √d: dot products of random queries and keys grow with d, and this changes the weights of
// the visitor's own sentence. Pure numbers; a long experiment runs in pieces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ground/random.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// Random pairs of query and key with standard normal numbers. The dot products of all d from 1 to 512 come from the
// same numbers: those for d are the first d of each. In PyTorch:
//   torch.manual_seed(seed); x = torch.randn(pairs, 2, 512); (x[:, 0, :d] * x[:, 1, :d]).sum(-1).var()
class DotExperiment {
public:
    // 10 to kMaxPairs pairs; `dim` from 1 to kMaxPairsDim is the d for which it keeps every dot product.
    DotExperiment(int num_pairs, std::uint64_t seed, int dim);

    // Draws at most `count` more pairs.
    void draw(int count);
    bool is_done() const { return num_drawn() == num_pairs_; }
    int num_drawn() const { return static_cast<int>(products_.size()); }
    bool is_of(int num_pairs, std::uint64_t seed, int dim) const {
        return num_pairs == num_pairs_ && seed == seed_ && dim == dim_;
    }
    int dim() const { return dim_; }

    // Variance (n - 1 in the divisor, as in torch.var) of q·k of the pairs drawn so far, at least 2; d from 1 to 512.
    // Divided by d it is that of q·k/√d, divided by d² that of q·k/d.
    double variance(int d) const;

    // q·k of every pair drawn so far, for dim().
    std::span<const double> products() const { return products_; }

private:
    int num_pairs_;
    std::uint64_t seed_;
    int dim_;
    TorchGenerator generator_;
    std::vector<float> numbers_;                  // of one pair: query, then key
    std::vector<double> sums_, sums_of_squares_;  // (512), over the pairs
    std::vector<double> products_;
};

// How many of the values, each divided by `divisor`, lie in each of `num_bins` equal parts of [-reach, reach); values
// outside count nowhere.
std::vector<int> histogram(std::span<const double> values, double divisor, double reach, int num_bins);

// The d that tables list: powers of two, and the lecture's 5, 20 and 100.
std::span<const int> listed_dims();

// A row of weights: how spread out it is.
struct RowSpread {
    double entropy = 0;  // bits
    double largest = 0;
};

// Entropy in bits and largest number of one row of weights; zeros add nothing.
RowSpread spread_of(std::span<const float> weights);

// The sentence with one head of `head_dim`, drawn from the present init and seed.
struct HeadDimStep {
    int head_dim = 1;
    double variance = 0;         // of q·k over all visible pairs of tokens
    double scaled_variance = 0;  // of q·k/√head_dim
    RowSpread unscaled, scaled;  // means over the rows
};

// The experiment uses at most this many tokens of the sentence.
inline constexpr int kMaxExperimentTokens = 256;

// One step for each head_dim of 1, 2, 4, ..., 64; without matrices (init none) only those that divide d_in.
// `evaluation` belongs to the inputs and is not empty.
std::vector<HeadDimStep> vary_head_dim(const Inputs& inputs, const Evaluation& evaluation);

// Row `row` of head `head` from the present numbers, once for each scale.
struct ScaleSpreads {
    RowSpread sqrt, none, dim;
};
ScaleSpreads vary_scale(const Evaluation& evaluation, int head, int row);

}  // namespace attn
