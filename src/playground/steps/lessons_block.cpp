// The lesson about what stands around the attention: stream, norms, MLP, the next word.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

constexpr std::string_view kLastOfFour[] = {"text=the+artist+painted+the&model=first-words"};
constexpr std::string_view kWayOfFour[] = {"text=the+artist+painted+the&model=first-words&view=journey"};

constexpr ChoiceText kNormedLength[] = {
    {"about as long as in layer 1", "length embeddings 1,4@layer=2 < length embeddings 1,4 * 2",
     "A norm takes the row's size away, whatever it was."},
    {"more than five times as long", "length embeddings 1,4@layer=2 > length embeddings 1,4 * 5",
     "So is the stream, but each of its numbers is divided by the row's standard deviation."},
    {"1 long", "length embeddings 1,4@layer=2 < 1.5",
     "Its mean square becomes 1, so 64 numbers are about 8 long before the learned weights."},
};
constexpr ChoiceText kStoppedSum[] = {
    {"next to nothing", "mlp_hidden 1,4,41 > -0.01 & mlp_hidden 1,4,41 < 0.01", "GELU stops what is far below 0."},
    {"as much, −4.3591", "mlp_hidden 1,4,41 < -4", "Then the MLP would be one matrix product after another."},
    {"its size without the sign", "mlp_hidden 1,4,41 > 4", "GELU changes no sign."},
};
constexpr ChoiceText kNeededLayer[] = {
    {"layer 1", "next picture@off=1:* < 0.1 & next picture@off=2:* > 0.5",
     "Layer 2 comes last, and is not missed here."},
    {"layer 2", "next picture@off=2:* < 0.1 & next picture@off=1:* > 0.5",
     "Without layer 2's heads “picture” still has {next picture@off=2:*}: its MLP works on what layer 1 has brought."},
    {"either", "next picture@off=1:* < 0.1 & next picture@off=2:* < 0.1",
     "Without layer 2's heads “picture” still has {next picture@off=2:*}."},
    {"neither", "next picture@off=1:* > 0.5 & next picture@off=2:* > 0.5",
     "Without layer 1's heads “picture” has {next picture@off=1:*}."},
};

constexpr StepText kBlockSteps[] = {
    {.title = "One token on one page",
     .link = {kWayOfFour, "&layer=1"},
     .text = "A Transformer is a stack of blocks, here two layers. Each adds twice to a token's vector, the residual "
             "stream: what its attention finds, then what its MLP makes of that. Below are all stops of the last “the” "
             "in layer 1, with the length of its row at each.",
     .points_at = "layer=1"},
    {.title = "A norm comes first",
     .link = {kLastOfFour, "&layer=1&view=numbers&stage=embeddings&cell=1,4,0"},
     .text = "The attention reads the stream's layer norm: each row less its mean, over its standard deviation, times "
             "learned weights, plus a bias. The last “the” comes into layer 1 with 2.207, into layer 2 with 12.318.",
     .points_at = "stage=embeddings",
     .asks = {.question = "How long is the normed row in layer 2?",
              .choices = kNormedLength,
              .reason = "It is {length embeddings 1,4} long in layer 1 and {length embeddings 1,4@layer=2} in layer 2: "
                        "however long the stream grows, every part reads a row of about the same size."}},
    {.title = "Plus what the attention adds",
     .link = {kLastOfFour, "&layer=1&stage=middle&cell=1,4,7&check=middle&hide=middle[4,7]"},
     .answer_before = "about as long as in layer 1.",
     .text = "In channel 7 the stream comes in with 0.4122, and the attention's output there is −0.1337. "
             "Nothing is replaced. What goes on to the MLP? Type it.",
     .points_at = "stage=middle"},
    {.title = "Neurons",
     .link = {kLastOfFour, "&layer=1&view=numbers&stage=mlp_sums&cell=1,4,41"},
     .answer_before = "0.2785.",
     .text = "Each of the MLP's 256 neurons takes a sum of 64 products: how well the normed row matches what it looks "
             "for. Then GELU bends the sum. Neuron 41 has the lowest, −4.3591.",
     .points_at = "stage=mlp_sums",
     .asks = {.question = "What does GELU leave of it?",
              .choices = kStoppedSum,
              .reason = "It leaves {mlp_hidden 1,4,41}, and of the largest sum, {mlp_sums 1,4,76} of neuron 76, it "
                        "leaves {mlp_hidden 1,4,76}."}},
    {.title = "Plus what the MLP adds",
     .link = {kLastOfFour, "&layer=1&stage=after&cell=1,4,11&check=after&hide=after[4,11]"},
     .answer_before = "next to nothing.",
     .text = "A second matrix turns the 256 numbers into 64 again, one for each channel of the stream. In channel 11 "
             "the stream between the parts has 0.7725, and the MLP adds 3.3547. What goes out of "
             "the layer? Type it.",
     .points_at = "stage=after"},
    {.title = "Who adds how much",
     .link = {kWayOfFour, "&layer=1"},
     .answer_before = "4.1273.",
     .text = "In layer 1 the attention adds a row 3.027 long, the MLP one of 10.875. Such "
             "lengths do not add up, for the rows point elsewhere; what lies along the sum does. Beside the stream "
             "stands the word that it would give: after layer 1 that is “picture”. Now the heads of one layer are "
             "to be switched off.",
     .points_at = "stop=mlp_added head=1",
     .asks = {.question = "In which layer must all heads be switched off so that “picture” is lost?",
              .choices = kNeededLayer,
              .reason = "Without the heads of layer 1 “picture” has {next picture@off=1:*}, without those of layer 2 "
                        "{next picture@off=2:*}."}},
    {.title = "Only attention looks back",
     .link = {kWayOfFour, "&layer=1&off=1:*"},
     .answer_before = "layer 1.",
     .text = "With layer 1's heads off the last “the” never hears of a painter in that layer: norms and MLPs work on "
             "one token alone, and only heads bring something from others. What was painted is no longer asked: "
             "“picture” comes 43rd, below 0.0001.",
     .points_at = "layer=1"},
    {.title = "From the stream to a word",
     .link = {kWayOfFour, "&layer=2"},
     .text = "After the last layer comes one more norm. The product of that row with a word's vector is the word's "
             "logit, and the softmax of all logits gives “picture” 0.6606. A press on any line leads to its "
             "numbers, and there to the sum that each is made of.",
     .points_at = "stop=final_stream",
     .keep = "A block adds twice to the residual stream: what its attention finds, and what its MLP makes of that.|"
             "A norm before each part gives it a row of about the same size.|"
             "Only attention looks at other tokens; norms and MLPs work on each one alone."},
};

}  // namespace

constexpr LessonParts block_links = pack_links<kBlockSteps>("block");
LessonText block_words() {
    return {.title = "Transformer block: what it adds",
            .about = "One token through norms, attention and MLP, to the next word.",
            .steps = pack_words<kBlockSteps>()};
}

}  // namespace attn
