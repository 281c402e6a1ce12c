// A layer's attention as a problem, in slices.
#include "model/layers/problem_work.h"

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "model/layers/model_run.h"
#include "model/layers/random_model.h"

using attn::AttentionProblem;
using attn::LayerEdit;
using attn::Model;
using attn::ModelInput;
using attn::ModelRun;
using attn::ProblemWork;
using attn::Projections;
using attn::Result;
using attn::Shared;
using attn::TensorId;
using attn::test::all_checkpoints;
using attn::test::Checkpoint;

namespace {

const ModelInput kSixTokens = {.ids = {3, 16, 0, 3, 7, 11}, .types = {}};

// As if each number cost as much as everything.
AttentionProblem in_smallest_slices(ProblemWork work, int& num_slices) {
    for (num_slices = 0; !work.is_done(); ++num_slices) {
        std::int64_t one = 1;
        work.advance(one);
        CHECK(one <= 0);
    }
    return work.take();
}

void check_same(const AttentionProblem& a, const AttentionProblem& b) {
    CHECK(a.embeddings == b.embeddings);
    CHECK(a.hidden == b.hidden);
    CHECK(a.projections->w_query == b.projections->w_query);
    CHECK(a.projections->w_key == b.projections->w_key);
    CHECK(a.projections->w_value == b.projections->w_value);
    CHECK(a.projections->w_out == b.projections->w_out);
    CHECK(a.projections->b_query == b.projections->b_query);
    CHECK(a.projections->b_out == b.projections->b_out);
    REQUIRE(a.typed_roles.size() == b.typed_roles.size());
    for (std::size_t i = 0; i < a.typed_roles.size(); ++i) {
        CHECK(a.typed_roles[i].role == b.typed_roles[i].role);
        CHECK(a.typed_roles[i].row == b.typed_roles[i].row);
        CHECK(a.typed_roles[i].column == b.typed_roles[i].column);
        CHECK(a.typed_roles[i].value == b.typed_roles[i].value);
    }
}

}  // namespace

TEST_CASE("slices of a layer's problem change no bit of it", "[model][problem-work]") {
    const std::vector<LayerEdit> edits = {{.layer = 1, .tensor = TensorId::w_query, .row = 2, .column = 1, .value = 3},
                                          {.layer = 1, .tensor = TensorId::queries, .row = 0, .column = 0, .value = 9},
                                          {.layer = 0, .tensor = TensorId::w_key, .row = 0, .column = 0, .value = 5}};
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> model = checkpoint.load();
        REQUIRE(model);
        ModelRun run(*model, kSixTokens);
        run.advance(1'000'000'000);
        for (const std::vector<LayerEdit>& some : {std::vector<LayerEdit>(), edits}) {
            const AttentionProblem whole = layer_problem(*model, 1, run.stream(1), some);
            int num_slices = 0;
            check_same(in_smallest_slices(ProblemWork(*model, 1, run.stream(1), some), num_slices), whole);
            CHECK(num_slices >= 4);  // three matrices and the input
            CHECK((whole.projections->w_query(2, 1) == 3) == !some.empty());
        }
    }
}

TEST_CASE("projections that are there are shared, and are not made again", "[model][problem-work]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> model = checkpoint.load();
        REQUIRE(model);
        ModelRun run(*model, kSixTokens);
        run.advance(1'000'000'000);
        const AttentionProblem first = layer_problem(*model, 0, run.stream(0));
        int num_slices = 0;
        const AttentionProblem second =
            in_smallest_slices(ProblemWork(*model, 0, run.stream(0), {}, first.projections), num_slices);
        check_same(second, first);
        CHECK(second.projections->w_query.data() == first.projections->w_query.data());
        CHECK(num_slices <= 3);  // the input; queries and keys
    }
}
