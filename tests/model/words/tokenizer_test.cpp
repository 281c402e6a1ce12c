// Tokenizers on vocabularies that fit on a page, with numbers printed elsewhere; and what files may be wrong about.
// tests/model/tokenizers.test.mjs compares with another implementation on whole vocabularies.
#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "model/words/model_tokenizer.h"
#include "model/words/unicode.h"

using attn::concat;
using attn::ModelToken;
using attn::ModelTokenizer;
using attn::ModelTokens;

namespace {

ModelTokenizer made(const attn::TokenizerFiles& files) {
    attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(files);
    INFO(tokenizer.error());
    REQUIRE(tokenizer);
    return std::move(*tokenizer);
}

std::vector<int> ids_of(const ModelTokens& tokens) {
    std::vector<int> ids;
    for (const ModelToken& token : tokens.tokens) ids.push_back(token.id);
    return ids;
}

std::string tokenizer_refusal(const attn::TokenizerFiles& files) {
    const attn::Result<ModelTokenizer> tokenizer = ModelTokenizer::read(files);
    return tokenizer ? "" : tokenizer.error();
}

// Of google-research/bert's tests.
const std::string kBertVocab = "[UNK]\n[CLS]\n[SEP]\nwant\n##want\n##ed\nwa\nun\nrunn\n##ing\n,\n";

// Of the tests of Hugging Face's GPT-2.
const std::string kGpt2Vocab =
    "{\"l\":0,\"o\":1,\"w\":2,\"e\":3,\"r\":4,\"s\":5,\"t\":6,\"i\":7,\"d\":8,\"n\":9,"
    "\"\u0120\":10,\"\u0120l\":11,\"\u0120n\":12,\"\u0120lo\":13,\"\u0120low\":14,\"er\":15,"
    "\"\u0120lowest\":16,\"\u0120newer\":17,\"\u0120wider\":18,\"<unk>\":19,"
    "\"<|endoftext|>\":20}";
const std::string kGpt2Merges = "#version: 0.2\n\u0120 l\n\u0120l o\n\u0120lo w\ne r\n";

std::string json_of(const std::string& model, const std::string& rest) {
    return concat(R"({"model":)", model, rest, "}");
}
const std::string kByteLevel = R"(,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true})";
const std::string kSmallModel = R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]})";

}  // namespace

TEST_CASE("BERT's small vocabulary gives its printed numbers", "[tokenizer][golden]") {
    const ModelTokenizer bert = made({.vocab_txt = kBertVocab});
    CHECK(ids_of(bert.encode("UNwant\u00E9d,running", false)) == std::vector<int>{7, 4, 5, 10, 8, 9});
    CHECK(ids_of(bert.encode("unwantedX running", false)) == std::vector<int>{0, 8, 9});
    CHECK(bert.encode("unwantedX running", false).num_unknown == 1);
    CHECK(ids_of(bert.encode("running")) == std::vector<int>{1, 8, 9, 2});
    // Each piece shows its bytes: the accent belongs to its letter.
    const std::vector<ModelToken> tokens = bert.encode("UNwant\u00E9d,", false).tokens;
    CHECK(tokens[1] == ModelToken{4, 2, 6});
    CHECK(tokens[2] == ModelToken{5, 6, 9});
    CHECK(tokens[3] == ModelToken{10, 9, 10});
    CHECK(bert.written_text_of(8) == " runn");
    CHECK(bert.written_text_of(9) == "ing");
}

TEST_CASE("GPT-2's small vocabulary gives its printed numbers", "[tokenizer][golden]") {
    const std::string json = json_of(concat(R"({"type":"BPE","unk_token":"<unk>","vocab":)", kGpt2Vocab,
                                            ",\"merges\":[\"\u0120 l\",\"\u0120l o\",\"\u0120lo w\",\"e r\"]}"),
                                     kByteLevel);
    const ModelTokenizer gpt2 = made({.tokenizer_json = json});
    const ModelTokens tokens = gpt2.encode("lower newer");
    CHECK(ids_of(tokens) == std::vector<int>{14, 15, 10, 9, 3, 2, 15});
    CHECK(tokens.tokens[0] == ModelToken{14, 0, 3});
    CHECK(tokens.tokens[2] == ModelToken{10, 5, 6});
    CHECK(tokens.num_unknown == 0);
    CHECK(ids_of(gpt2.encode("lox")) == std::vector<int>{13, 19});
    CHECK(gpt2.encode("lox").num_unknown == 1);

    const ModelTokenizer files = made({.vocab_json = kGpt2Vocab, .merges_txt = kGpt2Merges});
    CHECK(ids_of(files.encode(" lower newer")) == ids_of(tokens));
    CHECK(ids_of(files.encode("low<|endoftext|> low")) == std::vector<int>{0, 1, 2, 20, 14});
    CHECK(files.written_text_of(14) == " low");
}

TEST_CASE("whole words are tokens, and a word that is none has no number", "[tokenizer]") {
    const std::string model =
        R"({"type":"WordLevel","vocab":{"<s>":0,"the":1,"brush":2,".":3,"##x":4},"unk_token":"<unk>"})";
    const std::string frame =
        R"(,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},)"
        R"({"Sequence":{"id":"A","type_id":0}}]})";
    const std::string lower = R"(,"normalizer":{"type":"Lowercase"})";
    const ModelTokenizer tokenizer =
        made({.tokenizer_json = json_of(model, lower + R"(,"pre_tokenizer":{"type":"BertPreTokenizer"})" + frame)});
    const ModelTokens tokens = tokenizer.encode("The  brush.");
    CHECK(tokens.tokens == std::vector<ModelToken>{{0, 0, 0}, {1, 0, 3}, {2, 5, 10}, {3, 10, 11}});
    CHECK(tokens.num_unknown == 0);
    const ModelTokens others = tokenizer.encode("the br\u00fcsh .");
    CHECK(ids_of(others) == std::vector<int>{0, 1, -1, 3});
    CHECK(others.num_unknown == 1);
    CHECK(tokenizer.written_text_of(4) == " ##x");
    // At white space alone a mark belongs to its word.
    const ModelTokenizer blanks =
        made({.tokenizer_json = json_of(model, R"(,"pre_tokenizer":{"type":"WhitespaceSplit"})" + frame)});
    CHECK(ids_of(blanks.encode("the brush. The .")) == std::vector<int>{0, 1, -1, -1, 3});
    // With a token for unknown words they are that.
    std::string known = model;
    known.replace(known.find("<unk>"), 5, "##x");
    const ModelTokenizer some =
        made({.tokenizer_json = json_of(known, R"(,"pre_tokenizer":{"type":"WhitespaceSplit"})")});
    CHECK(ids_of(some.encode("the cat")) == std::vector<int>{1, 4});
}

TEST_CASE("every byte has its character, and every character its byte", "[tokenizer]") {
    CHECK(attn::character_of_byte(' ') == 0x120);
    CHECK(attn::character_of_byte('\n') == 0x10a);
    CHECK(attn::character_of_byte('!') == '!');
    CHECK(attn::character_of_byte(0xad) == 0x143);
    std::string text, bytes;
    for (int byte = 0; byte < 256; ++byte) {
        attn::unicode::append_utf8(text, attn::character_of_byte(static_cast<std::uint8_t>(byte)));
        bytes += static_cast<char>(static_cast<unsigned char>(byte));
    }
    CHECK(attn::bytes_of_token(text) == bytes);
}

TEST_CASE("bytes that are no UTF-8 count as U+FFFD, with their own place", "[tokenizer][bad-input]") {
    using attn::unicode::characters_of;
    const auto codes = [](std::string_view bytes) {
        std::vector<std::uint32_t> all;
        for (const auto& one : characters_of(bytes)) all.push_back(one.code);
        return all;
    };
    CHECK(codes("a\xC3\xA9\xF0\x9F\x98\x80") == std::vector<std::uint32_t>{'a', 0xe9, 0x1f600});
    CHECK(codes("\xC0\x80") == std::vector<std::uint32_t>{0xfffd, 0xfffd});
    CHECK(codes("\xED\xA0\x80") == std::vector<std::uint32_t>{0xfffd, 0xfffd, 0xfffd});
    CHECK(codes("\xF0\x9F\x98z") == std::vector<std::uint32_t>{0xfffd, 'z'});
    CHECK(codes("\xF4\x90\x80\x80").size() == 4);
    CHECK(characters_of("\xF0\x9F\x98z")[1].begin == 3);
}

TEST_CASE("a tokenizer that this program does not know is refused by name", "[tokenizer][bad-input]") {
    CHECK(tokenizer_refusal({}) ==
          "There is no tokenizer: tokenizer.json is missing, and so are vocab.json with merges.txt, vocab.txt and "
          "tokenizer.model.");
    CHECK(tokenizer_refusal({.vocab_json = "{}"}) == "There is a vocab.json, but no merges.txt beside it.");
    CHECK(tokenizer_refusal({.merges_txt = "a b"}) == "There is a merges.txt, but no vocab.json beside it.");
    CHECK(tokenizer_refusal({.tokenizer_json = "{"}).starts_with("tokenizer.json is not valid JSON"));
    CHECK(tokenizer_refusal({.tokenizer_json = "{}"}) ==
          "tokenizer.json has no \"model\": it is the file of no tokenizer.");
    const auto json = [](const std::string& model, const std::string& rest = kByteLevel) {
        return tokenizer_refusal({.tokenizer_json = json_of(model, rest)});
    };
    CHECK(json(kSmallModel).empty());
    CHECK(
        json(R"({"type":"Other","vocab":{"a":0}})") ==
        "tokenizer.json has a model of the type \"Other\"; this program knows BPE, Unigram, WordPiece and WordLevel.");
    CHECK(json(R"({"type":"Unigram","vocab":{}})") ==
          "tokenizer.json has no vocabulary: a list of tokens, each with a number.");
    CHECK(json(R"({"type":"Unigram","vocab":[["a",-1],["b"]]})") ==
          "Token 1 of tokenizer.json is no pair of a text and a number.");
    CHECK(json(R"({"type":"Unigram","vocab":[["a",-1]],"unk_id":1})") ==
          "tokenizer.json has an \"unk_id\" that is no token.");
    CHECK(json(R"({"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]})") ==
          "Merge 1 of the tokenizer makes \"ab\" of \"a\" and \"b\", but its vocabulary has no \"ab\".");
    CHECK(json(R"({"type":"BPE","vocab":{"a":0},"merges":["ab"]})") ==
          "Merge 1 of the tokenizer is \"ab\", not two tokens with a blank.");
    CHECK(json(R"({"type":"BPE","vocab":{"a":0,"b":0},"merges":[]})") ==
          "The vocabulary has the number 0 twice: for \"a\" and \"b\".");
    CHECK(json(R"({"type":"BPE","vocab":{"a":-1},"merges":[]})") ==
          "tokenizer.json has the token \"a\" without a whole number from 0 to 2097151.");
    CHECK(json(R"({"type":"BPE","dropout":0.1,"vocab":{"a":0},"merges":[]})") ==
          "tokenizer.json has a model with \"dropout\", which this program does not do.");
    CHECK(json(kSmallModel, kByteLevel + R"(,"normalizer":{"type":"Nmt"})") ==
          "tokenizer.json has a normalizer of the type \"Nmt\"; this program knows NFC, NFD, NFKC, NFKD, Lowercase, "
          "Strip, StripAccents, Replace, Prepend, BertNormalizer, Precompiled and a Sequence of them.");
    CHECK(json(kSmallModel, kByteLevel + R"(,"normalizer":{"type":"Sequence","normalizers":[{"type":"Replace"}]})") ==
          "tokenizer.json has a normalizer Replace without a \"pattern\".");
    CHECK(json(kSmallModel, kByteLevel + R"(,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"})") ==
          "The table of characters of the tokenizer is cut or damaged.");
    CHECK(json(kSmallModel, R"(,"pre_tokenizer":{"type":"UnicodeScripts"})") ==
          "tokenizer.json has a pre_tokenizer of the type \"UnicodeScripts\"; this program knows ByteLevel, Metaspace, "
          "Split, Digits, Punctuation, Whitespace, WhitespaceSplit, CharDelimiterSplit, BertPreTokenizer and a "
          "Sequence of them.");
    CHECK(json(kSmallModel, R"(,"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"last"})") ==
          "tokenizer.json has a Metaspace with the \"prepend_scheme\" \"last\", which this program does not know.");
    CHECK(json(kSmallModel, R"(,"pre_tokenizer":{"type":"Split","pattern":{"String":" "},"behavior":"Other"})") ==
          "tokenizer.json cuts words with the behavior \"Other\", which this program does not know.");
    CHECK(json(kSmallModel, R"(,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a)\\1"},"behavior":"Removed"})") ==
          "The expression \"(a)\\1\" has a backslash before a letter or digit: this program does not know it.");
    CHECK(json(kSmallModel, R"(,"pre_tokenizer":{"type":"Whitespace","other":1})").empty());
    CHECK(json(kSmallModel, kByteLevel + R"(,"post_processor":{"type":"OtherProcessing"})") ==
          "tokenizer.json has a post_processor of the type \"OtherProcessing\"; this program knows ByteLevel, "
          "TemplateProcessing, BertProcessing, RobertaProcessing and a Sequence of them.");
    CHECK(json(kSmallModel, kByteLevel + R"(,"post_processor":{"type":"RobertaProcessing","cls":["<s>",0]})") ==
          "tokenizer.json has a RobertaProcessing without \"cls\" that is a token.");
    CHECK(json(kSmallModel, kByteLevel + R"(,"added_tokens":[{"id":1,"content":"<s>"}])") ==
          "The vocabulary has the number 1 twice: for \"<s>\" and \"b\".");
    CHECK(tokenizer_refusal({.vocab_txt = "a\nb\n"}) == "vocab.txt has no [UNK], the token for unknown words.");
    CHECK(tokenizer_refusal({.vocab_txt = "a\na\n"}) == "The vocabulary has the token \"a\" twice.");
}

TEST_CASE("what a tokenizer's files say is quoted short", "[tokenizer][bad-input]") {
    const std::string word(1'000'000, 'x');
    const auto of_json = [&](const std::string& model, const std::string& rest) {
        return tokenizer_refusal({.tokenizer_json = json_of(model, rest)});
    };
    const std::string one = concat(R"({"type":"BPE","vocab":{"a":0},"merges":[")", word, R"("]})");
    const std::string two = concat(R"({"type":"BPE","vocab":{"a":0},"merges":[["a",")", word, R"("]]})");
    for (const std::string& refusal :
         {of_json(concat(R"({"type":")", word, R"("})"), ""), of_json(one, ""), of_json(two, ""),
          of_json(concat(R"({"type":"BPE","vocab":{")", word, R"(":-1},"merges":[]})"), ""),
          of_json(kSmallModel, concat(R"(,"normalizer":{"type":")", word, R"("})")),
          of_json(kSmallModel, concat(R"(,"pre_tokenizer":{"type":")", word, R"("})")),
          of_json(kSmallModel, concat(R"(,"post_processor":{"type":")", word, R"("})")),
          of_json(kSmallModel, concat(R"(,"pre_tokenizer":{"type":"Split","behavior":"Removed","pattern":{"Regex":")",
                                      word, R"("}})")),
          tokenizer_refusal({.vocab_txt = concat(word, "\n", word, "\n")})}) {
        CAPTURE(refusal.substr(0, 200));
        CHECK(!refusal.empty());
        CHECK(refusal.size() < 400);
    }
}

TEST_CASE("a tokenizer of more words than any has is refused", "[tokenizer][bad-input]") {
    CHECK(tokenizer_refusal({.vocab_txt = std::string((2 << 21) + 2, '\n')}) ==
          "vocab.txt has more than 2097152 tokens.");
    CHECK(tokenizer_refusal({.vocab_json = "{}", .merges_txt = std::string((64 << 20) + 1, 'a')}) ==
          "merges.txt or vocab.txt has more than 64 MiB.");
    std::string merges;
    for (int i = 0; i < (1 << 21) + 1; ++i) merges += "a b\n";
    CHECK(tokenizer_refusal({.vocab_json = R"({"a":0,"b":1,"ab":2})", .merges_txt = merges}) ==
          "The tokenizer has more than 2097152 merges.");
}

TEST_CASE("a vocabulary of one and a word of 10,000 letters are no trouble", "[tokenizer][bad-input]") {
    const ModelTokenizer one = made({.vocab_txt = "[UNK]"});
    CHECK(ids_of(one.encode(std::string(10'000, 'x'))) == std::vector<int>{0});
    const ModelTokenizer pairs = made({.tokenizer_json = json_of(kSmallModel, kByteLevel)});
    const ModelTokens tokens = pairs.encode(std::string(10'000, 'a'));
    CHECK(tokens.tokens.size() == 10'001);  // and the blank before
    CHECK(tokens.num_unknown == 1);
}
