// A model's files on their way in: each that is bad is a sentence.
#include "playground/models/model_opening.h"

#include <catch_amalgamated.hpp>
#include <limits>

#include "model/files/gguf_bytes.h"
#include "playground/models/small_model.h"

using namespace attn;
using namespace attn::test;

namespace {

std::string opening_problem(ModelFiles files) {
    Result<ModelOpening> opening = ModelOpening::begin(std::move(files));
    if (!opening) return opening.error();
    while (!opening->is_done()) {
        if (const std::string problem = opening->advance(100); !problem.empty()) return problem;
    }
    const Result<std::shared_ptr<const LoadedModel>> model = opening->take();
    return model ? "" : model.error();
}

// A llama of one layer and 32 channels whose matrices are in Q8_0; `d` is the factor of its value's first block.
ModelFiles small_gguf(float base = 100, const std::string& d = std::string("\0\x24", 2)) {
    GgufMaker maker;
    maker.text("general.architecture", "llama");
    for (const char* key : {"llama.embedding_length", "llama.feed_forward_length"}) maker.whole(key, 32);
    for (const char* key : {"llama.attention.head_count", "llama.context_length"}) maker.whole(key, 4);
    maker.whole("llama.block_count", 1);
    maker.number("llama.rope.freq_base", base);
    const auto packed = [&](const std::string& name, std::int64_t rows, const std::string& factor) {
        std::string bytes;
        for (std::int64_t row = 0; row < rows; ++row)
            bytes += (row == 0 ? factor : std::string("\0\x24", 2)) + std::string(32, static_cast<char>(row));
        maker.tensor(name, {rows, 32}, 8, bytes);
    };
    packed("token_embd.weight", 4, std::string("\0\x24", 2));
    for (const char* norm : {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight"})
        maker.floats(norm, {32}, std::vector<float>(32, 1));
    for (const char* part : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"})
        packed(concat("blk.0.", part, ".weight"), 32,
               std::string_view(part) == "attn_v" ? d : std::string("\0\x24", 2));
    ModelFiles files;
    files.tensors = sources({{"small.gguf", maker.file()}});
    return files;
}

std::string name_of(ModelFiles files) {
    Result<ModelOpening> opening = ModelOpening::begin(std::move(files));
    REQUIRE(opening);
    while (!opening->is_done()) REQUIRE(opening->advance(77).empty());
    return (*opening->take())->name();
}

}  // namespace

TEST_CASE("a model is named by its kind and its digest, which differs where a number does", "[model][files]") {
    const std::string name = name_of(small_model_files(random_gpt2()));
    CHECK(name.starts_with("gpt2-"));
    CHECK(name.size() == 5 + 16);
    CHECK(name == name_of(small_model_files(random_gpt2())));
    Checkpoint other = random_gpt2();
    other.numbers["ln_f.bias"] = std::vector<float>(12, 0.25F);
    CHECK(name != name_of(small_model_files(other)));
}

TEST_CASE("what is missing or does not belong together is a sentence", "[model][bad-input]") {
    ModelFiles files = small_model_files(random_gpt2());
    files.config.clear();
    CHECK(
        opening_problem(std::move(files)).starts_with("The tensors are those of GPT-2 and do not tell how many heads"));
    files = small_model_files(random_gpt2());
    files.tensors.clear();
    CHECK(opening_problem(std::move(files)).starts_with("The file with the model's numbers is missing"));
    std::string tokenizer = kSmallTokenizer;
    tokenizer.replace(tokenizer.find("\"##s\":16"), 8, "\"##s\":17");
    CHECK(
        opening_problem(small_model_files(random_gpt2(), tokenizer)) ==
        "The tokenizer has the token 17, but config.json says that the model has 17 tokens: these files do not belong "
        "together.");
}

TEST_CASE("the files of two models are refused, and how a config was read is told", "[model][bad-input]") {
    ModelFiles files = small_model_files(random_gpt2());
    CHECK(files.take_text("config.json", files.config));
    CHECK(opening_problem(std::move(files)).empty());
    files = small_model_files(random_gpt2());
    for (const int folder : {1, 2}) CHECK(files.take_text("config.json", concat("{\"n_head\": ", folder, "}")));
    CHECK(opening_problem(std::move(files)) == "Two files are called \"config.json\": open one model at a time.");
    files = small_model_files(random_gpt2());
    files.config = R"({"n_head":3})";
    Result<ModelOpening> opening = ModelOpening::begin(std::move(files));
    REQUIRE(opening);
    while (!opening->is_done()) REQUIRE(opening->advance(1000).empty());
    const Result<std::shared_ptr<const LoadedModel>> model = opening->take();
    REQUIRE(model);
    CHECK((*model)->notes_on("the").at(0) == "no file says what kind of model it is: its tensors are those of GPT-2");
}

TEST_CASE("without a tokenizer tokens are given by their numbers", "[model][bad-input]") {
    for (const std::string& tokenizer : {std::string(), std::string("{}")}) {
        ModelFiles files = small_model_files(random_gpt2());
        files.tokenizer = {.tokenizer_json = tokenizer};
        Result<ModelOpening> opening = ModelOpening::begin(std::move(files));
        REQUIRE(opening);
        while (!opening->is_done()) REQUIRE(opening->advance(1000).empty());
        const std::shared_ptr<const LoadedModel> model = *opening->take();
        const Tokens tokens = model->tokenize("3, 16\t0");
        REQUIRE(tokens.tokens.size() == 3);
        CHECK((tokens.tokens[1].text == "16" && tokens.tokens[1].begin == 3 && tokens.tokens[1].end == 5));
        const Notes notes = model->notes_on("3 cats 17 16");
        REQUIRE(notes.size() == 2);
        CHECK(notes[0] == (tokenizer.empty()
                               ? "write tokens by their numbers, such as 15 3 8: no text is read, as there is no "
                                 "tokenizer (There is no tokenizer: tokenizer.json is missing, and so are vocab.json "
                                 "with merges.txt, vocab.txt and tokenizer.model)"
                               : "write tokens by their numbers, such as 15 3 8: no text is read, as there is no "
                                 "tokenizer (tokenizer.json has no \"model\": it is the file of no tokenizer)"));
        CHECK(notes[1].starts_with("\"cats\", \"17\" left out: the model "));
        CHECK(model->tokenizer().written_text_of(16) == " 16");
    }
}

TEST_CASE("numbers that are none are counted and told, however the slices fall", "[model][bad-input]") {
    Checkpoint checkpoint = random_gpt2();
    checkpoint.numbers["ln_f.bias"] = std::vector<float>(12, 0.0F);
    checkpoint.numbers["ln_f.bias"][3] = std::numeric_limits<float>::quiet_NaN();
    checkpoint.numbers["ln_f.bias"][7] = std::numeric_limits<float>::infinity();
    const auto model = small_model("small", checkpoint);
    CHECK(model->notes_on("the hat") == Notes{"the model's tensor \"ln_f.bias\" has 1 NaN and 1 infinite numbers"});
}

TEST_CASE("a GGUF file opens alone, and packed numbers that are none are counted", "[model][files]") {
    const std::string name = name_of(small_gguf());
    CHECK(name.starts_with("llama-"));
    CHECK(name == name_of(small_gguf()));
    CHECK(name != name_of(small_gguf(200)));
    CHECK(name != name_of(small_gguf(100, std::string("\0\x28", 2))));
    Result<ModelOpening> opening = ModelOpening::begin(small_gguf(100, std::string("\0\x7e", 2)));
    REQUIRE(opening);
    CHECK(opening->bytes_in_all() == 3 * 128 + (4 + 7 * 32) * 34);
    while (!opening->is_done()) REQUIRE(opening->advance(77).empty());
    const Result<std::shared_ptr<const LoadedModel>> model = opening->take();
    REQUIRE(model);
    CHECK((*model)->notes_on("1 2") ==
          Notes{"the file's numbers are packed (Q8_0): each becomes a float of 32 bits where it is read",
                "the model's tensor \"model.layers.0.self_attn.v_proj.weight\" has 32 NaN and 0 infinite numbers",
                "write tokens by their numbers, such as 15 3 8: no text is read, as there is no tokenizer (The file "
                "\"small.gguf\" has no tokenizer (\"tokenizer.ggml.model\"))"});
}

TEST_CASE("the files of a model are known by their names", "[model][files]") {
    for (const char* name : {"config.json", "model.safetensors", "model-Q8_0.gguf", "model-00001-of-00002.safetensors",
                             "vocab.txt", "tokenizer.model", "spiece.model", "vocab.bpe", "cl100k_base.tiktoken"})
        CHECK(is_model_file(name));
    for (const char* name : {"lesson.attention", "x.npy", "numbers.json"}) CHECK_FALSE(is_model_file(name));
}
