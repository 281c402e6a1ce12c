// Each member in the order in which the libraries of others write it.
#include "cli/tokenizer_text.h"

#include "model/words/unicode.h"

namespace attn {
namespace {

void put_type(JsonWriter& json, std::string_view name, std::string_view type) {
    json.key(name);
    json.begin_object();
    json.member("type", type);
    json.end_object();
}

// The one token that is no word.
void put_added_token(JsonWriter& json, const std::string& token, int id) {
    json.key("added_tokens");
    json.begin_array();
    json.begin_object();
    json.key("id");
    json.integer(id);
    json.member("content", token);
    for (const std::string_view flag : {"single_word", "lstrip", "rstrip", "normalized"}) {
        json.flag(flag, false);
    }
    json.flag("special", true);
    json.end_object();
    json.end_array();
}

// The token stands before each text.
void put_beginning(JsonWriter& json, const std::string& token, int id) {
    const auto put_piece = [&](std::string_view kind, std::string_view name) {
        json.begin_object();
        json.key(kind);
        json.begin_object();
        json.member("id", name);
        json.key("type_id");
        json.integer(kind == "Sequence" && name == "B" ? 1 : 0);
        json.end_object();
        json.end_object();
    };
    json.key("post_processor");
    json.begin_object();
    json.member("type", "TemplateProcessing");
    json.key("single");
    json.begin_array();
    put_piece("SpecialToken", token);
    put_piece("Sequence", "A");
    json.end_array();
    json.key("pair");
    json.begin_array();
    put_piece("SpecialToken", token);
    put_piece("Sequence", "A");
    put_piece("Sequence", "B");
    json.end_array();
    json.key("special_tokens");
    json.begin_object();
    json.key(token);
    json.begin_object();
    json.member("id", token);
    json.key("ids");
    json.begin_row();
    json.integer(id);
    json.end_row();
    json.key("tokens");
    json.begin_row();
    json.text(token);
    json.end_row();
    json.end_object();
    json.end_object();
    json.end_object();
}

void put_byte_level(JsonWriter& json, std::string_view name, bool adds_blank) {
    json.key(name);
    json.begin_object();
    json.member("type", "ByteLevel");
    for (const auto& [flag, is_on] :
         {std::pair{"add_prefix_space", adds_blank}, {"trim_offsets", true}, {"use_regex", true}}) {
        json.flag(flag, is_on);
    }
    json.end_object();
}

// A token's bytes as the characters that stand for them.
std::string characters_of_bytes(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) unicode::append_utf8(text, character_of_byte(static_cast<std::uint8_t>(byte)));
    return text;
}

}  // namespace

std::string word_tokenizer_text(std::span<const std::string> words) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("version", "1.0");
    put_added_token(json, words.front(), 0);
    put_type(json, "normalizer", "Lowercase");
    put_type(json, "pre_tokenizer", "BertPreTokenizer");
    put_beginning(json, words.front(), 0);
    json.key("decoder");
    json.null();
    json.key("model");
    json.begin_object();
    json.member("type", "WordLevel");
    json.key("vocab");
    json.begin_object();
    for (std::size_t id = 0; id < words.size(); ++id) {
        json.key(words[id]);
        json.integer(static_cast<std::int64_t>(id));
    }
    json.end_object();
    json.member("unk_token", "<unk>");
    json.end_object();
    json.end_object();
    return text + "\n";
}

std::string pair_tokenizer_text(const LearnedPairs& pairs, const PairTokenizerTraits& traits) {
    const auto end_id = static_cast<int>(pairs.tokens.size());
    std::vector<std::string> tokens;
    for (const std::string& bytes : pairs.tokens) tokens.push_back(characters_of_bytes(bytes));
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("version", "1.0");
    put_added_token(json, traits.end, end_id);
    json.key("normalizer");
    json.null();
    put_byte_level(json, "pre_tokenizer", traits.adds_blank);
    if (traits.begins)
        put_beginning(json, traits.end, end_id);
    else
        put_byte_level(json, "post_processor", traits.adds_blank);
    put_byte_level(json, "decoder", traits.adds_blank);
    json.key("model");
    json.begin_object();
    json.member("type", "BPE");
    for (const std::string_view none : {"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"}) {
        json.key(none);
        json.null();
    }
    for (const std::string_view off : {"fuse_unk", "byte_fallback"}) {
        json.flag(off, false);
    }
    json.key("vocab");
    json.begin_object();
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        json.key(tokens[id]);
        json.integer(static_cast<std::int64_t>(id));
    }
    json.key(traits.end);
    json.integer(end_id);
    json.end_object();
    json.key("merges");
    json.begin_array();
    for (const auto& [left, right] : pairs.merges)
        json.text(tokens[static_cast<std::size_t>(left)] + " " + tokens[static_cast<std::size_t>(right)]);
    json.end_array();
    json.end_object();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
