// A step in words: what it starts from, the running means, the new number; the same that training arrives at.
#include "playground/numbers/step_lines.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

namespace {

using Lines = std::vector<std::string>;

// Two tokens, one of which should look at the other; every matrix the identity.
const std::string kTaught =
    "text=a+b&embed=typed&pos=none&x=1,2;3,4&init=identity&d_out=2&heads=1&out=0&goal=pattern&target=1:1>0&rate=0.1";

Evaluation evaluated(const std::string& link) {
    return evaluate(read_link(link).state.inputs, 0);
}

Lines lines_of(const std::string& link, TensorId gradient, int row, int column) {
    return step_lines(evaluated(link), {.tensor = gradient, .head = 0, .row = row, .column = column});
}

// "new = 1.0000 − 0.1 × … = 0.9" ends with the number of the matrix one step later.
void require_new_number(const std::string& link, int steps) {
    CAPTURE(link, steps);
    const std::string now = concat(link, "&steps=", steps);
    const Evaluation later = evaluated(concat(link, "&steps=", steps + 1));
    for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 2; ++column) {
            const Lines lines = lines_of(now, TensorId::grad_w_query, row, column);
            REQUIRE(lines.size() >= 2);
            const double number = later.problem->projections->w_query(row, column);
            CHECK(lines.back().ends_with(concat(" = ", shown_number(number))));
            CHECK(lines.front().starts_with(concat("step ", steps + 1, " of w_query, old number ")));
        }
    }
}

}  // namespace

TEST_CASE("the new number of a step is the one that training arrives at", "[step]") {
    for (const char* optimizer : {"sgd", "momentum", "adam", "adamw"}) {
        for (const int steps : {0, 1, 7}) require_new_number(concat(kTaught, "&optimizer=", optimizer), steps);
    }
}

// By hand: scores 11 and 25, so the target's weight is 1 / (1 + exp(14 / √2)) = 5.02e-5, and the gradient of w_query's
// first number is x · (key of b − key of a) · (1 − 5.02e-5) / √2 = 3 · 2 · 0.99995 / √2 = 4.24243.
TEST_CASE("plain gradient descent takes the rate times the gradient off", "[step]") {
    const Lines lines = lines_of(kTaught + "&optimizer=sgd", TensorId::grad_w_query, 0, 0);
    CHECK(lines ==
          Lines{"step 1 of w_query, old number 1.0000, gradient 4.2424", "new = 1.0000 − 0.1 × 4.2424 = 0.5758"});
}

TEST_CASE("momentum begins with the gradient and keeps nine tenths of its buffer", "[step]") {
    const std::string link = kTaught + "&optimizer=momentum&rate=0.001";
    CHECK(lines_of(link, TensorId::grad_w_query, 0, 0)[1] == "buffer = gradient = 4.2424");
    CHECK(lines_of(link + "&steps=1", TensorId::grad_w_query, 0, 0)[1].starts_with("buffer = 0.9 × 4.2424 + "));
}

TEST_CASE("Adam's first step is the rate, whatever the gradient's size", "[step]") {
    const Lines lines = lines_of(kTaught + "&optimizer=adam", TensorId::grad_w_query, 0, 0);
    CHECK(lines == Lines{"step 1 of w_query, old number 1.0000, gradient 4.2424", "m = 0.9 × 0 + 0.1 × 4.2424 = 0.4242",
                         "v = 0.999 × 0 + 0.001 × 4.2424² = 0.0180", "m corrected = 0.4242 / (1 − 0.9^1) = 4.2424",
                         "v corrected = 0.0180 / (1 − 0.999^1) = 17.9982",
                         "new = 1.0000 − 0.1 × 4.2424 / (√17.9982 + 1e-8) = 0.9000"});
}

TEST_CASE("AdamW shrinks the number before it moves it", "[step]") {
    const Lines lines = lines_of(kTaught + "&optimizer=adamw", TensorId::grad_w_query, 0, 0);
    REQUIRE(lines.size() == 7);
    CHECK(lines[5] == "shrunk = 1.0000 × (1 − 0.1 × 0.01) = 0.9990");
    CHECK(lines[6].starts_with("new = 0.9990 − 0.1 × "));
    CHECK(lines[6].ends_with(" = 0.8990"));
}

TEST_CASE("what takes no step has no lines", "[step]") {
    CHECK(lines_of(kTaught + "&train=w_key", TensorId::grad_w_query, 0, 0).empty());
    CHECK_FALSE(lines_of(kTaught + "&train=w_key", TensorId::grad_w_key, 0, 0).empty());
    CHECK(lines_of(kTaught, TensorId::grad_scores, 1, 0).empty());
    CHECK(lines_of(kTaught, TensorId::weights, 1, 0).empty());
    CHECK(lines_of("text=a+b", TensorId::weights, 1, 0).empty());
}
