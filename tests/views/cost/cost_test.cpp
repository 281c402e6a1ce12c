// What attention costs: the lecture's numbers, and formulas that give what they say.
#include "views/cost/cost.h"

#include <catch_amalgamated.hpp>

#include "core/attention/attention.h"
#include "playground/link/state_url.h"
#include "playground/numbers/evaluation.h"
#include "views/words/view_text.h"

using namespace attn;

namespace {

std::vector<CostSection> costs(std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    return cost_of(state.inputs, sizes_of(state.inputs, count_tokens(state.inputs, 0)));
}

const CostRow& row(const std::vector<CostSection>& sections, std::string_view title, std::string_view name) {
    for (const CostSection& section : sections) {
        for (const CostRow& row : section.rows) {
            if (section.title.starts_with(title) && row.name == name) return row;
        }
    }
    FAIL("no row " << title << ", " << name);
    return sections[0].rows[0];
}

std::size_t size_of(const Projections& p) {
    return p.w_query.size() + p.w_key.size() + p.w_value.size() + p.b_query.size() + p.b_key.size() + p.b_value.size() +
           p.w_out.size() + p.b_out.size() + p.q_norm.size() + p.k_norm.size() + p.sink_logits.size();
}

}  // namespace

// The lecture: 8 numbers a token, 4 out, the brush sentence of 11 tokens; one head of 4 or two of 2.
TEST_CASE("one head of 4 and two heads of 2 have 96 learned numbers each, and 121 and 242 weights", "[cost][golden]") {
    const std::vector<CostSection> sections = costs("out=0");
    const CostRow& learned = row(sections, "Learned", "w_query, w_key, w_value");
    CHECK(learned.cells[0].formula() == "3 · d_in · d_out = 3 · 8 · 4 = 96");
    CHECK(learned.cells[1].count == 96);
    CHECK(learned.cells[2].formula() == "num_heads · 3 · d_in · head_dim = 2 · 3 · 8 · 2 = 96");
    const CostRow& weights = row(sections, "Numbers", "weights");
    CHECK(weights.cells[0].formula() == "num_heads · T · T = 2 · 11 · 11 = 242");
    CHECK(weights.cells[1].formula() == "num_heads · T · T = 1 · 11 · 11 = 121");
    CHECK(cost_in_words(sections, {.num_tokens = 11, .d_in = 8, .d_out = 4, .num_heads = 2}) ==
          "More heads need no more learned numbers: 96 = 96. But each head has weights of its own: 242 numbers (968 "
          "bytes) instead of 121 (484 bytes).");
}

TEST_CASE("the learned numbers are those the program draws", "[cost][property]") {
    for (const char* link : {"", "bias=1", "out=0", "bias=1&heads=4", "d_in=6&d_out=12&heads=3&bias=1",
                             "init=identity&d_in=3&d_out=2", "heads=1"}) {
        CAPTURE(link);
        const PlaygroundState state = read_link(link).state;
        const Evaluation evaluation = evaluate(state.inputs, 0);
        const std::vector<CostSection> sections = costs(link);
        const CostRow& total = row(sections, "Learned", "together");
        for (const CostCell& cell : total.cells) {
            CHECK(static_cast<std::size_t>(cell.count) == size_of(evaluation.problem->projections));
        }
        CHECK(static_cast<std::size_t>(row(sections, "Numbers", "weights").cells[0].count) ==
              evaluation.trace.weights.size());
        CHECK(static_cast<std::size_t>(row(sections, "Numbers", "keys and values").cells[0].count) ==
              evaluation.trace.key.size() + evaluation.trace.value.size());
    }
    CHECK(costs("init=none&d_out=8")[0].rows.empty());
    CHECK(costs("init=none&d_out=8")[0].remark == "None: queries, keys and values are X itself.");
}

// The second and third layouts of a layer whose heads share keys: one head has nobody to share with, and small layers
// share as the shown one does.
TEST_CASE("shared keys and values have fewer learned numbers, and take less memory", "[cost]") {
    const std::vector<CostSection> sections = costs("d_out=8&heads=4&kv_heads=2&out=0");
    CHECK(row(sections, "Learned", "w_query").cells[0].formula() == "d_in · d_out = 8 · 8 = 64");
    const CostRow& shared = row(sections, "Learned", "w_key, w_value");
    CHECK(shared.cells[0].formula() == "2 · d_in · kv_width = 2 · 8 · 4 = 64");
    CHECK(shared.cells[1].count == 128);
    CHECK(shared.cells[2].formula() == "kv_heads · 2 · d_in · head_dim = 2 · 2 · 8 · 2 = 64");
    CHECK(row(sections, "Numbers", "keys and values").cells[0].formula() == "2 · T · kv_width = 2 · 11 · 4 = 88");
    CHECK(row(sections, "Multiply-adds", "scores").cells[0].count == 4 * 11 * 11 * 2);
    CHECK(row(sections, "Learned", "together").cells[0].count == 128);
    CHECK(cost_in_words(sections, {.num_tokens = 11, .d_in = 8, .d_out = 8, .num_heads = 4, .num_kv_heads = 2})
              .starts_with("Keys and values of 2 heads serve 4: 88 numbers instead of 176. But each head has weights"));
}

// At the sizes of the sketch: d 8, 2 heads of 2, a latent of 3, 11 tokens.
TEST_CASE("latents cost their own matrices, keep less, and are counted in both orders", "[cost]") {
    const std::vector<CostSection> sections = costs("latent=3&latent_queries=2&out=0");
    CHECK(row(sections, "Learned", "w_down_kv").cells[0].formula() == "d_in · latent = 8 · 3 = 24");
    CHECK(row(sections, "Learned", "w_down_query").cells[2].count == 16);
    CHECK(row(sections, "Learned", "w_query").cells[0].formula() == "query_latent · d_out = 2 · 4 = 8");
    CHECK(row(sections, "Learned", "w_key, w_value").cells[0].formula() == "2 · latent · kv_width = 2 · 3 · 4 = 24");
    CHECK(row(sections, "Learned", "together").cells[0].count == 24 + 16 + 8 + 24);
    CHECK(row(sections, "Numbers", "latents, which a cache keeps instead").cells[0].formula() ==
          "T · latent = 11 · 3 = 33");
    CHECK(row(sections, "Multiply", "keys, values").cells[0].count == 2 * 11 * 3 * 4);
    CHECK(row(sections, "Multiply", "scores").cells[0].count == 2 * 11 * 11 * 2);
    CHECK(row(sections, "The same in", "scores").cells[0].formula() ==
          "num_heads · T · T · latent = 2 · 11 · 11 · 3 = 726");
    CHECK(row(sections, "The same in", "absorbed queries").cells[0].count == 2 * 11 * 3 * 2);
    CHECK(cost_in_words(sections,
                        {.num_tokens = 11, .d_in = 8, .d_out = 4, .num_heads = 2, .query_latent = 2, .latent = 3})
              .starts_with("A cache keeps 33 numbers of latents instead of 88 of keys and values."));
}

TEST_CASE("a rotary part of its own costs two matrices, turns and products, and one row more in a cache", "[cost]") {
    const std::vector<CostSection> sections = costs("latent=3&out=0&pos=rope&rope_dim=2");
    CHECK(row(sections, "Learned", "w_query_rope").cells[0].formula() ==
          "d_in · num_heads · rope_dim = 8 · 2 · 2 = 32");
    CHECK(row(sections, "Learned", "w_key_rope").cells[0].formula() == "d_in · rope_dim = 8 · 2 = 16");
    CHECK(row(sections, "Numbers", "turned position keys, which it keeps, too").cells[0].count == 11 * 2);
    CHECK(row(sections, "Multiply", "position queries").cells[0].count == 11 * 8 * 2 * 2);
    CHECK(row(sections, "Multiply", "turned position queries").cells[0].count == 2 * 11 * 2 * 2);
    CHECK(row(sections, "Multiply", "turned position keys").cells[0].count == 2 * 11 * 2);
    CHECK(row(sections, "Multiply", "scores, turned part").cells[0].count == 2 * 11 * 11 * 2);
    CHECK(row(sections, "The same in", "scores, turned part").cells[0].count == 2 * 11 * 11 * 2);
    CHECK(cost_in_words(sections, {.num_tokens = 11, .d_in = 8, .d_out = 4, .num_heads = 2, .latent = 3, .rope_dim = 2})
              .starts_with("A cache keeps 33 numbers of latents and 22 of position keys instead of 88 of keys and"));
}

TEST_CASE("norms of queries and keys cost a head's width twice, and three products a number", "[cost][norm]") {
    const std::vector<CostSection> sections = costs("heads=2&kv_heads=1&qk_norm=1");  // d_out is 4
    CHECK(row(sections, "Learned", "q_norm, k_norm").cells[0].formula() == "2 · head_dim = 2 · 2 = 4");
    const PlaygroundState state = read_link("heads=2&kv_heads=1&qk_norm=1").state;
    CHECK(static_cast<std::size_t>(row(sections, "Learned", "together").cells[0].count) ==
          size_of(evaluate(state.inputs, 0).problem->projections));
    CHECK(cost_in_words(costs("heads=2&qk_norm=1"), {.num_tokens = 11, .d_in = 8, .d_out = 4, .num_heads = 2})
              .starts_with("More heads need no larger matrices: 96 = 96. But each head"));
    CHECK(row(sections, "Multiply", "normed queries").cells[0].count == 3 * 11 * 4);
    CHECK(row(sections, "Multiply", "normed keys").cells[0].count == 3 * 11 * 2);
}

TEST_CASE("a sink that is learned costs a number a head", "[cost][sink]") {
    const std::vector<CostSection> sections = costs("heads=4&sink_logits=1");
    CHECK(row(sections, "Learned", "sink_logits").cells[0].formula() == "num_heads = 4");
    CHECK(row(sections, "Learned", "sink_logits").cells[1].count == 1);  // of one head
    CHECK(row(sections, "Learned", "together").cells[0].count ==
          row(costs("heads=4"), "Learned", "together").cells[0].count + 4);
    CHECK(cost_in_words(sections, {.num_tokens = 11, .d_in = 8, .d_out = 4, .num_heads = 4})
              .starts_with("More heads need no larger matrices: 96 = 96; each has a sink's logit more."));
}

TEST_CASE("multiply-adds of every step, and their sum", "[cost]") {
    const std::vector<CostSection> sections = costs("");
    CHECK(row(sections, "Multiply", "queries, keys, values").cells[0].count == 3 * 11 * 8 * 4);
    CHECK(row(sections, "Multiply", "scores").cells[0].formula() ==
          "num_heads · T · T · head_dim = 2 · 11 · 11 · 2 = 484");
    CHECK(row(sections, "Multiply", "scores").cells[1].count == 484);  // as many for one head
    CHECK(row(sections, "Multiply", "context").cells[0].count == 484);
    CHECK(row(sections, "Multiply", "output").cells[0].count == 11 * 4 * 4);
    CHECK(row(sections, "Multiply", "together").cells[0].formula() == "1,056 + 484 + 484 + 176 = 2,200");
}

TEST_CASE("a formula with one factor is not written twice", "[cost]") {
    CHECK(row(costs(""), "Learned", "b_out").cells[0].formula() == "d_out = 4");
    CHECK(row(costs("bias=1"), "Learned", "b_query, b_key, b_value").cells[0].formula() == "3 · d_out = 3 · 4 = 12");
}

TEST_CASE("the largest shapes do not overflow", "[cost]") {
    const Sizes sizes = {.num_tokens = 2048, .d_in = 1024, .d_out = 1024, .num_heads = 16};
    Inputs inputs;
    inputs.d_in = inputs.d_out = 1024;
    inputs.num_heads = 16;
    const std::vector<CostSection> sections = cost_of(inputs, sizes);
    CHECK(row(sections, "Multiply", "queries, keys, values").cells[0].count == 3LL * 2048 * 1024 * 1024);
    CHECK(row(sections, "Numbers", "weights").cells[0].count == 1LL << 26);
}

TEST_CASE("one head is told as such", "[cost]") {
    const std::vector<CostSection> sections = costs("heads=1&text=a");
    CHECK(cost_in_words(sections, {.num_tokens = 1, .d_in = 8, .d_out = 4, .num_heads = 1}) ==
          "One head: all three columns are the same. Its weights are 1 number, 4 bytes.");
}

TEST_CASE("the cost is told as text", "[cost]") {
    const PlaygroundState state = read_link("view=cost").state;
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_view(state, evaluator);
    REQUIRE(tables.size() == 4);
    CHECK(tables[0].columns == std::vector<std::string>{"", "as shown", "one head", "separate heads"});
    CHECK(tables[0].rows[0][1] == "3 · d_in · d_out = 3 · 8 · 4 = 96");
}
