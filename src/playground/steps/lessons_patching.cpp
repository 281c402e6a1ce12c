// The lesson about activation patching: which numbers of a run carry what tells two texts apart. Its verb agrees with a
// noun that is not its neighbour, so what is carried has a way to go.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

constexpr std::string_view kDogs[] = {"text=the+dogs+near+the+cat&model=first-words&word=see&against=sees",
                                      "&compare=text%3Dthe%2Bdog%2Bnear%2Bthe%2Bcat%26model%3Dfirst-words"};
constexpr std::string_view kDogsAgain[] = {kDogs[0]};
constexpr std::string_view kNames[] = {"text=mira+and+tom+met+.+tom+gave+the+key+to&model=first-words"};

constexpr ChoiceText kTurningRowChoices[] = {
    {"that of “dogs”",
     "logit see@patch=stream.2@3 < logit sees@patch=stream.2@3 & logit see@patch=stream.2@6 > logit "
     "sees@patch=stream.2@6",
     "With the row of “cat” taken over, “see” is still far ahead of “sees”."},
    {"that of “cat”, before the verb",
     "logit see@patch=stream.2@6 < logit sees@patch=stream.2@6 & logit see@patch=stream.2@3 > logit "
     "sees@patch=stream.2@3",
     "The verb is read there, but only after layer 2: before it the row of “cat” hardly knows who acts."},
    {"either of them",
     "logit see@patch=stream.2@3 < logit sees@patch=stream.2@3 & logit see@patch=stream.2@6 < logit "
     "sees@patch=stream.2@6",
     "With the row of “cat” taken over, “see” is still far ahead of “sees”."},
    {"neither: it takes both",
     "logit see@patch=stream.2@3 > logit sees@patch=stream.2@3 & logit see@patch=stream.2@6 > logit "
     "sees@patch=stream.2@6",
     "One row is enough: only one of the two carries what “dogs” says."},
};
constexpr PredictionText kTurningRow = {
    .question = "Layer 1 is done. Which row of the stream, taken over from B, makes “sees” the better verb?",
    .choices = kTurningRowChoices,
    .reason =
        "With the row of “dogs” from B the choice is {logit see@patch=stream.2@3 - logit sees@patch=stream.2@3}, "
        "with that of “cat” {logit see@patch=stream.2@6 - logit sees@patch=stream.2@6}."};

constexpr PredictionText kCarryingHead = {
    .kind = PredictionKind::head,
    .question = "Which head of layer 2 is it? Press its card, or its number.",
    .of = "logit sees@patch=2:#@* - logit see@patch=2:#@*",
    .why = "With head # from B the choice is still {logit see@patch=2:#@* - logit sees@patch=2:#@*}.",
    .reason =
        "With head 4 from B the choice is {logit see@patch=2:4@* - logit sees@patch=2:4@*}: “cat” looks at “dogs” "
        "there."};

constexpr ChoiceText kWeightsAloneChoices[] = {
    {"it turns, as with all of the head", "logit see@patch=weights.2:4@6 < logit sees@patch=weights.2:4@6",
     "That would be so if the head looked elsewhere in B. It looks at the same place there."},
    {"about half of it is left",
     "logit see@patch=weights.2:4@6 - logit sees@patch=weights.2:4@6 > 0 & logit see@patch=weights.2:4@6 - logit "
     "sees@patch=weights.2:4@6 < 5",
     "Weights and values do not share the work: B's weights are nearly this text's."},
    {"hardly anything changes", "logit see@patch=weights.2:4@6 - logit sees@patch=weights.2:4@6 > 7",
     "B's “dog” stands where “dogs” stands, and the head looks there in both."},
};
constexpr PredictionText kWeightsAlone = {
    .question = "Only B's weights of “cat” are taken over in head 4. What becomes of the choice?",
    .choices = kWeightsAloneChoices,
    .reason =
        "It is {logit see@patch=weights.2:4@6 - logit sees@patch=weights.2:4@6}. The head looks at the noun in "
        "both texts; what tells them apart is what it finds there."};

constexpr StepText kPatchingSteps[] = {
    {.title = "One letter apart",
     .link = {kDogs, "&view=model"},
     .text = "After “the dogs near the cat” comes a verb like “see”; after “the dog near the cat”, the text B, one "
             "like “sees”. The choice, the logit of “see” minus that of “sees”, is 7.357 here and −7.022 in B. "
             "Patching takes some numbers over from B's run, and computes all that comes after them again.",
     .points_at = "word=see",
     .asks = kTurningRow},
    {.title = "One head of eight",
     .link = {kDogs, "&view=model&layer=2&head=1&hide=effects"},
     .answer_before = "that of “dogs”.",
     .text = "The verb is read in the row of “cat”, which before layer 2 does not know yet who acts. One head of layer "
             "2 brings it there. If what this head hands on is taken over from B at every token, the choice turns; "
             "with any other head it stays as it is. The cards show where each looks.",
     .points_at = "layer=2&head=1",
     .asks = kCarryingHead},
    {.title = "Where it looks, or what it finds",
     .link = {kDogs, "&view=patch"},
     .answer_before = "head 4.",
     .text = "The upper map patches one row of the stream: before layer 2 “dogs” moves the choice by −14.794, “cat” by "
             "−0.354, and what stands left of “dogs” by nothing, as it is the same in both texts. The lower map "
             "patches heads: head 4 of layer 2 moves it by −14.731. A head hands on values, mixed by its weights, and "
             "both may differ in B.",
     .points_at = "stream=2.3 stream=2.6 head=2.4",
     .asks = kWeightsAlone},
    {.title = "Taken over, then computed again",
     .link = {kDogs, "&layer=2&patch=stream.2@3&stage=middle&cell=1,2,42&check=middle&hide=middle[2,42],before[2,42]"},
     .answer_before = "hardly anything changes.",
     .text = "Here the row of “dogs” before layer 2 is B's: in channel 42, where it had 1.5087, B has −1.5156. All "
             "after it is computed again, and the attention, which added −0.5513, now adds 0.7610. What goes on to the "
             "MLP? Type it.",
     .points_at = "stage=middle"},
    {.title = "Who wrote it there",
     .link =
         {kDogs,
          "&layer=1&patch=mlp.1@3&stage=after&cell=1,2,42&check=after&hide=after[2,42],middle[2,42],mlp_added[2,42]"},
     .answer_before = "−0.7546.",
     .text = "Now only what layer 1's MLP adds at “dogs” is B's, and that alone moves the choice by −14.735. In "
             "channel 42 the MLP adds 1.8301 in this text and −1.4233 in B, and the stream before it has −0.3215 here "
             "and −0.0923 in B. What goes out of layer 1? Type it.",
     .points_at = "stage=after"},
    {.title = "The control",
     .link = {kDogsAgain, "&view=patch&compare=text%3Dthe%2Bdogs%2Bnear%2Bthe%2Bcats%26model%3Dfirst-words"},
     .answer_before = "−1.7448.",
     .text = "Where two texts differ in nothing that matters to the choice, patches should move next to nothing. Now B "
             "has “cats” in the place of “cat”, with which the verb does not agree, and its choice is 7.380. No row "
             "moves the choice by more than 0.023, and no head by more than 0.191.",
     .points_at = "stream=1.6 stream=2.6"},
    {.title = "Other texts, other parts",
     .link =
         {kNames,
          "&view=patch&compare=text%3Dmira%2Band%2Btom%2Bmet%2B.%2Bmira%2Bgave%2Bthe%2Bkey%2Bto%26model%3Dfirst-words"},
     .text = "The key goes to the one who is not named again: “mira” here, “tom” in B. This time the last token knows "
             "it before layer 2: its row moves the choice by −24.811, and head 1 of layer 1 has brought it there. Head "
             "4 of layer 2, which decided the verb, moves this choice by only −0.168.",
     .points_at = "stream=2.11 head=1.1 head=2.4",
     .keep = "Patching takes numbers over from another text's run and computes all after them again.|"
             "What moves the choice to the other text's carries what tells the two apart.|"
             "A patch speaks of its two texts: in others, other parts may carry it."},
};

}  // namespace

constexpr LessonParts patching_links = pack_links<kPatchingSteps>("patching");
LessonText patching_words() {
    return {
        .title = "Activation patching: what a part carries",
        .about = "Numbers of a second text's run, put in the place of this one's, show which part tells them apart.",
        .steps = pack_words<kPatchingSteps>()};
}

}  // namespace attn
