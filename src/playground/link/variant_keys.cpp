#include "playground/link/variant_keys.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "core/words/tokens.h"
#include "playground/link/key_rows.h"
#include "playground/link/legal_numbers.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr int kMostKeys = static_cast<int>(kMaxTokens);
static_assert(kMostKeys == 2048, "the words of the rows name this limit");

void insert_before(std::vector<KeyInfo>& table, std::string_view key, std::vector<KeyInfo> rows) {
    const auto place = std::find_if(table.begin(), table.end(), [&](const KeyInfo& row) { return row.key == key; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace

void insert_variant_keys(std::vector<KeyInfo>& table) {
    using namespace key_rows;
    if (!kForwardOnly) {
        insert_before(
            table, "scale",
            {
                flag<"qk_norm", &Inputs::qk_norm>(
                    {.label = "QK norm",
                     .help = said<"each head's queries and keys over their root mean square, times weights that are "
                                  "learned and start at 1, before they are turned, as in Qwen3">}),
                flag<"sink_logits", &Inputs::sink_logits>(
                    {.label = "learned sink",
                     .help = said<"each head learns a number that takes part in the softmax and has no key: weights "
                                  "may sum to less than 1, as in gpt-oss; starts at 0">}),
                number<"score_cap", &Inputs::score_cap>(
                    {.label = "soft cap",
                     .low = 0,
                     .high = kMaxCap,
                     .legal = said<"a number from 0.001 to 1000; 0: no cap">,
                     .help = said<"scaled scores become cap times tanh(score / cap), which never passes the cap; "
                                  "50 in Gemma 2">}),
                number<"logit_cap", &Inputs::logit_cap>(
                    {.label = "cap of logits",
                     .low = 0,
                     .high = kMaxCap,
                     .legal = said<"a number from 0.001 to 1000; 0: no cap">,
                     .help = said<"the same of the logits of the next word; 30 in Gemma 2">}),
            });
    }
    insert_before(
        table, "mask",
        {
            whole_number<"kv_heads", &Inputs::num_kv_heads>(
                {.label = "GQA: key heads",
                 .low = 0,
                 .high = kMaxWidth,
                 .legal = said<"a whole number that divides heads; 0: as many as heads">,
                 .help = said<"heads of keys and values: fewer than heads are shared (GQA), 1 by all (MQA)">}),
            choice<"kv_from", kKvFromWords, &Inputs::kv_from>(
                {.label = "GQA: keys from",
                 .legal = said<"drawn or mean">,
                 .help = said<
                     "where the matrices of shared keys and values come from: drawn so narrow; or drawn as for all "
                     "heads, and each group's mean taken, as models are converted to GQA">}),
        });
#ifndef ATTN_NO_LATENTS
    insert_before(
        table, "mask",
        {
            whole_number<"latent", &Inputs::latent>(
                {.label = "MLA: latent",
                 .low = 0,
                 .high = kMaxWidth,
                 .legal = said<"a whole number from 0 to d_out; 0: off">,
                 .help = said<"keys and values of all heads are made of one vector of so many numbers a token, which "
                              "is all that a cache keeps (MLA)">}),
            whole_number<"latent_queries", &Inputs::query_latent>(
                {.label = "MLA: query latent",
                 .low = 0,
                 .high = kMaxWidth,
                 .legal = said<"a whole number from 0 to d_out; 0: off">,
                 .help = said<"queries are made of a vector of so many numbers, as in DeepSeek-V2">}),
            whole_number<"rope_dim", &Inputs::rope_dim>(
                {.label = "MLA: RoPE part",
                 .low = 0,
                 .high = kMaxWidth,
                 .legal = said<"an even whole number, heads times it at most 1024; 0: off">,
                 .help = said<"with pos=rope and a latent: so many numbers of each head are made to be turned alone, "
                              "and queries and keys are not; the keys' are one row for all heads (DeepSeek-V2)">}),
        });
#endif
    insert_before(
        table, "mask_at",
        {
            whole_number<"mask_window", &Inputs::mask_window>(
                {.label = "sliding window",
                 .low = 0,
                 .high = kMostKeys,
                 .legal = said<"a whole number from 0 to 2048; 0: no window">,
                 .help =
                     said<"a token sees only so many keys, itself and those just before it; without the causal mask "
                          "also as far the other way">}),
            whole_number<"mask_sinks", &Inputs::mask_sinks>(
                {.label = "attention sinks",
                 .low = 0,
                 .high = kMostKeys,
                 .legal = said<"a whole number from 0 to the number of tokens">,
                 .help =
                     said<"with a window: the first keys that stay visible beside it, as in StreamingLLM's cache">}),
        });
}

namespace {

[[gnu::noinline]] void move_kv_heads(Inputs& inputs, Notes& notes) {
    const int wanted = inputs.num_kv_heads;
    if (inputs.init == Init::none && wanted != inputs.num_heads) {
        notes.push_back(concat("kv_heads set to ", inputs.num_heads,
                               ": without learned matrices keys and values are the embeddings, as wide as queries"));
        inputs.num_kv_heads = 0;
    } else if (wanted < 1 || wanted > inputs.num_heads || inputs.num_heads % wanted != 0) {
        inputs.num_kv_heads = nearest_of(legal_num_heads(inputs.num_heads), wanted);
        const std::string unequal = concat(counted(inputs.num_heads, "head"), " cannot share ", with_thousands(wanted));
        notes.push_back(concat(
            "kv_heads set to ", inputs.num_kv_heads, ": ",
            wanted < 1 ? "at least one head of keys and values is needed" : concat(unequal, " key heads equally")));
    }
}

}  // namespace

// As many key heads as heads is what 0 says, however the number of heads changes.
void clamp_kv_heads(Inputs& inputs, Notes& notes) {
    if (inputs.num_kv_heads != 0) move_kv_heads(inputs, notes);
    if (inputs.num_kv_heads == inputs.num_heads) inputs.num_kv_heads = 0;
}

namespace {

// The widest rotary part: w_query_rope has it for each head.
int most_rope_dim(const Inputs& inputs) {
    return kMaxWidth / inputs.num_heads / 2 * 2;
}

void clamp_rope_dim(Inputs& inputs, Notes& notes) {
    if (inputs.rope_dim == 0) return;
    std::string_view reason;
    int legal = std::clamp(inputs.rope_dim, 0, most_rope_dim(inputs));
    if (inputs.rope_dim < 0) {
        reason = "a rotary part has two numbers at least, and 0 is none";
    } else if (inputs.latent == 0) {
        legal = 0;
        reason = "without a latent queries and keys themselves are turned";
    } else if (inputs.positions != Positions::rope) {
        legal = 0;
        reason = "only rotary positions (pos=rope) turn numbers";
    } else if (legal < inputs.rope_dim) {
        reason = "it is there for each head, and a matrix has at most 1024 columns";
    } else if (legal % 2 != 0) {
        legal = std::max(2, legal - 1);
        reason = "numbers are turned in pairs";
    }
    if (legal != inputs.rope_dim) notes.push_back(concat("rope_dim set to ", legal, ": ", reason));
    inputs.rope_dim = legal;
}

}  // namespace

bool has_own_rotary(const Inputs& inputs) {
    return kHasLatents && inputs.rope_dim > 0 && inputs.latent > 0 && inputs.init != Init::none &&
           most_rope_dim(inputs) > 0;
}

namespace {

// Apart, as all that a first visit does not need (tools/split.mjs).
[[gnu::noinline]] void move_latents(Inputs& inputs, Notes& notes) {
    const auto clamp = [&](int& width, std::string_view key, std::string_view too_wide) {
        if (width == 0) return;
        const int legal = inputs.init == Init::none ? 0 : std::clamp(width, 0, inputs.d_out);
        if (legal == width) return;
        const bool is_none = width > 0 && inputs.init == Init::none;
        notes.push_back(concat(key, " set to ", legal, ": ",
                               is_none     ? "without learned matrices nothing makes or reads a latent vector"
                               : width < 0 ? "a vector has one number at least, and 0 is no latent"
                                           : too_wide));
        width = legal;
    };
    clamp(inputs.latent, "latent", "a latent wider than the keys that are made of it compresses nothing");
    clamp(inputs.query_latent, "latent_queries", "a latent wider than the queries compresses nothing");
    clamp_rope_dim(inputs, notes);
}

}  // namespace

void clamp_latents(Inputs& inputs, Notes& notes) {
    if (kHasLatents && (inputs.latent != 0 || inputs.query_latent != 0 || inputs.rope_dim != 0))
        move_latents(inputs, notes);
}

namespace {

[[gnu::noinline]] void take_sink_out(Inputs& inputs, Notes& notes) {
    inputs.sink_logits = false;
    notes.push_back("sink_logits set to 0: a sink that is learned needs the mask before the softmax (mask_at=before)");
}

[[gnu::noinline]] void take_qk_norm_out(Inputs& inputs, Notes& notes) {
    inputs.qk_norm = false;
    notes.push_back("qk_norm set to 0: what is made of a latent is not normed; models norm the latent itself");
}

}  // namespace

void clamp_qk_norm(Inputs& inputs, Notes& notes) {
    if (inputs.has_qk_norm() && (inputs.latent != 0 || inputs.query_latent != 0)) take_qk_norm_out(inputs, notes);
}

void clamp_sink(Inputs& inputs, Notes& notes) {
    if (inputs.has_sink() && inputs.mask_at != MaskAt::before) take_sink_out(inputs, notes);
}

namespace {

[[gnu::noinline]] void move_mask_window(Inputs& inputs, Notes& notes) {
    const int window = std::clamp(inputs.mask_window, 0, kMostKeys);
    if (window != inputs.mask_window) {
        notes.push_back(
            concat("mask_window set to ", window, ": ",
                   window == 0 ? "a window has one key at least, and 0 is no window" : "no sentence has more keys"));
    }
    inputs.mask_window = window;
    if (inputs.mask_sinks == 0) return;

    int most = kMostKeys;
    std::string_view reason = "a number of keys is at least 0";
    if (window == 0) {
        most = 0;
        reason = "without mask_window the first keys are visible anyway";
    } else if (inputs.mask_sinks > 0) {
        int num_tokens = 0;  // of the longest sentence
        for (std::size_t s = 0; s < inputs.texts.size(); ++s)
            num_tokens = std::max(num_tokens, count_tokens(inputs, s));
        if (num_tokens > 0) most = num_tokens;  // an empty text waits for its words
        reason = "no sentence has more tokens";
    }
    const int sinks = std::clamp(inputs.mask_sinks, 0, most);
    if (sinks != inputs.mask_sinks) notes.push_back(concat("mask_sinks set to ", sinks, ": ", reason));
    inputs.mask_sinks = sinks;
}

}  // namespace

void clamp_mask_window(Inputs& inputs, Notes& notes) {
    if (inputs.mask_window != 0 || inputs.mask_sinks != 0) move_mask_window(inputs, notes);
}

}  // namespace attn
