// The lessons about positions that come in after X: rotary positions, and biases and masks that make far tokens
// fainter.
#include "playground/steps/lesson_table.h"

namespace attn {
namespace {

constexpr std::string_view kTwoThe[] = {"text=the+artist+and+the+woman&d_in=8&d_out=8&heads=2&out=0"};
constexpr std::string_view kFourSlopes[] = {"text=The+artist+painted+the+portrait&d_in=8&d_out=8&heads=4&out=0"};

constexpr ChoiceText kPlaceInScoresChoices[] = {
    {"turn queries and keys by their place", "scores 1,3,1@pos=rope != scores 1,0,1@pos=rope",
     "Then the same word would have another query at another place."},
    {"take more heads", "scores 1,3,1@heads=4 != scores 1,0,1@heads=4",
     "Equal rows stay equal in every head, however many there are."},
    {"draw other matrices", "scores 1,3,1@seed=124 != scores 1,0,1@seed=124",
     "Equal rows times any matrix are equal again."},
};
constexpr PredictionText kPlaceInScores = {.question = "How else could a place get into a score?",
                                           .choices = kPlaceInScoresChoices,
                                           .reason =
                                               "Turned by 3 radians, the second “the” scores {scores 1,3,1@pos=rope} "
                                               "for “artist”, the first one {scores 1,0,1@pos=rope}."};

constexpr StepText kTurningSteps[] = {
    {.title = "Equal words, equal rows",
     .link = {kTwoThe, "&pos=none&mask=none&stage=scores&cell=1,3,0"},
     .text = "Without positions both “the” have the same query and the same key. In head 1 both have the scores 0.3917 "
             "−0.1580 −0.2915 0.3917 0.1157: nothing says which comes first. Other lessons add sines and cosines to X.",
     .points_at = "pos stage=scores token=0 token=3",
     .asks = kPlaceInScores},
    {.title = "Turned by its place",
     .link = {kTwoThe, "&pos=rope&stage=rotated_queries&cell=1,3,0"},
     .answer_before = "queries and keys can be turned by their position.",
     .text =
         "Rotary positions, RoPE, leave X as it is and turn queries and keys. Channels 0 and 2 of a head are a point "
         "of a plane, channels 1 and 3 another one. At position 3 the first is turned by 3 radians, the second by "
         "0.03. So the query 0.5483 0.1897 0.8770 0.2720 of the second “the” becomes −0.6666 0.1815 −0.7908 0.2775.",
     .points_at = "pos stage=rotated_queries token=3"},
    {.title = "Turn one yourself",
     .link = {kTwoThe, "&pos=rope&stage=rotated_queries&cell=1,1,0&check=rotated_queries"},
     .text = "“artist” stands at position 1, so its channels 0 and 2, {queries 1,1,0} and {queries 1,1,2}, are turned "
             "by 1 radian: cosine {0.5403}, sine {0.8415}. The pair (x, y) becomes (x cos − y sin, y cos + x sin). "
             "Type the new first number.",
     .points_at = "stage=rotated_queries token=1"},
    {.title = "A turn keeps lengths",
     .link = {kTwoThe, "&pos=rope&stage=scores&cell=1,3,0&check=scores"},
     .answer_before = "{rotated_queries 1,1,0}.",
     .text = "The query of “artist” is as long as before. Query and key of one token are turned alike, so its score "
             "with itself stays. The turned query of the second is {rotated_queries 1,3,*}, the turned key of the "
             "first, at position 0, {rotated_keys 1,0,*}. Type their score.",
     .points_at = "stage=scores token=3"},
    {.title = "Only the distance counts",
     .link = {kTwoThe, "&pos=rope&pos_shift=100&stage=scores&cell=1,4,1"},
     .answer_before = "{scores 1,3,0}.",
     .text = "Here the sentence begins at position 100, and all are turned much further. The score of “woman” for "
             "“artist” is {scores 1,4,1}, as it is when the sentence begins at 0: a turn by 104 and one by 101 differ "
             "by 3, as those by 4 and 1 do. Only the last digits of a float may move, since other sines are rounded.",
     .points_at = "pos_shift stage=scores token=4"},
    {.title = "Which two make a pair",
     .link = {kTwoThe, "&pos=rope&rope_pairs=neighbours&stage=rotated_queries&cell=1,3,0"},
     .text = "The paper pairs neighbours, channels 0 with 1 and 2 with 3. Llama's files at Hugging Face pair the "
             "halves, as above. Both do the same to distances, but the second “the” is now −0.5696 −0.1104 0.8684 "
             "0.2982. Anyone who opens a file with the other pairs gets plausible, wrong attention.",
     .points_at = "rope_pairs stage=rotated_queries token=3"},
    {.title = "Fast pairs and slow ones",
     .link = {kTwoThe, "&pos=rope&rope_base=500000&stage=rotated_keys&cell=1,4,1"},
     .text = "Pair p, counted from 0, is turned by position / base^(2p / head_dim). With the base 10,000 the second "
             "pair of “woman”, at position 4, is turned by 0.04; with 500,000, as in Llama 3, by 0.0057. Fast pairs "
             "tell neighbours apart; slow ones still know what is far away in a long text.",
     .points_at = "rope_base stage=rotated_keys token=4",
     .keep = "RoPE turns each pair of numbers of a query or key by an angle that grows with the token's place.|"
             "So a score depends on how far apart two tokens are, not on where they stand.|"
             "Values are not turned."},
};

constexpr ChoiceText kNearCountsMoreChoices[] = {
    {"take off more, the farther the key is", "weights 1,4,0@pos=alibi < weights 1,4,0",
     "A smaller score makes a smaller weight."},
    {"take the same off all scores of a row", kNever, "A softmax ignores what a whole row has in common."},
    {"multiply all scores by 2", kNever, "That makes the largest stand out, wherever it is."},
    {"add more, the farther the key is", "weights 1,4,0@pos=alibi > weights 1,4,0",
     "Then what is far away would count more."},
};
constexpr PredictionText kNearCountsMore = {.question = "What would you change in the scores?",
                                            .choices = kNearCountsMoreChoices,
                                            .reason =
                                                "So a far key gets a smaller weight: with ALiBi “The” gets {weights "
                                                "1,4,0@pos=alibi} in place of {weights 1,4,0}."};

constexpr StepText kFainterSteps[] = {
    {.title = "No position at all",
     .link = {kFourSlopes, "&pos=none&stage=weights&cell=1,4,4"},
     .text = "Here X has no positions. In head 1 “portrait” looks most at itself, with 0.4162, and gives “The”, 4 "
             "tokens back, 0.1723, about as much as its neighbour “the” with 0.1724. What is near often matters more.",
     .points_at = "pos stage=weights token=4",
     .asks = kNearCountsMore},
    {.title = "A bias for the distance",
     .link = {kFourSlopes, "&pos=alibi&stage=biased_scores&cell=1,4,0&check=biased_scores"},
     .answer_before = "take off the more, the farther away the key is.",
     .text = "ALiBi takes slope · distance from each scaled score; nothing is learned. With 4 heads the slopes are "
             "1/4, 1/16, 1/64 and 1/256. In head 1 the scaled score of “portrait” for “The” is {scaled_scores 1,4,0}, "
             "and “The” is 4 tokens away. Type the biased score.",
     .points_at = "pos stage=biased_scores token=4"},
    {.title = "Near and far sight",
     .link = {kFourSlopes, "&pos=alibi&stage=weights&cell=1,4,0"},
     .answer_before = "{biased_scores 1,4,0}.",
     .text = "In head 1 “The” now gets 0.0846 of “portrait”, where it had 0.1723. Head 4 has the smallest slope and "
             "hardly notices: 0.1436, where it had 0.1447. So some heads read what is close, others the whole text, "
             "and no sentence is too long, since there is no table of positions.",
     .points_at = "stage=weights token=4"},
    {.title = "A window cuts instead",
     .link = {kFourSlopes, "&pos=alibi&mask_window=2&stage=weights&cell=1,4,3&check=weights"},
     .text = "A window does not fade, it cuts: each token sees 2 keys, itself and the one before. In head 1 the biased "
             "scores of “portrait” are {biased_scores 1,4,3} for “the” and {biased_scores 1,4,4} for itself; all "
             "others are hidden. Type the weight of “the”.",
     .points_at = "mask_window stage=weights token=4"},
    {.title = "Farther, layer by layer",
     .link = {kFourSlopes, "&pos=alibi&mask_window=2&stage=weights&cell=1,4,3"},
     .answer_before = "{weights 1,4,3}.",
     .text = "On paper: in a second layer “portrait” reads “the” again, which has read “painted” by then, 2 tokens "
             "back. L layers with windows of W keys reach L · (W − 1) tokens back, so “The” needs 4 layers. Mistral's "
             "32 layers with windows of 4,096 reach 131,040 tokens; its paper says about 131K.",
     .points_at = "mask_window token=4"},
    {.title = "The first token stays",
     .link = {kFourSlopes, "&pos=none&mask_window=2&mask_sinks=1&stage=weights&cell=1,4,0"},
     .text =
         "Many trained models send what they do not need to the first tokens: that is called an attention sink. "
         "Without them such models fail, so the cache of StreamingLLM keeps the first ones beside the window. Here, "
         "without a bias, 1 stays: “portrait” sees “The” again and gives it 0.2264, the window 0.2265 and 0.5471.",
     .points_at = "mask_sinks stage=weights token=4"},
    {.title = "A sink that is learned",
     .link = {kFourSlopes, "&pos=none&sink_logits=1&stage=sink_weights&cell=1,4,0&check=sink_weights"},
     .text =
         "A third thing is called a sink: in gpt-oss each head learns a number that joins the softmax of every row and "
         "has no key and no value. Here it is still 0. In head 1 the largest score of “portrait” is 0.6896, the sink's "
         "exponential is 0.5018, and the row's exponentials, with it, add up to 2.9042. Type the sink's share.",
     .points_at = "sink_logits stage=sink_weights token=4"},
    {.title = "What belongs to no token",
     .link = {kFourSlopes, "&pos=none&sink_logits=1&stage=weights&cell=1,4,0"},
     .answer_before = "{sink_weights 1,4,0}.",
     .text = "Now “The” gets 0.1425 of “portrait”, where it had 0.1723: a head that finds nothing may look at nothing. "
             "Keep them apart: first tokens that trained models look at by themselves, keys that a cache keeps for "
             "that, and a number that is learned.",
     .points_at = "sink_logits stage=weights token=4",
     .keep = "ALiBi takes off each score the distance times the head's slope: what is farther is fainter.|"
             "A sliding window hides the keys that are too far back.|"
             "“Sink” is said of three things: a first token that gets weight anyway, keys that a cache keeps for it, "
             "and a learned number."},
};

}  // namespace

constexpr LessonParts turning_links = pack_links<kTurningSteps>("turning");

LessonText turning_words() {
    return {.title = "RoPE: turning instead of adding",
            .about = "Rotary positions (RoPE): queries and keys are turned by their place, so scores know distances.",
            .steps = pack_words<kTurningSteps>()};
}

constexpr LessonParts fainter_links = pack_links<kFainterSteps>("fainter");

LessonText fainter_words() {
    return {.title = "ALiBi, windows, sinks: farther is fainter",
            .about = "Biases that grow with the distance (ALiBi), windows that cut, and three things called sinks.",
            .steps = pack_words<kFainterSteps>()};
}

}  // namespace attn
