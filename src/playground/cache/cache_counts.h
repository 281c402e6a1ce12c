// view=cache: what a sentence costs token by token, with a cache and without, as formulas with their values; and how
// much memory caches take. Knows sizes only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "playground/state/shapes.h"
#include "playground/state/state.h"

namespace attn {

// The first `prompt` tokens are computed at once, then `at` more, one a pass.
struct CacheSplit {
    int prompt = 1, at = 0;

    int num_tokens() const { return prompt + at; }
    int num_passes() const { return at + 1; }
    int pass_of(int token) const { return token < prompt ? 0 : token - prompt + 1; }
    bool operator==(const CacheSplit&) const = default;
};

// As the legal view says, for a sentence of num_tokens >= 1 tokens.
CacheSplit cache_split(const View& view, int num_tokens);

// One way to count: "p + n - 1", "6 + 4 - 1", 9.
struct CacheCount {
    std::string letters, values;
    std::int64_t count = 0;

    std::string formula() const;  // "p + n - 1 = 6 + 4 - 1 = 9"
};

struct CacheCounts {
    std::string name;  // "key and value rows"
    CacheCount cached, again;
};

// Of all passes so far: rows that a cache keeps (keys and values, or latents), score cells, multiply-adds, bytes read.
// With a latent the multiply-adds are those of both orders: expanded, in which every pass makes the keys and values of
// all tokens of their latents anew (what this program computes), and absorbed, which makes none. With rope_dim a row
// makes position queries and a position key, too, which is kept beside the latent, and a score has so many products
// more; turning counts for nothing.
std::vector<CacheCounts> cache_counts(const Inputs& inputs, const Sizes& sizes, const CacheSplit& split);

// --- the memory meter
struct CacheModel {
    std::string name;
    int num_layers = 1, num_heads = 1, kv_heads = 1, head_dim = 1;
    int latent = 0, rope_dim = 0;  // of latent attention, one layer; 0: the model has none
};

// The visitor's layer, all layers of the trained model that it is one of, then real models.
std::vector<CacheModel> cache_models(const Inputs& inputs, const Sizes& sizes);

// Under the counts, which are of one layer: "This is layer 2. Each of the 2 layers of “first-words” keeps a cache of
// its own." Empty without a trained model.
std::string other_layers_in_words(const Inputs& inputs);

enum class CacheWay { mha, gqa, mqa, mla };
inline constexpr std::array<std::string_view, 4> kCacheWays = {"MHA", "GQA", "MQA", "MLA"};

// What a token takes, all layers together: its elements, and how the number came to be.
struct CachePerToken {
    std::int64_t elements = 0;
    std::string formula;  // "2 · 8 · 128 · 32"
    bool is_own = false;  // the model is built this way
};

// GQA of a model that has none: a quarter of its heads, or the next smaller number that divides them. MLA of a model
// that has none: (4 + 1/2) head_dim, as in DeepSeek-V2, rounded up.
CachePerToken cache_per_token(const CacheModel& model, CacheWay way);

double bytes_of_element(CacheElement element);
// Of one user; never less than 1.
std::int64_t cache_bytes(std::int64_t elements, int length, CacheElement element);
// 10^9 bytes, two decimals: "17.18 GB"; less than 0.01 GB in MB or bytes.
std::string in_gigabytes(std::int64_t bytes);
// Of two numbers of elements: "4.00x, 75.00 % saved", as scripts print it. "0.89x" if `other` is more; empty if they
// are the same.
std::string saving_in_words(std::int64_t mha, std::int64_t other);
// How the DeepSeek-V2 paper comes to 93.3 %: which bits, against which model.
std::string deepseek_in_words();
std::int64_t users_on_card(double card_gigabytes, std::int64_t bytes_of_user);

}  // namespace attn
