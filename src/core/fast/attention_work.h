// attend() in slices, for texts that take longer than a frame: the same bits in the end, whatever the slices are. Knows
// no clock: a slice is an amount of multiply-adds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/fast/attention_reuse.h"
#include "core/fast/head_attention.h"
#include "core/ground/random.h"
#include "core/kernels/packed_matrix.h"

namespace attn {

// How many rows were computed, all heads together; rows taken over from an earlier trace do not count.
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

    // Checks the shapes of `problem` and plans. Head `first_head` is computed before the others; where projections take
    // long, its own part of them too. -1: no head is waited for. Allocates the trace's tensors.
    AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head);

    // The same, with what `earlier_trace`, complete or not, of `earlier_problem` holds: rows that the difference of the
    // problems does not reach are taken over, its memory is used again. The earlier trace is empty afterwards.
    AttentionWork(const AttentionProblem& problem, AttentionTrace& trace, int first_head,
                  const AttentionProblem& earlier_problem, AttentionTrace&& earlier_trace);

    // Goes on until about `multiply_adds` are spent or all is done, at least by one small step. Returns is_done().
    bool advance(const AttentionProblem& problem, AttentionTrace& trace, std::int64_t multiply_adds);

    // The visitor looks at this head: it is computed next, after the one under way.
    void prefer_head(int head);

    bool is_done() const { return next_ == steps_.size(); }
    int num_heads_done() const { return num_heads_done_; }
    // Of the plan, which counts what turns out to be the same as before as if it were computed.
    std::int64_t multiply_adds_done() const { return done_; }
    std::int64_t multiply_adds_in_all() const { return in_all_; }
    const RowsComputed& rows_computed() const { return rows_; }

private:
    enum class Kind { latent, position, role, keep_mask, head, output };
    // Some rows of one kind; of the keep mask some numbers.
    struct Step {
        Kind kind = Kind::role;
        int which = 0;  // latent 0, 1 (of queries, of keys and values); position 0, 1 (of queries, of keys); role 0, 1,
                        // 2 (queries, keys, values), more for one head's part of a role; or head
        std::int64_t first = 0, end = 0;
        bool is_last = false;  // of its kind and role or head
        std::int64_t multiply_adds = 0;
    };
    void allocate(const AttentionProblem& problem, AttentionTrace& trace) const;
    void plan_steps(const AttentionProblem& problem, int first_head);
    template <class Cost>
    void add_steps(Kind kind, int which, std::int64_t count, const Cost& cost);

    // Each returns the multiply-adds that were spent.
    std::int64_t run(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t project_latent(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t project_positions(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t project_role(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t draw_mask(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t attend_rows(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    std::int64_t project_output(const Step& step, const AttentionProblem& problem, AttentionTrace& trace);
    void finish(const Step& step, AttentionTrace& trace);

    std::vector<Step> steps_;
    std::size_t next_ = 0;
    std::int64_t done_ = 0, in_all_ = 0;
    int num_heads_done_ = 0;
    RowsComputed rows_;

    ReusePlan reuse_;
    DueRows due_;   // of the head under way
    PackedRows x_;  // the rows being projected
    PackedMatrix matrix_;
    int packed_ = -1;         // what matrix_ holds: role 0, 1, 2; 3 for w_out; 4, 5 for what makes latents; -2, -3 for
                              // what makes position queries and keys
    FloatBuffer plain_rows_;  // rows of a role where there are no matrices
    HeadAttention head_;
    int begun_head_ = -1;                      // whose keys and values head_ holds
    std::optional<TorchGenerator> generator_;  // of the keep mask, between its steps
};

}  // namespace attn
