// The softmax of a vector and of the vector times a gain, held against the lecture's numbers through the public path.
#include "views/softmax/softmax_experiment.h"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "playground/link/state_url.h"
#include "playground/text/format.h"
#include "views/words/view_text.h"

using namespace attn;

namespace {

TextTable table_of(const std::string& link) {
    const ReadLink read = read_link(link);
    REQUIRE(read.notes.empty());
    Evaluator evaluator;
    evaluator.update(read.state);
    const std::vector<TextTable> tables = tables_of_view(read.state, evaluator);
    REQUIRE(tables.size() == 1);
    return tables.front();
}

double number_in(const TextTable& table, std::size_t row, std::size_t column) {
    return parse_number(table.rows.at(row).at(column)).value();
}

}  // namespace

TEST_CASE("softmax of the lecture's vector, plain and with its gain of 8", "[softmax][golden]") {
    const std::vector<double> plain = {0.192498, 0.142606, 0.235117, 0.142606, 0.287173};
    const std::vector<double> gained = {0.032608, 0.002958, 0.16151, 0.002958, 0.799965};
    const TextTable table = table_of("view=softmax&vector=0.1,-0.2,0.3,-0.2,0.5&gain=8");
    REQUIRE(table.rows.size() == 7);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        // Four decimals are shown of the six that are known.
        CHECK(number_in(table, i, 2) == Catch::Approx(plain[i]).margin(5.1e-5));
        CHECK(number_in(table, i, 3) == Catch::Approx(gained[i]).margin(5.1e-5));
    }
    CHECK(table.rows[5] == std::vector<std::string>{"sum", "", "1.0000", "1.0000"});
    CHECK(table.rows[6] == std::vector<std::string>{"largest", "", "0.2872", "0.8000"});
    // The lecture's vector is the one that nobody has to type.
    CHECK(table_of("view=softmax&gain=8").rows == table.rows);
}

TEST_CASE("a softmax sums to 1 and keeps the order, however large the numbers", "[softmax][property]") {
    for (const double gain : {0.1, 1.0, 8.0, 20.0}) {
        const std::vector<float> numbers = {3e4F, -1e30F, 0, 3e4F, 5, -2};
        const Softmax softmax = softmax_of(numbers, gain);
        CHECK(softmax.sum == Catch::Approx(1).epsilon(1e-12));
        CHECK(softmax.largest == 0);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            CHECK(std::isfinite(softmax.weights[i]));
            for (std::size_t j = 0; j < numbers.size(); ++j) {
                if (numbers[i] > numbers[j]) CHECK(softmax.weights[i] >= softmax.weights[j]);
            }
        }
    }
}

TEST_CASE("a larger gain gives the largest number more", "[softmax][property]") {
    const std::vector<float> numbers = {0.1F, -0.2F, 0.3F, -0.2F, 0.5F};
    double before = 0;
    for (const double gain : {0.1, 0.5, 1.0, 2.0, 8.0, 20.0}) {
        const double largest = softmax_of(numbers, gain).weights[4];
        CHECK(largest > before);
        before = largest;
    }
}

TEST_CASE("the formula stands there with its numbers put in", "[softmax]") {
    const std::vector<float> numbers = {0.1F, -0.2F, 0.3F, -0.2F, 0.5F};
    const std::vector<std::string> lines = softmax_lines(numbers, 8, 0);
    REQUIRE(lines.size() == 4);
    CHECK(lines[1] == "= exp(8.00 × 0.1000 − 4.0000) / 1.2501");
    CHECK(lines[2] == "= 0.0408 / 1.2501");
    CHECK(lines[3] == "= 0.0326");
}

TEST_CASE("a list is taken however it was written", "[softmax]") {
    CHECK(as_number_list("0.1, -0.2") == "0.1,-0.2");
    CHECK(as_number_list("[ 0.1  -0.2\n 3e2]") == "0.1,-0.2,3e2");
    CHECK(as_number_list("1;2\t3,,4") == "1,2,3,4");
    CHECK(as_number_list(" [] ") == "");
}
