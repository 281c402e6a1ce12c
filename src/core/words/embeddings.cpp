// Vectors for tokens. Knows text as bytes and code points; tokens.cpp decides where tokens begin and end.
#include "core/words/embeddings.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/ground/random.h"

namespace attn {
namespace {

// The whole table has no remainder, so that its first rows are the same however many are drawn.
constexpr std::size_t kRandnBlock = 16;
static_assert(kNumLearnedPositions % kRandnBlock == 0);

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio, SplitMix64's step

// The output function of SplitMix64 (Steele, Lea, Flood 2014, figure 17, variant 13 of Stafford's mixers).
std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// State of the generator that belongs to a piece of text. The seed is mixed first, so that neighbouring seeds share
// nothing.
std::uint64_t piece_state(std::string_view text, std::uint64_t seed) {
    return fnv1a64(text) ^ mix64(seed + kGolden);
}

// Draw number `column` of SplitMix64 started at `state`, as a float: its top 24 bits u / 2^24 become (2u - 1) *
// sqrt(3).
float value_at(std::uint64_t state, int column) {
    const std::uint64_t bits = mix64(state + (static_cast<std::uint64_t>(column) + 1) * kGolden);
    const float u = static_cast<float>(bits >> 40) * 0x1p-24f;
    return (2.0f * u - 1.0f) * std::numbers::sqrt3_v<float>;  // 2u - 1 is exact; one rounding in all
}

float piece_scale(std::size_t num_pieces) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(num_pieces)));
}

// Byte offsets at which the code points of valid UTF-8 begin, and the end.
std::vector<std::size_t> code_point_offsets(std::string_view text) {
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_continuation = (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U;
        if (!is_continuation) offsets.push_back(i);
    }
    offsets.push_back(text.size());
    return offsets;
}

}  // namespace

std::uint64_t fnv1a64(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3U;
    }
    return hash;
}

float hashed_value(std::string_view text, int column, std::uint64_t seed) {
    return value_at(piece_state(text, seed), column);
}

Vector hashed_vector(std::string_view text, int d_in, std::uint64_t seed) {
    Vector vector = zeros<Vector>(d_in);
    const std::uint64_t state = piece_state(text, seed);
    for (int c = 0; c < d_in; ++c) vector(c) = value_at(state, c);
    return vector;
}

std::vector<std::string> ngram_pieces(std::string_view token) {
    const std::string marked = concat("<", token, ">");
    const std::vector<std::size_t> offsets = code_point_offsets(marked);
    std::vector<std::string> pieces = {std::string(token)};
    std::set<std::string> seen = {std::string(token)};
    for (const std::size_t length : {3U, 4U, 5U}) {
        for (std::size_t first = 0; first + length < offsets.size(); ++first) {
            std::string piece = marked.substr(offsets[first], offsets[first + length] - offsets[first]);
            if (seen.insert(piece).second) pieces.push_back(std::move(piece));
        }
    }
    return pieces;
}

float piece_value(std::string_view piece, std::size_t num_pieces, int column, std::uint64_t seed) {
    return hashed_value(piece, column, seed) * piece_scale(num_pieces);
}

EmbeddingParts hashed_parts(std::span<const std::string> tokens, int d_in, std::uint64_t seed, bool with_ngrams) {
    EmbeddingParts parts{
        .pieces = {}, .seed = seed, .token_vectors = zeros<Matrix>(tokens.size(), d_in), .positions = {}};
    for (const std::string& token : tokens) {
        const int i = static_cast<int>(parts.pieces.size());
        parts.pieces.push_back(with_ngrams ? ngram_pieces(token) : std::vector<std::string>{token});
        const float scale = piece_scale(parts.pieces.back().size());
        const std::span<float> row = row_of(parts.token_vectors, i);
        for (const std::string& piece : parts.pieces.back()) {
            const std::uint64_t state = piece_state(piece, seed);
            for (int c = 0; c < d_in; ++c) row[static_cast<std::size_t>(c)] += value_at(state, c) * scale;
        }
    }
    return parts;
}

Matrix hashed_embeddings(std::span<const std::string> tokens, int d_in, std::uint64_t seed, bool with_ngrams) {
    return hashed_parts(tokens, d_in, seed, with_ngrams).token_vectors;
}

std::vector<std::string> vocabulary_of(std::span<const std::string> tokens) {
    const std::set<std::string> distinct(tokens.begin(), tokens.end());  // by bytes, and UTF-8 keeps code point order
    return {distinct.begin(), distinct.end()};
}

Matrix torch_embeddings(std::span<const std::string> tokens, std::span<const std::string> vocabulary, int d_in,
                        std::uint64_t seed) {
    Matrix table = zeros<Matrix>(vocabulary.size(), d_in);
    TorchGenerator generator(seed);
    fill_randn(generator, elements(table));
    return look_up(table, vocabulary, tokens);
}

Matrix look_up(const Matrix& table, std::span<const std::string> vocabulary, std::span<const std::string> tokens) {
    Matrix embeddings = zeros<Matrix>(tokens.size(), table.shape(1));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto place = std::lower_bound(vocabulary.begin(), vocabulary.end(), tokens[i]);
        ATTN_CHECK(place != vocabulary.end() && *place == tokens[i], "token \"", tokens[i],
                   "\" is not in the vocabulary");
        const std::span<const float> row = row_of(table, static_cast<int>(place - vocabulary.begin()));
        std::copy(row.begin(), row.end(), row_of(embeddings, static_cast<int>(i)).begin());
    }
    return embeddings;
}

Matrix sinusoidal_positions(int num_tokens, int d_in) {
    Matrix positions = zeros<Matrix>(num_tokens, d_in);
    fill_positions(positions, 0, num_tokens);
    return positions;
}

std::size_t num_learned_draws(int num_tokens, int d_in) {
    const std::size_t wanted = static_cast<std::size_t>(num_tokens) * static_cast<std::size_t>(d_in);
    return (wanted + kRandnBlock - 1) / kRandnBlock * kRandnBlock;
}

void fill_positions(Matrix& positions, int first, int end) {
    const int d_in = length(positions, 1);
    for (int c = 0; c < d_in; ++c) {
        const double wavelength = portable::power_of_10000(static_cast<double>(c - c % 2) / d_in);  // over 2 pi
        for (int i = first; i < end; ++i) {
            const double angle = i / wavelength;
            positions(i, c) = static_cast<float>(c % 2 == 0 ? portable::sin(angle) : portable::cos(angle));
        }
    }
}

}  // namespace attn
