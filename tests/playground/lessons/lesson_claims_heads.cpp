// What the lessons about several heads claim: heads, stacked, cost, sentences.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/ground/check.h"
#include "playground/lessons/lesson_claims.h"
#include "views/cost/cost.h"
#include "views/stacked/stacked_heads.h"

namespace attn::test {
namespace {

constexpr int kArtist = 1, kFirstA = 6, kWoman = 7, kSecondA = 9, kBrush = 10;

double num_tokens_of(const Seen& step) {
    return step.evaluation().num_tokens();
}

// The count of a row of view=cost, for the layout as shown or for one head.
double cost_at(const Seen& step, std::string_view section, std::string_view name, CostLayout layout) {
    for (const CostSection& one : cost_of(step.state().inputs, step.evaluation().sizes)) {
        for (const CostRow& row : one.rows) {
            if (one.title.starts_with(section) && row.name == name) {
                return static_cast<double>(row.cells[static_cast<std::size_t>(layout)].count);
            }
        }
    }
    FAIL("no row " << name);
    return 0;
}

double shown_cost(const Seen& step, std::string_view section, std::string_view name) {
    return cost_at(step, section, name, CostLayout::shown);
}

constexpr std::string_view kLearned = "Learned", kMemory = "Numbers in memory", kWork = "Multiply-adds",
                           kProjections = "w_query, w_key, w_value";

// In per cent of all multiply-adds, if the sentence had so many tokens: all but scores and context.
double share_of_projections(const Seen& step, int num_tokens) {
    Sizes sizes = step.evaluation().sizes;
    sizes.num_tokens = num_tokens;
    double pairs = 0, all = 0;
    const std::vector<CostSection> sections = cost_of(step.state().inputs, sizes);
    for (const CostRow& row : sections[2].rows) {
        const auto count = static_cast<double>(row.cells[0].count);
        if (row.name == "scores" || row.name == "context") pairs += count;
        if (row.is_total) all = count;
    }
    return 100 * (all - pairs) / all;
}

// Which query rows of A and B differ in what they ask for: (query, key) of one list that the other has not.
std::set<int> rows_that_differ(const std::vector<TargetCell>& a, const std::vector<TargetCell>& b) {
    std::set<int> rows;
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
        for (const TargetCell& target : one) {
            const bool is_visible = target.key <= target.query;
            if (is_visible && std::find(other.begin(), other.end(), target) == other.end()) rows.insert(target.query);
        }
    }
    return rows;
}

}  // namespace

std::vector<Claim> claims_of_several_heads() {
    return {
        {"heads", 3, "In which word's row can the two readings still differ",
         [](const Seen& step) -> Numbers {
             // The mask is still off: which lines it takes away is for the visitor to say.
             CHECK_FALSE(std::isinf(step.at(kWeights, kArtist, kBrush)));
             const Seen masked = step.with("mask=causal");
             CHECK(std::isinf(masked.at(kWeights, kWoman, kBrush)));
             CHECK(std::isinf(masked.at(kWeights, kArtist, kBrush)));
             CHECK(rows_that_differ(step.with("step=1").state().inputs.targets, step.state().inputs.targets) ==
                   std::set<int>{kBrush});
             return {2};
         }},
        {"heads", 4, "which two rows become equal? Attention alone cannot tell those two words apart",
         [](const Seen& step) -> Numbers {
             const Seen without = step.with("pos=none");
             int num_equal = 0;
             for (int i = 0; i < 11; ++i) {
                 for (int j = 0; j < i; ++j) num_equal += without.row(kX, i) == without.row(kX, j) ? 1 : 0;
             }
             CHECK(num_equal == 1);
             CHECK(without.row(kX, kFirstA) == without.row(kX, kSecondA));
             CHECK(step.row(kX, kFirstA) != step.row(kX, kSecondA));
             CHECK(without.row(kContext, kFirstA) == without.row(kContext, kSecondA));
             return {2, 2};
         }},
        {"heads", 4, "X has 11 rows of 8 numbers",
         [](const Seen& step) -> Numbers {
             return {num_tokens_of(step), static_cast<double>(step.row(kX, 0).size())};
         }},
        {"heads", 5, "“brush” gives 0.0984 to “artist” and 0.0565 to “woman”",
         [](const Seen& step) -> Numbers {
             return {step.at(kWeights, kBrush, kArtist), step.at(kWeights, kBrush, kWoman)};
         }},
        {"heads", 5, "each row shares out a single 1",
         [](const Seen& step) -> Numbers { return {step.sums(kWeights)[kBrush]}; }},
        {"heads", 6, "d_out is 4, so two heads have head_dim = 4 / 2 = 2 numbers each. They give two tables",
         [](const Seen& step) -> Numbers {
             const double d_out = step.state().inputs.d_out, heads = step.evaluation().sizes.num_heads;
             return {d_out, heads, d_out, heads, static_cast<double>(step.evaluation().sizes.head_dim()), heads};
         }},
        {"heads", 8, "columns 0 and 1 belong to head 1, columns 2 and 3 to head 2",
         [](const Seen& step) -> Numbers {
             for (int column = 0; column < 4; ++column) {
                 const Seen changed = step.with(concat("edit=w_query[0,", column, "]=3"));
                 for (int head = 1; head <= 2; ++head) {
                     const bool is_same = all_of(changed.matrix(kScores, head)) == all_of(step.matrix(kScores, head));
                     CHECK(is_same == (head != column / 2 + 1));
                 }
             }
             return {0, 1, 1, 2, 3, 2};
         }},
        {"heads", 8, "If you change w_query[0,3]", [](const Seen&) -> Numbers { return {0, 3}; }},
        {"heads", 9, "only those of head 2", [](const Seen&) -> Numbers { return {2}; }},
        {"heads", 9, "for “brush” and “artist” 0.2899 + 0.1551 = 0.4450",
         [](const Seen& step) -> Numbers {
             const Seen one = step.with("heads=1");
             for (int i = 0; i < 11; ++i) {
                 for (int j = 0; j < 11; ++j) {
                     const double sum = step.at(kScores, i, j, 1) + step.at(kScores, i, j, 2);
                     CHECK(sum == Catch::Approx(one.at(kScores, i, j)).margin(1e-6));
                 }
             }
             return {step.at(kScores, kBrush, kArtist, 1), step.at(kScores, kBrush, kArtist, 2),
                     one.at(kScores, kBrush, kArtist)};
         }},
        {"heads", 9, "Set heads to 1", [](const Seen&) -> Numbers { return {1}; }},
        {"heads", 10, "has 2 numbers per token; side by side they are 4 again",
         [](const Seen& step) -> Numbers {
             return {static_cast<double>(step.row(kContext, 0).size()),
                     static_cast<double>(step.row(kMerged, 0).size())};
         }},
        {"heads", 10, "most in the marked cell: set heads to 1 and it changes by 0.3959",
         [](const Seen& step) -> Numbers {
             const Seen one = step.with("heads=1");
             double largest = 0;
             for (int i = 0; i < 11; ++i) {
                 for (int c = 0; c < 4; ++c) {
                     largest = std::max(largest, std::abs(step.at(kMerged, i, c) - one.at(kMerged, i, c)));
                 }
             }
             REQUIRE(step.state().view.cell);
             const Cell cell = *step.state().view.cell;
             CHECK(largest ==
                   std::abs(step.at(kMerged, cell.row, cell.column) - one.at(kMerged, cell.row, cell.column)));
             return {1, largest};
         }},
        {"heads", 11, "8 × 4 numbers each, 96 together",
         [](const Seen& step) -> Numbers { return {8, 4, shown_cost(step, kLearned, kProjections)}; }},
        {"heads", 11, "2 × 11 × 11 = 242 weights instead of 121",
         [](const Seen& step) -> Numbers {
             return {2, 11, 11, shown_cost(step, kMemory, "weights"),
                     cost_at(step, kMemory, "weights", CostLayout::one_head)};
         }},

        {"stacked", 1, "With 96 heads the first way takes 96 × 3 = 288 small matrices",
         [](const Seen&) -> Numbers { return {96, 96, 3, 96 * 3}; }},
        {"stacked", 2, "three.\nGive each small head",
         [](const Seen& step) -> Numbers {
             CHECK(step.state().view.view == ViewKind::stacked);
             return {3};
         }},
        {"stacked", 2, "the difference is 0 in every cell",
         [](const Seen& step) -> Numbers {
             const StackedHeads stacked = stack_heads(step.evaluation());
             CHECK(stacked.num_different == 0);
             return {static_cast<double>(stacked.largest)};
         }},
        {"stacked", 3, "Work out its two outputs",
         [](const Seen& step) -> Numbers { return {static_cast<double>(step.row(kOutput, 1).size())}; }},
        {"stacked", 4, "two heads of one number each",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().sizes.head_dim() == 1);
             return {static_cast<double>(step.evaluation().sizes.num_heads)};
         }},
        {"stacked", 4, ": 0.2943 and 0.3897", [](const Seen& step) -> Numbers { return step.row(kOutput, 1); }},

        {"cost", 1, "Three matrices of 8 × 4 are 96 learned numbers",
         [](const Seen& step) -> Numbers { return {3, 8, 4, shown_cost(step, kLearned, kProjections)}; }},
        {"cost", 1, "11 × 11 = 121",
         [](const Seen& step) -> Numbers {
             return {num_tokens_of(step), num_tokens_of(step), shown_cost(step, kMemory, "weights")};
         }},
        {"cost", 2, "96 learned numbers again, and 242 weights",
         [](const Seen& step) -> Numbers {
             return {shown_cost(step, kLearned, kProjections), shown_cost(step, kMemory, "weights")};
         }},
        {"cost", 2, "2 · 11 · 11 · 2 = 484 multiply-adds against 1 · 11 · 11 · 4",
         [](const Seen& step) -> Numbers {
             CHECK(shown_cost(step, kWork, "scores") == cost_at(step, kWork, "scores", CostLayout::one_head));
             return {2, 11, 11, 2, shown_cost(step, kWork, "scores"), 1, 11, 11, 4};
         }},
        {"cost", 2, "the same sentence has 45 tokens",
         [](const Seen& step) -> Numbers { return {num_tokens_of(step.with("tokens=chars"))}; }},
        {"cost", 3, "has 45 tokens instead of 11",
         [](const Seen& step) -> Numbers { return {num_tokens_of(step), num_tokens_of(step.with("tokens=words"))}; }},
        {"cost", 3, "2 · 45 · 45 = 4,050 instead of 242",
         [](const Seen& step) -> Numbers {
             const Seen words = step.with("tokens=words");
             CHECK(shown_cost(step, kLearned, kProjections) == shown_cost(words, kLearned, kProjections));
             return {2, 45, 45, shown_cost(step, kMemory, "weights"), shown_cost(words, kMemory, "weights")};
         }},
        {"cost", 3, "4.1 times the tokens are 16.7 times the weights",
         [](const Seen& step) -> Numbers {
             const Seen words = step.with("tokens=words");
             return {num_tokens_of(step) / num_tokens_of(words),
                     shown_cost(step, kMemory, "weights") / shown_cost(words, kMemory, "weights")};
         }},
        {"cost", 4, "Width 768 and 12 heads of 64",
         [](const Seen& step) -> Numbers {
             const Sizes& sizes = step.evaluation().sizes;
             return {static_cast<double>(sizes.d_out), static_cast<double>(sizes.num_heads),
                     static_cast<double>(sizes.head_dim())};
         }},
        {"cost", 4, "“11 heads” is a slip",
         [](const Seen& step) -> Numbers {
             CHECK(step.evaluation().sizes.num_heads != 11);
             return {11};
         }},
        {"cost", 4, "2,359,296 learned numbers in the four matrices of one layer, and 768 in b_out",
         [](const Seen& step) -> Numbers {
             return {shown_cost(step, kLearned, kProjections) + shown_cost(step, kLearned, "w_out"), 4,
                     shown_cost(step, kLearned, "b_out")};
         }},
        {"cost", 4, "the projections are 99 % at 11 tokens, still 60 % at GPT-2's 1,024; at 1,536 scores and context",
         [](const Seen& step) -> Numbers {
             CHECK(share_of_projections(step, 1536) == 50);
             return {share_of_projections(step, step.evaluation().num_tokens()), num_tokens_of(step),
                     share_of_projections(step, 1024), 1024, 1536};
         }},

        {"sentences", 2, ": head 2, with 0.1568 against 0.1498",
         [](const Seen& step) -> Numbers {
             const Seen first = step.with("step=1");
             CHECK(first.state().view.cell->row == 3);
             CHECK(first.state().view.cell->column == 4);
             return {2, first.at(kWeights, 3, 4, 2), first.at(kWeights, 3, 4, 1)};
         }},
        {"sentences", 2, "a table of 11 × 11 for this one",
         [](const Seen& step) -> Numbers {
             return {num_tokens_of(step), static_cast<double>(step.row(kWeights, 0).size())};
         }},
    };
}

}  // namespace attn::test
