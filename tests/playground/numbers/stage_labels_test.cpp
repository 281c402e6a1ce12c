#include "playground/numbers/stage_labels.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"
#include "playground/stage_summary.h"

namespace attn {
namespace {

TEST_CASE("rows are tokens, columns are keys or channels, and a token that is not there is its place", "[labels]") {
    const Evaluation evaluation = evaluate(read_link("text=The+cat").state.inputs, 0);
    CHECK(token_text(evaluation, 1) == "cat");
    CHECK(token_text(evaluation, 7) == "7");
    CHECK(column_text(evaluation, TensorId::weights, 1) == "cat");
    CHECK(column_text(evaluation, TensorId::output, 1) == "1");
    CHECK(axes_in_words(TensorId::weights) == "rows: query · columns: key");
    CHECK(axes_in_words(TensorId::output) == "rows: token · columns: channel");
}

TEST_CASE("a head that shares keys says whose it reads", "[labels]") {
    const Sizes shared = {.num_tokens = 3, .d_in = 4, .d_out = 8, .num_heads = 4, .num_kv_heads = 2};
    CHECK(head_title(shared, TensorId::keys, 2) == "Head 3: key head 2");
    CHECK(head_title(shared, TensorId::grad_values, 1) == "Head 2: key head 1");
    CHECK(head_title(shared, TensorId::queries, 2) == "Head 3");
    CHECK(head_title({.num_tokens = 3, .d_in = 4, .d_out = 8, .num_heads = 4}, TensorId::keys, 2) == "Head 3");
    const Sizes latent = {.num_tokens = 3, .d_in = 4, .d_out = 8, .num_heads = 4, .query_latent = 2, .latent = 5};
    CHECK(shape_letters(latent, TensorId::latents) == "(T, latent)");
    CHECK(shape_letters(latent, TensorId::grad_w_value) == "(latent, d_out)");
    CHECK(shape_letters(latent, TensorId::grad_w_query) == "(query_latent, d_out)");
    CHECK(extent_of(latent, TensorId::absorbed_queries) == Extent{.rows = 3, .columns = 5});
    CHECK(extent_of(latent, TensorId::grad_w_down_kv) == Extent{.rows = 4, .columns = 5});
    CHECK(extent_of(latent, TensorId::grad_w_key) == Extent{.rows = 5, .columns = 8});
    const Sizes own = {
        .num_tokens = 3, .d_in = 4, .d_out = 8, .num_heads = 4, .query_latent = 3, .latent = 5, .rope_dim = 6};
    CHECK(shape_letters(own, TensorId::rotated_queries) == "(num_heads, T, head_dim + rope_dim)");
    CHECK(shape_letters(own, TensorId::grad_w_query_rope) == "(query_latent, num_heads · rope_dim)");
    CHECK(extent_of(own, TensorId::rotated_keys) == Extent{.rows = 3, .columns = 8});
    CHECK(extent_of(own, TensorId::position_keys) == Extent{.rows = 3, .columns = 6});
    CHECK(extent_of(own, TensorId::grad_position_queries) == Extent{.rows = 3, .columns = 6});
    CHECK(extent_of(own, TensorId::grad_w_query_rope) == Extent{.rows = 3, .columns = 24});
    CHECK(extent_of(own, TensorId::grad_w_key_rope) == Extent{.rows = 4, .columns = 6});
    CHECK(extent_of(own, TensorId::sink_weights) == Extent{.rows = 3, .columns = 1});
    CHECK(extent_of(own, TensorId::grad_sink_logits) == Extent{.rows = 1, .columns = 4});
    CHECK(extent_of(own, TensorId::context) == Extent{.rows = 3, .columns = 2});
    CHECK(shape_letters(shared, TensorId::keys) == "(kv_heads, T, head_dim)");
    CHECK(shape_letters(shared, TensorId::grad_w_key) == "(d_in, kv_width)");
    CHECK(shape_letters(shared, TensorId::weights) == "(num_heads, T, T)");
}

TEST_CASE("a stage has one name, and what the scores are divided by its symbols", "[labels]") {
    const auto [link, divisor] = GENERATE(table<std::string, std::string>({
        {"d_out=8&heads=2", "√4"},
        {"d_out=8&heads=2&scale=dim", "4"},
        {"d_out=8&heads=2&latent=2&pos=rope&rope_dim=2", "√6"},
        {"d_out=8&heads=2&scale=none", "1"},
        {"d_out=8&heads=2&temperature=0.5", "√4 · 0.5"},
    }));
    CHECK(divisor_text(read_link(link).state.inputs) == divisor);
    CHECK(stage_title(TensorId::scaled_scores) == "scaled");
    CHECK(stage_title(TensorId::embeddings) == "embeddings");
    CHECK(stage_title(TensorId::queries) == "queries");
    CHECK(stage_title(TensorId::weights) == "weights");
}

TEST_CASE("the legend says what is true of the rows", "[labels]") {
    const auto [link, stage, combine, text] = GENERATE(table<std::string, TensorId, Combine, std::string>({
        {"", TensorId::weights, Combine::none, "every row sums to 1"},
        {"", TensorId::weights, Combine::max, "largest of all heads: rows need not sum to 1"},
        {"sink_logits=1", TensorId::weights, Combine::none, "every row sums to 1 together with its sink"},
        {"sink_logits=1", TensorId::sink_weights, Combine::none, "how far each row of weights falls short of 1"},
        {"mask_at=raw", TensorId::weights, Combine::none, "rows no longer sum to 1: wrong"},
        {"dropout=0.5", TensorId::dropped_weights, Combine::none, "kept weights × 2, the others 0"},
        {"", TensorId::scores, Combine::none, "one scale for all heads"},
        {"", TensorId::output, Combine::none, ""},
        {"goal=next&d_in=4", TensorId::grad_scores, Combine::none,
         "every row sums to 0: softmax only moves weight from one key to another"},
        {"goal=next&d_in=4&score_cap=1", TensorId::grad_capped_scores, Combine::none,
         "every row sums to 0: softmax only moves weight from one key to another"},
        {"goal=next&d_in=4&score_cap=1", TensorId::grad_scores, Combine::none, "one scale for all heads"},
        {"goal=next&d_in=4&pos=none", TensorId::grad_keys, Combine::none,
         "every column sums to 0: what is added to every key changes no weight"},
        {"goal=next&d_in=4&pos=none&qk_norm=1", TensorId::grad_keys, Combine::none, "one scale for all heads"},
        {"goal=next&d_in=4&pos=none&qk_norm=1", TensorId::grad_normed_keys, Combine::none,
         "every column sums to 0: what is added to every key changes no weight"},
        {"goal=next&d_in=4&pos=none&bias=1&qk_norm=1", TensorId::grad_b_key, Combine::none, ""},
    }));
    const Evaluation evaluation = evaluate(read_link("text=a+b&heads=2&" + link).state.inputs, 0);
    const int num_maps = stage_info(stage).has_heads ? 2 : 1;
    const StageSummary summary = test::summarize_stage(evaluation, stage, num_maps,
                                                       [&](int head) { return shown_matrix(evaluation, stage, head); });
    CHECK(stage_remark(evaluation, stage, summary, combine, num_maps, true) == text);
    const bool may_miss = stage == TensorId::dropped_weights || combine == Combine::max || link == "mask_at=raw" ||
                          link == "sink_logits=1";
    CHECK(rows_may_miss_one(evaluation, stage, combine) == may_miss);
}

TEST_CASE("labels that are higher than a cell are drawn every 2, 5, 10, ... cells", "[labels]") {
    const auto [line, cell, step] = GENERATE(
        table<double, double, int>({{10, 10, 1}, {10, 20, 1}, {10, 9, 2}, {10, 3, 5}, {10, 1, 10}, {10, 0.4, 50}}));
    CHECK(label_step(line, cell) == step);
}

}  // namespace
}  // namespace attn
