// The lessons about what happens inside one head: the division by the root of d, the causal mask, dropout.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kNotebook = "chapter 3 of “Build a Large Language Model”";
constexpr std::string_view kLecture = "the lecture on trainable weights";

constexpr std::string_view kCausalWeights =
    "1,0,0,0,0,0;"
    "0.5517,0.4483,0,0,0,0;"
    "0.3800,0.3097,0.3103,0,0,0;"
    "0.2758,0.2460,0.2462,0.2319,0,0;"
    "0.2175,0.1983,0.1984,0.1888,0.1971,0;"
    "0.1935,0.1663,0.1666,0.1542,0.1666,0.1529";
// The part of kLinearWeights up to the diagonal; 0 after it.
constexpr std::string_view kCutAfterDiagonal =
    "0.1921,0,0,0,0,0;"
    "0.2041,0.1659,0,0,0,0;"
    "0.2036,0.1659,0.1662,0,0,0;"
    "0.1869,0.1667,0.1668,0.1571,0,0;"
    "0.1830,0.1669,0.1670,0.1588,0.1658,0;"
    "0.1935,0.1663,0.1666,0.1542,0.1666,0.1529";

constexpr PrintedText kSoftmax[] = {
    {.of = PrintedOf::softmax, .numbers = "0.1925,0.1426,0.2351,0.1426,0.2872", .source = kLecture}};
constexpr PrintedText kSoftmaxTimes8[] = {
    {.of = PrintedOf::softmax, .numbers = "0.0326,0.0030,0.1615,0.0030,0.8000", .source = kLecture}};
constexpr PrintedText kWithoutMask[] = {{.stage = TensorId::weights, .numbers = kLinearWeights, .source = kNotebook}};
constexpr PrintedText kHiddenScores[] = {{.stage = TensorId::masked_scores,
                                          .numbers = "0.2899,-inf,-inf,-inf,-inf,-inf;"
                                                     "0.4656,0.1723,-inf,-inf,-inf,-inf;"
                                                     "0.4594,0.1703,0.1731,-inf,-inf,-inf;"
                                                     "0.2642,0.1024,0.1036,0.0186,-inf,-inf;"
                                                     "0.2183,0.0874,0.0882,0.0177,0.0786,-inf;"
                                                     "0.3408,0.1270,0.1290,0.0198,0.1290,0.0078",
                                          .source = kNotebook}};
constexpr PrintedText kMasked[] = {{.stage = TensorId::weights, .numbers = kCausalWeights, .source = kNotebook}};
constexpr PrintedText kMaskedAfter[] = {
    {.stage = TensorId::weights, .numbers = kCutAfterDiagonal, .source = kNotebook}};
constexpr PrintedText kHalfDropped[] = {{.stage = TensorId::dropped_weights,
                                         .numbers = "2,0,0,0,0,0;"
                                                    "0,0,0,0,0,0;"
                                                    "0.7599,0.6194,0.6206,0,0,0;"
                                                    "0,0.4921,0.4925,0,0,0;"
                                                    "0,0.3966,0,0.3775,0,0;"
                                                    "0,0.3327,0.3331,0.3084,0.3331,0",
                                         .source = kNotebook}};

constexpr std::string_view kWide[] = {"d_in=64&d_out=512&", kRowsLargest[0], kRowsLargest[1]};

constexpr ChoiceText kDividedBy512Choices[] = {
    {"one token takes nearly everything again", "peak weights@step=8 > 0.5",
     "That comes of scores that are too large; these get smaller still."},
    {"no token stands out any more", "peak weights@step=8 < 0.15",
     "Scores that lie so close together would give all tokens nearly the same."},
    {"the weights stay as they are", "peak weights@step=8 = peak weights",
     "A softmax ignores what is added to a row, but not what it is divided by."},
};
constexpr PredictionText kDividedBy512 = {
    .question = "What if you divide by 512 itself?",
    .choices = kDividedBy512Choices,
    .reason = "The largest weight of any row is {peak weights@step=8}, and 1/11 is {1 / 11}."};

constexpr StepText kScalingSteps[] = {
    {.title = "Dot products of short vectors",
     .link = {{}, "view=dots&pairs_dim=5"},
     .text = "A thousand random queries and keys, each of 5 numbers with mean 0 and variance 1. Each dot "
             "product is a sum of 5 products, and the thousand spread with a variance of about 5.",
     .points_at = "view=dots"},
    {.title = "Dot products of long vectors",
     .link = {{}, "view=dots&pairs_dim=100"},
     .text = "With 100 numbers each, the variance is near 100, here 88.6: it grows as d does. Divided by √d "
             "it stays near 1 for every d; divided by d it shrinks to 1/d, and the scores would hardly "
             "differ. Change d and the seed: it is no accident.",
     .points_at = "view=dots pairs_dim"},
    {.title = "A softmax of small numbers",
     .link = {{}, "view=softmax&gain=1"},
     .text = "These are the five numbers of the lecture: 0.1, −0.2, 0.3, −0.2, 0.5. Their softmax gives each "
             "a fair share; the largest gets 0.2872. And when all five are multiplied by 8? Guess, then press "
             "Next.",
     .points_at = "view=softmax",
     .printed = kSoftmax},
    {.title = "The same numbers times 8",
     .link = {{}, "view=softmax&gain=8"},
     .answer_before = "the largest then takes 0.8000 of the whole.",
     .text = "The order is the same, but the largest gets 5, 25 and 270 times as much as the others. (The lecture "
             "estimates 10 to 15 times.) Little is left for the others.",
     .points_at = "view=softmax gain",
     .printed = kSoftmaxTimes8},
    {.title = "One number a little larger",
     .link = {{}, "view=softmax&gain=8&vector=.1,-.2,.3,-.2,.6"},
     .text = "The last number is now 0.6 instead of 0.5. At gain 8 its weight jumps from 0.8000 to 0.8990; at gain 1 "
             "it moves from 0.2872 to 0.3081 only. At gain 20 it is 0.9817 for 0.5 and 0.9975 for 0.6: there it hardly "
             "moves any more. First it moves too much, then too little, and both make training hard.",
     .points_at = "view=softmax gain"},
    {.title = "In a sentence: not divided",
     .link = {kWide, "&scale=none"},
     .text = "Here a query has 512 numbers and nothing is divided. Beside each row stands its largest weight: "
             "ten of eleven rows give one token more than 0.85, though random matrices have no reason to. Which "
             "row does not? Find it, then press Next.",
     .points_at = "scale=none stage=weights"},
    {.title = "In a sentence: divided by √512",
     .link = {kWide, "&scale=sqrt"},
     .answer_before = "that of “woman”, with 0.509.",
     .text = "Here are the same scores divided by √512, about 22.6: no row gives more than 0.25 to one token, and this "
             "division is what “scaled” means in scaled dot-product attention.",
     .points_at = "scale=sqrt stage=scaled_scores",
     .asks = kDividedBy512},
    {.title = "In a sentence: divided by 512",
     .link = {kWide, "&scale=dim"},
     .answer_before = "weights so small that no token stands out.",
     .text = "Divided by 512, the largest weight of every row lies between 0.092 and 0.096, near 1/11 = 0.0909, so the "
             "tokens can hardly be told apart. No division is too little and d is too much; √d is right, because it "
             "keeps the spread of the scores the same for every d.",
     .points_at = "scale=dim stage=weights"},
    {.title = "Scale one score by hand",
     .link = {{kWide, 2}, "&stage=scaled_scores&cell=1,10,1&check=scaled_scores"},
     .text = "Divide the score of “brush” for “artist” by √512 and type what comes out. The score stands "
             "below the table.",
     .points_at = "stage=scaled_scores stage=scores"},
    {.title = "One softmax by hand",
     .link = {{kWide, 2}, "&text=large+scores&scale=none&stage=weights&cell=1,0,0&check=weights&hide=weights[1,0,*]"},
     .answer_before = "0.0639.",
     .text = "Two words, nothing divided. Type both weights of “large”: e to the power of each score, divided by "
             "the sum of the two. Will they be nearly equal?",
     .points_at = "stage=weights stage=scores",
     .keep = "The longer the vectors, the further apart their dot products; dividing by √d takes that away.|"
             "A softmax of large scores gives nearly everything to one token."},
};

// As the notebook makes it: SelfAttention_v2 with seed 789.
constexpr std::string_view kOneHead[] = {kJourney, "&d_out=2&heads=1&out=0&init=torch.linear&seed=789"};

constexpr ChoiceText kDivideByWhatChoices[] = {
    {"by 2, as two are left", "weights 1,1,0 / 2 = weights 1,1,0@step=5",
     "Two weights are left, but they do not sum to 2."},
    {"by the sum of their row", "weights 1,1,0 / sum weights 1,1 = weights 1,1,0@step=5",
     "What is divided by its own sum sums to 1."},
    {"by √2, as scores are", "weights 1,1,0 / 1.4142 = weights 1,1,0@step=5",
     "√d keeps scores small; a row of weights has to sum to 1."},
    {"by nothing: they are right", "weights 1,1,0 = weights 1,1,0@step=5",
     "The row has lost what the later words had, so it sums to less than 1."},
};
constexpr PredictionText kDivideByWhat = {
    .question = "By what must 0.2041 and 0.1659 be divided to make it right?",
    .choices = kDivideByWhatChoices,
    .reason = "Divided by it they become {weights 1,1,0@step=5} and {weights 1,1,1@step=5}, and sum to 1."};

constexpr StepText kCausalSteps[] = {
    {.title = "Looking ahead",
     .link = {kOneHead, "&stage=weights&row_stat=sum&mask=none&cell=1,1,4"},
     .text = "A model learns to write by guessing the next word, so it must not see it: that would be "
             "cheating. Without a mask “journey” looks at all six words, also at the four that come later.",
     .points_at = "mask token=1",
     .printed = kWithoutMask},
    {.title = "Hide the scores first",
     .link = {kOneHead, "&mask=causal&scale=none&stage=masked_scores"},
     .text = "Every score of a later word is replaced by −∞ before the softmax, because e to the power of −∞ "
             "is 0. The notebook does this before it divides, so the scale is off in this step.",
     .points_at = "mask=causal stage=masked_scores",
     .printed = kHiddenScores},
    {.title = "Then the softmax",
     .link = {kOneHead, "&stage=weights&row_stat=sum&mask=causal&cell=1,1,0"},
     .text = "What is hidden gets weight 0, and what is left sums to 1 by itself. The first word can only "
             "look at itself, with weight 1.",
     .points_at = "stage=weights",
     .printed = kMasked},
    {.title = "Or the mask after the softmax",
     .link = {kOneHead, "&stage=weights&row_stat=sum&mask=causal&mask_at=raw&cell=1,1,0"},
     .text = "One lecture does it this way: softmax first, then everything after the diagonal is set to 0. The rows "
             "have lost what the later words had, so all sums but the last are less than 1.",
     .points_at = "mask_at=raw stage=weights stage=unmasked_weights",
     .printed = kMaskedAfter,
     .asks = kDivideByWhat},
    {.title = "Divided by what is left",
     .link = {kOneHead, "&stage=weights&row_stat=sum&mask=causal&mask_at=after&cell=1,1,0"},
     .answer_before = "by the sum of their row, 0.3700.",
     .text = "Divided by the sum of their row, 0.2041 and 0.1659 become 0.5517 and 0.4483. These are the weights of "
             "the first way again: the hidden words only added to the sum that the softmax divides by, and the second "
             "division undoes that.",
     .points_at = "mask_at=after stage=weights",
     .printed = kMasked},
    {.title = "The difference is 0",
     .link = {kOneHead, "&mask=causal&stage=weights", "&mask=causal&mask_at=after"},
     .text = "A hides before the softmax; B hides after it and divides. A minus B is drawn too: it is "
             "0, or as little as rounding leaves of it. The mask before the softmax is the one in use: one "
             "softmax, no second division.",
     .points_at = "view=compare"},
    {.title = "The difference without dividing",
     .link = {kOneHead, "&mask=causal&stage=weights", "&mask=causal&mask_at=raw"},
     .text = "Now B is the wrong way: hidden after the softmax and left like that. Every row but the last "
             "differs; the last one hides nothing, so there was nothing to lose.",
     .points_at = "view=compare"},
    {.title = "One row by hand",
     .link = {{kOneHead, 1}, "&d_out=2&heads=1&out=0&stage=weights&cell=1,1,0&check=weights&hide=weights[1,1,*]"},
     .text = "With other matrices “journey” may look at two words, and its scores are {scores 1,1,0} and {scores "
             "1,1,1}. Divide both by √2, take e to the power of each and divide by the sum. Type the two weights; the "
             "hints go step by step.",
     .points_at = "stage=weights stage=scores token=1"},
    {.title = "Another row, the other way",
     .link = {kOneHead, "&stage=weights&mask=causal&mask_at=after&cell=1,2,0&check=weights&hide=weights[1,2,*]"},
     .answer_before = "0.4833 and 0.5167.",
     .text = "Here the mask comes after the softmax. Below the table stand the three weights that are left to "
             "“starts”. Divide each by their sum and type the results.",
     .points_at = "stage=weights stage=unmasked_weights token=2",
     .keep = "A causal mask hides every later token: its score is −∞ before the softmax, so its weight is 0.|"
             "Whoever masks after the softmax must divide each row by its sum once more."},
};

constexpr ChoiceText kWhatIsKeptChoices[] = {
    {"they stay as they are", "peak dropped_weights@step=2 = peak weights",
     "Then a row would sum to 1 − p on average, half of what the next layer is used to."},
    {"they are multiplied by 1/(1 − p)", "peak dropped_weights@step=2 > peak weights * 1.5",
     "A row must keep its sum on average, and only a share of 1 − p is kept."},
    {"they are multiplied by 1 − p", "peak dropped_weights@step=2 < peak weights * 0.9",
     "That makes the row smaller a second time."},
    {"each row is divided by its sum again", kNever, "A row that lost all of its weights has no sum to divide by."},
};
constexpr PredictionText kWhatIsKept = {.question = "What must become of the weights that are kept?",
                                        .choices = kWhatIsKeptChoices,
                                        .reason = "With p = 0.5 that is times 2."};

constexpr StepText kDropoutSteps[] = {
    {.title = "Before",
     .link = {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=123&stage=weights"},
     .text = "The causal weights, every row with its sum beside it: 1. Dropout with p = 0.5 is on, but this stage lies "
             "before it. Half of the weights are set to 0 next, and a row is still to sum to 1 on average.",
     .points_at = "stage=weights dropout",
     .printed = kMasked,
     .asks = kWhatIsKept},
    {.title = "Half of them dropped",
     .link = {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=123&stage=dropped_weights&cell=1,2,0"},
     .answer_before = "they are multiplied by 1/(1 − p).",
     .text = "With p = 0.5 the weights that are kept are multiplied by 2: 0.3800 becomes 0.7599. A keep mask of zeros "
             "and ones is drawn, one for each weight, and drops half of them on average. “journey” lost both of its "
             "weights, so its context vector is (0, 0).",
     .points_at = "stage=dropped_weights dropout",
     .printed = kHalfDropped},
    {.title = "A gentler p",
     .link = {kOneHead, "&mask=causal&row_stat=sum&dropout=0.1&dropout_seed=123&stage=dropped_weights"},
     .text = "Dropout keeps a token from relying on one other token alone. With p = 0.1 the kept weights are "
             "multiplied by 1/0.9 only. One weight of 21 was dropped: five rows sum to 1.111, one to 0.891. "
             "Which cell is it?",
     .points_at = "stage=dropped_weights dropout"},
    {.title = "Another seed, other holes",
     .link = {kOneHead, "&mask=causal&row_stat=sum&dropout=0.5&dropout_seed=124&stage=dropped_weights"},
     .answer_before = "“one” → “starts”.",
     .text = "p = 0.5 with another seed drops other weights. Each pass of training draws again; here the seed is held "
             "so that the picture stays. PyTorch builds differ in this draw, so a notebook on another machine may show "
             "other holes.",
     .points_at = "stage=dropped_weights dropout_seed"},
    {.title = "Off when it counts",
     .link = {kOneHead, "&mask=causal&row_stat=sum&stage=weights"},
     .text = "When the trained model is used, p is 0: nothing is dropped, nothing is scaled, and the stage is "
             "gone from the strip. Thanks to the scaling, the rows summed to 1 on average in training too.",
     .points_at = "dropout stage=weights"},
    {.title = "One weight by hand",
     .link = {kOneHead,
              "&mask=causal&dropout=0.2&dropout_seed=123&stage=dropped_weights&cell=1,2,1&check=dropped_weights"},
     .text = "With p = {0.2} the marked weight is kept. What it was stands below the table: by what is it multiplied? "
             "Type what it becomes.",
     .points_at = "stage=dropped_weights stage=weights dropout"},
    {.title = "And with p = 0.75",
     .link = {kOneHead,
              "&mask=causal&dropout=0.75&dropout_seed=123&stage=dropped_weights&cell=1,2,1&check=dropped_weights"},
     .answer_before = "0.3871.",
     .text = "Now most weights are dropped, and the marked one is kept again. Type what it becomes.",
     .points_at = "stage=dropped_weights stage=weights dropout",
     .keep = "While training, each weight is dropped with probability p, and those that stay are divided by 1 − p.|"
             "So a weight keeps its average, but the row's sum changes from draw to draw.|"
             "Nothing is dropped when the model is used."},
};

}  // namespace

constexpr LessonParts scaling_links = pack_links<kScalingSteps>("scaling");

LessonText scaling_words() {
    return {.title = "Scaling: why divide by √d",
            .about = "Long vectors make large scores, and large scores make a softmax that sees one token only.",
            .steps = pack_words<kScalingSteps>()};
}

constexpr LessonParts causal_links = pack_links<kCausalSteps>("causal");

LessonText causal_words() {
    return {.title = "Causal attention",
            .about = "A word must not see the words after it: three ways to mask, two of them right.",
            .steps = pack_words<kCausalSteps>()};
}

constexpr LessonParts dropout_links = pack_links<kDropoutSteps>("dropout");

LessonText dropout_words() {
    return {.title = "Dropout",
            .about = "While training, some weights are dropped at random and the others grow to make up for it.",
            .steps = pack_words<kDropoutSteps>()};
}

}  // namespace attn
