// Plans, row by row, what a new problem can take over from an earlier trace. Compares the values of the two problems
// bit for bit, and does not know what changed them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/attention.h"

namespace attn {

using RowFlags = std::vector<std::uint8_t>;  // 0 or 1 a row

// Which rows of a head must be computed.
struct DueRows {
    RowFlags weights;  // (T); their contexts are due too
    RowFlags context;  // (T)
};

// All that decides what is due. Without an earlier trace everything is.
class ReusePlan {
public:
    ReusePlan() = default;

    // A plan that takes nothing over.
    explicit ReusePlan(const AttentionProblem& problem);

    // Moves what can be taken over from `earlier_trace` to `trace`, of which the other tensors are made.
    ReusePlan(const AttentionProblem& problem, const AttentionProblem& earlier, AttentionTrace& trace,
              AttentionTrace&& earlier_trace);

    // (T): n where query i sees the keys 0 to n - 1 alone, else 0; see HeadProblem.
    std::span<const int> visible() const { return visible_; }

    // Rows of the query latents or latents (0, 1) that must be projected. (T)
    std::span<const std::uint8_t> latent_rows(int which) const { return latent_rows_[static_cast<std::size_t>(which)]; }

    // Rows of the queries, keys or values (role 0, 1, 2) that must be projected. (T)
    std::span<const std::uint8_t> role_rows(int role) const { return role_rows_[static_cast<std::size_t>(role)]; }

    // To be called when row i of head h (of keys and values: of key head h) has other bits than before.
    void set_role_changed(int role, int h, int i);

    // For head h, now that all its queries, keys and values are known.
    DueRows due_rows(const AttentionProblem& problem, int h) const;

    // For any head, before they are: at most these.
    DueRows largest_due_rows(const AttentionProblem& problem) const;

    bool keeps_mask() const { return keeps_mask_; }  // of dropout
    // The output holds earlier rows, each projected from a row of merged as it stands there.
    bool keeps_output() const { return keeps_output_; }
    // Columns from here on are new in rows of weights that are taken over: they are to be set to 0.
    int first_new_token() const { return first_new_token_; }
    // The weights that are taken over have their zeros where the new ones have theirs.
    bool zeros_stand(int h) const { return has_same_mask_ && keeps_head_[static_cast<std::size_t>(h)] != 0; }

private:
    DueRows due_rows(const AttentionProblem& problem, bool keeps_head, std::span<const std::uint8_t> queries,
                     std::span<const std::uint8_t> keys, std::span<const std::uint8_t> values) const;

    std::vector<int> visible_;
    std::array<RowFlags, 2> latent_rows_;
    std::array<RowFlags, 3> role_rows_;
    std::array<RowFlags, 3> changed_;  // (num_heads * T), keys and values (num_kv_heads * T)
    RowFlags mask_changed_;            // (T), 1 where query i sees other keys than before
    RowFlags keeps_head_;              // (num_heads)
    bool keeps_scale_ = false;         // what is done to scores is the same as before
    bool keeps_mask_ = false;
    bool keeps_drops_ = false;  // what is done to weights before the context is the same
    bool keeps_output_ = false;
    bool has_same_mask_ = false;
    int first_new_token_ = 0;
};

// Multiply-adds of rows first to end of a head: those with the keys that are needed and with the values that are seen.
std::int64_t head_cost(const AttentionProblem& problem, std::span<const int> visible, const DueRows& due,
                       std::int64_t first, std::int64_t end);

}  // namespace attn
