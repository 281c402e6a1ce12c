// What the lessons about the cache claim: twice, cache. Their counts come from walking through the passes cell by cell,
// not from the formulas of the view.
#include <cmath>

#include "core/fast/cached_attention.h"
#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"

namespace attn::test {
namespace {

constexpr int kKeptThe = 0, kKeptArtist = 1, kNewPortrait = 4;

struct Passes {
    double rows = 0, cells = 0;  // of a head
};

// With a cache each pass computes its new rows, without one all rows there are.
Passes count_passes(const Seen& step, bool is_cached) {
    const View& view = step.state().view;
    Passes sum;
    for (int pass = 0; pass <= view.at; ++pass) {
        const int t = view.prompt + pass;
        for (int i = is_cached && pass > 0 ? t - 1 : 0; i < t; ++i) {
            ++sum.rows;
            for (int j = 0; j < t; ++j) sum.cells += step.evaluation().problem->hidden(i, j) == 0 ? 1 : 0;
        }
    }
    return sum;
}

double prompt_of(const Seen& step) {
    return step.state().view.prompt;
}

// The cache filled as far as the step is.
CachedAttention fill_cache(const Seen& step, int num_steps) {
    const AttentionProblem& problem = *step.evaluation().problem;
    CachedAttention cached(problem);
    cached.append(problem, step.state().view.prompt);
    for (int k = 0; k < num_steps; ++k) cached.append(problem, 1);
    return cached;
}

// The newest row of weights of head 1, in a cache and in the sentence of its tokens computed at once.
bool has_newest_row_right(const Seen& step) {
    const AttentionProblem& problem = *step.evaluation().problem;
    const CachedAttention cached = fill_cache(step, step.state().view.at);
    const int newest = cached.num_tokens() - 1;
    const AttentionProblem beginning = beginning_of(problem, cached.num_tokens());
    CachedAttention at_once(beginning);
    at_once.append(beginning, cached.num_tokens());
    for (const TensorId stage : {kWeights, kContext}) {
        if (cached.row(problem, stage, 0, newest) != at_once.row(beginning, stage, 0, newest)) return false;
    }
    return true;
}

}  // namespace

std::vector<Claim> claims_of_the_cache() {
    return {
        {"twice", 1, "The six tokens of its prompt are computed at once: 6 rows of keys and values",
         [](const Seen& step) -> Numbers { return {prompt_of(step), count_passes(step, true).rows}; }},
        {"twice", 1, "21 score cells a head",
         [](const Seen& step) -> Numbers { return {count_passes(step, true).cells}; }},
        {"twice", 2, "On the right all seven rows are computed, six of them for the second time",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().tokens.tokens[6].text == "a");
             return {prompt_of(step) + 1, count_passes(step, false).rows - count_passes(step, true).rows};
         }},
        {"twice", 2, "Both passes together take 49 score cells a head, where 28 are enough",
         [](const Seen& step) -> Numbers { return {count_passes(step, false).cells, count_passes(step, true).cells}; }},
        {"twice", 3, "no other token takes part",
         [](const Seen& step) -> Numbers {
             const Seen alone = step.with("text=The+artist");
             CHECK(alone.row(kK, kKeptArtist) == step.row(kK, kKeptArtist));
             return {};
         }},
        {"twice", 4, ": 0.2271, whatever comes after “artist”",
         [](const Seen& step) -> Numbers { return {step.at(kK, kKeptArtist, 0)}; }},
        {"twice", 4, "its scaled scores for them are 0.5317 and 0.1370",
         [](const Seen& step) -> Numbers {
             CHECK(std::isinf(step.at(kWeights, kKeptArtist, 2)));  // hidden
             return {step.at(TensorId::scaled_scores, kKeptArtist, kKeptThe),
                     step.at(TensorId::scaled_scores, kKeptArtist, kKeptArtist)};
         }},
        {"twice", 5, ": 0.5974, with or without “brush”",
         [](const Seen& step) -> Numbers {
             const Seen without = step.with("step=4&text=The+artist+painted");
             CHECK(without.at(kWeights, kKeptArtist, kKeptThe) == step.at(kWeights, kKeptArtist, kKeptThe));
             return {step.at(kWeights, kKeptArtist, kKeptThe)};
         }},
        {"twice", 5,
         "After all eleven tokens 51 rows were computed where 11 are enough, and 251 score cells a head where 66 are",
         [](const Seen& step) -> Numbers {
             const Passes all = count_passes(step, false), enough = count_passes(step, true);
             return {static_cast<double>(step.evaluation().num_tokens()), all.rows, enough.rows, all.cells,
                     enough.cells};
         }},
        {"twice", 6, "what was computed for six tokens is stale",
         [](const Seen& step) -> Numbers {
             CHECK(fill_cache(step, 0).row(*step.evaluation().problem, kWeights, 0, 0)[0] !=
                   static_cast<float>(step.at(kWeights, kKeptThe, kKeptThe)));
             return {prompt_of(step)};
         }},
        {"twice", 6, "The newest row has seen all and is still right",
         [](const Seen& step) -> Numbers {
             CHECK(has_newest_row_right(step));
             return {};
         }},

        {"cache", 1, "The four tokens of the prompt", [](const Seen& step) -> Numbers { return {prompt_of(step)}; }},
        {"cache", 1, "2 · 4 = 8 numbers, both heads together",
         [](const Seen& step) -> Numbers {
             const double kept = static_cast<double>(fill_cache(step, 0).cache().num_kept()) / prompt_of(step);
             return {2, static_cast<double>(step.evaluation().sizes.kv_width()), kept};
         }},
        {"cache", 2, "one query, one key, one value are computed, and a single row of five scores. The four older keys",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().tokens.tokens[kNewPortrait].text == "portrait");
             CHECK(fill_cache(step, 1).num_new() == 1);
             return {static_cast<double>(
                         fill_cache(step, 1).row(*step.evaluation().problem, kScores, 0, kNewPortrait).size()),
                     prompt_of(step)};
         }},
        {"cache", 3, "In head 1 the new query of “portrait” is 0.3931 0.7068",
         [](const Seen& step) -> Numbers { return {1, step.at(kQ, kNewPortrait, 0), step.at(kQ, kNewPortrait, 1)}; }},
        {"cache", 3, "is 0.2271 −0.4180",
         [](const Seen& step) -> Numbers { return {step.at(kK, kKeptArtist, 0), step.at(kK, kKeptArtist, 1)}; }},
        {"cache", 4, ".\nThe five weights are 0.1578 0.1339 0.2098 0.1742 0.3242",
         [](const Seen& step) -> Numbers {
             Numbers numbers = {kNewPortrait + 1.0};
             for (int j = 0; j <= kNewPortrait; ++j) numbers.push_back(step.at(kWeights, kNewPortrait, j));
             return numbers;
         }},
        {"cache", 4, "of the five values, four of them kept, 0.2140 0.9727 0.1979 1.3057 −0.1401",
         [](const Seen& step) -> Numbers {
             Numbers numbers = {kNewPortrait + 1.0, kNewPortrait + 0.0};
             for (int j = 0; j <= kNewPortrait; ++j) numbers.push_back(step.at(kV, j, 0));
             return numbers;
         }},
        {"cache", 5, ".\nAt the end 11 rows were computed with the cache, 60 without",
         [](const Seen& step) -> Numbers { return {count_passes(step, true).rows, count_passes(step, false).rows}; }},
        {"cache", 5, "the digests are the same",
         [](const Seen& step) -> Numbers {
             CHECK(has_newest_row_right(step));
             return {};
         }},
        {"cache", 6, "Llama-2 7B keeps 2 · 32 · 128 · 32 = 262,144 numbers a token: at 4,096 tokens and 2 bytes each",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.element == CacheElement::bf16);
             return {7, 2, 32, 128, 32, 2 * 32 * 128 * 32, static_cast<double>(step.state().view.length), 2};
         }},
        {"cache", 6, "2.15 GB for one user, so a card of 80 GB holds 37 users, or 30 beside the model's own 13.5 GB",
         [](const Seen& step) -> Numbers {
             const double gigabytes = 262144.0 * 4096 * 2 / 1e9, card = step.state().view.card;
             const double model = 6'738'415'616.0 * 2 / 1e9;  // meta-llama/Llama-2-7b at 2 bytes a number
             return {gigabytes, card, std::floor(card / gigabytes), std::floor((card - model) / gigabytes), model};
         }},
        {"cache", 6, "Llama-2 70B save with 8 key heads instead of 64",
         [](const Seen&) -> Numbers { return {70, 8, 64}; }},
        {"cache", 7, "a token takes 2 · 2 = 4 numbers instead of 8",
         [](const Seen& step) -> Numbers {
             const double width = step.evaluation().sizes.kv_width();
             return {2, width, static_cast<double>(fill_cache(step, 0).cache().num_kept()) / prompt_of(step),
                     static_cast<double>(fill_cache(step.with("kv_heads=2"), 0).cache().num_kept()) / prompt_of(step)};
         }},
        {"cache", 7, "both ways still give the same bits. Other numbers come out than with two key heads",
         [](const Seen& step) -> Numbers {
             CHECK(has_newest_row_right(step));
             const Seen two = step.with("kv_heads=2");
             CHECK(two.row(kContext, kNewPortrait) != step.row(kContext, kNewPortrait));
             return {static_cast<double>(two.evaluation().sizes.kv_heads())};
         }},
    };
}

}  // namespace attn::test
