// Rows with the settings that most layers leave as they are: positions in the scores, GQA, MLA, windows, sinks.
#include "ui/settings/variant_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/kit/setting_rows.h"

namespace attn {
namespace {

// What positions in the scores do, and the settings of rotary ones. Apart, as all that a first picture has not.
[[gnu::noinline]] void put_positions_in_scores(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.positions == Positions::alibi) put_remark(frame, "ALiBi: scores fall with the distance");
    if (inputs.positions != Positions::rope) return;
    put_remark(frame, inputs.rope_dim == 0 ? "RoPE: queries and keys are turned" : "RoPE: their last numbers turn");
    choice_row(frame, "rope_pairs");
    // Tenfold steps: models take 10,000 or 1,000,000.
    const double base = inputs.rope_base;
    const auto times = [&](double factor) -> std::optional<std::string> {
        const double next = base * factor;
        if (next < kMinRopeBase || next > kMaxRopeBase) return std::nullopt;
        return exact_number(next);
    };
    number_row(frame, "rope_base", exact_number(base), {.less = times(0.1), .more = times(10)});
    number_row(frame, "pos_shift", concat(inputs.pos_shift),
               whole_steps(inputs.pos_shift, 1, -kMaxPosShift, kMaxPosShift));
}

// Heads of keys and values: they go along the divisors of heads.
void put_kv_heads(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.num_heads == 1 || inputs.init == Init::none) return;
    const int now = inputs.num_kv_heads == 0 ? inputs.num_heads : inputs.num_kv_heads;
    number_row(frame, "kv_heads", concat(now), steps_along(legal_num_heads(inputs.num_heads), now));
    if (frame.next.inputs.num_kv_heads == inputs.num_heads) frame.next.inputs.num_kv_heads = 0;
    if (inputs.num_kv_heads == 0) return;
    if (!hides_control(frame.state.view, "kv_heads")) {
        const int readers = inputs.num_heads / inputs.num_kv_heads;
        put_remark(frame, inputs.num_kv_heads == 1 ? concat("one for all ", readers, " heads (MQA)")
                                                   : concat(readers, " heads share each (GQA)"));
    }
    choice_row(frame, "kv_from");
}

[[gnu::noinline]] void put_latent_rows(UiFrame& frame, const Steps& query_steps) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.latent != 0 && !hides_control(frame.state.view, "latent")) {
        const int kv_heads = inputs.num_kv_heads == 0 ? inputs.num_heads : inputs.num_kv_heads;
        put_remark(frame, concat("a cache keeps ", counted(inputs.latent + inputs.rope_dim, "number"), " a token, not ",
                                 2 * kv_heads * (inputs.d_out / inputs.num_heads)));
    }
    number_row(frame, "latent_queries", concat(inputs.query_latent), query_steps);
    if (inputs.latent == 0 || inputs.positions != Positions::rope) return;
    const int most = kMaxWidth / inputs.num_heads / 2 * 2;
    number_row(frame, "rope_dim", concat(inputs.rope_dim), whole_steps(inputs.rope_dim, 2, 0, most));
}

// The vectors that keys, values and queries are made of: from 0, none, to d_out numbers.
void put_latents(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    if (inputs.init == Init::none) return;
    const auto steps_of = [&](int value) { return whole_steps(value, 1, 0, inputs.d_out); };
    number_row(frame, "latent", concat(inputs.latent), steps_of(inputs.latent));
    if (inputs.latent != 0 || inputs.query_latent != 0) put_latent_rows(frame, steps_of(inputs.query_latent));
}

// Whether any key may be hidden; otherwise it does not matter where the mask comes in.
bool hides_a_key(const Inputs& inputs) {
    return inputs.mask == Mask::causal || hides_by_window_or_hand(inputs);
}

// The window of the mask, and beside it the keys that stay.
void put_window(UiFrame& frame) {
    const Inputs& inputs = frame.state.inputs;
    const int window = inputs.mask_window;
    const auto steps_of = [](int value) { return whole_steps(value, 1, 0, static_cast<int>(kMaxTokens)); };
    number_row(frame, "mask_window", concat(window), steps_of(window));
    if (frame.next.inputs.mask_window == 0) frame.next.inputs.mask_sinks = 0;
    if (window == 0) return;
    if (!hides_control(frame.state.view, "mask_window")) {
        put_remark(frame, concat(window == 1 ? "each token sees itself" : concat("itself and ", window - 1, " before"),
                                 inputs.mask == Mask::none && window > 1 ? concat(", ", window - 1, " after") : ""));
    }
    number_row(frame, "mask_sinks", concat(inputs.mask_sinks), steps_of(inputs.mask_sinks));
}

}  // namespace

void put_cap_row(UiFrame& frame, std::string_view key, double cap) {
    constexpr std::array kCaps = {0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 50.0};  // Gemma 2 has 50, and 30 for logits
    Steps steps;
    for (const double one : kCaps) {
        if (one < cap) steps.less = exact_number(one);
        if (one > cap && !steps.more) steps.more = exact_number(one);
    }
    number_row(frame, key, exact_number(cap), steps);
}

void put_position_rows(UiFrame& frame) {
    choice_row(frame, "pos");
    const Positions positions = frame.state.inputs.positions;
    const bool is_in_scores = positions == Positions::alibi || positions == Positions::rope;
    if (is_in_scores && !hides_control(frame.state.view, "pos")) put_positions_in_scores(frame);
}

void put_variant_rows(UiFrame& frame) {
    put_kv_heads(frame);
    put_latents(frame);
    put_window(frame);
    const Inputs& inputs = frame.state.inputs;
    if (inputs.latent == 0 && inputs.query_latent == 0) flag_row(frame, "qk_norm", inputs.has_qk_norm());
    put_cap_row(frame, "score_cap", inputs.score_cap);
    if (hides_a_key(inputs) || inputs.mask_at != MaskAt::before) choice_row(frame, "mask_at");
    if (inputs.mask_at == MaskAt::before) flag_row(frame, "sink_logits", inputs.has_sink());
}

}  // namespace attn
