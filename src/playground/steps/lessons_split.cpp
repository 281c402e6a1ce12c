// The lesson that follows a worked example of multi-head attention by hand, eleven steps, and the batch made of it. The
// printed numbers are those of the lecture's notes; they do not follow from one another, which the lesson shows.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kNotes = "the notes of the lecture “by hand”";

// The whole table of a stage, heads side by side.
constexpr PrintedText whole(TensorId stage, std::string_view numbers) {
    return {.stage = stage, .head = kAllHeads, .numbers = numbers, .source = kNotes};
}

constexpr PrintedText of_head(TensorId stage, int head, std::string_view numbers) {
    return {.stage = stage, .head = head, .numbers = numbers, .source = kNotes};
}

constexpr PrintedText kWholeTables[] = {
    whole(TensorId::queries,
          "4.2932,-2.4849,2.4194,4.0865,1.5162,-0.6586;"
          "-0.6586,-2.4849,2.4194,4.0865,4.2932,-2.4849;"
          "1.4587,0.4809,1.7221,0.7082,-0.1234,0.7995"),
    whole(TensorId::keys,
          "3.5049,-0.2332,-13.0061,4.3009,7.2783,-1.5149;"
          "-1.5149,-0.2332,-13.0061,4.3009,3.5049,-0.2332;"
          "-0.3752,-0.4537,1.1995,0.1121,1.2829,-0.0216"),
    whole(TensorId::values,
          "-3.7603,1.7251,15.5114,-1.3864,-5.8559,5.7465;"
          "5.7465,1.7251,15.5114,-1.3864,-3.7603,1.7251;"
          "-0.532,0.2449,1.8943,-0.0822,-0.9636,0.2034"),
};
constexpr PrintedText kTablesByHead[] = {
    of_head(TensorId::queries, 0,
            "-0.4888,0.2361,2.8463;"
            "-2.3531,-0.7912,2.0534;"
            "-2.5745,0.2893,1.1454"),
    of_head(TensorId::queries, 1,
            "-0.2184,5.4503,-1.8915;"
            "-4.3369,3.2125,1.2578;"
            "0.9021,1.5632,0.693"),
    of_head(TensorId::keys, 0,
            "0.4143,-1.4023,-2.7131;"
            "1.1957,1.3712,0.6885;"
            "-0.1226,0.1155,0.4755"),
    of_head(TensorId::keys, 1,
            "3.4907,-2.1993,0.2381;"
            "-1.5484,4.2152,2.1248;"
            "-0.0176,0.8339,0.7582"),
    of_head(TensorId::values, 0,
            "-3.6194,2.0935,1.3879;"
            "1.1106,-0.4063,-0.5588;"
            "-1.6594,0.1052,-0.0468"),
    of_head(TensorId::values, 1,
            "2.1231,-1.2262,-0.2556;"
            "1.8222,1.8721,0.4929;"
            "0.8916,-1.4384,-0.5651"),
};
constexpr PrintedText kScoresByHead[] = {
    of_head(TensorId::scores, 0,
            "-0.6347,0.0932,-1.0212;"
            "-1.4575,3.5434,6.9408;"
            "-1.0186,3.9301,7.6656"),
    of_head(TensorId::scores, 1,
            "-8.9021,23.1722,3.7513;"
            "-15.5508,28.7933,5.6098;"
            "2.2056,5.6847,2.5589"),
};
constexpr PrintedText kWeightsByHead[] = {
    of_head(TensorId::weights, 0,
            "1,0,0;"
            "0.0724,0.9276,0;"
            "0.0015,0.0878,0.9107"),
    of_head(TensorId::weights, 1,
            "1,0,0;"
            "0,1,0;"
            "0.0807,0.7843,0.135"),
};
constexpr PrintedText kContextByHead[] = {
    of_head(TensorId::context, 0,
            "-3.6194,2.0935,1.3879;"
            "0.8036,-0.2926,-0.4385;"
            "-1.5123,0.0901,-0.0603"),
    of_head(TensorId::context, 1,
            "2.1231,-1.2262,-0.2556;"
            "1.8222,1.8721,0.4929;"
            "1.7251,1.0674,0.3078"),
};

// What the notes print as queries, keys and values after step 6, heads side by side, to be entered instead of X · W.
constexpr std::string_view kPrintedStep6 =
    "&edit=queries[0,0]=-0.4888,0.2361,2.8463,-0.2184,5.4503,-1.8915;-2.3531,-0.7912,2.0534,-4.3369,3.2125,1.2578;-2."
    "5745,0.2893,1.1454,0.9021,1.5632,0.693"
    "&edit=keys[0,0]=0.4143,-1.4023,-2.7131,3.4907,-2.1993,0.2381;1.1957,1.3712,0.6885,-1.5484,4.2152,2.1248;-0.1226,0."
    "1155,0.4755,-0.0176,0.8339,0.7582"
    "&edit=values[0,0]=-3.6194,2.0935,1.3879,2.1231,-1.2262,-0.2556;1.1106,-0.4063,-0.5588,1.8222,1.8721,0.4929;-1."
    "6594,0.1052,-0.0468,0.8916,-1.4384,-0.5651";
constexpr std::string_view kFromPrinted[] = {"text=one+two+three", kSettings, kInputs, kPrintedStep6};

// The scores that the notes print, heads side by side, as queries: keys of a single 1 give them back as scores.
constexpr std::string_view kPrintedScores =
    "&edit=queries[0,0]=-0.6347,0.0932,-1.0212,-8.9021,23.1722,3.7513;-1.4575,3.5434,6.9408,-15.5508,28.7933,5.6098;-1."
    "0186,3.9301,7.6656,2.2056,5.6847,2.5589"
    "&edit=keys[0,0]=1,0,0,1,0,0;0,1,0,0,1,0;0,0,1,0,0,1";
constexpr std::string_view kFromScores[] = {"text=one+two+three", kSettings, kInputs, kPrintedScores};

constexpr ChoiceText kSixHeadsChoices[] = {
    {"1 number wide, six tables", "head_dim@heads=6 = 1 & heads@heads=6 = 6",
     "6 / 6 = 1 number, and each head makes its own table."},
    {"6 numbers wide, six tables", "head_dim@heads=6 = 6 & heads@heads=6 = 6",
     "The six numbers of d_out are shared out, not given to each."},
    {"1 number wide, one table", "head_dim@heads=6 = 1 & heads@heads=6 = 1",
     "Each head makes a table of its own; they are joined at the end."},
    {"3 numbers wide, two tables", "head_dim@heads=6 = 3 & heads@heads=6 = 2", "That is what two heads do."},
};
constexpr PredictionText kSixHeads = {
    .question = "With six heads, how wide is each, and how many tables of context are there?",
    .choices = kSixHeadsChoices,
    .reason = "head_dim = 6 / 6 = 1. Set heads to 6 and see."};

constexpr StepText kSplitSteps[] = {
    {.title = "Notes, step 1: the input",
     .link = {kFromInputs, "&stage=embeddings"},
     .text = "One sentence of three tokens with six numbers each: (b, T, d_in) = (1, 3, 6). The first row "
             "counts up, the second counts down, the third is all ones. In Python: b, num_tokens, d_in = "
             "x.shape.",
     .points_at = "stage=embeddings token=0"},
    {.title = "Notes, step 2: widths and heads",
     .link = {kFromInputs, "&stage=embeddings"},
     .text = "d_out is 6 and is cut into two heads, so each head works with head_dim = 6 / 2 = 3 numbers. The number "
             "of heads must divide d_out.",
     .points_at = "d_out heads",
     .asks = kSixHeads},
    {.title = "Notes, step 3: three matrices",
     .link = {kFromInputs, "&view=edit&tensor=w_query&stage=queries"},
     .answer_before = "each head is 1 number wide, and there are six tables.",
     .text = "W_q, W_k and W_v, six by six, as the notes give them. Columns 0 to 2 will make head 1, columns "
             "3 to 5 head 2. The notes say nn.Linear, but that draws within ±1/√6 = ±0.4082, and 20 of the 36 "
             "numbers of W_q lie outside.",
     .points_at = "view=edit"},
    {.title = "One number by hand",
     .link = {kFromInputs, "&stage=queries&cell=1,0,0&check=queries"},
     .text = "Take a piece of paper, as the lecture says. The first row of X, 1 to 6, times the first column of "
             "W_q: 1 × 0.6323 + 2 × 0.6571 + …. Type what comes out into the first cell; the hints show the six "
             "products.",
     .points_at = "stage=queries"},
    {.title = "Notes, step 4: queries, keys, values",
     .link = {kFromInputs, "&view=split&stage=queries&phase=1"},
     .answer_before = "−0.2365.",
     .text = "X times each matrix makes three tables of (1, 3, 6). The first two rows of X add up to seven times the "
             "third, so the same must hold here: −0.2365 + 3.4404 = 7 × 0.4577. In the notes it is 3.6346 against 7 × "
             "1.4587 = 10.2109, so no matrix can have made those tables.",
     .points_at = "stage=queries stage=keys stage=values",
     .printed = kWholeTables},
    {.title = "Notes, step 5: the last axis in two",
     .link = {kFromInputs, "&view=split&stage=queries&phase=2"},
     .text = "Each row of six is read as two groups of three: (b, T, d_out) becomes (b, T, num_heads, "
             "head_dim) = (1, 3, 2, 3). No number moves in memory. Think of two people who look at each "
             "token, and each sees three of its six numbers. In Python: keys.view(b, num_tokens, num_heads, "
             "head_dim).",
     .points_at = "view=split"},
    {.title = "Notes, step 6: heads first",
     .link = {kFromInputs, "&view=split&stage=queries&phase=3"},
     .text = "The axes of tokens and heads change places: (b, num_heads, T, head_dim) = (1, 2, 3, 3). Now "
             "each head has its own small table and can work alone. The tables that the notes print here are "
             "not a regrouping of their step 4 either. In Python: keys.transpose(1, 2).",
     .points_at = "view=split",
     .printed = kTablesByHead},
    {.title = "Notes, step 7: scores of each head",
     .link = {kFromInputs, "&stage=scores&cell=1,0,0"},
     .text = "In each head, every query times every key: (1, 2, 3, 3). The scores are large, up to 81 either "
             "way, because the rows of X are long: the first two have length 9.5. Large scores make a softmax "
             "that sees one token only. In Python: queries @ keys.transpose(2, 3).",
     .points_at = "stage=scores",
     .printed = kScoresByHead},
    {.title = "Notes, step 8: mask, scale, softmax",
     .link = {kFromInputs, "&stage=weights&row_stat=sum&cell=1,1,0"},
     .text = "Later tokens are hidden, the rest is divided by √3 (6 / 2 = 3, so not by √6) and goes through the "
             "softmax. With scores this large nearly every row puts all on one token. Of 18 printed weights 10 "
             "follow: the zeros of the hidden keys, and the rows with a 1.",
     .points_at = "stage=masked_scores stage=weights",
     .printed = kWeightsByHead},
    {.title = "Notes, step 9: context of each head",
     .link = {kFromInputs, "&stage=context&cell=1,1,0"},
     .text = "Weights times values, in each head by itself: (b, num_heads, T, T) times (b, num_heads, T, "
             "head_dim) is (1, 2, 3, 3) again. Where a weight is 1 the context is simply a copy of that "
             "token's value. In Python: attn_weights @ values.",
     .points_at = "stage=context",
     .printed = kContextByHead},
    {.title = "Notes, step 10: tokens first again",
     .link = {kFromInputs, "&view=split&stage=context&phase=2"},
     .text = "The way back begins with the second change: heads and tokens change places, and (b, num_heads, T, "
             "head_dim) becomes (b, T, num_heads, head_dim) = (1, 3, 2, 3). Each token has its two groups of "
             "three side by side again.",
     .points_at = "view=split"},
    {.title = "Notes, step 11: one row per token",
     .link = {kFromInputs, "&view=split&stage=context&phase=3"},
     .text = "The two groups are read as one row of six: (b, T, d_out) = (1, 3, 6), the shape that went in. "
             "In PyTorch this needs contiguous() first, because after the exchange the numbers do not lie in "
             "this order in memory. In Python: contiguous().view(b, num_tokens, d_out).",
     .points_at = "view=split stage=merged"},
    {.title = "Once more, from the printed step 6",
     .link = {kFromPrinted, "&stage=scores&cell=1,0,0"},
     .text = "To see what the notes could have meant, their printed queries, keys and values of step 6 are "
             "entered by hand in place of X · W. The scores that follow from them are still not the printed "
             "ones.",
     .points_at = "stage=queries stage=scores",
     .printed = kScoresByHead},
    {.title = "Weights from the printed step 6",
     .link = {kFromPrinted, "&stage=weights&cell=1,1,0"},
     .text = "Softmax of those scores, masked and divided by √3. The printed weights differ from these in the "
             "first or second decimal, except where a row has only one visible key or one key takes all.",
     .points_at = "stage=weights",
     .printed = kWeightsByHead},
    {.title = "Context from the printed step 6",
     .link = {kFromPrinted, "&stage=context&cell=1,1,0"},
     .text = "Where all weight of a row is on one token, that token's value comes out, printed and computed: in the "
             "first row of each head, and the second of head 2. The other rows do not even follow from the printed "
             "weights: 0.0724 × (−3.6194) + 0.9276 × 1.1106 = 0.7681, where the notes print 0.8036.",
     .points_at = "stage=context",
     .printed = kContextByHead},
    {.title = "The printed scores ÷ √3",
     .link = {kFromScores, "&stage=masked_scores&cell=1,1,1"},
     .text = "Now their printed scores, entered as queries; keys with a single 1 give each score back. Masked and "
             "divided by √3, row “two” of head 1 is −0.8415 and 2.0458. The notes print nearly the same here: this "
             "one step almost holds. But the softmax of these two is 0.0528 and 0.9472, not 0.0724 and 0.9276.",
     .points_at = "stage=scores stage=masked_scores stage=weights",
     .printed = kWeightsByHead},
    {.title = "One score by hand",
     .link = {kFromInputs, "&stage=scores&cell=2,1,2&check=scores"},
     .text = "X and the three matrices again. In head 2, type the score of “two” for “three”. A hint shows the "
             "products.",
     .points_at = "stage=scores stage=queries stage=keys",
     .keep = "One product makes the queries of all heads; view cuts them into heads, transpose puts the heads first.|"
             "Each head works alone; behind attention their contexts are put side by side again.|"
             "A printed table can be wrong, and whoever recomputes it finds the row where it begins."},
};

constexpr std::string_view kSentenceTwice[] = {
    "text=one+two+three&text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue};
constexpr std::string_view kClass[] = {kSentenceTwice[0], "&embed=typed&pos=none&d_out=6", kInputs};

constexpr ChoiceText kThreeSentencesChoices[] = {
    {"(3, 3, 6)", "sentences + 1 = 3 & tokens = 3 & d_in = 6",
     "The first axis counts sentences, then tokens, then numbers."},
    {"(2, 3, 9)", "sentences + 1 = 2", "The first axis counts the sentences; a token keeps its numbers."},
    {"(2, 9, 6)", "sentences + 1 = 2 & tokens = 9", "No sentence becomes longer: the first axis counts them."},
    {"(9, 6)", kNever, "Then a token could not be told from those of other sentences."},
};
constexpr PredictionText kThreeSentences = {.question = "What shape would three sentences have?",
                                            .choices = kThreeSentencesChoices,
                                            .reason = "Sentences first, then tokens, then numbers."};

constexpr ChoiceText kOtherSentenceChoices[] = {
    {"yes, all of it",
     "context 1,0,0@step=3&sentence=1 != context 1,0,0@sentence=1 & context 1,1,0@step=3&sentence=1 != context "
     "1,1,0@sentence=1",
     "No token of sentence 1 looks at one of sentence 2."},
    {"only its first row",
     "context 1,0,0@step=3&sentence=1 != context 1,0,0@sentence=1 & context 1,1,0@step=3&sentence=1 = context "
     "1,1,0@sentence=1",
     "The rows of one place in two sentences have nothing to do with each other."},
    {"no",
     "context 1,0,0@step=3&sentence=1 = context 1,0,0@sentence=1 & context 1,1,0@step=3&sentence=1 = context "
     "1,1,0@sentence=1",
     "Sentences share only the matrices."},
};
constexpr PredictionText kOtherSentence = {
    .question = "If the first number of sentence 2 became 9, would the context of sentence 1 change?",
    .choices = kOtherSentenceChoices,
    .reason = "Sentences share the matrices and nothing else."};

constexpr StepText kBatchSteps[] = {
    {.title = "Stacked twice",
     .link = {kSentenceTwice, "&stage=embeddings&sentence=1"},
     .text = "The same three tokens twice: (b, T, d_in) = (2, 3, 6). Every step does to each sentence what it would do "
             "to it alone; the arrows beside the tokens go from one to the other.",
     .points_at = "sentence- sentence+ stage=embeddings",
     .asks = kThreeSentences},
    {.title = "The second one gives the same",
     .link = {kSentenceTwice, "&stage=weights&sentence=2&cell=1,1,0"},
     .answer_before = "(3, 3, 6).",
     .text = "This is sentence 2: the same inputs through the same matrices, so the same weights to the last digit, "
             "(b, num_heads, T, T) = (2, 2, 3, 3).",
     .points_at = "sentence- stage=weights",
     .asks = kOtherSentence},
    {.title = "A change stays in its sentence",
     .link = {kSentenceTwice, "&edit=x[1,0,0]=9&stage=context&sentence=2&cell=1,0,0"},
     .answer_before = "no.",
     .text = "In sentence 2 the first number of X was typed over, 9 instead of 1. Its context changes, that of "
             "sentence 1 does not: sentences share the matrices and nothing else.",
     .points_at = "sentence- stage=context"},
    {.title = "As the class does it",
     .link = {kClass, "&stage=output&cell=1,0,0"},
     .text = "The Python lines of the lesson before belong to one class of about 25 lines; Share writes their steps "
             "as a PyTorch script. With torch.manual_seed(123) it draws matrices of its own, and for this X its "
             "output is this (2, 3, 6), beginning with 0.1462 0.0579 0.9873. Run it and compare.",
     .points_at = "share stage=output init=torch.linear"},
    {.title = "A query of the changed sentence",
     .link = {kSentenceTwice, "&edit=x[1,0,0]=9&stage=queries&sentence=2&cell=1,0,0&check=queries"},
     .text = "Sentence 2 with its 9 again. In sentence 1 the first query begins with −0.2365; here the first "
             "number of X is 8 more, and it is multiplied by 0.6323 of W_q. Type the new number.",
     .points_at = "stage=queries sentence-"},
    {.title = "The other half of the output",
     .link = {kClass, "&stage=output&sentence=2&cell=1,0,0&check=output"},
     .answer_before = "4.8219.",
     .text = "The class again, sentence 2. Sentence 1 begins with 0.1462 0.0579 0.9873. Type what sentence 2 begins "
             "with.",
     .points_at = "stage=output sentence-",
     .keep = "A batch puts one more axis in front: the same matrices work on every sentence.|"
             "No sentence sees another, so each has the numbers that it has alone."},
};

}  // namespace

constexpr LessonParts split_links = pack_links<kSplitSteps>("split");

LessonText split_words() {
    return {.title = "Weight split, by hand",
            .about = "One sentence of three tokens through two heads, beside the numbers that a lecture printed.",
            .steps = pack_words<kSplitSteps>()};
}

constexpr LessonParts batch_links = pack_links<kBatchSteps>("batch");

LessonText batch_words() {
    return {.title = "Batch",
            .about = "Several sentences at once: the first axis counts them, and none sees another.",
            .steps = pack_words<kBatchSteps>()};
}

}  // namespace attn
