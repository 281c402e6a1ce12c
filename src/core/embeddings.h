// Tokens become vectors: hashed (a function of the token's text alone), nn.Embedding of a PyTorch seed,
// or numbers the visitor typed; and sinusoidal positions on top.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace attn {

enum class Positions { none, sin };

// FNV-1a, 64 bit, of the UTF-8 bytes (Fowler, Noll, Vo).
std::uint64_t fnv1a64(std::string_view bytes);

// The hashed vector of one piece of text: (d_in), uniform in +-sqrt(3), so its variance is 1 like nn.Embedding's.
// A function of (text, d_in, seed) alone: the same bits on every machine and in every version.
Vector hashed_vector(std::string_view text, int d_in, std::uint64_t seed);

// The pieces whose hashed vectors make up a token with n-grams: the whole word first, then the character n-grams of
// 3 to 5 characters of "<word>" (Bojanowski et al. 2017, section 3.2).
std::vector<std::string> ngram_pieces(std::string_view token);

// Hashed embeddings: (T, d_in). with_ngrams: the mean of the pieces' vectors times sqrt(number of pieces), variance 1.
Matrix hashed_embeddings(std::span<const std::string> tokens, int d_in, std::uint64_t seed, bool with_ngrams);

// The distinct tokens in code point order; a token's row in nn.Embedding is its place here.
std::vector<std::string> vocabulary_of(std::span<const std::string> tokens);

// nn.Embedding(vocabulary.size(), d_in) after torch.manual_seed(seed), looked up for `tokens`: (T, d_in).
// Every token must be in `vocabulary`, which is sorted.
Matrix torch_embeddings(std::span<const std::string> tokens, std::span<const std::string> vocabulary, int d_in,
                        std::uint64_t seed);

// Sinusoidal positions (Vaswani et al. 2017, section 3.5): (T, d_in); column 2k is sin(i / 10000^(2k/d_in)), 2k+1 cos.
Matrix sinusoidal_positions(int num_tokens, int d_in);

}  // namespace attn
