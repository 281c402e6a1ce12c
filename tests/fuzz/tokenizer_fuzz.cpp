// Any bytes as a tokenizer's files and as a text for it: the files are refused in a sentence, or each token has a place
// in the text. The bytes are cut at the first NUL.
#include <array>

#include "core/ground/check.h"
#include "fuzz/target.h"
#include "model/words/model_tokenizer.h"

namespace {

void encode_and_check(const attn::ModelTokenizer& tokenizer, std::string_view text) {
    for (const bool adds_special : {false, true}) {
        const attn::ModelTokens tokens = tokenizer.encode(text, adds_special);
        for (const attn::ModelToken& token : tokens.tokens) {
            ATTN_CHECK(token.begin <= token.end && token.end <= text.size(), "a token outside of the text");
            ATTN_CHECK(token.id >= -1 && token.id < tokenizer.size(), "token ", token.id);
            static_cast<void>(tokenizer.written_text_of(token.id));
        }
    }
}

const std::string kTail =
    "\"added_tokens\":[{\"id\":4,\"content\":\"<s>\",\"rstrip\":true}],\"pre_tokenizer\":{\"type\":\"ByteLevel\"}}";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string all(bytes, bytes + size);
    const std::string first = all.substr(0, all.find('\0'));
    const std::string text = first.size() == all.size() ? all : all.substr(first.size() + 1);
    const std::array<attn::TokenizerFiles, 4> kinds = {
        attn::TokenizerFiles{.tokenizer_json = first}, attn::TokenizerFiles{.vocab_json = first, .merges_txt = text},
        attn::TokenizerFiles{.vocab_txt = first, .tokenizer_config_json = "{\"do_lower_case\":true}"},
        attn::TokenizerFiles{.vocab_txt = "[UNK]\na\n##b\n" + text}};
    for (const attn::TokenizerFiles& files : kinds) {
        const attn::Result<attn::ModelTokenizer> tokenizer = attn::ModelTokenizer::read(files);
        if (tokenizer) {
            encode_and_check(*tokenizer, text);
        } else {
            ATTN_CHECK(tokenizer.error().ends_with('.'), "no sentence: ", tokenizer.error());
        }
    }
    return 0;
}

// A tokenizer of four letters, and the link as its text.
std::string input_of_link(std::string_view link) {
    return "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"t\":0,\"e\":1,\"te\":2,\"tex\":3,\"x\":5},\"merges\":[\"t e\","
           "[\"te\",\"x\"]]}," +
           kTail + std::string(1, '\0') + std::string(link);
}
