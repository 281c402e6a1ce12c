#include "share/formats/number_table.h"

#include <catch_amalgamated.hpp>

#include "playground/random_states.h"
#include "playground/text/format.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

NumberTable read(std::string_view text) {
    const Result<NumberTable> table = read_number_table(text);
    INFO(text << "\n" << table.error());
    REQUIRE(table);
    return *table;
}

std::string refusal(std::string_view text) {
    const Result<NumberTable> table = read_number_table(text);
    INFO(text);
    REQUIRE_FALSE(table);
    return table.error();
}

const NumberBlock kRows = {{0.5F, -1}, {2, 3e-4F}};

TEST_CASE("tables are read in every way of writing them", "[number_table]") {
    const auto* text =
        GENERATE(as<const char*>{}, "0.5,-1\n2,3e-4\n", "0.5, -1\r\n2, 3e-4", "0.5\t-1\n2\t3e-4", "0.5;-1\n2;3e-4\n\n",
                 "  0.5 -1\n 2   3e-4",
                 "\xEF\xBB\xBF"
                 "0.5,-1\n2,3e-4",
                 "\"0.5\",\"-1\"\n\"2\",\"3e-4\"", "[[0.5, -1.], [2., 3e-4]]", "tensor([[0.5, -1], [2, 3e-4]])");
    CHECK(read(text).readings.front().block == kRows);
    CHECK(read(text).notes.empty());
}

TEST_CASE("names around the numbers are left out, and a note says so", "[number_table]") {
    const auto [text, num_notes] = GENERATE(table<const char*, std::size_t>({
        {"a,b\n0.5,-1\n2,3e-4\n", 1},
        {"\"width, cm\",b\n0.5,-1\n2,3e-4\n", 1},
        {"channel 0\tchannel 1\n0.5\t-1\n2\t3e-4\n", 1},
        {"token,0,1\nThe,0.5,-1\nartist,2,3e-4\n", 2},
        {",0,1\n0,0.5,-1\n1,2,3e-4\n", 2},                      // pandas
        {"\"\",\"a\",\"b\"\n\"0\",0.5,-1\n\"1\",2,3e-4\n", 2},  // R
        {"The 0.5 -1\nartist 2 3e-4\n", 1},
        {"注意;0.5;-1\n力;2;3e-4\n", 1},
    }));
    INFO(text);
    CHECK(read(text).readings.front().block == kRows);
    CHECK(read(text).notes.size() == num_notes);
}

TEST_CASE("numbers are never taken for names", "[number_table]") {
    CHECK(read("0,1\n0.5,-1").readings.front().block == NumberBlock{{0, 1}, {0.5F, -1}});
    CHECK(read("7").readings.front().block == NumberBlock{{7}});
    CHECK_THAT(refusal("nan,1\n2,3"), ContainsSubstring("row 0, column 0: \"nan\""));
    CHECK_THAT(refusal("1,NA\n2,3"), ContainsSubstring("row 0, column 1: \"NA\""));
    CHECK_THAT(refusal("1,2\n3,oops"), ContainsSubstring("row 1, column 1: \"oops\""));
}

TEST_CASE("a table whose commas may be decimal points is read both ways", "[number_table]") {
    const NumberTable table = read("0,5\n1,25");
    REQUIRE(table.readings.size() == 2);
    CHECK(table.readings[0].block == NumberBlock{{0, 5}, {1, 25}});
    CHECK(table.readings[1].block == NumberBlock{{0.5F}, {1.25F}});
    const NumberTable named = read("a;b\n1,5;2,5");
    REQUIRE(named.readings.size() == 1);
    CHECK(named.readings[0].block == NumberBlock{{1.5F, 2.5F}});
    CHECK(read("x,y\n1,5\n2,5").readings.size() == 1);
    const NumberTable column = read("loss\n0,5\n1,25");
    REQUIRE(column.readings.size() == 1);
    CHECK(column.readings[0].block == NumberBlock{{0.5F}, {1.25F}});
}

TEST_CASE("what cannot be read is refused with its place", "[number_table][bad-input]") {
    CHECK_THAT(refusal("a,b\n1,2\n3\n"), ContainsSubstring("row 1 has 1 number, row 0 has 2"));
    CHECK_THAT(refusal("1,,3"), ContainsSubstring("row 0, column 1: the cell is empty"));
    CHECK_THAT(refusal("1,1e99"), ContainsSubstring("too large for a float"));
    CHECK_THAT(refusal("hello"), ContainsSubstring("\"hello\" is not a number"));
    CHECK_THAT(refusal(" \n\n"), ContainsSubstring("there is no text"));
    CHECK_THAT(refusal("a,b,c"), ContainsSubstring("not a number"));
    CHECK_THAT(refusal("\xFF\xFE"
                       "1"),
               ContainsSubstring("UTF-16"));
    CHECK_THAT(refusal("sentence,stage,head,row,column,value\n1,weights,1,0,0,1\n"), ContainsSubstring("NPY"));
}

TEST_CASE("a table of ten million columns is refused before it is split", "[number_table][bad-input]") {
    CHECK_THAT(refusal(std::string(10'000'000, ',')), ContainsSubstring("more than 262,144 numbers"));
    CHECK_THAT(refusal(std::string(10'000'000, '\n') + "1"), ContainsSubstring("more than 262,144 numbers"));
    CHECK_FALSE(read_number_table(std::string(10'000'000, '[')));
    CHECK_FALSE(read_number_table(std::string(10'000'000, '"')));
}

TEST_CASE("whatever separates its numbers, a table of too many is refused up front", "[number_table][bad-input]") {
    for (const std::string_view cell :
         {"\r1", "\n1", "\r\n1", "\f1", "\v1", " 1", "\t1", ",1", ";1", "[1]", "[],", "["}) {
        std::string text = "1";
        while (text.size() < 2'000'000) text += cell;
        CHECK_THAT(refusal(text), ContainsSubstring("more than 262,144 numbers up to line "));
    }
    std::string rows;
    for (int row = 0; row < 3000; ++row) rows += "name,1\n";
    CHECK_THAT(refusal("," + std::string("0\n") + rows), ContainsSubstring("more than 2,048 rows"));
}

TEST_CASE("a table takes no more bytes than the largest X can need", "[number_table][bad-input]") {
    CHECK_THAT(refusal(std::string(kMaxTableBytes + 1, '1')), ContainsSubstring("more than 16 MiB"));
    CHECK_THAT(refusal(std::string(kMaxTableBytes, '1')), ContainsSubstring("is not a number"));
}

TEST_CASE("a long line of names is named by its beginning", "[number_table]") {
    std::string text;
    for (int column = 0; column < 2048; ++column) text += (column == 0 ? "c" : ",c") + std::to_string(column);
    text += "\n1";
    for (int column = 1; column < 2048; ++column) text += ",1";
    REQUIRE(read(text).notes.size() == 1);
    CHECK_THAT(read(text).notes[0], ContainsSubstring("\"c0, c1, c2") && ContainsSubstring("…"));
    CHECK(read(text).readings.front().block.front().size() == 2048);
    CHECK_THAT(refusal(text + ",1"), ContainsSubstring("more than 2,048 numbers"));
}

TEST_CASE("random tables are read as they were written", "[number_table][property]") {
    test::Dice dice(5);
    for (int round = 0; round < 200; ++round) {
        NumberBlock rows(static_cast<std::size_t>(1 + dice.below(5)));
        const int columns = 1 + dice.below(5);
        for (std::vector<float>& row : rows) {
            for (int c = 0; c < columns; ++c) {
                float number = dice.any_float();
                while (!std::isfinite(number)) number = dice.any_float();
                row.push_back(number);
            }
        }
        const char separator = test::Dice(static_cast<std::uint32_t>(round)).one_of(std::array{',', ';', '\t', ' '});
        const bool has_header = dice.coin(), has_labels = dice.coin();
        std::string text;
        if (has_header) {
            for (int c = has_labels ? -1 : 0; c < columns; ++c)
                text += (text.empty() ? "" : std::string(1, separator)) + "n" + std::to_string(c + 1);
            text += '\n';
        }
        for (const std::vector<float>& row : rows) {
            std::string line = has_labels ? "t" : "";
            for (const float number : row)
                line += (line.empty() ? "" : std::string(1, separator)) + exact_number(number);
            text += line + (dice.coin() ? "\r\n" : "\n");
        }
        // A single line of a label and numbers, without a header, could be a header itself: nothing is left out then.
        if (has_labels && !has_header && rows.size() == 1) continue;
        REQUIRE(read(text).readings.front().block == rows);
    }
}

}  // namespace
}  // namespace attn
