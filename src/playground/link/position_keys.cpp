#include "playground/link/position_keys.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "core/ground/check.h"
#include "core/words/tokens.h"
#include "playground/link/key_rows.h"
#include "playground/link/legal_numbers.h"
#include "playground/link/variant_keys.h"
#include "playground/state/shapes.h"
#include "playground/text/format.h"

namespace attn {
namespace {

static_assert(kMinRopeBase == 1 && kMaxRopeBase == 1e12 && kMaxPosShift == 1'000'000,
              "the words of the rows name these limits");
static_assert(kMaxPosShift + static_cast<int>(kMaxTokens) <= kMaxRotaryPosition, "every position has its sines");

// A head's channels come in pairs. With fewer heads there are more of them each; with more heads the scores still fit
// whatever the sentences are.
void clamp_pairs(Inputs& inputs, Notes& notes) {
    const int head_dim = inputs.d_out / inputs.num_heads;
    if (head_dim % 2 == 0) return;
    if (inputs.d_out % 2 != 0) {
        inputs.positions = Positions::none;
        notes.push_back(concat("pos set to none: rotary positions turn pairs of channels, and ",
                               counted(inputs.d_out, "channel"), " cannot be cut into heads of an even number"));
        return;
    }
    constexpr std::int64_t kMostScores = static_cast<std::int64_t>(kMaxTokens) * static_cast<std::int64_t>(kMaxTokens);
    std::vector<int> legal = legal_num_heads(inputs.d_out);
    const int wanted = inputs.num_heads;
    std::erase_if(legal, [&](int heads) {
        return inputs.d_out / heads % 2 != 0 || (heads > wanted && heads * kMostScores > kMaxScoreElements);
    });
    inputs.num_heads = nearest_of(legal, wanted);
    notes.push_back(concat("heads set to ", inputs.num_heads, ": rotary positions turn pairs of channels, and with ",
                           counted(wanted, "head"), " each has ", head_dim));
}

}  // namespace

void insert_position_keys(std::vector<KeyInfo>& table) {
    using namespace key_rows;
    std::vector<KeyInfo> rows = {
        choice<"rope_pairs", kRotaryPairWords, &Inputs::rope_pairs>(
            {.label = "RoPE: pairs",
             .legal = said<"halves or neighbours">,
             .help = said<"with pos=rope: which channels of a head are turned together, c and c + head_dim / 2 as in "
                          "Llama's files, or 2c and 2c + 1 as in the paper">}),
        number<"rope_base", &Inputs::rope_base>(
            {.label = "RoPE: base",
             .low = kMinRopeBase,
             .high = kMaxRopeBase,
             .legal = said<"a number from 1 to 1000000000000">,
             .help = said<"with pos=rope: pair p is turned by position / base^(2p / head_dim) radians; the larger, "
                          "the slower the later pairs">}),
        whole_number<"pos_shift", &Inputs::pos_shift>(
            {.label = "RoPE: shift",
             .low = -kMaxPosShift,
             .high = kMaxPosShift,
             .legal = said<"a whole number from -1000000 to 1000000">,
             .help = said<"with pos=rope: the whole sentence slides by so many positions">}),
    };
    const auto place = std::find_if(table.begin(), table.end(), [](const KeyInfo& row) { return row.key == "d_in"; });
    table.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

namespace {

// Apart, as all that a first visit does not need (tools/split.mjs).
[[gnu::noinline]] void move_turns(Inputs& inputs, Notes& notes) {
    if (std::isnan(inputs.rope_base)) {
        inputs.rope_base = Inputs().rope_base;
        notes.push_back("rope_base set to 10000: it must be a number");
    } else if (inputs.rope_base < kMinRopeBase || inputs.rope_base > kMaxRopeBase) {
        inputs.rope_base = std::clamp(inputs.rope_base, kMinRopeBase, kMaxRopeBase);
        notes.push_back(concat("rope_base set to ", exact_number(inputs.rope_base),
                               inputs.rope_base == kMinRopeBase
                                   ? ": with a base of 1 all pairs turn as fast as the first, and none turns faster"
                                   : ": beyond it the last pairs hardly turn at all"));
    }
    const int shift = std::clamp(inputs.pos_shift, -kMaxPosShift, kMaxPosShift);
    if (shift != inputs.pos_shift)
        notes.push_back(concat("pos_shift set to ", shift, ": a sentence slides by ", with_thousands(kMaxPosShift),
                               " positions at most"));
    inputs.pos_shift = shift;
}

}  // namespace

void clamp_positions(Inputs& inputs, Notes& notes) {
    const bool has_legal_base = inputs.rope_base >= kMinRopeBase && inputs.rope_base <= kMaxRopeBase;  // not NaN
    const bool has_legal_shift = inputs.pos_shift >= -kMaxPosShift && inputs.pos_shift <= kMaxPosShift;
    if (!has_legal_base || !has_legal_shift) move_turns(inputs, notes);
    if (inputs.positions == Positions::rope && !has_own_rotary(inputs)) clamp_pairs(inputs, notes);
}

}  // namespace attn
