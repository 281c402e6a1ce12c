// The lessons about what happens inside one head: the division by the root of d, the causal mask, dropout.
#include <limits>

#include "core/check.h"
#include "playground/lesson_texts.h"

namespace attn {
namespace {

constexpr std::string_view kNotebook = "notebook to the book, chapter 3";
constexpr std::string_view kLecture = "lecture on self-attention";
constexpr float kHidden = -std::numeric_limits<float>::infinity();

const std::vector<std::vector<float>> kCausalWeights = {{1, 0, 0, 0, 0, 0},
                                                        {0.5517F, 0.4483F, 0, 0, 0, 0},
                                                        {0.3800F, 0.3097F, 0.3103F, 0, 0, 0},
                                                        {0.2758F, 0.2460F, 0.2462F, 0.2319F, 0, 0},
                                                        {0.2175F, 0.1983F, 0.1984F, 0.1888F, 0.1971F, 0},
                                                        {0.1935F, 0.1663F, 0.1666F, 0.1542F, 0.1666F, 0.1529F}};

const std::vector<std::vector<float>> kWholeWeights = {
    {0.1921F, 0.1646F, 0.1652F, 0.1550F, 0.1721F, 0.1510F}, {0.2041F, 0.1659F, 0.1662F, 0.1496F, 0.1665F, 0.1477F},
    {0.2036F, 0.1659F, 0.1662F, 0.1498F, 0.1664F, 0.1480F}, {0.1869F, 0.1667F, 0.1668F, 0.1571F, 0.1661F, 0.1564F},
    {0.1830F, 0.1669F, 0.1670F, 0.1588F, 0.1658F, 0.1585F}, {0.1935F, 0.1663F, 0.1666F, 0.1542F, 0.1666F, 0.1529F}};

// The part up to the diagonal; 0 after it.
std::vector<std::vector<float>> cut_after_diagonal(std::vector<std::vector<float>> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = i + 1; j < rows[i].size(); ++j) rows[i][j] = 0;
    }
    return rows;
}

}  // namespace

Lesson lesson_scaling() {
    return {
        .name = "scaling",
        .title = "Why divide by √d",
        .about = "Long vectors make large scores, and large scores make a softmax that sees one token only.",
        .steps = {
            {.title = "Dot products of short vectors",
             .text = "A thousand random queries and keys, each of 5 numbers with mean 0 and variance 1. Their dot "
                     "products are sums of 5 such products and spread with a variance of about 5.",
             .points_at = {"view=dots"},
             .printed = {}},
            {.title = "Dot products of long vectors",
             .text = "With 100 numbers each, the variance is about 100: it grows as d does. Divided by √d it stays "
                     "near 1 for every d, divided by d it shrinks to 1/d and the scores would hardly differ. Change d "
                     "and the seed and see that this is no accident.",
             .points_at = {"view=dots", "pairs_dim"},
             .printed = {}},
            {.title = "A softmax of small numbers",
             .text = "These are the five numbers of the lecture: 0.1, −0.2, 0.3, −0.2, 0.5. Their softmax gives each "
                     "of them a fair share, the largest gets 0.2872.",
             .points_at = {"view=softmax"},
             .printed = {{.of = PrintedOf::softmax,
                          .numbers = {{0.1925F, 0.1426F, 0.2351F, 0.1426F, 0.2872F}},
                          .source = kLecture}}},
            {.title = "The same numbers times 8",
             .text = "Eight times larger, the order is the same, but the largest takes 0.8000 of the whole and the "
                     "others starve. A softmax this sharp hardly changes when a score does, so training stops "
                     "learning from it. Move the gain and watch.",
             .points_at = {"view=softmax", "gain"},
             .printed = {{.of = PrintedOf::softmax,
                          .numbers = {{0.0326F, 0.0030F, 0.1615F, 0.0030F, 0.8000F}},
                          .source = kLecture}}},
            {.title = "In a sentence: not divided",
             .text = "Here head_dim is 64 and nothing is divided. Beside each row stands its largest weight: most "
                     "rows put nearly everything on a single token, by pure chance of the random matrices.",
             .points_at = {"scale=none", "stage=weights"},
             .printed = {}},
            {.title = "In a sentence: divided by √64",
             .text = "The same scores divided by 8. Now the weights are shared among several tokens, and a small "
                     "change of a score moves them. Try “d” as well: then all rows become nearly equal.",
             .points_at = {"scale=sqrt", "stage=scaled_scores"},
             .printed = {}},
        }};
}

Lesson lesson_causal() {
    return {
        .name = "causal",
        .title = "Causal attention",
        .about = "A word must not see the words after it: three ways to mask, two of them right.",
        .steps = {
            {.title = "Looking ahead",
             .text = "A model that writes text guesses the next word, so it must not have seen it. Without a mask "
                     "“journey” looks at all six words, also at the four that come later.",
             .points_at = {"mask", "token=1"},
             .printed = {{.stage = TensorId::weights, .numbers = kWholeWeights, .source = kNotebook}}},
            {.title = "Hide the scores first",
             .text = "Every score of a later word is replaced by −∞ before the softmax, because e to the power of −∞ "
                     "is 0. The notebook does this before it divides, so the scale is off in this step.",
             .points_at = {"mask=causal", "stage=masked_scores"},
             .printed = {{.stage = TensorId::masked_scores,
                          .numbers = {{0.2899F, kHidden, kHidden, kHidden, kHidden, kHidden},
                                      {0.4656F, 0.1723F, kHidden, kHidden, kHidden, kHidden},
                                      {0.4594F, 0.1703F, 0.1731F, kHidden, kHidden, kHidden},
                                      {0.2642F, 0.1024F, 0.1036F, 0.0186F, kHidden, kHidden},
                                      {0.2183F, 0.0874F, 0.0882F, 0.0177F, 0.0786F, kHidden},
                                      {0.3408F, 0.1270F, 0.1290F, 0.0198F, 0.1290F, 0.0078F}},
                          .source = kNotebook}}},
            {.title = "Then the softmax",
             .text = "What is hidden gets weight 0, and what is left sums to 1 by itself. The first word can only "
                     "look at itself, with weight 1.",
             .points_at = {"stage=weights"},
             .printed = {{.stage = TensorId::weights, .numbers = kCausalWeights, .source = kNotebook}}},
            {.title = "Or the mask after the softmax",
             .text = "The other way round: first a softmax over all six words, then everything after the diagonal is "
                     "set to 0. The rows have lost what the later words had, so they sum to less than 1; that is "
                     "wrong, and the sums beside the rows say so.",
             .points_at = {"mask_at=raw", "stage=weights", "stage=unmasked_weights"},
             .printed =
                 {{.stage = TensorId::weights, .numbers = cut_after_diagonal(kWholeWeights), .source = kNotebook}}},
            {.title = "Divided by what is left",
             .text = "Each row divided by its sum: 0.2041 and 0.1659 become 0.5517 and 0.4483. These are the weights "
                     "of the first way again, because the hidden words were a factor that the division takes out.",
             .points_at = {"mask_at=after", "stage=weights"},
             .printed = {{.stage = TensorId::weights, .numbers = kCausalWeights, .source = kNotebook}}},
            {.title = "The difference is 0",
             .text = "A hides before the softmax; B hides after it and divides. The third picture is A minus B: 0, "
                     "or as little as rounding leaves of it. The mask before the softmax is the one in use: one "
                     "softmax, no second division.",
             .points_at = {"view=compare"},
             .printed = {}},
            {.title = "The difference without dividing",
             .text = "Now B is the wrong way: hidden after the softmax and left like that. Every row but the last "
                     "differs; the last one hides nothing, so there was nothing to lose.",
             .points_at = {"view=compare"},
             .printed = {}},
        }};
}

Lesson lesson_dropout() {
    return {
        .name = "dropout",
        .title = "Dropout",
        .about = "While training, some weights are dropped by chance and the others grow to make up for it.",
        .steps = {
            {.title = "Before",
             .text = "The causal weights, every row with its sum beside it: 1. Dropout with p = 0.5 is on, but this "
                     "stage lies before it.",
             .points_at = {"stage=weights", "dropout"},
             .printed = {{.stage = TensorId::weights, .numbers = kCausalWeights, .source = kNotebook}}},
            {.title = "Half of them dropped",
             .text = "A keep mask of zeros and ones is drawn, one for each weight, and half of them are dropped on "
                     "average. The kept ones are multiplied by 1/(1 − p), here 2, so that a row still sums to 1 on "
                     "average: 0.3800 becomes 0.7599. Click a cell to see it.",
             .points_at = {"stage=dropped_weights", "dropout"},
             .printed = {{.stage = TensorId::dropped_weights,
                          .numbers = {{2, 0, 0, 0, 0, 0},
                                      {0, 0, 0, 0, 0, 0},
                                      {0.7599F, 0.6194F, 0.6206F, 0, 0, 0},
                                      {0, 0.4921F, 0.4925F, 0, 0, 0},
                                      {0, 0.3966F, 0, 0.3775F, 0, 0},
                                      {0, 0.3327F, 0.3331F, 0.3084F, 0.3331F, 0}},
                          .source = kNotebook}}},
            {.title = "A gentler p",
             .text = "In practice p is 0.1 or 0.2. The kept weights grow by 1/0.9 only, and most rows come close to "
                     "1; a row that lost nothing sums to more than 1. Nobody may rely on one word alone: that is what "
                     "dropout is for.",
             .points_at = {"stage=dropped_weights", "dropout"},
             .printed = {}},
            {.title = "Another seed, other holes",
             .text = "The same p with another seed drops other weights. Each pass of training draws anew; here the "
                     "seed is held so that the picture stays. PyTorch builds differ in this draw, so a notebook on "
                     "another machine may show other holes.",
             .points_at = {"stage=dropped_weights", "dropout_seed"},
             .printed = {}},
            {.title = "Off when it counts",
             .text = "When the trained model is used, p is 0: nothing is dropped, nothing is scaled, and the stage "
                     "is gone from the strip. That is why the scaling was needed while training.",
             .points_at = {"dropout", "stage=weights"},
             .printed = {}},
        }};
}

}  // namespace attn
