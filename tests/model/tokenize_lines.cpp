// Tokenizes texts for tests/model/tokenizers.test.mjs. Standard input: a line of JSON with the tokenizer's files by
// name (tokenizer.model and model.gguf in base64), then a line with a text in JSON each. Standard output: for each text
// the numbers and bytes of its tokens.
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/files/gguf.h"
#include "model/files/memory_file.h"
#include "model/words/model_tokenizer.h"

int main() {
    std::string line;
    if (!std::getline(std::cin, line)) return 2;
    const nlohmann::json files = nlohmann::json::parse(line);
    const auto text_of = [&](const char* name) {
        return files.contains(name) ? files.at(name).get<std::string>() : "";
    };
    std::optional<attn::Gguf> gguf;
    if (files.contains("model.gguf")) {
        attn::MemoryFile file("model.gguf", attn::from_base64(text_of("model.gguf")).value_or(""));
        attn::Result<attn::Gguf> read = read_gguf(file);
        if (!read) std::cerr << read.error() << '\n';
        if (!read) return 1;
        gguf = std::move(*read);
    }
    const attn::TokenizerFiles beside = {.tokenizer_json = text_of("tokenizer.json"),
                                         .vocab_json = text_of("vocab.json"),
                                         .merges_txt = text_of("merges.txt"),
                                         .vocab_txt = text_of("vocab.txt"),
                                         .tokenizer_config_json = text_of("tokenizer_config.json"),
                                         .tokenizer_model = attn::from_base64(text_of("tokenizer.model")).value_or("")};
    const attn::Result<attn::TokenizerFiles> texts = gguf ? tokenizer_files(*gguf, beside) : beside;
    const attn::Result<attn::ModelTokenizer> tokenizer =
        texts ? attn::ModelTokenizer::read(*texts) : attn::Result<attn::ModelTokenizer>::failure(texts.error());
    if (!tokenizer) {
        std::cerr << tokenizer.error() << '\n';
        return 1;
    }
    while (std::getline(std::cin, line)) {
        const attn::ModelTokens tokens = tokenizer->encode(nlohmann::json::parse(line).get<std::string>());
        nlohmann::json answer = nlohmann::json::array();
        for (const attn::ModelToken& token : tokens.tokens) answer.push_back({token.id, token.begin, token.end});
        std::cout << answer.dump() << '\n';
    }
    return 0;
}
