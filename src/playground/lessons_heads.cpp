// The lessons about several heads: why there are several, a batch of sentences, two ways to build them, their cost.
#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {

Lesson lesson_heads() {
    return {
        .name = "heads",
        .title = "One head sees one perspective",
        .about = "A sentence with two readings, and why one table of weights cannot hold both.",
        .steps = {
            {.title = "The artist has the brush",
             .text = "“The artist painted the portrait of a woman with a brush.” In one reading the brush is the "
                     "artist's tool. Then “brush” and “artist” should look at each other, and “woman” at “portrait”: "
                     "the dashed lines are that wish.",
             .points_at = {"view=lines", "token=1", "token=10"},
             .printed = {}},
            {.title = "The woman has the brush",
             .text = "In the other reading it is a portrait of a woman who holds a brush. Now “woman” and “brush” "
                     "should look at each other, and “brush” at “portrait”. Nothing in the words says which reading is "
                     "meant.",
             .points_at = {"view=lines", "token=7", "token=10"},
             .printed = {}},
            {.title = "One head, one table",
             .text = "One head of d_out 4 gives one table of 11 × 11 weights, and each of its rows shares out a "
                     "single 1. What “brush” gives to “artist” it cannot give to “woman”: a single head must settle "
                     "for one reading, or for a bit of both.",
             .points_at = {"heads", "token=10", "stage=weights"},
             .printed = {}},
            {.title = "Two heads, two tables",
             .text = "Two heads of 2 numbers each: two queries, two keys, and two tables that do not know of each "
                     "other. One may keep the first reading, the other the second. These matrices are random and "
                     "untrained, so what they look at means nothing yet.",
             .points_at = {"heads", "stage=weights"},
             .printed = {}},
            {.title = "Lines of two heads",
             .text = "The same as lines, a colour for each head. Point at a word to see where each head sends it, "
                     "and compare with the wish; another seed is another pair of perspectives.",
             .points_at = {"view=lines", "seed", "token=7"},
             .printed = {}},
            {.title = "The same shape comes out",
             .text = "Each head's context has 2 numbers a token; side by side they are 4 again. One head of 4 and two "
                     "heads of 2 give an output of the same shape, (11, 4), so either can stand in the same model.",
             .points_at = {"stage=merged", "stage=context", "heads"},
             .printed = {}},
            {.title = "And it costs no more numbers",
             .text = "W_q, W_k and W_v have 8 × 4 numbers each, 96 together, however many heads they are cut into. "
                     "Only the tables are more: 2 × 11 × 11 = 242 weights instead of 121.",
             .points_at = {"view=cost", "heads"},
             .printed = {}},
        }};
}

Lesson lesson_stacked() {
    return {
        .name = "stacked",
        .title = "Stacked heads or split weights",
        .about = "Small separate heads side by side, or one large matrix cut into heads: the same numbers.",
        .steps = {
            {.title = "Two ways to write it",
             .text = "One can build a small attention for each head, run them one after the other and put the results "
                     "side by side. Or one can multiply once with large matrices and cut the result into heads.",
             .points_at = {"view=stacked"},
             .printed = {}},
            {.title = "Same columns, same numbers",
             .text = "Give each small head its columns of the large W_q, W_k and W_v, and every number is the same: "
                     "the difference is 0 in every cell. One large product is simply faster than several small ones.",
             .points_at = {"view=stacked", "stage=merged"},
             .printed = {}},
            {.title = "What mixes the heads",
             .text = "Side by side, the heads do not know of each other. A last matrix, the output projection, mixes "
                     "them; the notebook's MultiHeadAttention has two heads of one number each and prints this output "
                     "for seed 123.",
             .points_at = {"stage=output", "stage=merged", "out"},
             .printed = {{.stage = TensorId::output,
                          .numbers = {{0.3190F, 0.4858F},
                                      {0.2943F, 0.3897F},
                                      {0.2856F, 0.3593F},
                                      {0.2693F, 0.3873F},
                                      {0.2639F, 0.3928F},
                                      {0.2575F, 0.4028F}},
                          .source = "notebook to the book, chapter 3"}}},
        }};
}

Lesson lesson_cost() {
    return {
        .name = "cost",
        .title = "What it costs",
        .about = "Learned numbers, memory and multiplications, each as a formula with the values put in.",
        .steps = {
            {.title = "One head",
             .text = "Three matrices of 8 × 4 are 96 learned numbers. The table of weights has one number for every "
                     "pair of tokens: 11 × 11 = 121.",
             .points_at = {"view=cost", "heads"},
             .printed = {}},
            {.title = "Two heads",
             .text = "Cut into two heads the matrices stay as large: 96 again. What doubles is the memory for the "
                     "weights, 242 numbers, because each head keeps a table of its own.",
             .points_at = {"view=cost", "heads"},
             .printed = {}},
            {.title = "Twice the tokens",
             .text = "The same sentence cut into characters has five times as many tokens. The learned numbers do not "
                     "change; the weights grow with the square of the length, and with them the multiplications.",
             .points_at = {"view=cost", "tokens=chars"},
             .printed = {}},
            {.title = "As large as a small GPT-2",
             .text = "Width 768 and 12 heads of 64, as in the smallest GPT-2: 2,359,296 learned numbers in the four "
                     "matrices of one layer, without biases. For a short sentence nearly all the work is in the "
                     "projections, for a long one in the scores.",
             .points_at = {"view=cost", "d_out", "heads"},
             .printed = {}},
        }};
}

Lesson lesson_sentences() {
    return {
        .name = "sentences",
        .title = "Ambiguous sentences, and yours",
        .about = "A second sentence with two readings, both in one batch, and then your own.",
        .steps = {
            {.title = "Regulate",
             .text = "“The government should regulate free speech”: restrict it, or protect it by rules? Both readings "
                     "hang on what “regulate” and “free” have to do with each other, and each head may see that "
                     "differently.",
             .points_at = {"token=3", "token=4", "view=lines"},
             .printed = {}},
            {.title = "Two sentences at once",
             .text = "Both sentences of these lessons as a batch: the same matrices work on each, and neither sees the "
                     "other. Step through the batch with the arrows beside the tokens.",
             .points_at = {"sentence-", "sentence+", "stage=weights"},
             .printed = {}},
            {.title = "Your own sentence",
             .text = "Type a sentence above and everything follows: its tokens, its numbers, its weights. Then change "
                     "what you like, heads, mask or seed, and pass the link on: whoever opens it sees what you see.",
             .points_at = {"token=0", "heads", "mask", "seed"},
             .printed = {}},
        }};
}

}  // namespace attn
