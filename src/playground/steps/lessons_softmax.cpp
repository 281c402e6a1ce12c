// The lessons about what a softmax is for, on scores that are typed: why softmax, and attention as a dictionary that
// blends what it finds.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

// The keys have a 1 in a column of their own, so what is typed as a query comes out as its row of scores. All other
// numbers are 0.
#define ATTN_TYPED_SCORES "edit=keys[0,0]=1,0,0,0,0;0,1,0,0,0;0,0,1,0,0;0,0,0,1,0;0,0,0,0,1&edit=queries[4,0]="
constexpr std::string_view kTypedScores[] = {
    "text=The+artist+painted+a+portrait&embed=typed&pos=none&x=0,0,0,0,0;0,0,0,0,0;0,0,0,0,0;0,0,0,0,0;0,0,0,0,0"
    "&d_out=5&heads=1&mask=none&scale=none&init=none&out=0&" ATTN_TYPED_SCORES};

constexpr ChoiceText kDividedBySumChoices[] = {
    {"the shares that we want", "scores 1,4,4 / sum scores 1,4 > 0", "Two of them are below 0, and no share can be."},
    {"shares, some of them below 0", "sum scores 1,4 != 0", "Add the five up before you divide."},
    {"nothing: they cannot be divided", "sum scores 1,4 = 0", "Add the five up: can you divide by that?"},
};
constexpr PredictionText kDividedBySum = {
    .question = "Divide each score by the sum of all five. What comes out?",
    .choices = kDividedBySumChoices,
    .reason =
        "They add up to {sum scores 1,4}, and nothing can be divided by that. Where a sum is not 0, scores of the "
        "other sign become shares below 0."};

constexpr ChoiceText kPastTheLargestChoices[] = {
    {"they change a little",
     "weights 1,4,1@" ATTN_TYPED_SCORES "2,2.01,0,-1,-2 > 0.1 & weights 1,4,1@" ATTN_TYPED_SCORES
     "2,2.01,0,-1,-2 < 0.9",
     "Here the largest takes all, however little it is ahead."},
    {"all of it goes from “The” to “artist”", "weights 1,4,1@" ATTN_TYPED_SCORES "2,2.01,0,-1,-2 > 0.9",
     "“artist” is the largest now."},
    {"they stay as they are",
     "weights 1,4,1@" ATTN_TYPED_SCORES "2,2.01,0,-1,-2 = weights 1,4,1@" ATTN_TYPED_SCORES "2,1.99,0,-1,-2",
     "The largest score is another word's now."},
};
#undef ATTN_TYPED_SCORES
constexpr PredictionText kPastTheLargest = {
    .question = "The score of “artist” grows from 1.99 to 2.01. What do the weights do?",
    .choices = kPastTheLargestChoices,
    .reason =
        "Before, “artist” has nothing; after it, all. Everywhere else a change of a score moves no weight, so "
        "training has nothing to follow."};

constexpr ChoiceText kHundredMoreChoices[] = {
    {"“The” takes nearly all", "weights 1,4,0@step=5 > 0.9",
     "Multiplying would do that: it makes the differences larger. Adding does not."},
    {"they come closer together", "weights 1,4,0@step=5 < 0.5",
     "Dividing would do that: it makes the differences smaller. Adding does not."},
    {"they stay as they are", "weights 1,4,0@step=5 = weights 1,4,0", "All differences are what they were."},
    {"their sum is no longer 1", "sum weights 1,4@step=5 > 1",
     "Each power is divided by the sum of the powers, whatever that is."},
};
constexpr PredictionText kHundredMore = {
    .question = "All five scores grow by 100. What becomes of the weights?",
    .choices = kHundredMoreChoices,
    .reason = "Each power grows by the same factor, e to the power of 100, and so does the sum that it is divided by."};

constexpr ChoiceText kTemperaturesChoices[] = {
    {"T = 2", "weights 1,4,0@temperature=2", "That halves the differences, and the shares come closer together."},
    {"T = 0.5", "weights 1,4,0@temperature=0.5", "That doubles the differences."},
    {"T = 1", "weights 1,4,0@temperature=1", "That changes nothing, and 0.5 makes the differences larger."},
};
constexpr PredictionText kTemperatures = {
    .kind = PredictionKind::order,
    .question = "At which temperature does “The” get most? Put the largest share first.",
    .choices = kTemperaturesChoices,
    .reason =
        "“The” gets {weights 1,4,0@temperature=0.5}, {weights 1,4,0@temperature=1} and "
        "{weights 1,4,0@temperature=2}."};

constexpr StepText kWhySoftmaxSteps[] = {
    {.title = "Scores are no shares",
     .link = {kTypedScores, "2,1,0,-1,-2&stage=scores&cell=1,4,0"},
     .text = "The five scores of “portrait” are typed in here: 2, 1, 0, −1 and −2. They are to become weights, the "
             "shares in which the five value vectors are added up. No share may be below 0, and together they are 1.",
     .points_at = "stage=scores token=4",
     .asks = kDividedBySum},
    {.title = "All for the largest",
     .link = {kTypedScores, "2,1,0,-1,-2&temperature=0.001&stage=weights&cell=1,4,0"},
     .answer_before = "nothing: they cannot be divided, as their sum is 0.",
     .text = "Another way: the largest score takes all, as that of “The” does here, and the other four words have no "
             "say. (A temperature of 0.001 makes it so; step 7 tells how.)",
     .points_at = "stage=weights token=4",
     .asks = kPastTheLargest},
    {.title = "Softmax: powers of e",
     .link = {kTypedScores, "2,1,0,-1,-2&stage=weights&cell=1,4,1&check=weights"},
     .answer_before = "all of it goes from “The” to “artist”.",
     .text = "A softmax raises e = {2.7183} to the power of each score and divides by the sum of these powers: all "
             "shares are above 0, and together they are 1. One more in the score makes a power e times as large. "
             "“painted”, with the score 0, gets {0.0861}. Type the weight of “artist”, with the score 1.",
     .points_at = "stage=weights stage=scores"},
    {.title = "Only differences count",
     .link = {kTypedScores, "2,1,0,-1,-2&stage=weights&cell=1,4,0"},
     .answer_before = "{weights 1,4,1}.",
     .text = "“artist” gets e times as much as “painted”, and “The” e times as much as “artist”. How far apart two "
             "scores are says how many times more one gets: from “The” to “portrait” it is 4, so “The” gets e to the "
             "power of 4, or {54.6} times as much.",
     .points_at = "stage=weights token=4",
     .asks = kHundredMore},
    {.title = "The largest score comes off",
     .link = {kTypedScores, "102,101,100,99,98&stage=weights&cell=1,4,0"},
     .answer_before = "they stay as they are.",
     .text = "What may be added to a whole row may also be taken off. The formula below the table takes off the row's "
             "largest score, 102, so its largest power is 1. Otherwise it would have to compute e to the power of 102, "
             "a number of 45 digits, and the largest 32-bit float has 39.",
     .points_at = "stage=weights token=4"},
    {.title = "Scores of a thousand",
     .link = {kTypedScores, "1000,999,0,0,0&stage=weights&cell=1,4,0&check=weights"},
     .text = "The scores are now 1000, 999 and three times 0. No float holds e to the power of 1000, and yet the "
             "weights are easy: take the largest score off all five, then raise e to what is left. Type the weight of "
             "“The”.",
     .points_at = "stage=weights stage=scores"},
    {.title = "Divided by a temperature",
     .link = {kTypedScores, "2,1,0,-1,-2&stage=scores&cell=1,4,0"},
     .answer_before = "{0.7311}.",
     .text = "If differences decide, one number can make them larger or smaller: the temperature T, by which all "
             "scores are divided before the softmax. Chat programs let you set it for the choice of the next word.",
     .points_at = "stage=scores temperature",
     .asks = kTemperatures},
    {.title = "From equal shares to the largest",
     .link = {kTypedScores, "2,1,0,-1,-2&view=softmax&vector=2,1,0,-1,-2&gain=2"},
     .answer_before = "T = 0.5, then 1, then 2.",
     .text = "Each second bar is a weight at the gain 2. Gain is 1/T, so that is T = 0.5. Move the "
             "gain: at 0.1, or T = 10, all five come near 1/5, the plain mean; at 20, or T = 0.05, the largest takes "
             "all, as in step 2.",
     .points_at = "view=softmax gain",
     .keep = "A softmax makes shares of any scores: all above 0, together 1.|"
             "Only the differences of a row's scores count, so its largest score may come off first.|"
             "A low temperature sharpens the shares, a high one makes them alike."},
};

// A dictionary of animals: keys with a 1 in a column of their own; values are legs, wings, eyes and tails. The animals'
// own queries are 0. “?” alone asks, and has no key: its column is hidden. Its query follows.
constexpr std::string_view kAnimals[] = {
    "text=ant+cat+bird+snake+%3F&embed=typed&pos=none&x=0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0;0,0,0,0"
    "&heads=1&mask=none&scale=none&init=none&out=0&edit=values[0,0]=6,0,2,0;4,0,2,1;2,2,2,1;0,0,2,1"
    "&edit=mask[0,4]=1;1;1;1;1&edit=keys[0,0]=1,0,0,0;0,1,0,0;",
    "0,0,1,0;0,0,0,1&edit=queries[4,0]="};

constexpr ChoiceText kLookedUpChoices[] = {
    {"the mean of all four values", "context 1,4,0 = 3", "A query of zeros would get that; this one asks for a key."},
    {"the value of “cat”", "context 1,4,0 = 4 & context 1,4,1 = 0", "The query has its 20 where “cat” has its 1."},
    {"20 times the value of “cat”", "context 1,4,0 = 80", "The 20 goes into the score, and a weight is never above 1."},
};
constexpr PredictionText kLookedUp = {.question = "What will the context of “?” be?",
                                      .choices = kLookedUpChoices,
                                      .reason =
                                          "“cat” scores {scores 1,4,1} and the others {scores 1,4,0}, so “cat” "
                                          "gets nearly all of the weight."};

constexpr ChoiceText kEyesChoices[] = {
    {"two", "context 1,4,2 = 2", "Each share brings two eyes times itself."},
    {"fewer than two: no weight is 1", "context 1,4,2 < 1.9", "What one animal loses another one gains."},
    {"more than two: all four are added", "context 1,4,2 > 2.1", "They are added as shares, which sum to 1."},
};
constexpr PredictionText kEyes = {
    .question = "Every animal has two eyes. How many does “?” get?",
    .choices = kEyesChoices,
    .reason = "The weights sum to 1, so what all values have in common comes out as it is."};

constexpr ChoiceText kBothFitChoices[] = {
    {"the first one: 4 legs, no wings", "context 1,4,0 = 4", "Equal scores get equal weights, first or not."},
    {"both added: 6 legs, 2 wings", "context 1,4,0 = 6", "The weights sum to 1, so two of them cannot both be 1."},
    {"half of each: 3 legs, 1 wing", "context 1,4,0 = 3 & context 1,4,1 = 1", "Two equal weights that sum to 1."},
};
constexpr PredictionText kBothFit = {.question = "What does attention give back?",
                                     .choices = kBothFitChoices,
                                     .reason = "Each of the two gets the weight {weights 1,4,1}."};

constexpr StepText kDictionarySteps[] = {
    {.title = "Entries with a key and a value",
     .link = {kAnimals, "0,20,0,0&stage=values"},
     .text = "A dictionary has entries, each with a key to find it by and a value to give back. The rows of V here are "
             "the values: columns 0 to 3 count legs, wings, eyes and tails. Each key has a 1 in a column of its own; "
             "that of “cat” is 0, 1, 0, 0. “?” has no entry: it asks, with the query 0, 20, 0, 0.",
     .points_at = "stage=values stage=keys stage=queries",
     .asks = kLookedUp},
    {.title = "One entry found",
     .link = {kAnimals, "0,20,0,0&stage=weights&cell=1,4,1"},
     .answer_before = "the value of “cat”.",
     .text = "A query is compared with every key, by a dot product: 20 for “cat”, 0 for the others. After the softmax "
             "“cat” has all of the weight, to four decimals, so its value comes back: 4, 0, 2, 1. The column of “?” is "
             "hidden, and the animals ask for nothing: their queries are 0.",
     .points_at = "stage=weights token=4"},
    {.title = "A weaker question",
     .link = {kAnimals, "0,1,0,0&stage=weights&cell=1,4,1&check=weights"},
     .text = "The query of “?” is only 0, 1, 0, 0 now. So “cat” scores 1 and the other three score 0. Type the weight "
             "of “cat”.",
     .points_at = "stage=weights stage=queries"},
    {.title = "A blend of values",
     .link = {kAnimals, "0,1,0,0&stage=context&cell=1,4,0&check=context"},
     .answer_before = "{weights 1,4,1}.",
     .text = "“cat” gets {weights 1,4,1}, each of the others {weights 1,4,0}, and the value that comes back is a "
             "blend. The animals have 6, 4, 2 and 0 legs: type how many “?” gets.",
     .points_at = "stage=context stage=values"},
    {.title = "Hardly a question",
     .link = {kAnimals, "0,.1,0,0&stage=weights&cell=1,4,1"},
     .answer_before = "{3.3005}.",
     .text = "With the query 0, 0.1, 0, 0 “cat” gets {weights 1,4,1} and each of the others {weights 1,4,0}: nearly "
             "the mean of all. The length of the query acts as a gain, as 1 over the temperature does.",
     .points_at = "stage=weights token=4",
     .asks = kEyes},
    {.title = "Two keys fit",
     .link = {kAnimals, "0,20,20,0&stage=scores&cell=1,4,2"},
     .answer_before = "two.",
     .text = "The query 0, 20, 20, 0 fits two keys: “cat” and “bird” both score 20. The dictionary of a programming "
             "language finds one entry or none.",
     .points_at = "stage=scores token=4",
     .asks = kBothFit},
    {.title = "One fits a little better",
     .link = {kAnimals, "0,20,18,0&stage=context&cell=1,4,1&check=context"},
     .answer_before = "half of each: 3 legs, 1 wing.",
     .text = "Now “cat” scores 20 and “bird” 18, so “ant” and “snake”, with 0, get next to nothing. Only the "
             "difference of 2 counts. Type how many wings “?” gets: a bird has two, the others have none.",
     .points_at = "stage=context stage=scores"},
    {.title = "Keys that are alike",
     .link = {{kAnimals, 1}, "0,.6,.8,0;0,0,0,1&edit=queries[4,0]=0,5,0,0&stage=weights&cell=1,4,2"},
     .answer_before = "{0.2384}.",
     .text = "Trained keys have no columns of their own: what is alike gets keys that are alike. Here the key of "
             "“bird” is 0, 0.6, 0.8, 0. So the query 0, 5, 0, 0 finds “cat” with {weights 1,4,1} and “bird”, too, with "
             "{weights 1,4,2}. In the next lesson W_q, W_k and W_v make queries, keys and values from X.",
     .points_at = "stage=weights stage=keys",
     .keep = "A query is compared with every key; the scores say how well each one fits.|"
             "What comes back is a mean of all values, each times its weight.|"
             "A long query picks one entry, a short one blends them."},
};

}  // namespace

constexpr LessonParts why_softmax_links = pack_links<kWhySoftmaxSteps>("why-softmax");

LessonText why_softmax_words() {
    return {.title = "Softmax: why not simply divide",
            .about =
                "Why scores are not divided by their sum, why the largest does not take all, and what a "
                "temperature does.",
            .steps = pack_words<kWhySoftmaxSteps>()};
}

constexpr LessonParts dictionary_links = pack_links<kDictionarySteps>("dictionary");

LessonText dictionary_words() {
    return {.title = "Query, key, value: a soft dictionary",
            .about = "What queries, keys and values are for: attention looks something up, and blends what it finds.",
            .steps = pack_words<kDictionarySteps>()};
}

}  // namespace attn
