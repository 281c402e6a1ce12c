// Any bytes as a GGUF file: it is refused in a sentence, or each tensor's bytes are its own and lie in the file; then
// its tokenizer is refused in a sentence, or cuts a text; and it is no model in a sentence, or one that is computed.
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "fuzz/computed_model.h"
#include "fuzz/target.h"
#include "model/files/packed_type.h"
#include "model/layers/gguf_model.h"
#include "model/layers/gguf_twin.h"
#include "model/words/model_tokenizer.h"

namespace {

void check_sentence(const std::string& error) {
    ATTN_CHECK(error.ends_with('.') && error.size() > 20, "no sentence: ", error);
}

void check_header(const attn::Gguf& gguf, std::size_t size) {
    std::vector<bool> taken(size, false);
    for (const attn::StoredTensor& tensor : gguf.tensors) {
        ATTN_CHECK(tensor.begin <= tensor.end && tensor.end <= size, "a tensor outside of the file");
        const auto count = static_cast<std::uint64_t>(tensor.num_numbers());
        const std::uint64_t bytes = tensor.packed != nullptr
                                        ? count / tensor.packed->numbers * tensor.packed->bytes
                                        : count * static_cast<std::uint64_t>(tensor.type->bits) / 8;
        ATTN_CHECK(bytes == tensor.end - tensor.begin, "a tensor of another size");
        for (std::uint64_t at = tensor.begin; at < tensor.end; ++at) {
            ATTN_CHECK(!taken[at], "tensors overlap");
            taken[at] = true;
        }
    }
}

void check_tokenizer(const attn::Gguf& gguf) {
    const attn::Result<attn::TokenizerFiles> texts = attn::tokenizer_files(gguf, {});
    if (!texts) return check_sentence(texts.error());
    const attn::Result<attn::ModelTokenizer> tokenizer = attn::ModelTokenizer::read(*texts);
    if (!tokenizer) return check_sentence(tokenizer.error());
    const std::string_view text = "the t\u00e9xt <s> 12";
    for (const attn::ModelToken& token : tokenizer->encode(text).tokens) {
        ATTN_CHECK(token.begin <= token.end && token.end <= text.size(), "a token outside of the text");
        ATTN_CHECK(token.id >= -1 && token.id < tokenizer->size(), "token ", token.id);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string all(bytes, bytes + size);
    attn::Result<attn::TensorFiles> files = attn::TensorFiles::open(attn::test::sources({{"a.gguf", all}}));
    if (!files) {
        check_sentence(files.error());
        return 0;
    }
    if (files->gguf() == nullptr) return 0;
    check_header(*files->gguf(), size);
    check_tokenizer(*files->gguf());
    const attn::Result<attn::Model> model = attn::load_model("", std::move(*files));
    if (!model) {
        check_sentence(model.error());
        return 0;
    }
    compute_model(*model);
    return 0;
}

// By the link's length a model of one of the kinds, or a small file with one of the tokenizers and a tensor of each
// type. The link is a token.
std::string input_of_link(std::string_view link) {
    static const std::vector<attn::test::GgufTwin> twins = attn::test::gguf_twins();
    const std::size_t number = link.size() % (3 * twins.size());
    attn::test::GgufMaker maker;
    if (number < twins.size()) {
        const attn::Result<attn::ModelConfig> config = attn::read_model_config(twins[number].checkpoint.config);
        maker = attn::test::gguf_of(twins[number], config->head_dim);
    } else {
        maker.text("general.architecture", "llama");
        maker.whole("llama.embedding_length", 32);
        std::uint32_t type = 0;
        for (const auto& [filed, size] : {std::pair(0, 128), std::pair(1, 64), std::pair(2, 18), std::pair(6, 22),
                                          std::pair(8, 34), std::pair(30, 64)})
            maker.tensor("blk.0.x" + std::to_string(type++), {1, 32}, static_cast<std::uint32_t>(filed),
                         std::string(static_cast<std::size_t>(size), 'q'));
    }
    constexpr const char* kModels[] = {"gpt2", "llama", "bert"};
    const char* tokenizer = kModels[number % 3];
    maker.text("tokenizer.ggml.model", tokenizer);
    maker.text("tokenizer.ggml.pre", number % 2 == 0 ? "llama-bpe" : "smollm");
    maker.texts("tokenizer.ggml.tokens",
                {"<s>", "t", "h", "e", "th", "the", "\u2581", "\u2581t", "<0x41>", "[UNK]", "x", std::string(link)});
    maker.texts("tokenizer.ggml.merges", {"t h", "th e"});
    maker.wholes("tokenizer.ggml.token_type", {3, 1, 1, 1, 1, 1, 1, 1, 6, 2, 4, 1});
    maker.list("tokenizer.ggml.scores", 6, 12,
               attn::test::float_bytes({0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11}));
    maker.whole("tokenizer.ggml.bos_token_id", 0);
    return maker.file();
}
