// The lessons about what one head can be taught: two readings, and a whole table of weights.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kAdam = "&goal=pattern&optimizer=adam&rate=0.05";
constexpr std::string_view kBothInOne[] = {"heads=1&target=1:10>1,10>7", kAdam};
constexpr std::string_view kOneInEach[] = {"heads=2&target=1:10>1&target=2:10>7&steps=40", kAdam};

constexpr ChoiceText kHowDividedChoices[] = {
    {"half to each", "weights 1,10,1@step=2 > 0.4 & weights 1,10,7@step=2 > 0.4",
     "That is the target itself, and a softmax can give it."},
    {"all to “artist”", "weights 1,10,1@step=2 > 0.9",
     "Then −ln of the other weight would be huge: the loss counts both."},
    {"all to “woman”", "weights 1,10,7@step=2 > 0.9",
     "Then −ln of the other weight would be huge: the loss counts both."},
    {"the same to all eleven words", "weights 1,10,1@step=2 < 0.15 & weights 1,10,7@step=2 < 0.15",
     "Nine words are no target: what they get only makes the loss larger."},
};
constexpr PredictionText kHowDivided = {.question = "How will the head divide its 1 once it is trained?",
                                        .choices = kHowDividedChoices,
                                        .reason =
                                            "The target is two halves, and a row has a single 1 to give: “artist” "
                                            "comes to {weights 1,10,1@step=2}, “woman” to {weights 1,10,7@step=2}."};

constexpr ChoiceText kTwoWithHalvesChoices[] = {
    {"yes, to 0", "loss@heads=2&target=10>1,10>7 < 0.1", "That takes another target, not another head."},
    {"yes, to half of it", "loss@heads=2&target=10>1,10>7 > 0.1 & loss@heads=2&target=10>1,10>7 < 0.6",
     "The loss is the mean of the heads' losses, and each has the same target."},
    {"no", "loss@heads=2&target=10>1,10>7 > 0.69",
     "As low as any weights can come is due to the target, which is the same."},
};
constexpr PredictionText kTwoWithHalves = {
    .question = "Would two heads with these two halves, each of them, come below ln 2?",
    .choices = kTwoWithHalvesChoices,
    .reason =
        "Each head still has to give two words a half: they stop at {loss@heads=2&target=10>1,10>7}, and ln 2 is "
        "0.6931."};

// Two sentences, in which “artist” and “woman” change places: “brush” wants word 1 and word 7 of both.
constexpr std::string_view kTwoSentences =
    "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush&text=The+woman+painted+the+portrait+of+an+artist+"
    "with+a+brush";
// With momentum: Adam swings about the bound, and a rounding decides how.
constexpr std::string_view kSumOfBoth[] = {
    kTwoSentences,
    "&heads=1&target=1:10>1,10>7&target=2/1:10>1,10>7&goal=pattern&optimizer=momentum&rate=0.02&steps=600"};
constexpr std::string_view kEachOfBoth[] = {
    kTwoSentences, "&heads=2&target=1:10>1&target=2:10>7&target=2/1:10>1&target=2/2:10>7&steps=150", kAdam};

constexpr ChoiceText kWomanPaintsChoices[] = {
    {"the same number",
     "context 1,10,0 - context 1,10,0@sentence=2 < 0.01 & context 1,10,0 - context 1,10,0@sentence=2 > -0.01",
     "The two values are added, and a sum is the same in either order."},
    {"another number, as another word paints", "context 1,10,0 - context 1,10,0@sentence=2 > 0.01",
     "Both words get about a half, wherever they stand, and a sum is the same in either order."},
    {"the same number with the other sign", kNever, "Nothing turns the sign of a value: weights are never below 0."},
};
constexpr PredictionText kWomanPaints = {
    .question = "What does “brush” get in the other sentence, where the woman paints?",
    .choices = kWomanPaintsChoices,
    .reason = "{context 1,10,0@sentence=2}: the same two values are added, and the same two positions."};

constexpr StepText kReadingsSteps[] = {
    {.title = "Both readings, one head",
     .link = {kBothInOne, "&stage=weights&cell=1,10,1"},
     .text = "“The artist painted the portrait of a woman with a brush.” Who has the brush? Ask one head for both "
             "readings: “brush” should look at “artist” and “woman”, half each. Untrained, it gives them 0.0984 "
             "and 0.0565.",
     .points_at = "token=10 stage=weights",
     .asks = kHowDivided},
    {.title = "As low as it can come",
     .link = {kBothInOne, "&steps=150&view=learn"},
     .answer_before = "half and half.",
     .text = "After 150 steps the loss is 0.6933, and there it stays. The dashed line at ln 2 = 0.6931 is as low as "
             "any weights can come.",
     .points_at = "view=learn heads"},
    {.title = "Half and half",
     .link = {kBothInOne, "&steps=150&stage=weights&cell=1,10,7&check=weights"},
     .text = "The head does what it was asked for. “artist” gets 0.5002 and the nine other words next to nothing. Type "
             "the weight of “woman”.",
     .points_at = "token=10 stage=weights"},
    {.title = "What it hands on",
     .link = {kBothInOne, "&steps=150&stage=context&cell=1,10,0&check=context"},
     .answer_before = "0.4997.",
     .text = "The head hands on the values in these shares. The first number of the value of “artist” is 0.9727, that "
             "of “woman” 0.7357. Type the first number that “brush” gets: half of both together.",
     .points_at = "stage=context stage=values"},
    {.title = "One sum",
     .link = {kBothInOne, "&steps=150&stage=output&cell=1,10,0"},
     .answer_before = "0.8543.",
     .text = "The two values were added, so the output projection gets one sum. In another sentence other values can "
             "have the same sum, and W_out must then give the same output.",
     .points_at = "stage=output stage=context",
     .asks = kTwoWithHalves},
    {.title = "Four trainings",
     .link = {kOneInEach, "&view=learn"},
     .answer_before = "no, they stop at 0.6934.",
     .text = "Now head 1 has “artist” as its target and head 2 “woman”, and nothing is left of the loss. That is due "
             "to the targets, not to the second head. After 150 steps one head with one target has 0.0000, with both "
             "halves 0.6933; two heads with one target each have 0.0000, with both halves each 0.6934.",
     .points_at = "view=learn heads"},
    {.title = "Kept apart",
     .link = {kOneInEach, "&stage=merged&cell=1,10,2"},
     .text = "Side by side: the first two numbers of “brush” are head 1's value of “artist”, the other two head 2's "
             "value of “woman”. Nothing is added up, so W_out can take either value, or both. That is what the second "
             "head is for.",
     .points_at = "stage=merged stage=values"},
    {.title = "Who paints whom?",
     .link = {kSumOfBoth, "&stage=context&cell=1,10,0"},
     .text = "Here is a task for which one head is too few: two sentences in which “artist” and “woman” change places, "
             "and “brush” wants to know who paints and who is painted. After 600 steps one head gives half to each of "
             "words 1 and 7. In this sentence the first number that “brush” gets is 0.8542.",
     .points_at = "stage=context token=10",
     .asks = kWomanPaints},
    {.title = "Each in its columns",
     .link = {kEachOfBoth, "&stage=merged&cell=1,10,0"},
     .answer_before = "the same, 0.8542.",
     .text = "From that sum no matrix can give back who paints, for all pairs of words. Two heads can: head 1 learned "
             "to look at word 1, head 2 at word 7. The first number of “brush” is now 0.9727 where the artist paints "
             "and 0.7619 where the woman does, whoever is painted: set sentence to 2 and see.",
     .points_at = "stage=merged sentence",
     .keep = "How low the loss can come is due to the targets, not to the number of heads.|"
             "One head adds up what it finds; two heads keep it apart, in columns of their own."},
};

// Shares in twentieths for each of the six rows.
constexpr std::string_view kTable[] = {
    "text=Your+journey+starts+with+one+step&heads=1&mask=none&out=0&steps=150&target=1:0>0=2,0>1=10,0>2,0>3,0>4=4,0>5="
    "2,"
    "1>0,1>1,1>2,1>3,1>4=9,1>5=7,2>0=4,2>1=4,2>2=2,2>3=4,2>4=2,2>5=4,3>0=5,3>1,3>2=4,3>3=5,3>4,3>5=4,"
    "4>0=6,4>1=5,4>2=2,4>3=2,4>4=2,4>5=3,5>0=9,5>1,5>2,5>3,5>4=5,5>5=3",
    kAdam};
constexpr std::string_view kWordBefore[] = {
    "text=Your+journey+starts+with+one+step&heads=1&out=0&steps=300&target=1:1>0,2>1,3>2,4>3,5>4", kAdam};

constexpr ChoiceText kSmallestDimChoices[] = {
    {"3", "left@d_out=3 < 0.0005", "Three patterns can be mixed, and {left@d_out=3} is still left."},
    {"4", "left@d_out=4 < 0.0005", "It is close: {left@d_out=4} is left."},
    {"5", "left@d_out=5 < 0.0005 & left@d_out=4 > 0.0005", "One less than the words is enough."},
    {"6", "left@d_out=5 > 0.0005", "Six words need no sixth number: a softmax ignores what a whole row has in common."},
};
constexpr PredictionText kSmallestDim = {
    .question = "Which is the smallest head_dim that leaves nothing of these six rows?",
    .choices = kSmallestDimChoices,
    .reason = "With 4 numbers {left@d_out=4} is left, with 5 less than 0.0005."};

constexpr StepText kHeadDimSteps[] = {
    {.title = "A table to hold",
     .link = {kTable, "&d_out=5&stage=weights"},
     .text = "This head has a target in every cell and learned them all: “Your” gives “journey” 0.4998. Can it hold "
             "them with a smaller head_dim?",
     .points_at = "stage=weights d_out"},
    {.title = "head_dim 1",
     .link = {kTable, "&d_out=1&view=learn"},
     .text = "One number for each query and key. After 150 steps the loss stands still, 0.1504 above the dashed line "
             "that no weights can go below.",
     .points_at = "view=learn d_out"},
    {.title = "Each row a multiple",
     .link = {kTable, "&d_out=1&stage=scores&cell=1,1,1&check=scores"},
     .text = "A score is now one product, so each row of scores is a multiple of the others. “Your” scores −0.7091 "
             "for itself and −0.4996 for “journey”; “journey” scores −1.3204 for “Your”. Type what it scores for "
             "itself.",
     .points_at = "stage=scores token=1"},
    {.title = "head_dim 2",
     .link = {kTable, "&d_out=2&view=learn"},
     .answer_before = "−0.9303.",
     .text = "With two numbers each, rows may mix two patterns: 0.0533 is left above the line.",
     .points_at = "view=learn d_out",
     .asks = kSmallestDim},
    {.title = "One less than the words",
     .link = {kTable, "&d_out=5&view=learn"},
     .answer_before = "five.",
     .text = "head_dim 5 leaves less than 0.0001, and 1 to 4 leave 0.1504, 0.0533, 0.0111 and 0.0010. A softmax "
             "ignores what a whole row has in common, so six words need no sixth number.",
     .points_at = "view=learn d_out"},
    {.title = "A share by hand",
     .link = {kTable, "&d_out=5&stage=weights&cell=1,3,0&check=weights"},
     .text = "“with” should give “Your” 5 of 20, and head_dim 5 has room for that. Type the weight.",
     .points_at = "stage=weights token=3"},
    {.title = "One word is easier",
     .link = {kWordBefore, "&d_out=2&view=learn"},
     .answer_before = "0.2499.",
     .text = "Now each word has a single target, the word before it. That is easier: head_dim 2 brings the loss below "
             "0.0001. With head_dim 1 this training gets stuck at 0.3363: set d_out to 1 and see.",
     .points_at = "view=learn d_out",
     .keep = "head_dim says how many patterns the rows of scores can mix.|"
             "A softmax ignores what a whole row has in common: six words need no more than five numbers.|"
             "One target in each row asks for less than a whole table."},
};

}  // namespace

constexpr LessonParts readings_links = pack_links<kReadingsSteps>("readings");

LessonText readings_words() {
    return {
        .title = "Training heads: two readings",
        .about = "One head hands on a mixture of two words, two heads hand on one each; and what a loss of ln 2 means.",
        .steps = pack_words<kReadingsSteps>()};
}

constexpr LessonParts head_dim_links = pack_links<kHeadDimSteps>("head-dim");

LessonText head_dim_words() {
    return {.title = "head_dim: what it can hold",
            .about = "A table of 6 × 6 weights, and what is left of the loss with head_dim 1 to 5.",
            .steps = pack_words<kHeadDimSteps>()};
}

}  // namespace attn
