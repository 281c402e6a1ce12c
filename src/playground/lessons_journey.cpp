// The lessons about one short sentence and one head: attention without any learned matrix, then with three of them.
#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {
namespace {

constexpr std::string_view kNotebook = "notebook to the book, chapter 3";
constexpr std::string_view kLecture = "lecture on self-attention";

}  // namespace

Lesson lesson_without_weights() {
    return {
        .name = "no-weights",
        .title = "Attention without weights",
        .about = "Dot products, softmax and a weighted sum: the whole idea, with nothing learned yet.",
        .steps = {
            {.title = "Six tokens, three numbers each",
             .text = "Each word of the sentence is one row of X, here three numbers typed by hand instead of learned "
                     "ones. Words that are used alike have rows that point the same way: compare “journey” with "
                     "“starts”.",
             .points_at = {"stage=embeddings", "token=1", "token=2"},
             .printed = {}},
            {.title = "A score is a dot product",
             .text = "To see how much “journey” has to do with each word, its row is multiplied with theirs, number "
                     "by number, and added up. Nothing is learned, so queries and keys are X itself and the table is "
                     "the same across its diagonal.",
             .points_at = {"stage=scores", "token=1"},
             .printed = {{.stage = TensorId::scores,
                          .row = 1,
                          .numbers = {{0.9544F, 1.4950F, 1.4754F, 0.8434F, 0.7070F, 1.0865F}},
                          .source = kNotebook}}},
            {.title = "Softmax turns scores into weights",
             .text = "Each score becomes e to the power of it, divided by the sum of its row: all positive, and "
                     "together 1. The order of the scores stays, the larger ones gain. Nothing is masked here, so "
                     "each word may look at the words after it, too.",
             .points_at = {"stage=weights", "token=1"},
             .printed = {{.stage = TensorId::weights,
                          .numbers = {{0.2098F, 0.2006F, 0.1981F, 0.1242F, 0.1220F, 0.1452F},
                                      {0.1385F, 0.2379F, 0.2333F, 0.1240F, 0.1082F, 0.1581F},
                                      {0.1390F, 0.2369F, 0.2326F, 0.1242F, 0.1108F, 0.1565F},
                                      {0.1435F, 0.2074F, 0.2046F, 0.1462F, 0.1263F, 0.1720F},
                                      {0.1526F, 0.1958F, 0.1975F, 0.1367F, 0.1879F, 0.1295F},
                                      {0.1385F, 0.2184F, 0.2128F, 0.1420F, 0.0988F, 0.1896F}},
                          .source = kNotebook}}},
            {.title = "The context vector is a weighted mean",
             .text = "The rows of X are added up, each times its weight: 0.1385 of “Your”, 0.2379 of “journey”, and "
                     "so on. What comes out stands where “journey” stood, and now holds something of the whole "
                     "sentence. Type another sentence or change a number of X and follow it.",
             .points_at = {"stage=context", "token=1"},
             .printed = {{.stage = TensorId::context,
                          .numbers = {{0.4421F, 0.5931F, 0.5790F},
                                      {0.4419F, 0.6515F, 0.5683F},
                                      {0.4431F, 0.6496F, 0.5671F},
                                      {0.4304F, 0.6298F, 0.5510F},
                                      {0.4671F, 0.5910F, 0.5266F},
                                      {0.4177F, 0.6503F, 0.5645F}},
                          .source = kNotebook}}},
        }};
}

Lesson lesson_trainable_weights() {
    return {
        .name = "trainable",
        .title = "Trainable weights",
        .about = "Three matrices make queries, keys and values; the numbers are those of the lecture.",
        .steps = {
            {.title = "Three matrices instead of none",
             .text = "W_q, W_k and W_v each turn a row of three numbers into two. Training would set them; here "
                     "torch.rand draws them after torch.manual_seed(123), so a notebook gets the same ones. The query "
                     "of “journey” is its row times W_q.",
             .points_at = {"stage=queries", "init=torch.rand", "seed"},
             .printed = {{.stage = TensorId::queries, .row = 1, .numbers = {{0.4306F, 1.4551F}}, .source = kLecture}}},
            {.title = "Keys and values",
             .text = "The same sentence goes through two more matrices. A key says what a token can be found by, a "
                     "value what it hands over once it was found; neither is X any more.",
             .points_at = {"stage=keys", "stage=values"},
             .printed = {}},
            {.title = "Scores, now between queries and keys",
             .text = "A score is the query of the row times the key of the column. Queries and keys come from "
                     "different matrices, so the table is no longer the same across its diagonal: “journey” may look "
                     "at “step” more than “step” looks at “journey”.",
             .points_at = {"stage=scores", "token=1"},
             .printed = {{.stage = TensorId::scores,
                          .row = 1,
                          .numbers = {{1.2705F, 1.8524F, 1.8111F, 1.0795F, 0.5577F, 1.5440F}},
                          .source = kNotebook}}},
            {.title = "Weights of “journey”",
             .text = "The scores are divided by the square root of the key's length, here √2, and go through the "
                     "softmax. Why divided? That is the next lesson; switch “scale” to see what it changes.",
             .points_at = {"stage=weights", "stage=scaled_scores", "scale=sqrt"},
             .printed = {{.stage = TensorId::weights,
                          .row = 1,
                          .numbers = {{0.1500F, 0.2264F, 0.2199F, 0.1311F, 0.0906F, 0.1820F}},
                          .source = kLecture}}},
            {.title = "Context of every word",
             .text = "Each row of weights times the values gives one context vector of two numbers. The six rows are "
                     "close to each other because random matrices do not know yet what is worth looking at.",
             .points_at = {"stage=context"},
             .printed = {{.stage = TensorId::context,
                          .numbers = {{0.2996F, 0.8053F},
                                      {0.3061F, 0.8210F},
                                      {0.3058F, 0.8203F},
                                      {0.2948F, 0.7939F},
                                      {0.2927F, 0.7891F},
                                      {0.2990F, 0.8040F}},
                          .source = kLecture}}},
            {.title = "The same with nn.Linear",
             .text = "nn.Linear draws other numbers, even from one seed: from −1/√3 to 1/√3 instead of 0 to 1, and it "
                     "keeps its matrix the other way round, outputs by inputs. Half of them are negative, so these "
                     "contexts are near 0. The notebook does this with seed 789.",
             .points_at = {"init=torch.linear", "seed", "stage=context"},
             .printed = {{.stage = TensorId::context,
                          .numbers = {{-0.0739F, 0.0713F},
                                      {-0.0748F, 0.0703F},
                                      {-0.0749F, 0.0702F},
                                      {-0.0760F, 0.0685F},
                                      {-0.0763F, 0.0679F},
                                      {-0.0754F, 0.0693F}},
                          .source = kNotebook}}},
            {.title = "Flatter weights",
             .text = "With the smaller numbers of nn.Linear the scores lie closer together, and the softmax gives "
                     "almost equal weights: all near 1/6. Neither start is right or wrong, training goes on from "
                     "there; switch between the two and watch the row of “journey”.",
             .points_at = {"init=torch.linear", "stage=weights"},
             .printed = {{.stage = TensorId::weights,
                          .numbers = {{0.1921F, 0.1646F, 0.1652F, 0.1550F, 0.1721F, 0.1510F},
                                      {0.2041F, 0.1659F, 0.1662F, 0.1496F, 0.1665F, 0.1477F},
                                      {0.2036F, 0.1659F, 0.1662F, 0.1498F, 0.1664F, 0.1480F},
                                      {0.1869F, 0.1667F, 0.1668F, 0.1571F, 0.1661F, 0.1564F},
                                      {0.1830F, 0.1669F, 0.1670F, 0.1588F, 0.1658F, 0.1585F},
                                      {0.1935F, 0.1663F, 0.1666F, 0.1542F, 0.1666F, 0.1529F}},
                          .source = kNotebook}}},
        }};
}

}  // namespace attn
