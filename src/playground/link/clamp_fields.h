// Every field but View::compare moved to the nearest legal value: what clamp_to_legal (legal.h) promises of them. The
// state B of View::compare is a link, and reading one needs this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/link/legal_numbers.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

Notes clamp_fields(PlaygroundState& state);

// The other way out when the number of heads had to change: this d_out allows the heads that were asked for.
struct HeadsOffer {
    int num_heads = 0;
    int d_out = 0;
};

// What the first note of clamp_heads among these offers ("3 heads need d_out 6"), if the author of the page locked
// neither heads nor d_out.
std::optional<HeadsOffer> heads_offer(const Notes& notes, const View& view);

// "Take 3 heads with d_out 6"
std::string heads_offer_label(const HeadsOffer& offer);

// The fewest channels from `d_out` on that split into so many heads; nothing where these inputs cannot have them.
std::optional<int> d_out_for_heads(const Inputs& inputs, int num_heads);

}  // namespace attn
