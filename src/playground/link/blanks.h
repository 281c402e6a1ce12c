// The numbers that are left blank wherever they would be shown: stages that somebody is to fill in (View::check),
// stages and values that the author of a page left out (View::hide), and the stages that these inputs make a copy of
// one of those.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/ground/tensor.h"
#include "playground/link/hiding.h"
#include "playground/state/state.h"

namespace attn {

// Stages that have the same numbers as `stage` with these inputs, itself included: cell by cell, or merged for context.
std::set<TensorId> copies_of(const Inputs& inputs, const std::set<TensorId>& stages);

class Blanks {
public:
    Blanks() = default;  // nothing is blank
    explicit Blanks(const PlaygroundState& state);

    bool empty() const { return stages_.empty() && values_.empty(); }

    // Whether all numbers of the stage are.
    bool has_stage(TensorId stage) const { return stages_.contains(stage); }
    // Whether this one is; head from 0, and 0 in stages without heads.
    bool has(TensorId stage, int head, int row, int column) const;
    // Whether single numbers of the stage are, or of one that it has the numbers of.
    bool has_values_of(TensorId stage) const;
    // Whether any number of the stage is.
    bool touches(TensorId stage) const;

    // Puts NaN where a number of `shown`, the matrix of one head, is blank. Hidden keys (-inf) stay.
    void take_out(Matrix& shown, TensorId stage, int head) const;

    // Names what is blank: 0 when nothing is, another number for other blanks.
    std::uint64_t name() const { return name_; }

private:
    struct Pattern {
        HiddenValue value;
        std::set<TensorId> copies;  // of its stage
    };
    std::set<TensorId> stages_;
    std::vector<Pattern> values_;
    int head_dim_ = 1;
    int readers_ = 1;  // heads that share keys and values
    std::uint64_t name_ = 0;
};

}  // namespace attn
