// Reads a tokenizer's files. What a file says that this program does not do is refused by its name: silence would give
// other numbers.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/files/json_tree.h"
#include "model/words/model_tokenizer.h"

namespace attn {

// How the tokenizers of tiktoken's cl100k (Llama 3's too) and o200k and of Qwen cut a text into words.
inline constexpr std::string_view kWordsOfCl100k =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kWordsByCase =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kWordsOfQwen =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// One reading. Each function remembers the first thing that is wrong in `problem`, a sentence, and goes on.
class TokenizerReader {
public:
    Result<ModelTokenizer> read(const TokenizerFiles& files);

private:
    using Tokens = std::vector<std::pair<std::string, int>>;
    using Merges = std::vector<std::pair<std::string_view, std::string_view>>;
    using Read = Result<ModelTokenizer>;

    // tokenizer_reader.cpp: each kind of files
    Read read_json(const TokenizerFiles& files);
    Read read_gpt2(const TokenizerFiles& files);
    Read read_bert(const TokenizerFiles& files);
    // sentence_piece.cpp and token_ranks.cpp: the other two, in tokenizer.model
    Read read_sentence_piece(const TokenizerFiles& files);
    Read read_ranks(const TokenizerFiles& files);
    static void read_special(JsonValue root, std::optional<int>& begin, std::optional<int>& end,
                             ModelTokenizer& tokenizer);

    Tokens read_vocabulary(JsonValue object, std::string_view where);
    Tokens read_scores(JsonValue list, std::vector<double>& scores);
    void read_added(JsonValue root, Tokens& tokens);
    Merges read_merges(JsonValue list);
    void read_merge(std::string_view line, std::size_t number, Merges& merges);
    void read_byte_pairs(JsonValue model, ModelTokenizer& tokenizer);
    void read_unigram(JsonValue model, std::vector<double> scores, ModelTokenizer& tokenizer);
    void read_word_pieces(JsonValue model, ModelTokenizer& tokenizer);
    void read_whole_words(JsonValue model, ModelTokenizer& tokenizer);
    void finish_pairs(const Merges& merges, const PairRules& rules, ModelTokenizer& tokenizer);
    // Tokens that are in the vocabulary anyway, as if they were added ones.
    static void add_special(std::initializer_list<std::string_view> names, ModelTokenizer& tokenizer);

    // tokenizer_rules.cpp: what happens to a text before its words are tokens, and what is put around it
    void read_changes(JsonValue change, ModelTokenizer& tokenizer);
    std::optional<TextChange> read_change(JsonValue change);
    void read_cuts(JsonValue cut, ModelTokenizer& tokenizer);
    std::optional<WordCut> read_cut(JsonValue cut);
    // GPT-2's words, or the whole text, with letters for their bytes; before a text that begins without a blank one.
    static WordCut cut_of_gpt2(bool adds_blank, bool cuts = true);
    static WordCut cut_of_bert();  // at white space, and each mark is a word
    static TextChange change_of(const WordCleaning& cleaning);
    std::optional<WordCut> read_byte_level(JsonValue cut);
    std::optional<WordCut> read_blank_signs(JsonValue cut);
    std::optional<Pattern> read_pattern(JsonValue part, std::string_view what);
    CutBehavior read_behavior(JsonValue cut);
    void read_frame(JsonValue frame, ModelTokenizer& tokenizer);
    void read_template(JsonValue frame, ModelTokenizer& tokenizer);
    // Writes "▁" as a blank, where a part of the file says that it stands for one.
    void note_blank_sign(std::string_view text) { writes_blanks_ = writes_blanks_ || text.find("\u2581") != text.npos; }

    // A member of an object; `fallback`, or "", where it is missing or another kind of value.
    static bool flag_of(JsonValue object, std::string_view name, bool fallback);
    static std::string_view text_member(JsonValue object, std::string_view name);
    // The type of a part of tokenizer.json; "" where it is null or missing.
    static std::string type_of(std::optional<JsonValue> part);
    void refuse_type(std::string_view what, const std::string& type, std::string_view known);
    // Its members besides "type" are among these, or say nothing (null, false, 0, "" or an empty list).
    void want_members(JsonValue object, std::string_view what, std::initializer_list<std::string_view> names);
    void fail(std::string sentence) {
        if (problem_.empty()) problem_ = std::move(sentence);
    }

    std::string problem_;
    std::vector<AddedToken> added_, added_changed_;
    bool is_of_bytes_ = false;    // a part of the file is ByteLevel
    bool writes_blanks_ = false;  // "▁" stands for a blank
};

}  // namespace attn
