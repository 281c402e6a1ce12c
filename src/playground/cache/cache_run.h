// view=cache: both ways to compute a sentence's first tokens, held against each other bit by bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/fast/attention_work.h"
#include "core/fast/cached_attention.h"
#include "playground/cache/cache_counts.h"
#include "playground/numbers/digest.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// The first cell, in the order of the stages, in which the cached rows are not the bits of the whole.
struct CacheDifference {
    TensorId stage = TensorId::weights;
    int head = 0, row = 0, column = 0;
    float cached = 0, whole = 0;
};

// Whether both ways have rows of the stage; scores, and what stands beside the way to the output, are not compared.
bool is_compared_stage(TensorId stage);
// Those that the problem has.
std::vector<TensorId> compared_stages(const AttentionProblem& problem);

// Computes the tokens of the split in both ways, in slices: all at once, with nothing kept, then the prompt and one
// token after another with a cache. A value.
class CacheRun {
public:
    CacheRun() = default;
    // The evaluation is complete, has a problem, and stays as it is. Where the numbers of the shorter sentence would
    // take much memory (kMaxScoresTwice) they are not computed again: the whole sentence's are compared.
    CacheRun(const Evaluation& evaluation, const CacheSplit& split);
    // Goes on with a sentence or a split that has grown: what was compared stays, only the new rows, which end the
    // sentence, are computed and compared. Not where anything of the rows before is another, or they see the new
    // tokens; then nothing has happened. `kept` is the problem of this run; returns whether it now is one of the
    // evaluation and the split.
    [[nodiscard]] bool go_on(const AttentionProblem& kept, const Evaluation& evaluation, const CacheSplit& split);
    // Goes on for about `multiply_adds`, with the same evaluation. Returns is_done().
    bool advance(const Evaluation& evaluation, std::int64_t multiply_adds);
    bool is_done() const { return is_done_; }

    // When done:
    const CacheSplit& split() const { return split_; }
    bool is_same() const { return !difference_.has_value(); }
    std::uint64_t digest_cached() const { return cached_hash_.value(); }
    std::uint64_t digest_whole() const { return whole_hash_.value(); }
    // Whether a shorter sentence was held against the whole one's numbers, not computed by itself.
    bool takes_longer_sentence() const { return takes_longer_; }
    const std::optional<CacheDifference>& difference() const { return difference_; }
    // After the last pass: the newest rows.
    const CachedAttention& cached() const { return *cached_; }

private:
    void compare_new_rows(const Evaluation& evaluation);

    CacheSplit split_;
    AttentionProblem problem_;  // of the split's tokens; unused where the whole is compared
    AttentionTrace trace_;
    AttentionWork work_;
    std::shared_ptr<CachedAttention> cached_;
    bool takes_whole_ = false, takes_longer_ = false, is_done_ = false;
    Hash cached_hash_, whole_hash_;
    std::optional<CacheDifference> difference_;
};

// "Both ways gave the same bits: digest 0123…", or the first cell that differs and why. One or two sentences. For the
// ear without the digests, 32 letters and digits.
std::string cache_verdict(const CacheRun& run, const Evaluation& evaluation, bool has_digests = true);

// What becomes of the num_kept rows of a cache that was filled for `kept` when the numbers are those of `now`: how many
// are thrown away, and how many could stay. Empty if all can.
std::string thrown_away_in_words(const AttentionProblem& kept, int num_kept, const AttentionProblem& now);

}  // namespace attn
