// A GGUF file's tokenizer as the files that other models have it in: byte pairs as a tokenizer.json, SentencePiece's as
// a tokenizer.model, BERT's as a vocab.txt. The keys are those of the format (ggml, docs/gguf.md); how words are cut is
// a name ("tokenizer.ggml.pre"), which stands for the pattern of the tokenizer that the model was trained with.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/gguf.h"
#include "model/words/model_tokenizer.h"
#include "model/words/tokenizer_reader.h"

namespace attn {
namespace {

using Texts = Result<TokenizerFiles>;

// "tokenizer.ggml.token_type": those of SentencePiece.
enum class TokenType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

constexpr std::string_view kMistralNemo =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kBloom = R"( ?[^(\s|[.,!?…。，、।۔،])]+)";

// How words are cut, by "tokenizer.ggml.pre".
struct CutName {
    std::string_view name;
    std::string_view pattern;  // "": GPT-2's
    bool cuts_digits = false;  // each by itself, before GPT-2's pattern
    bool composes = false;     // the text is in the normal form NFC
    bool ignores_merges = false;
    bool begins = false;  // a token stands before each text unless the file says otherwise
};
constexpr std::array kCutNames = {CutName{"gpt-2", ""},
                                  CutName{"phi-2", ""},
                                  CutName{"mpt", "", false, true},
                                  CutName{"olmo", "", false, true},
                                  CutName{"smollm", "", true},
                                  CutName{"starcoder", "", true},
                                  CutName{"command-r", "", true, true},
                                  CutName{"llama-bpe", kWordsOfCl100k, false, false, true, true},
                                  CutName{"llama3", kWordsOfCl100k, false, false, true, true},
                                  CutName{"llama-v3", kWordsOfCl100k, false, false, true, true},
                                  CutName{"dbrx", kWordsOfCl100k},
                                  CutName{"qwen2", kWordsOfQwen, false, true},
                                  CutName{"deepseek-r1-qwen", kWordsOfQwen, false, true},
                                  CutName{"gpt-4o", kWordsByCase},
                                  CutName{"tekken", kMistralNemo, false, false, true, true},
                                  CutName{"bloom", kBloom}};

std::string json_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char one : text) {
        const auto byte = static_cast<unsigned char>(one);
        if (one == '"' || one == '\\') quoted += '\\';
        if (byte < 32)
            quoted += concat("\\u", hexadecimal(byte, 4));
        else
            quoted += one;
    }
    return quoted + '"';
}

class GgufTokenizer {
public:
    explicit GgufTokenizer(const Gguf& gguf) : gguf_(gguf) {}

    Texts read() {
        const std::string_view model = gguf_.text("tokenizer.ggml.model");
        if (model.empty()) return refuse("has no tokenizer (\"tokenizer.ggml.model\")");
        const GgufValue* tokens = gguf_.find("tokenizer.ggml.tokens");
        if (tokens == nullptr || tokens->texts.empty())
            return refuse("has a tokenizer without its tokens (\"tokenizer.ggml.tokens\")");
        tokens_ = tokens->texts;
        if (tokens_.size() > Vocabulary::kMaxTokens)
            return refuse(concat("has a tokenizer of more than ", Vocabulary::kMaxTokens, " tokens"));
        const GgufValue* types = gguf_.find("tokenizer.ggml.token_type");
        if (types != nullptr) types_ = types->numbers;
        if (types != nullptr && types_.size() != tokens_.size())
            return refuse(concat("has a tokenizer of ", tokens_.size(), " tokens and ", types_.size(),
                                 " types of theirs (\"tokenizer.ggml.token_type\")"));
        if (model == "gpt2") return byte_pairs();
        if (model == "llama") return sentence_pieces();
        if (model == "bert") return word_pieces();
        return refuse(concat("has a tokenizer of the kind ", attn::quoted(model),
                             "; this program knows \"gpt2\", \"llama\" and \"bert\""));
    }

private:
    Texts refuse(std::string_view what) const {
        return Texts::failure(concat("The file ", attn::quoted(gguf_.file), " ", what, "."));
    }
    TokenType type_of(std::size_t token) const {
        const double type = types_.empty() ? 0 : types_[token];
        return type >= 1 && type <= 6 ? static_cast<TokenType>(static_cast<int>(type)) : TokenType::normal;
    }
    // A token by the key that has its number; "" without.
    std::string_view token_of(std::string_view key) const {
        const GgufValue* value = gguf_.find(key);
        const std::uint64_t id = value == nullptr ? tokens_.size() : value->whole().value_or(tokens_.size());
        return id < tokens_.size() ? std::string_view(tokens_[static_cast<std::size_t>(id)]) : std::string_view();
    }
    bool flag(std::string_view key, bool fallback) const {
        const GgufValue* value = gguf_.find(key);
        return value == nullptr || value->type != GgufType::boolean ? fallback : value->number != 0;
    }
    // Tokens that are themselves wherever they are typed, as tokenizer.json and tokenizer_config.json list them.
    bool is_added(std::size_t token) const {
        const TokenType type = type_of(token);
        return type == TokenType::control || type == TokenType::user_defined || type == TokenType::unknown;
    }

    Texts byte_pairs() const {
        const std::string_view own = gguf_.text("tokenizer.ggml.pre");
        const bool is_gpt2 = own.empty() && gguf_.text("general.architecture") == "gpt2";
        const std::string_view name = is_gpt2 ? std::string_view("gpt-2") : own;
        const auto cut = std::ranges::find(kCutNames, name, &CutName::name);
        if (cut == kCutNames.end())
            return refuse(concat(name.empty() ? "does not say how its tokenizer cuts words (\"tokenizer.ggml.pre\")"
                                              : concat("has a tokenizer that cuts words as ", attn::quoted(name),
                                                       " does, which this program does not know"),
                                 ": the model's tokenizer.json beside it says that"));
        const GgufValue* merges = gguf_.find("tokenizer.ggml.merges");
        if (merges == nullptr) return refuse("has a tokenizer of byte pairs without \"tokenizer.ggml.merges\"");
        std::string vocabulary, added, pairs;
        for (std::size_t id = 0; id < tokens_.size(); ++id) {
            const std::string text = json_text(tokens_[id]);
            if (tokens_[id].empty() || type_of(id) == TokenType::unused) continue;
            vocabulary += concat(vocabulary.empty() ? "" : ",", text, ":", id);
            if (is_added(id))
                added += concat(added.empty() ? "" : ",", R"({"id":)", id, R"(,"content":)", text,
                                R"(,"special":true,"normalized":false})");
        }
        for (const std::string& merge : merges->texts) pairs += concat(pairs.empty() ? "" : ",", json_text(merge));
        std::string cuts;
        if (cut->cuts_digits) cuts = R"({"type":"Digits","individual_digits":true},)";
        if (!cut->pattern.empty())
            cuts =
                concat(R"({"type":"Split","behavior":"Isolated","pattern":{"Regex":)", json_text(cut->pattern), "}},");
        cuts += concat(R"({"type":"ByteLevel","add_prefix_space":)",
                       flag("tokenizer.ggml.add_space_prefix", false) ? "true" : "false", R"(,"use_regex":)",
                       cut->pattern.empty() ? "true" : "false", "}");
        return TokenizerFiles{
            .tokenizer_json = concat(
                R"({"added_tokens":[)", added, R"(],"normalizer":)", cut->composes ? R"({"type":"NFC"})" : "null",
                R"(,"pre_tokenizer":{"type":"Sequence","pretokenizers":[)", cuts, R"(]},"post_processor":)",
                frame(cut->begins), R"(,"model":{"type":"BPE","ignore_merges":)",
                cut->ignores_merges ? "true" : "false", R"(,"vocab":{)", vocabulary, R"(},"merges":[)", pairs, "]}}")};
    }

    std::string frame(bool begins) const {
        const std::string_view begin = token_of("tokenizer.ggml.bos_token_id"),
                               end = token_of("tokenizer.ggml.eos_token_id");
        std::string pieces;
        const auto put = [&](std::string_view token) {
            pieces += concat(pieces.empty() ? "" : ",", R"({"SpecialToken":{"id":)", json_text(token), "}}");
        };
        if (!begin.empty() && flag("tokenizer.ggml.add_bos_token", begins)) put(begin);
        pieces += concat(pieces.empty() ? "" : ",", R"({"Sequence":{"id":"A"}})");
        if (!end.empty() && flag("tokenizer.ggml.add_eos_token", false)) put(end);
        return concat(R"({"type":"TemplateProcessing","single":[)", pieces, "]}");
    }

    // A message of protocol buffers, as sentence_piece.cpp reads it.
    static void put_number(std::string& message, unsigned field, std::uint64_t number) {
        put_varint(message, field << 3U);
        put_varint(message, number);
    }
    static void put_varint(std::string& message, std::uint64_t number) {
        for (; number > 127; number >>= 7U) message += static_cast<char>(number % 128 + 128);
        message += static_cast<char>(number);
    }
    static void put_bytes(std::string& message, unsigned field, std::string_view bytes) {
        message += static_cast<char>(field << 3U | 2U);
        put_varint(message, bytes.size());
        message += bytes;
    }

    Texts sentence_pieces() const {
        const GgufValue* scores = gguf_.find("tokenizer.ggml.scores");
        if (scores == nullptr || scores->numbers.size() != tokens_.size() || types_.empty())
            return refuse("has a tokenizer of SentencePiece without a score and a type for each token");
        std::string model, added;
        bool has_bytes = false;
        for (std::size_t id = 0; id < tokens_.size(); ++id) {
            std::string piece;
            put_bytes(piece, 1, tokens_[id]);
            piece += static_cast<char>(2U << 3U | 5U);
            const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(scores->numbers[id]));
            for (unsigned i = 0; i < 4; ++i) piece += static_cast<char>(bits >> 8 * i & 255U);
            put_number(piece, 3, static_cast<std::uint64_t>(type_of(id)));
            put_bytes(model, 1, piece);
            has_bytes = has_bytes || type_of(id) == TokenType::byte;
            const bool is_typed = type_of(id) == TokenType::control || type_of(id) == TokenType::unknown;
            if (is_typed && !tokens_[id].empty())
                added += concat(added.empty() ? "\"" : ",\"", id, R"(":{"content":)", json_text(tokens_[id]), "}");
        }
        std::string rules, changes;
        put_number(rules, 3, 2);  // byte pairs
        put_number(rules, 35, has_bytes ? 1 : 0);
        put_number(changes, 3, flag("tokenizer.ggml.add_space_prefix", true) ? 1 : 0);
        put_number(changes, 4, flag("tokenizer.ggml.remove_extra_whitespaces", false) ? 1 : 0);
        put_number(changes, 5, 1);
        put_bytes(model, 2, rules);
        put_bytes(model, 3, changes);
        std::string settings =
            concat(R"({"add_bos_token":)", flag("tokenizer.ggml.add_bos_token", true) ? "true" : "false",
                   R"(,"add_eos_token":)", flag("tokenizer.ggml.add_eos_token", false) ? "true" : "false");
        for (const auto& [key, member] : {std::pair("tokenizer.ggml.bos_token_id", "bos_token"),
                                          std::pair("tokenizer.ggml.eos_token_id", "eos_token")}) {
            const std::string_view token = token_of(key);
            if (!token.empty()) settings += concat(",\"", member, "\":", json_text(token));
        }
        return TokenizerFiles{.tokenizer_config_json = concat(settings, R"(,"added_tokens_decoder":{)", added, "}}"),
                              .tokenizer_model = std::move(model)};
    }

    // "▁word" begins a word there, and what has no such sign goes on: "word" and "##ing" in BERT's own file.
    Texts word_pieces() const {
        constexpr std::string_view kSign = "\u2581";
        std::string lines;
        bool is_lower = true;
        for (std::size_t id = 0; id < tokens_.size(); ++id) {
            const std::string_view token = tokens_[id];
            const bool begins = token.starts_with(kSign), is_special = token.starts_with('[') && token.ends_with(']');
            if (token.find_first_of("\r\n") != std::string_view::npos)
                return refuse(concat("has a tokenizer of BERT's with a line break in token ", id));
            if (begins)
                lines += token.substr(kSign.size());
            else
                lines += concat(is_special ? "" : "##", token);
            lines += '\n';
            is_lower =
                is_lower && (is_special || std::ranges::none_of(token, [](char c) { return c >= 'A' && c <= 'Z'; }));
        }
        // The file does not say whether texts are made lower-case: a vocabulary that has capitals means that they are
        // not.
        return TokenizerFiles{
            .vocab_txt = std::move(lines),
            .tokenizer_config_json = concat(R"({"do_lower_case":)", is_lower ? "true" : "false", "}")};
    }

    const Gguf& gguf_;
    std::vector<std::string> tokens_;
    std::vector<double> types_;
};

}  // namespace

Result<TokenizerFiles> tokenizer_files(const Gguf& gguf, const TokenizerFiles& beside) {
    Texts own = GgufTokenizer(gguf).read();
    const bool is_empty = beside.tokenizer_json.empty() && beside.vocab_json.empty() && beside.vocab_txt.empty() &&
                          beside.tokenizer_model.empty();
    return own || is_empty ? own : Texts(beside);
}

}  // namespace attn
