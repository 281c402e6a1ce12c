// Blocks of numbers from spreadsheets and notebooks: what is read, and the sentence for what is refused.
#include "playground/text/number_block.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "playground/random_states.h"

using namespace attn;

namespace {

NumberBlock block_of(std::string_view text) {
    const Result<NumberBlock> block = parse_number_block(text);
    INFO(text << "\n" << block.error());
    REQUIRE(block);
    return *block;
}

std::string refusal(std::string_view text) {
    const Result<NumberBlock> block = parse_number_block(text);
    INFO(text);
    REQUIRE_FALSE(block);
    return block.error();
}

const NumberBlock kBlock = {{1, 2}, {-0.3F, 4}};

}  // namespace

TEST_CASE("every usual way to write a matrix is read", "[number_block]") {
    const auto* text = GENERATE(as<const char*>{},
                                "1\t2\n-0.3\t4",              // a spreadsheet
                                "1\t2\r\n-0.3\t4\r\n",        // the same on Windows
                                " 1 \t 2 \n\n−.3\t+4.0e0\n",  // a minus as print has it
                                "1,2\n-0.3,4",                // CSV
                                "1, 2\n-0.3, 4\n",            //
                                "1;2\n-0.3;4",                //
                                "1,2;-.3,4",                  // a link
                                "1 2\n-0.3   4",              // numpy.savetxt
                                "\xEF\xBB\xBF"
                                "1,2\n-0.3,4",                                                 // a mark of bytes
                                "[[ 1.   2. ]\n [-0.3  4. ]]",                                 // NumPy, printed
                                "[[ 1.e+00  2.e+00]\n [-3.e-01  4.e+00]]",                     //
                                "array([[ 1. ,  2. ],\n       [-0.3,  4. ]], dtype=float32)",  // NumPy, repr
                                "tensor([[ 1.0000,  2.0000],\n        [-0.3000,  4.0000]])",   // PyTorch
                                "tensor([[1., 2.], [-0.3, 4.]], grad_fn=<MmBackward0>)",       //
                                "Parameter containing:\ntensor([[1., 2.], [-0.3, 4.]], device='cpu')",  //
                                "[[1, 2], [-0.3, 4]]",                                                  // Python
                                "w_query = torch.tensor(\n  [[1, 2,],\n   [-0.3, 4,],\n  ]\n)",         //
                                "[[[1, 2], [-0.3, 4]]]",      // a batch of one
                                "[[1\n  2]\n [-0.3\n  4]]");  // long rows wrap
    const NumberBlock block = block_of(text);
    INFO(text);
    CHECK(block == kBlock);
}

TEST_CASE("one number, one row and one column are blocks", "[number_block]") {
    CHECK(block_of("0.5") == NumberBlock{{0.5F}});
    CHECK(block_of("[0.5]") == NumberBlock{{0.5F}});
    CHECK(block_of("[1 2 3]") == NumberBlock{{1, 2, 3}});
    CHECK(block_of("tensor([1., 2., 3.])") == NumberBlock{{1, 2, 3}});
    CHECK(block_of("1\n2\n3\n") == NumberBlock{{1}, {2}, {3}});
    CHECK(block_of("[[1],[2]]") == NumberBlock{{1}, {2}});
    CHECK(std::signbit(block_of("-0")[0][0]));
}

TEST_CASE("what is no number is refused, and the sentence says what and where", "[number_block][bad-input]") {
    CHECK(refusal("1\t2\n3\tabc") == "row 1, column 1: \"abc\" is not a number");
    CHECK(refusal("[[1, 2], [x, 4]]") == "row 1, column 0: \"x\" is not a number");
    CHECK(refusal("nan") == "row 0, column 0: \"nan\" is not a number");
    CHECK(refusal("1 inf") == "row 0, column 1: \"inf\" is not a number");
    CHECK(refusal("1,1e39") == "row 0, column 1: \"1e39\" is too large for a float");
    CHECK(refusal("1\t\t2") == "row 0, column 1: the cell is empty");
    CHECK(refusal("[1,,2]") == "row 0, column 1: the cell is empty");
    CHECK_THAT(refusal("[1 2, 3]"), Catch::Matchers::EndsWith("a comma is missing in \"1 2\""));
}

TEST_CASE("empty and ragged blocks are refused", "[number_block][bad-input]") {
    CHECK(refusal("") == "there is no text");
    CHECK(refusal(" \n\t ") == "there is no text");
    CHECK(refusal("[[], []]") == "there are no numbers in it");
    CHECK(refusal("1\t2\n3") == "row 1 has 1 number, row 0 has 2");
    CHECK(refusal("[[1], [2, 3]]") == "row 1 has 2 numbers, row 0 has 1");
}

TEST_CASE("commas between digits are read in every way that makes a block", "[number_block][bad-input]") {
    struct Case {
        const char* text;
        std::optional<NumberBlock> between, decimal;
    };
    const auto& [text, between, decimal] = GENERATE(values<Case>({
        {"0,5", {{{0, 5}}}, {{{0.5F}}}},
        {"0,5\n1,25\n", {{{0, 5}, {1, 25}}}, {{{0.5F}, {1.25F}}}},
        {"1,5;2,5", {{{1, 5}, {2, 5}}}, {{{1.5F, 2.5F}}}},
        {"1,5;2,5\n3,5;4,5", {{{1, 5}, {2, 5}, {3, 5}, {4, 5}}}, {{{1.5F, 2.5F}, {3.5F, 4.5F}}}},
        {"0,1;2", {}, {{{0.1F, 2}}}},
        {"1,5\t2,5", {}, {{{1.5F, 2.5F}}}},
        {"7\t1,5", {}, {{{7, 1.5F}}}},
        {"1,5 2,5\n3,5 -4,5e-3", {}, {{{1.5F, 2.5F}, {3.5F, -0.0045F}}}},
        {"1, 2", {{{1, 2}}}, {}},
        {"1,2,3", {{{1, 2, 3}}}, {}},
        {"1.5,2", {{{1.5F, 2}}}, {}},
        {"1,5,2\n3,4,5", {{{1, 5, 2}, {3, 4, 5}}}, {}},
        {".5,.25;1,2", {{{0.5F, 0.25F}, {1, 2}}}, {}},
        {"[[1,2]]", {{{1, 2}}}, {}},
        {"7", {{{7}}}, {}},
    }));
    CAPTURE(text);
    const Result<std::vector<NumberReading>> readings = number_readings(text);
    REQUIRE(readings);
    REQUIRE(readings->size() == (between ? 1U : 0U) + (decimal ? 1U : 0U));
    if (between) CHECK(readings->front().block == *between);
    if (decimal) CHECK(readings->back().block == *decimal);
    CHECK(readings->back().has_decimal_commas == decimal.has_value());
}

TEST_CASE("what is no block in any way keeps its sentence", "[number_block][bad-input]") {
    CHECK(number_readings("1,x").error() == parse_number_block("1,x").error());
    CHECK(number_readings("").error() == "there is no text");
}

TEST_CASE("print-outs that are no single whole matrix are refused", "[number_block][bad-input]") {
    CHECK_THAT(refusal("[[1 2 ... 3]]"), Catch::Matchers::ContainsSubstring("were not printed"));
    CHECK_THAT(refusal("[[1., 2.],\n ...,\n [3., 4.]]"), Catch::Matchers::ContainsSubstring("between the rows"));
    CHECK_THAT(refusal("[[[1],[2]],[[3],[4]]]"), Catch::Matchers::ContainsSubstring("several matrices"));
    CHECK_THAT(refusal("[[1,2]]\n[[3,4]]"), Catch::Matchers::ContainsSubstring("several matrices"));
    CHECK_THAT(refusal("[[1,2]"), Catch::Matchers::ContainsSubstring("closing bracket is missing"));
    CHECK_THAT(refusal("[1, [2]]"), Catch::Matchers::ContainsSubstring("between the rows"));
    CHECK_THAT(refusal("[[1], 2]"), Catch::Matchers::ContainsSubstring("between the rows"));
    CHECK_THAT(refusal("[[1], [[2]]]"), Catch::Matchers::ContainsSubstring("other brackets"));
    CHECK_THAT(refusal("5 * [[1]]"), Catch::Matchers::ContainsSubstring("before the first bracket"));
    CHECK_THAT(refusal("[[1]] * 5"), Catch::Matchers::ContainsSubstring("after the last bracket"));
}

TEST_CASE("more numbers than any matrix has are refused", "[number_block][bad-input]") {
    std::string text;
    for (int row = 0; row < 1025; ++row) {
        for (int column = 0; column < 1024; ++column) text += "1 ";
        text += '\n';
    }
    CHECK_THAT(refusal(text), Catch::Matchers::ContainsSubstring("more than 1,048,576 numbers"));
}

TEST_CASE("more rows or columns than any matrix has are refused", "[number_block][bad-input]") {
    const auto repeated = [](std::string_view piece, int times) {
        std::string text;
        for (int i = 0; i < times; ++i) text += piece;
        return text;
    };
    CHECK(block_of(repeated("1\n", 2048)).size() == 2048);
    CHECK(block_of(repeated("1\t", 2047) + "1").front().size() == 2048);
    CHECK(block_of("[" + repeated("[1],", 2048) + "]").size() == 2048);
    for (const char* row : {"1\n", "1\r", "1\r\n", "1,2\n", "1 2\r", ".1,.2;", "1;2\n"})
        CHECK(refusal(repeated(row, 2049)) == "more than 2,048 rows, and no matrix has so many");
    CHECK(refusal("[" + repeated("[1],", 2049) + "]") == "more than 2,048 rows, and no matrix has so many");
    CHECK(refusal("[" + repeated("[]", 2049) + "]") == "more than 2,048 rows, and no matrix has so many");
    for (const char* cell : {"1 ", "1\t", "1,", "1;", "1\f", "1\v"})
        CHECK(refusal(repeated(cell, 2049) + "1\n0") ==
              "row 0 has more than 2,048 numbers, and no matrix has so many columns");
    CHECK(refusal("[" + repeated("1 ", 2049) + "]") ==
          "row 0 has more than 2,048 numbers, and no matrix has so many columns");
}

TEST_CASE("what is copied is pasted bit for bit", "[number_block][property]") {
    test::Dice dice(3);
    for (int round = 0; round < 300; ++round) {
        NumberBlock block(static_cast<std::size_t>(1 + dice.below(5)),
                          std::vector<float>(static_cast<std::size_t>(1 + dice.below(5))));
        for (std::vector<float>& row : block) {
            for (float& number : row) {
                do {
                    number = dice.any_float();
                } while (!std::isfinite(number));
            }
        }
        CHECK(block_of(write_number_block(block)) == block);
    }
}

TEST_CASE("any bytes give a block of equal rows of finite numbers, or a sentence", "[number_block][property]") {
    test::Dice dice(5);
    constexpr std::string_view kLetters = "0123456789.,;-+e[]()\t\n \r\"xn=";
    int num_read = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (int i = dice.below(24); i > 0; --i) {
            text += dice.below(8) == 0
                        ? static_cast<char>(dice.below(256))
                        : kLetters[static_cast<std::size_t>(dice.below(static_cast<int>(kLetters.size())))];
        }
        const Result<NumberBlock> block = parse_number_block(text);
        if (!block) {
            REQUIRE_FALSE(block.error().empty());
            continue;
        }
        ++num_read;
        REQUIRE_FALSE(block->empty());
        for (const std::vector<float>& row : *block) {
            REQUIRE_FALSE(row.empty());
            REQUIRE(row.size() == block->front().size());
            for (const float number : row) REQUIRE(std::isfinite(number));
        }
    }
    CHECK(num_read > 100);  // else the property says little
}
