// The lesson that follows a worked example of multi-head attention by hand, eleven steps, and the batch made of it. The
// printed numbers are those of the lecture's notes; they do not follow from one another, which the lesson shows.
#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {
namespace {

using Rows = std::vector<std::vector<float>>;

constexpr std::string_view kNotes = "lecture notes, worked example";

// Three tokens of six numbers, two heads of three; the matrices as the notes give them.
constexpr std::string_view kInputs = "&x=1,2,3,4,5,6;6,5,4,3,2,1;1,1,1,1,1,1";
constexpr std::string_view kSettings = "&embed=typed&pos=none&d_out=6&heads=2&mask=causal&out=0&init=identity";
constexpr std::string_view kWQuery =
    "&edit=w_query[0,0]=0.6323,-0.2366,1.2455,0.3465,1.2458,0.3229;"
    "0.6571,-0.2378,-0.5311,-0.261,-1.4819,-1.6418;"
    "-0.299,0.4216,0.2114,-0.0271,-0.5682,0.6937;"
    "-1.1291,-1.0102,0.6946,0.1094,0.513,-0.8669;"
    "0.348,0.2593,0.4412,1.0017,-0.3913,-0.2878;"
    "0.2484,0.2846,-0.3386,-0.6164,1.2722,0.5754";
constexpr std::string_view kWKey =
    "&edit=w_key[0,0]=-0.3703,0.5431,-0.0372,-0.4406,0.4103,-0.1773;"
    "1.5993,-0.2777,-1.1989,-0.4301,0.6927,-1.3384;"
    "1.2478,-0.1872,-8.1678,1.4382,1.2927,0.4822;"
    "-0.8984,-0.8983,8.3334,-0.6312,0.1022,-1.0715;"
    "-0.7647,0.1734,0.6305,1.0155,0.8474,0.1454;"
    "-1.5085,-0.4529,0.0997,-0.1084,0.8046,0.3459";
constexpr std::string_view kWValue =
    "&edit=w_value[0,0]=1.6395,1.1234,-0.1001,0.5021,-1.059,0.1412;"
    "-8.4271,0.5681,0.4164,-1.2534,1.3061,0.361;"
    "-0.2824,-0.4314,1.2358,0.1181,-1.2467,0.1893;"
    "1.344,0.1487,-0.6174,0.889,-0.3282,1.4662;"
    "0.1814,-0.4761,-0.0402,0.7326,0.7654,-0.1;"
    "-8.8974,0.6786,8.5682,-0.2443,-8.4883,1.3996";

// What the notes print as queries, keys and values after step 6, heads side by side, to be entered instead of X · W.
constexpr std::string_view kPrintedStep6 =
    "&edit=queries[0,0]=-0.4888,0.2361,2.8463,-0.2184,5.4503,-1.8915;-2.3531,-0.7912,2.0534,-4.3369,3.2125,1.2578;-2."
    "5745,0.2893,1.1454,0.9021,1.5632,0.693"
    "&edit=keys[0,0]=0.4143,-1.4023,-2.7131,3.4907,-2.1993,0.2381;1.1957,1.3712,0.6885,-1.5484,4.2152,2.1248;-0.1226,0."
    "1155,0.4755,-0.0176,0.8339,0.7582"
    "&edit=values[0,0]=-3.6194,2.0935,1.3879,2.1231,-1.2262,-0.2556;1.1106,-0.4063,-0.5588,1.8222,1.8721,0.4929;-1."
    "6594,0.1052,-0.0468,0.8916,-1.4384,-0.5651";

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
    const std::string shared = concat("text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue);
    const std::string from_printed = concat("text=one+two+three", kSettings, kInputs, kPrintedStep6);
    return {
        .name = "split",
        .title = "Weight split, by hand",
        .about =
            "One sentence of three tokens through two heads in eleven steps, beside the numbers that were printed.",
        .steps = {
            {.title = "1. The input",
             .text = "One sentence of three tokens with six numbers each: (b, T, d_in) = (1, 3, 6). The first row "
                     "counts up, the second counts down, the third is all ones.",
             .link = concat(shared, "&stage=embeddings"),
             .points_at = {"stage=embeddings", "token=0"},
             .printed = {}},
            {.title = "2. Widths and heads",
             .text = "d_out is 6 and is cut into two heads, so each head works with head_dim = 6 / 2 = 3 numbers. The "
                     "number of heads must divide d_out; try another one and see what is offered.",
             .link = concat(shared, "&stage=embeddings"),
             .points_at = {"d_out", "heads"},
             .printed = {}},
            {.title = "3. Three matrices",
             .text = "W_q, W_k and W_v, six by six, as the notes give them. Columns 0 to 2 will make head 1, columns 3 "
                     "to 5 head 2; each number can be typed over.",
             .link = concat(shared, "&view=edit&tensor=w_query&stage=queries"),
             .points_at = {"view=edit"},
             .printed = {}},
            {.title = "4. Queries, keys, values",
             .text = "X times each matrix: three tables of (1, 3, 6). What the notes print here is not X · W of their "
                     "own numbers, and every printed number that does not follow is struck out. Click a cell "
                     "and check its six products by hand.",
             .link = concat(shared, "&stage=queries&cell=1,0,0"),
             .points_at = {"stage=queries", "stage=keys", "stage=values"},
             .printed = {whole(TensorId::queries, kQueries), whole(TensorId::keys, kKeys),
                         whole(TensorId::values, kValues)}},
            {.title = "5. The last axis in two",
             .text =
                 "Each row of six is read as two groups of three: (b, T, d_out) becomes (b, T, num_heads, head_dim) "
                 "= (1, 3, 2, 3). No number moves in memory, only the way of counting them changes.",
             .link = concat(shared, "&view=split&stage=queries&phase=2"),
             .points_at = {"view=split"},
             .printed = {}},
            {.title = "6. Heads first",
             .text = "The axes of tokens and heads change places: (b, num_heads, T, head_dim) = (1, 2, 3, 3). Now each "
                     "head has its own small table and can work alone. The tables that the notes print here are not a "
                     "regrouping of their step 4 either.",
             .link = concat(shared, "&view=split&stage=queries&phase=3"),
             .points_at = {"view=split"},
             .printed = joined(by_head(TensorId::queries, kQueriesByHead),
                               joined(by_head(TensorId::keys, kKeysByHead), by_head(TensorId::values, kValuesByHead)))},
            {.title = "7. Scores of each head",
             .text =
                 "In each head, every query times every key: (1, 2, 3, 3). The scores of these inputs are large, up "
                 "to 81 either way, because the matrices hold numbers as large as 8.",
             .link = concat(shared, "&stage=scores&cell=1,0,0"),
             .points_at = {"stage=scores"},
             .printed = by_head(TensorId::scores, kScoresByHead)},
            {.title = "8. Mask, scale, softmax",
             .text =
                 "Later tokens are hidden, the rest is divided by √3 and goes through the softmax. With scores this "
                 "large nearly every row puts all on one token; the zeros of the hidden keys are what follows of "
                 "the printed tables, and little more.",
             .link = concat(shared, "&stage=weights&row_stat=sum&cell=1,1,0"),
             .points_at = {"stage=masked_scores", "stage=weights"},
             .printed = by_head(TensorId::weights, kWeightsByHead)},
            {.title = "9. Context of each head",
             .text =
                 "Weights times values, in each head by itself: (1, 2, 3, 3) again. Where a weight is 1 the context "
                 "is simply a copy of that token's value.",
             .link = concat(shared, "&stage=context&cell=1,1,0"),
             .points_at = {"stage=context"},
             .printed = by_head(TensorId::context, kContextByHead)},
            {.title = "10. Tokens first again",
             .text =
                 "The way back begins with the second change: heads and tokens change places, and (b, num_heads, T, "
                 "head_dim) becomes (b, T, num_heads, head_dim) = (1, 3, 2, 3). Each token has its two groups of "
                 "three side by side again.",
             .link = concat(shared, "&view=split&stage=context&phase=2"),
             .points_at = {"view=split"},
             .printed = {}},
            {.title = "11. One row a token",
             .text = "The two groups are read as one row of six: (b, T, d_out) = (1, 3, 6), the shape that went in. In "
                     "PyTorch this needs contiguous() first, because after the exchange the numbers do not lie in this "
                     "order in memory.",
             .link = concat(shared, "&view=split&stage=context&phase=3"),
             .points_at = {"view=split", "stage=merged"},
             .printed = {}},
            {.title = "Once more, from the printed step 6",
             .text = "To see what the notes could have meant, their printed queries, keys and values of step 6 are "
                     "entered by hand in place of X · W. The scores that follow from them are still not the printed "
                     "ones.",
             .link = concat(from_printed, "&stage=scores&cell=1,0,0"),
             .points_at = {"stage=queries", "stage=scores"},
             .printed = by_head(TensorId::scores, kScoresByHead)},
            {.title = "Weights from the printed step 6",
             .text = "Softmax of those scores, masked and divided by √3. The printed weights differ from these in "
                     "the first or second decimal, except where a row has no choice or one key takes all.",
             .link = concat(from_printed, "&stage=weights&cell=1,1,0"),
             .points_at = {"stage=weights"},
             .printed = by_head(TensorId::weights, kWeightsByHead)},
            {.title = "Context from the printed step 6",
             .text = "The first row of each head follows: its only weight is 1, so it is the entered value itself. The "
                     "other rows inherit what was off before.",
             .link = concat(from_printed, "&stage=context&cell=1,1,0"),
             .points_at = {"stage=context"},
             .printed = by_head(TensorId::context, kContextByHead)},
        }};
}

Lesson lesson_batch() {
    const std::string batch =
        concat("text=one+two+three&text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue);
    return {
        .name = "batch",
        .title = "Batch",
        .about = "Several sentences at once: the first axis counts them, and none sees another.",
        .steps = {
            {.title = "Stacked twice",
             .text = "The same three tokens twice: (b, T, d_in) = (2, 3, 6). Every step does to each sentence what it "
                     "would do to it alone; the arrows beside the tokens go from one to the other.",
             .link = concat(batch, "&stage=embeddings&sentence=1"),
             .points_at = {"sentence-", "sentence+", "stage=embeddings"},
             .printed = {}},
            {.title = "The second one gives the same",
             .text = "This is sentence 2: the same inputs through the same matrices, so the same weights to the last "
                     "digit. The full shape of the weights is (b, num_heads, T, T) = (2, 2, 3, 3).",
             .link = concat(batch, "&stage=weights&sentence=2&cell=1,1,0"),
             .points_at = {"sentence-", "stage=weights"},
             .printed = {}},
            {.title = "A change stays in its sentence",
             .text = "In sentence 2 the first number of X was typed over, 9 instead of 1. Its context changes, that of "
                     "sentence 1 does not: sentences share the matrices and nothing else.",
             .link = concat(batch, "&edit=x[1,0,0]=9&stage=context&sentence=2&cell=1,0,0"),
             .points_at = {"sentence-", "stage=context"},
             .printed = {}},
        }};
}

}  // namespace attn
