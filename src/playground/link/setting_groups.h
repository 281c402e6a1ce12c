// The settings in groups: which keys stand together, and which groups a state opens. Panel and text version show them
// so; what a visitor folds is in no link.
#pragma once

#include <array>
#include <string_view>

#include "playground/state/state.h"

namespace attn {

enum class SettingGroup { none, learning, input, model, attention, positions, variants };

struct SettingGroupInfo {
    SettingGroup group;
    std::string_view name;   // of its heading's item: "variants"
    std::string_view title;  // "Variants"
    std::string_view about;  // what is in it, in the field's words and few of them: stands beside the title
    std::string_view keys;   // of the link, with a space after each
};

// All groups but none, in the order of the list above.
inline constexpr auto kSettingGroups = std::to_array<SettingGroupInfo>({
    {SettingGroup::learning, "learning", "Learning", "goal, targets, steps",
     "goal target steps optimizer rate logit_cap train "},
    {SettingGroup::input, "input", "Input", "tokens, embedding", "text tokens embed embed_seed x d_in "},
    {SettingGroup::model, "model", "Model", "layer, heads off", "model layer off off_by patch "},
    {SettingGroup::attention, "attention", "Attention", "heads, mask, matrices",
     "d_out heads mask scale temperature dropout dropout_seed init seed bias out edit "},
    {SettingGroup::positions, "positions", "Positions", "sin, RoPE, ALiBi", "pos rope_pairs rope_base pos_shift "},
    {SettingGroup::variants, "variants", "Variants", "GQA, MLA, window",
     "kv_heads kv_from latent latent_queries rope_dim mask_window mask_sinks mask_at qk_norm sink_logits score_cap "},
});

constexpr const SettingGroupInfo& setting_group_info(SettingGroup group) {
    return kSettingGroups[static_cast<std::size_t>(group) - 1];
}

// The group of a key; none of keys that decide no number.
SettingGroup group_of_key(std::string_view key);

// Whether a key of the group has another value than a link without it gives.
bool holds_values(const PlaygroundState& state, SettingGroup group);

// Whether all groups are open: in a lesson, and on a page whose author left something out or locked it.
bool opens_all_groups(const View& view);

// Whether the state opens the group: input and attention, and others that hold values; with a model, which decides most
// of them, only the group that says why its files are not there.
bool opens_group(const PlaygroundState& state, SettingGroup group);

}  // namespace attn
