// Texts that people wrote, as rows of tokens that a model is trained on and, kept apart, measured on.
//
// A file of texts holds documents, each ended by a line with a form feed (tools/texts.mjs writes such files). Each
// document becomes its tokens and the token that stands for a beginning. A text that a training reads begins with that
// token and goes on from the beginning of a sentence, as what a visitor types does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/random.h"
#include "core/ground/result.h"
#include "model/learn/batch_parts.h"
#include "model/words/model_tokenizer.h"

namespace attn {

// By what the files are known: SHA-256, 64 hexadecimal digits.
struct KnownTexts {
    std::string read, held_out, tokenizer;
};

// The files themselves.
struct TextFiles {
    std::string read, held_out, tokenizer;
};

struct TokenRow {
    std::vector<int> ids;
    std::vector<std::size_t> sentences;  // where one begins: in `ids`, in order
    std::int64_t num_bytes = 0;          // of the documents
};

// What the losses of a held-out row add up to.
struct HeldOutLoss {
    double nats = 0;  // a token, those that end documents too
    double bits = 0;  // a byte of the documents
    std::int64_t num_tokens = 0;
};

class TrainingTexts {
public:
    // Fails with a sentence: a file of another SHA-256, a tokenizer that has no one token for a beginning or another
    // number of tokens, too few sentences for texts of `num_tokens`.
    static Result<TrainingTexts> read(const KnownTexts& known, const TextFiles& files, int vocabulary, int num_tokens);

    // Texts of `num_tokens` tokens: the beginning, then what follows a sentence's beginning that is drawn.
    TextBatch draw(TorchGenerator& generator, int num_texts, int num_tokens) const;

    // Of at most `most_texts` texts of `num_tokens` that lie evenly in the held-out row (0: of all). Each text begins
    // with a sentence where it can; every token is counted once.
    HeldOutLoss held_out_loss(BatchParts& parts, std::span<const float> numbers, int num_tokens,
                              int most_texts = 0) const;

    // Tokens of texts that lie evenly in the held-out row, as draw's.
    std::vector<std::vector<int>> held_out_texts(int num_texts, int num_tokens) const;

    // The token of a word within a sentence, of a mark behind one; nothing where it takes several.
    std::optional<int> token_of_word(std::string_view word) const;

    const TokenRow& row() const { return row_; }
    const TokenRow& held_out() const { return held_out_; }
    const ModelTokenizer& tokenizer() const { return tokenizer_; }

private:
    explicit TrainingTexts(ModelTokenizer tokenizer) : tokenizer_(std::move(tokenizer)) {}

    ModelTokenizer tokenizer_;
    TokenRow row_, held_out_;
    int beginning_ = 0;
};

}  // namespace attn
