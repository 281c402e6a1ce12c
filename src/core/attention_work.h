// attend() in slices, for texts that take longer than a frame: the same bits in the end, whatever the slices are. Knows
// no clock: a slice is an amount of multiply-adds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention.h"

namespace attn {

// Rows that were really computed, and not taken over from an earlier trace: of all heads together.
struct RowsComputed {
    std::int64_t queries = 0, keys = 0, values = 0;  // rows of (T, d_out)
    std::int64_t weights = 0, context = 0;           // rows of a head
    std::int64_t output = 0;
};

// The plan of one computation and how far it is. A value: problem and trace belong to the caller, who hands the same
// two to each call.
class AttentionWork {
public:
    AttentionWork() = default;  // nothing to do

    // Checks the shapes of `problem` and plans. Head `first_head` is computed before the others. Allocates the trace's
    // tensors.
    AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head);

    // The same, with what `earlier_trace`, complete or not, of `earlier_problem` holds: rows that the difference of the
    // problems does not reach are taken over, its memory is used again. The earlier trace is empty afterwards.
    AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head,
                  const AttentionProblem& earlier_problem, AttentionTrace&& earlier_trace);

    // Goes on until about `multiply_adds` are spent or all is done, at least by one small step. Returns is_done().
    bool advance(const AttentionProblem& problem, AttentionTrace& trace, std::int64_t multiply_adds);

    bool is_done() const { return next_ == steps_.size(); }
    int num_heads_done() const { return num_heads_done_; }
    std::int64_t multiply_adds_done() const { return done_; }
    std::int64_t multiply_adds_in_all() const { return in_all_; }
    const RowsComputed& rows_computed() const { return rows_; }

private:
    // Some rows of one kind. The cost decides how much fits into a slice.
    struct Step {
        enum class Kind { roles, keep_mask, head, output } kind = Kind::roles;
        int head = 0;
        int first = 0, end = 0;  // rows
        std::int64_t multiply_adds = 0;
    };
    void add_steps(Step::Kind kind, int head, int num_rows, std::int64_t multiply_adds_a_row);
    void run(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);

    std::vector<Step> steps_;
    std::size_t next_ = 0;
    std::int64_t done_ = 0, in_all_ = 0;
    int num_heads_done_ = 0;
    RowsComputed rows_;
};

}  // namespace attn
