// The lessons about a trained model: what its heads learned, who votes for the next word, heads switched off, copying,
// layers, two readings by layer and head.
#include "playground/steps/lesson_table.h"
#include "playground/steps/predictions_of_models.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kOwn = "&model=first-words";
constexpr std::string_view kOwnView = "&model=first-words&view=model";
constexpr std::string_view kQuestionBegins = "text=the+artist+painted+the+portrait+of+a+woman+with+a+";
constexpr std::string_view kBrushAsked = "brush+.+who+has+the+brush+%3F+the";
constexpr std::string_view kHatAsked = "hat+.+who+has+the+hat+%3F+the";
constexpr std::string_view kPaletteAsked = "palette+.+who+has+the+palette+%3F+the";
constexpr std::string_view kAsked[] = {kQuestionBegins, kBrushAsked, kOwnView};
constexpr std::string_view kAskedHat[] = {kQuestionBegins, kHatAsked, kOwnView};
constexpr std::string_view kAskedPalette[] = {kQuestionBegins, kPaletteAsked, kOwnView};
constexpr std::string_view kAskedInLab[] = {kQuestionBegins, kBrushAsked, kOwn};
constexpr std::string_view kTwice[] = {"text=k+w+f+n+b+v+k+w+f+n"};
constexpr std::string_view kTwiceSeen[] = {"text=k+w+f+n+b+v+k+w+f+n", kOwnView};
constexpr std::string_view kRandomBrush[] = {kArtist};
constexpr std::string_view kOwnBrush[] = {kArtist, kOwn};

constexpr StepText kLearnedSteps[] = {
    {.title = "Random heads",
     .link = {kRandomBrush, "&stage=weights"},
     .text = "Both heads were drawn at random. Each row is a distribution, every number can be checked, and what they "
             "look at means nothing. Press Next for a model that was trained.",
     .points_at = "stage=weights"},
    {.title = "Trained heads, side by side",
     .link = {kTwiceSeen, "&layer=1&head=8"},
     .text = "This model has 2 layers of 8 heads, 110,336 numbers in all. Each card is a head; its words say what it "
             "does most on this text, some letters and the same ones again. The framed head looks at the token before.",
     .points_at = "layer=1&head=8"},
    {.title = "Where it looks",
     .link = {kTwice, "&model=first-words&layer=1&head=8&stage=weights&hide=weights[8,10,*]"},
     .text = "The same head, number by number; each row sums to 1. The row of the last “n” is left blank.",
     .points_at = "stage=weights layer",
     .asks = kTokenBefore},
    {.title = "On another text",
     .link = {kOwnBrush, "&layer=1&head=8&stage=weights&hide=weights[8,11,*]"},
     .answer_before = "at “f”, the token before.",
     .text = "The same head on the brush sentence. Here the row of “brush”, the last word, is left blank: does it look "
             "at the token before again?",
     .points_at = "stage=weights layer",
     .asks = kBeforeBrush},
    {.title = "The stream below",
     .link = {kOwnBrush, "&layer=2&head=8&stage=embeddings&cell=1,11,0"},
     .answer_before = "at “with”, two tokens back.",
     .text = "X of layer 2 is no longer the words' own vectors: it is the residual stream, in which layer 1 has "
             "written, after its norm.",
     .points_at = "stage=embeddings layer",
     .keep = "A trained head does things that can be named, such as looking at the token before.|"
             "Its role is a summary of one text; on another it may do something else."},
};

constexpr StepText kVotesSteps[] = {
    {.title = "Two readings, two words",
     .link = {kAsked, "&word=woman&layer=2&head=7"},
     .text =
         "“… with a brush. Who has the brush? The …” The model keeps both readings: woman 0.5998, artist 0.3924. "
         "The column says who votes for “woman”: head 7 of layer 2 adds 3.575 to its logit, head 1 takes 0.189 away.",
     .points_at = "vote=2.7"},
    {.title = "The other reading",
     .link = {kAsked, "&word=artist&layer=2&head=1"},
     .text = "For “artist” it is the other way round: head 1 adds 1.044, head 7 only 0.300. Two heads, two readings, "
             "as in the lecture. But layer 1's MLP has a say, too: 4.392 for “artist”, 2.439 for “woman”.",
     .points_at = "vote=2.1 vote=2.7"},
    {.title = "It adds up",
     .link = {kAsked, "&word=artist&layer=2&head=1"},
     .text = "The stream is a sum, and with the last norm's scale held fixed a logit is a sum too. Add the printed "
             "column: it gives 11.678, to the last digit.",
     .points_at = "vote=2.1"},
    {.title = "Where head 7 looks",
     .link = {kAskedInLab, "&layer=2&head=7&stage=weights&hide=weights[7,18,*]"},
     .text = "These are the weights of head 7, which votes for “woman”. The row of the last “the”, behind which "
             "“woman” or “artist” is to come, is left blank.",
     .points_at = "stage=weights layer",
     .asks = kSevenLooks},
    {.title = "Where head 1 looks",
     .link = {kAskedInLab, "&layer=2&head=1&stage=weights&hide=weights[1,18,*]"},
     .answer_before = "at the first “brush”.",
     .text = "So head 7 votes for “woman” without looking at her. Head 1 votes for “artist” and takes a little from "
             "“woman”; again the row of the last “the” is left blank.",
     .points_at = "stage=weights layer",
     .asks = kOneLooks},
    {.title = "One reading",
     .link = {kAskedHat, "&word=woman&layer=2&head=7"},
     .answer_before = "at both, more at “artist”.",
     .text = "Now a hat: it belongs to the one in the picture, and “woman” has 0.9986. Head 7, which looks at the "
             "thing, adds 5.456 for her.",
     .points_at = "vote=2.7"},
    {.title = "The other one",
     .link = {kAskedPalette, "&word=artist&layer=2&head=1"},
     .text =
         "A palette is a painter's tool, and “artist” has 0.9980. Head 1 looks at both persons and adds 1.392 for him; "
         "with the hat it looked at a “the” and took 0.297 away.",
     .points_at = "vote=2.1",
     .keep = "A logit is a sum, with the last norm's scale held fixed: each head and each MLP adds its part.|"
             "A head can vote for a word without looking at it."},
};

constexpr StepText kOffSteps[] = {
    {.title = "What would happen?",
     .link = {kAsked, "&word=woman&layer=2&head=1&hide=effects"},
     .text = "Head 7 of layer 2 adds 3.575 to the logit of “woman”. A head that is switched off hands on 0 instead of "
             "its context; its weights stay.",
     .points_at = "vote=2.7",
     .asks = kWithoutSeven},
    {.title = "Without head 7",
     .link = {kAsked, "&word=artist&layer=2&head=7&off=2:7"},
     .answer_before = "“artist”, with 0.8843.",
     .text = "“woman” has only 0.0515: her reading went with its head. The line at each bar is where it ended before.",
     .points_at = "word=artist off=2:7"},
    {.title = "Without head 1",
     .link = {kAsked, "&word=woman&layer=2&head=1&off=2:1"},
     .text = "The other way round, but less of it: without head 1 “woman” has 0.8560, and “artist” keeps 0.1377. His "
             "reading hangs on more than this head.",
     .points_at = "word=woman off=2:1"},
    {.title = "A head that hardly votes",
     .link = {kAsked, "&word=artist&layer=1&head=5&off=1:5"},
     .text = "Head 5 of layer 1 voted against “artist” with −0.138, as good as nothing; yet without it “woman” has "
             "0.9942. Others work with what it finds: layer 1's MLP now adds 1.918 to “artist” instead of 4.392.",
     .points_at = "off=1:5"},
    {.title = "What it looked at",
     .link = {kAskedInLab, "&layer=1&head=5&stage=weights&hide=weights[5,18,*]"},
     .text = "Head 5 of layer 1 hardly votes, and yet one reading hangs on it. These are its weights; the row of the "
             "last “the” is left blank.",
     .points_at = "stage=weights layer",
     .asks = kFiveLooks},
    {.title = "Three heads in order",
     .link = {kAsked, "&word=artist&layer=2&head=3&hide=effects"},
     .answer_before = "at “artist”.",
     .text = "Three heads of layer 2 vote differently: head 7 for “woman”, head 1 for “artist” and against “woman”, "
             "head 2 for both alike. One of them is to be switched off.",
     .points_at = "vote=2.7 vote=2.1",
     .asks = kThreeHeads},
    {.title = "A vote that is hardly missed",
     .link = {kAsked, "&word=artist&layer=2&head=2&off=2:2"},
     .answer_before = "without head 7, without head 2, without head 1.",
     .text = "Head 2 of layer 2 voted for “artist” with 1.554, and without it he has 0.4111 instead of 0.3924: it had "
             "added 1.591 to “woman”, too. No vote, large or small, says how much a head is needed; that is why one "
             "switches heads off.",
     .points_at = "off=2:2",
     .keep = "Switch a head off to see what it is good for: its vote alone does not tell.|"
             "A head that hardly votes can matter much, as later parts work with what it found."},
};

constexpr StepText kCopyingSteps[] = {
    {.title = "Six letters, and again",
     .link = {kTwiceSeen, "&word=b&layer=2&head=8"},
     .text = "k w f n b v, then k w f n: what comes next? The model says “b” with 0.9998. Its training had copies of "
             "3, 4, 5, 7, 8 and 9 letters, but none of 6.",
     .points_at = "word=b"},
    {.title = "Where the second “n” looks",
     .link = {kTwice, "&model=first-words&layer=2&head=8&stage=weights&hide=weights[8,10,*]"},
     .text = "The second “n” asks what comes next, and the answer is “b”. These are the weights of head 8 of layer 2; "
             "the row of the second “n” is left blank.",
     .points_at = "token=10 layer",
     .asks = kBehindTheCopy},
    {.title = "An induction head",
     .link = {kTwiceSeen, "&word=b&layer=1&head=1&hide=effects"},
     .answer_before = "at the “b” behind the first “n”.",
     .text = "A head that looks at what came next the last time is called an induction head. But how does “b” know "
             "that it stands behind an “n”? A head of layer 1 must have written it there.",
     .points_at = "layer=1&head=1",
     .asks = kWhoWrites},
    {.title = "It needs another head",
     .link = {kTwiceSeen, "&layer=1&head=8"},
     .answer_before = "head 8.",
     .text = "Head 8 of layer 1 looks at the token before and writes it into the stream, so “b” knows that it stands "
             "behind an “n”. Two layers are needed: one writes, the next reads.",
     .points_at = "layer=1&head=8"},
    {.title = "Cut the wire",
     .link = {kTwiceSeen, "&word=k&layer=1&head=8&off=1:8"},
     .text = "With that head off “k” has 0.9866, and the copy is lost: head 8 of layer 2 no longer finds the “b”. "
             "Some letters lose less: in k f p q t w k f p q the “t” keeps 0.7620.",
     .points_at = "off=1:8 word=k"},
    {.title = "Two that look alike",
     .link = {kTwiceSeen, "&word=b&layer=2&head=3&off=2:3"},
     .text = "Head 3 of layer 2 looks at the “b”, too, with 0.9670. Without it “b” has 0.9995; without head 8 “u” "
             "comes first, with 0.2707. Where a head looks does not say what it hands on.",
     .points_at = "off=2:3 layer=2&head=8",
     .keep = "An induction head looks at what came next the last time.|"
             "It takes two layers: one head writes which token came before, the other reads it."},
};

constexpr StepText kLayersSteps[] = {
    {.title = "The mean of a layer",
     .link = {kAsked, "&map=mean&layer=1"},
     .text =
         "All heads of layer 1 as one map: their mean. What single heads do grows pale in it. A mean hides who looks "
         "where.",
     .points_at = "layer=1&map=mean"},
    {.title = "A head of layer 1",
     .link = {kAskedInLab, "&layer=1&head=8&stage=weights&cell=8,18,17"},
     .text = "Head 8 of layer 1 alone: from the last “the” it gives the “?” before it 0.9844. Head 3 gives it 0.9971; "
             "the other six look elsewhere, or at several tokens.",
     .points_at = "stage=weights layer",
     .asks = kInTheMean},
    {.title = "A head of layer 2",
     .link = {kAskedInLab, "&layer=2&head=4&stage=weights&hide=weights[4,18,*]"},
     .answer_before = "about a third.",
     .text = "One layer further the same token asks again, of rows in which layer 1 has written. This is head 4; the "
             "row of the last “the” is left blank.",
     .points_at = "stage=weights layer",
     .asks = kFourLooks},
    {.title = "Rollout",
     .link = {kAsked, "&map=rollout&layer=2"},
     .answer_before = "at the first “brush”.",
     .text = "If each layer kept half of its stream and gathered the other half by its mean weights, so much of each "
             "word would have arrived. Rollout joins the layers, and knows nothing of values, norms and MLPs.",
     .points_at = "layer=2&map=rollout"},
    {.title = "The stream grows",
     .link = {kAsked, "&layer=2&head=7"},
     .text = "What a layer finds is only added to the stream; to erase something, a layer adds its opposite. Here the "
             "stream grows longer from layer to layer, and the norm before each part brings it back to size. Its curve "
             "stands below the words; the button under it asks which word each layer's stream would give.",
     .points_at = "model=lens",
     .keep = "A mean of heads hides who looks where.|"
             "Every part only adds to the residual stream.|"
             "Rollout joins the layers' tables, and knows nothing of values, norms and MLPs."},
};

constexpr StepText kBertvizSteps[] = {
    {.title = "Layer 1, all heads",
     .link = {kOwnBrush, "&view=lines&layer=1&select=11"},
     .text = "The picture that BertViz made known: each line a weight, each colour a head. “brush” is selected; its "
             "heads in layer 1 look at different words: head 4 at “woman”, head 3 at “artist”. Are these the readings?",
     .points_at = "layer token=11"},
    {.title = "One line",
     .link = {kOwnBrush, "&view=lines&layer=1&head=3&select=11"},
     .text = "Head 3 alone: its thickest line leads from “brush” to “artist”. Does the model need that line? Ask it "
             "who has the brush, as in the lessons before, and switch head 3 off.",
     .points_at = "layer token=11",
     .asks = kWithoutThree},
    {.title = "Another line",
     .link = {kOwnBrush, "&view=lines&layer=1&head=5&select=11"},
     .answer_before = "“artist” has less.",
     .text = "The thickest line of head 5 leads from “brush” to “woman”. Now head 3 is on again, and head 5 is to be "
             "switched off.",
     .points_at = "layer token=11",
     .asks = kWithoutFive},
    {.title = "Does it matter?",
     .link = {kAsked, "&word=artist&layer=1&head=3&off=1:3"},
     .answer_before = "“woman” has more.",
     .text = "Ask who has the brush: without head 3 “artist” has 0.1993 instead of 0.3924, without head 4 “woman” has "
             "0.4554 instead of 0.5998. These two help the word they looked at. That is no rule: head 5 looks most at "
             "“woman”, and without it “woman” has 0.9942.",
     .points_at = "off=1:3 layer=1&head=4"},
    {.title = "Layer 2",
     .link = {kAskedInLab, "&view=lines&layer=2&select=18"},
     .text = "One layer further the last “the” must choose: four heads look most at the first “brush”, head 1 at "
             "“artist” and “woman”. Step through the layers with the number before the stages.",
     .points_at = "token=18 layer"},
    {.title = "With BERT's own files",
     .link = {kAskedInLab, "&view=lines&layer=2&head=7&select=18"},
     .text = "Anyone who has the files of bert-base-uncased can drop them on the page (config.json, model.safetensors, "
             "tokenizer.json) and walk through its layers in the same way. Nothing is uploaded.",
     .points_at = "layer",
     .keep = "A picture of weights shows where heads look, not what that does to the next word.|"
             "Without a head, the word that it looked at may lose or win."},
};

}  // namespace

constexpr LessonParts learned_links = pack_links<kLearnedSteps>("learned");
LessonText learned_words() {
    return {.title = "Trained heads: beside random ones",
            .about = "A sentence in random heads, then in those of a trained model.",
            .steps = pack_words<kLearnedSteps>()};
}

constexpr LessonParts votes_links = pack_links<kVotesSteps>("votes");
LessonText votes_words() {
    return {.title = "Logits: who voted for the next word",
            .about = "A logit taken apart into what each head and MLP adds, in a column that adds up.",
            .steps = pack_words<kVotesSteps>()};
}

constexpr LessonParts off_links = pack_links<kOffSteps>("off");
LessonText off_words() {
    return {.title = "Ablation: switch a head off",
            .about = "What a head is good for shows when it is missing.",
            .steps = pack_words<kOffSteps>()};
}

constexpr LessonParts copying_links = pack_links<kCopyingSteps>("copying");
LessonText copying_words() {
    return {.title = "Induction head: copying",
            .about = "Letters that come again: one head writes what came before, another reads it.",
            .steps = pack_words<kCopyingSteps>()};
}

constexpr LessonParts layers_links = pack_links<kLayersSteps>("layers");
LessonText layers_words() {
    return {.title = "Residual stream, rollout: layer by layer",
            .about = "Mean of the heads, attention rollout, and the residual stream that grows.",
            .steps = pack_words<kLayersSteps>()};
}

constexpr LessonParts bertviz_links = pack_links<kBertvizSteps>("bertviz");
LessonText bertviz_words() {
    return {.title = "BertViz: two readings by layer and head",
            .about = "The lecture's demonstration with BertViz, on a model whose every number can be checked.",
            .steps = pack_words<kBertvizSteps>()};
}

}  // namespace attn
