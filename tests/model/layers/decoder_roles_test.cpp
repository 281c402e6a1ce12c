// Families of models: published configs with tensors of published shapes have the published number of parameters, and
// what contradicts is a sentence that names both.
#include "model/layers/role_finder.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "model/layers/model_input.h"
#include "model/layers/random_model.h"
#include "model/layers/tensor_roles.h"

namespace attn::test {
namespace {

// A file whose header is there, and none of its numbers.
class HeaderOfFile : public ByteSource {
public:
    HeaderOfFile(std::string header, std::uint64_t size)
        : name_("model.safetensors"), header_(std::move(header)), size_(size) {}
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return size_; }
    std::string read(std::uint64_t begin, std::span<std::uint8_t> into) override {
        if (begin + into.size() > header_.size()) return "only the header is there";
        std::copy_n(header_.begin() + static_cast<std::ptrdiff_t>(begin), into.size(), into.begin());
        return "";
    }

private:
    std::string name_, header_;
    std::uint64_t size_;
};

// How many parameters a published model has; the config, and the tensors by their shapes.
std::int64_t parameters(const Checkpoint& published) {
    std::string header = "{";
    std::uint64_t begin = 0;
    for (const auto& [name, shape] : published.shapes) {
        std::uint64_t size = 2;
        for (const std::int64_t one : shape) size *= static_cast<std::uint64_t>(one);
        header += concat(header.size() > 1 ? "," : "", '"', name, R"(":{"dtype":"BF16","shape":)",
                         Checkpoint::list_of(shape), R"(,"data_offsets":[)", begin, ",", begin + size, "]}");
        begin += size;
    }
    const std::string file = safetensors(header + "}");
    std::vector<std::unique_ptr<ByteSource>> sources;
    sources.push_back(std::make_unique<HeaderOfFile>(file, file.size() + begin));
    Result<TensorFiles> files = TensorFiles::open(std::move(sources));
    INFO(files.error());
    REQUIRE(files);
    const Result<ModelConfig> config = read_model_config(published.config);
    INFO(config.error());
    REQUIRE(config);
    const Result<Model> model = find_roles(*config, *files);
    INFO(model.error());
    REQUIRE(model);
    return num_parameters(*model);
}

std::string refusal_of(Checkpoint checkpoint, const std::string& what, const std::string& by) {
    const std::size_t at = checkpoint.config.find(what);
    REQUIRE(at != std::string::npos);
    checkpoint.config.replace(at, what.size(), by);
    const Result<Model> model = checkpoint.load();
    return model ? "" : model.error();
}

}  // namespace

TEST_CASE("models of published sizes have their published number of parameters", "[model][golden]") {
    FamilySizes size = {.vocabulary = 50304,
                        .positions = 2048,
                        .width = 768,
                        .layers = 12,
                        .heads = 12,
                        .kv_heads = 12,
                        .head_dim = 64,
                        .mlp = 3072};
    CHECK(parameters(random_gpt_neox(true, size)) == 162'322'944);  // Pythia 160M
    size = {.vocabulary = 50304,
            .positions = 2048,
            .width = 512,
            .layers = 6,
            .heads = 8,
            .kv_heads = 8,
            .head_dim = 64,
            .mlp = 2048};
    CHECK(parameters(random_gpt_neox(true, size)) == 70'426'624);  // Pythia 70M
    size = {.vocabulary = 256000,
            .positions = 8192,
            .width = 2048,
            .layers = 18,
            .heads = 8,
            .kv_heads = 1,
            .head_dim = 256,
            .mlp = 16384};
    CHECK(parameters(random_gemma("gemma", "", size)) == 2'506'172'416);  // Gemma 2B
    size = {.vocabulary = 256000,
            .positions = 8192,
            .width = 2304,
            .layers = 26,
            .heads = 8,
            .kv_heads = 4,
            .head_dim = 256,
            .mlp = 9216};
    CHECK(parameters(random_gemma("gemma2", "", size)) == 2'614'341'888);  // Gemma 2 2B
    size = {.vocabulary = 262144,
            .positions = 32768,
            .width = 640,
            .layers = 18,
            .heads = 4,
            .kv_heads = 1,
            .head_dim = 256,
            .mlp = 2048};
    CHECK(parameters(random_gemma("gemma3_text", "", size)) == 268'098'176);  // Gemma 3 270M
    size = {.vocabulary = 128256,
            .positions = 65536,
            .width = 2048,
            .layers = 36,
            .heads = 16,
            .kv_heads = 4,
            .head_dim = 128,
            .mlp = 11008};
    CHECK(parameters(random_like_llama("smollm3", "", size)) == 3'075'098'624);  // SmolLM3 3B
    size = {.vocabulary = 32064,
            .positions = 4096,
            .width = 3072,
            .layers = 32,
            .heads = 32,
            .kv_heads = 32,
            .head_dim = 96,
            .mlp = 8192};
    CHECK(parameters(random_like_llama("phi3", R"(,"sliding_window":2047)", size)) == 3'821'079'552);  // Phi-3 mini
    size = {.vocabulary = 100352,
            .positions = 4096,
            .width = 2048,
            .layers = 16,
            .heads = 16,
            .kv_heads = 16,
            .head_dim = 128,
            .mlp = 8192};
    CHECK(parameters(random_like_llama("olmo2", "", size)) == 1'484'916'736);  // OLMo 2 1B
    size = {.vocabulary = 50272,
            .positions = 2048,
            .width = 768,
            .layers = 12,
            .heads = 12,
            .kv_heads = 12,
            .head_dim = 64,
            .mlp = 3072};
    CHECK(parameters(random_opt(true, size)) == 125'239'296);  // OPT 125M
    size = {.vocabulary = 51200,
            .positions = 2048,
            .width = 2560,
            .layers = 32,
            .heads = 32,
            .kv_heads = 32,
            .head_dim = 80,
            .mlp = 10240};
    CHECK(parameters(random_beside("phi", R"(,"partial_rotary_factor":0.4)", size)) == 2'779'683'840);  // Phi-2
    size = {.vocabulary = 100352,
            .positions = 4096,
            .width = 2048,
            .layers = 24,
            .heads = 32,
            .kv_heads = 32,
            .head_dim = 64,
            .mlp = 5632};
    CHECK(parameters(random_beside("stablelm", "", size)) == 1'644'515'328);  // StableLM 2 1.6B
    size = {.vocabulary = 256000,
            .positions = 8192,
            .width = 8192,
            .layers = 40,
            .heads = 64,
            .kv_heads = 64,
            .head_dim = 128,
            .mlp = 22528};
    CHECK(parameters(random_beside("cohere", "", size)) == 34'980'831'232);  // Command R
    size = {.vocabulary = 49152,
            .positions = 16384,
            .width = 3072,
            .layers = 30,
            .heads = 24,
            .kv_heads = 2,
            .head_dim = 128,
            .mlp = 12288};
    CHECK(parameters(random_beside("starcoder2", R"(,"sliding_window":4096)", size)) == 3'030'371'328);  // 3B
    size = {.vocabulary = 50400,
            .positions = 2048,
            .width = 4096,
            .layers = 28,
            .heads = 16,
            .kv_heads = 16,
            .head_dim = 256,
            .mlp = 16384};
    CHECK(parameters(random_gptj(64, size)) == 6'050'882'784);  // GPT-J 6B
    size = {.vocabulary = 250880,
            .positions = 2048,
            .width = 1024,
            .layers = 24,
            .heads = 16,
            .kv_heads = 16,
            .head_dim = 64,
            .mlp = 4096};
    CHECK(parameters(random_bloom(size)) == 559'214'592);  // BLOOM 560M
    // Bases with their heads for masked words, which their cards leave out of the count of the encoder.
    size = {.vocabulary = 50265,
            .positions = 514,
            .width = 768,
            .layers = 12,
            .heads = 12,
            .kv_heads = 12,
            .head_dim = 64,
            .mlp = 3072};
    CHECK(parameters(random_roberta("roberta", 1, size)) == 124'697'433);
    size.vocabulary = 250002;
    CHECK(parameters(random_roberta("xlm-roberta", 1, size)) == 278'295'186);
    size.vocabulary = 32005;
    CHECK(parameters(random_roberta("camembert", 1, size)) == 110'655'493);
    size = {.vocabulary = 30522,
            .positions = 512,
            .width = 768,
            .layers = 6,
            .heads = 12,
            .kv_heads = 12,
            .head_dim = 64,
            .mlp = 3072};
    CHECK(parameters(random_distilbert(size)) == 66'985'530);
}

TEST_CASE("RoBERTa's table of positions begins with those that are not of tokens", "[model][bad-input]") {
    const Result<ModelConfig> config = read_model_config(random_roberta("roberta", 1, {.positions = 514}).config);
    REQUIRE(config);
    CHECK(config->max_positions == 512);
    CHECK(position_rows_of(*config, {.ids = {5, 1, 6, 1, 7}}) == std::vector<int>{2, 1, 3, 1, 4});
    CHECK(refusal_of(random_roberta(), R"("max_position_embeddings":12)", R"("max_position_embeddings":9)") ==
          "config.json says \"max_position_embeddings\": 9 and \"hidden_size\": 12, so the tensor "
          "\"roberta.embeddings.position_embeddings.weight\" should be (9, 12), but in its file it is (12, 12).");
    CHECK(refusal_of(random_roberta(), R"("pad_token_id":0)", R"("pad_token_id":12)") ==
          "config.json says \"max_position_embeddings\": 12 and \"pad_token_id\": 12, so no position is left for a "
          "token.");
    CHECK(refusal_of(random_roberta(), R"("pad_token_id":0)", R"("pad_token_id":-1)") ==
          "config.json has no \"pad_token_id\" that is a whole number from 0 to 16777216.");
}

TEST_CASE("Gemma's configs say what differs, or leave it to the class", "[model][golden]") {
    const auto read = [](const Checkpoint& checkpoint) {
        const Result<ModelConfig> config = read_model_config(checkpoint.config);
        INFO(config.error());
        REQUIRE(config);
        return *config;
    };
    ModelConfig config = read(random_gemma("gemma2"));
    CHECK(config.score_cap == 50);
    CHECK(config.logit_cap == 30);
    CHECK(config.windows == std::vector<int>{4096, 0});
    CHECK(config.temperature * config.temperature * 6 == Catch::Approx(256));
    config = read(random_gemma("gemma2", R"(,"attn_logit_softcapping":null,"final_logit_softcapping":null)"));
    CHECK(config.score_cap == 0);
    CHECK(config.logit_cap == 0);
    config = read(random_gemma("gemma3_text", "", {.layers = 12}));
    CHECK(config.score_cap == 0);
    CHECK(config.windows == std::vector<int>{4096, 4096, 4096, 4096, 4096, 0, 4096, 4096, 4096, 4096, 4096, 0});
    CHECK(config.rope_of(5).base == 1'000'000);
    CHECK(config.rope_of(6).base == 10'000);
    // As gemma-3-4b has it, whose config leaves out what the class says.
    const Result<ModelConfig> nested = read_model_config(
        R"({"model_type":"gemma3","text_config":{"model_type":"gemma3_text","hidden_size":2560,"num_hidden_layers":34,
            "intermediate_size":10240,"sliding_window":1024,"rope_scaling":{"factor":8.0,"rope_type":"linear"}}})");
    REQUIRE(nested);
    CHECK(nested->attention_width() == 2048);
    CHECK(nested->kv_width() == 1024);
    CHECK(nested->rope_of(5).factor == 8);
    CHECK(nested->rope_of(0).factor == 1);
    CHECK(nested->ties_logits);
}

TEST_CASE("what Gemma's config contradicts is named", "[model][bad-input]") {
    CHECK(refusal_of(random_gemma("gemma"), R"("gemma",)", R"("gemma2",)") ==
          "The tensor \"model.layers.0.pre_feedforward_layernorm.weight\" is in no file, and config.json describes "
          "Gemma 2, which has it.");
    CHECK(refusal_of(random_gemma_3(), R"("sliding_window_pattern":2)", R"("layer_types":["full_attention"])") ==
          "config.json contradicts itself: \"num_hidden_layers\" is 2, and \"layer_types\" has 1.");
    CHECK(refusal_of(random_gemma_3(), R"("rope_theta":300)", R"("use_bidirectional_attention":true)") ==
          "config.json says \"use_bidirectional_attention\": true, and this program computes false alone.");
    CHECK(refusal_of(random_gemma_2(), R"("attn_logit_softcapping":2.5)", R"("attn_logit_softcapping":-1)") ==
          "config.json has a \"attn_logit_softcapping\" that is no number above 0.");
}

TEST_CASE("kinds like Llama say what differs, and what contradicts is named", "[model][bad-input]") {
    const Result<ModelConfig> smollm3 = read_model_config(random_like_llama("smollm3", "", {.layers = 8}).config);
    REQUIRE(smollm3);
    CHECK(smollm3->turned == std::vector<int>{1, 1, 1, 0, 1, 1, 1, 0});
    CHECK(smollm3->ties_logits);
    const Result<ModelConfig> phi3 = read_model_config(random_like_llama("phi3", R"(,"sliding_window":2047)").config);
    REQUIRE(phi3);
    CHECK(phi3->windows == std::vector<int>{2047, 2047});
    CHECK(refusal_of(random_like_llama("llama"), R"("llama")", R"("phi3")") ==
          "config.json describes Phi-3, but the files have the tensor \"model.layers.0.self_attn.q_proj.weight\" of a "
          "model like Llama and no \"model.layers.0.self_attn.qkv_proj.weight\".");
    CHECK(refusal_of(random_like_llama("phi3"), R"("intermediate_size":20)", R"("intermediate_size":21)")
              .ends_with(
                  "\"model.layers.0.mlp.gate_up_proj.weight\" should be (42, 12), but in its file it is (40, 12)."));
    CHECK(refusal_of(random_like_llama("llama"), R"("llama")", R"("olmo2")") ==
          "The tensor \"model.layers.0.self_attn.q_norm.weight\" is in no file, and config.json describes OLMo 2, "
          "which has it.");
    CHECK(refusal_of(random_like_llama("olmo2"), R"("num_hidden_layers":2)", R"("num_hidden_layers":1)") ==
          "config.json says that there are 1 layers, but the files have the tensor "
          "\"model.layers.1.post_attention_layernorm.weight\" of one more.");
}

TEST_CASE("OPT's table of positions has two rows more, and its narrow vectors are refused", "[model][bad-input]") {
    CHECK(refusal_of(random_opt(), R"("max_position_embeddings":9)", R"("max_position_embeddings":11)") ==
          "config.json says \"max_position_embeddings\": 11, and 2 rows before them, and \"hidden_size\": 12, so the "
          "tensor \"model.decoder.embed_positions.weight\" should be (13, 12), but in its file it is (11, 12).");
    CHECK(refusal_of(random_opt(), R"("ffn_dim":20)", R"("ffn_dim":20,"word_embed_proj_dim":8)") ==
          "config.json says \"word_embed_proj_dim\": 8 and \"hidden_size\": 12, and this program computes OPT where "
          "both are the same alone.");
    CHECK(refusal_of(random_opt(), R"("ffn_dim":20)", R"("ffn_dim":20,"_remove_final_layer_norm":true)") ==
          "config.json says \"_remove_final_layer_norm\": true, and this program computes false alone.");
}

TEST_CASE("what Phi, StableLM, Cohere, GPT-J and BLOOM may say and this program does not compute is named",
          "[model][bad-input]") {
    const auto refusal_with = [](Checkpoint checkpoint, const std::string& member) {
        return refusal_of(std::move(checkpoint), "{", "{" + member + ",");
    };
    CHECK(refusal_with(random_beside("phi"), R"("qk_layernorm":true)") ==
          "config.json says \"qk_layernorm\": true, and this program computes false alone.");
    CHECK(refusal_with(random_beside("stablelm", R"(,"partial_rotary_factor":0.5)"), R"("qk_layernorm":true)") ==
          "config.json says \"qk_layernorm\": true, and this program computes false alone.");
    CHECK(refusal_with(random_beside("cohere"), R"("use_qk_norm":true)") ==
          "config.json says \"use_qk_norm\": true, and this program computes false alone.");
    CHECK(
        refusal_with(random_bloom(), R"("apply_residual_connection_post_layernorm":true)") ==
        "config.json says \"apply_residual_connection_post_layernorm\": true, and this program computes false alone.");
    CHECK(refusal_of(random_gptj(), R"("rotary_dim":2)", R"("rotary_dim":3)") ==
          "config.json turns 3 of the 4 numbers of a head; rotary positions need an even number of them.");
    CHECK(refusal_of(random_bloom(), R"("n_embed":12)", R"("n_embed":24)")
              .ends_with("the tensor \"word_embeddings.weight\" should be (17, 24), but in its file it is (17, 12)."));
    CHECK(refusal_of(random_beside("phi"), R"("phi")", R"("starcoder2")") ==
          "The tensor \"model.layers.0.self_attn.o_proj.weight\" is in no file, and config.json describes StarCoder2, "
          "which has it.");
}

TEST_CASE("mixtures of experts are refused by name", "[model][bad-input]") {
    const auto refusal = [](const std::string& config) {
        const Result<ModelConfig> read = read_model_config(config);
        return read ? "" : read.error();
    };
    CHECK(refusal(R"({"model_type":"mixtral"})") ==
          "config.json says \"model_type\": \"mixtral\", a mixture of experts: this program does not compute those.");
    CHECK(refusal(R"({"model_type":"gpt_oss","num_local_experts":32})") ==
          "config.json says \"num_local_experts\": 32, a mixture of experts: this program does not compute those.");
    CHECK(refusal(R"({"model_type":"qwen3_moe","num_experts":128})") ==
          "config.json says \"num_experts\": 128, a mixture of experts: this program does not compute those.");
    CHECK(refusal(R"({"model_type":"llama","num_experts":8})").find("a mixture of experts") != std::string::npos);
    CHECK(refusal(R"({"model_type":"llama","num_local_experts":0})").find("experts") == std::string::npos);
}

TEST_CASE("a matrix of queries, keys and values head by head that contradicts its config is named",
          "[model][bad-input]") {
    CHECK(refusal_of(random_gpt_neox(), R"("head_dim":4)", R"("head_dim":8)")
              .ends_with("so the tensor \"gpt_neox.layers.0.attention.query_key_value.weight\" should be (72, 12), but "
                         "in its file it is (36, 12)."));
}

}  // namespace attn::test
