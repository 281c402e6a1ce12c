// An explanation adds up to the number on the screen, for every stage, head and cell, and points at the right cells.
#include "core/explain/explain.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/explanation_bound.h"
#include "core/failed_check.h"
#include "core/problems.h"

namespace attn::test {
namespace {

struct Explained {
    AttentionProblem problem;
    EmbeddingParts parts;
    AttentionTrace trace;
};

// A problem whose embeddings are hashed tokens with positions, changed as the test wants before it is solved.
template <class Change>
Explained explained_problem(const ProblemShape& shape, Init init, bool with_ngrams, Change change) {
    std::vector<std::string> tokens;
    for (int i = 0; i < shape.num_tokens; ++i) tokens.push_back("token" + std::to_string(i));
    Explained e;
    e.problem = random_problem(shape, 31, init);
    e.parts = hashed_parts(tokens, shape.d_in, 5, with_ngrams);
    e.parts.positions = sinusoidal_positions(shape.num_tokens, shape.d_in);
    e.problem.embeddings = zeros<Matrix>(shape.num_tokens, shape.d_in);
    for (std::size_t k = 0; k < e.problem.embeddings.size(); ++k) {
        e.problem.embeddings.data()[k] = e.parts.token_vectors.data()[k] + e.parts.positions.data()[k];
    }
    change(e.problem);
    e.trace = attend(e.problem);
    return e;
}

// The number that stands in a cell of any tensor.
float value_at(const Explained& e, const CellRef& cell) {
    const Projections& p = e.problem.projections;
    switch (cell.tensor) {
        case TensorId::w_query:
            return p.w_query(cell.row, cell.column);
        case TensorId::w_key:
            return p.w_key(cell.row, cell.column);
        case TensorId::w_value:
            return p.w_value(cell.row, cell.column);
        case TensorId::w_down_query:
            return p.w_down_query(cell.row, cell.column);
        case TensorId::w_down_kv:
            return p.w_down_kv(cell.row, cell.column);
        case TensorId::w_query_rope:
            return p.w_query_rope(cell.row, cell.column);
        case TensorId::w_key_rope:
            return p.w_key_rope(cell.row, cell.column);
        case TensorId::w_out:
            return p.w_out(cell.row, cell.column);
        case TensorId::b_query:
            return p.b_query(cell.column);
        case TensorId::b_key:
            return p.b_key(cell.column);
        case TensorId::b_value:
            return p.b_value(cell.column);
        case TensorId::b_out:
            return p.b_out(cell.column);
        case TensorId::q_norm:
            return p.q_norm(cell.column);
        case TensorId::k_norm:
            return p.k_norm(cell.column);
        case TensorId::sink_logits:
            return p.sink_logits(cell.column);
        case TensorId::token_vectors:
            return e.parts.token_vectors(cell.row, cell.column);
        case TensorId::positions:
            return e.parts.positions(cell.row, cell.column);
        case TensorId::keep_mask:
            return e.trace.keep(cell.head, cell.row, cell.column);
        default:
            return stage_row(e.problem, e.trace, cell.tensor, cell.head, cell.row)(cell.column);
    }
}

void require_factor_is_its_cell(const Explained& e, const Factor& factor, bool is_function_of_it) {
    if (!factor.has_source) return;
    const double shown = static_cast<double>(value_at(e, factor.source));
    if (!is_function_of_it) REQUIRE(factor.value == shown);
}

void require_adds_up(const Explained& e, const Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    INFO(tensor_name(cell.tensor) << " head " << cell.head << " (" << cell.row << ", " << cell.column << ")");
    if (std::isnan(explanation.shown)) {
        // Only where the softmax of the whole row leaves nothing for the visible keys: 0 / 0, in the whole row and in
        // what is mixed with it.
        REQUIRE(e.problem.settings.mask_at == MaskAt::after);
        if (cell.tensor == TensorId::weights && !explanation.is_hidden) REQUIRE(explanation.divisor == 0);
        return;
    }
    REQUIRE(same_bits(explanation.shown, value_at(e, cell)));
    if (explanation.is_hidden) {
        REQUIRE(explanation.terms.empty());
        REQUIRE((explanation.shown == 0 || explanation.shown == -std::numeric_limits<float>::infinity()));
        return;
    }
    REQUIRE(!explanation.terms.empty());
    const double error = std::abs(explanation.result() - static_cast<double>(explanation.shown));
    if (!(error <= allowed_error(explanation))) FAIL("off by " << error << ", allowed " << allowed_error(explanation));
    double divisor = 0;
    for (const Term& term : explanation.divisor_terms) divisor += term.product();
    if (!explanation.divisor_terms.empty()) REQUIRE(divisor == explanation.divisor);
    for (const Term& term : explanation.terms) {
        require_factor_is_its_cell(e, term.a, term.label == "exp" || term.label == "tanh");
        require_factor_is_its_cell(e, term.b, false);
    }
}

void require_every_cell_adds_up(const Explained& e) {
    for (const StageInfo& info : stage_table()) {
        if (!has_stage(e.problem, info.id)) continue;
        for (int h = 0; h < heads_of(e.problem, info.id); ++h) {
            const Matrix matrix = stage_matrix(e.problem, e.trace, info.id, h);
            for (int i = 0; i < length(matrix, 0); ++i) {
                for (int j = 0; j < length(matrix, 1); ++j) {
                    require_adds_up(e, explain(e.problem, e.trace, e.parts, info.id, h, i, j));
                }
            }
        }
    }
}

void no_change(AttentionProblem&) {}

}  // namespace

TEST_CASE("every number is the sum of its terms, for every stage, head and cell", "[explain][property]") {
    const auto [num_tokens, d_in, head_dim, num_heads] =
        GENERATE(table<int, int, int, int>({{1, 1, 1, 1}, {4, 6, 3, 2}, {9, 5, 1, 4}, {7, 16, 8, 2}, {12, 3, 10, 1}}));
    const Init init = GENERATE(Init::torch_linear, Init::torch_rand, Init::torch_randn, Init::identity);
    const double dropout = GENERATE(0.0, 0.3);
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after, MaskAt::after_raw);
    const bool is_causal = GENERATE(true, false);
    CAPTURE(num_tokens, d_in, head_dim, num_heads, static_cast<int>(init), dropout, static_cast<int>(mask_at),
            is_causal);
    require_every_cell_adds_up(explained_problem(
        {.num_tokens = num_tokens, .d_in = d_in, .head_dim = head_dim, .num_heads = num_heads}, init, is_causal,
        [&](AttentionProblem& problem) {
            problem.settings.dropout = dropout;
            problem.settings.mask_at = mask_at;
            problem.settings.scale = is_causal ? Scale::sqrt : Scale::none;
            problem.settings.temperature = is_causal ? 1.0f : 0.3f;
            problem.hidden = is_causal ? make_mask(Mask::causal, num_tokens) : random_mask(num_tokens, 41);
        }));
}

TEST_CASE("every number adds up with rotary positions and with ALiBi", "[explain][rotary][alibi][property]") {
    const RotaryPairs pairs = GENERATE(RotaryPairs::halves, RotaryPairs::neighbours);
    const bool is_rotary = GENERATE(true, false);
    const MaskAt mask_at = GENERATE(MaskAt::before, MaskAt::after);
    const bool with_ngrams = GENERATE(true, false);
    const int num_kv_heads = GENERATE(0, 1, 3);
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 7, .d_in = 5, .head_dim = 6, .num_heads = 3, .num_kv_heads = num_kv_heads},
                          Init::torch_linear, with_ngrams, [&](AttentionProblem& problem) {
                              problem.settings.mask_at = mask_at;
                              problem.settings.rotary = {.is_on = is_rotary, .pairs = pairs, .base = 50, .shift = 3};
                              problem.settings.alibi.is_on = !is_rotary;
                              problem.settings.score_cap = with_ngrams ? 0.4F : 0;
                          }));
}

TEST_CASE("a turned number is its own share and its partner's, and says by which angle", "[explain][rotary]") {
    const Explained e =
        explained_problem({.num_tokens = 3, .d_in = 4, .head_dim = 4, .num_heads = 1}, Init::torch_linear, true,
                          [](AttentionProblem& problem) { problem.settings.rotary = {.is_on = true, .shift = 5}; });
    const Explanation second = explain(e.problem, e.trace, e.parts, TensorId::rotated_keys, 0, 2, 3);
    REQUIRE(second.terms.size() == 2);
    CHECK(second.position == 7);
    CHECK(std::abs(second.angle - 0.07) < 1e-15);
    CHECK(second.terms[0].a.source == CellRef{TensorId::keys, 0, 2, 3});
    CHECK(second.terms[1].a.source == CellRef{TensorId::keys, 0, 2, 1});
    CHECK(std::abs(second.terms[1].b.value - std::sin(0.07)) < 1e-15);  // its pair's second number
    const Explanation first = explain(e.problem, e.trace, e.parts, TensorId::rotated_keys, 0, 2, 1);
    CHECK(first.terms[1].b.value == -second.terms[1].b.value);
}

TEST_CASE("every number adds up with a sink, and a weight's divisor holds the sink's exponential",
          "[explain][sink][property]") {
    const Explained e = explained_problem({.num_tokens = 7, .d_in = 6, .head_dim = 4, .num_heads = 2, .has_sink = true},
                                          Init::torch_linear, true, [](AttentionProblem& problem) {
                                              problem.settings.alibi.is_on = true;
                                              problem.settings.dropout = 0.3;
                                              problem.projections.edit().sink_logits(1) = 9;  // the largest of its rows
                                          });
    require_every_cell_adds_up(e);
    const Explanation weight = explain(e.problem, e.trace, e.parts, TensorId::weights, 1, 4, 2);
    REQUIRE(weight.divisor_terms.size() == 5 + 1);
    CHECK((weight.divisor_terms.back().a.source == CellRef{TensorId::sink_logits, 0, 0, 1}));
    CHECK(weight.row_max == 9);
    const Explanation sink = explain(e.problem, e.trace, e.parts, TensorId::sink_weights, 1, 4, 0);
    CHECK(sink.is_softmax);
    CHECK(sink.score == 9);
    CHECK(sink.sum() == 1);  // exp(9 - 9)
    CHECK(sink.divisor == weight.divisor);
}

TEST_CASE("every number adds up where heads share keys and values", "[explain][property]") {
    const int num_kv_heads = GENERATE(1, 2);
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 5, .d_in = 6, .head_dim = 3, .num_heads = 4, .num_kv_heads = num_kv_heads},
                          Init::torch_linear, true, [&](AttentionProblem& problem) {
                              if (num_kv_heads == 2)
                                  problem.typed_roles = {{.role = TensorId::keys, .row = 1, .column = 4, .value = 3}};
                          }));
}

TEST_CASE("every number adds up where keys and values are made of latents", "[explain][property]") {
    const auto [num_kv_heads, query_latent, latent] =
        GENERATE(table<int, int, int>({{0, 0, 3}, {0, 2, 0}, {2, 3, 2}, {0, 1, 1}}));
    const double dropout = GENERATE(0.0, 0.3);
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 5,
                           .d_in = 6,
                           .head_dim = 3,
                           .num_heads = 4,
                           .num_kv_heads = num_kv_heads,
                           .query_latent = query_latent,
                           .latent = latent},
                          Init::torch_linear, true, [&](AttentionProblem& problem) {
                              problem.settings.dropout = dropout;
                              if (num_kv_heads == 2)
                                  problem.typed_roles = {{.role = TensorId::keys, .row = 1, .column = 4, .value = 3}};
                          }));
}

TEST_CASE("every number adds up where some numbers are turned alone", "[explain][property]") {
    const auto [num_kv_heads, query_latent, rope_dim] =
        GENERATE(table<int, int, int>({{0, 0, 2}, {2, 3, 4}, {1, 0, 6}}));
    const Explained e =
        explained_problem({.num_tokens = 5,
                           .d_in = 6,
                           .head_dim = 3,
                           .num_heads = 4,
                           .num_kv_heads = num_kv_heads,
                           .query_latent = query_latent,
                           .latent = 2,
                           .rope_dim = rope_dim},
                          Init::torch_linear, true, [&](AttentionProblem& problem) {
                              problem.settings.rotary.pairs = RotaryPairs::neighbours;
                              if (num_kv_heads == 2)
                                  problem.typed_roles = {{.role = TensorId::keys, .row = 1, .column = 4, .value = 3}};
                          });
    require_every_cell_adds_up(e);
    // Both parts of a score: products of the numbers that stay, and of those that are turned.
    const Explanation score = explain(e.problem, e.trace, e.parts, TensorId::scores, 1, 3, 2);
    CHECK(static_cast<int>(score.terms.size()) == 3 + rope_dim);
    const Explanation still = explain(e.problem, e.trace, e.parts, TensorId::rotated_queries, 1, 3, 2);
    CHECK_FALSE(still.is_turned);
    CHECK(still.terms.front().a.source == CellRef{TensorId::queries, 1, 3, 2});
    const Explanation turned = explain(e.problem, e.trace, e.parts, TensorId::rotated_keys, 1, 3, 3);
    CHECK(turned.is_turned);
    CHECK(turned.position == 5);
    CHECK(turned.terms.front().a.source == CellRef{TensorId::position_keys, 0, 3, 0});
}

TEST_CASE("every number adds up without matrices, biases or output projection", "[explain][property]") {
    const bool has_matrices = GENERATE(true, false);
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 6, .d_in = 8, .head_dim = 4, .num_heads = 2},
                          has_matrices ? Init::torch_linear : Init::none, false, [&](AttentionProblem& problem) {
                              if (!has_matrices) return;
                              problem.projections = make_projections(Init::torch_linear, 2, 8, 8, false, false);
                          }));
}

TEST_CASE("every number adds up where queries, keys and values are typed", "[explain][property]") {
    const Init init = GENERATE(Init::torch_linear, Init::none);
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 6, .d_in = 8, .head_dim = 4, .num_heads = 2}, init, false,
                          [](AttentionProblem& problem) { problem.typed_roles = random_typed_roles(6, 8, 43); }));
}

TEST_CASE("every number adds up when scores are far apart", "[explain][property]") {
    require_every_cell_adds_up(
        explained_problem({.num_tokens = 8}, Init::torch_linear, true, [](AttentionProblem& problem) {
            problem.settings.temperature = 1e-3f;  // weights down to 0
        }));
}

TEST_CASE("an embedding is its pieces and its position", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 3}, Init::torch_linear, true, no_change);
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::embeddings, 0, 2, 4);
    const std::vector<std::string> pieces = ngram_pieces("token2");
    REQUIRE(explanation.terms.size() == pieces.size() + 1);
    for (std::size_t k = 0; k < pieces.size(); ++k) CHECK(explanation.terms[k].label == pieces[k]);
    CHECK(explanation.terms.back().label == "position");
    CHECK(explanation.terms.back().a.source == CellRef{TensorId::positions, 0, 2, 4});
}

TEST_CASE("an embedding that somebody typed is one term", "[explain]") {
    const float typed = GENERATE(0.0f, 0.5f, -1e30f);
    const Explained e = explained_problem({.num_tokens = 3}, Init::torch_linear, true,
                                          [&](AttentionProblem& problem) { problem.embeddings(1, 3) = typed; });
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::embeddings, 0, 1, 3);
    REQUIRE(explanation.terms.size() == 1);
    CHECK(explanation.terms[0].label == "typed");
    CHECK(explanation.result() == static_cast<double>(typed));
    CHECK(explain(e.problem, e.trace, e.parts, TensorId::embeddings, 0, 1, 2).terms.size() > 1);
}

TEST_CASE("an embedding that was not hashed is its token vector", "[explain]") {
    Explained e = explained_problem({.num_tokens = 3}, Init::torch_linear, false, no_change);
    e.parts.pieces.clear();
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::embeddings, 0, 1, 3);
    REQUIRE(explanation.terms.size() == 2);
    CHECK(explanation.terms[0].label == "token");
    CHECK(explanation.terms[0].a.source == CellRef{TensorId::token_vectors, 0, 1, 3});
}

TEST_CASE("a query is X times its column of w_query plus the bias", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 4, .d_in = 6, .head_dim = 3, .num_heads = 2},
                                          Init::torch_linear, false, no_change);
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::queries, 1, 2, 1);
    REQUIRE(explanation.terms.size() == 7);
    CHECK(explanation.terms[5].a.source == CellRef{TensorId::embeddings, 0, 2, 5});
    CHECK(explanation.terms[5].b.source == CellRef{TensorId::w_query, 0, 5, 4});  // column 1 of head 1 of 3 channels
    CHECK(explanation.terms[6].label == "bias");
    CHECK(explanation.terms[6].a.source == CellRef{TensorId::b_query, 0, 0, 4});
}

TEST_CASE("without matrices a query is a copy of X", "[explain]") {
    const Explained e =
        explained_problem({.num_tokens = 4, .d_in = 6, .head_dim = 3, .num_heads = 2}, Init::none, false, no_change);
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::values, 1, 2, 1);
    REQUIRE(explanation.terms.size() == 1);
    CHECK(explanation.terms[0].a.source == CellRef{TensorId::embeddings, 0, 2, 4});
}

TEST_CASE("a typed query, key or value is one term, in the head its column belongs to", "[explain]") {
    const TensorId role = GENERATE(TensorId::queries, TensorId::keys, TensorId::values);
    const Explained e = explained_problem(
        {.num_tokens = 4, .d_in = 6, .head_dim = 3, .num_heads = 2}, Init::torch_linear, false,
        [&](AttentionProblem& problem) { problem.typed_roles = {{.role = role, .row = 2, .column = 4, .value = 7}}; });
    const Explanation typed = explain(e.problem, e.trace, e.parts, role, 1, 2, 1);
    REQUIRE(typed.terms.size() == 1);
    CHECK(typed.terms[0].label == "typed");
    CHECK(typed.shown == 7);
    CHECK(explain(e.problem, e.trace, e.parts, role, 0, 2, 1).terms.size() == 7);
    CHECK(explain(e.problem, e.trace, e.parts, role, 1, 1, 1).terms.size() == 7);
}

TEST_CASE("a weight is one exponential over those of all visible keys", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false, no_change);
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::weights, 1, 3, 2);
    const Vector scores = stage_row(e.problem, e.trace, TensorId::masked_scores, 1, 3);
    CHECK(explanation.score == static_cast<double>(scores(2)));
    CHECK(explanation.row_max == static_cast<double>(*std::max_element(scores.begin(), scores.end())));
    REQUIRE(explanation.divisor_terms.size() == 4);  // causal: keys 0 to 3
    for (int j = 0; j < 4; ++j) {
        const Term& term = explanation.divisor_terms[static_cast<std::size_t>(j)];
        CHECK(term.a.source == CellRef{TensorId::masked_scores, 1, 3, j});
        CHECK(term.a.value == std::exp(static_cast<double>(scores(j)) - explanation.row_max));
    }
    REQUIRE(explanation.terms.size() == 1);
    CHECK(explanation.terms[0].a.source == CellRef{TensorId::masked_scores, 1, 3, 2});
}

TEST_CASE("with the mask after the softmax, the softmax sees all keys", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false,
                                          [](AttentionProblem& problem) { problem.settings.mask_at = MaskAt::after; });
    const Explanation softmax = explain(e.problem, e.trace, e.parts, TensorId::unmasked_weights, 1, 3, 5);
    CHECK_FALSE(softmax.is_hidden);
    CHECK(softmax.is_softmax);
    REQUIRE(softmax.divisor_terms.size() == 6);
    CHECK(softmax.divisor_terms[5].a.source == CellRef{TensorId::scaled_scores, 1, 3, 5});
    CHECK(explain(e.problem, e.trace, e.parts, TensorId::weights, 1, 3, 5).is_hidden);
}

TEST_CASE("a weight masked after the softmax is divided by what is left of its row", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false,
                                          [](AttentionProblem& problem) { problem.settings.mask_at = MaskAt::after; });
    const Explanation weight = explain(e.problem, e.trace, e.parts, TensorId::weights, 1, 3, 2);
    const Vector whole = stage_row(e.problem, e.trace, TensorId::unmasked_weights, 1, 3);
    CHECK_FALSE(weight.is_softmax);
    REQUIRE(weight.terms.size() == 1);
    CHECK(weight.terms[0].a.source == CellRef{TensorId::unmasked_weights, 1, 3, 2});
    REQUIRE(weight.divisor_terms.size() == 4);
    double left = 0;
    for (int j = 0; j < 4; ++j) left += static_cast<double>(whole(j));
    CHECK(weight.divisor == left);
    CHECK(weight.divisor < 1);
}

TEST_CASE("a weight that is only masked is taken over", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false, [](AttentionProblem& problem) {
        problem.settings.mask_at = MaskAt::after_raw;
    });
    const Explanation weight = explain(e.problem, e.trace, e.parts, TensorId::weights, 1, 3, 2);
    REQUIRE(weight.terms.size() == 1);
    CHECK(weight.terms[0].a.source == CellRef{TensorId::unmasked_weights, 1, 3, 2});
    CHECK(weight.terms[0].a.value == static_cast<double>(weight.shown));
    CHECK(weight.divisor == 1);
    CHECK(weight.divisor_terms.empty());
}

TEST_CASE("a context number mixes the values of the visible keys, after dropout where there is one", "[explain]") {
    const double dropout = GENERATE(0.0, 0.5);
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false,
                                          [&](AttentionProblem& problem) { problem.settings.dropout = dropout; });
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::context, 1, 3, 2);
    REQUIRE(explanation.terms.size() == 4);
    const TensorId mix = dropout > 0 ? TensorId::dropped_weights : TensorId::weights;
    CHECK(explanation.terms[1].a.source == CellRef{mix, 1, 3, 1});
    CHECK(explanation.terms[1].b.source == CellRef{TensorId::values, 1, 1, 2});
}

TEST_CASE("a dropped weight says whether it was kept", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 6}, Init::torch_linear, false,
                                          [](AttentionProblem& problem) { problem.settings.dropout = 0.5; });
    int num_kept = 0;
    for (int j = 0; j < 6; ++j) {
        const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::dropped_weights, 0, 5, j);
        REQUIRE(explanation.terms.size() == 1);
        const bool is_kept = e.trace.keep(0, 5, j) != 0;
        num_kept += is_kept;
        CHECK(explanation.terms[0].b.value == (is_kept ? 2.0 : 0.0));
        CHECK(explanation.terms[0].b.has_source == !is_kept);
    }
    CHECK(num_kept > 0);
    CHECK(num_kept < 6);
}

TEST_CASE("a merged number is a copy from the head that owns its column", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 3, .d_in = 6, .head_dim = 3, .num_heads = 2},
                                          Init::torch_linear, false, no_change);
    const Explanation explanation = explain(e.problem, e.trace, e.parts, TensorId::merged, 0, 1, 5);
    REQUIRE(explanation.terms.size() == 1);
    CHECK(explanation.terms[0].a.source == CellRef{TensorId::context, 1, 1, 2});
}

TEST_CASE("a hidden cell is said to be hidden", "[explain]") {
    const Explained e = explained_problem({.num_tokens = 4}, Init::torch_linear, false, no_change);
    CHECK(explain(e.problem, e.trace, e.parts, TensorId::masked_scores, 0, 1, 3).is_hidden);
    CHECK(explain(e.problem, e.trace, e.parts, TensorId::weights, 0, 1, 3).is_hidden);
    CHECK(!explain(e.problem, e.trace, e.parts, TensorId::scores, 0, 1, 3).is_hidden);
    CHECK(!explain(e.problem, e.trace, e.parts, TensorId::weights, 0, 3, 1).is_hidden);
}

TEST_CASE("cells outside a stage cannot be explained", "[explain][bad-input]") {
    const Explained e = explained_problem({.num_tokens = 4}, Init::torch_linear, false, no_change);
    CHECK_THAT(failed_check([&] { explain(e.problem, e.trace, e.parts, TensorId::weights, 0, 1, 4); }),
               Catch::Matchers::ContainsSubstring("column is 4"));
    CHECK_THAT(failed_check([&] { explain(e.problem, e.trace, e.parts, TensorId::weights, 0, -1, 0); }),
               Catch::Matchers::ContainsSubstring("row is -1"));
    CHECK_THAT(failed_check([&] { explain(e.problem, e.trace, e.parts, TensorId::mask, 0, 0, 0); }),
               Catch::Matchers::ContainsSubstring("mask is not a stage"));
}

}  // namespace attn::test
