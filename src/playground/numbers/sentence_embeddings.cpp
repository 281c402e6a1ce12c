// Chooses the vectors of the tokens, which core makes, and fits typed rows to T and d_in.
#include "playground/numbers/sentence_embeddings.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/ground/check.h"

namespace attn {
namespace {

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

std::vector<std::string> texts_of(const Tokens& tokens) {
    std::vector<std::string> texts;
    for (const Token& token : tokens.tokens) texts.push_back(token.text);
    return texts;
}

EmbeddingParts make_embedding_parts(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes) {
    EmbeddingDraw draw(inputs, sentence, tokens, notes);
    while (!draw.advance(inputs, std::int64_t{1} << 40, nullptr)) continue;
    return draw.take();
}

EmbeddingDraw::EmbeddingDraw(const Inputs& inputs, int sentence, const Tokens& tokens, Notes& notes)
    : texts_(texts_of(tokens)), generator_(inputs.embed_seed) {
    ATTN_CHECK(!tokens.tokens.empty(), "no tokens to embed");
    switch (inputs.embed) {
        case EmbeddingKind::hash:
        case EmbeddingKind::ngrams:
            parts_.seed = inputs.embed_seed;
            parts_.token_vectors = unset<Matrix>(texts_.size(), inputs.d_in);
            break;
        case EmbeddingKind::torch:
            vocabulary_ = batch_vocabulary(inputs);
            table_ = unset<Matrix>(vocabulary_.size(), inputs.d_in);
            break;
        case EmbeddingKind::typed:
            parts_.token_vectors = typed_embeddings(typed_rows_of(inputs, sentence), texts_.size(), inputs.d_in, notes);
            break;
    }
    if (inputs.positions == Positions::sin) parts_.positions = unset<Matrix>(texts_.size(), inputs.d_in);
#ifndef ATTN_FORWARD_ONLY
    if (inputs.positions != Positions::learned) return;
    positions_.resize(num_learned_draws(static_cast<int>(texts_.size()), inputs.d_in));
    parts_.positions = unset<Matrix>(texts_.size(), inputs.d_in);
    parts_.has_learned_positions = true;
#endif
}

bool EmbeddingDraw::advance(const Inputs& inputs, std::int64_t num_numbers, const Matrix* known_positions) {
    if (num_drawn_ < table_.size()) return draw_table(num_numbers);
#ifndef ATTN_FORWARD_ONLY
    if (num_positions_drawn_ < positions_.size()) {
        draw_positions(num_numbers);
        return false;
    }
#endif
    const int num_rows = static_cast<int>(texts_.size());
    const auto wanted = static_cast<int>(std::clamp<std::int64_t>(num_numbers / inputs.d_in, 1, num_rows));
    const int end = std::min(num_rows_made_ + wanted, num_rows);
    make_rows(inputs, num_rows_made_, end, known_positions);
    num_rows_made_ = end;
    return end == num_rows;
}

// Returns false: rows are still to be made.
bool EmbeddingDraw::draw_table(std::int64_t num_numbers) {
    const std::span<float> rest = elements(table_).subspan(num_drawn_);
    const std::size_t count = randn_slice(static_cast<std::size_t>(num_numbers), rest.size());
    fill_randn(generator_, rest.first(count));
    num_drawn_ += count;
    if (num_drawn_ < table_.size()) return false;
    parts_.token_vectors = look_up(table_, vocabulary_, texts_);
    return false;
}

#ifndef ATTN_FORWARD_ONLY
void EmbeddingDraw::draw_positions(std::int64_t num_numbers) {
    const std::span<float> rest = std::span<float>(positions_).subspan(num_positions_drawn_);
    const std::size_t count = randn_slice(static_cast<std::size_t>(num_numbers), rest.size());
    fill_randn(generator_, rest.first(count));
    num_positions_drawn_ += count;
    if (num_positions_drawn_ == positions_.size())
        std::copy_n(positions_.begin(), parts_.positions.size(), elements(parts_.positions).begin());
}
#endif

void EmbeddingDraw::make_rows(const Inputs& inputs, int first, int end, const Matrix* known_positions) {
    if (inputs.embed == EmbeddingKind::hash || inputs.embed == EmbeddingKind::ngrams) {
        const std::span<const std::string> texts = std::span<const std::string>(texts_).subspan(
            static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        EmbeddingParts rows =
            hashed_parts(texts, inputs.d_in, inputs.embed_seed, inputs.embed == EmbeddingKind::ngrams);
        std::copy(rows.token_vectors.begin(), rows.token_vectors.end(), row_of(parts_.token_vectors, first).begin());
        std::move(rows.pieces.begin(), rows.pieces.end(), std::back_inserter(parts_.pieces));
    }
    if (inputs.positions != Positions::sin) return;
    int num_known = 0;
    if (known_positions != nullptr && known_positions->size() != 0 && length(*known_positions, 1) == inputs.d_in)
        num_known = length(*known_positions, 0);
    const int end_of_known = std::clamp(num_known, first, end);
    for (int i = first; i < end_of_known; ++i) {
        const std::span<const float> row = row_of(*known_positions, i);
        std::copy(row.begin(), row.end(), row_of(parts_.positions, i).begin());
    }
    fill_positions(parts_.positions, end_of_known, end);
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
