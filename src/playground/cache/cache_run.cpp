// Compares as it goes: of the cached rows only those of the last pass are kept.
#include "playground/cache/cache_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

bool is_same_number(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

// The row of a trace, its first `count` numbers.
std::vector<float> whole_row(const AttentionProblem& problem, const AttentionTrace& trace, TensorId stage, int head,
                             int row, std::size_t count) {
    const Vector numbers = stage_row(problem, trace, stage, head, row);
    return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(std::min(count, numbers.size()))};
}

}  // namespace

bool is_compared_stage(TensorId stage) {
    const bool is_of_absorbed_order = stage == TensorId::absorbed_queries || stage == TensorId::mixed_latents;
    const bool is_beside = stage == TensorId::embeddings || stage == TensorId::unmasked_weights || is_of_absorbed_order;
    return !needs_goal(stage) && !is_block_stage(stage) && !is_score(stage) && !is_beside;
}

std::vector<TensorId> compared_stages(const AttentionProblem& problem) {
    std::vector<TensorId> stages;
    for (const StageInfo& info : stage_table()) {
        if (is_compared_stage(info.id) && has_stage(problem, info.id)) stages.push_back(info.id);
    }
    return stages;
}

CacheRun::CacheRun(const Evaluation& evaluation, const CacheSplit& split) : split_(split) {
    const AttentionProblem& problem = *evaluation.problem;
    const std::int64_t t = split.num_tokens();
    ATTN_CHECK(t <= problem.num_tokens(), t, " tokens of ", problem.num_tokens());
    takes_whole_ = t == problem.num_tokens() || problem.settings.num_heads * t * t > kMaxScoresTwice;
    takes_longer_ = takes_whole_ && t < problem.num_tokens();
    if (!takes_whole_) {
        problem_ = beginning_of(problem, split.num_tokens());
        work_ = AttentionWork(problem_, trace_, -1);
    }
    cached_ = std::make_shared<CachedAttention>(problem);
}

bool CacheRun::go_on(const AttentionProblem& kept, const Evaluation& evaluation, const CacheSplit& split) {
    const AttentionProblem& now = *evaluation.problem;
    const int old = split_.num_tokens();
    const bool is_longer = split.prompt == split_.prompt && split.at >= split_.at;
    if (!is_done_ || !is_same() || takes_longer_ || !is_longer) return false;
    if (now.settings.dropout > 0 || now.settings.mask_at != MaskAt::before) return false;
    if (tokens_still_valid(kept, now) < old) return false;
    for (int i = 0; i < old; ++i) {
        if (std::ranges::find(row_of(now.hidden, i).subspan(static_cast<std::size_t>(old)), 0) !=
            row_of(now.hidden, i).end())
            return false;
    }
    if (split == split_) return true;
    if (now.num_tokens() != split.num_tokens()) return false;  // the new rows are compared with the whole's
    takes_whole_ = true;
    split_ = split;
    is_done_ = false;
    return true;
}

bool CacheRun::advance(const Evaluation& evaluation, std::int64_t multiply_adds) {
    if (is_done_) return true;
    if (!takes_whole_ && !work_.is_done()) return work_.advance(problem_, trace_, multiply_adds), false;
    const AttentionProblem& problem = *evaluation.problem;
    const std::int64_t row_cost = std::int64_t{4} * problem.d_in() * problem.d_out();
    for (std::int64_t spent = 0; spent < multiply_adds && cached_->num_tokens() < split_.num_tokens();) {
        const int count = cached_->num_tokens() == 0 ? split_.prompt : 1;
        cached_->append(problem, count);
        compare_new_rows(evaluation);
        spent += count * (row_cost + std::int64_t{4} * problem.d_out() * cached_->num_tokens());
    }
    is_done_ = cached_->num_tokens() == split_.num_tokens();
    if (is_done_) trace_ = AttentionTrace();
    return is_done_;
}

void CacheRun::compare_new_rows(const Evaluation& evaluation) {
    const AttentionProblem& problem = takes_whole_ ? *evaluation.problem : problem_;
    const AttentionTrace& trace = takes_whole_ ? evaluation.trace : trace_;
    const auto t = static_cast<std::size_t>(split_.num_tokens());
    for (int row = cached_->num_tokens() - cached_->num_new(); row < cached_->num_tokens(); ++row) {
        for (const TensorId stage : compared_stages(problem)) {
            const bool is_of_pairs = stage == TensorId::weights || stage == TensorId::dropped_weights;
            const int num_heads = stage_info(stage).has_heads ? problem.settings.num_heads : 1;
            for (int h = 0; h < num_heads; ++h) {
                const std::vector<float> whole =
                    whole_row(problem, trace, stage, h, row, is_of_pairs ? t : std::size_t{1} << 20);
                std::vector<float> cached = cached_->row(*evaluation.problem, stage, h, row);
                cached.resize(whole.size());  // keys that were not there have no weight
                // Zeros at the end do not count, so that a digest goes on when the sentence does.
                std::size_t num_counted = whole.size();
                while (is_of_pairs && num_counted > 0 && is_same_number(cached[num_counted - 1], 0) &&
                       is_same_number(whole[num_counted - 1], 0))
                    --num_counted;
                cached_hash_.add(std::span<const float>(cached).first(num_counted));
                whole_hash_.add(std::span<const float>(whole).first(num_counted));
                for (std::size_t c = 0; c < whole.size(); ++c) {
                    if (is_same_number(cached[c], whole[c])) continue;
                    const CacheDifference found = {stage, h, row, static_cast<int>(c), cached[c], whole[c]};
                    const auto place = [](const CacheDifference& d) { return std::tuple(d.stage, d.row, d.head); };
                    if (!difference_ || place(found) < place(*difference_)) difference_ = found;
                    break;
                }
            }
        }
    }
}

std::string cache_verdict(const CacheRun& run, const Evaluation& evaluation, bool has_digests) {
    ATTN_CHECK(run.is_done(), "the two ways are still being computed");
    const std::string longer =
        run.takes_longer_sentence()
            ? concat(" Above ", with_thousands(kMaxScoresTwice),
                     " scores the rows are compared with those of the whole sentence, not of its beginning alone.")
            : std::string();
    const auto digests = [&](std::string_view before_second) {
        if (!has_digests) return std::string();
        return concat(": digest ", digest_text(run.digest_cached()), " with the cache, ", before_second,
                      digest_text(run.digest_whole()), " without");
    };
    if (run.is_same()) return concat("Both ways gave the same bits", digests("digest "), ".", longer);
    const CacheDifference& d = *run.difference();
    const AttentionProblem& problem = *evaluation.problem;
    const bool has_heads = stage_info(d.stage).has_heads;
    std::string words = concat("The ways differ", digests(""), ". First cell: ", stage_info(d.stage).name,
                               has_heads ? concat(", head ", d.head + 1) : "", ", row ", d.row, ", column ", d.column,
                               ": ", exact_number(d.cached), " with the cache, ", exact_number(d.whole), " without. ");
    if (has_stage(problem, TensorId::dropped_weights) && d.stage != TensorId::weights) {
        words += "Dropout draws anew in every pass, so other weights are dropped than when all draw at once.";
    } else if (problem.settings.mask_at != MaskAt::before) {
        words +=
            "The mask comes after the softmax: without a cache each row first weighs later tokens, too, which the "
            "cached row has never seen.";
    } else {
        words += concat("The mask lets earlier tokens look at later ones: this row was computed when ",
                        counted(run.split().pass_of(d.row) + run.split().prompt, "token"),
                        " were there. The newest row has seen them all and is right; a next layer would read the "
                        "others, too.");
    }
    return words + longer;
}

std::string thrown_away_in_words(const AttentionProblem& kept, int num_kept, const AttentionProblem& now) {
    const int valid = std::min(tokens_still_valid(kept, now), num_kept);
    if (valid == num_kept) return {};
    return concat("The inputs changed: ", counted(num_kept - valid, "cached row"), " from token ", valid,
                  " on had to be computed again",
                  valid > 0 ? concat(", ", counted(valid, "row"), " could stay.") : ".");
}

}  // namespace attn
