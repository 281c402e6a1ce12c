// The counts of view=cache, the memory meter's printed numbers, and the two ways held against each other.
#include "playground/cache/cache_counts.h"
#include "playground/cache/cache_run.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <limits>
#include <memory>
#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"

namespace attn::test {
namespace {

CacheRun finished_run(const Evaluator& evaluator, const PlaygroundState& state, std::int64_t slice) {
    CacheRun run(evaluator.shown(), cache_split(state.view, evaluator.shown().sizes.num_tokens));
    while (!run.advance(evaluator.shown(), slice)) continue;
    return run;
}

struct RunOfLink {
    explicit RunOfLink(const std::string& link, std::int64_t slice = std::numeric_limits<std::int64_t>::max())
        : state(read_link("view=cache&" + link).state) {
        evaluator.update(state);
        run = finished_run(evaluator, state, slice);
    }
    std::string verdict() const { return cache_verdict(run, evaluator.shown()); }

    PlaygroundState state;
    Evaluator evaluator;
    CacheRun run;
};

// 2 * rows * head_dim * layers as a script prints it: GB of 10^9 bytes, two decimals.
std::string printed(const CacheModel& model, CacheWay way, int length) {
    return in_gigabytes(cache_bytes(cache_per_token(model, way).elements, length, CacheElement::bf16));
}

}  // namespace

TEST_CASE("a prompt of 6 and 4 passes take 9 rows against 30, 45 cells against 130", "[cache][golden]") {
    const Inputs inputs;
    const Sizes sizes = {.num_tokens = 9, .d_in = 8, .d_out = 4, .num_heads = 2};
    const auto counts = cache_counts(inputs, sizes, {.prompt = 6, .at = 3});
    CHECK(counts[0].cached.count == 9);
    CHECK(counts[0].again.count == 30);
    CHECK(counts[1].cached.count == 45);
    CHECK(counts[1].again.count == 130);
    CHECK(counts[0].cached.formula() == "p + n − 1 = 6 + 4 − 1 = 9");
    CHECK(counts[0].again.formula() == "n · p + n(n − 1)/2 = 4 · 6 + 4 · 3/2 = 30");
    // A row: 8 · (4 + 8) of projections and 4 · 4 of the output; a cell: its score and its part of the mix.
    CHECK(counts[2].cached.count == 9 * 112 + 45 * 8);
    CHECK(counts[2].again.count == 30 * 112 + 130 * 8);
    // 116 learned numbers a pass, 8 of X a row, and 8 a kept row: 6 + 7 + 8 of them are read.
    CHECK(counts[3].cached.count == 4 * (4 * 116 + 9 * 8 + 21 * 8));
    CHECK(counts[3].again.count == 4 * (4 * 116 + 30 * 8));
}

TEST_CASE("a sentence that grows goes on with what was compared, to the same digests", "[cache][property]") {
    const std::string_view text = "text=Your journey starts with one step further on&prompt=2&at=";
    for (const std::string& variant :
         {std::string(), std::string("&heads=2&d_out=4&kv_heads=1&pos=rope"),
          std::string("&mask_window=3&mask_sinks=1"), std::string("&latent=2&heads=2&d_out=4"),
          std::string("&pos=alibi&heads=2&d_out=4"), std::string("&sink_logits=1"),
          std::string("&qk_norm=1&pos=rope")}) {
        INFO(variant);
        RunOfLink shorter("text=Your journey starts with&prompt=2&at=2" + variant);
        RunOfLink longer(concat(text, 6, variant));
        REQUIRE(shorter.run.is_same());
        CacheRun run = shorter.run;
        REQUIRE(run.go_on(*shorter.evaluator.shown().problem, longer.evaluator.shown(), longer.run.split()));
        CHECK_FALSE(run.is_done());
        while (!run.advance(longer.evaluator.shown(), 1)) continue;
        CHECK(run.is_same());
        CHECK(run.digest_cached() == longer.run.digest_cached());
        CHECK(run.digest_whole() == longer.run.digest_whole());
        CHECK(run.cached().num_new() == 1);
    }
    // What begins otherwise, sees what comes, is no longer, or differed before begins anew.
    const auto goes_on = [](const std::string& before, const std::string& now) {
        RunOfLink earlier(before), later(now);
        CacheRun run = earlier.run;
        const bool does = run.go_on(*earlier.evaluator.shown().problem, later.evaluator.shown(), later.run.split());
        const bool is_same_split = later.run.split() == earlier.run.split();
        CHECK(run.is_done() == (!does || is_same_split));
        while (does && !run.advance(later.evaluator.shown(), 1)) continue;
        CHECK((!does || run.digest_whole() == later.run.digest_whole()));
        return does;
    };
    CHECK(goes_on("text=a b c&prompt=2&at=1", "text=a b c d&prompt=2&at=2"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1", "text=a x c d&prompt=2&at=2"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1", "text=a b c d&prompt=3&at=1"));
    CHECK(goes_on("text=a b c d&prompt=2&at=1", "text=a b c d&prompt=2&at=2"));
    CHECK(goes_on("text=a b c&prompt=2&at=1", "text=a b c d&prompt=2&at=1"));
    CHECK(goes_on("text=a b c d&prompt=2&at=1", "text=a b c x&prompt=2&at=1"));
    CHECK_FALSE(goes_on("text=a b c d e&prompt=2&at=1", "text=a b c d e&prompt=2&at=2"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1", "text=a b c&prompt=2&at=0"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1&mask=none", "text=a b c d&prompt=2&at=2&mask=none"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1&mask_at=after", "text=a b c d&prompt=2&at=2&mask_at=after"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1&dropout=0.5", "text=a b c d&prompt=2&at=2&dropout=0.5"));
    CHECK_FALSE(goes_on("text=a b c&prompt=2&at=1", "text=a b c d&prompt=2&at=2&seed=5"));
}

TEST_CASE("counts agree with counting one by one", "[cache][property]") {
    Inputs inputs;
    inputs.mask = GENERATE(Mask::causal, Mask::none);
    inputs.mask_at = GENERATE(MaskAt::before, MaskAt::after);
    inputs.mask_window = GENERATE(0, 1, 3, 20);
    inputs.mask_sinks = inputs.mask_window == 0 ? 0 : GENERATE(0, 2);
    for (int p = 1; p < 9; ++p) {
        for (int at = 0; at < 7; ++at) {
            std::int64_t rows = 0, rows_again = 0, cells = 0, cells_again = 0;
            for (int pass = 0; pass <= at; ++pass) {
                const int t = p + pass;
                for (int i = 0; i < t; ++i) {
                    int seen = t;  // a softmax before the mask needs all of them
                    if (inputs.mask_at == MaskAt::before) {
                        const Flags hidden = make_mask(inputs.mask, t, inputs.window());
                        seen = static_cast<int>(std::ranges::count(row_of(hidden, i), 0));
                    }
                    const bool is_new = pass == 0 || i == t - 1;
                    ++rows_again;
                    cells_again += seen;
                    rows += is_new ? 1 : 0;
                    cells += is_new ? seen : 0;
                }
            }
            const auto counts = cache_counts(inputs, {.num_tokens = 20, .d_in = 8, .d_out = 4}, {p, at});
            CHECK(counts[0].cached.count == rows);
            CHECK(counts[0].again.count == rows_again);
            CHECK(counts[1].cached.count == cells);
            CHECK(counts[1].again.count == cells_again);
        }
    }
}

TEST_CASE("the memory meter gives the numbers that were printed", "[cache][golden]") {
    // rasbt/LLMs-from-scratch ch04/04_gqa: 32 layers, width 4096, 32 heads, 4 heads a group, 32,768 tokens, bf16.
    const CacheModel gqa = {"", 32, 32, 8, 128};
    CHECK(cache_bytes(cache_per_token(gqa, CacheWay::mha).elements, 32768, CacheElement::bf16) == 17'179'869'184);
    CHECK(cache_bytes(cache_per_token(gqa, CacheWay::gqa).elements, 32768, CacheElement::bf16) == 4'294'967'296);
    CHECK(printed(gqa, CacheWay::mha, 32768) == "17.18 GB");
    CHECK(printed(gqa, CacheWay::gqa, 32768) == "4.29 GB");
    // ch04/05_mla: width 2048 in 24 heads, so 86 channels a head after rounding up; 48 layers, 8,192 tokens, latent
    // 1024 without a rotary part.
    const CacheModel mla = {"", 48, 24, 6, 86};
    const CacheModel latent = {"", 48, 24, 24, 86, 1024, 0};
    CHECK(cache_bytes(cache_per_token(mla, CacheWay::mha).elements, 8192, CacheElement::bf16) == 3'246'391'296);
    CHECK(cache_bytes(cache_per_token(mla, CacheWay::gqa).elements, 8192, CacheElement::bf16) == 811'597'824);
    CHECK(cache_bytes(cache_per_token(latent, CacheWay::mla).elements, 8192, CacheElement::bf16) == 805'306'368);
    CHECK(printed(mla, CacheWay::mha, 8192) == "3.25 GB");
    CHECK(printed(mla, CacheWay::gqa, 8192) == "0.81 GB");
    CHECK(printed(latent, CacheWay::mla, 8192) == "0.81 GB");
}

TEST_CASE("real models keep as many numbers a token as their papers say", "[cache][golden]") {
    const auto elements = [](const std::string& name) -> std::int64_t {
        for (const CacheModel& model :
             cache_models(Inputs(), {.num_tokens = 1, .d_in = 8, .d_out = 4, .num_heads = 2})) {
            if (model.name != name) continue;
            for (int k = 0; k < 4; ++k) {
                const CachePerToken token = cache_per_token(model, static_cast<CacheWay>(k));
                if (token.is_own) return token.elements;
            }
        }
        return 0;
    };
    CHECK(elements("GPT-2 small") == 18'432);
    CHECK(elements("Llama-2 7B") == 262'144);
    CHECK(elements("Llama-2 70B") == 163'840);
    CHECK(elements("Llama-3 8B") == 65'536);
    CHECK(elements("Mistral 7B") == 65'536);
    CHECK(elements("Qwen3 0.6B") == 57'344);
    CHECK(elements("DeepSeek-V2") == 34'560);
    // The DeepSeek-V2 paper's table of its own ablations: 27 layers with 16 heads, 60 with 56, each of 128.
    CHECK(cache_per_token({"", 27, 16, 16, 128}, CacheWay::mha).elements == 110'592);
    CHECK(cache_per_token({"", 27, 16, 16, 128, 512, 64}, CacheWay::mla).elements == 15'552);
    CHECK(cache_per_token({"", 60, 56, 56, 128}, CacheWay::mha).elements == 860'160);
}

TEST_CASE("users share a card, and small caches are told in smaller units", "[cache][property]") {
    CHECK(users_on_card(80, 17'179'869'184) == 4);
    CHECK(users_on_card(80, 4'294'967'296) == 18);
    CHECK(in_gigabytes(9'999'999) == "10.00 MB");
    CHECK(in_gigabytes(128) == "128 bytes");
    CHECK(cache_bytes(3, 1, CacheElement::int4) == 2);  // half a byte takes a whole one
    for (const CacheModel& model : cache_models(Inputs(), {.num_tokens = 1, .d_in = 7, .d_out = 7, .num_heads = 7})) {
        for (int k = 0; k < 4; ++k) {
            CHECK(cache_bytes(cache_per_token(model, static_cast<CacheWay>(k)).elements, kMaxLength,
                              CacheElement::f32) > 0);
        }
    }
}

TEST_CASE("both ways give the same digest at every step, because they were compared", "[cache][property]") {
    const std::string link = GENERATE("", "&heads=4&bias=1", "&init=none&d_in=4", "&out=0&scale=none",
                                      "&edit=q[2,1]=5&edit=mask[3,1]=1", "&embed=torch&pos=none");
    for (int prompt : {1, 4, 11}) {
        for (int at = 0; at <= 11 - prompt; at += 3) {
            const RunOfLink done(concat("prompt=", prompt, "&at=", at, link));
            CAPTURE(link, prompt, at);
            CHECK(done.run.is_same());
            CHECK(done.run.digest_cached() == done.run.digest_whole());
            CHECK(done.verdict().starts_with("Both ways gave the same bits"));
        }
    }
    CHECK(RunOfLink("prompt=3&at=5", 1).run.digest_cached() == RunOfLink("prompt=8").run.digest_whole());
}

TEST_CASE("where the ways part, the first cell is named, and why", "[cache][property]") {
    const RunOfLink open("mask=none&prompt=4&at=2");
    REQUIRE_FALSE(open.run.is_same());
    CHECK(open.run.digest_cached() != open.run.digest_whole());
    CHECK(open.run.difference()->stage == TensorId::weights);
    CHECK(open.run.difference()->row == 0);
    CHECK(open.verdict().find("this row was computed when 4 tokens were there") != std::string::npos);
    CHECK(RunOfLink("mask=none&prompt=4&at=0").run.is_same());

    const RunOfLink dropped("dropout=0.5&prompt=4&at=2");
    REQUIRE_FALSE(dropped.run.is_same());
    CHECK(dropped.run.difference()->stage == TensorId::dropped_weights);
    CHECK(dropped.verdict().find("Dropout draws anew") != std::string::npos);

    const RunOfLink raw("mask_at=raw&prompt=4&at=2");
    REQUIRE_FALSE(raw.run.is_same());
    CHECK(raw.verdict().find("The mask comes after the softmax") != std::string::npos);

    const RunOfLink edited("edit=mask[1,5]=0&prompt=4&at=2");
    REQUIRE_FALSE(edited.run.is_same());
    CHECK(edited.run.difference()->row == 1);
}

TEST_CASE("what is saved comes out as it was printed", "[cache][golden]") {
    // ch04/04_gqa and 05_mla print these beside the bytes of the test above.
    CHECK(saving_in_words(17'179'869'184, 4'294'967'296) == "4.00x, 75.00 % saved");
    CHECK(saving_in_words(3'246'391'296, 811'597'824) == "4.00x, 75.00 % saved");
    CHECK(saving_in_words(3'246'391'296, 805'306'368) == "4.03x, 75.19 % saved");
    CHECK(saving_in_words(8, 9) == "0.89x");
    CHECK(saving_in_words(8, 8).empty());
}

TEST_CASE("DeepSeek-V2's 93.3 % comes with its six bits and what it is held against", "[cache][golden]") {
    const std::string words = deepseek_in_words();
    for (const char* part : {"34,560", "194,560", "93.3 %", "6 bits", "16 bits", "DeepSeek 67B, which has GQA"}) {
        CAPTURE(part);
        CHECK(words.find(part) != std::string::npos);
    }
    CHECK(words.ends_with("= 93.34 %."));  // 1 − 207,360 / 3,112,960 = 0.93339
    const CacheModel before = {"", 95, 64, 8, 128};
    CHECK(cache_per_token(before, CacheWay::gqa).elements == 194'560);
}

TEST_CASE("shared key heads keep fewer numbers, and both ways give the same bits", "[cache][property]") {
    const Inputs inputs;
    const auto counts_of = [&](int num_kv_heads) {
        return cache_counts(
            inputs, {.num_tokens = 9, .d_in = 8, .d_out = 8, .num_heads = 4, .num_kv_heads = num_kv_heads}, {6, 3});
    };
    // Keys and values of one head are 2 wide each: a row is 8 · (8 + 4) of projections and 8 · 8 of the output.
    CHECK(counts_of(1)[2].cached.count == 9 * (8 * 12 + 64) + 45 * 16);
    CHECK(counts_of(4)[2].cached.count == 9 * (8 * 24 + 64) + 45 * 16);
    CHECK(counts_of(1)[3].cached.count == 4 * (4 * (96 + 64 + 8) + 9 * 8 + 21 * 4));
    CHECK(counts_of(2)[0].cached.count == 9);
    for (const char* link : {"d_out=8&heads=4&kv_heads=1", "d_out=8&heads=4&kv_heads=2&bias=1"}) {
        for (int at = 0; at <= 7; at += 2) {
            CAPTURE(link, at);
            CHECK(RunOfLink(concat(link, "&prompt=4&at=", at)).run.is_same());
        }
    }
}

TEST_CASE("a cache of latents keeps d_c numbers a token, and both ways give the same bits", "[cache][property]") {
    Inputs inputs;
    inputs.latent = 3;
    const Sizes sizes = {.num_tokens = 9, .d_in = 8, .d_out = 8, .num_heads = 4, .latent = 3};
    const std::vector<CacheCounts> counts = cache_counts(inputs, sizes, {6, 3});
    CHECK(counts[0].name == "latent rows");
    CHECK(counts[0].cached.count == 9);
    CHECK(counts[0].again.count == 30);
    // A row: d_in · d_out for its query, d_in · latent, d_out · d_out; 30 latents become keys and values; 45 cells.
    CHECK(counts[2].name == "multiply-adds, expanded");
    CHECK(counts[2].cached.count == 9 * (64 + 24 + 64) + 30 * 2 * 3 * 8 + 45 * 2 * 8);
    CHECK(counts[3].name == "multiply-adds, absorbed");
    CHECK(counts[3].cached.count == 9 * (64 + 24 + 64 + 2 * 8 * 3) + 45 * 2 * 4 * 3);
    CHECK(cache_models(Inputs(), sizes)[0].latent == 3);
    CHECK(cache_per_token(cache_models(Inputs(), sizes)[0], CacheWay::mla).elements == 3);
    CHECK(cache_per_token(cache_models(Inputs(), sizes)[0], CacheWay::mla).is_own);
    for (const char* link : {"d_out=8&heads=4&latent=3", "d_out=8&heads=4&kv_heads=2&latent=1&latent_queries=5&bias=1",
                             "latent=2&edit=keys[1,0]=7&edit=w_down_kv[0,0]=2"}) {
        for (int at = 0; at <= 7; at += 2) {
            CAPTURE(link, at);
            CHECK(RunOfLink(concat(link, "&prompt=4&at=", at)).run.is_same());
        }
    }
}

TEST_CASE("with a rotary part of its own a cache keeps d_c + d_r numbers a token, and the same bits",
          "[cache][property]") {
    Inputs inputs;
    inputs.latent = 3;
    inputs.positions = Positions::rope;
    inputs.rope_dim = 2;
    const Sizes sizes = {.num_tokens = 9, .d_in = 8, .d_out = 8, .num_heads = 4, .latent = 3, .rope_dim = 2};
    const std::vector<CacheCounts> counts = cache_counts(inputs, sizes, {6, 3});
    CHECK(counts[0].name == "latent and position key rows");
    // As without, and a row's position queries d_in · heads · 2 and position key d_in · 2; two products a cell and
    // head.
    const int row = 64 + 24 + 64 + 8 * 4 * 2 + 8 * 2;
    CHECK(counts[2].cached.count == 9 * row + 30 * 2 * 3 * 8 + 45 * (2 * 8 + 4 * 2));
    CHECK(counts[3].cached.count == 9 * (row + 2 * 8 * 3) + 45 * (2 * 4 * 3 + 4 * 2));
    CHECK(counts[3].cached.letters.ends_with("cells · heads · rope_dim"));
    const CachePerToken token = cache_per_token(cache_models(Inputs(), sizes)[0], CacheWay::mla);
    CHECK(token.elements == 3 + 2);
    CHECK(token.is_own);
    // The layer of DeepSeek-V2: 576 numbers in each of 60.
    const Sizes deepseek = {
        .num_tokens = 1, .d_in = 1024, .d_out = 1024, .num_heads = 8, .latent = 512, .rope_dim = 64};
    CHECK(cache_per_token(cache_models(Inputs(), deepseek)[0], CacheWay::mla).elements == 576);
    for (const char* link :
         {"d_out=8&heads=4&latent=3&pos=rope&rope_dim=2",
          "d_out=8&heads=8&kv_heads=2&latent=1&latent_queries=5&bias=1&pos=rope&rope_dim=4&pos_shift=9",
          "latent=2&pos=rope&rope_dim=2&edit=w_key_rope[0,0]=2;1"}) {
        for (int at = 0; at <= 7; at += 2) {
            CAPTURE(link, at);
            CHECK(RunOfLink(concat(link, "&prompt=4&at=", at)).run.is_same());
        }
    }
}

TEST_CASE("of a trained model the cache of all layers is counted, too", "[cache][model]") {
    const std::shared_ptr<const LoadedModel> model = small_model();
    const ModelIsOpen is_open(model);
    const PlaygroundState state = read_link("text=the+artist&model=small&layer=2").state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const std::vector<CacheModel> models = cache_models(state.inputs, evaluation.sizes);
    const ModelShape& shape = model->shape();
    REQUIRE(models.size() == cache_models(Inputs(), evaluation.sizes).size() + 1);
    CHECK(models[1].name == "small");
    const std::int64_t layer = cache_per_token(models[0], CacheWay::mha).elements;
    CHECK(layer == 2 * shape.num_heads * shape.head_dim);  // keys and values
    CHECK(cache_per_token(models[1], CacheWay::mha).elements == shape.num_layers * layer);
    CHECK(other_layers_in_words(state.inputs) ==
          "This is layer 2. Each of the 2 layers of “small” keeps a cache of its own.");
    CHECK(other_layers_in_words(Inputs()).empty());
}

TEST_CASE("what a change throws away of a cache is told", "[cache][property]") {
    const auto problem_of = [](const std::string& link) { return *evaluate(read_link(link).state.inputs, 0).problem; };
    const AttentionProblem kept = problem_of("text=The+cat+sat+on+the+mat");
    CHECK(thrown_away_in_words(kept, 6, kept).empty());
    CHECK(thrown_away_in_words(kept, 6, problem_of("text=The+cat+sat+in+the+mat")) ==
          "The inputs changed: 3 cached rows from token 3 on had to be computed again, 3 rows could stay.");
    CHECK(thrown_away_in_words(kept, 3, problem_of("text=The+cat+sat+in+the+mat")).empty());
    CHECK(thrown_away_in_words(kept, 6, problem_of("text=The+cat+sat+on+the+mat&seed=5")) ==
          "The inputs changed: 6 cached rows from token 0 on had to be computed again.");
}

TEST_CASE("where a shorter sentence is held against the whole one's rows, the view says so", "[cache][property]") {
    std::string text = "text=a";
    for (int k = 1; k < 264; ++k) text += "+a";
    const std::string link = concat(text, "&d_in=2&d_out=64&heads=64&out=0&prompt=258");
    const RunOfLink longer(concat(link, "&at=0"));
    CHECK(longer.run.is_same());
    CHECK(
        longer.verdict().ends_with(" without. Above 4,194,304 scores the rows are compared with those of the whole "
                                   "sentence, not of its beginning alone."));
    CHECK(RunOfLink("prompt=4&at=2").verdict().find("Above") == std::string::npos);
    CHECK(RunOfLink("prompt=4&at=7").verdict().find("Above") == std::string::npos);
}

}  // namespace attn::test
