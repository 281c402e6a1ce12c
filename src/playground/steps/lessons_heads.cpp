// The lessons about several heads: why there are several, a batch of sentences, two ways to build them, their cost.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr PrintedText kNotebookOutput[] = {{.stage = TensorId::output,
                                            .numbers = "0.3190,0.4858;"
                                                       "0.2943,0.3897;"
                                                       "0.2856,0.3593;"
                                                       "0.2693,0.3873;"
                                                       "0.2639,0.3928;"
                                                       "0.2575,0.4028",
                                            .source = "chapter 3 of “Build a Large Language Model”"}};

// Targets: woman → portrait, artist → brush, brush → artist.
constexpr std::string_view kArtistHasBrush[] = {kArtist, kSmall, "&target=7>4,1>10,10>1"};
// Targets: woman → portrait, woman → brush, brush → woman, brush → portrait.
constexpr std::string_view kWomanHasBrush[] = {kArtist, kSmall, "&target=7>4,7>10,10>7,10>4"};

constexpr ChoiceText kRowOfReadingsChoices[] = {
    {"in that of “artist”", "hidden 1,10@mask=causal = 0",
     "“artist” has one line, to “brush”, and “brush” comes later."},
    {"in that of “woman”", "hidden 7,10@mask=causal = 0",
     "Its line to “brush” is hidden; the one to “portrait” stays, and both readings have it."},
    {"in that of “brush”", "hidden 10,1@mask=causal = 0 & hidden 10,7@mask=causal = 0",
     "A line to an earlier word stays, and “brush” is the last."},
    {"in that of “portrait”", kNever, "No line of either reading begins at “portrait”."},
};
constexpr PredictionText kRowOfReadings = {
    .question = "In which word's row can the two readings still differ?",
    .choices = kRowOfReadingsChoices,
    .reason = "“brush” comes last and sees every word: “artist” in one reading, “woman” and “portrait” in the other."};

constexpr ChoiceText kWhoseScoresChoices[] = {
    {"only those of head 1",
     "scores 1,10,1@edit=w_query[0,3]=9 != scores 1,10,1 & scores 2,10,1@edit=w_query[0,3]=9 = scores 2,10,1",
     "Head 1 has columns 0 and 1 and never reads column 3."},
    {"only those of head 2",
     "scores 2,10,1@edit=w_query[0,3]=9 != scores 2,10,1 & scores 1,10,1@edit=w_query[0,3]=9 = scores 1,10,1",
     "Column 3 belongs to head 2 alone."},
    {"those of both",
     "scores 1,10,1@edit=w_query[0,3]=9 != scores 1,10,1 & scores 2,10,1@edit=w_query[0,3]=9 != scores 2,10,1",
     "They would if both heads read that column: but no number is there twice."},
};
constexpr PredictionText kWhoseScores = {
    .question = "If you change w_query[0,3], whose scores move?",
    .choices = kWhoseScoresChoices,
    .reason = "Column 3 is in head 2's slice. Type a number into that cell and look at the scores."};

constexpr StepText kHeadsSteps[] = {
    {.title = "The artist has the brush",
     .link = {kArtistHasBrush, "&heads=1&view=lines&select=1,7,10"},
     .text = "“The artist painted the portrait of a woman with a brush.” In one reading the brush is the "
             "artist's tool. Then “brush” and “artist” should look at each other, and “woman” at “portrait”: "
             "the dashed lines are these targets.",
     .points_at = "view=lines token=1 token=10"},
    {.title = "The woman has the brush",
     .link = {kWomanHasBrush, "&heads=1&view=lines&select=1,7,10"},
     .text = "In the other reading it is a portrait of a woman who holds a brush. Now “woman” and “brush” "
             "should look at each other, and “brush” at “portrait”. Nothing in the words says which reading is "
             "meant.",
     .points_at = "view=lines token=7 token=10"},
    {.title = "Behind a mask",
     .link = {{}, "heads=1&out=0&mask=none&view=lines&select=1,7,10&target=7>4,7>10,10>7,10>4"},
     .text = "The lines so far assume a model that sees the whole sentence, as BERT does. Behind a causal mask, as in "
             "GPT, “woman” cannot look at “brush”, which comes later, and neither can “artist”.",
     .points_at = "mask=causal token=7 token=10",
     .asks = kRowOfReadings},
    {.title = "Where a word stands",
     .link = {kBrush, "&heads=1&stage=embeddings&cell=1,10,0"},
     .answer_before = "in the row of “brush”, the last word.",
     .text = "From here on the mask is off again. X has 11 rows of 8 numbers: to the vector of each word, which "
             "training fills with meaning, its position is added. Set positions to none: which two rows become equal? "
             "Attention alone cannot tell those two words apart.",
     .points_at = "stage=embeddings pos"},
    {.title = "One head, one table",
     .link = {kBrush, "&heads=1&stage=weights&cell=1,10,1"},
     .answer_before = "the rows of both “a”.",
     .text = "One head gives one table of 11 × 11 weights, and each row shares out a single 1: “brush” gives 0.0984 to "
             "“artist” and 0.0565 to “woman”. What one gets the others cannot get, so a head must settle for one "
             "reading, or for a bit of both.",
     .points_at = "heads token=10 stage=weights"},
    {.title = "Two heads, two tables",
     .link = {kWomanHasBrush, "&heads=2&view=matrix&stage=weights&cell=1,10,1"},
     .text =
         "d_out is 4, so two heads have head_dim = 4 / 2 = 2 numbers each. They give two tables, each 11 × 11 whatever "
         "head_dim is. One may keep the first reading, the other the second: in “Two readings” they learn it.",
     .points_at = "heads stage=weights"},
    {.title = "Lines of two heads",
     .link = {kWomanHasBrush, "&heads=2&view=lines&cell=1,7,10"},
     .text = "The same as lines, a colour for each head. Point at a word to see how much it gives to each "
             "other word in each head, and compare with the targets. Another seed gives another pair of tables.",
     .points_at = "view=lines seed token=7"},
    {.title = "Slices, not copies",
     .link = {kBrush, "&heads=2&view=edit&tensor=w_query&stage=queries"},
     .text = "The lecture speaks of copies of W_q, but no number is there twice: columns 0 and 1 belong to head 1, "
             "columns 2 and 3 to head 2.",
     .points_at = "view=edit stage=scores",
     .asks = kWhoseScores},
    {.title = "Divide and conquer",
     .link = {kBrush, "&heads=2&stage=scores&cell=1,10,1"},
     .answer_before = "only those of head 2.",
     .text =
         "Each head decides with half of the numbers, and that is the price. The scores of both add up to the score of "
         "one large head: for “brush” and “artist” 0.2899 + 0.1551 = 0.4450. Set heads to 1 and see it, in any cell.",
     .points_at = "heads stage=scores token=10"},
    {.title = "The same shape comes out",
     .link = {kBrush, "&heads=2&stage=merged&cell=1,7,1"},
     .text = "Each head's context has 2 numbers per token; side by side they are 4 again. One head of 4 and two "
             "heads of 2 give the same shape, (11, 4), so either can stand in the same model. The numbers "
             "differ, most in the marked cell: set heads to 1 and it changes by 0.3959.",
     .points_at = "stage=merged stage=context heads"},
    {.title = "And it costs no more numbers",
     .link = {kBrush, "&heads=2&view=cost"},
     .text = "W_q, W_k and W_v have 8 × 4 numbers each, 96 together, however many heads they are cut into. "
             "Only the tables are more: 2 × 11 × 11 = 242 weights instead of 121.",
     .points_at = "view=cost heads"},
    {.title = "One score by hand",
     .link = {kBrush, "&heads=1&stage=scores&cell=1,10,4&check=scores"},
     .text = "One head again. Two heads give “brush” for “portrait” −0.0068 and −0.1614: type the score of the one "
             "large head.",
     .points_at = "stage=scores heads"},
    {.title = "One position by hand",
     .link = {kBrush, "&heads=1&stage=embeddings&cell=1,10,0&check=embeddings"},
     .answer_before = "−0.1682.",
     .text = "Without its position, the first number of “brush” is −1.2097. To the token at place 10 the sine of 10 "
             "is added there, −0.5440. Type the sum.",
     .points_at = "stage=embeddings pos",
     .keep = "One head has one table of weights, and each of its rows shares out a single 1.|"
             "Two heads have two tables: each can keep a reading of its own.|"
             "Heads are slices of the same matrices, so more heads cost no more learned numbers."},
};

constexpr std::string_view kTwoHeads[] = {kJourney, "&heads=2&init=torch.linear&seed=123"};

constexpr ChoiceText kHowManyLargeChoices[] = {
    {"288 as well", kNever, "Each large matrix holds the columns of all heads."},
    {"96, one a head", kNever, "Heads are cut from a large matrix; none needs one of its own."},
    {"three", kAlways, ""},
    {"one", kNever, "Queries, keys and values are three products."},
};
constexpr PredictionText kHowManyLarge = {.question = "How many matrices does the second way take?",
                                          .choices = kHowManyLargeChoices,
                                          .reason = "W_q, W_k and W_v, each as wide as all heads together."};

constexpr StepText kStackedSteps[] = {
    {.title = "Two ways to write it",
     .link = {kTwoHeads, "&d_out=4&out=0&stage=context"},
     .text = "One can build a small attention for each head and put the results side by side. Or one can multiply once "
             "with large matrices and cut the result into heads. With 96 heads the first way takes 96 × 3 = 288 small "
             "matrices.",
     .points_at = "stage=context heads",
     .asks = kHowManyLarge},
    {.title = "Same columns, same numbers",
     .link = {kTwoHeads, "&d_out=4&out=0&view=stacked&stage=merged"},
     .answer_before = "three.",
     .text = "Give each small head its columns of the large W_q, W_k and W_v, and every number is the same: the "
             "difference is 0 in every cell. One large product is simply faster than several small ones.",
     .points_at = "view=stacked stage=merged"},
    {.title = "What mixes the heads",
     .link = {kTwoHeads, "&d_out=2&out=1&stage=output&cell=1,1,0&check=output&hide=output[1,*]"},
     .text = "Side by side, the heads do not know of each other. A last matrix, the output projection, mixes "
             "them: the row of “journey” in merged, times a column of w_out, plus a number of b_out (the bias). Work "
             "out its two outputs and type them; the numbers stand below the table.",
     .points_at = "stage=output stage=merged out"},
    {.title = "As the notebook prints it",
     .link = {kTwoHeads, "&d_out=2&out=1&stage=output&cell=1,1,0"},
     .answer_before = "0.2943 and 0.3897.",
     .text = "The notebook's MultiHeadAttention has two heads of one number each and prints this output for seed 123.",
     .points_at = "stage=output stage=merged out",
     .printed = kNotebookOutput},
    {.title = "A column of the second head",
     .link = {kTwoHeads, "&d_out=4&out=0&stage=queries&cell=2,1,0&check=queries"},
     .text = "Four columns again: head 2 begins with column 2 of the large W_q. Type the first number of its query "
             "for “journey”. A hint shows the products.",
     .points_at = "stage=queries stage=embeddings",
     .keep = "Small heads side by side and one large matrix cut into heads give the same numbers.|"
             "The output projection is what mixes the heads."},
};

constexpr std::string_view kLarge[] = {kArtist};

constexpr ChoiceText kTwiceTheHeadsChoices[] = {
    {"96 learned numbers, 121 weights", "learned@heads=2 = 96 & cells@heads=2 = 121",
     "Each head keeps a table of its own."},
    {"96 learned numbers, 242 weights", "learned@heads=2 = 96 & cells@heads=2 = 242",
     "Cutting matrices makes no number, but a table a head."},
    {"192 learned numbers, 242 weights", "learned@heads=2 = 192 & cells@heads=2 = 242",
     "The matrices are cut into heads, not made once more."},
    {"48 learned numbers, 242 weights", "learned@heads=2 = 48 & cells@heads=2 = 242",
     "Each head has half of the columns, and there are two of them."},
};
constexpr PredictionText kTwiceTheHeads = {
    .question = "How many of each will two heads take?",
    .choices = kTwiceTheHeadsChoices,
    .reason = "The matrices are cut, which makes no number more; each head has its own 11 × 11."};

constexpr StepText kCostSteps[] = {
    {.title = "One head",
     .link = {kBrush, "&heads=1&view=cost"},
     .text = "Three matrices of 8 × 4 are 96 learned numbers. The table of weights has one number for every pair of "
             "tokens: 11 × 11 = 121.",
     .points_at = "view=cost heads",
     .asks = kTwiceTheHeads},
    {.title = "Two heads",
     .link = {kBrush, "&heads=2&view=cost"},
     .answer_before = "96 learned numbers again, and 242 weights.",
     .text = "The learned numbers stay, but each head keeps a table of its own. The work for the scores is equal, 2 · "
             "11 · 11 · 2 = 484 multiply-adds against 1 · 11 · 11 · 4: more products, but smaller ones. Next, the same "
             "sentence has 45 tokens: how many weights?",
     .points_at = "view=cost heads"},
    {.title = "Letters instead of words",
     .link = {kBrush, "&heads=2&tokens=chars&view=cost"},
     .answer_before = "4,050.",
     .text = "Cut into letters, the sentence has 45 tokens instead of 11. The learned numbers stay; the weights "
             "grow with the square, 2 · 45 · 45 = 4,050 instead of 242. 4.1 times the tokens are "
             "16.7 times the weights.",
     .points_at = "view=cost tokens=chars"},
    {.title = "As large as a small GPT-2",
     .link = {kLarge, "&d_in=768&d_out=768&heads=12&view=cost"},
     .text = "Width 768 and 12 heads of 64, as in the smallest GPT-2 and BERT (the lecture's “11 heads” is a slip): "
             "2,359,296 learned numbers in the four matrices of one layer, and 768 in b_out. Of the multiply-adds, the "
             "projections are 99 % at 11 tokens, still 60 % at GPT-2's 1,024; at 1,536 scores and context would take "
             "half.",
     .points_at = "view=cost d_out heads"},
    {.title = "What one score costs",
     .link = {kBrush, "&heads=1&stage=scores&cell=1,1,10&check=scores"},
     .text = "With one head, a score takes four products, and there are 121 scores. Do one of these: type the score "
             "of “artist” for “brush”. A hint shows the products.",
     .points_at = "stage=scores heads"},
    {.title = "And with two heads",
     .link = {kBrush, "&heads=2&stage=scores&cell=1,1,10&check=scores"},
     .answer_before = "−1.4401.",
     .text = "A score takes half as many products, and there are twice as many scores: the work is the same. Type "
             "head 1's score for the same two words.",
     .points_at = "stage=scores heads",
     .keep = "Learned numbers depend on d_in and d_out, and not on how many heads share them.|"
             "A table of weights has a number for each pair of tokens, in every head: it grows with the square of the "
             "text."},
};

constexpr std::string_view kSpeech[] = {"text=The+government+should+regulate+free+speech"};
constexpr std::string_view kTwoSentences[] = {kSpeech[0], "&", kArtist};

constexpr ChoiceText kTableOfTheOtherChoices[] = {
    {"6 × 6", "tokens@sentence=1 = 6", "A table has a row and a column for each of its own tokens."},
    {"11 × 11, as here", "tokens@sentence=1 = 11", "A table is as large as its own sentence, not as the longest one."},
    {"6 × 11", kNever, "A sentence does not see the other, so rows and columns are both its own."},
    {"17 × 17", "tokens@sentence=1 = 17", "The sentences are not joined: neither sees the other."},
};
constexpr PredictionText kTableOfTheOther = {
    .question = "How large is a head's table for the other sentence?",
    .choices = kTableOfTheOtherChoices,
    .reason = "Press the arrows beside the tokens: the other sentence has 6 tokens."};

constexpr StepText kSentencesSteps[] = {
    {.title = "Regulate",
     .link = {kSpeech, "&mask=none&out=0&view=lines&cell=1,3,4&target=3>4,3>5"},
     .text = "“The government should regulate free speech”: restrict it, or protect it? The readings differ in what "
             "“regulate” means, not in which words belong together, so no line can tell them apart. The dashed lines "
             "lead to the words that a head could ask, “free” and “speech”. Which head gives more to “free”? (The "
             "matrices are random: the answer says nothing about the meaning.)",
     .points_at = "token=3 token=4 view=lines"},
    {.title = "Two sentences at once",
     .link = {kTwoSentences, "&mask=none&out=0&stage=weights&sentence=2"},
     .answer_before = "head 2, with 0.1568 against 0.1498.",
     .text = "Here are both ambiguous sentences as a batch: the same matrices work on each, and neither sees the "
             "other. Each head has a table of 11 × 11 for this one.",
     .points_at = "sentence- sentence+ stage=weights",
     .asks = kTableOfTheOther},
    {.title = "One score by hand",
     .link = {kSpeech, "&mask=none&out=0&stage=scores&cell=2,3,4&check=scores"},
     .answer_before = "6 × 6.",
     .text = "Back to the first sentence: type head 2's score of “regulate” for “free”. A hint shows the products.",
     .points_at = "stage=scores token=3 token=4"},
    {.title = "One row by hand",
     .link = {kSpeech, "&out=0&stage=weights&cell=1,1,0&check=weights&hide=weights[1,1,*]"},
     .answer_before = "0.0571.",
     .text = "Now with a mask. The second word may look at two words: type its two weights.",
     .points_at = "stage=weights token=1 mask"},
    {.title = "Your own sentence",
     .link = {{}, "text=Type+your+own+sentence+above&stage=weights"},
     .answer_before = "0.5038 and 0.4962.",
     .text = "Type a sentence above and everything follows: its tokens, its numbers, its weights. Then change "
             "what you like, heads, mask or seed, and pass the link on: whoever opens it sees what you see.",
     .points_at = "token=0 heads mask seed",
     .keep = "Before training, where a head looks says nothing about meaning.|"
             "The sentences of a batch share the matrices and nothing else."},
};

}  // namespace

constexpr LessonParts heads_links = pack_links<kHeadsSteps>("heads");

LessonText heads_words() {
    return {.title = "Multi-head: one head sees one perspective",
            .about = "A sentence with two readings: one table shares out each row once, two tables do it twice.",
            .steps = pack_words<kHeadsSteps>()};
}

constexpr LessonParts stacked_links = pack_links<kStackedSteps>("stacked");

LessonText stacked_words() {
    return {.title = "Stacked heads or split weights",
            .about = "Small separate heads side by side, or one large matrix cut into heads: the same numbers.",
            .steps = pack_words<kStackedSteps>()};
}

constexpr LessonParts cost_links = pack_links<kCostSteps>("cost");

LessonText cost_words() {
    return {.title = "Cost: parameters, memory, multiplications",
            .about = "Learned numbers, memory and multiplications, each as a formula with the values put in.",
            .steps = pack_words<kCostSteps>()};
}

constexpr LessonParts sentences_links = pack_links<kSentencesSteps>("sentences");

LessonText sentences_words() {
    return {.title = "Ambiguous sentences, and yours",
            .about = "A second sentence with two readings, both in one batch, and then your own.",
            .steps = pack_words<kSentencesSteps>()};
}

}  // namespace attn
