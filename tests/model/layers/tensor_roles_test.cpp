// config.json and tensors: what contradicts is a sentence that names both.
#include "model/layers/tensor_roles.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "model/layers/random_model.h"

using attn::test::Checkpoint;

namespace {

std::string refusal_of_model(const Checkpoint& checkpoint) {
    const attn::Result<attn::Model> model = checkpoint.load();
    return model ? "" : model.error();
}

// The config with some text replaced.
Checkpoint with(Checkpoint checkpoint, const std::string& what, const std::string& by) {
    const std::size_t at = checkpoint.config.find(what);
    REQUIRE(at != std::string::npos);
    checkpoint.config.replace(at, what.size(), by);
    return checkpoint;
}

Checkpoint without(Checkpoint checkpoint, const std::string& tensor) {
    REQUIRE(checkpoint.shapes.erase(tensor) == 1);
    return checkpoint;
}

}  // namespace

TEST_CASE("config and tensors that contradict each other are both named", "[model][bad-input]") {
    using attn::test::random_bert;
    using attn::test::random_gpt2;
    using attn::test::random_llama;
    CHECK(
        refusal_of_model(with(random_gpt2(), "\"vocab_size\":17", "\"vocab_size\":18")) ==
        "config.json says \"vocab_size\": 18 and \"n_embd\": 12, so the tensor \"wte.weight\" should be (18, 12), but "
        "in its file it is (17, 12).");
    CHECK(
        refusal_of_model(with(random_gpt2(), "\"n_positions\":9", "\"n_positions\":1024")) ==
        "config.json says \"n_positions\": 1024 and \"n_embd\": 12, so the tensor \"wpe.weight\" should be (1024, 12), "
        "but in its file it is (9, 12).");
    CHECK(refusal_of_model(with(random_gpt2(), "\"n_layer\":2", "\"n_layer\":1")) ==
          "config.json says that there are 1 layers, but the files have the tensor \"h.1.ln_1.weight\" of one more.");
    CHECK(refusal_of_model(with(random_gpt2(), "\"n_layer\":2", "\"n_layer\":3")) ==
          "The tensor \"h.2.ln_1.weight\" is in no file, and config.json describes GPT-2, which has it.");
    CHECK(refusal_of_model(without(random_bert(), "bert.encoder.layer.1.output.dense.bias")) ==
          "The tensor \"bert.encoder.layer.1.output.dense.bias\" is in no file, and config.json describes BERT, which "
          "has "
          "it.");
    Checkpoint mixed = random_llama("llama");
    mixed.config = random_gpt2().config;
    CHECK(refusal_of_model(mixed) ==
          "config.json describes GPT-2, but the files have the tensor \"model.layers.0.self_attn.q_proj.weight\" of a "
          "model like Llama and no \"wte.weight\".");
    // A loader that took it for GPT-2 would compute plausible, wrong attention.
    Checkpoint neo = attn::test::random_gpt_neo();
    neo.config = random_gpt2().config;
    CHECK(refusal_of_model(neo) ==
          "config.json describes GPT-2, but the files have the tensor \"transformer.h.0.attn.attention.q_proj.weight\" "
          "of "
          "GPT-Neo and no \"transformer.h.0.attn.c_attn.weight\".");
    CHECK(refusal_of_model(with(random_llama("llama"), "\"num_key_value_heads\":2", "\"num_key_value_heads\":4")) ==
          "config.json says \"num_key_value_heads\": 4 of 6 numbers and \"hidden_size\": 12, so the tensor "
          "\"model.layers.0.self_attn.k_proj.weight\" should be (24, 12), but in its file it is (12, 12).");
    Checkpoint whole_numbers = random_gpt2();
    whole_numbers.type = "I32";
    CHECK(refusal_of_model(whole_numbers).starts_with("The tensor \"wte.weight\" has numbers of the type I32;"));
    CHECK(refusal_of_model(without(random_llama("qwen2"), "model.layers.0.self_attn.q_proj.bias"))
              .find("\"model.layers.0.self_attn.q_proj.bias\" is in no file") != std::string::npos);
}

TEST_CASE("logits come from the file's head, else from the token embeddings if the config ties them", "[model]") {
    const Checkpoint headless = without(attn::test::random_llama("llama"), "lm_head.weight");
    for (const char* key : {"", R"("tie_word_embeddings":false,)", R"("tie_word_embeddings":null,)"}) {
        CAPTURE(key);
        const attn::Result<attn::Model> untied = with(headless, "{", attn::concat('{', key)).load();
        REQUIRE(untied);
        CHECK_FALSE(untied->weights.unembedding.is_there());
    }
    const Checkpoint tied = with(headless, "{", R"({"tie_word_embeddings":true,)");
    const attn::Result<attn::Model> model = tied.load();
    REQUIRE(model);
    CHECK(model->weights.unembedding.weight == model->weights.token_embedding);
    const attn::Result<attn::Model> own = attn::test::random_llama("llama").load();
    REQUIRE(own);
    CHECK(own->weights.unembedding.weight->name() == "lm_head.weight");
    CHECK(num_parameters(*own) - num_parameters(*model) == 17 * 12);
    const Checkpoint gpt2 = attn::test::random_gpt2();
    const attn::Result<attn::Model> by_default = gpt2.load();
    REQUIRE(by_default);
    CHECK(by_default->weights.unembedding.weight == by_default->weights.token_embedding);
    const attn::Result<attn::Model> headless_gpt2 = with(gpt2, "{", R"({"tie_word_embeddings":false,)").load();
    REQUIRE(headless_gpt2);
    CHECK_FALSE(headless_gpt2->weights.unembedding.is_there());
    const attn::Result<attn::Model> none = attn::test::random_bert(false).load();
    REQUIRE(none);
    CHECK_FALSE(none->weights.unembedding.is_there());
}

TEST_CASE("a config that this program would compute wrongly is refused by its key", "[model][bad-input]") {
    const auto refusal = [](const std::string& config) {
        const attn::Result<attn::ModelConfig> read = attn::read_model_config(config);
        return read ? "" : read.error();
    };
    CHECK(refusal("{").starts_with("config.json is not valid JSON"));
    CHECK(refusal("[]") == "config.json is no object of settings.");
    CHECK(refusal(attn::concat(R"({"model_type":")", std::string(1'000'000, 'x'), R"("})")).size() < 400);
    CHECK(refusal(R"({"model_type":"t5"})")
              .starts_with("config.json says \"model_type\": \"t5\"; this program knows gpt2, gpt_neo, bert, "));
    CHECK(refusal("{}") ==
          "config.json has no \"model_type\", and not the \"attn_only\": true of TransformerLens' small models.");
    const std::string gpt2 = attn::test::random_gpt2().config;
    const auto changed = [&](const std::string& config, const std::string& what, const std::string& by) {
        std::string text = config;
        REQUIRE(text.find(what) != std::string::npos);
        return refusal(text.replace(text.find(what), what.size(), by));
    };
    CHECK(changed(gpt2, "\"n_embd\":12", "\"n_embd\":0") ==
          "config.json has no \"n_embd\" that is a whole number from 1 to 65536.");
    CHECK(changed(gpt2, "\"n_head\":3", "\"n_head\":5") ==
          "config.json contradicts itself: \"n_head\" is 5, which does not divide \"n_embd\", 12.");
    CHECK(changed(gpt2, "gelu_new", "mish") ==
          "config.json says \"activation_function\": \"mish\"; this program computes \"gelu_new\", \"gelu\", \"relu\" "
          "and \"silu\".");
    CHECK(changed(gpt2, "\"n_head\":3", "\"n_head\":3,\"scale_attn_by_inverse_layer_idx\":true") ==
          "config.json says \"scale_attn_by_inverse_layer_idx\": true, and this program computes false alone.");
    const std::string llama = attn::test::random_llama("llama").config;
    CHECK(changed(llama, "\"head_dim\":6", "\"head_dim\":5") ==
          "config.json turns 5 of the 5 numbers of a head; rotary positions need an even number of them.");
    CHECK(changed(llama, "\"num_key_value_heads\":2", "\"num_key_value_heads\":3") ==
          "config.json contradicts itself: \"num_key_value_heads\" is 3, which does not divide "
          "\"num_attention_heads\", 4.");
    CHECK(
        changed(attn::test::random_gpt_neo().config, "],1]", "],3]") ==
        "config.json contradicts itself: \"num_layers\" is 2, and \"attention_types\" says \"global\" or \"local\" for "
        "6.");
}

// The configs as their repositories have them.
TEST_CASE("configs of known models have their known sizes", "[model][golden]") {
    // TinyStories-1M: global and local in turns, no division.
    const auto neo = attn::read_model_config(R"({"model_type":"gpt_neo","hidden_size":64,"num_layers":8,"num_heads":16,
        "vocab_size":50257,"max_position_embeddings":2048,"attention_types":[[["global","local"],4]],"window_size":256})");
    REQUIRE(neo);
    CHECK(neo->scale == attn::Scale::none);
    CHECK(neo->windows == std::vector<int>{0, 256, 0, 256, 0, 256, 0, 256});
    CHECK(neo->head_dim == 4);
    // Qwen3-0.6B: heads wider than the stream.
    const auto qwen = attn::read_model_config(R"({"model_type":"qwen3","hidden_size":1024,"num_hidden_layers":28,
        "num_attention_heads":16,"num_key_value_heads":8,"head_dim":128,"vocab_size":151936,"intermediate_size":3072,
        "max_position_embeddings":40960,"rope_theta":1000000,"hidden_act":"silu","use_sliding_window":false,
        "sliding_window":null,"max_window_layers":28})");
    REQUIRE(qwen);
    CHECK(qwen->attention_width() == 2048);
    CHECK(qwen->query_key_norm == attn::QueryKeyNorm::heads);
    CHECK(qwen->windows == std::vector<int>(28, 0));
}
