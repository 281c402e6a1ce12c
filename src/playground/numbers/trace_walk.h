// A way through all numbers of a batch, a band of rows at a time: sentence by sentence, stage by stage, head by head,
// from the first row down. For whoever needs them all, however long the texts are: the walk can pause anywhere. Knows
// no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// Gets everything in order. An empty sentence begins and ends, with nothing in between.
class TraceVisitor {
public:
    virtual ~TraceVisitor() = default;
    virtual void begin_sentence(const Evaluation& /*evaluation*/) {}
    virtual void begin_stage(const Evaluation& /*evaluation*/, TensorId /*stage*/) {}
    virtual void begin_matrix(const Evaluation& /*evaluation*/, TensorId /*stage*/, int /*head*/) {}
    // Of the matrix that was begun last: `rows` follow those before.
    virtual void add_rows(const Evaluation& /*evaluation*/, const Matrix& rows) = 0;
    virtual void end_matrix() {}
    virtual void end_stage() {}
    virtual void end_sentence() {}
};

class TraceWalk {
public:
    TraceWalk() { inputs_.texts.clear(); }  // of no sentence: done
    // Of the legal inputs: all stages (present_stages), or `only` this one, which is present. A number costs the
    // visitor as long as `visit_cost` multiply-adds, about.
    TraceWalk(Inputs inputs, std::optional<TensorId> only, std::int64_t visit_cost);

    // Goes on for about `multiply_adds`, at least a band. `known`, if not null, is the complete evaluation of sentence
    // `known_sentence` of the same inputs and is used instead of computing it again; of an own evaluation no more than
    // one is in memory. Returns is_done().
    bool advance(TraceVisitor& visitor, std::int64_t multiply_adds, const Evaluation* known = nullptr,
                 int known_sentence = -1);

    bool is_done() const { return sentence_ == static_cast<int>(inputs_.texts.size()); }
    double share_done() const;  // 0 to 1
    const Inputs& inputs() const { return inputs_; }

private:
    std::int64_t visit_band(TraceVisitor& visitor, const Evaluation& evaluation);
    void end_sentence(TraceVisitor& visitor);
    std::int64_t row_cost(const Sizes& sizes, TensorId stage) const;
    std::int64_t sentence_cost(std::size_t sentence) const;

    Inputs inputs_;
    std::vector<TensorId> stages_;
    std::int64_t visit_cost_ = 0;
    int sentence_ = 0;
    CachedEvaluation own_;                // of a sentence that nobody knew
    std::int64_t done_ = 0, in_all_ = 0;  // multiply-adds, without those of own_
    std::size_t stage_ = 0;               // of stages_, the next,
    int matrix_ = 0, row_ = 0;            // and where in it
};

// More multiply-adds than any walk has; an own evaluation still takes several turns.
inline constexpr std::int64_t kWholeWalk = std::int64_t{1} << 62;

}  // namespace attn
