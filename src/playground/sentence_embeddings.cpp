// See sentence_embeddings.h. The vectors themselves come from core; this file chooses which, and fits typed rows to T
// and d_in.
#include "playground/sentence_embeddings.h"

#include <algorithm>

#include "core/check.h"

namespace attn {
namespace {

std::vector<std::string> texts_of(const Tokens& tokens) {
    std::vector<std::string> texts;
    for (const Token& token : tokens.tokens) texts.push_back(token.text);
    return texts;
}

std::vector<std::string> batch_vocabulary(const Inputs& inputs) {
    std::vector<std::string> all;
    for (const std::string& text : inputs.texts) {
        for (Token& token : tokenize(text, inputs.tokens).tokens) all.push_back(std::move(token.text));
    }
    return vocabulary_of(all);
}

// The typed rows that serve this sentence: its own, or the last ones there are.
const TypedRows& typed_rows_of(const Inputs& inputs, int sentence) {
    static const TypedRows none;
    if (inputs.typed.empty()) return none;
    return inputs.typed[std::min(static_cast<std::size_t>(sentence), inputs.typed.size() - 1)];
}

// (T, d_in)
Matrix typed_embeddings(const TypedRows& rows, std::size_t num_tokens, int d_in, Notes& notes) {
    const auto width = static_cast<std::size_t>(d_in);
    Matrix vectors = zeros<Matrix>(num_tokens, width);
    NameList short_rows, long_rows;
    for (std::size_t i = 0; i < std::min(num_tokens, rows.size()); ++i) {
        if (rows[i].size() < width) short_rows.add(concat(i));
        if (rows[i].size() > width) long_rows.add(concat(i));
        const std::size_t num_used = std::min(width, rows[i].size());
        std::copy_n(rows[i].begin(), num_used, row_of(vectors, static_cast<int>(i)).begin());
    }
    const auto num_rows = static_cast<std::int64_t>(rows.size()), num_wanted = static_cast<std::int64_t>(num_tokens);
    if (num_rows < num_wanted) {
        notes.push_back(
            concat(counted(num_wanted - num_rows, "token"), " without a typed row: its numbers count as 0"));
    }
    if (num_rows > num_wanted) {
        notes.push_back(concat(counted(num_rows - num_wanted, "typed row"), " not in use: the sentence has ",
                               counted(num_wanted, "token")));
    }
    if (!short_rows.empty()) {
        notes.push_back(
            concat("typed row ", short_rows.text(), ": fewer than d_in = ", d_in, " numbers, the rest count as 0"));
    }
    if (!long_rows.empty()) {
        notes.push_back(
            concat("typed row ", long_rows.text(), ": numbers after the first d_in = ", d_in, " are not in use"));
    }
    return vectors;
}

}  // namespace

EmbeddingParts make_embedding_parts(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes) {
    ATTN_CHECK(!tokens.tokens.empty(), "no tokens to embed");
    const std::vector<std::string> texts = texts_of(tokens);
    EmbeddingParts parts;
    switch (inputs.embed) {
        case EmbeddingKind::hash:
        case EmbeddingKind::ngrams:
            parts = hashed_parts(texts, inputs.d_in, inputs.embed_seed, inputs.embed == EmbeddingKind::ngrams);
            break;
        case EmbeddingKind::torch:
            parts.token_vectors = torch_embeddings(texts, batch_vocabulary(inputs), inputs.d_in, inputs.embed_seed);
            break;
        case EmbeddingKind::typed:
            parts.token_vectors = typed_embeddings(typed_rows_of(inputs, sentence), texts.size(), inputs.d_in, notes);
            break;
    }
    if (inputs.positions == Positions::sin) {
        parts.positions = sinusoidal_positions(static_cast<int>(texts.size()), inputs.d_in);
    }
    return parts;
}

Matrix add_parts(const EmbeddingParts& parts) {
    Matrix sum = parts.token_vectors;
    if (parts.positions.size() == 0) return sum;
    const std::span<float> added = elements(sum);
    const std::span<const float> positions = elements(parts.positions);
    for (std::size_t i = 0; i < added.size(); ++i) added[i] += positions[i];
    return sum;
}

}  // namespace attn
