// Reads a tokenizer's files, of which there are three kinds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/json_tree.h"
#include "model/words/model_tokenizer.h"

namespace attn {

// One reading. Each function remembers the first thing that is wrong in `problem`, a sentence, and goes on.
class TokenizerReader {
public:
    Result<ModelTokenizer> read(const TokenizerFiles& files);

private:
    using Tokens = std::vector<std::pair<std::string, int>>;
    using Merges = std::vector<std::pair<std::string_view, std::string_view>>;

    Result<ModelTokenizer> read_json(const TokenizerFiles& files);
    Result<ModelTokenizer> read_gpt2(const TokenizerFiles& files);
    Result<ModelTokenizer> read_bert(const TokenizerFiles& files);

    Tokens read_vocabulary(JsonValue object, std::string_view where);
    void read_added(JsonValue root, Tokens& tokens);
    Merges read_merges(JsonValue list);
    void read_merge(std::string_view line, std::size_t number, Merges& merges);
    void read_byte_pairs(JsonValue model, ModelTokenizer& tokenizer);
    void read_word_pieces(JsonValue model, ModelTokenizer& tokenizer);
    static void read_whole_words(JsonValue model, ModelTokenizer& tokenizer);
    void read_normalizer(JsonValue root, ModelTokenizer& tokenizer);
    void read_pair_normalizer(JsonValue normalizer, ModelTokenizer& tokenizer);
    void read_cut(JsonValue root, ModelTokenizer& tokenizer);
    void read_byte_level(JsonValue cut, ModelTokenizer& tokenizer);
    void read_digits(JsonValue digits, JsonValue bytes, ModelTokenizer& tokenizer);
    void read_frame(JsonValue frame, ModelTokenizer& tokenizer);
    void read_template(JsonValue frame, ModelTokenizer& tokenizer);
    void finish_pairs(const Merges& merges, bool ignores_merges, ModelTokenizer& tokenizer);
    // A member of an object; `fallback`, or "", where it is missing or another kind of value.
    static bool flag_of(JsonValue object, std::string_view name, bool fallback);
    static std::string_view text_member(JsonValue object, std::string_view name);
    // The type of a part of tokenizer.json; "" where it is null or missing.
    static std::string type_of(std::optional<JsonValue> part);
    void refuse_type(std::string_view what, const std::string& type, std::string_view known);
    // Members of `object` that mean something this program does not do: each must be missing, null, false, 0 or "".
    void want_nothing(JsonValue object, std::string_view what, std::initializer_list<std::string_view> names);
    void fail(std::string sentence) {
        if (problem_.empty()) problem_ = std::move(sentence);
    }

    std::string problem_;
    std::vector<ModelTokenizer::AddedToken> added_;
};

}  // namespace attn
