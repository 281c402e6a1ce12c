// What texts become before they are cut, on printed examples.
#include "model/words/text_changes.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "model/words/unicode.h"

using attn::Text;
using attn::unicode::characters_of;

namespace {

std::string written(const Text& text) {
    std::string result;
    for (const attn::unicode::Character& one : text) attn::unicode::append_utf8(result, one.code);
    return result;
}

attn::Pattern pattern_of(std::string_view expression) {
    attn::Result<attn::Pattern> pattern = attn::Pattern::read(expression);
    REQUIRE(pattern);
    return std::move(*pattern);
}

// A table for SentencePiece: a trie of one byte each, as the format has it. "A" becomes "a", "B" nothing.
std::string small_table() {
    std::vector<std::uint32_t> units(256, 0);
    constexpr std::uint32_t kRootOffset = 1;  // of the root; children stand at 1 ^ byte
    units[0] = kRootOffset << 10U;
    const auto add = [&](unsigned char byte, std::uint32_t place) {
        const std::uint32_t at = kRootOffset ^ byte;
        const std::uint32_t leaf = at ^ 128U;  // free: no letter of these tests is there
        units[at] = 128U << 10U | 1U << 8U | byte;
        units[leaf] = 1U << 31U | place;
    };
    add('A', 0);
    add('B', 2);
    std::string bytes;
    const auto write = [&](std::uint32_t number) {
        for (unsigned i = 0; i < 4; ++i)
            bytes += static_cast<char>(static_cast<unsigned char>(number >> 8 * i & 0xffU));
    };
    write(static_cast<std::uint32_t>(units.size() * 4));
    for (const std::uint32_t unit : units) write(unit);
    return bytes + std::string("a\0\0", 3);
}

}  // namespace

TEST_CASE("BERT's cleaning is that of its tests", "[tokenizer][golden]") {
    const auto clean = [](std::string_view text, const attn::WordCleaning& cleaning) {
        std::string result;
        for (const auto& one : attn::cleaned(characters_of(text), cleaning))
            attn::unicode::append_utf8(result, one.code);
        return result;
    };
    CHECK(clean("ah\u535A\u63A8zz", {}) == "ah \u535A  \u63A8 zz");
    CHECK(clean("H\u00E9llo", {}) == "hello");
    CHECK(clean("H\u00E9llo", {.drops_accents = false}) == "h\u00E9llo");
    CHECK(clean("H\u00E4LLo", {.makes_lower_case = false}) == "HaLLo");
    CHECK(clean(std::string_view("a\0b\u200Dc\td\u0085e", 12), {}) == "abc de");
    CHECK(clean("\u30AB\uAC01", {.drops_accents = false}) == "\u30AB\uAC01");  // no kana, no Hangul
    CHECK(clean("\uAC01", {}) == "\u1100\u1161\u11A8");
    CHECK(clean("\u03A3\u0391\u03A3", {}) == "\u03C3\u03B1\u03C3");  // no final sigma
    CHECK(clean("\u0130", {.drops_accents = false}) == "i\u0307");
    CHECK(clean("\U00020000", {}) == " \U00020000 ");
}

// The examples of Unicode Standard Annex 15, figures 3 to 5, and of section 3.12.
TEST_CASE("texts are taken apart and put together as the standard prints it", "[unicode][golden]") {
    using attn::unicode::NormalForm;
    const auto form = [](std::string_view text, NormalForm wanted) {
        std::string result;
        for (const attn::unicode::Character& one : normalized(attn::unicode::characters_of(text), wanted))
            attn::unicode::append_utf8(result, one.code);
        return result;
    };
    const auto check = [&](std::string_view text, std::string_view apart, std::string_view together) {
        CHECK(form(text, NormalForm::nfd) == apart);
        CHECK(form(text, NormalForm::nfc) == together);
    };
    check("\u212b", "A\u030a", "\u00c5");
    check("\u2126", "\u03a9", "\u03a9");
    check("\u00f4", "o\u0302", "\u00f4");
    check("\u1e69", "s\u0323\u0307", "\u1e69");
    check("\u1e0b\u0323", "d\u0323\u0307", "\u1e0d\u0307");
    check("q\u0307\u0323", "q\u0323\u0307", "q\u0323\u0307");
    check("\ufb01", "\ufb01", "\ufb01");
    check("\u1e9b\u0323", "\u017f\u0323\u0307", "\u1e9b\u0323");
    check("\ud4db", "\u1111\u1171\u11b6", "\ud4db");
    check("\u0958", "\u0915\u093c", "\u0915\u093c");  // never put together again
    check("a\u0315\u0300\u05ae\u0300b", "a\u05ae\u0300\u0300\u0315b", "\u00e0\u05ae\u0300\u0315b");
    check("", "", "");
}

TEST_CASE("a character that was put together has the bytes of its parts", "[unicode]") {
    const std::vector<attn::unicode::Character> text =
        normalized(attn::unicode::characters_of("xe\u0323\u0301y"), attn::unicode::NormalForm::nfc);
    REQUIRE(text.size() == 4);
    CHECK(text[1].code == 0x1eb9);
    CHECK((text[1].begin == 1 && text[1].end == 4));
    CHECK((text[2].begin == 4 && text[2].end == 6));
    const std::vector<attn::unicode::Character> turned =
        normalized(attn::unicode::characters_of("e\u0301\u0323y"), attn::unicode::NormalForm::nfc);
    REQUIRE(turned.size() == 3);
    // The mark that composes stood behind the other: together they are all of it.
    CHECK((turned[0].begin == 0 && turned[0].end == 5));
    CHECK((turned[1].begin <= 3 && turned[1].end == 5));
}

TEST_CASE("forms of compatibility also take apart what looks like others", "[unicode][golden]") {
    using attn::unicode::NormalForm;
    const auto form = [](std::string_view text, NormalForm wanted) {
        return written(normalized(characters_of(text), wanted));
    };
    // Annex 15, figure 6.
    CHECK(form("\ufb01", NormalForm::nfkd) == "fi");
    CHECK(form("\ufb01", NormalForm::nfkc) == "fi");
    CHECK(form("2\u2075", NormalForm::nfkc) == "25");
    CHECK(form("\u1e9b\u0323", NormalForm::nfkd) == "s\u0323\u0307");
    CHECK(form("\u1e9b\u0323", NormalForm::nfkc) == "\u1e69");
    CHECK(form("\u00a0x", NormalForm::nfkc) == " x");
    CHECK(form("\ud4db\u00e9", NormalForm::nfkc) == "\ud4db\u00e9");
}

TEST_CASE("ends are stripped, marks dropped, texts replaced and put before", "[words]") {
    CHECK(written(stripped(characters_of(" \t x y\u00a0\n"), true, true)) == "x y");
    CHECK(written(stripped(characters_of("  x  "), false, true)) == "  x");
    CHECK(written(stripped(characters_of("  x  "), true, false)) == "x  ");
    CHECK(written(stripped(characters_of("   "), true, true)).empty());
    CHECK(written(attn::without_marks(characters_of("e\u0301\u00e9"))) == "e\u00e9");
    CHECK(written(prepended({}, "_")).empty());
    CHECK(written(attn::with_single_blanks(characters_of("  a   b \tc "))) == "a b \tc");
    const Text text = prepended(replaced(characters_of("a  b"), attn::Pattern::of_text(" "), "\u2581"), "\u2581");
    CHECK(written(text) == "\u2581a\u2581\u2581b");
    CHECK((text[0].begin == 0 && text[0].end == 0));
    CHECK((text[2].begin == 1 && text[2].end == 2));
    const Text joined = replaced(characters_of("a  b"), pattern_of(" {2,}"), "--");
    CHECK(written(joined) == "a--b");
    CHECK((joined[1].begin == 1 && joined[1].end == 3 && joined[2].begin == 1 && joined[2].end == 3));
}

TEST_CASE("SentencePiece's table changes what it names, and damaged ones are refused", "[words]") {
    const attn::Result<attn::CharacterTable> table = attn::CharacterTable::read(small_table());
    REQUIRE(table);
    using Way = attn::CharacterTable::Way;
    for (const Way way : {Way::shortest_of_cluster, Way::longest}) {
        const Text text = table->changed(characters_of("ABCA\u00e9B"), way);
        CHECK(written(text) == "aCa\u00e9");
        CHECK((text[1].begin == 2 && text[1].end == 3));
    }
    // The Rust library changes a letter with its marks as one: what it becomes stands for all of it.
    CHECK(written(table->changed(characters_of("A\u0301x"), Way::shortest_of_cluster)) == "ax");
    CHECK(written(table->changed(characters_of("A\u0301x"), Way::longest)) == "a\u0301x");
    const std::string whole = small_table();
    for (const std::string& damaged : {std::string(), whole.substr(0, 3), whole.substr(0, 900), whole + "x"}) {
        const attn::Result<attn::CharacterTable> refused = attn::CharacterTable::read(damaged);
        CHECK(!refused);
    }
}

TEST_CASE("bytes in base64 are those of RFC 4648", "[words]") {
    // The test vectors of its section 10.
    const char* const kBytes[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
    const char* const kTexts[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (std::size_t n = 0; n < std::size(kBytes); ++n) CHECK(attn::to_base64(kBytes[n]) == kTexts[n]);
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    CHECK(attn::from_base64(attn::to_base64(all)) == all);
}

TEST_CASE("base64 is read, with and without its end", "[words]") {
    CHECK(attn::from_base64("TWFu") == "Man");
    CHECK(attn::from_base64("TWE=") == "Ma");
    CHECK(attn::from_base64("TQ==") == "M");
    CHECK(attn::from_base64("TQ") == "M");
    CHECK(attn::from_base64("") == "");
    CHECK(!attn::from_base64("T-"));
}
