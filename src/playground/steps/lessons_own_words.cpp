// The lessons about texts that a visitor types: how byte pairs become tokens, and what a model that reads any English
// does with a sentence. Head numbers are those of the model's files: the tests of the claims say whether they still
// hold for others.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

// Pieces with a blank between them, "_" being the blank before a word: by hand, words are what merges make.
constexpr std::string_view kByHand[] = {"pos=none&heads=1&text="};
constexpr std::string_view kOwnTokens[] = {"model=own-words&stage=embeddings&text="};
constexpr std::string_view kOwnValues[] = {
    "model=own-words&stage=values&cell=1,11,0&text=a+telephone+and+a+smartphone"};
constexpr std::string_view kOwnWordsSeen[] = {"view=model&model=own-words&text="};
constexpr std::string_view kFriends[] = {"model=own-words&text=", "I+love+my+friends+very"};
constexpr std::string_view kFriendsSeen[] = {"view=model&", kFriends[0], kFriends[1]};
constexpr std::string_view kRandomFriends[] = {"heads=8&d_in=128&d_out=128&text=", kFriends[1]};

constexpr ChoiceText kFirstPairChoices[] = {
    {"“t” and “h”", "pair t,h", "It is there {pair t,h} times."},
    {"“h” and “e”", "pair h,e", "It is there {pair h,e} times."},
    {"“e” and “n”", "pair e,n", "It is there {pair e,n} times."},
    {"“_” and “t”", "pair _,t", "It is there {pair _,t} times."},
};
constexpr PredictionText kFirstPair = {
    .question = "Which pair of neighbours is there most often?",
    .choices = kFirstPairChoices,
    .reason = "“h” and “e” stand beside each other {pair h,e} times, “t” and “h” {pair t,h}."};

constexpr StepText kBytePairsSteps[] = {
    {.title = "One token a letter",
     .link = {kByHand, "_+t+h+e+n+_+t+h+e+_+h+e+n+_+s+a+w+_+t+h+e+_+o+t+h+e+r+_+h+e+n"},
     .text = "“then the hen saw the other hen”, letter by letter; “_” is the blank before a word. That is 31 tokens, "
             "and a table of 31 rows.",
     .points_at = "token=1 token=2",
     .asks = kFirstPair},
    {.title = "The first merge",
     .link = {kByHand, "_+t+he+n+_+t+he+_+he+n+_+s+a+w+_+t+he+_+o+t+he+r+_+he+n"},
     .answer_before = "“h” and “e”, 6 times.",
     .text = "No other pair is there more than 4 times. “h” and “e” become one token, “he”, and 25 tokens are left. "
             "Byte-pair encoding does this and nothing else, again and again. Count again: which pair is next?",
     .points_at = "token=2"},
    {.title = "A merged token merges again",
     .link = {kByHand, "_+the+n+_+the+_+he+n+_+s+a+w+_+the+_+o+the+r+_+he+n"},
     .answer_before = "“t” and “he”, 4 times.",
     .text = "“the” is the next token, and 21 are left. What was merged counts as one letter from now on. Which pair "
             "is next?",
     .points_at = "token=1"},
    {.title = "The blank joins its word",
     .link = {kByHand, "_the+n+_the+_+he+n+_+s+a+w+_the+_+o+the+r+_+he+n"},
     .answer_before = "“_” and “the”, 3 times.",
     .text = "“_the” is the next token, and 18 are left. Now “_ he” and “he n” stand there 2 times each, so a rule has "
             "to choose. Merge on yourself: delete a blank in the sentence above, and the tokens follow.",
     .points_at = "token=0"},
    {.title = "One token, one vector",
     .link = {kByHand,
              "_the+n+_the+_+he+n+_+s+a+w+_the+_+o+the+r+_+he+n&cell=1,17,10&check=weights&hide=weights[1,17,10]"},
     .text = "A token's vector is looked up by the token alone, and no position is added here. So all three “_the” "
             "have the same key, and the last row gives them the same weight. Two of the weights are printed. Type the "
             "third.",
     .points_at = "token=0 token=2 token=10"},
    {.title = "The same on whole books",
     .link = {kOwnTokens, "then+the+hen+saw+the+other+hen&cell=1,9,0"},
     .answer_before = "0.0745.",
     .text = "The tokenizer of own-words learned from novels and speeches: 256 bytes, then 3,839 merges. The first "
             "joined “_” and “t”, the second “h” and “e”, the sixth made “_the”.",
     .points_at = "token=2 token=6"},
    {.title = "The same merges for every text",
     .link = {kOwnTokens, "then+the+hen+saw+the+other+hen&cell=1,9,0"},
     .text = "What you type goes through these merges, in the order in which they were learned. The 31 letters and "
             "blanks are nine tokens here, behind one that begins every text. Only “hen” is still two pieces.",
     .points_at = "token=8 token=9"},
    {.title = "A word without a token",
     .link = {kOwnTokens, "a+telephone+and+a+smartphone&cell=1,11,0"},
     .text = "“telephone” and “smartphone” never become one token: each is four pieces, and the last two are the same, "
             "“ph” and “one”. Does “microphone” end in them, too? Type it above.",
     .points_at = "token=4 token=5 token=10 token=11"},
    {.title = "The same piece, the same value",
     .link = {kOwnValues, "&check=values&hide=values[1,11,0]"},
     .answer_before = "yes.",
     .text = "Both “one” are the same row of the embedding table, so head 1 of layer 1 has the same value for both; "
             "positions turn only queries and keys. The first number of the last row is left out. Type it: it is "
             "printed once more.",
     .points_at = "token=5 token=11"},
    {.title = "What stands before it",
     .link = {kOwnValues, "&layer=2"},
     .answer_before = "0.1719.",
     .text = "In layer 2 the two rows of “one” differ. A token starts the same everywhere; layer 1 has added to each "
             "what it found among the tokens before it.",
     .points_at = "token=5 token=11 layer"},
    {.title = "Any text at all",
     .link = {kOwnTokens, "I+love+you+%F0%9F%99%82&cell=1,8,0"},
     .text = "No text is refused, because every byte is a token. The smiley comes as a blank and four bytes, vectors "
             "that its books hardly trained. Type a word of your own above and count its pieces.",
     .points_at = "token=5 token=8",
     .keep = "Training joins the pair that stands together most often, again and again.|"
             "A new text is cut by the same merges, in the order in which they were learned.|"
             "Frequent words become one token, rare ones several."},
};

constexpr ChoiceText kAfterVeryChoices[] = {
    {"“much”", kNever, "These heads have never read a text: they cannot know."},
    {"“well”", kNever, "These heads have never read a text: they cannot know."},
    {"these heads cannot tell", kAlways, ""},
};
constexpr PredictionText kAfterVery = {.question = "Which word comes after “very”?",
                                       .choices = kAfterVeryChoices,
                                       .reason = "Only a model that was trained has a word to say."};

constexpr ChoiceText kMoreOrLessChoices[] = {
    {"more", "weights 1,4,3 > 0.9204", "A random head has no reason to look at one token so much."},
    {"less", "weights 1,4,3 < 0.9204", "Here the row happens to lean on this one token."},
    {"the same", "weights 1,4,3 = 0.9204", "Other matrices make other weights."},
};
constexpr PredictionText kMoreOrLess = {
    .question = "Will “very” give “friends” more or less than before, where it was 0.9204?",
    .choices = kMoreOrLessChoices,
    .reason = "A random head spreads its 1 over what is there. Now type the weight: the row sums to 1 again."};

constexpr StepText kOwnSentenceSteps[] = {
    {.title = "Random matrices",
     .link = {kRandomFriends, "&stage=weights"},
     .text = "Eight heads with random matrices, as wide as those of the model to come. Each looks somewhere; with "
             "another seed it looks elsewhere, so it means nothing.",
     .points_at = "stage=weights",
     .asks = kAfterVery},
    {.title = "The same words, trained",
     .link = {kFriendsSeen, "&layer=4"},
     .answer_before = "the random heads cannot tell.",
     .text = "own-words has 4 layers of 8 heads and has read novels and speeches. It puts “well” first and “much” "
             "second, and the two together get more than half of the probability. The random matrices had no word to "
             "say.",
     .points_at = "word=well word=much"},
    {.title = "Who votes",
     .link = {kFriendsSeen, "&word=well&layer=4"},
     .text = "The column adds up to the logit of “well”. No head decides it: layer 4's MLP adds more than any of its "
             "heads, and so does layer 1. Which head of layer 4 adds most? Read it off, then press Next.",
     .points_at = "word=well"},
    {.title = "Without the largest vote",
     .link = {kFriendsSeen, "&word=well&layer=4&head=3&off=4:3"},
     .answer_before = "head 3.",
     .text = "Head 3 is off here. “well” stays first. It would stay first whichever single head of layer 4 you switch "
             "off: try another.",
     .points_at = "off=4:3"},
    {.title = "A head that is missed",
     .link = {kFriendsSeen, "&word=well&layer=1&head=3&off=1:3"},
     .text = "In layer 1 head 3 looks at each word itself and hardly at another. Without it “well” loses more than "
             "half of its probability; without head 2, beside it, next to nothing. Where a head looks does not say how "
             "much the model needs it.",
     .points_at = "off=1:3 layer=1&head=2"},
    {.title = "Which head looks where",
     .link = {kFriendsSeen, "&layer=4&head=1"},
     .text = "Each card says what its head does most on these words. Some look at the token before, some at the token "
             "itself, some at the first token. Scroll down to layer 4: which head looks most at the token before?",
     .points_at = "layer=1&head=3 layer=2&head=4"},
    {.title = "The token before",
     .link = {kFriends, "&layer=4&head=1&cell=1,5,4&check=weights&hide=weights[1,5,4]"},
     .answer_before = "head 1.",
     .text = "How much of its attention does “very” give to “friends” there? The row sums to 1, and its other weights "
             "are printed. Type the missing one.",
     .points_at = "token=4 token=5"},
    {.title = "The control",
     .link = {kRandomFriends, "&head=1&cell=1,4,3&check=weights&hide=weights[1,4,3]"},
     .answer_before = "0.9204.",
     .text = "The same words in a random head. Type the weight: the row sums to 1 again.",
     .points_at = "token=3 token=4",
     .asks = kMoreOrLess},
    {.title = "The first token",
     .link = {kFriendsSeen, "&layer=2&head=4"},
     .answer_before = "less: 0.2061.",
     .text = "This head gives most of its attention to the token that begins every text, and which says nothing of "
             "yours. Several heads do so, in large models, too. It is called an attention sink.",
     .points_at = "layer=2&head=4"},
    {.title = "What it has read",
     .link = {kOwnWordsSeen, "The+president+of+the+United"},
     .text = "Now it is nearly sure: “States” gets more than 0.9. Its books hold the State of the Union addresses of "
             "two centuries. It learned which pieces follow which in them, and knows no fact.",
     .points_at = "word=States"},
    {.title = "What it cannot do",
     .link = {kOwnWordsSeen, "k+w+f+n+b+v+k+w+f+n&word=b"},
     .text = "It copies nothing: the letters come again, and “b” gets less than 0.05. first-words, trained on such "
             "copies, says “b”. Where a verb has to agree with a noun further back, own-words is right no more often "
             "than a coin.",
     .points_at = "word=b"},
    {.title = "Your own sentence",
     .link = {kOwnWordsSeen, "Type+yours+above"},
     .text = "Type a sentence of yours above, of at most 127 tokens. Which word comes first, what votes most for it, "
             "and which head looks at the token before? For the control leave the lesson: “random”, beside the tokens, "
             "shows the same words with random matrices.",
     .points_at = "token=1",
     .keep = "A trained model gives words and probabilities; random matrices have no word to say.|"
             "Seldom does a single head decide: MLPs and other heads vote, too.|"
             "Where a head looks does not say how much the model needs it."},
};

}  // namespace

constexpr LessonParts byte_pairs_links = pack_links<kBytePairsSteps>("byte-pairs");
LessonText byte_pairs_words() {
    return {.title = "Byte-pair encoding: pairs become tokens",
            .about = "Letters merged by hand, pair by pair, then what 3,839 merges make of a sentence.",
            .steps = pack_words<kBytePairsSteps>()};
}

constexpr LessonParts own_sentence_links = pack_links<kOwnSentenceSteps>("own-sentence");
LessonText own_sentence_words() {
    return {.title = "Language model: your own sentence",
            .about = "Who looks where and who votes in a model that reads any English, beside random matrices.",
            .steps = pack_words<kOwnSentenceSteps>()};
}

}  // namespace attn
