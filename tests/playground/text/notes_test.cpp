// The words that notes are built from.
#include "playground/text/notes.h"

#include <catch_amalgamated.hpp>

#include "core/words/tokens.h"

using namespace attn;

TEST_CASE("numbers in notes have thousands and a plural", "[notes]") {
    CHECK(with_thousands(0) == "0");
    CHECK(with_thousands(999) == "999");
    CHECK(with_thousands(2048) == "2,048");
    CHECK(with_thousands(-1234567) == "-1,234,567");
    CHECK(counted(1, "edit") == "1 edit");
    CHECK(counted(0, "edit") == "0 edits");
    CHECK(counted(2048, "token") == "2,048 tokens");
}

TEST_CASE("a size in words has a unit that leaves few digits", "[notes]") {
    CHECK(bytes_in_words(4LL << 26) == "256 MiB");
    CHECK(bytes_in_words(1936) == "1,936 bytes");
    CHECK(bytes_in_words(1) == "1 byte");
    CHECK(bytes_in_words(20 * 1024) == "20 KiB");
}

TEST_CASE("a stranger's text is quoted short and valid", "[notes][bad-input]") {
    CHECK(attn::quoted("abc") == "\"abc\"");
    CHECK(attn::quoted(std::string(40, 'a')) == '"' + std::string(40, 'a') + '"');
    CHECK(attn::quoted(std::string(41, 'a')) == '"' + std::string(40, 'a') + "…\"");
    CHECK(attn::quoted("\xFF") == "\"\xEF\xBF\xBD\"");
    CHECK(attn::quoted("two\nlines\r\nand\u2028more") == "\"two lines  and more\"");
    // A three-byte character across the cut is left out whole, wherever it begins.
    for (const std::size_t num_before : {37U, 38U, 39U, 40U}) {
        const std::string text = std::string(num_before, 'a') +
                                 "\xE6\xB3\xA8"
                                 "bcdef";
        CAPTURE(num_before);
        const std::string shown = attn::quoted(text);
        CHECK(shown.find("\xEF\xBF\xBD") == std::string::npos);
        CHECK(clean_utf8(shown).num_replaced == 0);
    }
}

TEST_CASE("a list of names names the first ones", "[notes]") {
    NameList names;
    CHECK(names.empty());
    CHECK(names.text() == "");
    for (const char* name : {"a", "b", "c"}) names.add(name);
    CHECK(names.text() == "a, b, c");
    names.add("d");
    CHECK(names.text() == "a, b, c and 1 more");
    CHECK(names.size() == 4);
}
