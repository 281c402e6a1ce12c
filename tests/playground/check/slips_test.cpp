// Each slip is made for real: its number is the one that a state with this slip in it gives.
#include "playground/check/slips.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <random>

#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/linked.h"
#include "playground/models/small_model.h"
#include "playground/state/shapes.h"

using namespace attn;
using namespace attn::test;

namespace {

const std::string kCase =
    "text=one+small+step+more&d_in=6&d_out=6&heads=2&init=torch.randn&seed=7&bias=1&dropout=0.3&temperature=0.8";

double number_at(const Evaluation& evaluation, TensorId stage, const Cell& cell) {
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, stage, cell.head, cell.row);
    return static_cast<double>(row(cell.column));
}

// The number of the slip that has these words in it; there must be exactly one.
double slip_number(const Evaluation& evaluation, TensorId stage, const Cell& cell, const std::string& words) {
    std::vector<double> numbers;
    for (const Slip& slip : slips_at(evaluation, stage, cell)) {
        if (slip.words.find(words) != std::string::npos) numbers.push_back(slip.number);
    }
    INFO("looking for the slip " << words << " in " << tensor_name(stage));
    REQUIRE(numbers.size() == 1);
    return numbers.front();
}

// Slips are computed in double from floats, the other state in floats throughout.
Catch::Approx like(double number) {
    return Catch::Approx(number).epsilon(1e-4).margin(1e-5);
}

void compare_with_state(TensorId stage, const std::string& change, const std::string& words) {
    const Evaluation here = evaluation_of(kCase);
    const Evaluation there = evaluation_of(kCase + change);
    const Cell cell = {.head = 1, .row = 3, .column = 1};
    CHECK(slip_number(here, stage, cell, words) == like(number_at(there, stage, cell)));
}

}  // namespace

TEST_CASE("the wrong divisor is the one that a link with it gives", "[slips]") {
    for (const TensorId stage : {TensorId::scaled_scores, TensorId::masked_scores, TensorId::weights}) {
        compare_with_state(stage, "&scale=none", "forget to divide by √3");
        compare_with_state(stage, "&scale=dim", "divide by head_dim = 3");
        compare_with_state(stage, "&temperature=1", "forget the temperature");
        const Evaluation here = evaluation_of(kCase);
        const Cell cell = {.head = 0, .row = 2, .column = 1};
        // d_out is twice head_dim: a divisor √2 times as large is a temperature √2 times as high.
        const Evaluation there = evaluation_of(kCase + "&temperature=1.1313708498984762");
        CHECK(slip_number(here, stage, cell, "take d_out = 6 for head_dim = 3") == like(number_at(there, stage, cell)));
    }
}

TEST_CASE("the mask in the wrong place is the one that a link with it gives", "[slips]") {
    compare_with_state(TensorId::weights, "&mask_at=raw", "mask after the softmax");
    compare_with_state(TensorId::context, "&mask_at=raw", "masked after the softmax");
    compare_with_state(TensorId::context, "&scale=none", "forget to divide the scores");
    const Evaluation raw = evaluation_of(kCase + "&mask_at=raw");
    const Cell cell = {.head = 1, .row = 2, .column = 1};
    CHECK(slip_number(raw, TensorId::weights, cell, "mask before the softmax") ==
          like(number_at(evaluation_of(kCase), TensorId::weights, cell)));
}

TEST_CASE("softmax down the columns sums to 1 down the columns", "[slips]") {
    const Evaluation evaluation = evaluation_of(kCase);
    for (int column = 0; column < 4; ++column) {
        double sum = 0;
        for (int row = column; row < 4; ++row)
            sum += slip_number(evaluation, TensorId::weights, {0, row, column}, "down the columns");
        CHECK(sum == Catch::Approx(1).epsilon(1e-9));
    }
}

TEST_CASE("the product without transposing is the product of the matrices as they stand", "[slips]") {
    const Evaluation evaluation =
        evaluation_of("text=a+b+c&d_in=3&d_out=3&heads=1&init=torch.randn&mask=none&pos=none");
    const Matrix query = stage_matrix(*evaluation.problem, evaluation.trace, TensorId::queries, 0);
    const Matrix key = stage_matrix(*evaluation.problem, evaluation.trace, TensorId::keys, 0);
    double product = 0;
    for (int c = 0; c < 3; ++c) product += static_cast<double>(query(0, c)) * static_cast<double>(key(c, 2));
    CHECK(slip_number(evaluation, TensorId::scores, {0, 0, 2}, "without transposing") == like(product));
    CHECK(slip_number(evaluation, TensorId::scores, {0, 0, 2}, "swap query and key") ==
          like(number_at(evaluation, TensorId::scores, {0, 2, 0})));
    const Matrix& w = evaluation.problem->projections->w_query;
    double along_row = 0;
    for (int c = 0; c < 3; ++c)
        along_row += static_cast<double>(evaluation.problem->embeddings(1, c)) * static_cast<double>(w(2, c));
    CHECK(slip_number(evaluation, TensorId::queries, {0, 1, 2}, "along a row of w_query") == like(along_row));
}

TEST_CASE("the smaller slips", "[slips]") {
    const Evaluation evaluation = evaluation_of(kCase);
    const Cell cell = {.head = 1, .row = 3, .column = 1};
    const double query = number_at(evaluation, TensorId::queries, cell);
    const auto bias = static_cast<double>(evaluation.problem->projections->b_query(4));
    CHECK(slip_number(evaluation, TensorId::queries, cell, "forget the bias") == like(query - bias));
    CHECK(slip_number(evaluation, TensorId::queries, cell, "head 1") ==
          like(number_at(evaluation, TensorId::queries, {0, 3, 1})));
    CHECK(slip_number(evaluation, TensorId::scores, cell, "all d_out channels") ==
          like(number_at(evaluation, TensorId::scores, {0, 3, 1}) + number_at(evaluation, TensorId::scores, cell)));
    CHECK(slip_number(evaluation, TensorId::scores, cell, "turn the sign") ==
          like(-number_at(evaluation, TensorId::scores, cell)));
    const double weight = number_at(evaluation, TensorId::weights, cell);
    CHECK(slip_number(evaluation, TensorId::dropped_weights, cell, "before dropout") == like(weight));
    CHECK(slip_number(evaluation, TensorId::dropped_weights, cell, "instead of dividing") == like(weight * 0.7));
    CHECK(slip_number(evaluation, TensorId::merged, {0, 3, 1}, "one channel of each head in turn") ==
          like(number_at(evaluation, TensorId::context, {1, 3, 0})));
    const double rounded = slip_number(evaluation, TensorId::output, {0, 3, 1}, "two decimals");
    CHECK(rounded != number_at(evaluation, TensorId::output, {0, 3, 1}));
    CHECK(std::abs(rounded - number_at(evaluation, TensorId::output, {0, 3, 1})) < 0.1);
}

TEST_CASE("a step of training without its rate, with the wrong sign, and not taken", "[slips]") {
    const std::string goal = "text=one+small+step+more&d_in=6&d_out=6&heads=2&goal=next";
    const Evaluation before = evaluation_of(goal + "&steps=2");
    const Evaluation after = evaluation_of(goal + "&steps=3");
    const Cell cell = {.head = 1, .row = 2, .column = 1};
    for (const TensorId stage : {TensorId::queries, TensorId::keys, TensorId::values, TensorId::output}) {
        const Cell here = stage == TensorId::output ? Cell{.row = 2, .column = 4} : cell;
        const Matrix& x = stage == TensorId::output ? after.trace.merged : after.problem->embeddings;
        // x · matrix + bias of another evaluation, and x · gradient.
        const auto product = [&](const Matrix& w, const Vector& b) {
            double sum = b.size() == 0 ? 0 : static_cast<double>(b(4));
            for (int c = 0; c < 6; ++c) sum += static_cast<double>(x(2, c)) * static_cast<double>(w(c, 4));
            return sum;
        };
        const auto product_of = [&](const Projections& p) {
            switch (stage) {
                case TensorId::queries:
                    return product(p.w_query, p.b_query);
                case TensorId::keys:
                    return product(p.w_key, p.b_key);
                case TensorId::values:
                    return product(p.w_value, p.b_value);
                default:
                    return product(p.w_out, p.b_out);
            }
        };
        const double old = product_of(before.problem->projections);
        const double gradient = product_of(before.trace.gradients->batch);
        CHECK(old - 0.1 * gradient == like(number_at(after, stage, here)));  // the right number
        CHECK(slip_number(after, stage, here, "leave out the last step") == like(old));
        CHECK(slip_number(after, stage, here, "forget the learning rate") == like(old - gradient));
        CHECK(slip_number(after, stage, here, "add the step") == like(old + 0.1 * gradient));
    }
    for (const std::string& link :
         {goal + "&steps=0", goal + "&steps=0&optimizer=adam", goal + "&steps=3&train=w_out"}) {
        const std::vector<Slip> slips = slips_at(evaluation_of(link), TensorId::queries, cell);
        CHECK(
            std::ranges::none_of(slips, [](const Slip& slip) { return slip.words.find("step") != std::string::npos; }));
    }
}

TEST_CASE("a step of Adam without its corrections, root, means or shrinking", "[slips]") {
    // The step by hand, in double, from the gradients of the steps before: Kingma and Ba 2015, algorithm 1.
    const std::string goal = "text=one+small+step+more&d_in=6&d_out=6&heads=2&goal=next&rate=0.05";
    const std::string kind = GENERATE("momentum", "adam", "adamw");
    const std::vector<Evaluation> steps = {evaluation_of(goal + "&optimizer=" + kind + "&steps=0"),
                                           evaluation_of(goal + "&optimizer=" + kind + "&steps=1"),
                                           evaluation_of(goal + "&optimizer=" + kind + "&steps=2")};
    const Evaluation& after = steps.back();
    const Cell cell = {.head = 1, .row = 2, .column = 1};
    struct Wrong {
        std::string words;
        double number = 0;
    };
    std::vector<Wrong> wrong = {{"the momentum"},        {"correct the means"}, {"the root of v"},
                                {"instead of its root"}, {"running mean m"},    {"shrink the numbers"}};
    double right = 0;
    for (int c = 0; c < 6; ++c) {
        double m = 0, v = 0, buffer = 0, gradient = 0;
        for (int step = 0; step < 2; ++step) {
            gradient = static_cast<double>(steps[static_cast<std::size_t>(step)].trace.gradients->batch.w_query(c, 4));
            m = 0.9 * m + 0.1 * gradient;
            v = 0.999 * v + 0.001 * gradient * gradient;
            buffer = 0.9 * buffer + gradient;
        }
        const double x = static_cast<double>(after.problem->embeddings(2, c));
        const double old = static_cast<double>(steps[1].problem->projections->w_query(c, 4));
        const double begun = kind == "adamw" ? old * (1 - 0.05 * 0.01) : old;
        const double m_hat = m / (1 - 0.81), v_hat = v / (1 - 0.999 * 0.999);
        const double step = kind == "momentum" ? buffer : m_hat / (std::sqrt(v_hat) + 1e-8);
        right += x * (begun - 0.05 * step);
        wrong[0].number += x * (old - 0.05 * gradient);
        wrong[1].number += x * (begun - 0.05 * m / (std::sqrt(v) + 1e-8));
        wrong[2].number += x * (begun - 0.05 * m_hat);
        wrong[3].number += x * (begun - 0.05 * m_hat / (v_hat + 1e-8));
        wrong[4].number += x * (begun - 0.05 * gradient / (std::sqrt(v_hat) + 1e-8));
        wrong[5].number += x * (old - 0.05 * step);
    }
    CAPTURE(kind);
    CHECK(number_at(after, TensorId::queries, cell) == like(right));
    const std::vector<Slip> slips = slips_at(after, TensorId::queries, cell);
    for (std::size_t n = 0; n < wrong.size(); ++n) {
        const bool is_there = kind == "momentum" ? n == 0 : n == 5 ? kind == "adamw" : n > 0;
        CAPTURE(wrong[n].words);
        if (is_there) {
            CHECK(slip_number(after, TensorId::queries, cell, wrong[n].words) == like(wrong[n].number));
        } else {
            CHECK(std::ranges::none_of(
                slips, [&](const Slip& slip) { return slip.words.find(wrong[n].words) != std::string::npos; }));
        }
    }
}

TEST_CASE("an answer that is the number of one slip and no other gets its name", "[slips][property]") {
    const ReadLink link = read_link(kCase);
    const Evaluation evaluation = evaluate(link.state.inputs, 0);
    constexpr double kTolerance = 0.0005;
    int num_named = 0;
    for (const TensorId stage : present_stages(link.state.inputs)) {
        for (const Question& question : questions_of(evaluation, stage)) {
            const double right = number_at(evaluation, stage, question.cell());
            const std::vector<Slip> slips = slips_at(evaluation, stage, question.cell());
            for (const Slip& slip : slips) {
                const auto is_near = [&](double number) { return std::abs(number - slip.number) <= 2 * kTolerance; };
                const auto num_near =
                    std::count_if(slips.begin(), slips.end(), [&](const Slip& other) { return is_near(other.number); });
                if (is_near(right) || num_near > 1) continue;
                const std::vector<Slip> named =
                    matching_slips(evaluation, stage, question.cell(), slip.number + kTolerance / 2, kTolerance);
                REQUIRE(named.size() == 1);
                CHECK(named.front().words == slip.words);
                ++num_named;
            }
        }
    }
    CHECK(num_named > 500);
}

TEST_CASE("distinct slips are far from the right number and from each other, the first of near ones",
          "[slips][property]") {
    const ReadLink link = read_link(kCase);
    const Evaluation evaluation = evaluate(link.state.inputs, 0);
    constexpr double kTolerance = 0.005;
    int num_left_out = 0;
    for (const TensorId stage : present_stages(link.state.inputs)) {
        for (const Question& question : questions_of(evaluation, stage)) {
            std::vector<double> taken = {number_at(evaluation, stage, question.cell())};
            std::vector<std::string> expected, found;
            for (const Slip& slip : slips_at(evaluation, stage, question.cell())) {
                const bool is_near = std::any_of(taken.begin(), taken.end(), [&](double number) {
                    return std::abs(number - slip.number) <= 2 * kTolerance;
                });
                num_left_out += is_near ? 1 : 0;
                if (is_near) continue;
                taken.push_back(slip.number);
                expected.push_back(slip.words);
            }
            for (const Slip& slip : distinct_slips(evaluation, stage, question.cell(), kTolerance))
                found.push_back(slip.words);
            CHECK(found == expected);
        }
    }
    CHECK(num_left_out > 0);
}

TEST_CASE("an answer that no slip leads to gets none, and the right number never does", "[slips][property]") {
    const ReadLink link = read_link(kCase);
    const Evaluation evaluation = evaluate(link.state.inputs, 0);
    constexpr double kTolerance = 0.0005;
    std::mt19937 random(3);
    int num_unnamed = 0;
    for (const TensorId stage : present_stages(link.state.inputs)) {
        for (const Question& question : questions_of(evaluation, stage)) {
            const double right = number_at(evaluation, stage, question.cell());
            CHECK(matching_slips(evaluation, stage, question.cell(), right, kTolerance).empty());
            for (int attempt = 0; attempt < 10; ++attempt) {
                const double typed = right + (static_cast<double>(random()) / 0x1p32 - 0.5) * 4;
                const std::vector<Slip> slips = slips_at(evaluation, stage, question.cell());
                const bool is_one = std::any_of(slips.begin(), slips.end(), [&](const Slip& slip) {
                    return std::abs(slip.number - typed) <= kTolerance;
                });
                const bool is_named = !matching_slips(evaluation, stage, question.cell(), typed, kTolerance).empty();
                CHECK((is_one || !is_named));
                num_unnamed += is_named ? 0 : 1;
            }
        }
    }
    CHECK(num_unnamed > 1000);
}

TEST_CASE("every stage of odd cases can be slipped on", "[slips][property]") {
    for (const char* link :
         {"text=a", "text=a+b+c&sink_logits=1&goal=next&d_in=4&d_out=4", "text=a+b&init=none&d_in=4&d_out=4&heads=4",
          "text=a+b+c&mask_at=after&out=1", "text=a+b+c&qk_norm=1&pos=rope&goal=next&d_in=4&d_out=4&kv_heads=1",
          "text=a+b+c&qk_norm=1&pos=none&goal=next&d_in=4&d_out=4&heads=4",
          "text=a+b+c&score_cap=0.5&pos=alibi&goal=next&d_in=4&d_out=4",
          "text=a+b&init=identity&d_in=3&d_out=2&heads=1&pos=none&embed=typed&x=1,2,3;4,5,6",
          "text=a+b+c&mask=none&scale=none", "text=a+b&x=1e38,1e38;1,1&embed=typed&d_in=2&d_out=2"}) {
        const ReadLink read = read_link(link);
        const Evaluation evaluation = evaluate(read.state.inputs, 0);
        for (const TensorId stage : present_stages(read.state.inputs)) {
            for (const Question& question : questions_of(evaluation, stage)) {
                for (const Slip& slip : slips_at(evaluation, stage, question.cell())) {
                    CAPTURE(link, tensor_name(stage), slip.words);
                    CHECK(std::isfinite(slip.number));
                }
            }
        }
    }
}

TEST_CASE("forgetting the sink is a slip of weights and of its share", "[slips][sink]") {
    const std::string link = "text=one+small+step+more&d_in=6&d_out=6&heads=2";
    const Evaluation with = evaluation_of(link + "&sink_logits=1");
    const Evaluation without = evaluation_of(link);
    const Cell cell = {.head = 1, .row = 3, .column = 1};
    CHECK(slip_number(with, TensorId::weights, cell, "leave the sink out") ==
          like(number_at(without, TensorId::weights, cell)));
    const Cell sink = {.head = 1, .row = 3, .column = 0};
    const double share = number_at(with, TensorId::sink_weights, sink);
    CHECK(slip_number(with, TensorId::sink_weights, sink, "the sink has the rest") == like(1 - share));
}

TEST_CASE("a cap can be forgotten, cut off, or put in the wrong place, there and back", "[slips][score_cap]") {
    const std::string link = "text=one+small+step+more&d_in=6&d_out=6&heads=2&init=torch.randn&pos=none&goal=next";
    const Evaluation with = evaluation_of(link + "&score_cap=0.1");
    const Cell cell = {.head = 1, .row = 3, .column = 1};
    const double score = number_at(with, TensorId::scores, cell), scaled = score / std::sqrt(3.0);
    REQUIRE(std::abs(scaled) > 0.1);
    CHECK(slip_number(with, TensorId::capped_scores, cell, "forget the cap") == like(scaled));
    CHECK(slip_number(with, TensorId::capped_scores, cell, "cut the score off") == like(std::copysign(0.1, scaled)));
    CHECK(slip_number(with, TensorId::capped_scores, cell, "multiply by the cap") == like(std::tanh(scaled / 0.1)));
    CHECK(slip_number(with, TensorId::capped_scores, cell, "before tanh") == like(0.1 * std::tanh(scaled)));
    CHECK(slip_number(with, TensorId::masked_scores, cell, "before you divide it by the scale") ==
          like(0.1 * std::tanh(score / 0.1) / std::sqrt(3.0)));
    CHECK(slip_number(with, TensorId::grad_scaled_scores, cell, "behind the cap") ==
          like(number_at(with, TensorId::grad_capped_scores, cell)));
}

TEST_CASE("a norm can be forgotten, taken of something else, or made a LayerNorm, there and back", "[slips][norm]") {
    const std::string link = "text=one+small+step+more&d_in=6&d_out=6&heads=2&init=torch.randn&pos=none&goal=next";
    const Evaluation with = evaluation_of(link + "&qk_norm=1&edit=k_norm[1]=0.5");
    const Cell cell = {.head = 1, .row = 3, .column = 1};
    const double key = number_at(with, TensorId::keys, cell), normed = number_at(with, TensorId::normed_keys, cell);
    double squares = 0, mean = 0;
    for (int c = 0; c < 3; ++c) {
        const double one = number_at(with, TensorId::keys, {.head = 1, .row = 3, .column = c});
        squares += one * one / 3;
        mean += one / 3;
    }
    const double rms = std::sqrt(squares);
    CHECK(slip_number(with, TensorId::normed_keys, cell, "learned weight") == like(2 * normed));
    CHECK(slip_number(with, TensorId::normed_keys, cell, "forget to divide") == like(0.5 * key));
    CHECK(slip_number(with, TensorId::normed_keys, cell, "forget the root") == like(normed / rms));
    CHECK(slip_number(with, TensorId::normed_keys, cell, "not of the mean") == like(normed / std::sqrt(3.0)));
    CHECK(slip_number(with, TensorId::normed_keys, cell, "as LayerNorm does") ==
          like(0.5 * (key - mean) / std::sqrt(squares - mean * mean)));
    double all = squares / 2;
    for (int c = 0; c < 3; ++c)
        all += std::pow(number_at(with, TensorId::keys, {.head = 0, .row = 3, .column = c}), 2) / 6;
    CHECK(slip_number(with, TensorId::normed_keys, cell, "over all heads") == like(0.5 * key / std::sqrt(all)));
    CHECK(slip_number(with, TensorId::scores, {.head = 1, .row = 3, .column = 1}, "before they are normed") ==
          like(number_at(evaluation_of(link), TensorId::scores, {.head = 1, .row = 3, .column = 1})));
    const double at_normed = number_at(with, TensorId::grad_normed_keys, cell);
    CHECK(slip_number(with, TensorId::grad_keys, cell, "take the average off") == like(at_normed * 0.5 / rms));
}

TEST_CASE("slips on the way back are made for real", "[slips][learn]") {
    const std::string link = "text=one+small+step+more&d_in=6&d_out=6&heads=2&goal=pattern&target=2:2>1,3>0";
    const Evaluation pattern = evaluation_of(link);
    const Cell cell = {.head = 1, .row = 3, .column = 0};
    const double weight = number_at(pattern, TensorId::weights, cell);
    CHECK(slip_number(pattern, TensorId::grad_masked_scores, cell, "take the target off") == like(weight / 2));
    CHECK(slip_number(pattern, TensorId::grad_masked_scores, cell, "2 rows with targets") == like(weight - 1));
    const double scaled = number_at(pattern, TensorId::grad_scaled_scores, cell);
    CHECK(slip_number(pattern, TensorId::grad_scores, cell, "forget to divide by 1.7321") == like(scaled));
    CHECK(slip_number(pattern, TensorId::grad_scores, cell, "twice") == like(scaled / 3));

    const Evaluation next = evaluation_of("text=one+small+step+more&d_in=6&d_out=6&heads=2&goal=next");
    const Cell here = {.head = 0, .row = 2, .column = 1};
    const double product = number_at(next, TensorId::weights, here) * number_at(next, TensorId::grad_weights, here);
    CHECK(slip_number(next, TensorId::grad_masked_scores, here, "forget to take the row's average") == like(product));
    // The scores of a layer whose keys stand in the queries' place have the gradient of the other side.
    const Matrix scores = stage_matrix(*next.problem, next.trace, TensorId::grad_scores, 0);
    const Matrix keys = stage_matrix(*next.problem, next.trace, TensorId::keys, 0);
    double down = 0;
    for (int k = 0; k < 4; ++k) down += static_cast<double>(scores(k, 2)) * static_cast<double>(keys(k, 1));
    CHECK(slip_number(next, TensorId::grad_queries, here, "a column of the scores' gradient") == like(down));
    CHECK(slip_number(next, TensorId::grad_w_query, {.row = 5, .column = 1}, "divide the sum by the 4 tokens") ==
          like(number_at(next, TensorId::grad_w_query, {.row = 5, .column = 1}) / 4));
}

TEST_CASE("every number of every stage with a goal has slips and hints", "[slips][check][learn]") {
    for (const char* link : {"text=a+b+c+d+e+f&d_in=2&d_out=2&heads=1&goal=next&bias=1&dropout=0.2",
                             "text=a+b&d_in=4&d_out=4&heads=2&goal=pattern&target=1:1>0&mask_at=after",
                             "text=a+b&text=c+d+e&d_in=4&d_out=4&heads=2&goal=next&mask_at=raw"}) {
        PlaygroundState state = state_of(link);
        for (const TensorId stage : present_stages(state.inputs)) {
            state.view.check = {stage};
            const Evaluation evaluation = evaluate(state.inputs, 0);
            const Extent extent = extent_of(evaluation.sizes, stage);
            const Question question = {stage, 0, extent.rows - 1, extent.columns - 1};
            CAPTURE(link, tensor_name(stage));
            for (const Slip& slip : slips_at(evaluation, stage, {0, extent.rows - 1, extent.columns - 1}))
                CHECK(std::isfinite(slip.number));
            Answers answers;
            for (int i = 0; i < kNumHints; ++i) take_hint(state, answers, evaluation, question);
            CHECK(hints_of(state, answers, evaluation, question).size() == kNumHints);
        }
    }
}

TEST_CASE("where the stream becomes a sum, leaving out a part, taking it off and multiplying are known",
          "[slips][model]") {
    const ModelIsOpen model(small_model());
    const std::string link = "model=small&text=the+artist+painted&layer=1&cell=1,2,5&check=";
    for (const auto& [stage, stream, added] : {std::tuple(TensorId::middle, TensorId::before, TensorId::output),
                                               std::tuple(TensorId::after, TensorId::middle, TensorId::mlp_added)}) {
        const std::string name(tensor_name(stage));
        const Evaluation here = evaluation_of(concat(link, name, "&stage=", name));
        const Cell cell = {.head = 0, .row = 2, .column = 5};
        const double x = number_at(here, stream, cell), y = number_at(here, added, cell);
        CHECK(slip_number(here, stage, cell, "leave out the stream") == y);
        CHECK(slip_number(here, stage, cell, "leave out what is added") == x);
        CHECK(slip_number(here, stage, cell, "take off what is added") == x - y);
        CHECK(slip_number(here, stage, cell, "multiply what is added") == x * y);
    }
    // A sum that is normed has more steps than these know.
    const ModelIsOpen bert(small_model("normed", random_bert()));
    const Evaluation normed = evaluation_of("model=normed&text=the+artist&layer=1&stage=middle");
    for (const Slip& slip : slips_at(normed, TensorId::middle, {.head = 0, .row = 1, .column = 5}))
        CHECK(slip.words.find("leave out") == std::string::npos);
}
