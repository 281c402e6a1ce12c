// The lessons about a trained model: what its heads learned, who votes for the next word, heads switched off, copying,
// layers, two readings by layer and head.
#include "playground/steps/lesson_table.h"
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
constexpr std::string_view kTwice[] = {"text=k+f+p+q+t+w+k+f+p+q"};
constexpr std::string_view kTwiceSeen[] = {"text=k+f+p+q+t+w+k+f+p+q", kOwnView};
constexpr std::string_view kRandomBrush[] = {kArtist};
constexpr std::string_view kOwnBrush[] = {kArtist, kOwn};

constexpr StepText kLearnedSteps[] = {
    {.title = "Random heads",
     .link = {kRandomBrush, "&stage=weights"},
     .text = "Both heads were drawn at random. Each row is a distribution, every number can be checked, and what they "
             "look at means nothing. Press Next for a model that was trained.",
     .points_at = "stage=weights"},
    {.title = "Trained heads, side by side",
     .link = {kTwiceSeen, "&layer=1&head=3"},
     .text = "This model has 2 layers of 8 heads, 110,336 numbers in all. Each card is a head; its words say what it "
             "does most on this text, some letters and the same ones again. The framed head looks at the token before.",
     .points_at = "layer=1&head=3"},
    {.title = "Score by score",
     .link = {kTwice,
              "&model=first-words&layer=1&head=3&stage=scaled_scores&cell=3,10,9&check=scaled_scores&hide=scaled_"
              "scores[3,10,9]"},
     .text =
         "The same head in the laboratory. The last “q” asks, and the key of the “p” before it gives the score 8.0639. "
         "It is divided by the square root of 8. Type the scaled score.",
     .points_at = "stage=scaled_scores layer"},
    {.title = "The token before",
     .link = {kTwice, "&model=first-words&layer=1&head=3&stage=weights&cell=3,10,9&check=weights&hide=weights[3,10,9]"},
     .text = "It is 2.8510, the largest of its row, so its exponential behind the softmax is 1. The row's exponentials "
             "together give 1.8450. Type the weight of the token before.",
     .points_at = "stage=weights layer"},
    {.title = "The stream below",
     .link = {kOwnBrush, "&layer=2&head=8&stage=embeddings&cell=1,11,0"},
     .text =
         "It is 0.5420: more than half of its attention. And X of layer 2 is no longer the words' own vectors: it is "
         "the residual stream, in which layer 1 has written, after its norm.",
     .points_at = "stage=embeddings layer"},
};

constexpr StepText kVotesSteps[] = {
    {.title = "Two readings, two words",
     .link = {kAsked, "&word=artist&layer=2&head=7"},
     .text =
         "“… with a brush. Who has the brush? The …” The model keeps both readings: artist 0.5712, woman 0.4215. "
         "The column says who votes for “artist”: head 7 of layer 2 adds 4.727 to its logit, head 8 takes 0.139 away.",
     .points_at = "word=artist vote=2.7"},
    {.title = "The other reading",
     .link = {kAsked, "&word=woman&layer=2&head=8"},
     .text = "For “woman” it is the other way round: head 8 adds 3.697, head 7 only 0.997. Two heads hold the two "
             "readings: what the lecture says of two heads stands here in a trained model.",
     .points_at = "word=woman vote=2.8 vote=2.7"},
    {.title = "It adds up",
     .link = {kAsked, "&word=artist&layer=2&head=7"},
     .text = "The stream is a sum, and with the last norm's scale held fixed a logit is a sum too. Add the printed "
             "column: it gives 12.919, to the last digit.",
     .points_at = "word=artist"},
    {.title = "Where head 7 looks",
     .link = {kAskedInLab,
              "&layer=2&head=7&stage=scaled_scores&cell=7,18,14&check=scaled_scores&hide=scaled_scores[7,18,14]"},
     .text = "At the last “the” head 7 looks at “has”: the score is 34.1766, and the square root of 8 divides it. Type "
             "the scaled score.",
     .points_at = "stage=scaled_scores layer"},
    {.title = "Nearly all of it",
     .link = {kAskedInLab, "&layer=2&head=7&stage=weights&cell=7,18,14&check=weights&hide=weights[7,18,14]"},
     .text =
         "It is 12.0833, the largest of its row. The exponentials, each divided by the largest, sum to 1.0119. Type "
         "the weight.",
     .points_at = "stage=weights layer"},
    {.title = "One reading",
     .link = {kAskedHat, "&word=woman&layer=2&head=8"},
     .text = "It is 0.9883. Now a hat: it belongs to the one in the picture, and “woman” has 0.9989. Head 8 adds 4.411 "
             "for her.",
     .points_at = "word=woman vote=2.8"},
    {.title = "The other one",
     .link = {kAskedPalette, "&word=artist&layer=2&head=7"},
     .text =
         "A palette is a painter's tool, and “artist” has 0.9987. Head 7 adds 5.561 for him: each head waits for its "
         "kind of thing.",
     .points_at = "word=artist vote=2.7"},
};

constexpr StepText kOffSteps[] = {
    {.title = "What would happen?",
     .link = {kAsked, "&word=artist&layer=2&head=7"},
     .text =
         "Head 7 of layer 2 adds 4.727 to the logit of “artist”. Switch it off: it hands on 0 instead of its context, "
         "its weights stay. Which word is the most probable then? Decide, then press the button.",
     .points_at = "off=2:7"},
    {.title = "Without head 7",
     .link = {kAsked, "&word=woman&layer=2&head=7&off=2:7"},
     .text =
         "“woman” has 0.9912: without that voice the second reading is the only one. The line at each bar is where it "
         "ended before.",
     .points_at = "word=woman off=2:7"},
    {.title = "Without head 8",
     .link = {kAsked, "&word=artist&layer=2&head=8&off=2:8"},
     .text = "The other way round: without head 8 “artist” has 0.9722 and “woman” 0.0140. Each reading needs its head.",
     .points_at = "word=artist off=2:8"},
    {.title = "What it looked at",
     .link = {kAskedInLab,
              "&layer=2&head=8&stage=scaled_scores&cell=8,18,9&check=scaled_scores&hide=scaled_scores[8,18,9]"},
     .text =
         "Head 8 looks at “with”. Its score there is 28.4690, divided by the square root of 8. Type the scaled score.",
     .points_at = "stage=scaled_scores layer"},
    {.title = "Its weight",
     .link = {kAskedInLab, "&layer=2&head=8&stage=weights&cell=8,18,9&check=weights&hide=weights[8,18,9]"},
     .text =
         "It is 10.0653, the largest of its row; the exponentials, each divided by the largest, sum to 1.0447. Type "
         "the weight of “with”.",
     .points_at = "stage=weights layer"},
    {.title = "A head that is hardly missed",
     .link = {kAsked, "&word=artist&layer=2&head=5&off=2:5"},
     .text =
         "It is 0.9572. Without head 5 “artist” has 0.5620 instead of 0.5712: many heads can go with little harm. A "
         "large vote is no proof that nobody else would step in; that is why one switches heads off.",
     .points_at = "off=2:5"},
};

constexpr StepText kCopyingSteps[] = {
    {.title = "Six letters, and again",
     .link = {kTwiceSeen, "&word=t&layer=2&head=8"},
     .text = "k f p q t w, then k f p q: what comes next? The model says “t” with 0.9996. It never saw a copy of this "
             "length while it was trained.",
     .points_at = "word=t"},
    {.title = "Behind the earlier copy",
     .link = {kTwice,
              "&model=first-words&layer=2&head=8&stage=scaled_scores&cell=8,10,5&check=scaled_scores&hide=scaled_"
              "scores[8,10,5]"},
     .text = "The second “q” asks. Head 8 looks neither at itself nor at the first “q”, but at the “t” behind it: the "
             "score is 19.2171. Type it divided by the square root of 8.",
     .points_at = "token=10 token=5 layer"},
    {.title = "An induction head",
     .link = {kTwice, "&model=first-words&layer=2&head=8&stage=weights&cell=8,10,5&check=weights&hide=weights[8,10,5]"},
     .text =
         "It is 6.7943, the largest of its row; the exponentials, each divided by the largest, sum to 1.0186. Type the "
         "weight. A head that looks at what came next the last time is called an induction head.",
     .points_at = "stage=weights layer"},
    {.title = "It needs another head",
     .link = {kTwiceSeen, "&layer=1&head=3"},
     .text =
         "It is 0.9817. How does “t” know that it stands behind a “q”? Head 3 of layer 1 looks at the token before and "
         "writes it into the stream. Two layers are needed: one writes, the next reads.",
     .points_at = "layer=1&head=3"},
    {.title = "Cut the wire",
     .link = {kTwiceSeen, "&word=t&layer=1&head=3&off=1:3"},
     .text =
         "With that head off “k” has 0.9974, and the copy is lost. The heads that copy are all there and find nothing "
         "to read.",
     .points_at = "off=1:3 word=k"},
    {.title = "A copy of a copy",
     .link = {kTwiceSeen, "&word=t&layer=2&head=8&off=2:8"},
     .text = "With head 8 off “t” still has 0.8397: others do the same. Several heads learned to copy, and nobody told "
             "them to share.",
     .points_at = "off=2:8"},
};

constexpr StepText kLayersSteps[] = {
    {.title = "The mean of a layer",
     .link = {kAsked, "&map=mean&layer=1"},
     .text =
         "All heads of layer 1 as one map: their mean. What single heads do grows pale in it. A mean hides who looks "
         "where.",
     .points_at = "layer=1&map=mean"},
    {.title = "A head of layer 1",
     .link = {kAskedInLab,
              "&layer=1&head=2&stage=scaled_scores&cell=2,18,17&check=scaled_scores&hide=scaled_scores[2,18,17]"},
     .text =
         "Head 2 of layer 1 at the last “the”: its score with the “?” before it is 28.4849, divided by the square root "
         "of 8. Type the scaled score.",
     .points_at = "stage=scaled_scores layer"},
    {.title = "A head of layer 2",
     .link = {kAskedInLab, "&layer=2&head=3&stage=weights&cell=3,18,9&check=weights&hide=weights[3,18,9]"},
     .text = "It is 10.0709. One layer further the same token looks elsewhere: head 3 of layer 2 at “with”. Its scaled "
             "score is the largest; the exponentials, each divided by it, sum to 1.0026. Type the weight.",
     .points_at = "stage=weights layer"},
    {.title = "Rollout",
     .link = {kAsked, "&map=rollout&layer=2"},
     .text =
         "It is 0.9974. If each layer kept half of its stream and gathered the other half by its mean weights, so much "
         "of each word would have arrived. Rollout joins the layers, and knows nothing of values, norms and MLPs.",
     .points_at = "layer=2&map=rollout"},
    {.title = "The stream grows",
     .link = {kAsked, "&layer=2&head=8"},
     .text =
         "What a layer finds is added to the stream, nothing is taken out. Here it grows longer from layer to layer, "
         "and the norm before each part brings it back to size. Its curve stands below the words.",
     .points_at = "view=model"},
};

constexpr StepText kBertvizSteps[] = {
    {.title = "Layer 1, all heads",
     .link = {kOwnBrush, "&view=lines&layer=1&select=11"},
     .text =
         "The picture that BertViz made known: each line a weight, each colour a head. “brush” is selected; its heads "
         "in layer 1 look at different words.",
     .points_at = "layer token=11"},
    {.title = "Layer 2",
     .link = {kOwnBrush, "&view=lines&layer=2&select=11"},
     .text =
         "One layer further the same word looks elsewhere. Step through the layers with the number before the stages.",
     .points_at = "layer token=11"},
    {.title = "Who has it?",
     .link = {kAskedInLab, "&view=lines&layer=2&select=18"},
     .text = "Asked who has the brush, the last “the” must choose. Its heads split: four look most at “with”, head 7 "
             "at “has”.",
     .points_at = "token=18 layer"},
    {.title = "One line",
     .link = {kAskedInLab,
              "&layer=2&head=1&stage=scaled_scores&cell=1,18,9&check=scaled_scores&hide=scaled_scores[1,18,9]"},
     .text =
         "Behind each line stands the same arithmetic. Head 1 gives “with” the score 18.8273; type it divided by the "
         "square root of 8.",
     .points_at = "stage=scaled_scores layer"},
    {.title = "Its thickness",
     .link = {kAskedInLab, "&layer=2&head=1&stage=weights&cell=1,18,9&check=weights&hide=weights[1,18,9]"},
     .text =
         "It is 6.6565, the largest of its row; the exponentials, each divided by the largest, sum to 1.0241. Type the "
         "weight.",
     .points_at = "stage=weights layer"},
    {.title = "With BERT's own files",
     .link = {kAskedInLab, "&view=lines&layer=2&head=8&select=18"},
     .text = "It is 0.9765. Who has the files of bert-base-uncased can drop them on the page (config.json, "
             "model.safetensors, tokenizer.json) and walk through its layers in the same way. Nothing is uploaded.",
     .points_at = "layer"},
};

}  // namespace

constexpr LessonParts learned_links = pack_links<kLearnedSteps>("learned");
LessonText learned_words() {
    return {.title = "Heads that learned something",
            .about = "A sentence in random heads, then in those of a trained model.",
            .steps = pack_words<kLearnedSteps>()};
}

constexpr LessonParts votes_links = pack_links<kVotesSteps>("votes");
LessonText votes_words() {
    return {.title = "Who voted for the next word",
            .about = "A logit taken apart into what each head and MLP adds, in a column that adds up.",
            .steps = pack_words<kVotesSteps>()};
}

constexpr LessonParts off_links = pack_links<kOffSteps>("off");
LessonText off_words() {
    return {.title = "Switch a head off",
            .about = "What a head is good for shows when it is missing.",
            .steps = pack_words<kOffSteps>()};
}

constexpr LessonParts copying_links = pack_links<kCopyingSteps>("copying");
LessonText copying_words() {
    return {.title = "Copying: the induction head",
            .about = "Letters that come again: one head writes what came before, another reads it.",
            .steps = pack_words<kCopyingSteps>()};
}

constexpr LessonParts layers_links = pack_links<kLayersSteps>("layers");
LessonText layers_words() {
    return {.title = "Layer by layer",
            .about = "Mean of the heads, attention rollout, and the residual stream that grows.",
            .steps = pack_words<kLayersSteps>()};
}

constexpr LessonParts bertviz_links = pack_links<kBertvizSteps>("bertviz");
LessonText bertviz_words() {
    return {.title = "Two readings by layer and head",
            .about = "The lecture's demonstration with BertViz, on a model whose every number can be checked.",
            .steps = pack_words<kBertvizSteps>()};
}

}  // namespace attn
