// Checkpoints of every architecture that is read, as GGUF files: each number of the logits is that of the same model's
// safetensors file; what is refused, and in whose words. tests/torch/gguf_files.test.mjs has packed numbers.
#include "model/layers/gguf_model.h"

#include <catch_amalgamated.hpp>
#include <cstring>

#include "model/layers/gguf_twin.h"
#include "model/layers/model_run.h"

using attn::Model;
using attn::Result;
using attn::test::GgufMaker;
using attn::test::GgufTwin;

namespace {

Result<Model> load_gguf(const std::string& bytes, std::vector<std::string>* remarks = nullptr) {
    Result<attn::TensorFiles> files = attn::TensorFiles::open(attn::test::sources({{"m.gguf", bytes}}));
    if (!files) return Result<Model>::failure(files.error());
    return load_model("{\"model_type\":\"another\"}", std::move(*files), remarks);
}

bool have_same_bits(const attn::Matrix& a, const attn::Matrix& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// A llama of two layers in the making, with `more` settings and tensors.
GgufMaker maker_of_llama() {
    return attn::test::gguf_of(attn::test::gguf_twins().front(), 6);
}

std::string why_not(const GgufMaker& maker) {
    const Result<Model> model = load_gguf(maker.file());
    return model ? "" : model.error();
}

// The bytes with one text in the place of another of the same length.
std::string replaced_text(std::string bytes, std::string_view from, std::string_view to) {
    REQUIRE(from.size() == to.size());
    for (std::size_t at = bytes.find(from); at != bytes.npos; at = bytes.find(from, at + 1))
        bytes.replace(at, from.size(), to);
    return bytes;
}

}  // namespace

TEST_CASE("a GGUF file has the numbers of its safetensors twin, to the last bit", "[model][reference]") {
    for (const GgufTwin& twin : attn::test::gguf_twins()) {
        INFO(twin.architecture << " " << twin.checkpoint.config);
        const Result<Model> usual = twin.checkpoint.load();
        REQUIRE(usual);
        const GgufMaker maker = attn::test::gguf_of(twin, usual->config.head_dim);
        const Result<Model> model = load_gguf(maker.file());
        INFO(model.error());
        REQUIRE(model);
        CHECK(model->config.windows == usual->config.windows);
        CHECK(model->config.norm_eps == usual->config.norm_eps);
        CHECK(model->config.rope.base == usual->config.rope.base);
        CHECK(model->config.rope.dim == usual->config.rope.dim);
        const attn::ModelInput input = {.ids = {3, 16, 0, 3, 7, 7, 11}, .types = {}};
        attn::ModelRun run(*model, input), usual_run(*usual, input);
        REQUIRE((run.advance(1'000'000'000) && usual_run.advance(1'000'000'000)));
        CHECK(have_same_bits(run.stream(2), usual_run.stream(2)));
        if (usual->weights.unembedding.is_there()) {
            CHECK(have_same_bits(logits_of(*model, input), logits_of(*usual, input)));
        }
    }
}

TEST_CASE("a GGUF file that is read in parts has the same numbers", "[model]") {
    // Parts of a matrix of paired rows are of whole heads.
    GgufTwin twin = attn::test::gguf_twins().front();
    twin.architecture = "smollm3";
    twin.checkpoint = attn::test::random_like_llama("smollm3", "", {.heads = 16, .kv_heads = 8, .head_dim = 4});
    const Result<Model> usual = twin.checkpoint.load();
    REQUIRE(usual);
    Result<attn::TensorFiles> files =
        attn::TensorFiles::open(attn::test::sources({{"m.gguf", attn::test::gguf_of(twin, 4).file()}}));
    REQUIRE(files);
    Result<attn::ModelLoad> load = attn::ModelLoad::begin("", std::move(*files), {.most_bytes = 1, .part_bytes = 256});
    INFO(load.error());
    REQUIRE(load);
    while (!load->is_done()) REQUIRE(load->advance(100).empty());
    const Model model = load->take();
    REQUIRE(model.store != nullptr);
    CHECK(model.weights.layers[0].query.weight->num_parts() > 1);
    const attn::ModelInput input = {.ids = {3, 16, 0, 3, 7, 7, 11}, .types = {}};
    CHECK(have_same_bits(logits_of(model, input), logits_of(*usual, input)));
}

TEST_CASE("factors of Llama 3's rotary positions divide frequencies as its formula does", "[model][reference]") {
    GgufTwin twin = attn::test::gguf_twins().front();
    const std::string scaling =
        R"("rope_scaling":{"rope_type":"llama3","factor":4,"low_freq_factor":1,"high_freq_factor":4,)"
        R"("original_max_position_embeddings":64},"rope_theta")";
    attn::test::Checkpoint with_formula = twin.checkpoint;
    with_formula.config.replace(with_formula.config.find("\"rope_theta\""), 12, scaling);
    const Result<Model> usual = with_formula.load();
    REQUIRE(usual);
    GgufMaker maker = attn::test::gguf_of(twin, 6);
    // By the converter's formula: what a frequency is divided by.
    std::vector<float> factors;
    for (int pair = 0; pair < 3; ++pair) {
        const double wavelength = 2 * 3.14159265358979323846 * std::pow(500.0, pair / 3.0);
        const double smooth = (64 / wavelength - 1) / (4 - 1);
        const double factor = wavelength < 64.0 / 4 ? 1 : wavelength > 64 ? 4 : 1 / ((1 - smooth) / 4 + smooth);
        factors.push_back(static_cast<float>(factor));
    }
    CHECK(factors[0] == 1);
    CHECK(factors[1] > 1);
    CHECK(factors[2] == 4);
    maker.floats("rope_freqs.weight", {3}, factors);
    const Result<Model> model = load_gguf(maker.file());
    INFO(model.error());
    REQUIRE(model);
    const std::vector<double> wanted = rope_frequencies(usual->config.rope, 9);
    const std::vector<double> found = rope_frequencies(model->config.rope, 9);
    REQUIRE(found.size() == 3);
    // The file has the factors as floats.
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found[i] / wanted[i] - 1) < 1e-7);
}

TEST_CASE("the scale of Gemma's scores and its layers with a window are what a GGUF file says", "[model]") {
    const GgufTwin gemma2 = {"gemma2", attn::test::random_gemma("gemma2"), attn::test::four_norm_renames()};
    GgufMaker maker = attn::test::gguf_of(gemma2, 6);
    CHECK(load_gguf(maker.file())->config.temperature == 1);
    maker.number("gemma2.attention.scale", 0.25F);
    CHECK(load_gguf(maker.file())->config.temperature == std::sqrt(16.0F / 6));

    const GgufTwin gemma3 = {"gemma3", attn::test::random_gemma("gemma3_text", R"(,"sliding_window":3)"),
                             attn::test::four_norm_renames()};
    maker = attn::test::gguf_of(gemma3, 6);
    CHECK(load_gguf(maker.file())->config.windows == std::vector<int>{3, 3});
    maker.list("gemma3.attention.sliding_window_pattern", 7, 2, std::string("\0\1", 2));
    CHECK(load_gguf(maker.file())->config.windows == std::vector<int>{0, 3});
}

TEST_CASE("a GGUF file that would be computed wrongly is refused by what it says", "[model][bad-input]") {
    const auto with = [](auto change) {
        GgufMaker maker = maker_of_llama();
        change(maker);
        return why_not(maker);
    };
    CHECK(with([](GgufMaker&) {}).empty());
    CHECK(
        with([](GgufMaker& maker) { maker.whole("llama.expert_count", 8); }) ==
        "The file \"m.gguf\" has the setting \"llama.expert_count\": it is a mixture of experts, and this program does "
        "not compute those.");
    CHECK(with([](GgufMaker& maker) { maker.whole("llama.expert_count", 0); }).empty());
    CHECK(with([](GgufMaker& maker) { maker.number("llama.residual_scale", 0.5F); }) ==
          "The file \"m.gguf\" has the setting \"llama.residual_scale\", which this program does not know.");
    CHECK(with([](GgufMaker& maker) { maker.number("llama.residual_scale", 1); }).empty());
    CHECK(
        with([](GgufMaker& maker) { maker.text("llama.rope.scaling.type", "ntk"); }) ==
        "The file \"m.gguf\" stretches its rotary positions by \"ntk\"; this program computes \"linear\", \"yarn\" and "
        "\"longrope\" with its factors.");
    CHECK(with([](GgufMaker& maker) { maker.floats("blk.0.ffn_gate_inp.weight", {12}, std::vector<float>(12)); }) ==
          "The file \"m.gguf\" has the tensor \"blk.0.ffn_gate_inp.weight\" of a mixture of experts, and this program "
          "does "
          "not compute those.");
    CHECK(with([](GgufMaker& maker) { maker.floats("blk.0.attn_sinks.weight", {4}, std::vector<float>(4)); }) ==
          "The file \"m.gguf\" has the tensor \"blk.0.attn_sinks.weight\", which llama does not have in this program.");
    CHECK(
        with([](GgufMaker& maker) { maker.floats("blk.2.attn_norm.weight", {12}, std::vector<float>(12)); }) ==
        "The file \"m.gguf\" says that there are 2 layers, but the files have the tensor \"blk.2.attn_norm.weight\" of "
        "one more.");
    CHECK(with([](GgufMaker& maker) { maker.flag("llama.attention.causal", false); }) ==
          "The file \"m.gguf\" has the setting \"llama.attention.causal\", false: this program computes true alone.");
    CHECK(with([](GgufMaker& maker) { maker.floats("rope_freqs.weight", {3}, {1, 1e-9F, 1}); }) ==
          "The file \"m.gguf\" has rotary positions with a \"short_factor\" below 1/16, which this program does not "
          "compute.");
    CHECK(with([](GgufMaker& maker) {
              const std::string key = attn::test::gguf_text("llama.rope.freq_base") + attn::test::little_endian(6, 4);
              maker.settings.replace(maker.settings.find(key) + key.size(), 4, attn::test::float_bytes({1e-9F}));
          }) == "The file \"m.gguf\" has a \"llama.rope.freq_base\" below 1, which this program does not compute.");
    CHECK(with([](GgufMaker& maker) { maker.text("general.type", "adapter"); }) ==
          "The file \"m.gguf\" says that it is \"adapter\", not a whole model.");
    CHECK(with([](GgufMaker& maker) { maker.texts("tokenizer.ggml.tokens", std::vector<std::string>(18, "a")); }) ==
          "The file \"m.gguf\" has a tokenizer of 18 tokens and vectors of 17 in \"token_embd.weight\".");
    CHECK(with([](GgufMaker& maker) { maker.list("llama.rope.dimension_sections", 5, 1, std::string(4, '\1')); }) ==
          "The file \"m.gguf\" has the setting \"llama.rope.dimension_sections\", which this program does not know.");

    GgufMaker empty;
    CHECK(why_not(empty) ==
          "The file \"m.gguf\" has no \"general.architecture\", which says what kind of model it is.");
    empty.text("general.architecture", "mamba");
    CHECK(
        why_not(empty) ==
        "The file \"m.gguf\" is of the architecture \"mamba\"; this program reads llama, qwen2, qwen3, gemma, gemma2, "
        "gemma3, smollm3, phi3, olmo2, stablelm, command-r, starcoder2, phi2, gptneox, bloom, gpt2 and bert.");
    GgufMaker bare;
    bare.text("general.architecture", "llama");
    CHECK(why_not(bare) == "The file \"m.gguf\" has no setting \"llama.embedding_length\" that is a whole number.");
}

TEST_CASE("settings and tensors of a GGUF file that contradict each other are named as they are there",
          "[model][bad-input]") {
    const std::string bytes = maker_of_llama().file();
    const auto refusal = [&](std::string_view from, std::string_view to) {
        const Result<Model> model = load_gguf(replaced_text(bytes, from, to));
        return model ? "" : model.error();
    };
    using attn::test::gguf_text;
    using attn::test::little_endian;
    const auto whole = [](std::string_view key, std::uint64_t number) {
        return gguf_text(key) + little_endian(4, 4) + little_endian(number, 4);
    };
    CHECK(
        refusal(whole("llama.feed_forward_length", 20), whole("llama.feed_forward_length", 21)) ==
        "The file \"m.gguf\" says \"llama.feed_forward_length\": 21 and \"llama.embedding_length\": 12, so the tensor "
        "\"blk.0.ffn_gate.weight\" should be (21, 12), but in its file it is (20, 12).");
    CHECK(refusal(whole("llama.attention.head_count_kv", 2), whole("llama.attention.head_count_kv", 3)) ==
          "The file \"m.gguf\" contradicts itself: \"llama.attention.head_count_kv\" is 3, which does not divide "
          "\"llama.attention.head_count\", 4.");
    CHECK(refusal("blk.1.attn_v.weight", "blk.3.attn_v.weight") ==
          "The tensor \"blk.1.attn_v.weight\" is in no file, and the file \"m.gguf\" describes Llama, which has it.");
    CHECK(refusal("token_embd.weight", "token_embx.weight") ==
          "The file \"m.gguf\" has no tensor \"token_embd.weight\" with a vector for each token.");
    CHECK(refusal(whole("llama.embedding_length", 12), whole("llama.embedding_length", 0)) ==
          "The file \"m.gguf\" has no \"llama.embedding_length\" that is a whole number from 1 to 65536.");
}
