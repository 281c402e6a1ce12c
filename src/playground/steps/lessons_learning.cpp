// The lessons about one step of training: every number of it by hand, the way back through the layer, and what large
// scores do to it.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

// Three words of two numbers. “tea” is to look at “like”, the word before it.
constexpr std::string_view kTea = "text=I+like+tea&embed=typed&pos=none&d_in=2&heads=1&out=0&init=identity";
constexpr std::string_view kTeaTarget = "&goal=pattern&target=1:2>1";
constexpr std::string_view kOneStep[] = {kTea, kTeaTarget, "&d_out=1&x=1,0;-1,1;.5,1"};

constexpr ChoiceText kLossOfHalfChoices[] = {
    {"0.5", kNever, "The loss is no difference from 1: it is −ln of the weight."},
    {"0.6931", kAlways, ""},
    {"0.8820, half of 1.7639", kNever, "A logarithm does not halve with its number."},
    {"1", kNever, "−log₂ 0.5 is 1; the loss here takes ln."},
};
constexpr PredictionText kLossOfHalf = {
    .question = "What is the loss of a weight of 0.5?",
    .choices = kLossOfHalfChoices,
    .reason = "−ln 0.5 = ln 2 = 0.6931: half of a weight of 1 costs as much as any other half."};

constexpr ChoiceText kNewQueryChoices[] = {
    {"0.6845", kNever, "This adds the gradients: the loss would grow."},
    {"0.3155", kAlways, ""},
    {"0.7786", kNever, "The first number of “tea” is 0.5: it takes half of the first new number."},
    {"−1.3448", kNever, "The gradients come times the rate, 0.1."},
};
constexpr PredictionText kNewQuery = {
    .question = "What is the new query of “tea”?",
    .choices = kNewQueryChoices,
    .reason = "W_q is now 1 − 0.0738 = 0.9262 and 0 − 0.1476 = −0.1476, and 0.5 × 0.9262 − 0.1476 = {queries 1,2,0}."};

constexpr StepText kOneStepSteps[] = {
    {.title = "A target",
     .link = {kOneStep, "&stage=weights&cell=1,2,1"},
     .text = "“tea” should look at “like”: that is its target. Each word has one number to ask with and one to answer "
             "with, and so far “tea” gives “like” 0.1714. A step of training makes that larger. Here is every number "
             "of it.",
     .points_at = "token=2 stage=weights"},
    {.title = "The loss",
     .link = {kOneStep, "&stage=weights&cell=1,2,1"},
     .text = "The loss says how wrong the weight is: −ln 0.1714 = 1.7639. A weight of 1 has a loss of 0.",
     .points_at = "goal stage=weights",
     .asks = kLossOfHalf},
    {.title = "Weight minus target",
     .link = {kOneStep, "&stage=grad_masked_scores&cell=1,2,0"},
     .answer_before = "0.6931.",
     .text = "Now the way back: if a score grows a little, how much does the loss grow? That is the score's gradient: "
             "weight minus target. “I” has no target: 0.4658 − 0 = 0.4658.",
     .points_at = "stage=grad_masked_scores"},
    {.title = "A gradient by hand",
     .link = {kOneStep, "&stage=grad_masked_scores&cell=1,2,1&check=grad_masked_scores"},
     .text = "“like” has a weight of 0.1714, and its target is 1. Type its gradient. Is it above 0 or below?",
     .points_at = "stage=grad_masked_scores token=2"},
    {.title = "Back to the query",
     .link = {kOneStep, "&stage=grad_queries&cell=1,2,0"},
     .answer_before = "−0.8286, below 0.",
     .text = "A larger score makes the loss smaller. A score is query × key, so the query gets each score's gradient "
             "times that key: 0.4658 × 1 + (−0.8286) × (−1) + 0.3628 × 0.5 = 1.4759.",
     .points_at = "stage=grad_queries stage=keys"},
    {.title = "Back to W_q",
     .link = {kOneStep, "&stage=grad_w_query&cell=1,0,0"},
     .text = "W_q made that query from the two numbers of “tea”, 0.5 and 1. So its first number gets 0.5 × 1.4759 = "
             "0.7379 and its second 1 × 1.4759. W_k gets its gradients from the keys in the same way.",
     .points_at = "stage=grad_w_query stage=grad_w_key"},
    {.title = "The step by hand",
     .link = {kOneStep, "&steps=1&stage=queries&cell=1,2,0&hide=queries[1,2,*]"},
     .text = "New = old − rate × gradient. W_q was 1 and 0, its gradients are 0.7379 and 1.4759, the rate is 0.1. The "
             "new query of “tea” is 0.5 times the first new number, plus the second. Work it out before you choose.",
     .points_at = "stage=queries rate",
     .asks = kNewQuery},
    {.title = "What one step did",
     .link = {kOneStep, "&steps=1&stage=weights&cell=1,2,1"},
     .answer_before = "0.3155.",
     .text = "W_q and W_k took their step together: “like” now gets 0.2309, and the loss fell by 0.2981 to 1.4658. "
             "Rate times all gradients squared had promised 0.3321: the path bends a little.",
     .points_at = "stage=weights steps"},
    {.title = "And so on",
     .link = {kOneStep, "&steps=40&view=learn"},
     .text = "After 40 such steps “like” gets 0.9717 and the loss is 0.0287. Point at the curve, or move the slider, "
             "to see any step of them.",
     .points_at = "view=learn steps",
     .keep = "The loss is −ln of the weight that the target gets.|"
             "A score's gradient is its weight minus its target.|"
             "New number = old number − rate × gradient."},
};

constexpr std::string_view kWayBack[] = {kTea, "&d_out=2&x=1,0;0,1;1,.5", kTeaTarget};
constexpr std::string_view kWholeWay[] = {kTea, "&d_out=2&x=1,0;0,1;1,.5&goal=next"};

constexpr StepText kWayBackSteps[] = {
    {.title = "Weights minus target",
     .link = {kWayBack, "&stage=grad_masked_scores&cell=1,2,1"},
     .text = "“tea” should look at “like” again, now with two numbers a word. Its weights are 0.3454, 0.2425 and "
             "0.4121. Minus the target they are the gradients 0.3454, −0.7575 and 0.4121, and these sum to 0.",
     .points_at = "stage=grad_masked_scores stage=weights"},
    {.title = "Through ÷ √2",
     .link = {kWayBack, "&stage=grad_scores&cell=1,2,1&check=grad_scores"},
     .text = "The scores were divided by √2 on the way there, so their gradients are divided on the way back. That of "
             "“like” is −0.7575 before. Type what it is after.",
     .points_at = "stage=grad_scores scale=sqrt"},
    {.title = "To the query",
     .link = {kWayBack, "&stage=grad_queries&cell=1,2,1"},
     .answer_before = "−0.5356.",
     .text = "Each score was query · key, so the query of “tea” gets the gradients of its row, each times its key: "
             "0.2442 × 0 + (−0.5356) × 1 + 0.2914 × 0.5 = −0.3899.",
     .points_at = "stage=grad_queries stage=keys"},
    {.title = "To the keys",
     .link = {kWayBack, "&stage=grad_keys&cell=1,1,1&check=grad_keys"},
     .text = "A key gets the gradients of its column, each times the query that asked. Only “tea” has a target, and "
             "its query is 1 and 0.5. Type the second number for “like”: −0.5356 times that of the query.",
     .points_at = "stage=grad_keys stage=queries"},
    {.title = "To W_q and W_k",
     .link = {kWayBack, "&stage=grad_w_query&cell=1,1,1"},
     .answer_before = "−0.2678.",
     .text = "W_q gets, summed over the words, a number of the word times its query's gradient. Only “tea” counts: 0.5 "
             "× (−0.3899) = −0.1950. W_k gets its own from the keys.",
     .points_at = "stage=grad_w_query stage=grad_w_key"},
    {.title = "To X",
     .link = {kWayBack, "&stage=grad_embeddings&cell=1,2,1"},
     .text = "X was used twice, for queries and for keys. Where a number is used twice, its gradients add up: "
             "−0.3899 + 0.1457 = −0.2442. Values were not used: no loss asked what they hand on.",
     .points_at = "stage=grad_embeddings"},
    {.title = "From the next word",
     .link = {kWholeWay, "&stage=grad_logits&cell=1,1,2"},
     .text = "Now the whole way: “tea” should follow “like”. It has a probability of 0.3676. Minus 1, divided by the 2 "
             "words that have a next one: −0.3162. Again it is what is there minus what should be.",
     .points_at = "goal stage=grad_logits"},
    {.title = "To the values and W_v",
     .link = {kWholeWay, "&stage=grad_values&cell=1,1,0"},
     .text = "The context of “like” got −0.1847. It had taken 0.6698 of its own value, so that value gets "
             "0.6698 × (−0.1847) = −0.1237. From there it goes to W_v, as with W_q.",
     .points_at = "stage=grad_values stage=grad_w_value"},
    {.title = "To the weights",
     .link = {kWholeWay, "&stage=grad_weights&cell=1,1,0"},
     .text = "A weight gets the context's gradient times the value that it let through: "
             "(−0.1847) × 1 + 0.0266 × 0 = −0.1847 for “I”.",
     .points_at = "stage=grad_weights stage=values"},
    {.title = "Back through the softmax",
     .link = {kWholeWay, "&stage=grad_masked_scores&cell=1,1,0&check=grad_masked_scores"},
     .text = "A row shares out a single 1, so only what differs from the row's average counts. The score of “I” gets "
             "weight × (gradient − average). The weight is 0.3302, the gradient −0.1847, the average −0.0432: type it.",
     .points_at = "stage=grad_masked_scores stage=grad_weights"},
    {.title = "Three ways into X",
     .link = {kWholeWay, "&stage=grad_embeddings&cell=1,1,0"},
     .answer_before = "−0.0467.",
     .text = "From here all goes as before, but X was used three times: −0.0330 comes from the query, 0 from the key "
             "and −0.1237 from the value. Together that is −0.1567.",
     .points_at = "stage=grad_embeddings stage=grad_queries stage=grad_values",
     .keep = "Backpropagation takes the stages from the last to the first, each with the gradient of the one after it.|"
             "A number that was used several times gets the sum of what comes back to it."},
};

constexpr std::string_view kTimesThree[] = {kTea, "&d_out=2&x=3,0;0,3;3,1.5"};
constexpr std::string_view kTimesThreeLearn[] = {kTea, kTimesThree[1],
                                                 "&goal=next&train=w_query,w_key&rate=.05&steps=20&view=learn"};
constexpr std::string_view kWideBack[] = {"d_in=128&d_out=128&heads=1&out=0&goal=next&stage=grad_masked_scores"};

constexpr ChoiceText kWillItHelpChoices[] = {
    {"yes, the loss falls clearly", "loss@step=5 < loss - 0.5",
     "The softmax of smaller scores lets more of a gradient through."},
    {"no, it stays as it is", "loss@step=5 > loss - 0.5 & loss@step=5 < loss + 0.5",
     "√2 looks like little, but it is in the exponent."},
    {"it gets worse", "loss@step=5 > loss + 0.5", "Smaller scores keep the softmax awake."},
};
constexpr PredictionText kWillItHelp = {.question = "Will dividing by √2 help?",
                                        .choices = kWillItHelpChoices,
                                        .reason = "The same 20 steps end at {loss@step=5} in place of {loss}."};

constexpr StepText kSaturatedSteps[] = {
    {.title = "A row that can learn",
     .link = {kWholeWay, "&stage=grad_masked_scores&cell=1,1,0"},
     .text = "“like” gives “I” 0.3302 and itself 0.6698. On the way back through the softmax a score gets "
             "weight × (gradient − average), here −0.0467. That is enough to learn from.",
     .points_at = "stage=grad_masked_scores stage=weights"},
    {.title = "X twice as large",
     .link = {{&kTea, 1},
              "&d_out=2&x=2,0;0,2;2,1&goal=next&stage=grad_masked_scores&cell=1,1,0"
              "&check=grad_masked_scores"},
     .text = "Twice the X gives four times the scores. “I” gets a weight of 0.0558 with the gradient −1.6423, and the "
             "row's average is 0.6615. Type the gradient of its score. And if X is three times as large?",
     .points_at = "stage=grad_masked_scores stage=grad_weights"},
    {.title = "Saturated",
     .link = {kTimesThree, "&goal=next&scale=none&stage=grad_masked_scores&cell=1,1,0"},
     .answer_before = "−0.1286.",
     .text = "With three times the X, and nothing divided, the weights are 0.0001 and 0.9999. The gradient −4.4499 "
             "lies 6.6738 below the row's average, but the weight 0.00012 lets hardly any of that through: −0.0008.",
     .points_at = "scale=none stage=grad_masked_scores stage=grad_weights"},
    {.title = "Nothing learns",
     .link = {kTimesThreeLearn, "&scale=none"},
     .text = "W_q and W_k learn through the scores alone. After 20 steps the loss went from 7.1014 to 7.1011: read the "
             "axis, it hardly moves.",
     .points_at = "view=learn scale=none",
     .asks = kWillItHelp},
    {.title = "Divided by √2",
     .link = {kTimesThreeLearn, "&scale=sqrt"},
     .answer_before = "yes.",
     .text = "The same 20 steps bring the loss from 7.0907 to 4.9315. At the first step the gradient of “I” is "
             "−0.0115, 14 times what it was.",
     .points_at = "view=learn scale=sqrt"},
    {.title = "In a sentence",
     .link = {kWideBack, "&scale=none", "&scale=sqrt"},
     .text = "A query has 128 numbers. A is not divided, B is divided by √128. In the row of “artist” no gradient of A "
             "is above 0.0005; in B the largest is 0.3526. That is what √d is for: the softmax can still learn.",
     .points_at = "view=compare token=1"},
    {.title = "A target wakes it",
     .link = {kTimesThree,
              "&goal=pattern&target=1:1>0&scale=none&stage=grad_masked_scores&cell=1,1,0&check=grad_masked_scores"},
     .text = "The saturated row once more, now with “I” as the target of “like”. This loss is the logarithm of the "
             "weight and undoes the softmax. The weight is 0.0001: type the gradient, weight minus target.",
     .points_at = "goal stage=grad_masked_scores"},
    {.title = "Bent by a cap",
     .link = {kTimesThree, "&goal=next&scale=none&score_cap=3&stage=capped_scores&cell=1,1,1&check=capped_scores"},
     .answer_before = "−0.9999.",
     .text = "Gemma 2 bends scores instead: cap · tanh(score / cap) never passes the cap, 50 there and 3 here. Nothing "
             "is divided, and the goal is the next word again: “like” has a score of 9 with itself, and tanh 3 is "
             "0.9951. Type the capped score.",
     .points_at = "score_cap stage=capped_scores"},
    {.title = "Awake below the cap",
     .link = {kTimesThree, "&goal=next&scale=none&score_cap=3&stage=grad_scaled_scores&cell=1,1,1"},
     .answer_before = "2.9852.",
     .text = "“I” keeps its score of 0: the weights are 0.0481 and 0.9519. The score of “I” gets −0.3025, where it got "
             "−0.0008. The slope of the cap is 1 − (2.9852 / 3)² = 0.0099, so of 0.3025 only 0.0030 reach the score of "
             "9: what stands at the cap hardly learns.",
     .points_at = "score_cap stage=grad_scaled_scores"},
    {.title = "At one length",
     .link = {kTimesThree, "&goal=next&scale=none&qk_norm=1&stage=normed_queries&cell=1,1,1&check=normed_queries"},
     .text = "Qwen3 norms queries and keys instead: each head's row is divided by the root of the mean of its squares, "
             "and each number multiplied by a learned weight, 1 at first. The query of “like” is (0, 3), the mean of 0 "
             "and 9 is 4.5, and its root 2.1213. Type the normed number of channel 1.",
     .points_at = "qk_norm stage=normed_queries"},
    {.title = "No score grows with X",
     .link = {kTimesThree, "&goal=next&scale=none&qk_norm=1&stage=grad_masked_scores&cell=1,1,0"},
     .answer_before = "1.4142.",
     .text = "Every query and key is √2 long now, so no score is above 2, however large X is. “like” has 2.0000 with "
             "itself and 0 with “I”, and the weights are 0.8808 and 0.1192: the score of “I” gets −0.6705.",
     .points_at = "qk_norm stage=grad_masked_scores"},
    {.title = "What a norm lets through",
     .link = {kTimesThree, "&goal=next&scale=none&qk_norm=1&stage=grad_queries&cell=1,1,1"},
     .text = "The normed query of “like” gets the gradients −0.9483 and 0.9483. Of the second, along (0, 3), only "
             "rounding is left for the query itself: a longer query is divided by more. Across it, −0.9483 / 2.1213 = "
             "−0.4470 comes "
             "through: behind a norm a query learns where it points, not how long it is.",
     .points_at = "qk_norm stage=grad_queries stage=grad_normed_queries",
     .keep = "Large scores saturate a softmax: one token gets nearly everything, and hardly any gradient comes back.|"
             "Dividing by √d keeps scores small; so do norms of queries and keys, and a cap."},
};

}  // namespace

constexpr LessonParts one_step_links = pack_links<kOneStepSteps>("one-step");

LessonText one_step_words() {
    return {.title = "Gradient descent: one step by hand",
            .about = "Three words, one target: every number of the loss, its gradients and one step of training.",
            .steps = pack_words<kOneStepSteps>()};
}

constexpr LessonParts way_back_links = pack_links<kWayBackSteps>("way-back");

LessonText way_back_words() {
    return {.title = "Backpropagation: back through the layer",
            .about = "From the loss back to W_q, W_k, W_v and X, stage by stage.",
            .steps = pack_words<kWayBackSteps>()};
}

constexpr LessonParts saturated_links = pack_links<kSaturatedSteps>("saturated");

LessonText saturated_words() {
    return {.title = "Saturated softmax: no gradient",
            .about = "Large scores leave a softmax nothing to learn from; dividing by √d keeps it awake.",
            .steps = pack_words<kSaturatedSteps>()};
}

}  // namespace attn
