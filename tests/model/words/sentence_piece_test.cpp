// Tokenizers of characters with tokens for bytes, and the other files of tokenizers: a tokenizer.model of
// SentencePiece, and tiktoken's lists. tests/model/tokenizers.test.mjs and tests/torch/sentence_pieces.py compare with
// other programs on whole files.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstring>
#include <string>

#include "core/ground/check.h"
#include "model/words/model_tokenizer.h"

using attn::concat;
using attn::ModelToken;
using attn::ModelTokenizer;

namespace {

attn::Result<ModelTokenizer> read_model(std::string bytes, std::string config = {}) {
    return ModelTokenizer::read({.tokenizer_config_json = std::move(config), .tokenizer_model = std::move(bytes)});
}

std::string model_refusal(std::string bytes) {
    const attn::Result<ModelTokenizer> tokenizer = read_model(std::move(bytes));
    return tokenizer ? "" : tokenizer.error();
}

std::vector<int> ids_by(const ModelTokenizer& tokenizer, std::string_view text) {
    std::vector<int> ids;
    for (const ModelToken& token : tokenizer.encode(text).tokens) ids.push_back(token.id);
    return ids;
}

// --- messages of protocol buffers ---

std::string field(unsigned number, std::string_view bytes) {
    ATTN_CHECK(bytes.size() < 128, "a long field");
    return concat(static_cast<char>(number << 3U | 2U), static_cast<char>(bytes.size()), bytes);
}
std::string whole(unsigned number, char value) {
    std::string key;
    for (unsigned rest = number << 3U;; rest >>= 7U) {
        key += static_cast<char>(static_cast<unsigned char>((rest & 127U) | (rest > 127 ? 128U : 0U)));
        if (rest < 128) break;
    }
    return key + value;
}
std::string piece(std::string_view text, float score, char type = 1) {
    std::string bits(4, '\0');
    std::memcpy(bits.data(), &score, 4);
    return field(1, concat(field(1, text), "\x15", bits, whole(3, type)));
}

const std::string kPieces = concat(piece("<unk>", 0, 2), piece("<s>", 0, 3), piece("</s>", 0, 3), piece("\u2581", -3),
                                   piece("a", -4), piece("b", -5), piece("ab", -1), piece("\u2581ab", -2),
                                   piece("<0xC3>", 0, 6), piece("<0xA9>", 0, 6), piece("[x]", 0, 4));
std::string small_model(char kind, bool has_bytes) {
    return concat(kPieces, field(2, concat(whole(3, kind), whole(35, has_bytes ? '\1' : '\0'))),
                  field(3, field(1, "identity")));
}

}  // namespace

TEST_CASE("a file of SentencePiece is read, of both kinds", "[tokenizer]") {
    for (const char kind : {'\1', '\2'}) {
        const attn::Result<ModelTokenizer> tokenizer = read_model(small_model(kind, true));
        INFO(tokenizer.error());
        REQUIRE(tokenizer);
        CHECK(ids_by(*tokenizer, "ab") == std::vector<int>{1, 7});
        CHECK(ids_by(*tokenizer, "  ab   ab ") == std::vector<int>{1, 7, 7});  // blanks are joined
        CHECK(ids_by(*tokenizer, "b\u00e9") == std::vector<int>{1, 3, 5, 8, 9});
        CHECK(ids_by(*tokenizer, "b-?a") == std::vector<int>{1, 3, 5, 0, 4});
        CHECK(ids_by(*tokenizer, "").size() == 1);
        CHECK(ids_by(*tokenizer, "b[x]b") == std::vector<int>{1, 3, 5, 10, 5});
        CHECK(tokenizer->written_text_of(7) == " ab");
        CHECK(tokenizer->written_text_of(8) == "\xC3");
        const std::vector<ModelToken> tokens = tokenizer->encode("ab \u00e9", false).tokens;
        CHECK(tokens == std::vector<ModelToken>{{7, 0, 2}, {3, 2, 3}, {8, 3, 4}, {9, 4, 5}});
        const attn::Result<ModelTokenizer> framed =
            read_model(small_model(kind, false), R"({"add_bos_token":false,"add_eos_token":true})");
        REQUIRE(framed);
        CHECK(ids_by(*framed, "ab\u00e9") == std::vector<int>{7, 0, 2});
    }
}

TEST_CASE("a damaged file of SentencePiece is refused", "[tokenizer][bad-input]") {
    const std::string right = small_model(2, true);
    CHECK(model_refusal(right.substr(0, right.size() - 3)) ==
          "tokenizer.model is no file of SentencePiece, or it is cut or damaged.");
    CHECK(model_refusal("\x0F\x01").starts_with("tokenizer.model is no file of SentencePiece"));
    CHECK(model_refusal(small_model(3, false)).starts_with("tokenizer.model cuts texts into words or characters"));
    CHECK(model_refusal(right + field(2, whole(24, 1))) ==
          "tokenizer.model writes blanks behind words, which this program does not do.");
    CHECK(model_refusal(piece("a", std::nanf(""))) == "tokenizer.model has a token whose score is no number.");
    CHECK(model_refusal(piece("a", 0) + piece("a", 0)) == "The vocabulary has the token \"a\" twice.");
    CHECK(model_refusal(right + field(3, field(2, "cut"))) ==
          "The table of characters of the tokenizer is cut or damaged.");
}

TEST_CASE("a list of tiktoken's is told by its length", "[tokenizer][bad-input]") {
    CHECK(
        model_refusal("YQ== 0\nYg== 1\nYWI= 2\n") ==
        "tokenizer.model is a list of 3 tokens in tiktoken's form, which does not say how texts are cut: this program "
        "knows those of 50,256, 100,256, 128,000, 151,643 and 199,998 tokens.");
    CHECK(model_refusal("YQ== 0\nYg== x\n").starts_with("Line 2 of tokenizer.model is no token in base64"));
    CHECK(model_refusal("YQ_= 0\n").starts_with("Line 1 of tokenizer.model"));
    CHECK(model_refusal("YQ==\n").starts_with("Line 1 of tokenizer.model"));
}

TEST_CASE("characters are merged, and those that are no token become bytes", "[tokenizer]") {
    const auto read = [](std::string_view rest) {
        attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(
            {.tokenizer_json = concat(
                 R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"\u2581"},)"
                 R"({"type":"Replace","pattern":{"String":" "},"content":"\u2581"}]},"model":{"type":"BPE","vocab":)"
                 R"({"<unk>":0,"<0xC3>":1,"<0xA9>":2,"\u2581":3,"l":4,"o":5,"w":6,"lo":7,"\u2581lo":8,"low":9},)"
                 R"("unk_token":"<unk>","merges":["l o","\u2581 lo","lo w"])",
                 rest, "}}")});
        INFO(tokenizer.error());
        REQUIRE(tokenizer);
        return std::move(*tokenizer);
    };
    const ModelTokenizer bytes = read(R"(,"byte_fallback":true,"fuse_unk":true)");
    CHECK(ids_by(bytes, "low lol") == std::vector<int>{8, 6, 8, 4});
    CHECK(bytes.encode("o\u00e9??l").tokens ==
          std::vector<ModelToken>{{3, 0, 0}, {5, 0, 1}, {1, 1, 2}, {2, 2, 3}, {0, 3, 5}, {4, 5, 6}});
    CHECK(bytes.written_text_of(8) == " lo");
    CHECK(bytes.written_text_of(2) == "\xA9");
    const ModelTokenizer unknown = read("");
    CHECK(ids_by(unknown, "\u00e9?l") == std::vector<int>{3, 0, 0, 4});
}

TEST_CASE("parts of words are marked, at the beginning or at the end", "[tokenizer]") {
    const auto read = [](std::string_view model) {
        attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(
            {.tokenizer_json = concat(R"({"pre_tokenizer":{"type":"WhitespaceSplit"},"model":)", model, "}")});
        INFO(tokenizer.error());
        REQUIRE(tokenizer);
        return std::move(*tokenizer);
    };
    const ModelTokenizer ends =
        read(R"({"type":"BPE","vocab":{"l":0,"o":1,"o</w>":2,"w</w>":3,"lo</w>":4,"lo":5,"low</w>":6},)"
             R"("end_of_word_suffix":"</w>","merges":["l o","l o</w>","lo w</w>"]})");
    CHECK(ids_by(ends, "lo low olo") == std::vector<int>{4, 6, 1, 4});
    CHECK(ends.written_text_of(6) == "low ");
    CHECK(ends.written_text_of(5) == "lo");
    const ModelTokenizer inner = read(R"({"type":"BPE","vocab":{"l":0,"##o":1,"##w":2,"lo":3,"##ow":4},)"
                                      R"("continuing_subword_prefix":"##","merges":["l ##o","##o ##w"]})");
    CHECK(ids_by(inner, "low l") == std::vector<int>{3, 2, 0});
}

TEST_CASE("blanks as signs stand before words as the file says", "[tokenizer]") {
    const auto ids = [](std::string_view scheme, std::string_view text) {
        attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(
            {.tokenizer_json = concat(
                 R"({"pre_tokenizer":{"type":"Metaspace","replacement":"\u2581")", scheme,
                 R"(},"added_tokens":[{"id":9,"content":"<s>"}],)"
                 R"("model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["\u2581a",-1],["a",-1],["\u2581",-2]]}})")});
        INFO(tokenizer.error());
        REQUIRE(tokenizer);
        return ids_by(*tokenizer, text);
    };
    CHECK(ids("", "a a<s>a") == std::vector<int>{1, 1, 9, 1});
    CHECK(ids(R"(,"prepend_scheme":"always")", "a<s>a") == std::vector<int>{1, 9, 1});
    CHECK(ids(R"(,"prepend_scheme":"first")", "a a<s>a") == std::vector<int>{1, 1, 9, 2});
    CHECK(ids(R"(,"prepend_scheme":"first")", " a<s>a") == std::vector<int>{1, 9, 2});
    CHECK(ids(R"(,"prepend_scheme":"never")", "a a") == std::vector<int>{2, 1});
    CHECK(ids(R"(,"add_prefix_space":false)", "a a") == std::vector<int>{2, 1});
}

TEST_CASE("added tokens are found before or after the text is changed, and alone if they want that", "[tokenizer]") {
    attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(
        {.tokenizer_json =
             R"({"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"WhitespaceSplit"},"added_tokens":[)"
             R"({"id":5,"content":"Dr","single_word":true},{"id":6,"content":"MR","normalized":true,"lstrip":true}],)"
             R"("model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1,"dr":2,"drx":3,"mr":4}}})"});
    REQUIRE(tokenizer);
    CHECK(ids_by(*tokenizer, "Dr a") == std::vector<int>{5, 1});
    CHECK(ids_by(*tokenizer, "Drx dr") == std::vector<int>{3, 2});
    CHECK(ids_by(*tokenizer, "(Dr)") == std::vector<int>{0, 5, 0});
    CHECK(tokenizer->encode("a mR a").tokens == std::vector<ModelToken>{{1, 0, 1}, {6, 1, 4}, {1, 5, 6}});
}
