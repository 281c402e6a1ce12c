// Token vectors: literal bits of the hashed ones, PyTorch's table, positions by their formula.
#include "core/words/embeddings.h"
#include "core/golden_json.h"

#include <array>
#include <bit>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "core/failed_check.h"
#include "core/problems.h"

namespace attn::test {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string hex(std::uint64_t bits, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = 0; i < digits; ++i) text[digits - 1 - i] = "0123456789abcdef"[bits >> (4 * i) & 15U];
    return text;
}

std::string hex_of_row(std::span<const float> row) {
    std::string text;
    for (const float value : row) text += (text.empty() ? "" : " ") + hex(std::bit_cast<std::uint32_t>(value), 8);
    return text;
}

}  // namespace

TEST_CASE("FNV-1a gives the hashes its authors list", "[embeddings][golden]") {
    // Fowler, Noll, Vo: the offset basis, and the 64-bit FNV-1a test vectors for "a" and "foobar"
    CHECK(fnv1a64("") == 0xcbf29ce484222325U);
    CHECK(fnv1a64("a") == 0xaf63dc4c8601ec8cU);
    CHECK(fnv1a64("foobar") == 0x85944171f73967e8U);
}

TEST_CASE("hashed vectors keep their bits on every machine and in every version", "[embeddings][golden]") {
    const nlohmann::json golden = load_golden("hashed.json");
    for (const nlohmann::json& one : golden.at("cases")) {
        const std::string token = one.at("token").get<std::string>();
        const std::uint64_t seed = std::stoull(one.at("seed").get<std::string>());
        CAPTURE(token, seed);
        CHECK(hex(fnv1a64(token), 16) == one.at("fnv1a64").get<std::string>());
        CHECK(ngram_pieces(token) == words_of(one.at("pieces").get<std::string>()));
        const std::vector<std::string> tokens = {token};
        const Matrix word = hashed_embeddings(tokens, 5, seed, false);
        const Matrix ngrams = hashed_embeddings(tokens, 5, seed, true);
        CHECK(hex_of_row(row_of(word, 0)) == one.at("word_bits").get<std::string>());
        CHECK(hex_of_row(row_of(ngrams, 0)) == one.at("ngram_bits").get<std::string>());
    }
}

TEST_CASE("a hashed vector's first numbers do not depend on how many there are", "[embeddings][property]") {
    const Vector longer = hashed_vector("portrait", 64, 5);
    const Vector shorter = hashed_vector("portrait", 3, 5);
    for (int c = 0; c < 64; ++c) {
        CHECK(same_bits(longer(c), hashed_value("portrait", c, 5)));
        if (c < 3) CHECK(same_bits(longer(c), shorter(c)));
    }
}

TEST_CASE("hashed values are uniform in +-sqrt(3): mean 0, variance 1", "[embeddings][property]") {
    const bool with_ngrams = GENERATE(false, true);
    std::vector<std::string> tokens;
    for (int i = 0; i < 400; ++i) tokens.push_back("word" + std::to_string(i * i));
    const Matrix embeddings = hashed_embeddings(tokens, 50, 8, with_ngrams);
    double sum = 0;
    double squares = 0;
    for (const float value : embeddings) {
        if (!with_ngrams) CHECK(std::abs(value) <= 1.7320508f);
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const double n = 400 * 50;
    // The words share n-grams ("<wo", "wor", ...), so with n-grams only about 1/400 of the mean's spread averages out:
    // 0.2 is three standard deviations of the mean of the 50 shared sums; alone it is five of 20000 values.
    CHECK(std::abs(sum / n) < (with_ngrams ? 0.3 : 5 / std::sqrt(n)));
    CHECK(std::abs(squares / n - 1) < (with_ngrams ? 0.3 : 0.05));
}

TEST_CASE("n-grams make related words alike, whole words do not", "[embeddings][property]") {
    const std::vector<std::string> tokens = {"paint", "painted", "painter", "speech"};
    const auto cosine = [&](const Matrix& x, int i, int j) {
        double dot = 0;
        double length_i = 0;
        double length_j = 0;
        for (int c = 0; c < length(x, 1); ++c) {
            dot += static_cast<double>(x(i, c)) * static_cast<double>(x(j, c));
            length_i += static_cast<double>(x(i, c)) * static_cast<double>(x(i, c));
            length_j += static_cast<double>(x(j, c)) * static_cast<double>(x(j, c));
        }
        return dot / std::sqrt(length_i * length_j);
    };
    const Matrix ngrams = hashed_embeddings(tokens, 1024, 1, true);
    const Matrix words = hashed_embeddings(tokens, 1024, 1, false);
    // "painted" and "painter" share 12 of their 19 pieces; unrelated vectors of 1024 numbers have a cosine of about
    // 0.03.
    CHECK(cosine(ngrams, 1, 2) > 0.5);
    CHECK(cosine(ngrams, 0, 1) > 0.4);
    CHECK(std::abs(cosine(ngrams, 0, 3)) < 0.15);
    CHECK(std::abs(cosine(words, 1, 2)) < 0.15);
}

TEST_CASE("the parts of a token add up to its vector, bit for bit", "[embeddings][property]") {
    const bool with_ngrams = GENERATE(false, true);
    const std::vector<std::string> tokens = {"The", "artist", "painted", "été", "a"};
    const EmbeddingParts parts = hashed_parts(tokens, 9, 77, with_ngrams);
    REQUIRE(parts.pieces.size() == tokens.size());
    CHECK(parts.positions.size() == 0);
    for (int i = 0; i < 5; ++i) {
        const std::vector<std::string>& pieces = parts.pieces[static_cast<std::size_t>(i)];
        for (int c = 0; c < 9; ++c) {
            float sum = 0;
            for (const std::string& piece : pieces) sum += piece_value(piece, pieces.size(), c, parts.seed);
            CHECK(same_bits(sum, parts.token_vectors(i, c)));
        }
    }
}

TEST_CASE("pieces are cut between code points and listed once", "[embeddings]") {
    CHECK(ngram_pieces("a") == std::vector<std::string>{"a", "<a>"});
    CHECK(ngram_pieces("é画") == std::vector<std::string>{"é画", "<é画", "é画>", "<é画>"});
    const std::vector<std::string> banana = ngram_pieces("banana");
    CHECK(std::count(banana.begin(), banana.end(), "ana") == 1);
}

TEST_CASE("the vocabulary is sorted by code point and holds each token once", "[embeddings]") {
    const std::vector<std::string> tokens = {"step", "Your", "journey", "é", "𝄞", "step", "，"};
    CHECK(vocabulary_of(tokens) == std::vector<std::string>{"Your", "journey", "step", "é", "，", "𝄞"});
}

TEST_CASE("nn.Embedding rows are looked up by place in the vocabulary", "[embeddings][golden]") {
    // rasbt/LLMs-from-scratch, ch02: the layer nn.Embedding(6, 3) of seed 123 looked up at 2, 3, 5, 1
    const nlohmann::json golden = load_golden("notebook-ch03.json").at("embedding");
    const std::vector<std::string> vocabulary = {"a", "b", "c", "d", "e", "f"};
    const std::vector<std::string> tokens = {"c", "d", "f", "b"};
    const Matrix x = torch_embeddings(tokens, vocabulary, 3, golden.at("seed").get<std::uint64_t>());
    const nlohmann::json& rows = golden.at("printed");
    require_close(x, nlohmann::json::array({rows[2], rows[3], rows[5], rows[1]}), 0.51e-4);  // four decimals
}

TEST_CASE("a token outside the vocabulary is refused", "[embeddings][bad-input]") {
    const std::vector<std::string> vocabulary = {"a", "c"};
    const std::vector<std::string> tokens = {"b"};
    CHECK_THAT(failed_check([&] { torch_embeddings(tokens, vocabulary, 2, 1); }),
               Catch::Matchers::ContainsSubstring("\"b\" is not in the vocabulary"));
}

TEST_CASE("positions are sines and cosines of the published wavelengths", "[embeddings]") {
    const int d_in = GENERATE(1, 2, 7, 8);
    const Matrix positions = sinusoidal_positions(50, d_in);
    for (int i = 0; i < 50; ++i) {
        for (int c = 0; c < d_in; ++c) {
            const int k = c / 2;
            const double angle = i / std::pow(10000.0, 2.0 * k / d_in);
            const double want = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
            CHECK(std::abs(static_cast<double>(positions(i, c)) - want) <=
                  0x1p-24);  // rounding to float, size at most 1
        }
    }
}

TEST_CASE("some rows of positions are the rows of the whole table", "[embeddings]") {
    const Matrix whole = sinusoidal_positions(20, 6);
    Matrix rows = zeros<Matrix>(20, 6);
    fill_positions(rows, 0, 7);
    CHECK(rows(7, 1) == 0);
    fill_positions(rows, 7, 20);
    CHECK(rows == whole);
}

}  // namespace attn::test
