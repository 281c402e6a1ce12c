// The lessons about which word stands where: what attention knows of the order of words, and masks that decide who may
// look at whom.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

// Both orders, as a batch.
constexpr std::string_view kBothOrders[] = {"text=dog+bites+man&text=man+bites+dog&heads=1&mask=none&out=0&"};
// Six tokens whose own numbers are 0, so that X is their positions. How many numbers a token has and the zeros follow:
// eight numbers, or eight times as many.
constexpr std::string_view kPlacesAlone[] = {
    "text=dog+bites+man+and+runs+away&embed=typed&heads=1&mask=none&scale=none&init=none&out=0&d_out="};
#define ATTN_ZEROS "0,0,0,0,0,0,0,0"
#define ATTN_MORE_ZEROS \
    ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS "," ATTN_ZEROS
#define ATTN_SIX(row) row ";" row ";" row ";" row ";" row ";" row
#define ATTN_EIGHT_EACH "8&x=" ATTN_SIX(ATTN_ZEROS)

constexpr ChoiceText kOtherOrderChoices[] = {
    {"those of all three words",
     "context 1,0,0 != context 1,2,0@sentence=2 & context 1,1,0 != context 1,1,0@sentence=2",
     "A context adds up three values, each times its weight: the same three in any order."},
    {"none", "context 1,0,0 = context 1,2,0@sentence=2 & context 1,1,0 = context 1,1,0@sentence=2",
     "Nothing in X or in the scores knows a place."},
    {"those of “dog” and “man”, not “bites”",
     "context 1,0,0 != context 1,2,0@sentence=2 & context 1,1,0 = context 1,1,0@sentence=2",
     "“dog” and “man” change places, but their queries, keys and values do not change."},
};
constexpr PredictionText kOtherOrder = {
    .question = "Which words get another context vector in “man bites dog”?",
    .choices = kOtherOrderChoices,
    .reason =
        "The context of “dog” begins with {context 1,0,0} in one sentence and with {context 1,2,0@sentence=2} in "
        "the other."};

constexpr ChoiceText kSameBitesChoices[] = {
    {"both", "context 1,1,0 = context 1,1,0@sentence=2",
     "The rows of “dog” and “man” have changed, and its context adds up their values."},
    {"neither", "embeddings 1,1,0 != embeddings 1,1,0@sentence=2",
     "Its row of X is word plus position, and neither has changed."},
    {"only its row of X", "embeddings 1,1,0 = embeddings 1,1,0@sentence=2 & context 1,1,0 != context 1,1,0@sentence=2",
     "Word and position are the same, but the rows around it are not."},
};
constexpr PredictionText kSameBites = {
    .question = "What of “bites” is the same in both: its row of X, its context?",
    .choices = kSameBitesChoices,
    .reason =
        "Its context begins with {context 1,1,0} in one sentence and with {context 1,1,0@sentence=2} in the "
        "other, as “dog” and “man” have other keys and values now."};

constexpr StepText kDogBitesManSteps[] = {
    {.title = "The same words, twice",
     .link = {kBothOrders, "pos=none&stage=embeddings"},
     .text = "The batch has the sentences “dog bites man” and “man bites dog”. Nothing is masked and X has no "
             "positions, so each word has the same row of X in both.",
     .points_at = "stage=embeddings pos",
     .asks = kOtherOrder},
    {.title = "Who bites whom?",
     .link = {kBothOrders, "pos=none&sentence=2&stage=context&cell=1,2,0"},
     .answer_before = "none.",
     .text = "This is “man bites dog”. “dog” has the context {context 1,2,*}, to the last printed digit what it has in "
             "“dog bites man”, and so it is with “bites” and “man”: go back to sentence 1 and see. A score is a query "
             "times a key, and neither knows a place. To this head both sentences say the same.",
     .points_at = "stage=context token=2"},
    {.title = "Eight numbers for a position",
     .link = {kPlacesAlone, ATTN_EIGHT_EACH "&stage=embeddings"},
     .text =
         "So positions are added to X. Here the words' own numbers are 0, and what is left are the positions: "
         "four pairs, each the sine and the cosine of one angle. The first angle is the position itself, the next one "
         "a tenth of it, then a hundredth, then a thousandth: pair p, counted from 0, has position / 10000^(2p/8).",
     .points_at = "stage=embeddings pos"},
    {.title = "One of them by hand",
     .link = {kPlacesAlone, ATTN_EIGHT_EACH "&stage=embeddings&cell=1,5,2&check=embeddings"},
     .text = "“away” stands at position 5, counted from 0. Its third number is the sine of the second angle, a tenth "
             "of the position. Type it; a calculator has to count in radians.",
     .points_at = "stage=embeddings"},
    {.title = "Words with positions",
     .link = {kBothOrders, "stage=embeddings"},
     .answer_before = "{0.4794}.",
     .text =
         "The words' own numbers are back, and each row of X is the word plus its position. “bites” stands at "
         "position 1 in both sentences, “dog” and “man” change places. (Lesson heads, step 13, adds one such number "
         "by hand.)",
     .points_at = "stage=embeddings pos",
     .asks = kSameBites},
    {.title = "Now it counts who bites",
     .link = {kBothOrders, "sentence=2&stage=context&cell=1,2,0"},
     .answer_before = "only its row of X.",
     .text = "With positions “dog” has the context {context 1,2,*} in this sentence and another one in sentence 1, and "
             "so it is with “bites” and “man”: what comes next can tell who bites whom. A causal mask would also let "
             "the order in, as each word would see other words.",
     .points_at = "stage=context token=2 pos"},
    {.title = "Products of positions",
     .link = {kPlacesAlone, ATTN_EIGHT_EACH "&stage=scores&cell=1,5,3&check=scores"},
     .text =
         "Without words and matrices, a score is the product of two positions. Each pair adds sin a · sin b + cos a "
         "· cos b, which is cos(a − b), so only the distance counts. At distance 1 the cosines of 1, 0.1, 0.01 and "
         "0.001 add up to {3.5353}. Type the score of positions 5 and 3 (in radians).",
     .points_at = "stage=scores"},
    {.title = "What is near is alike",
     .link = {kPlacesAlone, "64&x=" ATTN_SIX(ATTN_MORE_ZEROS) "&stage=scores&cell=1,5,0"},
     .answer_before = "{2.5637}.",
     .text = "Here a position has 64 numbers, so 32 pairs. Its product with itself is {scores 1,5,5}, with its "
             "neighbour {scores 1,5,4}, and on it falls, to {scores 1,5,0} at distance 5. With eight numbers it falls, "
             "too, up to distance 3; then the first pair has come half around. Lessons turning and fainter put "
             "distances into the scores without touching X.",
     .points_at = "stage=scores",
     .keep = "Without positions and mask, attention gives each word the same context in any order of the words.|"
             "Sines and cosines of ever slower angles, added to X, tell positions apart.|"
             "The product of two positions depends on their distance alone, and is largest for the same place."},
};

#undef ATTN_ZEROS
#undef ATTN_MORE_ZEROS
#undef ATTN_SIX
#undef ATTN_EIGHT_EACH

// All vectors are 0, and so all scores: each row shares its 1 evenly among the keys that it may see. Six words follow.
constexpr std::string_view kEvenRows[] = {"x=0;0;0;0;0;0&embed=typed&pos=none&d_out=1&heads=1&init=none&out=0&text="};

constexpr ChoiceText kFourthWordChoices[] = {
    {"1/6, as before", "weights 1,3,0@mask=causal * 6 = 1",
     "The later words lose theirs, and the row still sums to 1."},
    {"1/4", "weights 1,3,0@mask=causal * 4 = 1", "It sees three earlier words and itself."},
    {"1/3", "weights 1,3,0@mask=causal * 3 = 1", "Three words come before it, and it sees itself, too."},
};
constexpr PredictionText kFourthWord = {
    .question = "Behind a causal mask, what does “a”, the fourth word, give each word it sees?",
    .choices = kFourthWordChoices,
    .reason = "It sees three earlier words and itself, and shares its 1 among these."};

constexpr ChoiceText kPrefixRowsChoices[] = {
    {"those of “who” and “bit”",
     "weights 1,0,0 != weights 1,0,0@step=3 & weights 1,1,0 != weights 1,1,0@step=3 & weights 1,2,0 = weights "
     "1,2,0@step=3",
     "These two have a later word of the question to see."},
    {"all three of the question", "weights 1,2,0 != weights 1,2,0@step=3",
     "“him”, the last of them, sees all three already."},
    {"all six", "weights 1,5,0 != weights 1,5,0@step=3", "The words of the answer see the whole question already."},
};
constexpr PredictionText kPrefixRows = {
    .question = "Which rows of weights does that change?",
    .choices = kPrefixRowsChoices,
    .reason = "“who” sees two more words then and “bit” one more; all others saw the whole question before."};

constexpr ChoiceText kPaddingChoices[] = {
    {"the rows of the pads", "weights 1,0,3@edit=mask[3,0]=1,1,1;1,1,1;1,1,1 = 0",
     "Then pads read no word; but the words would still read pads."},
    {"the columns of the pads", "weights 1,0,3@edit=mask[0,3]=1,1,1;1,1,1;1,1,1;1,1,1;1,1,1;1,1,1 = 0",
     "A column is what all queries see of one key."},
    {"the cells where a pad meets itself", "weights 1,0,3@edit=mask[3,3]=1&edit=mask[4,4]=1&edit=mask[5,5]=1 = 0",
     "The words would still read the pads."},
};
constexpr PredictionText kPadding = {
    .question = "Which cells does a padding mask hide?",
    .choices = kPaddingChoices,
    .reason =
        "A column is what all queries see of one key. Then each word gives each of the three words "
        "{weights 1,0,0@edit=mask[0,3]=1,1,1;1,1,1;1,1,1;1,1,1;1,1,1;1,1,1}."};

constexpr ChoiceText kPackedChoices[] = {
    {"from “dogs bark” to “cats sleep a lot”", "weights 1,0,2 > 0", "The causal mask hides these already."},
    {"from “cats” to “dogs bark”", "weights 1,3,0@edit=mask[2,0]=1,1 = 0",
     "“sleep”, “a” and “lot” would still read the other text."},
    {"from “cats sleep a lot” to “dogs bark”", "weights 1,0,2 = 0 & weights 1,3,0@edit=mask[2,0]=1,1 > 0",
     "The later text must not read the earlier one."},
};
constexpr PredictionText kPacked = {
    .question = "Which way of looking has to be hidden as well?",
    .choices = kPackedChoices,
    .reason = "The causal mask lets every later word read every earlier one, whichever text it is of."};

constexpr StepText kMasksSteps[] = {
    {.title = "Everybody sees everybody",
     .link = {kEvenRows, "who+bit+him+a+dog+did&mask=none&cell=1,3,0"},
     .text =
         "All vectors are 0 here, so all scores are equal, and each row shares its 1 evenly among the words that it "
         "may see. Without a mask these are all six. Models that only read, such as BERT, work so: they are called "
         "encoders.",
     .points_at = "mask stage=weights",
     .asks = kFourthWord},
    {.title = "A question and its answer",
     .link = {kEvenRows, "who+bit+him+a+dog+did&cell=1,1,0"},
     .answer_before = "1/4.",
     .text = "Models that write, called decoders, hide all later words (lesson causal). But of “who bit him a dog did” "
             "only the last three words are written: the question was given, and may be read in both directions. A "
             "prefix mask lets its three words see each other.",
     .points_at = "mask=causal stage=weights",
     .asks = kPrefixRows},
    {.title = "The prefix mask",
     .link = {kEvenRows, "who+bit+him+a+dog+did&edit=mask[0,1]=0,0&edit=mask[1,2]=0&cell=1,1,0&check=weights"},
     .answer_before = "those of “who” and “bit”.",
     .text = "Here it is: the causal mask with three cells opened, where a word of the question looks at a later one. "
             "Type what “bit” gives “who” now.",
     .points_at = "mask stage=weights"},
    {.title = "Pads behind a short sentence",
     .link = {kEvenRows, "who+bit+him+pad+pad+pad&mask=none&cell=1,0,3"},
     .answer_before = "{0.3333}.",
     .text =
         "A batch is one block of numbers, so short sentences are filled up with pads. Nobody is to read those, but "
         "here each word gives each pad {weights 1,0,3}.",
     .points_at = "stage=weights",
     .asks = kPadding},
    {.title = "Pads in front, two masks",
     .link = {kEvenRows,
              "pad+pad+pad+who+bit+him&edit=mask[1,0]=1&edit=mask[2,0]=1,1&edit=mask[3,0]=1,1,1;1,1,1;1,1,1&cell=1,4,3&"
              "check=weights"},
     .answer_before = "the columns of the pads.",
     .text =
         "When a model writes, pads go in front, so that all sentences of a batch end at the same place. Causal mask "
         "and padding mask are both on; a pad sees itself alone, so that no row is empty. Type what “bit” gives "
         "“who”.",
     .points_at = "mask stage=weights"},
    {.title = "Two texts in one row",
     .link = {kEvenRows, "dogs+bark+cats+sleep+a+lot&cell=1,3,0"},
     .answer_before = "{0.5}: “bit” sees “who” and itself.",
     .text = "Training wastes no room on pads: it packs short texts into one row, here “dogs bark” and “cats sleep a "
             "lot”. The causal mask is on, and it knows nothing of two texts.",
     .points_at = "stage=weights",
     .asks = kPacked},
    {.title = "The mask for packed texts",
     .link = {kEvenRows, "dogs+bark+cats+sleep+a+lot&edit=mask[2,0]=1,1;1,1;1,1;1,1&cell=1,4,3&check=weights"},
     .answer_before = "from “cats sleep a lot” to “dogs bark”.",
     .text = "Each text has a triangle of its own now, and reads as if it stood alone. Type what “a” gives “sleep”.",
     .points_at = "mask stage=weights"},
    {.title = "Paint one yourself",
     .link = {kEvenRows,
              "who+bit+him+a+dog+did&mask=none&view=edit&tensor=mask&edit=mask[1,1]=0,0,1,1,1;0,0,0,1,1;1,0,0,0,1;1,1,"
              "0,0,0;1,1,1,0,0"},
     .answer_before = "{0.3333}: “a” sees “cats”, “sleep” and itself.",
     .text = "Any pattern can be painted: 1 hides a key from a query, 0 shows it. Here every word sees itself, its "
             "neighbours and the first word, and the first word sees all, much as in models for long texts. Switch "
             "cells, then look at the weights.",
     .points_at = "view=edit tensor=mask",
     .keep = "A mask says for each query which keys it may see; a hidden key gets the weight 0.|"
             "The others share the row's 1, so a mask changes their weights, too.|"
             "Causal, prefix, padding and packing are patterns of one table, and they can be combined."},
};

}  // namespace

constexpr LessonParts dog_bites_man_links = pack_links<kDogBitesManSteps>("dog-bites-man");

LessonText dog_bites_man_words() {
    return {.title = "Positions: dog bites man",
            .about = "What attention knows of the order of words, and how sines and cosines tell it.",
            .steps = pack_words<kDogBitesManSteps>()};
}

constexpr LessonParts masks_links = pack_links<kMasksSteps>("masks");

LessonText masks_words() {
    return {.title = "Masks: who may look at whom",
            .about = "Masks for reading, for writing, for a given beginning, for pads and for several texts in a row.",
            .steps = pack_words<kMasksSteps>()};
}

}  // namespace attn
