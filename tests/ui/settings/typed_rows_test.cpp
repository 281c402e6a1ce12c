// Typed and pasted numbers.
#include "ui/settings/typed_rows.h"

#include <catch_amalgamated.hpp>

using namespace attn;

namespace {

Inputs inputs_of(int d_in, std::vector<TypedRows> typed) {
    Inputs inputs;
    inputs.embed = EmbeddingKind::typed;
    inputs.d_in = d_in;
    inputs.typed = std::move(typed);
    return inputs;
}

}  // namespace

TEST_CASE("rows are read as a notebook, a spreadsheet or a link writes them", "[typed-rows]") {
    const TypedRows wanted = {{0.5F, -1, 2}, {3, 4, 5}};
    const char* text = GENERATE("0.5, -1, 2\n3, 4, 5", "0.5\t-1\t2\r\n3\t4\t5\r\n", "0.5,-1,2;3,4,5",
                                "[[0.5, -1.0, 2.0],\n [3.0, 4.0, 5.0]]", "  0.5 −1 2 ; 3 4 5 ;");
    Notes notes;
    CHECK(parse_typed_rows(text, notes) == wanted);
    CHECK(notes.empty());
}

TEST_CASE("what is not a number is refused with a note that names it", "[typed-rows][bad-input]") {
    const auto [text, named] = GENERATE(table<const char*, const char*>({{"0.5, many", "many"},
                                                                         {"nan", "nan"},
                                                                         {"1;inf", "inf"},
                                                                         {"1e39", "1e39"},
                                                                         {"1,2\n0x10", "0x10"},
                                                                         {"tensor(1)", "tensor(1)"}}));
    Notes notes;
    CHECK_FALSE(parse_typed_rows(text, notes).has_value());
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0], Catch::Matchers::ContainsSubstring(named));
}

TEST_CASE("text without a number is refused, too", "[typed-rows][bad-input]") {
    Notes notes;
    CHECK_FALSE(parse_typed_rows(GENERATE("", " ", ";;\n", "[[]]"), notes).has_value());
    CHECK(notes.size() == 1);
}

TEST_CASE("one number alone is told from several", "[typed-rows]") {
    CHECK_FALSE(holds_several_numbers(""));
    CHECK_FALSE(holds_several_numbers(" 1.5 \n"));
    CHECK(holds_several_numbers("1 2"));
    CHECK(holds_several_numbers("1\n2"));
}

TEST_CASE("pasted rows land at their place and leave the others alone", "[typed-rows]") {
    Inputs inputs = inputs_of(3, {{{1, 2, 3}, {4, 5, 6}}});
    Notes notes;
    place_typed_rows(inputs, 0, 1, 1, {{7, 8}, {9}}, 4, notes);
    CHECK(inputs.typed[0] == TypedRows{{1, 2, 3}, {4, 7, 8}, {0, 9}});
    CHECK(notes.empty());
    CHECK(typed_number(inputs, 0, 1, 2) == 8);
    CHECK(typed_number(inputs, 0, 2, 2) == 0);  // never typed
    CHECK(typed_number(inputs, 0, 3, 0) == 0);
}

TEST_CASE("pasted numbers outside the table are left out and the visitor is told", "[typed-rows][bad-input]") {
    Inputs inputs = inputs_of(2, {});
    Notes notes;
    if (GENERATE(true, false)) {
        place_typed_rows(inputs, 0, 0, 1, {{1, 2}}, 2, notes);  // too many columns
    } else {
        place_typed_rows(inputs, 0, 1, 1, {{1}, {2}}, 2, notes);  // too many rows
    }
    CHECK(notes.size() == 1);
    REQUIRE(inputs.typed.size() == 1);
    CHECK(inputs.typed[0].size() <= 2);
    for (const std::vector<float>& row : inputs.typed[0]) CHECK(row.size() <= 2);
}

TEST_CASE("a sentence without rows of its own gets a copy of those that served it", "[typed-rows]") {
    Inputs inputs = inputs_of(2, {{{1, 2}}});
    Notes notes;
    CHECK(typed_number(inputs, 2, 0, 1) == 2);
    place_typed_rows(inputs, 2, 0, 0, {{9}}, 1, notes);
    REQUIRE(inputs.typed.size() == 3);
    CHECK(inputs.typed[0] == TypedRows{{1, 2}});
    CHECK(inputs.typed[1] == TypedRows{{1, 2}});
    CHECK(inputs.typed[2] == TypedRows{{9, 2}});
}
