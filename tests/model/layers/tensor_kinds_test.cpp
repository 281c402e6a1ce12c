// Files as training programs write them: other prefixes, other layouts, no biases, no kind.
#include "model/layers/tensor_kinds.h"

#include <catch_amalgamated.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "model/layers/forward_reference.h"
#include "model/layers/model_run.h"
#include "model/layers/random_model.h"
#include "model/learn/model_nudge.h"

using attn::test::Checkpoint;
using attn::test::random_gpt2;
using Catch::Matchers::ContainsSubstring;

namespace {

using Remarks = std::vector<std::string>;

attn::Result<attn::Model> load_with(const Checkpoint& checkpoint, Remarks* remarks) {
    attn::Result<attn::TensorFiles> files =
        attn::TensorFiles::open(attn::test::sources({{"model.safetensors", checkpoint.file()}}));
    REQUIRE(files);
    return attn::load_model(checkpoint.config, std::move(*files), remarks);
}

Remarks remarks_of(const Checkpoint& checkpoint) {
    Remarks remarks;
    const attn::Result<attn::Model> model = load_with(checkpoint, &remarks);
    INFO(model.error());
    REQUIRE(model);
    return remarks;
}

std::string refusal_of_files(const Checkpoint& checkpoint) {
    const attn::Result<attn::Model> model = load_with(checkpoint, nullptr);
    return model ? "" : model.error();
}

attn::MatrixD stream_of(const attn::Model& model) {
    attn::ModelInput input;
    input.ids = {3, 1, 16, 0};
    return attn::forward_reference(model, input).final_stream;
}

// GPT-2 with the numbers of random_gpt2, its matrices turned as nn.Linear keeps them.
Checkpoint as_linear(const Checkpoint& plain, const std::string& prefix) {
    const attn::Result<attn::Model> model = plain.load();
    REQUIRE(model);
    Checkpoint turned{.config = plain.config, .shapes = {}};
    for (const auto& tensor : model->tensors) {
        const std::vector<std::int64_t>& shape = tensor->filed().tensor.shape;
        const std::string name = prefix + tensor->name().substr(std::string("transformer.").size());
        const std::vector<float> own = numbers_of(tensor.get());
        const bool is_matrix = shape.size() == 2 && tensor->name().find(".h.") != std::string::npos;
        turned.shapes[name] = is_matrix ? std::vector<std::int64_t>{shape[1], shape[0]} : shape;
        std::vector<float>& to = turned.numbers[name];
        to = own;
        for (std::size_t i = 0; is_matrix && i < own.size(); ++i) {
            const auto columns = static_cast<std::size_t>(shape[1]), rows = static_cast<std::size_t>(shape[0]);
            to[i % columns * rows + i / columns] = own[i];
        }
    }
    return turned;
}

}  // namespace

TEST_CASE("GPT-2's tensors are found behind any prefix, also as nn.Linear keeps them", "[model][reference]") {
    const Checkpoint plain = random_gpt2("transformer.");
    for (const char* prefix : {"", "transformer.", "_orig_mod.transformer.", "module._orig_mod.", "model.gpt."}) {
        CAPTURE(prefix);
        const attn::Result<attn::Model> model = as_linear(plain, prefix).load();
        INFO(model.error());
        REQUIRE(model);
        CHECK(stream_of(*model) == stream_of(*plain.load()));
    }
    // The head lies beside the model, or further out.
    for (const char* prefix : {"_orig_mod.transformer.", "_orig_mod."}) {
        Checkpoint headed = as_linear(plain, prefix);
        headed.shapes["_orig_mod.lm_head.weight"] = {17, 12};
        const attn::Result<attn::Model> model = headed.load();
        REQUIRE(model);
        CHECK(model->weights.unembedding.weight->name() == "_orig_mod.lm_head.weight");
    }
    Checkpoint two = as_linear(plain, "student.");
    two.shapes.merge(as_linear(plain, "teacher.").shapes);
    CHECK(refusal_of_files(two) ==
          "The files hold several models: they have the tensors \"student.wte.weight\" and \"teacher.wte.weight\". "
          "Save the tensors of one of them.");
}

TEST_CASE("biases that no layer has count as 0, and one that others have is missing", "[model][bad-input]") {
    Checkpoint zero = as_linear(random_gpt2("transformer."), "_orig_mod.transformer."), bare = zero;
    for (auto& [name, numbers] : zero.numbers) {
        if (!name.ends_with(".bias")) continue;
        numbers.assign(numbers.size(), 0.0F);
        bare.shapes.erase(name);
        bare.numbers.erase(name);
    }
    const attn::Result<attn::Model> without_biases = bare.load(), with_zeros = zero.load();
    INFO(without_biases.error());
    REQUIRE((without_biases && with_zeros));
    CHECK(num_parameters(*without_biases) < num_parameters(*with_zeros));
    CHECK(stream_of(*without_biases) == stream_of(*with_zeros));
    // Each of the ways to compute it.
    attn::ModelInput input;
    input.ids = {3, 1, 16, 0};
    CHECK(attn::logits_of(*without_biases, input) == attn::logits_of(*with_zeros, input));
    // What an nn.Linear's number weighs in the loss; the gradient is of GPT-2's own files alone.
    const attn::ModelTensor& tensor = *without_biases->tensors.back();
    CHECK(attn::nudge_model(*without_biases, input, tensor, 3).slope() ==
          attn::nudge_model(*with_zeros, input, *with_zeros->tensors.at(with_zeros->tensors.size() - 2), 3).slope());
    CHECK(!attn::gradient_of_number(*without_biases, input, tensor, 3));
    for (const std::string name : {"h.0.attn.c_attn.bias", "h.1.attn.c_proj.bias", "h.1.ln_2.bias", "ln_f.bias"}) {
        Checkpoint cut = zero;
        REQUIRE(cut.shapes.erase("_orig_mod.transformer." + name) == 1);
        CHECK(refusal_of_files(cut) ==
              attn::concat("The tensor \"_orig_mod.transformer.", name,
                           "\" is in no file, and config.json describes GPT-2, which has it."));
    }
}

TEST_CASE("a config without a kind gets that of its tensors, and the text's part of a larger one is read", "[model]") {
    const auto first_remark = [](Checkpoint checkpoint, const std::string& from) {
        checkpoint.config.erase(checkpoint.config.find(from), from.size());
        return remarks_of(checkpoint).at(0);
    };
    const std::string says = "no file says what kind of model it is: its tensors are those of ";
    CHECK(first_remark(random_gpt2(), "\"model_type\":\"gpt2\",") == says + "GPT-2");
    CHECK(first_remark(attn::test::random_bert(true), "\"model_type\":\"bert\",") == says + "BERT");
    for (const std::string type : {"llama", "qwen2", "qwen3"})
        CHECK(first_remark(attn::test::random_llama(type), attn::concat("\"model_type\":\"", type, "\",")) ==
              says + "a model like Llama");
    Checkpoint part = attn::test::random_llama("llama");
    part.config = attn::concat(R"({"model_type":"llava","tie_word_embeddings":false,"text_config":)", part.config, "}");
    CHECK(remarks_of(part) ==
          Remarks{"the files are of a model that does more than read text: this is the part that does"});
    // As newer files have it: the head is further out than the part.
    Checkpoint newer{.config = part.config, .shapes = {}};
    for (const auto& [name, shape] : part.shapes)
        newer.shapes[name == "lm_head.weight" ? name : "model.language_model." + name.substr(6)] = shape;
    CHECK(remarks_of(newer).size() == 1);
    CHECK(refusal_of_files(
              {.config = R"({"model_type":"llava","text_config":{"model_type":"mamba"}})", .shapes = newer.shapes})
              .starts_with("config.json says \"model_type\": \"mamba\"; this program knows gpt2, gpt_neo, bert, "));
}

TEST_CASE("without a config kind and sizes are those of the tensors, and heads are asked", "[model][reference]") {
    for (const Checkpoint& whole : {random_gpt2("transformer."), attn::test::random_gpt_neo(),
                                    attn::test::random_bert(true), as_linear(random_gpt2("transformer."), "module.")}) {
        CAPTURE(whole.shapes.begin()->first);
        Checkpoint bare = whole;
        bare.config = R"({"n_head":3,"num_heads":3,"num_attention_heads":3})";
        attn::Result<attn::Model> wanted = whole.load(), model = bare.load();
        INFO(model.error());
        REQUIRE((wanted && model));
        CHECK(model->config.num_layers == 2);
        CHECK(model->config.mlp_width == wanted->config.mlp_width);
        CHECK(model->config.max_positions == 9);
        model->config.activation = wanted->config.activation;  // assumed
        model->config.windows = wanted->config.windows;
        CHECK(stream_of(*model) == stream_of(*wanted));
        bare.config = "";
        CHECK_THAT(refusal_of_files(bare), ContainsSubstring("do not tell how many heads there are: put a file "
                                                             "config.json beside them that says so, such as {\"n"));
    }
    // What is assumed is said. nanoGPT has no mask in its files, and another GELU than those that have.
    Checkpoint linear = as_linear(random_gpt2("transformer."), "");
    linear.config = R"({"n_head":3})";
    const Remarks remarks = remarks_of(linear);
    REQUIRE(remarks.size() == 3);
    CHECK(remarks[1] == R"(the tensors' shapes say "n_embd": 12, "n_layer": 2, "vocab_size": 17, "n_positions": 9, )"
                        R"("n_inner": 48)");
    CHECK(remarks[2] == R"(assumed, as no file says it: "layer_norm_epsilon": 1e-05, "activation_function": "gelu"; )"
                        "if the model was trained with something else, say it in config.json");
    CHECK(linear.load()->config.activation == attn::Activation::gelu_exact);
    linear.shapes["h.0.attn.bias"] = linear.shapes["h.1.attn.bias"] = {1, 1, 9, 9};
    CHECK(linear.load()->config.activation == attn::Activation::gelu_tanh);
    linear.config = R"({"n_head":3,"activation_function":"relu"})";
    CHECK(linear.load()->config.activation == attn::Activation::relu);
    // nanoGPT's own words for its sizes.
    linear.config = R"({"n_layer":2,"n_head":3,"n_embd":12,"block_size":9,"bias":true,"vocab_size":17,"dropout":0.0})";
    CHECK(remarks_of(linear).size() == 3);
    linear.config = R"({"n_layer":2,"n_head":5,"n_embd":12,"block_size":9,"vocab_size":17})";
    CHECK_THAT(refusal_of_files(linear), ContainsSubstring("\"n_head\" is 5, which does not divide \"n_embd\", 12"));
}

TEST_CASE("GPTModel of the book is GPT-2 by other names", "[model][reference]") {
    const Checkpoint plain = as_linear(random_gpt2("transformer."), "");
    Checkpoint book{
        .config = R"({"vocab_size":17,"context_length":9,"emb_dim":12,"n_heads":3,"n_layers":2,"qkv_bias":true})",
        .shapes = {}};
    const std::vector<std::pair<std::string, std::string>> names = {{"wte.", "tok_emb."},
                                                                    {"wpe.", "pos_emb."},
                                                                    {"h.", "trf_blocks."},
                                                                    {"ln_f.", "final_norm."},
                                                                    {".ln_1.", ".norm1."},
                                                                    {".ln_2.", ".norm2."},
                                                                    {".attn.c_proj.", ".att.out_proj."},
                                                                    {".mlp.c_fc.", ".ff.layers.0."},
                                                                    {".mlp.c_proj.", ".ff.layers.2."}};
    for (const auto& [name, numbers] : plain.numbers) {
        std::string other = name;
        for (const auto& [theirs, ours] : names) {
            const std::size_t at = other.find(theirs);
            if (at != std::string::npos && (at == 0) == (theirs[0] != '.')) other.replace(at, theirs.size(), ours);
        }
        if (other.find("norm") != std::string::npos) {
            const bool is_bias = other.ends_with("bias");
            other.replace(other.rfind('.') + 1, std::string::npos, is_bias ? "shift" : "scale");
        }
        const std::size_t stacked = other.find("attn.c_attn");
        if (stacked == std::string::npos) {
            book.shapes[other] = plain.shapes.at(name);
            book.numbers[other] = numbers;
            continue;
        }
        std::size_t part = 0;
        for (const std::string role : {"query", "key", "value"}) {
            std::string own = other;
            own.replace(stacked, std::string("attn.c_attn").size(), "att.W_" + role);
            book.shapes[own] = plain.shapes.at(name);
            book.shapes[own][0] = 12;
            const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(part++ * numbers.size() / 3);
            book.numbers[own].assign(begin, begin + static_cast<std::ptrdiff_t>(numbers.size() / 3));
        }
    }
    book.shapes["trf_blocks.0.att.mask"] = book.shapes["trf_blocks.1.att.mask"] = {9, 9};
    const attn::Result<attn::Model> model = book.load(), wanted = plain.load();
    INFO(model.error());
    REQUIRE((model && wanted));
    CHECK(stream_of(*model) == stream_of(*wanted));
    CHECK_FALSE(model->weights.unembedding.is_there());  // the token embeddings are no head of it
    book.config = R"({"n_heads":3})";
    REQUIRE(book.load());
    book.shapes["trf_blocks.0.att.gate.weight"] = {12, 12};
    CHECK_THAT(
        refusal_of_files(book),
        ContainsSubstring("\"trf_blocks.0.att.gate.weight\" is none of its tensors, so it may be another model"));
    book.shapes.erase("trf_blocks.0.att.gate.weight");
    book.shapes["classifier.weight"] = {2, 12};
    CHECK_THAT(remarks_of(book).back(), ContainsSubstring("are left alone: \"classifier.weight\""));
    book.shapes.erase("trf_blocks.1.ff.layers.2.bias");
    CHECK(refusal_of_files(book) ==
          "The tensor \"trf_blocks.1.ff.layers.2.bias\" is in no file, and the others are "
          "those of GPT-2, which has it.");
    book.numbers.erase("pos_emb.weight");
    book.shapes["pos_emb.weight"] = {9, 13};
    CHECK_THAT(refusal_of_files(book), ContainsSubstring("The other tensors say \"n_positions\": 9"));
}

TEST_CASE("tensors that do not tell the model are refused by what they are", "[model][bad-input]") {
    const auto refusal_of = [](const std::map<std::string, std::vector<std::int64_t>>& shapes) {
        return refusal_of_files({.config = "", .shapes = shapes});
    };
    for (const char* name : {"in_proj_weight", "attn.in_proj_weight", "sa.query.weight", "W_query.weight",
                             "to_q.weight", "self_attn.q_proj.weight", "c_attn.weight", "W_q"})
        CHECK(refusal_of({{name, {6, 2}}, {"out_proj.weight", {2, 2}}}) ==
              attn::concat("The file holds attention modules (\"", name,
                           "\") and nothing says of what model. For a model, bring its config.json; the playground "
                           "opens modules alone, from a file of at most 64 MiB, as the numbers of its own heads."));
    CHECK(refusal_of({{"blocks.0.attn.query.weight", {2, 2}}, {"blocks.1.attn.query.weight", {2, 2}}})
              .starts_with("The file holds attention modules (\"blocks.0.attn.query.weight\")"));
    CHECK(refusal_of({{"linear.weight", {2, 2}}}).starts_with("The model's config.json is missing"));
    CHECK_THAT(refusal_of(attn::test::random_llama("llama").shapes),
               ContainsSubstring("whether it is Llama, Gemma or another of the same names"));
    std::map<std::string, std::vector<std::int64_t>> roberta;
    for (const auto& [name, shape] : attn::test::random_bert(false).shapes) roberta["ro" + name] = shape;
    CHECK_THAT(refusal_of(roberta), ContainsSubstring("other models have these names too, such as RoBERTa"));
    Checkpoint one_type = attn::test::random_bert(false);
    one_type.shapes["bert.embeddings.token_type_embeddings.weight"] = {1, 12};
    CHECK_THAT(refusal_of(one_type.shapes), ContainsSubstring("such as RoBERTa"));
}
