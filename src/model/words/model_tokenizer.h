// The tokenizer of a model: its files, and texts as the model's tokens. The same numbers on every machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ground/result.h"
#include "model/words/added_tokens.h"
#include "model/words/byte_pairs.h"
#include "model/words/unigram.h"
#include "model/words/vocabulary.h"
#include "model/words/word_cuts.h"
#include "model/words/word_pieces.h"

namespace attn {

// The contents of a tokenizer's files; empty where a file is not there. tokenizer.json says everything; without it
// vocab.json and merges.txt are GPT-2's files, vocab.txt (and tokenizer_config.json) BERT's, and tokenizer.model is one
// of SentencePiece, whose special tokens tokenizer_config.json names, or a list of tiktoken's ranks.
struct TokenizerFiles {
    std::string tokenizer_json = {}, vocab_json = {}, merges_txt = {}, vocab_txt = {}, tokenizer_config_json = {},
                tokenizer_model = {};
};

struct Gguf;

// What a GGUF file says of its tokenizer, in the form of the others' files. Where it has none, or cuts words in a way
// that is not known, those beside it count if there are any; else it fails with a sentence.
Result<TokenizerFiles> tokenizer_files(const Gguf& gguf, const TokenizerFiles& beside);

// A text as tokens. Their bytes are those of the text as it was given; special tokens that the tokenizer adds (BERT's
// [CLS] and [SEP]) have none.
struct ModelTokens {
    std::vector<ModelToken> tokens;
    std::size_t num_unknown = 0;  // tokens without a number (-1), or with that of "unknown"
};

class ModelTokenizer {
public:
    static constexpr std::size_t kMaxAddedTokens = 1 << 14;  // Gemma 3 has 6,415

    // Fails with a sentence: no files, no JSON, vocabulary and merges that do not belong together, and every kind of
    // normalizer, cut, model or frame that this program does not know, by its name.
    static Result<ModelTokenizer> read(const TokenizerFiles& files);

    // For a model without one: its tokens are their numbers, with blanks or commas between them.
    static ModelTokenizer of_numbers(int count);

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
    // How a token is written.
    enum class Writing {
        plain,        // as it stands in the vocabulary
        bytes,        // in GPT-2's alphabet
        blanks,       // "▁" is a blank, "<0x0A>" a byte
        suffixed,     // a word's last part ends with a suffix, behind which a blank stands
        word_pieces,  // a blank before what has not the pieces' prefix
        words,        // a blank before each
    };
    struct WholeWords {};
    using Model = std::variant<WholeWords, WordPieceRules, BytePairs, Unigram>;

    friend class TokenizerReader;
    explicit ModelTokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    void encode_part(Text text, std::vector<ModelToken>& tokens) const;
    void encode_word(const Text& word, std::vector<ModelToken>& tokens) const;

    Vocabulary vocabulary_;
    AddedTokens added_;                // in the text as it was typed
    AddedTokens added_changed_;        // in what it became
    std::vector<TextChange> changes_;  // one after the other
    std::vector<WordCut> cuts_;        // each on the words of the one before
    Model model_;
    Writing writing_ = Writing::plain;
    std::string prefix_, suffix_;  // of the pieces that do not begin a word; of those that end one
    int unknown_ = -1;
    std::vector<int> before_, behind_;  // the frame
};

}  // namespace attn
