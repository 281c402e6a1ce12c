// From drawn matrices to the project's own model and back: what belongs to the ones does not come to the others.
#include "playground/state/origin.h"

#include <catch_amalgamated.hpp>

#include "model/learn/own_model.h"
#include "playground/models/small_model.h"
#include "playground/text/format.h"

using namespace attn;

TEST_CASE("what was changed by hand goes with its matrices", "[origin]") {
    const Edit edit = {.tensor = TensorId::w_query, .sentence = 0, .row = 0, .column = 1, .value = 5};
    Inputs inputs;
    inputs.edits = {edit};
    make_trained(inputs);
    CHECK(inputs.model == kFirstWords.name);
    CHECK(inputs.layer == 1);
    CHECK(inputs.edits.empty());
    inputs.edits = {edit};
    inputs.off = {{1, 2}};
    make_trained(inputs);  // it is there already
    CHECK(inputs.edits.size() == 1);
    make_trained(inputs, kOwnWords);
    CHECK(inputs.model == kOwnWords.name);
    CHECK(inputs.layer == kOwnWords.layer);
    CHECK(inputs.d_in == 128);
    CHECK(inputs.edits.empty());
    make_random(inputs);
    CHECK(inputs.model.empty());
    CHECK(inputs.layer == 0);
    CHECK(inputs.off.empty());
    CHECK(inputs.edits.empty());
    CHECK(inputs.num_heads == 8);  // the heads are as many as before
    inputs.edits = {edit};
    make_random(inputs);  // they are drawn already
    CHECK(inputs.edits.size() == 1);
}

TEST_CASE("the rows of the project's own models say what their files have", "[origin]") {
    for (const OwnModel& own : kOwnModels) {
        INFO(own.name);
        CHECK(find_own_model(own.name) == &own);
        const std::shared_ptr<const OpenModel> model = find_open_model(own.name);
        REQUIRE(model);
        CHECK(model->shape().width == own.width);
        CHECK(model->shape().num_heads == own.num_heads);
        CHECK(own.layer < model->shape().num_layers);
        std::size_t bytes = 0;
        for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"})
            bytes += test::own_model_file(name, std::string(own.name)).size();
        CHECK(size_of_own_model(own) == shown_number(static_cast<double>(bytes) / 1e6, 1) + " MB");
        CHECK(size_to_fetch(own).empty());
        const test::OwnModelIsClosed closed(own);
        CHECK(size_to_fetch(own) == concat(" (", size_of_own_model(own), ")"));
        CHECK(own_model_in_words(own).ends_with(size_of_own_model(own)));
    }
    CHECK(find_own_model("gpt2") == nullptr);
    CHECK(find_own_model("") == nullptr);
}
