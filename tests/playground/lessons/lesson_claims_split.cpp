// What the lessons about the worked example claim: split and batch.
#include <algorithm>
#include <cmath>

#include "playground/lessons/lesson_claims.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/printed_check.h"

namespace attn::test {
namespace {

// A number that the notes print, of the step's block `block`.
double printed_at(const Seen& step, std::size_t block, std::size_t row, std::size_t column) {
    return static_cast<double>(step_of(step.state().view)->printed.at(block).numbers.at(row).at(column));
}

double num_heads_of(const Seen& step) {
    return step.evaluation().sizes.num_heads;
}

// Rows of a table of head `head` whose printed numbers all follow.
std::vector<int> rows_that_follow(const Seen& step, std::size_t block) {
    const PrintedTable table =
        check_printed(step_of(step.state().view)->printed.at(block), step.state().view, step.evaluation());
    std::vector<int> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const std::vector<PrintedCell>& row = table.rows[i];
        if (std::all_of(row.begin(), row.end(), [](const PrintedCell& cell) { return cell.follows; }))
            rows.push_back(static_cast<int>(i));
    }
    return rows;
}

// No single number follows.
void check_that_none_follows(const Seen& step) {
    CHECK(count_printed(check_printed(step.state().view, step.evaluation())).follow == 0);
}

}  // namespace

std::vector<Claim> claims_of_the_split() {
    return {
        {"split", 1, "three tokens with six numbers each: (b, T, d_in) = (1, 3, 6)",
         [](const Seen& step) -> Numbers {
             const double tokens = step.evaluation().num_tokens();
             const auto d_in = static_cast<double>(step.row(kX, 0).size());
             return {tokens, d_in, static_cast<double>(step.state().inputs.texts.size()), tokens, d_in};
         }},
        {"split", 2, "head_dim = 6 / 2 = 3 numbers",
         [](const Seen& step) -> Numbers {
             const Sizes& sizes = step.evaluation().sizes;
             return {static_cast<double>(sizes.d_out), num_heads_of(step), static_cast<double>(sizes.head_dim())};
         }},
        {"split", 2, "With six heads",
         [](const Seen& step) -> Numbers { return {num_heads_of(step.with("heads=6"))}; }},
        {"split", 3, "Columns 0 to 2 will make head 1, columns 3 to 5 head 2",
         [](const Seen& step) -> Numbers {
             const int head_dim = step.evaluation().sizes.head_dim();
             return {0, head_dim - 1.0, 1, static_cast<double>(head_dim), 2.0 * head_dim - 1, 2};
         }},
        {"split", 3, "within ±1/√6 = ±0.4082, and 20 of the 36 numbers of W_q lie outside",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.tensor == TensorId::w_query);
             const Numbers all = all_of(step.learned(TensorId::w_query));
             const double bound = 1 / std::sqrt(6.0);
             const auto lies_outside = [&](double x) { return std::abs(x) > bound; };
             return {1, 6, bound, static_cast<double>(std::count_if(all.begin(), all.end(), lies_outside)),
                     static_cast<double>(all.size())};
         }},
        {"split", 4, "The first row of X, 1 to 6, times the first column of W_q: 1 × 0.6323 + 2 × 0.6571 + …",
         [](const Seen& step) -> Numbers {
             const Numbers x = step.row(kX, 0);
             const Matrix& w_query = step.learned(TensorId::w_query);
             return {x.front(), x.back(), x[0], double{w_query(0, 0)}, x[1], double{w_query(1, 0)}};
         }},
        {"split", 4, "show the six products",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.row(kX, 0).size())}; }},
        {"split", 5, "−0.2365.\nX times each matrix", [](const Seen& step) -> Numbers { return {step.at(kQ, 0, 0)}; }},
        {"split", 5, "The first two rows of X add up to seven times the third",
         [](const Seen& step) -> Numbers {
             for (int c = 0; c < 6; ++c) CHECK(step.at(kX, 0, c) + step.at(kX, 1, c) == 7 * step.at(kX, 2, c));
             return {2, 7};
         }},
        {"split", 5, "−0.2365 + 3.4404 = 7 × 0.4577",
         [](const Seen& step) -> Numbers {
             for (const TensorId stage : {kQ, TensorId::keys, TensorId::values}) {
                 for (int head = 1; head <= 2; ++head) {
                     for (int c = 0; c < 3; ++c) {
                         const double sum = step.at(stage, 0, c, head) + step.at(stage, 1, c, head);
                         CHECK(sum == Catch::Approx(7 * step.at(stage, 2, c, head)).margin(1e-4));
                     }
                 }
             }
             return {step.at(kQ, 0, 0), step.at(kQ, 1, 0), 7, step.at(kQ, 2, 0)};
         }},
        {"split", 5, "In the notes it is 3.6346 against 7 × 1.4587 = 10.2109",
         [](const Seen& step) -> Numbers {
             check_that_none_follows(step);
             return {printed_at(step, 0, 0, 0) + printed_at(step, 0, 1, 0), 7, printed_at(step, 0, 2, 0),
                     7 * printed_at(step, 0, 2, 0)};
         }},
        {"split", 7, "their step 4",
         [](const Seen& step) -> Numbers {
             check_that_none_follows(step);
             return {4};
         }},
        {"split", 8, "up to 81 either way",
         [](const Seen& step) -> Numbers {
             Numbers all = all_of(step.matrix(kScores, 1));
             for (const double score : all_of(step.matrix(kScores, 2))) all.push_back(score);
             CHECK(std::round(smallest_of(all)) == -81);
             return {largest_of(all)};
         }},
        {"split", 8, "the first two have length 9.5",
         [](const Seen& step) -> Numbers {
             CHECK(length_of(step.row(kX, 0)) == length_of(step.row(kX, 1)));
             return {2, length_of(step.row(kX, 0))};
         }},
        {"split", 9, "is divided by √3 (6 / 2 = 3, so not by √6)",
         [](const Seen& step) -> Numbers {
             const double divisor = step.at(kScores, 1, 1) / step.at(TensorId::scaled_scores, 1, 1);
             return {divisor * divisor, 6, num_heads_of(step), 6 / num_heads_of(step), 6};
         }},
        {"split", 9, "Of 18 printed weights 10 follow: the zeros of the hidden keys, and the rows with a 1",
         [](const Seen& step) -> Numbers {
             const PrintedCount count = count_printed(check_printed(step.state().view, step.evaluation()));
             CHECK(rows_that_follow(step, 0) == std::vector<int>{0});
             CHECK(rows_that_follow(step, 1) == std::vector<int>{0, 1});
             return {static_cast<double>(count.all), static_cast<double>(count.follow), step.at(kWeights, 0, 0)};
         }},
        {"split", 9, "nearly every row puts all on one token",
         [](const Seen& step) -> Numbers {
             int num_sharp = 0;
             for (int head = 1; head <= 2; ++head) {
                 for (const double largest : step.largest(kWeights, head)) num_sharp += largest > 0.99 ? 1 : 0;
             }
             CHECK(num_sharp == 5);
             return {};
         }},
        {"split", 10, "Where a weight is 1 the context is simply a copy of that token's value",
         [](const Seen& step) -> Numbers {
             for (int c = 0; c < 3; ++c) CHECK(step.at(kContext, 0, c) == step.at(TensorId::values, 0, c));
             return {step.at(kWeights, 0, 0)};
         }},
        {"split", 13, "printed step 6",
         [](const Seen& step) -> Numbers {
             check_that_none_follows(step);
             return {6};
         }},
        {"split", 13, "values of step 6", [](const Seen&) -> Numbers { return {6}; }},
        {"split", 14, "printed step 6", [](const Seen&) -> Numbers { return {6}; }},
        {"split", 14, "divided by √3",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.head_dim())}; }},
        {"split", 15, "printed step 6", [](const Seen&) -> Numbers { return {6}; }},
        {"split", 15, "in the first row of each head, and the second of head 2",
         [](const Seen& step) -> Numbers {
             CHECK(rows_that_follow(step, 0) == std::vector<int>{0});
             CHECK(rows_that_follow(step, 1) == std::vector<int>{0, 1});
             for (const auto& [head, row] : {std::pair(1, 0), {2, 0}, {2, 1}}) {
                 CHECK(step.at(kWeights, row, row, head) == Catch::Approx(1).margin(1e-5));
             }
             return {2};
         }},
        {"split", 15, "0.0724 × (−3.6194) + 0.9276 × 1.1106 = 0.7681, where the notes print 0.8036",
         [](const Seen& step) -> Numbers {
             const std::vector<LessonStep>& steps = find_lesson("split")->steps;
             const std::vector<float>& weights = steps[13].printed[0].numbers[1];
             const double first = static_cast<double>(weights[0]), second = static_cast<double>(weights[1]);
             const double context = first * step.at(kV, 0, 0) + second * step.at(kV, 1, 0);
             return {first,   step.at(kV, 0, 0),
                     second,  step.at(kV, 1, 0),
                     context, static_cast<double>(steps[14].printed[0].numbers[1][0])};
         }},
        {"split", 16, "The printed scores ÷ √3",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.evaluation().sizes.head_dim())}; }},
        {"split", 16, "their printed scores, entered as queries; keys with a single 1 give each score back",
         [](const Seen& step) -> Numbers {
             const LessonStep& scores = find_lesson("split")->steps[7];
             for (std::size_t head = 0; head < scores.printed.size(); ++head) {
                 for (int i = 0; i < 3; ++i) {
                     for (int j = 0; j < 3; ++j) {
                         const float printed = scores.printed[head]
                                                   .numbers.at(static_cast<std::size_t>(i))
                                                   .at(static_cast<std::size_t>(j));
                         CHECK(step.at(kScores, i, j, static_cast<int>(head) + 1) == printed);
                     }
                 }
             }
             return {step.at(TensorId::keys, 0, 0)};
         }},
        {"split", 16, "divided by √3, row “two” of head 1 is −0.8415 and 2.0458",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.evaluation().sizes.head_dim()), 2, 1,
                     step.at(TensorId::masked_scores, 1, 0), step.at(TensorId::masked_scores, 1, 1)};
         }},
        {"split", 16, "the softmax of these two is 0.0528 and 0.9472, not 0.0724 and 0.9276",
         [](const Seen& step) -> Numbers {
             return {2, step.at(kWeights, 1, 0), step.at(kWeights, 1, 1), printed_at(step, 0, 1, 0),
                     printed_at(step, 0, 1, 1)};
         }},

        {"batch", 1, "(b, T, d_in) = (2, 3, 6)",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.state().inputs.texts.size()),
                     static_cast<double>(step.evaluation().num_tokens()), static_cast<double>(step.row(kX, 0).size())};
         }},
        {"batch", 2, "(3, 3, 6).\nThis is sentence 2",
         [](const Seen& step) -> Numbers {
             const Seen three = step.with("text=one+two+three&text=one+two+three&text=one+two+three");
             return {static_cast<double>(three.state().inputs.texts.size()),
                     static_cast<double>(three.evaluation().num_tokens()), static_cast<double>(three.row(kX, 0).size()),
                     step.state().view.sentence + 1.0};
         }},
        {"batch", 2, "so the same weights to the last digit, (b, num_heads, T, T) = (2, 2, 3, 3)",
         [](const Seen& step) -> Numbers {
             const Seen first = step.with("sentence=1");
             for (int head = 1; head <= 2; ++head) {
                 CHECK(all_of(first.matrix(kWeights, head)) == all_of(step.matrix(kWeights, head)));
             }
             return {2, num_heads_of(step), 3, 3};
         }},
        {"batch", 2, "If the first number of sentence 2 became 9", [](const Seen&) -> Numbers { return {2, 9}; }},
        {"batch", 2, "the context of sentence 1", [](const Seen&) -> Numbers { return {1}; }},
        {"batch", 3, "In sentence 2 the first number of X was typed over, 9 instead of 1",
         [](const Seen& step) -> Numbers {
             return {step.state().view.sentence + 1.0, step.at(kX, 0, 0), step.with("sentence=1").at(kX, 0, 0)};
         }},
        {"batch", 3, "Its context changes, that of sentence 1 does not",
         [](const Seen& step) -> Numbers {
             const Seen before = step.with("step=2");
             CHECK(all_of(step.matrix(kContext)) != all_of(before.matrix(kContext)));
             CHECK(all_of(step.with("sentence=1").matrix(kContext)) ==
                   all_of(before.with("sentence=1").matrix(kContext)));
             return {1};
         }},
        {"batch", 4, "this (2, 3, 6), beginning with 0.1462 0.0579 0.9873",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.state().inputs.texts.size()),
                     static_cast<double>(step.evaluation().num_tokens()),
                     static_cast<double>(step.row(kOutput, 0).size()),
                     step.at(kOutput, 0, 0),
                     step.at(kOutput, 0, 1),
                     step.at(kOutput, 0, 2)};
         }},
        {"batch", 4, "one class of about 25 lines", [](const Seen&) -> Numbers { return {25}; }},
        {"batch", 4, "torch.manual_seed(123)",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.state().inputs.seed)}; }},
    };
}

}  // namespace attn::test
