// The lesson about what comes after the attention of the last layer: output projection, stream, last norm, unembedding,
// logits, softmax.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

constexpr std::string_view kPainted[] = {"text=the+artist+painted+the&model=first-words"};

// What layer 2's MLP adds at a token, from a text in which something else was done by somebody else.
#define ATTN_FILMED "@compare=text%3Dthe%2Bchef%2Bfilmed%2Bthe%26model%3Dfirst-words&patch=mlp.2@"
constexpr ChoiceText kReadRowChoices[] = {
    {"that of “painted”", "next picture" ATTN_FILMED "4 != next picture & next picture" ATTN_FILMED "5 = next picture",
     "What “painted” says was brought into another row by attention, before."},
    {"those of all tokens together",
     "next picture" ATTN_FILMED "4 != next picture & next picture" ATTN_FILMED "5 != next picture",
     "Whatever is added to the row of “painted” at the end, the next word stays as it is."},
    {"that of the last “the” alone",
     "next picture" ATTN_FILMED "4 = next picture & next picture" ATTN_FILMED "5 != next picture",
     "No other row of the last stream counts for the word after it."},
};
constexpr PredictionText kReadRow = {
    .question = "Which row of the stream after layer 2 decides the word after the last “the”?",
    .choices = kReadRowChoices,
    .reason = "With other numbers added at “painted” by layer 2's MLP “picture” keeps {next picture" ATTN_FILMED
              "4}; with others at the last “the” it falls below 0.001."};
#undef ATTN_FILMED

constexpr ChoiceText kSecondWordChoices[] = {
    {"0.6275, as 12.652 / 13.320 says", "next portrait > 0.5",
     "Shares do not go as logits do, but as powers of e: their difference counts."},
    {"0.3386", "next portrait < 0.339", "Raise e to the power of 12.652 − 13.320, then multiply with 0.6606."},
    {"0.3394, what is left of 1", "next portrait > 0.339 & next portrait < 0.5",
     "That would leave nothing for the other 126 words."},
};
constexpr PredictionText kSecondWord = {
    .question = "“picture” has the logit 13.320 and the probability 0.6606. How much has “portrait”, with 12.652?",
    .choices = kSecondWordChoices,
    .reason = "e to the power of {logit portrait - logit picture} times {next picture} is {next portrait}."};

constexpr StepText kNextWordSteps[] = {
    {.title = "Eight contexts are no word",
     .link = {kPainted, "&layer=2&view=numbers&stage=merged&cell=1,4,0"},
     .text =
         "The eight heads of layer 2 leave each token a merged row of 64 numbers, eight a head. The model knows 128 "
         "words, and each needs a number of its own, its logit. Between the two stand the output projection, the "
         "residual stream, one more MLP and norm, and the unembedding.",
     .points_at = "stage=merged",
     .asks = kReadRow},
    {.title = "Through W_out into the stream",
     .link = {kPainted,
              "&layer=2&off=2:*&stage=middle&cell=1,4,61&check=middle&hide=middle[4,61],attention_added[4,61]"},
     .answer_before = "that of the last “the” alone.",
     .text = "Each channel of the stream gets 64 products of merged numbers with W_out, and a bias: in channel 61, "
             "where the stream has 3.8431, the products make −1.4799 and the bias is −0.4919. Now all heads of layer 2 "
             "are off, and hand on 0. What goes on to the MLP? Type it.",
     .points_at = "stage=middle"},
    {.title = "The last norm",
     .link = {kPainted, "&layer=2&stage=final_stream&cell=1,4,21&check=final_stream&hide=final_stream[4,21]"},
     .answer_before = "3.3512.",
     .text = "With its heads on again, layer 2 leaves 24.7333 in channel 21. The last norm takes off the row's mean, "
             "−0.0045, divides by its standard deviation, 6.4470, multiplies by a learned weight, 1.4570, and adds a "
             "bias, −0.0194. What comes out? Type it.",
     .points_at = "stage=final_stream"},
    {.title = "From numbers to shares",
     .link = {kPainted, "&layer=2&view=numbers&stage=final_stream&cell=1,4,21"},
     .answer_before = "5.5714.",
     .text = "The row of the last “the” is multiplied with the vector of each word in turn: the sum of 64 products is "
             "that word's logit. A softmax over all 128 logits makes them probabilities.",
     .points_at = "stage=final_stream",
     .asks = kSecondWord},
    {.title = "A logit, product by product",
     .link = {kPainted, "&view=lens&word=picture"},
     .answer_before = "0.3386.",
     .text =
         "The table below has the logit of “picture”: channel 21 alone adds 5.5714 · 0.2510, or 1.398, the eight "
         "largest products stand by themselves, and the other 56 come to 6.584. All together make 13.320. No single "
         "channel makes the word.",
     .points_at = "channel=21"},
    {.title = "The next word",
     .link = {kPainted, "&view=model&word=picture"},
     .text =
         "“picture” has 0.6606, “portrait” 0.3386, and the other 126 words share 0.0008. A word is drawn from these "
         "probabilities, or the most probable one is taken: press “Say the next word”, and the text grows by it. "
         "Then all of this begins again, for the new last token.",
     .points_at = "word=picture word=portrait",
     .keep = "The output projection and the MLP add to the residual stream; its last row alone gives the next word.|"
             "A word's logit is the sum of that row's products with the word's vector in the unembedding.|"
             "A softmax over all logits gives the probabilities: differences of logits decide."},
};

}  // namespace

constexpr LessonParts next_word_links = pack_links<kNextWordSteps>("next-word");
LessonText next_word_words() {
    return {.title = "Next word: from a context to its probability",
            .about = "What the last layer's heads found, on its way through stream, norm, unembedding and softmax.",
            .steps = pack_words<kNextWordSteps>()};
}

}  // namespace attn
