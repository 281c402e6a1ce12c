// Three lessons that the lectures do not have: what is linear in attention, what heads share, and what a mask leaves of
// two readings.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr ChoiceText kThirdRowChoices[] = {
    {"their sum", "queries 1,2,0 = queries 1,0,0 + queries 1,1,0",
     "In X the sum of both is seven times the third row, not the third row."},
    {"a seventh of their sum", "queries 1,2,0 * 7 = queries 1,0,0 + queries 1,1,0",
     "What X keeps, Q keeps: no matrix can change it."},
    {"half of their sum", "queries 1,2,0 * 2 = queries 1,0,0 + queries 1,1,0",
     "The mean of both rows of X is three and a half times the third."},
    {"that depends on W_q", kNever, "Every product with a matrix keeps the sum, whatever its numbers."},
};
constexpr PredictionText kThirdRow = {
    .question = "If you know the first two rows of Q, what is the third?",
    .choices = kThirdRowChoices,
    .reason = "In X the two add up to 7 times the third row, and a product with a matrix keeps that."};

constexpr StepText kLinearSteps[] = {
    {.title = "A sum in X",
     .link = {kFromInputs, "&stage=embeddings"},
     .text = "Add the first two rows of X: 7 in every column, which is 7 times the third row. A product with a matrix "
             "keeps such a sum, whatever the matrix.",
     .points_at = "stage=embeddings",
     .asks = kThirdRow},
    {.title = "The third row of Q",
     .link = {kFromInputs, "&stage=queries&cell=1,2,0&check=queries"},
     .answer_before = "a seventh of the sum of both rows.",
     .text = "The first two rows of Q begin with −0.2365 and 3.4404. Add them, divide by 7 and type what the third "
             "row begins with: you need no matrix.",
     .points_at = "stage=queries token=2"},
    {.title = "Still there in the scores",
     .link = {kFromInputs, "&stage=scores&cell=1,2,0&check=scores"},
     .answer_before = "0.4577.",
     .text = "A score is again a product, so the same sum holds. This column begins with 43.5067 and 69.0218: type its "
             "third number.",
     .points_at = "stage=scores token=2"},
    {.title = "Gone after the softmax",
     .link = {kFromInputs, "&stage=weights&row_stat=sum"},
     .answer_before = "16.0755.",
     .text = "The scores still keep the sum of X, the weights do not: each of their rows sums to 1, and 1 + 1 is not 7 "
             "× 1. Up to the scores every step is linear in the queries; the softmax is not, so no matrix product can "
             "do what it does.",
     .points_at = "stage=weights"},
    {.title = "Test a printed table",
     .link = {kFromInputs, "&stage=queries&cell=1,2,0"},
     .text = "In the lecture's notes the column of 0.4577 reads 4.2932, −0.6586 and 1.4587. Can any matrix "
             "have made it from this X? Add the first two and compare with 7 times the third: 3.6346 against "
             "10.2109, so none can.",
     .points_at = "stage=queries",
     .keep = "A linear step keeps sums: what holds among the rows of X holds among the rows of Q, K and V.|"
             "The softmax is not linear: behind it the sum no longer holds."},
};

constexpr ChoiceText kOneLargeHeadChoices[] = {
    {"the sum of both", "scores 1,10,7@heads=1 = scores 1,10,7 + scores 2,10,7",
     "A sum of products can be added up in two parts."},
    {"the mean of both", "scores 1,10,7@heads=1 * 2 = scores 1,10,7 + scores 2,10,7",
     "Products are added up, and nothing divides by the number of heads."},
    {"the larger of both", "scores 1,10,7@heads=1 = scores 2,10,7",
     "Nothing chooses: each head holds half of the same sum."},
    {"something else: it has other numbers", kNever, "It has the same numbers, all four columns of them."},
};
constexpr PredictionText kOneLargeHead = {
    .question = "What would one large head give?",
    .choices = kOneLargeHeadChoices,
    .reason = "A score is a sum of four products here, and each head has two of them."};

constexpr ChoiceText kLeftInOneChoices[] = {
    {"it sides with head 1, below −0.5", "scores 1,8,9@heads=1 < -0.5", "Both halves count alike."},
    {"almost nothing", "scores 1,8,9@heads=1 > -0.5 & scores 1,8,9@heads=1 < 0.5",
     "The two halves are not opposite enough for that."},
    {"it sides with head 2, above 0.5", "scores 1,8,9@heads=1 > 0.5 & scores 1,8,9@heads=1 < 2",
     "Both halves count alike."},
    {"all of it: more than 2", "scores 1,8,9@heads=1 > 2", "The signs stay: what one adds the other takes away."},
};
constexpr PredictionText kLeftInOne = {
    .question = "What is left of the disagreement in one head?",
    .choices = kLeftInOneChoices,
    .reason = "The two halves are added, and one is as far below 0 as the other is above."};

constexpr StepText kSharesSteps[] = {
    {.title = "Two parts of one score",
     .link = {kBrush, "&heads=2&stage=scores&cell=1,10,7"},
     .text = "For “brush” and “woman”, head 1 gives −0.6957 and head 2 gives 0.0303. A score is a sum of products, and "
             "each head has half of them.",
     .points_at = "stage=scores heads token=10",
     .asks = kOneLargeHead},
    {.title = "Add the parts",
     .link = {kBrush, "&heads=1&stage=scores&cell=1,10,7&check=scores"},
     .answer_before = "the sum of both parts.",
     .text = "Here it is one head. Add −0.6957 and 0.0303 and type its score.",
     .points_at = "stage=scores heads"},
    {.title = "Where the heads disagree most",
     .link = {kBrush, "&heads=2&stage=scores&cell=1,8,9"},
     .answer_before = "−0.6654.",
     .text = "The two heads disagree most about “with” and the second “a”: −1.1261 against 1.0156.",
     .points_at = "stage=scores heads token=8",
     .asks = kLeftInOne},
    {.title = "What is left of it",
     .link = {kBrush, "&heads=1&stage=scores&cell=1,8,9&check=scores"},
     .answer_before = "the sum of both parts again.",
     .text = "Add −1.1261 and 1.0156 and type the score of the one head.",
     .points_at = "stage=scores heads"},
    {.title = "Each takes its own softmax",
     .link = {kBrush, "&heads=2&stage=weights&cell=1,8,9"},
     .answer_before = "−0.1105, almost nothing.",
     .text = "Two heads keep the difference, since each takes its own softmax before anything is joined: “with” gives "
             "the second “a” 0.0494 in head 1 and 0.1638 in head 2.",
     .points_at = "stage=weights token=8",
     .keep = "The heads' scores add up to the score of one large head.|"
             "Each head has a softmax of its own, so their weights do not add up to its weights."},
};

constexpr std::string_view kReordered[] = {
    "text=With+a+brush+the+artist+painted+the+portrait+of+a+woman&heads=1&out=0"};

constexpr ChoiceText kLinesLeftChoices[] = {
    {"two", "targets@mask=causal = 2", "Count the lines that lead from a word to an earlier one."},
    {"three", "targets@mask=causal = 3", "“woman” looks back at “portrait”, too."},
    {"four", "targets@mask=causal = 4", "Count the lines that lead from a word to an earlier one."},
    {"six", "targets@mask=causal = 6", "Lines from “artist” and “woman” to “brush” lead to a later word."},
};
constexpr PredictionText kLinesLeft = {
    .question = "How many of the six lines are left?",
    .choices = kLinesLeftChoices,
    .reason = "Lines to a later word go: “artist” and “woman” look at “brush” in vain."};

constexpr StepText kOneRowSteps[] = {
    {.title = "All lines of both readings",
     .link = {{}, "heads=1&out=0&mask=none&view=lines&select=1,7,10&target=7>4,1>10,10>1,7>10,10>7,10>4"},
     .text = "The dashed lines are the targets of both readings of the brush, six different ones. A causal mask "
             "forbids a line to a later word.",
     .points_at = "view=lines mask token=10",
     .asks = kLinesLeft},
    {.title = "All in one row",
     .link = {{}, "heads=1&out=0&view=lines&select=1,7,10&target=7>4,10>1,10>7,10>4"},
     .answer_before = "four.",
     .text = "The line from “woman” to “portrait” is left, which both readings have, and three from “brush”. So behind "
             "a mask only the row of “brush” can tell the readings apart.",
     .points_at = "view=lines token=10"},
    {.title = "The same words in another order",
     .link = {kReordered, "&mask=none&view=lines&select=2,4,10&target=10>7,4>2,2>4,10>2,2>10,2>7"},
     .text = "Now “brush” stands near the beginning. In which rows can the readings differ now? Strike the lines to "
             "later words: set “click to” to target, then click the two words of a line. Then press Next.",
     .points_at = "view=lines token=2 token=4"},
    {.title = "Now in two rows",
     .link = {kReordered, "&view=lines&select=2,4,10&target=10>7,4>2,10>2"},
     .answer_before = "in those of “artist” and of “woman”.",
     .text =
         "“artist” looks at “brush” in one reading, “woman” at “brush” in the other; “brush” itself can tell nothing.",
     .points_at = "view=lines token=4 token=10"},
    {.title = "A row without a choice",
     .link = {kReordered, "&stage=weights&cell=1,0,0&check=weights"},
     .text = "Behind a mask the first word has only itself to look at. Type its weight.",
     .points_at = "stage=weights token=0"},
    {.title = "The first row with a choice",
     .link = {kReordered, "&stage=weights&cell=1,1,0&check=weights&hide=weights[1,1,*]"},
     .answer_before = "1.",
     .text = "The second word has two. Type both weights; the scores stand below the table.",
     .points_at = "stage=weights token=1",
     .keep = "A causal mask leaves the lines that lead to earlier words.|"
             "So the order of the words decides in which rows two readings can differ."},
};

}  // namespace

constexpr LessonParts linear_links = pack_links<kLinearSteps>("linear");

LessonText linear_words() {
    return {.title = "Linear or not: the test that needs no matrix",
            .about = "One sum in X shows which steps are linear, and whether a printed table can be right.",
            .steps = pack_words<kLinearSteps>()};
}

constexpr LessonParts shares_links = pack_links<kSharesSteps>("shares");

LessonText shares_words() {
    return {.title = "Scores: shared out among the heads",
            .about = "The heads' scores add up to one large head's; only the softmax keeps them apart.",
            .steps = pack_words<kSharesSteps>()};
}

constexpr LessonParts one_row_links = pack_links<kOneRowSteps>("one-row");

LessonText one_row_words() {
    return {.title = "Causal mask: all ambiguity in one row",
            .about = "What a causal mask leaves of two readings, and what another order of words does to it.",
            .steps = pack_words<kOneRowSteps>()};
}

}  // namespace attn
