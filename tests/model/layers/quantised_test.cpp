// Files whose numbers are packed: refused by the quantiser's name.
#include "model/layers/quantised.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "model/layers/random_model.h"

using attn::test::Checkpoint;

namespace {

// A Llama whose first query matrix a quantiser has packed, as `config` says it.
std::string refusal_of_packed(const std::string& tensor, const std::string& config) {
    Checkpoint packed = attn::test::random_llama("llama");
    packed.config.insert(1, config);
    packed.shapes.erase("model.layers.0.self_attn.q_proj.weight");
    packed.shapes["model.layers.0.self_attn.q_proj." + tensor] = {3, 12};
    const attn::Result<attn::Model> model = packed.load();
    REQUIRE(!model);
    return model.error();
}

std::string sentence_of(const std::string& quantiser, const std::string& tensor) {
    return attn::concat(
        "The model's numbers are quantised by ", quantiser, " (the tensor \"model.layers.0.self_attn.q_proj.", tensor,
        "\"): this program computes with F32, F16 and BF16. Bring the model's files as they were before.");
}

}  // namespace

TEST_CASE("quantised files are refused by their quantiser's name", "[model][bad-input]") {
    const std::string gptq = R"("quantization_config":{"quant_method":"gptq","bits":4},)";
    CHECK(refusal_of_packed("qweight", gptq) == sentence_of("GPTQ to 4 bits", "qweight"));
    CHECK(refusal_of_packed("g_idx", "") == sentence_of("GPTQ", "g_idx"));
    CHECK(refusal_of_packed("qweight", "") == sentence_of("AWQ", "qweight"));
    CHECK(refusal_of_packed("qweight", R"("quantization_config":{"quant_method":"awq","w_bit":4},)") ==
          sentence_of("AWQ to 4 bits", "qweight"));
    CHECK(refusal_of_packed("weight.absmax", "") == sentence_of("bitsandbytes", "weight.absmax"));
    CHECK(refusal_of_packed("SCB", R"("quantization_config":{"quant_method":"bitsandbytes","load_in_8bit":true},)") ==
          sentence_of("bitsandbytes to 8 bits", "SCB"));
    CHECK(refusal_of_packed("scales", R"("quantization":{"group_size":64,"bits":4},)") ==
          sentence_of("MLX to 4 bits", "scales"));
    CHECK(
        refusal_of_packed("qweight", R"("quantization_config":{"quant_method":"new \u0007 one"},)").find("by \"new ") !=
        std::string::npos);
    // Of a type that is not computed, under the numbers' own names.
    Checkpoint eight = attn::test::random_llama("llama");
    eight.config.insert(1, R"("quantization_config":{"quant_method":"fp8"},)");
    CHECK(eight.load());  // the config is left over
    eight.type = "I32";
    CHECK(eight.load().error().starts_with("The model's numbers are quantised by FP8 (the tensor \"lm_head.weight\")"));
}
