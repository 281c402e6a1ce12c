// A slip whose number is the right one, too, is none.
#include "playground/cache/cache_questions.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <system_error>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

void drop_idle_slips(CacheQuestion& question) {
    std::set<std::int64_t> known = {question.number};
    std::erase_if(question.slips, [&](const auto& slip) { return !known.insert(slip.first).second; });
}

CacheQuestion about_rows(const CacheCounts& rows, const CacheSplit& split, bool is_latent, bool is_cached) {
    const std::int64_t p = split.prompt, n = split.num_passes();
    const std::string do_passes = n == 1   ? "does the one pass"
                                  : n == 2 ? "do both passes"
                                           : concat("do all ", with_thousands(n), " passes");
    CacheQuestion question = {.asks = concat("How many rows of ", is_latent ? "latents " : "keys and values ",
                                             do_passes, " compute ", is_cached ? "with" : "without", " a cache?"),
                              .number = is_cached ? rows.cached.count : rows.again.count,
                              .hint = is_cached ? concat("The first pass computes the ", p,
                                                         " rows of the prompt, each later one a single row.")
                                                : "Each pass computes a row for every token that is there by then.",
                              .formula = is_cached ? rows.cached.formula() : rows.again.formula(),
                              .slips = {}};
    question.slips.emplace_back(is_cached ? rows.again.count : rows.cached.count,
                                concat("That is the count ", is_cached ? "without" : "with", " a cache."));
    if (is_cached) {
        question.slips.emplace_back(p + n, concat("That is p + n. The first pass is the prompt's, so ", n - 1,
                                                  n == 2 ? " pass adds" : " passes add", " a row each."));
        question.slips.emplace_back(n, "That leaves out the prompt, whose rows are computed, too.");
    } else {
        question.slips.emplace_back(n * (p + n - 1),
                                    "That takes all tokens for every pass. The early passes have fewer tokens.");
        question.slips.emplace_back(n * p, "That takes the prompt for every pass. The later passes have more tokens.");
    }
    return question;
}

CacheQuestion about_cells(const CacheCounts& cells, const CacheSplit& split, bool is_triangle, bool is_cached) {
    const std::int64_t p = split.prompt, n = split.num_passes();
    CacheQuestion question = {
        .asks = concat("And how many cells of scores, in one head, ", is_cached ? "with" : "without", " a cache?"),
        .number = is_cached ? cells.cached.count : cells.again.count,
        .hint = concat(
            is_triangle ? "A row has a cell for its own token and each earlier one that the mask shows. "
                        : "A row has a cell for every token that it sees. ",
            is_cached ? "Add the prompt's rows and one row a step." : "Every pass fills all rows that are there anew."),
        .formula = is_cached ? cells.cached.formula() : cells.again.formula(),
        .slips = {}};
    question.slips.emplace_back(is_cached ? cells.again.count : cells.cached.count,
                                concat("That is the count ", is_cached ? "without" : "with", " a cache."));
    std::int64_t squares = is_cached ? p * p : 0;
    for (std::int64_t k = is_cached ? 1 : 0; k < n; ++k) squares += is_cached ? p + k : (p + k) * (p + k);
    if (is_triangle) question.slips.emplace_back(squares, "That counts cells of later tokens, which the mask hides.");
    return question;
}

CacheQuestion about_latent(const Sizes& sizes) {
    CacheQuestion question = {
        .asks = "How many numbers does one more token add to the cache?",
        .number = sizes.latent + sizes.rope_dim,
        .hint = sizes.rope_dim == 0 ? "What is kept is what the keys and values of all heads are made of."
                                    : "What the keys and values of all heads are made of, and one turned row.",
        .formula = sizes.rope_dim == 0 ? concat("latent = ", sizes.latent)
                                       : concat("latent + rope_dim = ", sizes.latent, " + ", sizes.rope_dim, " = ",
                                                sizes.latent + sizes.rope_dim),
        .slips = {}};
    if (sizes.rope_dim != 0) {
        question.slips.emplace_back(sizes.latent, "That is the latent alone. The turned position key is kept, too.");
        question.slips.emplace_back(std::int64_t{sizes.latent} + std::int64_t{sizes.num_heads} * sizes.rope_dim,
                                    "That keeps a position key for every head. One serves all of them.");
    }
    question.slips.emplace_back(2 * std::int64_t{sizes.kv_width()},
                                "That counts keys and values. They are made of the latent, which alone is kept.");
    question.slips.emplace_back(2 * std::int64_t{sizes.latent},
                                "That keeps a latent for keys and one for values. One serves both.");
    question.slips.emplace_back(std::int64_t{sizes.latent} * sizes.num_heads,
                                "That keeps a latent for every head. One serves all of them.");
    return question;
}

CacheQuestion about_token(const Sizes& sizes) {
    if (sizes.latent != 0) return about_latent(sizes);
    const std::int64_t width = sizes.kv_width();
    CacheQuestion question = {.asks = "How many numbers does one more token add to the cache?",
                              .number = 2 * width,
                              .hint = "A key and a value, head_dim numbers each, for every key head.",
                              .formula = concat("2 · key heads · head_dim = 2 · ", sizes.kv_heads(), " · ",
                                                sizes.head_dim(), " = ", 2 * width),
                              .slips = {}};
    question.slips.emplace_back(width, "That is the key alone, or the value alone. Both are kept.");
    question.slips.emplace_back(2 * std::int64_t{sizes.d_out},
                                "That counts a key and a value for every query head. Here heads share them.");
    question.slips.emplace_back(3 * width, "Queries are not kept: a query is used once, in the step that computes it.");
    question.slips.emplace_back(2 * width + sizes.d_out,
                                "Queries are not kept: a query is used once, in the step that computes it.");
    return question;
}

CacheQuestion about_head(const Sizes& sizes, int head) {
    const int kv_heads = sizes.kv_heads();
    const int shared = sizes.num_heads / kv_heads;
    CacheQuestion question = {
        .asks = concat(counted(sizes.num_heads, "query head"), " share ", counted(kv_heads, "key head"),
                       ". Which key head does query head ", head + 1, " read?"),
        .number = head / shared + 1,
        .hint = concat(shared, " neighbouring query heads read the same key head."),
        .formula = concat("query heads ", head / shared * shared + 1, " to ", (head / shared + 1) * shared,
                          " read key head ", head / shared + 1),
        .slips = {}};
    question.slips.emplace_back(head % kv_heads + 1,
                                "That deals key heads out in turn. Query heads that share one are neighbours.");
    question.slips.emplace_back(head / shared, "That counts from 0. Heads count from 1.");
    return question;
}

}  // namespace

std::vector<CacheQuestion> cache_questions(const Inputs& inputs, const Sizes& sizes, const CacheSplit& split) {
    const std::vector<CacheCounts> counts = cache_counts(inputs, sizes, split);
    const bool is_triangle = inputs.mask == Mask::causal && inputs.mask_at == MaskAt::before;
    std::vector<CacheQuestion> questions = {about_rows(counts[0], split, sizes.latent != 0, true),
                                            about_rows(counts[0], split, sizes.latent != 0, false),
                                            about_cells(counts[1], split, is_triangle, true),
                                            about_cells(counts[1], split, is_triangle, false), about_token(sizes)};
    if (sizes.kv_heads() < sizes.num_heads) {
        std::rotate(questions.begin(), questions.end() - 1, questions.end());  // what sharing saves comes first
        // The second, the middle and the last: the first one reads the first however it is counted.
        const std::set<int> heads = {1, sizes.num_heads / 2, sizes.num_heads - 1};
        for (const int head : heads) questions.push_back(about_head(sizes, head));
    }
    for (CacheQuestion& question : questions) drop_idle_slips(question);
    return questions;
}

CountJudgement judge_count(const CacheQuestion& question, std::string_view typed) {
    std::string digits;
    for (const char c : typed) {
        if (c != ' ' && c != ',') digits += c;
    }
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, number);
    if (digits.empty() || error != std::errc() || rest != end)
        return {Verdict::unclear, concat(quoted(typed), " is not a whole number.")};
    if (number == question.number) return {Verdict::right, "Right."};
    for (const auto& [slip, sentence] : question.slips) {
        if (number == slip) return {Verdict::wrong, concat("Not yet. ", sentence), sentence};
    }
    return {Verdict::wrong, number < question.number ? "Not yet, because it is more." : "Not yet, because it is less."};
}

}  // namespace attn
