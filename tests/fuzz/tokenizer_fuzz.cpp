// Any bytes as a tokenizer's files and as a text for it: the files are refused in a sentence, or each token has a place
// in the text. The bytes are cut at the first NUL, but those of a tokenizer.model as they are. And they are a regular
// expression, and what a text is before it is cut by it.
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

// The bytes as parts of a file that has everything else.
std::string file_with(std::string_view what, std::string_view part) {
    return std::string(R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["\u2581",-1],["a",-2],["te",-3]]},")")
        .append(what)
        .append("\":")
        .append(part)
        .append("}");
}

// The same text as a text in JSON.
std::string quoted_in_json(std::string_view text) {
    std::string quoted = "\"";
    for (const char one : text) {
        if (one == '"' || one == '\\') quoted += '\\';
        if (static_cast<unsigned char>(one) >= 32) quoted += one;
    }
    return quoted + "\"";
}

const std::string kTail =
    "\"added_tokens\":[{\"id\":4,\"content\":\"<s>\",\"rstrip\":true}],\"pre_tokenizer\":{\"type\":\"ByteLevel\"}}";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string all(bytes, bytes + size);
    const std::string first = all.substr(0, all.find('\0'));
    const std::string text = first.size() == all.size() ? all : all.substr(first.size() + 1);
    const std::string split =
        R"({"type":"Split","behavior":"Isolated","pattern":{"Regex":)" + quoted_in_json(first) + "}}";
    const std::array<attn::TokenizerFiles, 8> kinds = {
        attn::TokenizerFiles{.tokenizer_json = first},
        attn::TokenizerFiles{.vocab_json = first, .merges_txt = text},
        attn::TokenizerFiles{.vocab_txt = first, .tokenizer_config_json = "{\"do_lower_case\":true}"},
        attn::TokenizerFiles{.vocab_txt = "[UNK]\na\n##b\n" + text},
        attn::TokenizerFiles{.tokenizer_model = all},
        attn::TokenizerFiles{.tokenizer_json = file_with("pre_tokenizer", split)},
        attn::TokenizerFiles{.tokenizer_json = file_with("pre_tokenizer", first)},
        attn::TokenizerFiles{.tokenizer_json = file_with("normalizer", first)}};
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
