// Each count twice: as letters and with the numbers put in.
#include "playground/cache/cache_counts.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/ground/check.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

CacheCount count_of(std::string letters, std::string values, std::int64_t count) {
    return {std::move(letters), std::move(values), count};
}

// "10 + 15 + 21", or its ends where it is long.
std::string sum_in_words(const std::vector<std::int64_t>& addends) {
    constexpr std::size_t kMost = 6;
    std::string sum;
    for (std::size_t k = 0; k < addends.size(); ++k) {
        const bool is_left_out = addends.size() > kMost && k >= 3 && k + 1 < addends.size();
        if (is_left_out && k > 3) continue;
        sum += concat(sum.empty() ? "" : " + ", is_left_out ? "…" : with_thousands(addends[k]));
    }
    return sum;
}

std::int64_t total(const std::vector<std::int64_t>& addends) {
    std::int64_t sum = 0;
    for (const std::int64_t addend : addends) sum += addend;
    return sum;
}

// 1234 as "12.34".
std::string hundredths_text(std::int64_t number) {
    const std::int64_t rest = number % 100;
    return concat(with_thousands(number / 100), rest < 10 ? ".0" : ".", rest);
}

std::string hundredths(std::int64_t number, std::int64_t unit) {
    return hundredths_text((number + unit / 200) / (unit / 100));
}

std::int64_t largest_divisor(int number, int at_most) {
    for (int divisor = std::max(at_most, 1); divisor > 1; --divisor) {
        if (number % divisor == 0) return divisor;
    }
    return 1;
}

// How many keys a query sees by the rules of the mask.
struct SeenCells {
    bool is_causal = true;
    MaskWindow window;

    // The newest of t tokens.
    std::int64_t of_newest(std::int64_t t) const {
        if (window.keys == 0) return t;
        const std::int64_t inside = std::min<std::int64_t>(t, window.keys);
        return inside + std::min<std::int64_t>(t - inside, window.sinks);
    }
    // What the newest of t tokens adds to the cells of those before it: its row, and without causal mask its column.
    std::int64_t more_cells(std::int64_t t) const {
        if (is_causal) return of_newest(t);
        const bool is_seen_by_all = window.keys == 0 || t <= window.sinks;
        return of_newest(t) + (is_seen_by_all ? t - 1 : std::min<std::int64_t>(t - 1, window.keys - 1));
    }
};

}  // namespace

CacheSplit cache_split(const View& view, int num_tokens) {
    ATTN_CHECK(num_tokens >= 1, "a sentence without tokens has no prompt");
    const int prompt = std::clamp(view.prompt, 1, num_tokens);
    return {prompt, std::clamp(view.at, 0, num_tokens - prompt)};
}

std::string CacheCount::formula() const {
    const std::string number = with_thousands(count);
    return values == number ? concat(letters, " = ", number) : concat(letters, " = ", values, " = ", number);
}

std::vector<CacheCounts> cache_counts(const Inputs& inputs, const Sizes& sizes, const CacheSplit& split) {
    const std::int64_t kv_width = sizes.kv_width();
    const std::int64_t p = split.prompt;
    const std::int64_t n = split.num_passes();
    const bool is_triangle = inputs.mask == Mask::causal && inputs.mask_at == MaskAt::before;
    const bool has_window = inputs.mask_window != 0 && inputs.mask_at == MaskAt::before;
    const SeenCells seen = {.is_causal = is_triangle, .window = has_window ? inputs.window() : MaskWindow()};
    std::int64_t square = 0;  // cells of the first t rows, with the first t keys
    for (std::int64_t t = 1; t <= p; ++t) square += seen.more_cells(t);
    std::vector<std::int64_t> cells = {square}, cells_again = {square}, read;
    for (std::int64_t k = 1; k < n; ++k) {
        square += seen.more_cells(p + k);
        cells.push_back(seen.of_newest(p + k));
        cells_again.push_back(square);
        read.push_back(cells.back() - 1);  // its own are new
    }
    const std::int64_t rows = p + n - 1;
    const std::int64_t rows_again = n * p + n * (n - 1) / 2;
    const std::int64_t num_cells = total(cells);
    const std::int64_t num_cells_again = total(cells_again);

    const std::int64_t d_in = sizes.d_in;
    const std::int64_t d_out = sizes.d_out;
    const std::int64_t latent = sizes.latent;
    const std::int64_t of_queries =
        sizes.query_latent == 0 ? d_in * d_out : sizes.query_latent * (d_in + std::int64_t{d_out});
    const std::int64_t of_keys = latent == 0 ? 2 * d_in * kv_width : d_in * latent;
    const std::int64_t own = sizes.rope_dim;  // numbers that are turned alone
    const std::int64_t own_queries = sizes.num_heads * own;
    const std::int64_t of_own = sizes.query_rows() * own_queries + d_in * own;
    const std::int64_t projected = inputs.init == Init::none ? 0 : of_queries + of_keys + of_own;
    const std::string own_letters = own == 0 ? "" : " + cells · heads · rope_dim";
    const auto own_values = [&](std::int64_t num_pairs) {
        return own == 0 ? "" : concat(" + ", with_thousands(num_pairs), " · ", sizes.num_heads, " · ", own);
    };
    const std::int64_t row_cost = projected + (inputs.out ? d_out * d_out : 0);
    const std::int64_t expansion = 2 * latent * kv_width;  // of a token's latent into its keys and values
    const auto products = [&](std::int64_t num_rows, std::int64_t num_pairs) {
        if (latent != 0) {
            return count_of(
                concat("rows · a row's + made anew · 2 · latent · kv_width + cells · 2 · d_out", own_letters),
                concat(with_thousands(num_rows), " · ", with_thousands(row_cost), " + ", with_thousands(rows_again),
                       " · 2 · ", latent, " · ", kv_width, " + ", with_thousands(num_pairs), " · 2 · ", d_out,
                       own_values(num_pairs)),
                num_rows * row_cost + rows_again * expansion + num_pairs * (2 * d_out + own_queries));
        }
        return count_of("rows · a row's + cells · 2 · d_out",
                        concat(with_thousands(num_rows), " · ", with_thousands(row_cost), " + ",
                               with_thousands(num_pairs), " · 2 · ", d_out),
                        num_rows * row_cost + num_pairs * 2 * d_out);
    };
    const auto absorbed = [&](std::int64_t num_rows, std::int64_t num_pairs) {
        return count_of(
            concat("rows · (a row's + 2 · d_out · latent) + cells · 2 · heads · latent", own_letters),
            concat(with_thousands(num_rows), " · (", with_thousands(row_cost), " + 2 · ", d_out, " · ", latent, ") + ",
                   with_thousands(num_pairs), " · 2 · ", sizes.num_heads, " · ", latent, own_values(num_pairs)),
            num_rows * (row_cost + 2 * d_out * latent) + num_pairs * (2 * sizes.num_heads * latent + own_queries));
    };
    const std::int64_t biases = inputs.bias ? d_out + 2 * kv_width : 0;
    const std::int64_t learned = row_cost + expansion + (projected != 0 ? biases : 0) + (inputs.out ? d_out : 0);
    const std::int64_t kept = (latent == 0 ? 2 * kv_width : latent + own) * total(read);
    const auto bytes = [&](std::int64_t num_rows, bool is_cached) {
        const std::string tail = is_cached ? concat(" + ", with_thousands(kept)) : "";
        return count_of(
            concat("4 · (n · learned + rows · d_in", is_cached ? " + kept)" : ")"),
            concat("4 · (", n, " · ", with_thousands(learned), " + ", with_thousands(num_rows), " · ", d_in, tail, ")"),
            4 * (n * learned + num_rows * d_in + (is_cached ? kept : 0)));
    };
    const std::string triangle = has_window ? "cells of p rows" : is_triangle ? "p(p + 1)/2" : "p²";
    const std::string newest = has_window ? " + of each new row" : " + (p + 1) + … ";
    const std::string again = has_window ? "sum of cells of t rows" : is_triangle ? "sum of t(t + 1)/2" : "sum of t²";
    std::vector<CacheCounts> counts = {
        {latent == 0 ? "key and value rows"
         : own == 0  ? "latent rows"
                     : "latent and position key rows",
         count_of("p + n − 1", concat(p, " + ", n, " − 1"), rows),
         count_of("n · p + n(n − 1)/2", concat(n, " · ", p, " + ", n, " · ", n - 1, "/2"), rows_again)},
        {"score cells, a head", count_of(concat(triangle, newest), sum_in_words(cells), num_cells),
         count_of(again, sum_in_words(cells_again), num_cells_again)},
        {latent == 0 ? "multiply-adds" : "multiply-adds, expanded", products(rows, num_cells),
         products(rows_again, num_cells_again)},
        {"bytes read", bytes(rows, true), bytes(rows_again, false)},
    };
    if (is_present(inputs, TensorId::absorbed_queries))
        counts.insert(counts.end() - 1,
                      {"multiply-adds, absorbed", absorbed(rows, num_cells), absorbed(rows_again, num_cells_again)});
    return counts;
}

std::string other_layers_in_words(const Inputs& inputs) {
    const std::shared_ptr<const OpenModel> open = open_model_of(inputs);
    if (!open) return {};
    const int num_layers = open->shape().num_layers;
    if (num_layers == 1) return "The model has this layer alone.";
    return concat("This is layer ", inputs.layer + 1, ". Each of the ", num_layers, " layers of “", open->name(),
                  "” keeps a cache of its own.");
}

std::vector<CacheModel> cache_models(const Inputs& inputs, const Sizes& sizes) {
    std::vector<CacheModel> models = {
        {"this layer", 1, sizes.num_heads, sizes.kv_heads(), sizes.head_dim(), sizes.latent, sizes.rope_dim},
        {"GPT-2 small", 12, 12, 12, 64},
        {"Llama-2 7B", 32, 32, 32, 128},
        {"Llama-2 70B", 80, 64, 8, 128},
        {"Llama-3 8B", 32, 32, 8, 128},
        {"Mistral 7B", 32, 32, 8, 128},
        {"Qwen3 0.6B", 28, 16, 8, 128},
        {"DeepSeek-V2", 60, 128, 128, 128, 512, 64},
    };
    if (const std::shared_ptr<const OpenModel> open = open_model_of(inputs)) {
        const ModelShape& shape = open->shape();
        models.insert(models.begin() + 1,
                      {open->name(), shape.num_layers, shape.num_heads, shape.num_kv_heads, shape.head_dim});
    }
    return models;
}

CachePerToken cache_per_token(const CacheModel& model, CacheWay way) {
    const std::int64_t layers = model.num_layers;
    const std::int64_t dim = model.head_dim;
    const bool is_latent = model.latent > 0;
    if (way == CacheWay::mla) {
        const std::int64_t width = is_latent ? model.latent + model.rope_dim : (9 * dim + 1) / 2;
        const std::string words = is_latent ? concat("(", model.latent, " + ", model.rope_dim, ")") : concat(width);
        return {width * layers, concat(words, " · ", layers), is_latent};
    }
    std::int64_t groups = model.num_heads;
    if (way == CacheWay::mqa) groups = 1;
    if (way == CacheWay::gqa) {
        const bool is_own = model.kv_heads > 1 && model.kv_heads < model.num_heads;
        groups = is_own ? model.kv_heads : largest_divisor(model.num_heads, model.num_heads / 4);
    }
    const bool is_own = !is_latent && groups == model.kv_heads && (way == CacheWay::mha || groups != model.num_heads) &&
                        (way != CacheWay::mqa || model.kv_heads == 1);
    return {2 * groups * dim * layers, concat("2 · ", groups, " · ", dim, " · ", layers), is_own};
}

double bytes_of_element(CacheElement element) {
    switch (element) {
        case CacheElement::f32:
            return 4;
        case CacheElement::bf16:
            return 2;
        case CacheElement::int8:
            return 1;
        case CacheElement::int4:
            return 0.5;
    }
    return 4;
}

std::int64_t cache_bytes(std::int64_t elements, int length, CacheElement element) {
    const double bytes = static_cast<double>(elements) * length * bytes_of_element(element);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(bytes)));
}

std::string in_gigabytes(std::int64_t bytes) {
    if (bytes >= 10'000'000) return concat(hundredths(bytes, 1'000'000'000), " GB");
    if (bytes >= 10'000) return concat(hundredths(bytes, 1'000'000), " MB");
    return counted(bytes, "byte");
}

std::string saving_in_words(std::int64_t mha, std::int64_t other) {
    if (mha == other) return {};
    const std::string ratio = concat(hundredths_text((mha * 100 + other / 2) / other), "x");
    if (other > mha) return ratio;
    return concat(ratio, ", ", hundredths_text(((mha - other) * 10'000 + mha / 2) / mha), " % saved");
}

std::string deepseek_in_words() {
    constexpr std::int64_t kLatent = (512 + 64) * 60, kBefore = 2 * 8 * 128 * 95;
    constexpr std::int64_t kLatentBits = 6, kBeforeBits = 16;
    const std::int64_t before = kBefore * kBeforeBits;
    return concat("DeepSeek-V2 keeps (512 + 64) · 60 = ", with_thousands(kLatent),
                  " numbers a token. That its paper saves 93.3 % counts them with ", kLatentBits,
                  " bits each, and against DeepSeek 67B, which has GQA: 2 · 8 · 128 · 95 = ", with_thousands(kBefore),
                  " numbers of ", kBeforeBits, " bits. 1 − ", with_thousands(kLatent), " · ", kLatentBits, " / (",
                  with_thousands(kBefore), " · ", kBeforeBits,
                  ") = ", hundredths_text(((before - kLatent * kLatentBits) * 10'000 + before / 2) / before), " %.");
}

std::int64_t users_on_card(double card_gigabytes, std::int64_t bytes_of_user) {
    return static_cast<std::int64_t>(std::floor(card_gigabytes * 1e9 / static_cast<double>(bytes_of_user)));
}

}  // namespace attn
