// The lesson that follows a worked example of multi-head attention by hand, eleven steps, and the batch made of it. The
// printed numbers are those of the lecture's notes; they do not follow from one another, which the lesson shows.
#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {
namespace {

using Rows = std::vector<std::vector<float>>;

constexpr std::string_view kNotes = "lecture notes, worked example";

const Rows kQueries = {{4.2932F, -2.4849F, 2.4194F, 4.0865F, 1.5162F, -0.6586F},
                       {-0.6586F, -2.4849F, 2.4194F, 4.0865F, 4.2932F, -2.4849F},
                       {1.4587F, 0.4809F, 1.7221F, 0.7082F, -0.1234F, 0.7995F}};
const Rows kKeys = {{3.5049F, -0.2332F, -13.0061F, 4.3009F, 7.2783F, -1.5149F},
                    {-1.5149F, -0.2332F, -13.0061F, 4.3009F, 3.5049F, -0.2332F},
                    {-0.3752F, -0.4537F, 1.1995F, 0.1121F, 1.2829F, -0.0216F}};
const Rows kValues = {{-3.7603F, 1.7251F, 15.5114F, -1.3864F, -5.8559F, 5.7465F},
                      {5.7465F, 1.7251F, 15.5114F, -1.3864F, -3.7603F, 1.7251F},
                      {-0.532F, 0.2449F, 1.8943F, -0.0822F, -0.9636F, 0.2034F}};
const std::vector<Rows> kQueriesByHead = {
    {{-0.4888F, 0.2361F, 2.8463F}, {-2.3531F, -0.7912F, 2.0534F}, {-2.5745F, 0.2893F, 1.1454F}},
    {{-0.2184F, 5.4503F, -1.8915F}, {-4.3369F, 3.2125F, 1.2578F}, {0.9021F, 1.5632F, 0.693F}}};
const std::vector<Rows> kKeysByHead = {
    {{0.4143F, -1.4023F, -2.7131F}, {1.1957F, 1.3712F, 0.6885F}, {-0.1226F, 0.1155F, 0.4755F}},
    {{3.4907F, -2.1993F, 0.2381F}, {-1.5484F, 4.2152F, 2.1248F}, {-0.0176F, 0.8339F, 0.7582F}}};
const std::vector<Rows> kValuesByHead = {
    {{-3.6194F, 2.0935F, 1.3879F}, {1.1106F, -0.4063F, -0.5588F}, {-1.6594F, 0.1052F, -0.0468F}},
    {{2.1231F, -1.2262F, -0.2556F}, {1.8222F, 1.8721F, 0.4929F}, {0.8916F, -1.4384F, -0.5651F}}};
const std::vector<Rows> kScoresByHead = {
    {{-0.6347F, 0.0932F, -1.0212F}, {-1.4575F, 3.5434F, 6.9408F}, {-1.0186F, 3.9301F, 7.6656F}},
    {{-8.9021F, 23.1722F, 3.7513F}, {-15.5508F, 28.7933F, 5.6098F}, {2.2056F, 5.6847F, 2.5589F}}};
const std::vector<Rows> kWeightsByHead = {{{1, 0, 0}, {0.0724F, 0.9276F, 0}, {0.0015F, 0.0878F, 0.9107F}},
                                          {{1, 0, 0}, {0, 1, 0}, {0.0807F, 0.7843F, 0.135F}}};
const std::vector<Rows> kContextByHead = {
    {{-3.6194F, 2.0935F, 1.3879F}, {0.8036F, -0.2926F, -0.4385F}, {-1.5123F, 0.0901F, -0.0603F}},
    {{2.1231F, -1.2262F, -0.2556F}, {1.8222F, 1.8721F, 0.4929F}, {1.7251F, 1.0674F, 0.3078F}}};

Printed whole(TensorId stage, const Rows& numbers) {
    return {.stage = stage, .head = kAllHeads, .numbers = numbers, .source = kNotes};
}

// One block a head.
std::vector<Printed> by_head(TensorId stage, const std::vector<Rows>& heads) {
    std::vector<Printed> blocks;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        blocks.push_back({.stage = stage, .head = static_cast<int>(h), .numbers = heads[h], .source = kNotes});
    }
    return blocks;
}

std::vector<Printed> joined(std::vector<Printed> first, const std::vector<Printed>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

Lesson lesson_split() {
    return {
        .name = "split",
        .title = "Weight split, by hand",
        .about =
            "One sentence of three tokens through two heads in eleven steps, beside the numbers that were printed.",
        .steps = {
            {.title = "1. The input",
             .text = "One sentence of three tokens with six numbers each: (b, T, d_in) = (1, 3, 6). The first row "
                     "counts up, the second counts down, the third is all ones.",
             .points_at = {"stage=embeddings", "token=0"},
             .printed = {}},
            {.title = "2. Widths and heads",
             .text = "d_out is 6 and is cut into two heads, so each head works with head_dim = 6 / 2 = 3 numbers. The "
                     "number of heads must divide d_out; try another one and see what is offered.",
             .points_at = {"d_out", "heads"},
             .printed = {}},
            {.title = "3. Three matrices",
             .text = "W_q, W_k and W_v, six by six, as the notes give them. Columns 0 to 2 will make head 1, columns 3 "
                     "to 5 head 2; each number can be typed over.",
             .points_at = {"view=edit"},
             .printed = {}},
            {.title = "4. Queries, keys, values",
             .text = "X times each matrix: three tables of (1, 3, 6). What the notes print here is not X · W of their "
                     "own numbers, and every printed number that does not follow is struck out. Click a cell "
                     "and check its six products by hand.",
             .points_at = {"stage=queries", "stage=keys", "stage=values"},
             .printed = {whole(TensorId::queries, kQueries), whole(TensorId::keys, kKeys),
                         whole(TensorId::values, kValues)}},
            {.title = "5. The last axis in two",
             .text =
                 "Each row of six is read as two groups of three: (b, T, d_out) becomes (b, T, num_heads, head_dim) "
                 "= (1, 3, 2, 3). No number moves in memory, only the way of counting them changes.",
             .points_at = {"view=split"},
             .printed = {}},
            {.title = "6. Heads first",
             .text = "The axes of tokens and heads change places: (b, num_heads, T, head_dim) = (1, 2, 3, 3). Now each "
                     "head has its own small table and can work alone. The tables that the notes print here are not a "
                     "regrouping of their step 4 either.",
             .points_at = {"view=split"},
             .printed = joined(by_head(TensorId::queries, kQueriesByHead),
                               joined(by_head(TensorId::keys, kKeysByHead), by_head(TensorId::values, kValuesByHead)))},
            {.title = "7. Scores of each head",
             .text =
                 "In each head, every query times every key: (1, 2, 3, 3). The scores of these inputs are large, up "
                 "to 81 either way, because the matrices hold numbers as large as 8.",
             .points_at = {"stage=scores"},
             .printed = by_head(TensorId::scores, kScoresByHead)},
            {.title = "8. Mask, scale, softmax",
             .text =
                 "Later tokens are hidden, the rest is divided by √3 and goes through the softmax. With scores this "
                 "large nearly every row puts all on one token; the zeros of the hidden keys are what follows of "
                 "the printed tables, and little more.",
             .points_at = {"stage=masked_scores", "stage=weights"},
             .printed = by_head(TensorId::weights, kWeightsByHead)},
            {.title = "9. Context of each head",
             .text =
                 "Weights times values, in each head by itself: (1, 2, 3, 3) again. Where a weight is 1 the context "
                 "is simply a copy of that token's value.",
             .points_at = {"stage=context"},
             .printed = by_head(TensorId::context, kContextByHead)},
            {.title = "10. Tokens first again",
             .text =
                 "The way back begins with the second change: heads and tokens change places, and (b, num_heads, T, "
                 "head_dim) becomes (b, T, num_heads, head_dim) = (1, 3, 2, 3). Each token has its two groups of "
                 "three side by side again.",
             .points_at = {"view=split"},
             .printed = {}},
            {.title = "11. One row a token",
             .text = "The two groups are read as one row of six: (b, T, d_out) = (1, 3, 6), the shape that went in. In "
                     "PyTorch this needs contiguous() first, because after the exchange the numbers do not lie in this "
                     "order in memory.",
             .points_at = {"view=split", "stage=merged"},
             .printed = {}},
            {.title = "Once more, from the printed step 6",
             .text = "To see what the notes could have meant, their printed queries, keys and values of step 6 are "
                     "entered by hand in place of X · W. The scores that follow from them are still not the printed "
                     "ones.",
             .points_at = {"stage=queries", "stage=scores"},
             .printed = by_head(TensorId::scores, kScoresByHead)},
            {.title = "Weights from the printed step 6",
             .text = "Softmax of those scores, masked and divided by √3. The printed weights differ from these in "
                     "the first or second decimal, except where a row has no choice or one key takes all.",
             .points_at = {"stage=weights"},
             .printed = by_head(TensorId::weights, kWeightsByHead)},
            {.title = "Context from the printed step 6",
             .text = "The first row of each head follows: its only weight is 1, so it is the entered value itself. The "
                     "other rows inherit what was off before.",
             .points_at = {"stage=context"},
             .printed = by_head(TensorId::context, kContextByHead)},
        }};
}

Lesson lesson_batch() {
    return {
        .name = "batch",
        .title = "Batch",
        .about = "Several sentences at once: the first axis counts them, and none sees another.",
        .steps = {
            {.title = "Stacked twice",
             .text = "The same three tokens twice: (b, T, d_in) = (2, 3, 6). Every step does to each sentence what it "
                     "would do to it alone; the arrows beside the tokens go from one to the other.",
             .points_at = {"sentence-", "sentence+", "stage=embeddings"},
             .printed = {}},
            {.title = "The second one gives the same",
             .text = "This is sentence 2: the same inputs through the same matrices, so the same weights to the last "
                     "digit. The full shape of the weights is (b, num_heads, T, T) = (2, 2, 3, 3).",
             .points_at = {"sentence-", "stage=weights"},
             .printed = {}},
            {.title = "A change stays in its sentence",
             .text = "In sentence 2 the first number of X was typed over, 9 instead of 1. Its context changes, that of "
                     "sentence 1 does not: sentences share the matrices and nothing else.",
             .points_at = {"sentence-", "stage=context"},
             .printed = {}},
        }};
}

}  // namespace attn
