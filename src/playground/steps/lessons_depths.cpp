// The lesson about the logit lens: which word the stream would give after each layer, and what such a word does not
// say.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

#define ATTN_BEGINS "text=the+artist+painted+the+portrait+of+a+woman+with+a+"
constexpr std::string_view kBrushRead[] = {ATTN_BEGINS "brush+.+who+has+the+brush+%3F+the", "&model=first-words"};
constexpr std::string_view kHatRead[] = {ATTN_BEGINS "hat+.+who+has+the+hat+%3F+the", kBrushRead[1]};
#undef ATTN_BEGINS
constexpr std::string_view kGiven[] = {"text=mira+and+tom+met+.+tom+gave+the+key+to", kBrushRead[1]};

constexpr ChoiceText kBeforeLayersChoices[] = {
    {"“artist”", "next artist@lens=0", "No layer has looked back yet: nothing in this row knows of him."},
    {"“woman”", "next woman@lens=0", "No layer has looked back yet: nothing in this row knows of her."},
    {"“the”", "next the@lens=0", "Its own vector is all that is there."},
    {"“gave”", "next gave@lens=0", "It gives “gave” less than 0.0001: nothing in this row knows of it."},
};
constexpr PredictionText kBeforeLayers = {
    .question = "Which word does the stream of the last “the” give before layer 1?",
    .choices = kBeforeLayersChoices,
    .reason = "It gives “the” more than 0.9999: its own vector and its position are all that is there."};

constexpr ChoiceText kTimesChoices[] = {
    {"about 1.7 times", "next artist@lens=1 / next woman@lens=1 < 2", "That is one logit over the other."},
    {"about 4.3 times", "next artist@lens=1 / next woman@lens=1 > 4 & next artist@lens=1 / next woman@lens=1 < 5",
     "That is the difference of the logits. A softmax raises e to its power."},
    {"about 73 times", "next artist@lens=1 / next woman@lens=1 > 72 & next artist@lens=1 / next woman@lens=1 < 74",
     "Raise e to the power of the difference."},
    {"about 22 times", "next artist@lens=1 / next woman@lens=1 > 21 & next artist@lens=1 / next woman@lens=1 < 23",
     "Raise e, which is 2.718, to the power of the difference of the two."},
};
constexpr PredictionText kTimes = {
    .question = "After layer 1 “artist” has the logit 10.500, “woman” 6.213. How many times as probable is he?",
    .choices = kTimesChoices,
    .reason =
        "e to the power of {logit artist@lens=1 - logit woman@lens=1} is {next artist@lens=1 / next "
        "woman@lens=1}. At the end she has {next woman} and he {next artist}."};

constexpr ChoiceText kFirstForHatChoices[] = {
    {"“woman”", "next woman@lens=1",
     "She is what the model says in the end; after layer 1 she has {next woman@lens=1}."},
    {"“artist”", "next artist@lens=1", "The lens gives him {next artist@lens=1}, more than any other word."},
    {"“hat”", "next hat@lens=1", "“hat” has less than 0.0001: the word of the question is not the answer."},
};
constexpr PredictionText kFirstForHat = {
    .question = "Which of these words has the most after layer 1, in the row of the last “the”?",
    .choices = kFirstForHatChoices,
    .reason = "“artist” has {next artist@lens=1}, “woman” {next woman@lens=1}: the lens puts him first here, too."};

constexpr StepText kDepthsSteps[] = {
    {.title = "Ask an earlier stream",
     .link = {kBrushRead, "&view=model&word=woman"},
     .text = "At the end the model says “woman” with 0.5998, “artist” with 0.3924. The last norm and the unembedding "
             "make these logits of the stream after layer 2. The logit lens asks the same two of an earlier stream, as "
             "if the layers above added nothing.",
     .points_at = "word=woman word=artist",
     .asks = kBeforeLayers},
    {.title = "One table at both ends",
     .link = {kBrushRead, "&layer=1&view=numbers&stage=after&cell=1,18,0"},
     .answer_before = "“the”.",
     .text = "In this model a word's vector is also its column of the unembedding, and before layer 1 the lens gives "
             "each of the 19 tokens itself. Here are the rows after layer 1, to which it has added what it found. In "
             "the last row the lens puts “artist” first there, “woman” fourth.",
     .points_at = "stage=after",
     .asks = kTimes},
    {.title = "Depth by depth",
     .link = {kBrushRead, "&view=lens&word=artist&lens=1"},
     .answer_before = "about 73 times.",
     .text = "A cell is what the lens says of one token's stream at one depth. From the last “the” it gives “artist” "
             "below 0.0001 before layer 1, 0.8684 after it, and 0.3924 at the end, where “woman” is ahead. That looks "
             "as if the model had changed its mind. The next steps test it.",
     .points_at = "lens=0.18 lens=1.18 lens=2.18"},
    {.title = "Two norms read one row",
     .link = {kBrushRead, "&layer=2&stage=embeddings&cell=1,18,35&check=embeddings&hide=embeddings[18,35]"},
     .text = "Layer 2 reads the row after layer 1 through a norm of its own, the lens through the last one. In channel "
             "35 the row, less its mean and over its standard deviation, is −1.8302; the lens makes −2.8649 of it. "
             "Layer 2's norm has the weight 0.6772 and the bias 0.4170: what does layer 2 read there? Type it.",
     .points_at = "stage=embeddings"},
    {.title = "A word that nobody will say",
     .link = {kBrushRead, "&view=lens&lens=1&cell=1,16,0&word=gave"},
     .answer_before = "−0.8225.",
     .text =
         "After layer 1 the lens says “gave” at five tokens, here with 0.9998. At the end none of the text's tokens "
         "has it above 0.0001, and nobody gives anything in it. So a word of the lens need not be one that the "
         "model is about to say: it is how the last norm and the unembedding read numbers meant for layer 2.",
     .points_at = "lens=1.16 lens=2.16"},
    {.title = "Not yet a decision",
     .link = {kHatRead, "&view=model&word=woman"},
     .text = "If “artist” after layer 1 were the reading in which he has the brush, it would be gone in a text without "
             "that reading. Here the hat is hers, and the model says “woman” with 0.9986.",
     .points_at = "word=woman",
     .asks = kFirstForHat},
    {.title = "What it will not tell",
     .link = {kHatRead, "&view=lens&word=artist&lens=1"},
     .answer_before = "“artist”.",
     .text = "With the hat the lens gives “artist” 0.2972 after layer 1, and he ends at 0.0001; with a palette, which "
             "is his, it gives him 0.1420, and he ends at 0.9980. So the lens's word there is no reading. The heads of "
             "layer 2 bring that: without them “woman” keeps 0.0001 of her 0.9986.",
     .points_at = "lens=1.18 lens=2.18"},
    {.title = "Written in another way",
     .link = {kGiven, "&view=lens&word=mira&lens=1&off=2:*"},
     .text = "Here all heads of layer 2 are off. After layer 1 the lens gives “mira” only 0.4664, and yet at the end "
             "she has 0.9999: the MLP of layer 2, which looks at no other token, read her in that same row. A low "
             "probability in the lens does not mean that a word is not there.",
     .points_at = "lens=1.10 lens=2.10",
     .keep = "The logit lens asks the last norm and the unembedding what an earlier stream would give.|"
             "They were trained for the end alone: a word of the lens is not what the model has decided.|"
             "A word that the lens ranks low may be written there in another way."},
};

}  // namespace

constexpr LessonParts depths_links = pack_links<kDepthsSteps>("depths");
LessonText depths_words() {
    return {.title = "Logit lens: reading the depths",
            .about = "Which word the stream would give after each layer, and what such a word does not say.",
            .steps = pack_words<kDepthsSteps>()};
}

}  // namespace attn
