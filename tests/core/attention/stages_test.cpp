// The stage table names every stage once and in order, and the problems agree with the shapes it gives.
#include "core/attention/stages.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include <set>
#include <string>

#include "core/attention/masking.h"
#include "core/failed_check.h"
#include "core/operations/stage_words.h"
#include "core/problems.h"

namespace attn::test {
namespace {

// The place of a stage's only row.
std::size_t place_in_table(TensorId id) {
    const std::span<const StageInfo> table = stage_table();
    const auto is_it = [&](const StageInfo& info) { return info.id == id; };
    REQUIRE(std::count_if(table.begin(), table.end(), is_it) == 1);
    return static_cast<std::size_t>(std::find_if(table.begin(), table.end(), is_it) - table.begin());
}

}  // namespace

TEST_CASE("the table holds the stages from embeddings to the output and back in the order they are computed",
          "[stages]") {
    const std::span<const StageInfo> table = stage_table();
    REQUIRE(table.size() == static_cast<std::size_t>(TensorId::w_query));
    for (std::size_t k = 0; k < table.size(); ++k) {
        CHECK(place_in_table(table[k].id) == k);
        CHECK(stage_info(table[k].id).name == table[k].name);
        CHECK(tensor_name(table[k].id) == table[k].name);
        CHECK(stage_of_name(table[k].name) == table[k].id);
        CHECK(!stage_words(table[k].id).meaning.empty());
        CHECK(!stage_words(table[k].id).formula.empty());
    }
}

TEST_CASE("names are given once", "[stages][property]") {
    std::set<std::string_view> names;
    std::set<std::string_view> titles;
    std::set<std::string_view> symbols;
    for (const StageInfo& info : stage_table()) {
        CHECK(titles.insert(info.title).second);
        CHECK(symbols.insert(info.symbol).second);
    }
    for (int id = 0; id <= static_cast<int>(TensorId::vocabulary); ++id) {
        CHECK(names.insert(tensor_name(static_cast<TensorId>(id))).second);
    }
}

TEST_CASE("an unknown name is no stage, and a matrix is none", "[stages][bad-input]") {
    CHECK(!stage_of_name("wieghts"));
    CHECK(!stage_of_name(""));
    CHECK(!stage_of_name("w_query"));
    CHECK_THAT(failed_check([] { stage_info(TensorId::w_query); }),
               Catch::Matchers::ContainsSubstring("tensor w_query is not a stage"));
}

TEST_CASE("the letters of a stage are the shape that comes out", "[stages][property]") {
    AttentionProblem problem = random_problem(
        {.num_tokens = 7, .d_in = 5, .head_dim = 4, .num_heads = 2, .query_latent = 2, .latent = 6, .has_sink = true},
        1);
    problem.settings.dropout = 0.1;
    problem.settings.rotary.is_on = problem.settings.alibi.is_on = true;
    problem.settings.score_cap = 2;
    problem.settings.mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const AttentionTrace trace = attend(problem);
    for (const StageInfo& info : stage_table()) {
        CAPTURE(info.name);
        REQUIRE(has_stage(problem, info.id) ==
                (!needs_goal(info.id) && exists_with(problem.settings.mask_at, info.id) &&
                 (info.id != TensorId::sink_weights || problem.settings.mask_at == MaskAt::before) &&
                 !is_block_stage(info.id) && info.id != TensorId::absorbed_queries && !has_rope_columns(info.id) &&
                 info.id != TensorId::normed_queries &&
                 info.id != TensorId::normed_keys));  // not with plain rotary ones, or latents
        if (!has_stage(problem, info.id)) continue;
        const Matrix matrix = stage_matrix(problem, trace, info.id, info.has_heads ? 1 : 0);
        std::string letters = info.has_heads ? "(num_heads, T, " : "(T, ";
        if (length(matrix, 1) == 1) letters += "1)";
        if (length(matrix, 1) == 7) letters += "T)";
        if (length(matrix, 1) == 2) letters += "query_latent)";
        if (length(matrix, 1) == 6) letters += "latent)";
        if (length(matrix, 1) == 5) letters += "d_in)";
        if (length(matrix, 1) == 4) letters += "head_dim)";
        if (length(matrix, 1) == 8) letters += "d_out)";
        CHECK(shape_letters(Sizes(), info.id) == letters);
        CHECK(length(matrix, 0) == 7);
        CHECK((info.columns == Axis::key_token) == (length(matrix, 1) == 7));
        const bool has_negative = std::any_of(matrix.begin(), matrix.end(), [](float value) { return value < 0; });
        CHECK(info.is_signed == has_negative);
    }
}

TEST_CASE("stages of what is turned alone have the shapes of their letters", "[stages][property]") {
    const AttentionProblem problem = random_problem(
        {.num_tokens = 7, .d_in = 5, .head_dim = 3, .num_heads = 2, .query_latent = 2, .latent = 6, .rope_dim = 4}, 1);
    const AttentionTrace trace = attend(problem);
    const auto columns = [&](TensorId stage) { return length(stage_matrix(problem, trace, stage, 0), 1); };
    CHECK(has_stage(problem, TensorId::absorbed_queries));  // it works on what is not turned
    CHECK(shape_letters(Sizes(), TensorId::position_queries) == "(num_heads, T, rope_dim)");
    CHECK(columns(TensorId::position_queries) == 4);
    CHECK(shape_letters(Sizes(), TensorId::position_keys) == "(T, rope_dim)");
    CHECK(columns(TensorId::position_keys) == 4);
    CHECK(columns(TensorId::queries) == 3);
    CHECK(columns(TensorId::rotated_queries) == 3 + 4);
    CHECK(columns(TensorId::rotated_keys) == 3 + 4);
    CHECK(columns(TensorId::context) == 3);
    CHECK(score_divisor(problem.settings, problem.head_dim()) == std::sqrt(7.0F));
}

TEST_CASE("every gradient is that of a tensor with its name, shape and heads", "[stages][learn][property]") {
    for (const StageInfo& info : stage_table()) {
        if (!is_gradient(info.id)) continue;
        CAPTURE(info.name);
        const TensorId tensor = tensor_of_gradient(info.id);
        CHECK(info.name == std::string("grad_") + std::string(tensor_name(tensor)));
        CHECK(info.is_signed);
        if (!is_stage(tensor)) continue;
        CHECK(shape_letters(Sizes(), info.id) == shape_letters(Sizes(), tensor));
        CHECK(info.has_heads == stage_info(tensor).has_heads);
        CHECK(info.columns == stage_info(tensor).columns);
    }
}

TEST_CASE("the loss decides which gradients there are", "[stages][learn]") {
    AttentionProblem problem = random_problem({.num_tokens = 3, .d_in = 4, .head_dim = 2, .num_heads = 2}, 1);
    CHECK(!has_stage(problem, TensorId::grad_scores));
    CHECK(!has_stage(problem, TensorId::logits));
    problem.goal.kind = GoalKind::pattern;
    for (const TensorId there : {TensorId::grad_weights, TensorId::grad_masked_scores, TensorId::grad_scores,
                                 TensorId::grad_queries, TensorId::grad_w_key, TensorId::grad_embeddings})
        CHECK(has_stage(problem, there));
    for (const TensorId absent :
         {TensorId::logits, TensorId::grad_context, TensorId::grad_values, TensorId::grad_w_value, TensorId::grad_w_out,
          TensorId::grad_unmasked_weights, TensorId::grad_dropped_weights, TensorId::w_query})
        CHECK(!has_stage(problem, absent));
    problem.goal.kind = GoalKind::next;
    for (const TensorId there : {TensorId::logits, TensorId::probabilities, TensorId::grad_logits,
                                 TensorId::grad_values, TensorId::grad_w_value})
        CHECK(has_stage(problem, there));
    problem.settings.mask_at = MaskAt::after;
    CHECK(has_stage(problem, TensorId::grad_unmasked_weights));
    CHECK(!has_stage(problem, TensorId::grad_masked_scores));
}

}  // namespace attn::test
