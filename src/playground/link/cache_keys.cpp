#include "playground/link/cache_keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/ground/check.h"
#include "playground/link/key_rows.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"

namespace attn {

void insert_cache_keys(std::vector<KeyInfo>& table) {
    using namespace key_rows;
    std::vector<KeyInfo> rows = {
        whole_number<"prompt", &View::prompt>(
            {.label = "prompt",
             .low = 1,
             .high = kMaxCachedTokens,
             .legal = said<"a whole number from 1 to the number of tokens">,
             .help = said<"view=cache: the first tokens, which are computed at once">}),
        whole_number<"at", &View::at>(
            {.label = "step of the cache",
             .low = 0,
             .high = kMaxCachedTokens,
             .legal = said<"a whole number from 0 to the tokens after the prompt">,
             .help = said<"view=cache: how many tokens after the prompt have been computed">}),
        whole_number<"length", &View::length>({.label = "context length",
                                               .low = 1,
                                               .high = kMaxLength,
                                               .legal = said<"a whole number from 1 to 1000000">,
                                               .help = said<"view=cache: tokens of a user, for the memory meter">}),
        choice<"element", kCacheElementWords, &View::element>(
            {.label = "kept as",
             .legal = said<"f32, bf16, int8 or int4">,
             .help = said<"view=cache: how the memory meter's caches keep a number: 4, 2, 1 or half a byte">}),
        number<"card", &View::card>({.label = "card, GB",
                                     .low = 1,
                                     .high = kMaxCard,
                                     .legal = said<"a number from 1 to 10000">,
                                     .help = said<"view=cache: the memory of a card, in GB, that users share">}),
    };
    const auto place = std::find_if(table.begin(), table.end(), [](const KeyInfo& row) { return row.key == "check"; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

void clamp_cache(const Inputs& inputs, View& view, Notes& notes) {
    const int prompt = std::clamp(view.prompt, 1, kMaxCachedTokens);
    if (prompt != view.prompt) notes.push_back(concat("prompt set to ", prompt, ": a prompt has 1 token at least"));
    view.prompt = prompt;
    const int at = std::clamp(view.at, 0, kMaxCachedTokens);
    if (at != view.at) notes.push_back(concat("at set to ", at, ": steps are counted from 0"));
    view.at = at;
    const int length = std::clamp(view.length, 1, kMaxLength);
    if (length != view.length) notes.push_back(concat("length set to ", length, ": it goes from 1 to ", kMaxLength));
    view.length = length;
    const double card = std::isnan(view.card) ? View().card : std::clamp(view.card, 1.0, kMaxCard);
    if (card != view.card) notes.push_back(concat("card set to ", exact_number(card), ": it goes from 1 to 10000 GB"));
    view.card = card;
    if (view.view != ViewKind::cache) return;  // counting tokens takes a while
    const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(view.sentence));
    if (num_tokens == 0) return;
    if (view.prompt > num_tokens && view.prompt != View().prompt) {
        view.prompt = num_tokens;
        notes.push_back(concat("prompt set to ", num_tokens, ": the sentence has ", counted(num_tokens, "token")));
    }
    const int rest = num_tokens - std::min(view.prompt, num_tokens);
    if (view.at > rest) {
        view.at = rest;
        notes.push_back(concat("at set to ", rest, ": after the prompt there ", rest == 1 ? "is " : "are ",
                               counted(rest, "token")));
    }
}

}  // namespace attn
