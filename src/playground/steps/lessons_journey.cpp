// The lessons about one short sentence and one head: attention without any learned matrix, then with three of them.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kNotebook = "chapter 3 of “Build a Large Language Model”";
constexpr std::string_view kLecture = "the lecture on trainable weights";

constexpr PrintedText kPlainScores[] = {
    {.stage = TensorId::scores, .row = 1, .numbers = "0.9544,1.4950,1.4754,0.8434,0.7070,1.0865", .source = kNotebook}};
constexpr PrintedText kPlainWeights[] = {{.stage = TensorId::weights,
                                          .numbers = "0.2098,0.2006,0.1981,0.1242,0.1220,0.1452;"
                                                     "0.1385,0.2379,0.2333,0.1240,0.1082,0.1581;"
                                                     "0.1390,0.2369,0.2326,0.1242,0.1108,0.1565;"
                                                     "0.1435,0.2074,0.2046,0.1462,0.1263,0.1720;"
                                                     "0.1526,0.1958,0.1975,0.1367,0.1879,0.1295;"
                                                     "0.1385,0.2184,0.2128,0.1420,0.0988,0.1896",
                                          .source = kNotebook}};
constexpr PrintedText kPlainContext[] = {{.stage = TensorId::context,
                                          .numbers = "0.4421,0.5931,0.5790;"
                                                     "0.4419,0.6515,0.5683;"
                                                     "0.4431,0.6496,0.5671;"
                                                     "0.4304,0.6298,0.5510;"
                                                     "0.4671,0.5910,0.5266;"
                                                     "0.4177,0.6503,0.5645",
                                          .source = kNotebook}};
constexpr PrintedText kQueryOfJourney[] = {
    {.stage = TensorId::queries, .row = 1, .numbers = "0.4306,1.4551", .source = kLecture}};
constexpr PrintedText kScoresOfJourney[] = {
    {.stage = TensorId::scores, .row = 1, .numbers = "1.2705,1.8524,1.8111,1.0795,0.5577,1.5440", .source = kNotebook}};
constexpr PrintedText kWeightsOfJourney[] = {
    {.stage = TensorId::weights, .row = 1, .numbers = "0.1500,0.2264,0.2199,0.1311,0.0906,0.1820", .source = kLecture}};
constexpr PrintedText kContextOfAll[] = {{.stage = TensorId::context,
                                          .numbers = "0.2996,0.8053;"
                                                     "0.3061,0.8210;"
                                                     "0.3058,0.8203;"
                                                     "0.2948,0.7939;"
                                                     "0.2927,0.7891;"
                                                     "0.2990,0.8040",
                                          .source = kLecture}};
constexpr PrintedText kLinearContext[] = {{.stage = TensorId::context,
                                           .numbers = "-0.0739,0.0713;"
                                                      "-0.0748,0.0703;"
                                                      "-0.0749,0.0702;"
                                                      "-0.0760,0.0685;"
                                                      "-0.0763,0.0679;"
                                                      "-0.0754,0.0693",
                                           .source = kNotebook}};
constexpr PrintedText kWeightsOfAll[] = {{.stage = TensorId::weights, .numbers = kLinearWeights, .source = kNotebook}};

constexpr std::string_view kPlain[] = {kJourney, "&d_out=3&heads=1&mask=none&scale=none&init=none&out=0"};
constexpr std::string_view kRand[] = {kJourney, "&d_out=2&heads=1&mask=none&out=0&init=torch.rand&seed=123"};
constexpr std::string_view kLinear[] = {kJourney, "&d_out=2&heads=1&mask=none&out=0&init=torch.linear&seed=789"};

constexpr ChoiceText kWithOrYourChoices[] = {
    {"“with”", "scores 1,1,3 > scores 1,1,0",
     "The direction of “with” is better, but a dot product also grows with the length."},
    {"“Your”", "scores 1,1,0 > scores 1,1,3", "“Your” is longer, but that does not make up for its direction here."},
    {"both the same", "scores 1,1,0 = scores 1,1,3", "Direction and length pull apart, and one of them wins."},
};
constexpr PredictionText kWithOrYour = {
    .question = "Which scores higher with “journey”?",
    .choices = kWithOrYourChoices,
    .reason = "The score of “Your” is {scores 1,1,0}, that of “with” {scores 1,1,3}."};

constexpr StepText kWithoutWeightsSteps[] = {
    {.title = "Six tokens, three numbers each",
     .link = {kPlain, "&stage=embeddings"},
     .text = "Each word of the sentence is one row of X, here three numbers typed by hand instead of learned "
             "ones. In a trained model, words that are used alike get rows that point the same way; these "
             "numbers were only chosen.",
     .points_at = "stage=embeddings token=1 token=2"},
    {.title = "The rows as arrows",
     .link = {kPlain, "&view=vectors&plane=principal&stage=embeddings&cell=1,1,0&hide=values"},
     .text =
         "Seen from “journey”, “starts” is only 1.5° away, “with” 11.0° and “Your” 38.7°. A dot product is large where "
         "two arrows point the same way and are long, and “Your” is the longer of the two: 0.9997 against 0.7026.",
     .points_at = "view=vectors",
     .asks = kWithOrYour},
    {.title = "A score is a dot product",
     .link = {kPlain, "&stage=scores&cell=1,1,0"},
     .answer_before = "“Your”, with 0.9544 against 0.8434.",
     .text = "The row of “journey” is multiplied with each row, number by number, and added up: that is its dot "
             "product. Here length wins over direction. Nothing is learned, so queries and keys are X itself and the "
             "table is the same across its diagonal.",
     .points_at = "stage=scores token=1",
     .printed = kPlainScores},
    {.title = "Softmax turns scores into weights",
     .link = {kPlain, "&stage=weights&cell=1,1,0&row_stat=sum"},
     .text = "Each score becomes e to the power of it, divided by the sum of its row: all positive, and together 1, so "
             "they can be read as shares. The formula below the table takes the row's largest score off first: that "
             "keeps the powers small and changes no weight. The order of the scores stays, the larger ones gain. "
             "Nothing is masked here, so each word may look at the words after it, too.",
     .points_at = "stage=weights token=1",
     .printed = kPlainWeights},
    {.title = "Add up a context vector",
     .link = {kPlain, "&stage=context&cell=1,1,0&check=context"},
     .text = "The rows of X are added up, each times its weight: 0.1385 of “Your”, 0.2379 of “journey”, and "
             "so on. Do it for the first numbers of the rows, 0.1385 × 0.43 + 0.2379 × 0.55 + …, and type the "
             "sum. A hint shows the products.",
     .points_at = "stage=context token=1"},
    {.title = "The context vector is a weighted mean",
     .link = {kPlain, "&stage=context&cell=1,1,0"},
     .answer_before = "0.4419.",
     .text = "The context vector stands where “journey” stood and now holds something of the whole sentence. Change a "
             "number of X and follow it. Or type another sentence above: its words take these six rows over, until you "
             "press “Use random numbers”.",
     .points_at = "stage=context token=1",
     .printed = kPlainContext},
    {.title = "One score by hand",
     .link = {kPlain, "&stage=scores&cell=1,4,0&check=scores"},
     .text = "Type the score of “one” for “Your”: three products, added up. A hint shows them.",
     .points_at = "stage=scores stage=embeddings",
     .keep = "A score is a dot product: it is large where two vectors are long and point the same way.|"
             "A softmax makes weights of a row of scores: all above 0, and their sum is 1.|"
             "A context vector is a sum of vectors, each times its weight."},
};

constexpr ChoiceText kStepOrJourneyChoices[] = {
    {"“journey” gives “step” more", "weights 1,1,5 > weights 1,5,1",
     "Its score is the larger one, but each row is divided by its own sum."},
    {"“step” gives “journey” more", "weights 1,5,1 > weights 1,1,5",
     "Its score is larger against the others of its row, but not by enough."},
    {"both give the same", "weights 1,1,5 = weights 1,5,1",
     "Only a table that is the same across its diagonal, divided by equal sums, would do that."},
};
constexpr PredictionText kStepOrJourney = {.question = "Which of the two gives the other the larger weight?",
                                           .choices = kStepOrJourneyChoices,
                                           .reason =
                                               "“step” gives {weights 1,5,1} and gets {weights 1,1,5}: what counts is "
                                               "how a score stands among those of its row."};

constexpr ChoiceText kLinearStartChoices[] = {
    {"near 1, as here", "peak weights@step=13 > 0.5",
     "nn.Linear draws within ±1/√768, so the scores come close together."},
    {"near 1/11", "peak weights@step=13 < 0.3", "With such scores one token would stand out."},
    {"in between, about 0.4", "peak weights@step=13 > 0.3 & peak weights@step=13 < 0.5",
     "The numbers are so small that hardly any token stands out."},
};
constexpr PredictionText kLinearStart = {.question = "What will the largest weights be with nn.Linear?",
                                         .choices = kLinearStartChoices,
                                         .reason = "No row gives more than {peak weights@step=13} to one token."};

constexpr StepText kTrainableWeightsSteps[] = {
    {.title = "Three matrices instead of none",
     .link = {kRand, "&stage=queries&cell=1,1,0"},
     .text = "A query says what a token looks for: that of “journey” is its row times W_q. Each of the three matrices "
             "has 3 rows, as X has 3 columns; that they have 2 columns was chosen. The notebook draws them as "
             "nn.Parameter(torch.rand(3, 2), requires_grad=False) after torch.manual_seed(123); with that flag "
             "training would leave them as they are.",
     .points_at = "stage=queries init=torch.rand seed",
     .printed = kQueryOfJourney},
    {.title = "Keys and values",
     .link = {kRand, "&stage=keys&cell=1,1,0"},
     .text = "Think of a search in a database. The query is what you type in, a key is what an entry is found "
             "by, and the value is what the entry hands over. Each token has all three, and from here on nothing "
             "looks at X any more; “journey” is found by (0.4433, 1.1419).",
     .points_at = "stage=queries stage=keys stage=values"},
    {.title = "Why the keys are turned",
     .link = {kRand, "&stage=scores&cell=1,1,1"},
     .text = "A matrix product takes rows of the first times columns of the second. Q and K are both 6 × 2, "
             "so K is transposed, turned on its side: (6 × 2) · (2 × 6) = (6 × 6), each query with each key. "
             "For “journey” with itself 0.4306 × 0.4433 + 1.4551 × 1.1419 = 1.8524.",
     .points_at = "stage=scores token=1"},
    {.title = "Scores, now between queries and keys",
     .link = {kRand, "&stage=scores&cell=1,1,5"},
     .text = "Queries and keys come from different matrices, so the table is no longer the same across its diagonal: "
             "the score of “journey” for “step” is 1.5440, that of “step” for “journey” 1.3165.",
     .points_at = "stage=scores token=1 token=5",
     .printed = kScoresOfJourney,
     .asks = kStepOrJourney},
    {.title = "Weights of “journey”",
     .link = {kRand, "&stage=weights&cell=1,1,5&row_stat=sum"},
     .answer_before = "“step”: it gives 0.2092 and gets 0.1820.",
     .text = "A key has 2 entries, so the scores are divided by √2 before the softmax. Read a row as shares: “journey” "
             "pays 15 % of its attention to “Your”, 23 % to itself and 9 % to “one”. Each row is divided by its own "
             "sum, so the weights are not the same across the diagonal either.",
     .points_at = "stage=weights stage=scaled_scores scale=sqrt",
     .printed = kWeightsOfJourney},
    {.title = "Direction and length",
     .link = {kRand, "&view=vectors&cell=1,1,5"},
     .text = "Here are the query of “journey” and the six keys as arrows; at 90° a score would be 0. The lecture says "
             "that “journey” scores highest because it is best aligned with itself, but “step” is: 2.3° "
             "against 4.7°. What decides is |k|: the key of “journey” is the longest, 1.2249.",
     .points_at = "view=vectors"},
    {.title = "Add up six values",
     .link = {kRand, "&stage=context&cell=1,1,0&check=context&hide=context[1,1,*]"},
     .text = "The lecture's exercise: multiply each value by its weight and add up the six. Type the two "
             "numbers of the context of “journey”. Use the weights as they stand below the table: the "
             "lecture's rounded percentages lead to (0.3026, 0.8123), which is not close enough.",
     .points_at = "stage=context stage=weights stage=values"},
    {.title = "The chain of values",
     .link = {kRand, "&view=vectors&stage=context&cell=1,1,0"},
     .answer_before = "0.3061 and 0.8210.",
     .text = "In the picture of the context, each value is multiplied by its weight and starts where the one before "
             "ends. The chain ends at the context vector of “journey”. Values with large weights take it far, those "
             "with small ones hardly move it.",
     .points_at = "view=vectors"},
    {.title = "Context of every word",
     .link = {kRand, "&stage=context&cell=1,1,0"},
     .text = "softmax(Q · Kᵀ / √2) · V in one line; this is called scaled dot-product attention. All weights "
             "lie between 0.0906 and 0.2264, not far from 1/6, so the six rows stay near the plain mean of the "
             "values, (0.2799, 0.7564). In Python: torch.softmax(queries @ keys.T / keys.shape[-1]**0.5, dim=-1) "
             "@ values.",
     .points_at = "stage=context",
     .printed = kContextOfAll},
    {.title = "The same with nn.Linear",
     .link = {kLinear, "&stage=context&cell=1,1,0"},
     .text = "nn.Linear draws other numbers, even from one seed: from −1/√3 to 1/√3 instead of 0 to 1, and it "
             "keeps its matrix the other way round, outputs by inputs. Here 10 of 18 are negative, so these "
             "contexts are near 0. The notebook does this with seed 789.",
     .points_at = "init=torch.linear seed stage=context",
     .printed = kLinearContext},
    {.title = "Flatter weights",
     .link = {kLinear, "&stage=weights&cell=1,1,1&row_stat=largest"},
     .text = "With the smaller numbers of nn.Linear the scores lie closer together, and the softmax gives "
             "almost equal weights: all between 0.1477 and 0.2041, near 1/6. The lecture calls this the better "
             "start. With 2 or 3 numbers per token that hardly shows; the next step has more.",
     .points_at = "init=torch.linear stage=weights",
     .printed = kWeightsOfAll},
    {.title = "A poor start",
     .link = {kRowsLargest, "&d_in=768&d_out=64&init=torch.rand"},
     .text = "Here each token has 768 numbers, as in a small GPT-2, and torch.rand fills the matrices. Every row gives "
             "everything to one token: its largest weight is 1.000.",
     .points_at = "init=torch.rand stage=weights",
     .asks = kLinearStart},
    {.title = "A better start",
     .link = {kRowsLargest, "&d_in=768&d_out=64"},
     .answer_before = "near 1/11.",
     .text = "No row gives more than 0.183 to one token. Every token still takes part, so training can strengthen or "
             "weaken any of them. nn.Linear draws smaller numbers the wider its input is, here up to 1/√768 = 0.036 "
             "either way.",
     .points_at = "init=torch.linear stage=weights"},
    {.title = "One query by hand",
     .link = {kRand, "&stage=queries&cell=1,5,0&check=queries"},
     .text = "Back to the small matrices. Type the first number of the query of “step”: its row of X times the "
             "first column of W_q. A hint shows the products.",
     .points_at = "stage=queries stage=embeddings",
     .keep =
         "Three matrices make three vectors of each token: the query asks, the key is found, the value is handed on.|"
         "Queries are compared with keys, so what a token gives another need not be what it gets back.|"
         "Each row of weights sums to 1; the columns need not."},
};

}  // namespace

constexpr LessonParts no_weights_links = pack_links<kWithoutWeightsSteps>("no-weights");

LessonText no_weights_words() {
    return {.title = "Attention without weights",
            .about = "Dot products, softmax and a weighted sum: the whole idea, with nothing learned yet.",
            .steps = pack_words<kWithoutWeightsSteps>()};
}

constexpr LessonParts trainable_links = pack_links<kTrainableWeightsSteps>("trainable");

LessonText trainable_words() {
    return {.title = "Q, K, V: trainable weights",
            .about = "Three matrices make queries, keys and values; most numbers are those of the lecture.",
            .steps = pack_words<kTrainableWeightsSteps>()};
}

}  // namespace attn
