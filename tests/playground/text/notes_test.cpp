// The words that notes are built from.
#include "playground/text/notes.h"

#include <catch_amalgamated.hpp>

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
