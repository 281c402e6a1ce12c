// The lesson about the residual stream as a sum: what adds up of its parts, and what does not once other parts have
// read it.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

constexpr std::string_view kSummed[] = {"text=the+artist+painted+the&model=first-words"};

constexpr ChoiceText kSumLengthChoices[] = {
    {"57.561: lengths add up", "length after 1,4 > 57", "Only if both rows pointed the same way."},
    {"35.563: the shorter one is taken off", "length after 1,4 < 36", "Only if the two rows pointed opposite ways."},
    {"between the two", "length after 1,4 > 36 & length after 1,4 < 57",
     "That depends on how far the two rows point the same way."},
};
constexpr PredictionText kSumLength = {
    .question = "How long is the stream after layer 2, the sum of the two rows?",
    .choices = kSumLengthChoices,
    .reason =
        "It is {length after 1,4} long. At a right angle the two would make 47.843, so they point the same way in "
        "part."};

constexpr ChoiceText kBehindMlpChoices[] = {
    {"more by the same 0.8590", "after 1,4,61@off=2:3,2:4 = after 1,4,61 + 0.859",
     "That would be so if the MLP still added what it added before. It reads the sum, and that is another."},
    {"as it was: the MLP makes up for it", "after 1,4,61@off=2:3,2:4 = after 1,4,61",
     "The MLP knows nothing of the heads. It reads the sum and adds what it makes of that."},
    {"more, but by another amount",
     "after 1,4,61@off=2:3,2:4 > after 1,4,61 & after 1,4,61@off=2:3,2:4 != after 1,4,61 + 0.859",
     "The MLP reads a row that has changed. Will it add the same?"},
};
constexpr PredictionText kBehindMlp = {
    .question = "What has the stream after layer 2 in channel 61 without heads 3 and 4?",
    .choices = kBehindMlpChoices,
    .reason =
        "{after 1,4,61@off=2:3,2:4}: the MLP adds {mlp_added 1,4,61@off=2:3,2:4} now, and 8.2198 with the two heads."};

constexpr ChoiceText kWithoutVoterChoices[] = {
    {"it falls by 0.186, to 13.134",
     "logit picture - logit picture@off=1:1 < 0.3 & logit picture - logit picture@off=1:1 > 0",
     "That is its own part of the sum. Others read what it wrote, and their parts change."},
    {"it rises", "logit picture@off=1:1 > logit picture", "It votes for “picture”, and so do those that read it."},
    {"it falls by much more", "logit picture - logit picture@off=1:1 > 1",
     "Its own part is small. But is that all that it does?"},
};
constexpr PredictionText kWithoutVoter = {
    .question = "Switch head 1 of layer 1 off. What becomes of the logit of “picture”?",
    .choices = kWithoutVoterChoices,
    .reason =
        "It falls to {logit picture@off=1:1}. The MLPs, which have nearly all of the column, read what that head "
        "wrote."};

constexpr StepText kStreamSumSteps[] = {
    {.title = "Two vectors at the start",
     .link = {kSummed, "&layer=1&stage=before&cell=1,4,7&check=before&hide=before[4,7]"},
     .text = "The residual stream begins as a sum, a token's vector plus that of its position, and “the” stands here "
             "twice. In channel 7 the row of the first has 0.0365, of which −0.1477 is its position's; the position of "
             "the last has 0.2280. What has the row of the last “the” there? Type it.",
     .points_at = "token=1 token=4"},
    {.title = "How long is a sum?",
     .link = {kSummed, "&layer=2&view=numbers&stage=middle&cell=1,4,0"},
     .answer_before = "0.4122.",
     .text =
         "From here on each part adds a row to the stream. Before layer 2's MLP the row of the last “the” is 10.999 "
         "long, the root of the sum of its squares. The MLP adds a row that is 46.562 long.",
     .points_at = "stage=middle",
     .asks = kSumLength},
    {.title = "Along the sum",
     .link = {kSummed, "&layer=2&view=journey"},
     .answer_before = "between the two.",
     .text = "What adds up is how far each part points along the sum: the stream so far 5.943, the MLP 45.633, "
             "together 51.576. In the sum before that one, the longest part of a head is head 4's, with 2.249. It lies "
             "at −0.276 along that sum: it points elsewhere, and a little against it.",
     .points_at = "stop=mlp_added head=4"},
    {.title = "Take two parts out",
     .link = {kSummed,
              "&layer=2&off=2:3,2:4&stage=middle&cell=1,4,61&check=middle&hide=middle[4,61],attention_added[4,61]"},
     .text = "In channel 61 the stream before the MLP has 1.8713 if all heads work, and of that head 3 of layer 2 adds "
             "−0.4067 and head 4 adds −0.4523. Both are off here. What goes on to the MLP now? Type it.",
     .points_at = "stage=middle"},
    {.title = "Who reads the sum",
     .link = {kSummed, "&layer=2&view=numbers&stage=after&cell=1,4,61"},
     .answer_before = "2.7304.",
     .text = "Without heads 3 and 4 of layer 2 channel 61 has 0.8590 more before the MLP: exactly what the two had "
             "taken off. All heads are on here, and after the MLP the channel has 10.0912.",
     .points_at = "stage=after",
     .asks = kBehindMlp},
    {.title = "Votes are parts of a sum",
     .link = {kSummed, "&view=model&word=picture&layer=1&head=8&hide=effects"},
     .answer_before = "more, but by another amount.",
     .text = "With the last norm's scale held fixed, the logit of “picture” is a sum of the same parts: 13.320. Layer "
             "2's MLP has 11.820 of it, and head 1 of layer 1 only 0.186. These are the parts as they are, with all "
             "others at work.",
     .points_at = "vote=1.1",
     .asks = kWithoutVoter},
    {.title = "What a part does for others",
     .link = {kSummed, "&view=model&word=picture&layer=1&head=1&off=1:1"},
     .answer_before = "it falls by much more.",
     .text = "Without head 1 of layer 1 “picture” keeps 0.0010, and “girl” comes first. That head looks at “painted”, "
             "with 0.8869; without what it brings, layer 2's MLP adds 2.329 in the place of 11.820. A part's vote says "
             "what it adds itself; only taking it out says what others make of it.",
     .points_at = "off=1:1 word=picture",
     .keep = "The residual stream is a sum: the embedding, then what each head and each MLP adds.|"
             "Lengths of parts do not add up; what lies along the sum does, and so do votes.|"
             "A part that is taken out changes what later parts read, so its vote is not its worth."},
};

}  // namespace

constexpr LessonParts stream_sum_links = pack_links<kStreamSumSteps>("stream-sum");
LessonText stream_sum_words() {
    return {.title = "Residual stream: a sum of parts",
            .about = "What adds up of the parts of a stream and of a logit, and what changes when one is taken out.",
            .steps = pack_words<kStreamSumSteps>()};
}

}  // namespace attn
