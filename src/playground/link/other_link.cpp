// Ways to choose B, and what makes it different from A.
#include "playground/link/other_link.h"

#include <algorithm>
#include <span>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"

namespace attn {
namespace {

std::string changed(const PlaygroundState& state, void (*change)(PlaygroundState&)) {
    PlaygroundState other = state;
    change(other);
    clamp_to_legal(other);
    return link_as_other(other);
}

// The edits that a lesson's step brings along; the visitor typed the others.
std::vector<Edit> given_edits(const View& view) {
    const PlaygroundState* step = step_state(view);
    return step == nullptr ? std::vector<Edit>() : step->inputs.edits;
}

std::string value_in_words(const KeyInfo& info, const std::vector<std::string>& values) {
    if (values.empty()) return "none";
    if (info.kind == KeyKind::flag) return values.front() == "1" ? "on" : "off";
    return info.kind == KeyKind::text ? quoted(values.front()) : values.front();
}

std::string difference_in_words(const KeyInfo& info, const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
    if (a.size() != b.size() && info.repeats) return concat(info.label, ": ", b.size(), " instead of ", a.size());
    if (info.kind == KeyKind::list || a.size() > 1) return concat("other ", info.label);
    return concat(info.label, " ", value_in_words(info, b), " instead of ", value_in_words(info, a));
}

#ifndef ATTN_FORWARD_ONLY  // the engine module that computes forward alone has no rotary positions
// The same with the other pairs turned, and with the whole sentence slid: queries and keys all change, and the scores
// do not, but for the rounding of the turned numbers.
void append_rotary_others(const PlaygroundState& state, std::vector<QuickOther>& others) {
    const bool is_halves = state.inputs.rope_pairs == RotaryPairs::halves;
    const auto turn_others = [](PlaygroundState& other) {
        RotaryPairs& pairs = other.inputs.rope_pairs;
        pairs = pairs == RotaryPairs::halves ? RotaryPairs::neighbours : RotaryPairs::halves;
    };
    const auto slide = [](PlaygroundState& other) { other.inputs.pos_shift = other.inputs.pos_shift == 0 ? 100 : 0; };
    others.push_back({"rope_pairs", is_halves ? "neighbours turned, not halves" : "halves turned, not neighbours",
                      changed(state, turn_others)});
    others.push_back(
        {"pos_shift", state.inputs.pos_shift == 0 ? "slid by 100 positions" : "not slid", changed(state, slide)});
}
#endif

}  // namespace

void swap_with_other(PlaygroundState& state) {
    ATTN_CHECK(!state.view.compare.empty(), "there is no B to swap with");
    const PlaygroundState other = read_link(state.view.compare).state;
    state.view.compare = link_as_other(state);
    state.inputs = other.inputs;
    state.view.sentence = other.view.sentence;
    state.view.head = other.view.head;
}

std::string link_before_training(const PlaygroundState& state) {
    PlaygroundState before = state;
    before.inputs.steps = 0;
    return link_as_other(before);
}

std::vector<QuickOther> quick_others(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    std::vector<QuickOther> others;
#ifndef ATTN_FORWARD_ONLY
    if (inputs.positions == Positions::rope) append_rotary_others(state, others);
#endif
    PlaygroundState unedited = state;
    unedited.inputs.edits = given_edits(state.view);
    if (unedited.inputs.edits != inputs.edits) {
        others.push_back({"typed", "without what I typed", link_as_other(unedited)});
    }
    if (inputs.goal != GoalKind::none && inputs.steps > 0)
        others.push_back({"steps", "step 0", link_before_training(state)});
    if (inputs.init != Init::identity && inputs.init != Init::none) {
        others.push_back({"seed", concat("seed ", inputs.seed + 1),
                          changed(state, [](PlaygroundState& other) { ++other.inputs.seed; })});
    }
    if (inputs.texts.size() > 1) {
        const auto next = [](PlaygroundState& other) {
            other.view.sentence = (other.view.sentence + 1) % static_cast<int>(other.inputs.texts.size());
        };
        const int number = (state.view.sentence + 1) % static_cast<int>(inputs.texts.size()) + 1;
        others.push_back({"sentence", concat("sentence ", number), changed(state, next)});
    }
    if (inputs.num_heads > 1) {
        others.push_back({"heads", "one head", changed(state, [](PlaygroundState& other) {
                              other.inputs.num_heads = 1;
                              other.view.head.reset();
                          })});
    } else if (inputs.d_out % 2 == 0) {
        others.push_back(
            {"heads", "two heads", changed(state, [](PlaygroundState& other) { other.inputs.num_heads = 2; })});
    }
    if (inputs.mask_at == MaskAt::before) {
        others.push_back({"mask_at", "mask after the softmax",
                          changed(state, [](PlaygroundState& other) { other.inputs.mask_at = MaskAt::after; })});
    } else {
        others.push_back({"mask_at", "mask before the softmax",
                          changed(state, [](PlaygroundState& other) { other.inputs.mask_at = MaskAt::before; })});
    }
    return others;
}

std::vector<std::string> differences_in_words(const PlaygroundState& a, const PlaygroundState& b) {
    std::vector<std::string> differences;
    for (const KeyInfo& info : key_table()) {
        if (!is_key_of_other(info)) continue;
        const std::vector<std::string> values_a = info.write(a);
        const std::vector<std::string> values_b = info.write(b);
        if (values_a == values_b) continue;
        if (info.key != "head") {
            differences.push_back(difference_in_words(info, values_a, values_b));
        } else if (compared_head(a) != compared_head(b)) {
            differences.push_back(concat("head ", compared_head(b) + 1, " instead of ", compared_head(a) + 1));
        }
    }
    return differences;
}

int compared_head(const PlaygroundState& state) {
    return state.view.head.value_or(0);
}

}  // namespace attn
