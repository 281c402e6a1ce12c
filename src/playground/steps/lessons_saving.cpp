// The lessons about what a cache can do without: key heads that query heads share, and a latent for all of them.
#include "playground/steps/lesson_table.h"
#include "playground/steps/shared_links.h"

namespace attn {
namespace {

// Its first five tokens are those of the whole sentence: behind the mask nothing of them changes.
constexpr std::string_view kBegun = "text=The+artist+painted+the+portrait";
constexpr std::string_view kFourHeads[] = {kBegun, "&d_in=8&d_out=8&heads=4&out=0"};
constexpr std::string_view kFourCached[] = {kArtist, "&d_in=8&d_out=8&heads=4&out=0&view=cache&prompt=4"};
constexpr std::string_view kOfLatents[] = {kBegun, "&d_in=8&d_out=8&heads=4&out=0&latent=3"};
constexpr std::string_view kLatentsCached[] = {kArtist, "&d_in=8&d_out=8&heads=4&out=0&latent=3&view=cache&prompt=4"};

constexpr ChoiceText kFourQuestionsChoices[] = {
    {"yes", "scores 1,4,1@kv_heads=1 != scores 4,4,1@kv_heads=1", "The queries are four different ones."},
    {"no: a head has to have its own keys", kNever, "A score needs a query and a key of one length, no more."},
    {"yes, but all would get the same answer", "scores 1,4,1@kv_heads=1 = scores 4,4,1@kv_heads=1",
     "The queries still differ, so the scores do."},
};
constexpr PredictionText kFourQuestions = {.question = "Could heads ask four questions of the same keys?",
                                           .choices = kFourQuestionsChoices,
                                           .reason =
                                               "With one key head, heads 1 and 4 of “portrait” score {scores "
                                               "1,4,1@kv_heads=1} and {scores 4,4,1@kv_heads=1} with the same key."};

constexpr StepText kGroupsSteps[] = {
    {.title = "Four heads, four keys",
     .link = {kFourCached, "&at=1"},
     .text = "Each of the 4 heads has a key and a value of its own, 2 numbers each, so a token leaves 2 · 4 · 2 = 16 "
             "numbers in the cache. Queries are not kept.",
     .points_at = "view=cache",
     .asks = kFourQuestions},
    {.title = "One key head for all",
     .link = {kFourHeads, "&kv_heads=1&stage=scores&cell=4,4,1&check=scores"},
     .answer_before = "yes.",
     .text = "This is multi-query attention, MQA. All 4 heads read the one key of “artist”, {keys 1,1,*}. The query of "
             "“portrait” in head 4 is {queries 4,4,*}. Type their score.",
     .points_at = "kv_heads stage=scores token=4"},
    {.title = "Still four questions",
     .link = {kFourHeads, "&kv_heads=1&stage=weights&cell=4,4,1"},
     .answer_before = "{scores 4,4,1}.",
     .text = "Head 1 has the score −1.2687 for the same key, because its query is another one. So with the same keys "
             "“portrait” looks most at itself in head 3, with 0.7224, and at “artist” in head 4, with 0.3533.",
     .points_at = "stage=weights token=4"},
    {.title = "Neighbours share",
     .link = {kFourCached, "&at=1&kv_heads=2&check=counts"},
     .text = "Between the two lies grouped-query attention, GQA. With 2 key heads, heads 1 and 2 read the first and "
             "heads 3 and 4 the second: query head i reads key head i / (4 / 2), counted from 0 and rounded down. How "
             "many numbers does a token leave now?",
     .points_at = "kv_heads view=cache"},
    {.title = "From a trained layer",
     .link = {kFourHeads, "&kv_heads=2&kv_from=mean&stage=keys&cell=1,0,0&check=keys"},
     .answer_before = "8.",
     .text = "A model that was trained with a key head for each head can be converted: the matrices of neighbours are "
             "averaged, so their keys are, too. Of “The” the keys of heads 1 and 2 began with 0.2140 and 1.0744. Type "
             "what the shared one begins with.",
     .points_at = "kv_from stage=keys token=0"},
    {.title = "What is lost",
     .link = {kFourHeads, "&kv_heads=2&kv_from=mean&stage=weights&cell=1,4,4"},
     .answer_before = "0.6442, the mean.",
     .text =
         "In head 1 “portrait” gave itself 0.4109 before, and 0.2427 with the shared keys: what heads disagreed about "
         "is averaged away. Converted models train a little more. Set key heads to 4, and the old weights are back.",
     .points_at = "kv_heads stage=weights token=4"},
    {.title = "What models do",
     .link = {kFourCached, "&at=7&kv_heads=2&length=4096"},
     .text = "Llama-2 70B has 64 heads and 8 key heads: 2 · 8 · 128 · 80 = 163,840 numbers a token instead of "
             "1,310,720. At 4,096 tokens and 2 bytes each that is 1.34 GB for one user instead of 10.74. The meter "
             "below the counts has the other models.",
     .points_at = "view=cache length+",
     .keep = "In GQA several query heads share a key head and a value head; in MQA all of them share one.|"
             "The cache is smaller by as many times as heads share.|"
             "It is another layer, with other numbers."},
};

constexpr StepText kLatentSteps[] = {
    {.title = "One vector for all heads",
     .link = {kLatentsCached, "&at=1"},
     .text = "Keys and values of 4 heads are 16 numbers a token. In multi-head latent attention, MLA, they are all "
             "made of one short vector, the latent, here of 3 numbers: it alone is kept. The picture shows it as l; k "
             "and v are made of it again in each pass.",
     .points_at = "latent view=cache"},
    {.title = "Compress",
     .link = {kOfLatents, "&stage=latents&cell=1,0,0"},
     .text = "The latent of “The” is 0.2140 −0.6421 1.0744: its row of X times a matrix of 8 rows and 3 columns, W_DKV "
             "in the paper, here w_down_kv. Eight numbers become three. Click one to see its products.",
     .points_at = "stage=latents token=0"},
    {.title = "Expand",
     .link = {kOfLatents, "&stage=keys&cell=1,0,0&check=keys"},
     .text =
         "Keys of every head are the latent times that head's columns of w_key, W_UK in the paper. The first column "
         "of head 1 is 0.3177 0.2019 −0.4427. Type the first number of the key of “The”.",
     .points_at = "stage=keys token=0"},
    {.title = "Absorb",
     .link = {kOfLatents, "&stage=absorbed_queries&cell=1,4,0&check=absorbed_queries"},
     .answer_before = "−0.5373.",
     .text = "Must keys be made? A score is q · (W_UKᵀ c), and that is (W_UK q) · c. In head 1 the query of “portrait” "
             "is 0.3931 0.7068, and the first row of w_key 0.3177 0.4455. Type the first number of the absorbed query.",
     .points_at = "stage=absorbed_queries token=4"},
    {.title = "The same score",
     .link = {kOfLatents, "&stage=scores&cell=1,4,0&check=scores"},
     .answer_before = "{absorbed_queries 1,4,0}.",
     .text = "The whole absorbed query is {absorbed_queries 1,4,*}. Multiply it with the latent of “The”, {latents "
             "1,0,*}, and type the score: no key takes part.",
     .points_at = "stage=scores token=4"},
    {.title = "Values, too",
     .link = {kOfLatents, "&stage=mixed_latents&cell=1,4,0"},
     .answer_before = "{scores 1,4,0}.",
     .text = "The query times the key gives the same. Values are spared the same way: the weights mix the latents, "
             "here to 0.5313 −0.3562 0.2371, and w_value makes the context of the mixture: 0.1533 for its first "
             "number. Floats may differ in their last digits, for they are added in another order.",
     .points_at = "stage=mixed_latents stage=context token=4"},
    {.title = "Two orders, two prices",
     .link = {kLatentsCached, "&at=7"},
     .text = "To the last token the expanded order takes 4,904 multiply-adds with a cache, since each pass makes keys "
             "and values of all latents again. The absorbed order takes 3,080. Without a cache, all rows at once again "
             "and again, it is dearer: 14,784 against 12,576. So models absorb when they write and expand when they "
             "read a prompt.",
     .points_at = "view=cache"},
    {.title = "Why turning needs a part of its own",
     .link = {kOfLatents, "&pos=rope&stage=scores&cell=1,4,0"},
     .text = "Rotary positions now turn queries and keys, in place of the sines in X. So the query of “portrait” times "
             "the key of “The” is 0.0866, no longer 0.0773, but their score is −0.4477: a turn by 4 radians stands "
             "between them, and one by 3 before the key of “artist”. No query can absorb all of these turns, so each "
             "pass would have to make all keys again.",
     .points_at = "pos stage=scores token=4"},
    {.title = "Two numbers that turn",
     .link = {kOfLatents, "&pos=rope&rope_dim=2&stage=scores&cell=1,4,0&check=scores"},
     .text = "DeepSeek-V2 leaves queries and keys as they are and makes other numbers to be turned, here 2 a head. The "
             "absorbed query 0.4731 0.2121 0.2260 times the latent of “The” is 0.0866 again. Turned, the other "
             "numbers of “portrait” are 0.8593 −0.2863, those of “The” −0.0178 0.6064. Type the score: both products "
             "together.",
     .points_at = "rope_dim stage=scores token=4"},
    {.title = "What is kept",
     .link = {kLatentsCached, "&at=7&length=4096&pos=rope&rope_dim=2"},
     .answer_before = "−0.1023.",
     .text = "The key that turns is one row for all heads, p in the picture, and stays in the cache: 3 + 2 = 5 numbers "
             "a token instead of 16. DeepSeek-V2 keeps 64 numbers beside the 512 of its latent. (512 + 64) · 60 = "
             "34,560 numbers a token; keys and values of its 128 heads would be 1,966,080.",
     .points_at = "view=cache length+",
     .keep = "In MLA a token keeps one short latent, and the keys and values of all heads are made of it.|"
             "The query can take over W_UK: then no key is made, and the scores are the same.|"
             "Keys that are turned cannot be taken over, so some numbers are turned by themselves and kept beside the "
             "latent."},
};

}  // namespace

constexpr LessonParts groups_links = pack_links<kGroupsSteps>("groups");

LessonText groups_words() {
    return {.title = "GQA: fewer key heads",
            .about = "Query heads share keys and values (GQA, MQA): what that saves, and what is lost.",
            .steps = pack_words<kGroupsSteps>()};
}

constexpr LessonParts latent_links = pack_links<kLatentSteps>("latent");

LessonText latent_words() {
    return {.title = "MLA: a latent for all heads",
            .about = "Keys and values of all heads are made of one short vector (MLA): compress, expand, absorb, turn.",
            .steps = pack_words<kLatentSteps>()};
}

}  // namespace attn
