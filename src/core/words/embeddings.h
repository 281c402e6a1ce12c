// Tokens become vectors: hashed (a function of the token's text alone), nn.Embedding of a PyTorch seed,
// or numbers the visitor typed; and positions on top, sinusoidal or of a table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/tensor.h"

namespace attn {

// How tokens learn where they stand. sin and learned: numbers added to the embeddings; rope and alibi: steps on the way
// to the scores (core/attention/rotary.h, score_changes.h).
enum class Positions { none, sin, rope, alibi, learned };

// Rows of the table of learned positions, nn.Embedding(kNumLearnedPositions, d_in): as many as a sentence has tokens at
// most. GPT-2's wpe has 1,024.
inline constexpr int kNumLearnedPositions = 2048;

// What X is added up from: X = token_vectors + positions, and where tokens are hashed
// token_vectors(i, c) = sum of piece_value over pieces[i], added in float in their order.
struct EmbeddingParts {
    std::vector<std::vector<std::string>> pieces;  // [T]: the hashed pieces of each token; empty when not hashed
    std::uint64_t seed = 0;                        // of the hashed pieces
    Matrix token_vectors;                          // (T, d_in) before positions
    Matrix positions;                              // (T, d_in), size 0 without positions
    bool has_learned_positions = false;            // they are rows of a drawn table, no sines
};

// FNV-1a, 64 bit, of the UTF-8 bytes (Fowler, Noll, Vo).
std::uint64_t fnv1a64(std::string_view bytes);

// Element `column` of the hashed vector of one piece of text: uniform in +-sqrt(3), so its variance is 1 like
// nn.Embedding's. A function of (text, column, seed) alone: the same bits on every machine and in every version.
float hashed_value(std::string_view text, int column, std::uint64_t seed);

// The first d_in hashed values: (d_in).
Vector hashed_vector(std::string_view text, int d_in, std::uint64_t seed);

// The pieces whose hashed vectors make up a token with n-grams: the whole word first, then the character n-grams of
// 3 to 5 characters (code points) of "<word>", each once (Bojanowski et al. 2017, section 3.2). `token` is valid UTF-8.
std::vector<std::string> ngram_pieces(std::string_view token);

// What one of a token's `num_pieces` pieces adds to column `column` of its vector: hashed_value / sqrt(num_pieces),
// which keeps the variance of the sum at 1. One piece alone adds its hashed value.
float piece_value(std::string_view piece, std::size_t num_pieces, int column, std::uint64_t seed);

// Hashed token vectors (T, d_in) with the pieces they are made of; without positions. with_ngrams: ngram_pieces, else
// each token is one piece.
EmbeddingParts hashed_parts(std::span<const std::string> tokens, int d_in, std::uint64_t seed, bool with_ngrams);

// The token vectors of hashed_parts: (T, d_in).
Matrix hashed_embeddings(std::span<const std::string> tokens, int d_in, std::uint64_t seed, bool with_ngrams);

// The distinct tokens in code point order; a token's row in nn.Embedding is its place here.
std::vector<std::string> vocabulary_of(std::span<const std::string> tokens);

// nn.Embedding(vocabulary.size(), d_in) after torch.manual_seed(seed), looked up for `tokens`: (T, d_in).
// Every token must be in `vocabulary`, which is sorted.
Matrix torch_embeddings(std::span<const std::string> tokens, std::span<const std::string> vocabulary, int d_in,
                        std::uint64_t seed);

// The rows of `table`, which is that of `vocabulary`, for `tokens`: (T, d_in).
Matrix look_up(const Matrix& table, std::span<const std::string> vocabulary, std::span<const std::string> tokens);

// Sinusoidal positions (Vaswani et al. 2017, section 3.5): (T, d_in); column 2k is sin(i / 10000^(2k/d_in)), 2k+1 cos.
Matrix sinusoidal_positions(int num_tokens, int d_in);

// How many numbers to draw of nn.Embedding(kNumLearnedPositions, d_in) for its first `num_tokens` rows: in whole blocks
// of 16, as fill_randn turns uniforms into normals.
std::size_t num_learned_draws(int num_tokens, int d_in);

// Rows first to end of sinusoidal_positions, into the rows of `positions` (T, d_in).
void fill_positions(Matrix& positions, int first, int end);

}  // namespace attn
