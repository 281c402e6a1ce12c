// One head of attention on plain arrays, some rows at a time: from queries, keys and values to weights and context.
// What attend() and the engine's fast entry have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/attention/attention.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/packed_rows.h"

namespace attn {

// What a head is computed from. Pointers belong to the caller; T = num_tokens.
struct HeadProblem {
    std::size_t num_tokens = 0, head_dim = 0;
    std::size_t own_dim = 0;                       // numbers of a query or key behind its first head_dim
    const float *query = nullptr, *key = nullptr;  // (T, score_dim)
    const float* value = nullptr;                  // (T, head_dim)
    float divisor = 1;                             // what the scores are divided by
    const float* sink_logit = nullptr;             // of this head's sink (see Projections); null: none
    float cap = 0;                                 // > 0: scaled scores stay between -cap and cap
    float slope = 0;         // of ALiBi: scaled scores lose slope * distance of query and key; 0: nothing
    int first_position = 0;  // of the first query, where keys begin at 0
    MaskAt mask_at = MaskAt::before;
    // (T): n where query i sees keys 0 to n - 1 and no others, 0 where it sees others: then `hidden` says which.
    const int* visible = nullptr;
    const std::uint8_t* hidden = nullptr;  // (T, T), may be null where `visible` says all
    const std::uint8_t* keep = nullptr;    // (T, T), the dropout keep mask, or null
    float keep_scale = 1;

    // Whether more is done to a score before the mask than the division.
    constexpr bool changes_scores() const { return !kForwardOnly && (cap > 0 || slope != 0); }
    constexpr bool has_sink() const { return kHasSinks && sink_logit != nullptr; }
    constexpr std::size_t score_dim() const {
#ifdef ATTN_NO_LATENTS
        return head_dim;
#else
        return head_dim + own_dim;
#endif
    }
    std::span<const std::uint8_t> hidden_row(std::size_t i) const { return {hidden + i * num_tokens, num_tokens}; }
    bool hides(std::size_t i, std::size_t j) const {
        return visible[i] != 0 ? j >= static_cast<std::size_t>(visible[i]) : hidden[i * num_tokens + j] != 0;
    }
};

// HeadProblem::visible for one row of the mask (T).
int visible_in(const std::uint8_t* hidden, std::size_t num_tokens);

// Where a head's results go.
struct HeadResults {
    float* weights = nullptr;  // (T, at least T), or null: not wanted
    std::size_t weights_stride = 0;
    bool zeros_stand = false;       // the weights right of the visible ones are 0 already, in rows that see 0 to n - 1
    float* context = nullptr;       // (T, head_dim)
    float* sink_weights = nullptr;  // (T), with a sink: how far each row of weights falls short of 1
};

class HeadAttention {
public:
    // Memory for heads of this size. Returns false when it is refused.
    [[nodiscard]] bool reserve(std::size_t num_tokens, std::size_t head_dim) {
        return reserve(num_tokens, head_dim, head_dim);
    }
    [[nodiscard]] bool reserve(std::size_t num_tokens, std::size_t head_dim, std::size_t score_dim);

    // Packs the keys and values of a head: all that follows belongs to it, until the next.
    void begin(const HeadProblem& problem);
    // Packs the keys alone: enough for make_scores.
    void begin_scores(const HeadProblem& problem);

    // Rows first to end of weights and context. Hidden weights are exactly 0, whatever the row holds.
    void make_rows(const HeadProblem& problem, std::size_t first, std::size_t end, const HeadResults& results);

    // Rows first to end of the context alone, from weights that stand in results.
    void mix_rows(const HeadProblem& problem, std::size_t first, std::size_t end, const HeadResults& results);

    // Rows first to end of the scores as they are before the division, at most rows_at_once() of them, of all keys.
    // Returns the first row; they lie row_stride() apart and may be overwritten.
    float* make_scores(const HeadProblem& problem, std::size_t first, std::size_t end);

    static std::size_t rows_at_once();
    std::size_t row_stride() const { return row_stride_; }

private:
    void multiply_by_keys(const HeadProblem& problem, std::size_t first, std::size_t end);
    void mix_block(const HeadProblem& problem, std::size_t first, std::size_t end, const float* weights,
                   std::size_t stride, float* context);

    PackedRows queries_;         // of the rows under way
    FloatBuffer keys_, values_;  // panels
    FloatBuffer rows_;           // scores, then dropped weights
    FloatBuffer sums_;           // context
    std::size_t row_stride_ = 0, sum_stride_ = 0;
    bool values_are_finite_ = true;
};

// Scores of row i with the first `count` keys become what the mask takes in: divided, capped where there is a cap, and
// with a slope less for keys that are farther away.
void change_row(const HeadProblem& problem, std::size_t i, std::size_t count, float* row);

// Puts `value` in a row (T) where the mask's row (T) hides the key.
void hide_keys(std::span<const std::uint8_t> hidden, float value, float* row);

// From the scores of rows first to end, at most rows_at_once(), to their weights. Each row of scores (room for T
// rounded up to 16) is overwritten; weights (T) may stand in the same place. Hidden ones are 0; those right of the
// first visible[i] only up to `zero_end`.
void weigh_rows(const HeadProblem& problem, std::size_t first, std::size_t end, float* scores,
                std::size_t scores_stride, float* weights, std::size_t weights_stride, std::size_t zero_end);

// The same of a problem with a sink, which has its mask before the softmax. `sink_weights`
// (end - first) get how far each row of weights falls short of 1.
// A row's maximum m is that of its scaled scores and the logit. The sum is that of eight sums in double, of the keys
// with the same rest modulo 8, added in pairs, and of exp(logit - m): hidden keys at its end change nothing, so that a
// row has the same bits however many follow. A NaN or +inf among the scores makes the whole row NaN.
void weigh_rows_with_sink(const HeadProblem& problem, std::size_t first, std::size_t end, float* scores,
                          std::size_t scores_stride, float* weights, std::size_t weights_stride, std::size_t zero_end,
                          float* sink_weights);

// The first `count` weights of row i after dropout; the same array may be both.
void drop_row(const HeadProblem& problem, std::size_t i, const float* weights, std::size_t count, float* dropped);

}  // namespace attn
