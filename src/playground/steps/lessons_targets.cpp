// The lessons about what one head can be taught: two readings, and a whole table of weights.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kAdam = "&goal=pattern&optimizer=adam&rate=0.05";
constexpr std::string_view kBothInOne[] = {"heads=1&target=1:10>1,10>7", kAdam};
constexpr std::string_view kOneInEach[] = {"heads=2&target=1:10>1&target=2:10>7&steps=40", kAdam};

constexpr StepText kReadingsSteps[] = {
    {.title = "Both readings, one head",
     .link = {kBothInOne, "&stage=weights&cell=1,10,1"},
     .text = "“The artist painted the portrait of a woman with a brush.” Who has the brush? Ask one head for both "
             "readings: “brush” should look at “artist” and “woman”, half each. Untrained, it gives them 0.0984 "
             "and 0.0565.",
     .points_at = "token=10 stage=weights"},
    {.title = "As low as it can come",
     .link = {kBothInOne, "&steps=150&view=learn"},
     .text = "After 150 steps the loss is 0.6933, and there it stays. The dashed line at ln 2 = 0.6931 is as low as "
             "any weights can come, since the target is two halves and a row has a single 1 to give. How does the head "
             "divide it? Decide, then press Next.",
     .points_at = "view=learn heads"},
    {.title = "Half and half",
     .link = {kBothInOne, "&steps=150&stage=weights&cell=1,10,7&check=weights"},
     .answer_before = "half and half.",
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
             "have the same sum, and W_out must then give the same output. Would two heads with these two halves, each "
             "of them, come below ln 2? Decide, then press Next.",
     .points_at = "stage=output stage=context"},
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
     .text = "With two numbers each, rows may mix two patterns: 0.0533 is left above the line. Which head_dim leaves "
             "nothing of these six rows? Decide, set d_out, then press Next.",
     .points_at = "view=learn d_out"},
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
     .points_at = "view=learn d_out"},
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
