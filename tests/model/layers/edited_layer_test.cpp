// Numbers changed by hand in any layer of any kind of model: fast and plain agree, and what is not changed stays.
#include "model/layers/edited_layer.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "model/layers/forward_reference.h"
#include "model/layers/model_run.h"
#include "model/layers/random_model.h"
#include "model/roles/votes.h"

namespace attn::test {
namespace {

constexpr std::int64_t kEnough = 1'000'000'000;

double farness(const Matrix& fast, const MatrixD& plain) {
    REQUIRE(fast.size() == plain.size());
    double most = 1e-30, far = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        most = std::max(most, std::abs(plain.data()[i]));
        far = std::max(far, std::abs(static_cast<double>(fast.data()[i]) - plain.data()[i]));
    }
    return far / most;
}

// As in model_run_test.cpp.
constexpr double kNear = 5e-6;

ModelInput input_for(std::string_view kind) {
    ModelInput input = {.ids = {3, 16, 0, 3, 7, 7, 11}};
    if (kind == "bert") input.types = {0, 0, 0, 1, 1, 1, 0};
    return input;
}

}  // namespace

TEST_CASE("a number changed in any tensor of any layer moves fast and plain alike", "[model][edits][reference]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const Result<Model> model = checkpoint.load();
        REQUIRE(model);
        const ModelInput plain_input = input_for(name);
        ModelRun unchanged(*model, plain_input);
        REQUIRE(unchanged.advance(kEnough));
        for (const TensorId tensor :
             {TensorId::embeddings, TensorId::queries, TensorId::keys, TensorId::values, TensorId::w_query,
              TensorId::w_key, TensorId::w_value, TensorId::b_query, TensorId::b_key, TensorId::b_value,
              TensorId::w_out, TensorId::b_out, TensorId::mask}) {
            const Extent shape = edit_extent(model->config, plain_input.num_tokens(), tensor);
            if (shape.rows == 0) continue;  // attention and stream differ in width: no output projection is a stage
            for (const int layer : {0, 1}) {
                INFO(tensor_name(tensor) << " of layer " << layer);
                ModelInput input = plain_input;
                const bool is_mask = tensor == TensorId::mask;
                input.edits = {{.layer = layer,
                                .tensor = tensor,
                                .row = is_mask ? 5 : shape.rows - 1,
                                .column = is_mask ? 4 : shape.columns - 1,
                                .value = is_mask ? 1.0F : 1.5F}};
                REQUIRE(find_input_problem(model->config, input).empty());
                ModelRun run(*model, input);
                REQUIRE(run.advance(kEnough));
                const ReferenceForward plain = forward_reference(*model, input);
                CHECK(farness(run.final_stream(), plain.final_stream) < kNear);
                CHECK(run.stream(layer) == unchanged.stream(layer));
                // A key's bias adds the same to every score of a query, unless keys are normed or turned.
                if (tensor != TensorId::b_key) CHECK(run.stream(layer + 1) != unchanged.stream(layer + 1));
                if (layer == 1) CHECK(run.stream(1) == unchanged.stream(1));
            }
        }
    }
}

TEST_CASE("with heads off the changed output projection is used, and votes still add up", "[model][edits]") {
    const auto checkpoints = all_checkpoints();
    const auto gpt2 = std::ranges::find(checkpoints, "gpt2", [](const auto& one) { return one.first; });
    REQUIRE(gpt2 != checkpoints.end());
    const Result<Model> model = gpt2->second.load();
    REQUIRE(model);
    ModelInput input = input_for("gpt2");
    input.off = {{.layer = 1, .head = 0}};
    input.edits = {{.layer = 1, .tensor = TensorId::w_out, .row = model->config.width - 1, .column = 0, .value = 2},
                   {.layer = 0, .tensor = TensorId::b_out, .row = 0, .column = 1, .value = -1}};
    ModelRun run(*model, input);
    REQUIRE(run.advance(kEnough));
    CHECK(farness(run.final_stream(), forward_reference(*model, input).final_stream) < kNear);
    const Votes votes = votes_for(*model, run, 6, 3);
    CHECK(votes.sum == Catch::Approx(votes.logit).epsilon(1e-5));
}

TEST_CASE("a mask that hides all keys of a query shows its own again", "[model][edits]") {
    Flags hidden = make_mask(Mask::causal, 2);
    const std::vector<LayerEdit> edits = {{.layer = 1, .tensor = TensorId::mask, .row = 1, .column = 0, .value = 1},
                                          {.layer = 1, .tensor = TensorId::mask, .row = 1, .column = 1, .value = 1}};
    edit_mask(0, edits, hidden);
    CHECK(hidden(1, 0) == 0);
    edit_mask(1, edits, hidden);
    CHECK(hidden(1, 0) == 1);
    CHECK(hidden(1, 1) == 0);
}

TEST_CASE("a number that is not there is told in a sentence", "[model][edits]") {
    const auto checkpoints = all_checkpoints();
    const Result<Model> model = checkpoints.begin()->second.load();
    REQUIRE(model);
    ModelInput input = input_for(checkpoints.begin()->first);
    input.edits = {{.layer = 2, .tensor = TensorId::w_query}};
    CHECK(find_input_problem(model->config, input) == "There is no layer 3 to change a number of: the model has 2.");
    input.edits = {{.layer = 1, .tensor = TensorId::w_query, .row = 0, .column = 4096}};
    CHECK_THAT(
        find_input_problem(model->config, input),
        Catch::Matchers::StartsWith("There is no number at row 0, column 4096 of w_query: in this model it has "));
}

}  // namespace attn::test
