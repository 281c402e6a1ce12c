// The lessons about the KV cache: what a model that writes computes twice, and the same token by token with a cache.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

constexpr std::string_view kWriting[] = {kArtist, "&d_in=8&d_out=4&heads=2&out=0"};
constexpr std::string_view kPromptOf6[] = {kArtist, "&d_in=8&d_out=4&heads=2&out=0&view=cache&prompt=6"};
constexpr std::string_view kPromptOf4[] = {kArtist, "&d_in=8&d_out=4&heads=2&out=0&view=cache&prompt=4"};

constexpr ChoiceText kNeededAgainChoices[] = {
    {"rows of keys and values, no score cell", kAlways, ""},
    {"all rows and all score cells", kNever,
     "The old cells are scores of old queries, and the new row has a query of its own."},
    {"only the last row and its cells", kNever,
     "The new token looks at all tokens before it, so it needs all of their keys and values."},
    {"none: it begins anew", kNever, "Behind the mask the old rows do not change, so there is no need to."},
};
constexpr PredictionText kNeededAgain = {
    .question = "Which of them will it need for the next token?",
    .choices = kNeededAgainChoices,
    .reason = "The new query asks every old key, and takes from every old value; no old query asks again."};

constexpr StepText kTwiceSteps[] = {
    {.title = "A text to go on with",
     .link = {kPromptOf6, "&at=0"},
     .text = "A model writes one token after another. The six tokens of its prompt are computed at once: 6 rows of "
             "keys and values, and behind the causal mask 21 score cells a head.",
     .points_at = "view=cache",
     .asks = kNeededAgain},
    {.title = "All over again",
     .link = {kPromptOf6, "&at=1"},
     .answer_before = "all rows of keys and values, but no cell of scores.",
     .text = "The token “a” is there. On the right all seven rows are computed, six of them for the second time: "
             "hatched. Both passes together take 49 score cells a head, where 28 are enough.",
     .points_at = "view=cache"},
    {.title = "A key stays what it is",
     .link = {kWriting, "&stage=keys&cell=1,1,0&check=keys"},
     .text = "Can the first pass be kept? A key is its token's row of X times W_k, and no other token takes part. Type "
             "the first number of the key of “artist”.",
     .points_at = "stage=keys token=1"},
    {.title = "So does a row behind the mask",
     .link = {kWriting, "&stage=weights&cell=1,1,0&check=weights"},
     .answer_before = "{keys 1,1,0}, whatever comes after “artist”.",
     .text = "Behind the mask “artist” sees “The” and itself: its scaled scores for them are {scaled_scores 1,1,0} and "
             "{scaled_scores 1,1,1}. Type the weight of “The”; does it depend on “brush”?",
     .points_at = "stage=weights token=1"},
    {.title = "How fast it grows",
     .link = {kPromptOf6, "&at=5"},
     .answer_before = "{weights 1,1,0}, with or without “brush”.",
     .text = "After all eleven tokens 51 rows were computed where 11 are enough, and 251 score cells a head where 66 "
             "are. Only the newest row is ever asked for; of the old rows it reads keys and values, no query.",
     .points_at = "view=cache"},
    {.title = "Without a mask",
     .link = {kPromptOf6, "&mask=none&at=2"},
     .text =
         "Without the mask the row of “The” looks at tokens that came later, so what was computed for six tokens is "
         "stale, and the badge breaks. The newest row has seen all and is still right in this one layer; a next "
         "layer would read the stale ones, too.",
     .points_at = "mask view=cache",
     .keep = "Without a cache, each new token makes the model compute all earlier rows again.|"
             "Behind a causal mask they come out as before, so they need not be computed again."},
};

constexpr StepText kCacheSteps[] = {
    {.title = "Prefill",
     .link = {kPromptOf4, "&at=0"},
     .text = "The four tokens of the prompt are computed at once. Of each its key and its value are kept: 2 · 4 = 8 "
             "numbers, both heads together. Its query has been used and is kept nowhere.",
     .points_at = "view=cache"},
    {.title = "One token alone",
     .link = {kPromptOf4, "&at=1"},
     .text = "“portrait” comes alone: one query, one key, one value are computed, and a single row of five scores. "
             "The four older keys and values are only read. Press the arrow for one more token.",
     .points_at = "view=cache cache=step"},
    {.title = "A new query, an old key",
     .link = {kWriting, "&stage=scores&cell=1,4,1&check=scores"},
     .text = "In head 1 the new query of “portrait” is {queries 1,4,*}, and the key of “artist”, kept since the "
             "prefill, is {keys 1,1,*}. Type their score.",
     .points_at = "stage=scores token=4"},
    {.title = "Kept values, mixed",
     .link = {kWriting, "&stage=context&cell=1,4,0&check=context"},
     .answer_before = "{scores 1,4,1}.",
     .text = "The five weights are {weights 1,4,0} {weights 1,4,1} {weights 1,4,2} {weights 1,4,3} {weights 1,4,4}, "
             "and the first numbers of the five values, four of them kept, {values 1,0,0} {values 1,1,0} {values "
             "1,2,0} {values 1,3,0} {values 1,4,0}. Type the first number of the context.",
     .points_at = "stage=context token=4"},
    {.title = "The same bits",
     .link = {kPromptOf4, "&at=7"},
     .answer_before = "{context 1,4,0}.",
     .text = "At the end 11 rows were computed with the cache, 60 without. The badge holds every row against the whole "
             "sentence computed at once, bit by bit: the digests are the same.",
     .points_at = "view=cache"},
    {.title = "What it takes instead",
     .link = {kPromptOf4, "&at=7&length=4096"},
     .text =
         "A cache saves work and takes memory. Llama-2 7B keeps 2 · 32 · 128 · 32 = 262,144 numbers a token: at 4,096 "
         "tokens and 2 bytes each that is 2.15 GB for one user, so a card of 80 GB holds 37 users, or 30 beside the "
         "model's own 13.5 GB. How much would Llama-2 70B save with 8 key heads instead of 64? Look below the counts.",
     .points_at = "view=cache length+"},
    {.title = "Fewer key heads",
     .link = {kPromptOf4, "&at=7&kv_heads=1"},
     .answer_before = "seven eighths.",
     .text = "Here both heads share one key head, so a token takes 2 · 2 = 4 numbers instead of 8, and both ways still "
             "give the same bits. Other numbers come out than with two key heads: it is another layer.",
     .points_at = "kv_heads view=cache",
     .keep = "A KV cache keeps each token's key and value; its query is used once.|"
             "A new token needs one query, one key, one value and one row of scores, and gives the same bits.|"
             "A cache saves work and takes memory, more with every token."},
};

}  // namespace

constexpr LessonParts twice_links = pack_links<kTwiceSteps>("twice");

LessonText twice_words() {
    return {.title = "Without a KV cache: what is computed twice",
            .about = "A text grows by one token, and without a cache all of it is computed again.",
            .steps = pack_words<kTwiceSteps>()};
}

constexpr LessonParts cache_links = pack_links<kCacheSteps>("cache");

LessonText cache_words() {
    return {.title = "KV cache: step by step",
            .about = "Keys and values are kept: one row a token, the same bits, and what it takes in memory.",
            .steps = pack_words<kCacheSteps>()};
}

}  // namespace attn
