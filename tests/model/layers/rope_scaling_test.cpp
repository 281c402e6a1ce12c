// How far queries and keys are turned: what configs say of it, and that a text that grows keeps its bits. PyTorch has
// the same formulas in tests/torch/model_oracle.py.
#include "model/layers/rope_scaling.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "core/ground/check.h"
#include "model/layers/model_run.h"
#include "model/layers/random_model.h"

namespace {

constexpr std::int64_t kWholeRun = std::int64_t{1} << 40;

// random_llama's, heads of six numbers, with more members.
std::string llama_config_with(const std::string& members) {
    std::string text = attn::test::random_llama("llama").config;
    const std::string before = "\"rope_theta\"";
    return text.replace(text.find(before), before.size(), members + "," + before);
}

attn::ModelConfig config_with(const std::string& members) {
    const attn::Result<attn::ModelConfig> config = attn::read_model_config(llama_config_with(members));
    INFO(members << ": " << config.error());
    REQUIRE(config);
    return *config;
}

std::string rope_refusal(const std::string& members) {
    return attn::read_model_config(llama_config_with(members)).error();
}

}  // namespace

TEST_CASE("frequencies follow from the type that a config names", "[rope][reference]") {
    const std::vector<double> plain = rope_frequencies(config_with("\"rope_scaling\":null").rope, 9);
    REQUIRE(plain.size() == 3);
    for (std::size_t pair = 0; pair < 3; ++pair)
        CHECK(std::abs(plain[pair] - std::pow(500.0, -2.0 * static_cast<double>(pair) / 6)) < 1e-15);
    CHECK(rope_frequencies(config_with(R"("rope_scaling":{"type":"dynamic","factor":2})").rope, 9) == plain);
    CHECK(rope_frequencies(config_with(R"("rope_parameters":{"rope_type":"default","rope_theta":500})").rope, 9) ==
          plain);
    const std::vector<double> linear =
        rope_frequencies(config_with(R"("rope_scaling":{"rope_type":"linear","factor":4})").rope, 9);
    for (std::size_t pair = 0; pair < 3; ++pair) CHECK(linear[pair] == plain[pair] / 4);
    // Wavelengths 6.3, 50 and 396 of 100 positions: fast, between 25 and 100, slow.
    const std::vector<double> mixed = rope_frequencies(
        config_with(R"("rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,)"
                    R"("original_max_position_embeddings":100})")
            .rope,
        9);
    CHECK(mixed[0] == plain[0]);
    CHECK(mixed[1] < plain[1]);
    CHECK(mixed[1] > plain[1] / 8);
    CHECK(mixed[2] == plain[2] / 8);
}

TEST_CASE("a part of the head, and layers, may not be turned", "[rope]") {
    CHECK(config_with(R"("partial_rotary_factor":0.7)").rope.dim == 4);
    CHECK(config_with(R"("rope_parameters":{"partial_rotary_factor":0.34})").rope.dim == 2);
    const attn::ModelConfig config = config_with(R"("no_rope_layers":[0,1])");
    CHECK_FALSE(config.turns(0));
    CHECK(config.turns(1));
    CHECK_FALSE(config_with(R"("no_rope_layer_interval":2)").turns(1));
}

TEST_CASE("rotary positions that would be computed wrongly are refused by name", "[rope][bad-input]") {
    CHECK(rope_refusal(R"("rope_scaling":{"type":"mrope","mrope_section":[1]})") ==
          "config.json says that rotary positions are of the type \"mrope\"; this program computes \"default\", "
          "\"linear\", \"dynamic\", \"llama3\", \"yarn\" and \"longrope\".");
    CHECK(rope_refusal(R"("rope_scaling":{"type":"linear","factor":2,"twist":1})") ==
          "config.json has \"twist\" among its rotary positions, which this program does not know.");
    CHECK(rope_refusal(R"("rope_scaling":{"type":"linear"})") ==
          "config.json has rotary positions without a \"factor\" that is a number above 0.");
    CHECK(rope_refusal(R"("rope_scaling":{"type":"yarn","factor":-2})") ==
          "config.json has rotary positions without a \"factor\" that is a number above 0.");
    CHECK(rope_refusal(R"("rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4,)"
                       R"("original_max_position_embeddings":100})") ==
          "config.json has rotary positions whose \"high_freq_factor\" is not above \"low_freq_factor\".");
    CHECK(rope_refusal(R"("rope_scaling":{"type":"longrope","short_factor":[1,1],"long_factor":[1,1,1]})") ==
          "config.json has rotary positions without a \"short_factor\" of 3 numbers above 0, one for each pair of a "
          "head.");
    CHECK(rope_refusal(R"("rope_scaling":{"type":"longrope","short_factor":[1,1,1],"long_factor":[1,1,1],)"
                       R"("original_max_position_embeddings":1})") ==
          "config.json has rotary positions whose \"original_max_position_embeddings\" is not above 1.");
    CHECK(rope_refusal(R"("rope_parameters":{"type":"yarn","factor":2,"rope_theta":0.5})") ==
          "config.json has rotary positions of the type \"yarn\" with a \"rope_theta\" that is not above 1.");
    CHECK(rope_refusal(R"("partial_rotary_factor":0.5)") ==
          "config.json turns 3 of the 6 numbers of a head; rotary positions need an even number of them.");
    CHECK(rope_refusal(R"("no_rope_layers":[1])") ==
          "config.json contradicts itself: \"num_hidden_layers\" is 2, and \"no_rope_layers\" has 1.");
}

// Beyond the original positions all tokens are turned otherwise: what a shorter text kept is not taken over then.
TEST_CASE("a text that grows has the bits of one that was computed whole", "[rope][property]") {
    attn::test::Checkpoint checkpoint = attn::test::random_llama("llama");
    checkpoint.config =
        llama_config_with(R"("rope_scaling":{"type":"longrope","short_factor":[1,1.5,2],"long_factor":[2,3,4],)"
                          R"("original_max_position_embeddings":4})");
    const attn::Result<attn::Model> model = checkpoint.load();
    REQUIRE(model);
    const std::vector<int> ids = {3, 16, 0, 3, 7, 1};
    std::unique_ptr<attn::ModelRun> grown;
    for (std::size_t count = 1; count <= ids.size(); ++count) {
        const attn::ModelInput input = {.ids = {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count)}};
        auto next = std::make_unique<attn::ModelRun>(*model, input, grown.get());
        next->advance(kWholeRun);
        attn::ModelRun whole(*model, input);
        whole.advance(kWholeRun);
        INFO(count << " tokens");
        CHECK(next->final_stream() == whole.final_stream());
        grown = std::move(next);
    }
    CHECK(turns_otherwise(model->config.rope, 4, 5));
    CHECK_FALSE(turns_otherwise(model->config.rope, 5, 6));
}
