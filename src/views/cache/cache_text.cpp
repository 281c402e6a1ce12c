// The words of view=cache. A text is made at once, so what takes long is not compared here.
#include "views/cache/cache_text.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/notes.h"
#include "views/cache/cache_meter.h"

namespace attn {
namespace {

// Each token reads all learned numbers: so many are read in some milliseconds.
constexpr std::int64_t kMostLearnedAtOnce = 1 << 24;

// What the two ways gave, where that is known at once.
std::string verdict_at_once(const Evaluation& evaluation, const CacheSplit& split, bool has_digests = true) {
    const std::int64_t t = split.num_tokens();
    const Sizes& sizes = evaluation.sizes;
    const std::int64_t num_learned = std::int64_t{sizes.d_in + sizes.d_out} * (sizes.d_out + sizes.kv_width());
    const bool is_long = sizes.num_heads * t * t > kMaxScoresTwice / 4 || t * num_learned > kMostLearnedAtOnce;
    if (is_long) return "So many numbers are compared in the picture alone.";
    CacheRun run(evaluation, split);
    while (!run.advance(evaluation, std::numeric_limits<std::int64_t>::max())) continue;
    return cache_verdict(run, evaluation, has_digests);
}

}  // namespace

std::string cache_step_in_words(const CacheSplit& split, const Evaluation& evaluation) {
    if (split.at == 0) {
        return split.prompt == 1 ? std::string("Prefill: the prompt's one token.")
                                 : concat("Prefill: the ", split.prompt, " tokens of the prompt at once.");
    }
    return concat("Step ", split.at, " of ", evaluation.sizes.num_tokens - split.prompt, ": “",
                  token_text(evaluation, split.num_tokens() - 1), "” alone, beside ", split.num_tokens() - 1, " kept.");
}

std::string announcement_of_cache(const PlaygroundState& state, const Evaluation& evaluation) {
    const CacheSplit split = cache_split(state.view, evaluation.sizes.num_tokens);
    return concat(cache_step_in_words(split, evaluation), " ", verdict_at_once(evaluation, split, false));
}

std::vector<TextTable> tables_of_cache(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& evaluation = evaluator.shown();
    if (!evaluation.is_complete()) return {};
    const View& view = state.view;
    const CacheSplit split = cache_split(view, evaluation.sizes.num_tokens);
    std::vector<TextTable> tables;
    // A text is made at once: a long sentence is compared in the picture, in slices.
    tables.push_back({.title = concat(cache_step_in_words(split, evaluation), " ", verdict_at_once(evaluation, split)),
                      .columns = {},
                      .rows = {}});
    const bool has_latent = evaluation.sizes.latent != 0;
    TextTable tokens = {.title = !has_latent ? "Keys and values"
                                 : evaluation.sizes.rope_dim == 0
                                     ? "Latents, of which keys and values are made anew"
                                     : "Latents, of which keys and values are made anew, and turned position keys",
                        .columns = {"token", "with a cache", "without"},
                        .rows = {}};
    for (int i = std::max(0, split.num_tokens() - kMirrorCells); i < split.num_tokens(); ++i) {
        const int pass = split.pass_of(i);
        const bool is_new = pass == split.at;
        tokens.rows.push_back(
            {token_text(evaluation, i),
             is_new ? "computed now" : concat("kept, computed at ", pass == 0 ? "the prefill" : concat("step ", pass)),
             is_new ? "computed now" : "computed again"});
    }
    tables.push_back(std::move(tokens));
    TextTable counts = {.title = concat("So far: p = ", split.prompt, ", n = ", split.num_passes()),
                        .columns = {"", "with a cache", "without"},
                        .rows = {}};
    if (view.asks_counts) counts.rows.push_back({std::string(kCountsBlank), "", ""});
    for (const CacheCounts& row :
         view.asks_counts ? std::vector<CacheCounts>() : cache_counts(evaluator.inputs(), evaluation.sizes, split)) {
        counts.rows.push_back({row.name, row.cached.formula(), row.again.formula()});
    }
    const std::string others = other_layers_in_words(evaluator.inputs());
    if (!others.empty()) counts.title += concat(". ", others);
    tables.push_back(std::move(counts));
    tables.push_back(table_of_meter(evaluator.inputs(), evaluation.sizes, view));
    tables.push_back({.title = deepseek_in_words(), .columns = {}, .rows = {}});
    return tables;
}

}  // namespace attn
