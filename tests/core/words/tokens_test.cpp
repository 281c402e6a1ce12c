// Tokens: what each script becomes, what the Unicode rules demand, and what no input may break.
#include "core/words/tokens.h"

#include <array>
#include <catch_amalgamated.hpp>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using attn::clean_utf8;
using attn::kMaxTokens;
using attn::tokenize;
using attn::TokenKind;
using attn::Tokens;

namespace {

// Tokens hold no white space, so a space between them shows them one by one.
std::string shown(std::string_view sentence, TokenKind kind) {
    std::string text;
    for (const attn::Token& token : tokenize(sentence, kind).tokens) text += (text.empty() ? "" : " ") + token.text;
    return text;
}

std::string words(std::string_view sentence) {
    return shown(sentence, TokenKind::words);
}
std::string chars(std::string_view sentence) {
    return shown(sentence, TokenKind::chars);
}

std::string repeat(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

// All 25 characters of White_Space, and those invisible ones that the random sentences can hold.
constexpr std::array<std::string_view, 25> kWhiteSpace = {
    "\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u0085", "\u00A0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
    "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
constexpr std::array<std::string_view, 17> kInvisible = {"\u200B",     "\u200C", "\u200D", "\u200E", "\u200F", "\uFEFF",
                                                         "\U000E0041", "\u00AD", "\uFE0F", "\u034F", "\u061C", "\u2060",
                                                         "\u202A",     "\u202B", "\u202C", "\u202D", "\u202E"};

// True when `text` is made of white space and invisible characters only.
bool is_blank(std::string_view text) {
    while (!text.empty()) {
        std::size_t length = 0;
        for (const std::string_view blank : kWhiteSpace) length = text.starts_with(blank) ? blank.size() : length;
        for (const std::string_view blank : kInvisible) length = text.starts_with(blank) ? blank.size() : length;
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

// What holds for the tokens of every sentence. Says which promise is broken, or nothing.
std::string broken_promise(const Tokens& tokens) {
    if (clean_utf8(tokens.sentence).num_replaced != 0) return "the sentence is not clean";
    const std::string_view sentence = tokens.sentence;
    std::size_t end = 0;
    for (const attn::Token& token : tokens.tokens) {
        if (token.begin < end || token.end <= token.begin || token.end > sentence.size())
            return "tokens empty or out of order";
        if (token.text != sentence.substr(token.begin, token.end - token.begin))
            return "a token's text is not its bytes";
        if (!is_blank(sentence.substr(end, token.begin - end))) return "something that shows is in no token";
        for (const std::string_view space : kWhiteSpace) {
            if (token.text.find(space) != token.text.npos) return "white space in a token";
        }
        if (is_blank(token.text)) return "a token that does not show";
        if (clean_utf8(token.text).num_replaced != 0) return "a token that is not valid UTF-8";
        end = token.end;
    }
    if (tokens.num_left_out == 0 && !is_blank(sentence.substr(end)))
        return "something that shows comes after the last token";
    return "";
}

// Bytes and characters at which rules and decoders go wrong, some of them not valid, in random order.
std::string random_sentence(std::mt19937& generator) {
    static const std::vector<std::string> kPieces = [] {
        std::istringstream list(
            "a B \u00DF ' \u2019 \" . , : ! - ( _ 1 \u0661 \u05D0 \u05E9\u05C1 \u0301 \u0915 \u094D \u093F \u0E19 "
            "\u0E49\u0E33 \u1780 \u17D2 \u1019\u1039 \u3042 \u30FC \u30A2 \u4E2D \uAC00 \u1100 \u1161 \u0600 \u2764 "
            "\U0001F1E6 \U0001F600 \U0001F3FB \uFFFD \U0010FFFF \x01 \x80 \xC0\x80 \xE2\x82 \xED\xA0\x80 "
            "\xF4\x90\x80\x80 \xFF");
        std::vector<std::string> pieces;
        for (std::string piece; list >> piece;) pieces.push_back(piece);
        return pieces;
    }();
    std::string sentence;
    const auto num_pieces = generator() % 12;
    for (std::uint32_t i = 0; i < num_pieces; ++i) {
        const auto kind = generator() % 8;
        if (kind == 0) sentence += static_cast<char>(generator() & 0xFF);
        if (kind == 1) sentence += kWhiteSpace[generator() % kWhiteSpace.size()];
        if (kind == 2) sentence += kInvisible[generator() % kInvisible.size()];
        if (kind >= 3) sentence += kPieces[generator() % kPieces.size()];
    }
    return sentence;
}

}  // namespace

TEST_CASE("each script gives the words its readers expect", "[tokens]") {
    const auto [sentence, expected] = GENERATE(table<std::string, std::string>({
        {"The artist painted the portrait of a woman with a brush",
         "The artist painted the portrait of a woman with a brush"},
        {"I don't know\u2026 a well-known \u201Ct\u00EAte-\u00E0-t\u00EAte\u201D, no?",
         "I don't know \u2026 a well - known \u201C t\u00EAte - \u00E0 - t\u00EAte \u201D , no ?"},
        {"L\u2019\u00E9t\u00E9, stra\u00DFe, na\u0308ive", "L\u2019\u00E9t\u00E9 , stra\u00DFe , na\u0308ive"},
        {"Художник написал «портрет».", "Художник написал « портрет » ."},
        {"Ο καλλιτέχνης; Ναι.", "Ο καλλιτέχνης ; Ναι ."},
        {"رسم الفنان صورةً، لامرأة؟ ١٢٫٥", "رسم الفنان صورةً ، لامرأة ؟ ١٢٫٥"},
        {"می\u200Cخواهم", "می\u200Cخواهم"},  // the joiner keeps a Persian word together
        {"האמן צייר, ג'ירפה צ' צה\"ל שָׁלוֹם", "האמן צייר , ג'ירפה צ' צה\"ל שָׁלוֹם"},
        {"कलाकार ने क्षत्रिय बनाया।", "कलाकार ने क्षत्रिय बनाया ।"},
        {"ஸ்ரீ தமிழ் বাংলা ক্ষ", "ஸ்ரீ தமிழ் বাংলা ক্ষ"},
        {"ภาษาไทย น้ำ", "ภ า ษ า ไ ท ย น้ำ"},
        {"ນ້ຳລາວ", "ນ້ຳ ລ າ ວ"},
        {"ខ្មែរ", "ខ្មែ រ"},
        {"မြန်မာ ဗုဒ္ဓ", "မြ န် မာ ဗု ဒ္ဓ"},
        {"画家画了一幅肖像。“好”，", "画 家 画 了 一 幅 肖 像 。 “ 好 ” ，"},
        {"私は猫が好きです。カレーとらーめん", "私 は 猫 が 好 きです 。 カレー とらーめん"},
        {"화가가 붓으로 그렸다.", "화가가 붓으로 그렸다 ."},
        {"\u1112\u1161\u11AB\u1100\u1173\u11AF 말",
         "\u1112\u1161\u11AB\u1100\u1173\u11AF 말"},  // jamo: 한글 in six letters
        {"👩‍👩‍👧 😂😂👍🏽 ❤️ 🇺🇸🇬🇧🇫 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣",
         "👩‍👩‍👧 😂 😂 👍🏽 ❤️ 🇺🇸 🇬🇧 🇫 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣"},
        {"GPT是тест של テスト👍ok", "GPT 是 тест של テスト 👍 ok"},
    }));
    CHECK(words(sentence) == expected);
}

TEST_CASE("numbers, names and addresses are cut where people would cut them", "[tokens]") {
    const auto [sentence, expected] = GENERATE(table<std::string, std::string>({
        {"3.14 1,000 -2 50% $5 2nd 12:30", "3.14 1,000 - 2 50 % $ 5 2nd 12 : 30"},
        {"10\u202F000", "10 000"},  // the narrow space is white space, and is in no token
        {"snake_case e.g. U.S.A.", "snake_case e.g . U.S.A ."},
        {"https://example.com/a?b=1", "https : // example.com / a ? b = 1"},
        {"me@mail.org", "me @ mail.org"},
        {"wait...what!!! ?! C++ --", "wait ... what !!! ? ! C ++ --"},
        {"((a)) \"\" ''", "( ( a ) ) \" \" ' '"},  // brackets and quotes come one by one
        {"'tis 'quoted' rock'n'roll dogs'", "' tis ' quoted ' rock'n'roll dogs '"},
        {"<|endoftext|>", "< | endoftext | >"},
    }));
    CHECK(words(sentence) == expected);
}

TEST_CASE("word boundaries follow the numbered rules of UAX 29", "[tokens]") {
    const auto [rule, sentence, expected] = GENERATE(table<std::string, std::string, std::string>({
        {"WB4", "a\u0308b 1\u20DD2 \u0995\u200D1", "a\u0308b 1\u20DD2 \u0995\u200D1"},
        {"WB5", "a\u05D0\u1100", "a\u05D0\u1100"},
        {"WB6 and WB7", "a.b a:b a\u00B7b a: :a a..b a.1", "a.b a:b a\u00B7b a : : a a .. b a . 1"},
        {"WB7a", "\u05D0' a'", "\u05D0' a '"},
        {"WB7b and WB7c", "\u05D0\"\u05D0 \u05D0\"a a\"\u05D0", "\u05D0\"\u05D0 \u05D0 \" a a \" \u05D0"},
        {"WB8 to WB10", "12 a1 1a 1a1", "12 a1 1a 1a1"},
        {"WB11 and WB12", "1.2,3;4'5 1..2 1,a", "1.2,3;4'5 1 .. 2 1 , a"},
        {"WB13", "\u30A2\u30A4 \u30A2a \u3042 \u30FC\u3042", "\u30A2\u30A4 \u30A2 a \u3042 \u30FC \u3042"},
        {"WB13a and WB13b", "a_1_\u30A2_ __", "a_1_\u30A2_ __"},
        {"WB15", "\U0001F1E6\U0001F1E7\U0001F1E8", "\U0001F1E6\U0001F1E7 \U0001F1E8"},
        {"WB16", "a\U0001F1E6\U0001F1E7\U0001F1E8", "a \U0001F1E6\U0001F1E7 \U0001F1E8"},
        {"WB999", "\u4E2D\u6587a", "\u4E2D \u6587 a"},
    }));
    CAPTURE(rule);
    CHECK(words(sentence) == expected);
}

TEST_CASE("chars are what people count as characters", "[tokens]") {
    const auto [sentence, expected] = GENERATE(table<std::string, std::string>({
        {"don't stop", "d o n ' t s t o p"},
        {"e\u0301\u0323x", "e\u0301\u0323 x"},
        {"नमस्ते क्षि", "न म स्ते क्षि"},
        {"น้ำ ខ្មែ ဒ္ဓ", "น้ำ ខ្មែ ဒ္ဓ"},
        {"\u1112\u1161\u11AB\u1100\u1173 한", "\u1112\u1161\u11AB \u1100\u1173 한"},
        {"👩‍👩‍👧👍🏽🇺🇸🇬🇧1️⃣❤️",
         "👩‍👩‍👧 👍🏽 🇺🇸 🇬🇧 1️⃣ ❤️"},
        {"\u0600\u0661", "\u0600\u0661"},
        {"ラーメン", "ラ ー メ ン"},
        {"a\r\nb...", "a b . . ."},
        {"\u05D0\u200F\u05D1\uFEFF", "\u05D0 \u05D1"},
    }));
    CHECK(chars(sentence) == expected);
}

TEST_CASE("a text of Latin letters alone is cut as it is beside others", "[tokens]") {
    // All pairs of characters below the first that joins others; behind them, two words on, one that does.
    const std::string joining = " x y\u0301";
    const auto utf8 = [](unsigned code) {
        std::string text;
        if (code < 0x80) return std::string(1, static_cast<char>(code));
        text += static_cast<char>(0xC0U | code >> 6U);
        text += static_cast<char>(0x80U | (code & 0x3FU));
        return text;
    };
    for (unsigned first = 0x20; first < 0x300; first += 7) {
        std::string pairs;
        for (unsigned second = 0x20; second < 0x300; second += 5) pairs += utf8(first) + utf8(second);
        CAPTURE(first);
        for (const TokenKind kind : {TokenKind::words, TokenKind::chars}) {
            CHECK(shown(pairs + joining, kind) == shown(pairs, kind) + joining);
        }
    }
}

TEST_CASE("what does not show is in no token of its own", "[tokens][bad-input]") {
    const std::string blank =
        GENERATE("", " ", "\u3000\t\r\n", "\uFEFF", "\u200B\u200D\u200F", " \uFE0F\u00A0", "\u00AD");
    for (const TokenKind kind : {TokenKind::words, TokenKind::chars}) {
        CHECK(tokenize(blank, kind).tokens.empty());
        CHECK(shown(blank + "a" + blank, kind) == "a");
    }
    CHECK(words("\uFEFFcat cat\u200F \u200Ecat") == "cat cat cat");  // one word, so one embedding
    CHECK(words("co\u00ADoperate\u200Bnow") == "co\u00ADoperate now");
    CHECK(words("a \u0301b") == "a \u0301 b");  // a mark with nothing to stand on
}

TEST_CASE("invalid UTF-8 becomes one U+FFFD per maximal subpart", "[tokens][bad-input]") {
    using namespace std::string_literals;
    const auto [bytes, expected, num_replaced] = GENERATE(table<std::string, std::string, std::size_t>({
        {"plain \u00E9\u4E2D\U0001F600", "plain \u00E9\u4E2D\U0001F600", 0},
        {"\u007E\u00A0\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF",
         "\u007E\u00A0\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U0010FFFF", 0},
        {"\uFFFD", "\uFFFD", 0},  // typed so, not replaced
        {"caf\xE9 x", "caf\uFFFD x", 1},
        {"\x80\xBF", "\uFFFD\uFFFD", 2},
        {"\xC0\x80\xC1\xBF", "\uFFFD\uFFFD\uFFFD\uFFFD", 4},                                // overlong, two bytes
        {"\xE0\x80\xAF\xE0\x9F\xBF", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD", 6},            // overlong, three bytes
        {"\xF0\x80\x80\xAF", "\uFFFD\uFFFD\uFFFD\uFFFD", 4},                                // overlong, four bytes
        {"\xED\xA0\x80\xED\xBF\xBF", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD", 6},            // surrogates
        {"\xF4\x90\x80\x80\xF5\x80\xFF", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD", 7},  // above U+10FFFF
        {"a\xF1\x80\x80\xE1\x80\xC2"
         "b\x80"
         "c\x80\xBF"
         "d",  // sequences cut short
         "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd", 6},
        {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF"
         "A",
         "\uFFFD\uFFFD\uFFFD\uFFFDA", 4},
        {"x\xF0\x9F\x98", "x\uFFFD", 1},
        {"a\0b"s, "a\uFFFDb", 1},
        {"\x01\x1B[0m\x7F\u0080\u009F\x1F", "\uFFFD\uFFFD[0m\uFFFD\uFFFD\uFFFD\uFFFD", 6},
        {"\t\n\v\f\r\u0085", "\t\n\v\f\r\u0085", 0},
        {"", "", 0},
    }));
    const attn::CleanText clean = clean_utf8(bytes);
    CHECK(clean.text == expected);
    CHECK(clean.num_replaced == num_replaced);
    CHECK(tokenize(bytes, TokenKind::chars).sentence == expected);
}

TEST_CASE("U+FFFD is a token of its own", "[tokens][bad-input]") {
    CHECK(words("caf\xE9 \xFF\uFFFD") == "caf \uFFFD \uFFFD \uFFFD");
    CHECK(chars(std::string_view("a\0b", 3)) == "a \uFFFD b");
}

TEST_CASE("any bytes give tokens that keep every promise", "[tokens][property][bad-input]") {
    std::mt19937 generator(20240229);
    for (int round = 0; round < 20000; ++round) {
        const std::string sentence = random_sentence(generator);
        const Tokens by_word = tokenize(sentence, TokenKind::words);
        const Tokens by_char = tokenize(sentence, TokenKind::chars);
        std::string broken = broken_promise(by_word) + broken_promise(by_char);
        std::size_t k = 0;  // words begin and end where characters do
        for (const attn::Token& word : by_word.tokens) {
            while (k < by_char.tokens.size() && by_char.tokens[k].begin < word.begin) ++k;
            if (k == by_char.tokens.size() || by_char.tokens[k].begin != word.begin)
                broken = "a word begins inside a character";
            while (k < by_char.tokens.size() && by_char.tokens[k].end < word.end) ++k;
            if (k == by_char.tokens.size() || by_char.tokens[k].end != word.end)
                broken = "a word ends inside a character";
            if (words(word.text) != word.text) broken = "a word typed alone is cut in pieces";
        }
        if (broken.empty()) continue;
        CAPTURE(round, sentence);
        FAIL(broken);
    }
    SUCCEED();
}

TEST_CASE("the first 2,048 tokens are used and the others counted", "[tokens][bad-input]") {
    const auto [num_typed, num_used, num_left_out] = GENERATE(
        table<int, std::size_t, std::size_t>({{2047, 2047, 0}, {2048, 2048, 0}, {2049, 2048, 1}, {10000, 2048, 7952}}));
    const std::string sentence = repeat("\u00E9 ", num_typed);
    for (const TokenKind kind : {TokenKind::words, TokenKind::chars}) {
        const Tokens tokens = tokenize(sentence, kind);
        CHECK(tokens.sentence == sentence);  // whole, also what was left out
        CHECK(tokens.tokens.size() == num_used);
        CHECK(tokens.num_left_out == num_left_out);
        CHECK(tokens.tokens.back().begin == 3 * (num_used - 1));
        CHECK(broken_promise(tokens).empty());
    }
}

// With a quadratic step one of these would run for hours, not for milliseconds.
TEST_CASE("a megabyte of one repeated piece is cut into tokens", "[tokens][bad-input]") {
    const auto [head, piece, num_words, num_chars] =
        GENERATE(table<std::string, std::string, std::size_t, std::size_t>({
            {"a", "\u0301", 1, 1},              // marks on one base
            {"", "a", 1, 500000},               // one word
            {"", ".", 1, 500000},               // one run of a mark
            {"", "a.", 2, 1000000},             // a long name, and its last dot
            {"", "\u05D0\"", 2, 1000000},       // rule WB7b all along
            {"", "\u05D0'\u00AD", 1, 1000000},  // Hebrew with apostrophes and soft hyphens
            {"\U0001F469", "\u200D\U0001F469", 1, 1},
            {"", "\U0001F1E6", 250000, 250000},  // flags
            {"", "\u3042\u30FC", 1, 1000000},
            {"a", "\uFEFF", 1, 1},  // invisible
            {"", " ", 0, 0},
            {"", "\xFF", 500000, 500000},
        }));
    const std::string sentence = head + repeat(piece, 500000);
    for (const TokenKind kind : {TokenKind::words, TokenKind::chars}) {
        const Tokens tokens = tokenize(sentence, kind);
        CHECK(tokens.tokens.size() + tokens.num_left_out == (kind == TokenKind::words ? num_words : num_chars));
    }
}
