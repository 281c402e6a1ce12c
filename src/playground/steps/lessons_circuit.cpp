// The lesson about two heads that make an induction circuit: one writes which token came before, the other reads it.
// That the first one's writing is what the second one reads is tried by patching that alone.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

// B has another letter before the first “b”; all else is the same.
constexpr std::string_view kCopied[] = {"text=k+w+f+n+b+v+k+w+f+n&model=first-words&word=b&against=k",
                                        "&compare=text%3Dk%2Bw%2Bf%2Br%2Bb%2Bv%2Bk%2Bw%2Bf%2Bn%26model%3Dfirst-words"};
// The two texts change places.
constexpr std::string_view kBroken[] = {"text=k+w+f+r+b+v+k+w+f+n&model=first-words&word=b&against=k",
                                        "&compare=text%3Dk%2Bw%2Bf%2Bn%2Bb%2Bv%2Bk%2Bw%2Bf%2Bn%26model%3Dfirst-words"};

constexpr ChoiceText kBehindAnotherChoices[] = {
    {"as much: “b” is at the same place", "weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n > 0.9",
     "The same letter at the same place gets only {weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n}."},
    {"about half as much",
     "weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n < 0.7 & weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n > 0.3",
     "It gets {weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n}: with no “n” before it, “b” is as good as any other."},
    {"hardly anything", "weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n < 0.1", "The letter and its place are the same."},
};
constexpr PredictionText kBehindAnother = {
    .question =
        "In the text B an “r” stands before “b” in the place of the “n”. How much does the last “n” give “b” there?",
    .choices = kBehindAnotherChoices,
    .reason = "It gives “b” {weights 8,10,5@text=k+w+f+r+b+v+k+w+f+n} there, and {weights 8,10,5} here."};

constexpr PredictionText kWritingHead = {
    .kind = PredictionKind::head,
    .question = "Which head of layer 1 tells “b” what stands before it? Press its card, or its number.",
    .of = "0 - weights 8,10,5@layer=2&patch=1:#@6",
    .why = "With head # from B at “b”, head 8 of layer 2 still gives it {weights 8,10,5@layer=2&patch=1:#@6}.",
    .reason = "With head 8 from B at “b”, and nothing else, it gets {weights 8,10,5@layer=2&patch=1:8@6} in layer 2."};

constexpr ChoiceText kGivenBackChoices[] = {
    {"“k”, as without the patch", "next k@patch=1:8@6", "“k” falls from first place to less than 0.0001."},
    {"“r”, which stands before “b”", "next r@patch=1:8@6",
     "Nothing looks for the letter before: “r” stays below 0.0001."},
    {"“b”", "next b@patch=1:8@6", "No “n” stands before “b” in this text."},
};
constexpr PredictionText kGivenBack = {
    .question = "At “b”, what head 8 of layer 1 hands on now comes from the text with the “n”. Which letter is next?",
    .choices = kGivenBackChoices,
    .reason = "“b” has {next b@patch=1:8@6} then, and less than 0.0001 without the patch."};

constexpr StepText kCircuitSteps[] = {
    {.title = "A head that finds the copy",
     .link = {kCopied, "&layer=2&head=8&stage=weights&cell=8,10,5"},
     .text = "The letters come again, and after the last “n” the model says “b” with 0.9998. Head 8 of layer 2 looks "
             "from that “n” at the “b”, with 0.9774. But “b” is no “n”: how does the head know that it stands behind "
             "one?",
     .points_at = "token=5 token=10",
     .asks = kBehindAnother},
    {.title = "Something in the row of “b”",
     .link = {kCopied, "&view=model&layer=1&head=1&hide=effects"},
     .answer_before = "hardly anything.",
     .text = "So the row of “b” must say what stands before it, and only heads of layer 1 can have brought that there. "
             "At “b” alone, what one of them hands on is taken over from B, where an “r” stands before it. With one "
             "head the weight of “b” in layer 2 falls; with any other it stays above 0.96.",
     .points_at = "layer=1&head=1",
     .asks = kWritingHead},
    {.title = "The key says something else",
     .link = {kCopied, "&layer=2&head=8&patch=1:8@6&stage=scores&cell=8,10,5&check=scores&hide=scores[8,10,5]"},
     .answer_before = "head 8.",
     .text = "Head 8 of layer 1 looks at the token before, and what it hands on at “b” is B's now: so the key of “b” "
             "in layer 2 is another, while the query of “n” is as it was. In channel 4 the query is 1.9328 and the key "
             "−3.1306, in the place of 1.6563; the other seven products make 9.9860. What score has “b” now? Type it.",
     .points_at = "stage=scores token=5"},
    {.title = "The weight falls",
     .link = {kCopied, "&layer=2&head=8&patch=1:8@6&stage=weights&cell=8,10,5&check=weights&hide=weights[8,10,5]"},
     .answer_before = "3.9352.",
     .text = "With the “n” before it “b” had the score 21.1398. Now its score over √8 is 1.3913, the row's largest is "
             "3.3499, of the first “k”, and with that taken off the powers of e add up to 1.5692. What is left of the "
             "weight 0.9774 of “b”? Type it.",
     .points_at = "stage=weights token=5"},
    {.title = "And back again",
     .link = {kBroken, "&view=model&layer=2&head=8"},
     .answer_before = "0.0899.",
     .text = "The other way round: this text has the “r” before “b”, and the model says “k” with 0.9995. B is the text "
             "with the “n”. One row of one head is to be taken over.",
     .points_at = "word=k",
     .asks = kGivenBack},
    {.title = "Enough, and needed",
     .link = {kBroken, "&layer=2&head=8&patch=1:8@6&stage=weights&cell=8,10,5"},
     .answer_before = "“b”.",
     .text = "The last “n” gives “b” 0.9255 again, though an “r” stands before it. So this writing is enough. It is "
             "needed, too: with head 8 of layer 1 off, the text with the “n” keeps 0.1904; with any other head of that "
             "layer off, at least 0.9397.",
     .points_at = "stage=weights token=5"},
    {.title = "One behind the other",
     .link = {kCopied, "&view=patch"},
     .text = "Head 8 of layer 1 moves the choice between “b” and “k” by −25.095, head 8 of layer 2 by −25.114. Both "
             "have nearly all of it, for they are links of one chain and do not add up: patched together they move it "
             "by −26.697. Two such heads are called an induction circuit.",
     .points_at = "head=1.8 head=2.8",
     .keep = "An induction circuit is two heads: one writes which token came before, a later one looks for that.|"
             "The control is to change only what the first writes: the second one's weight falls, or comes back.|"
             "Links of one chain each carry all of it, so their effects do not add up."},
};

}  // namespace

constexpr LessonParts circuit_links = pack_links<kCircuitSteps>("circuit");
LessonText circuit_words() {
    return {.title = "Induction circuit: two heads, one behind the other",
            .about = "How a head finds the letter behind an earlier one, and what shows that another head told it.",
            .steps = pack_words<kCircuitSteps>()};
}

}  // namespace attn
