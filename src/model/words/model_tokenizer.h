// The tokenizer of a model: its files, and texts as the model's tokens. The same numbers on every machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "model/words/byte_pairs.h"
#include "model/words/vocabulary.h"
#include "model/words/word_pieces.h"

namespace attn {

// The texts of a tokenizer's files; empty where a file is not there. tokenizer.json says everything; without it
// vocab.json and merges.txt are GPT-2's files, vocab.txt (and tokenizer_config.json) BERT's.
struct TokenizerFiles {
    std::string tokenizer_json = {}, vocab_json = {}, merges_txt = {}, vocab_txt = {}, tokenizer_config_json = {};
};

// What a text becomes before it is cut into words.
enum class Normalizer { nfc, nfd, lower_case };

// A text as tokens. Their bytes are those of the text as it was given; special tokens that the tokenizer adds (BERT's
// [CLS] and [SEP]) have none.
struct ModelTokens {
    std::vector<ModelToken> tokens;
    std::size_t num_unknown = 0;  // tokens without a number (-1), or with that of "unknown"
};

class ModelTokenizer {
public:
    static constexpr std::size_t kMaxAddedTokens = 4096;

    // Fails with a sentence: no files, no JSON, vocabulary and merges that do not belong together, and every kind of
    // normalizer, cut, model or frame that this program does not know, by its name.
    static Result<ModelTokenizer> read(const TokenizerFiles& files);

    // Any bytes; what is no UTF-8 counts as U+FFFD. With `adds_special`, the frame that the tokenizer puts around a
    // text. Special tokens that are written in the text ("<|endoftext|>") are those tokens.
    ModelTokens encode(std::string_view text, bool adds_special = true) const;

    // One more than the largest number. Model files may have more rows than that, never fewer.
    int size() const { return vocabulary_.size(); }
    // The number that stands for words it does not know; -1: it has none.
    int unknown() const { return unknown_; }
    // As the vocabulary has it: "\u0120the", "##ing"; "" for numbers without a text.
    std::string_view text_of(int id) const { return vocabulary_.text(id); }
    // What it adds to a text that is written on: " the"; a piece's letters, or a blank and the word.
    std::string written_text_of(int id) const;
    std::optional<int> find(std::string_view text) const { return vocabulary_.find(text); }

private:
    struct AddedToken {
        std::string text;
        int id = 0;
        bool takes_space_before = false, takes_space_behind = false;
    };
    friend class TokenizerReader;
    explicit ModelTokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    const AddedToken* added_at(std::string_view text) const;  // the longest that `text` begins with
    void encode_part(std::string_view text, std::size_t begin, std::size_t end, std::vector<ModelToken>& tokens) const;

    Vocabulary vocabulary_;
    std::vector<AddedToken> added_;        // sorted by text
    std::optional<BytePairs> pairs_;       // or else word pieces, or whole words
    std::vector<Normalizer> normalizers_;  // before byte pairs, one after the other
    WordSplit split_ = WordSplit::gpt2;
    DigitCut digits_ = DigitCut::none;
    bool adds_blank_ = false;  // before a text that does not begin with one
    WordCleaning cleaning_;
    WordPieceRules rules_;
    bool has_whole_words_ = false, parts_punctuation_ = true;
    int unknown_ = -1;
    std::vector<int> before_, behind_;  // the frame
};

}  // namespace attn
