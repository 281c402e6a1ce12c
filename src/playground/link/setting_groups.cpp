// Finds the group of a key in the lists, and compares its values with the defaults.
#include "playground/link/setting_groups.h"

#include <algorithm>

#include "playground/link/key_table.h"
#include "playground/state/open_models.h"

namespace attn {

SettingGroup group_of_key(std::string_view key) {
    for (const SettingGroupInfo& info : kSettingGroups) {
        std::string_view keys = info.keys;
        while (!keys.empty()) {
            const std::size_t end = keys.find(' ');
            if (keys.substr(0, end) == key) return info.group;
            keys.remove_prefix(end + 1);
        }
    }
    return SettingGroup::none;
}

bool holds_values(const PlaygroundState& state, SettingGroup group) {
    static const PlaygroundState defaults;
    const std::span<const KeyInfo> keys = key_table();
    return std::any_of(keys.begin(), keys.end(), [&](const KeyInfo& info) {
        return group_of_key(info.key) == group && info.write(state) != info.write(defaults);
    });
}

bool opens_all_groups(const View& view) {
    return !view.lesson.empty() || !view.lock.empty() || !view.hide.empty();
}

bool opens_group(const PlaygroundState& state, SettingGroup group) {
    if (opens_all_groups(state.view)) return true;
    if (!state.inputs.model.empty()) return group == SettingGroup::model && !open_model_of(state.inputs);
    if (group == SettingGroup::input || group == SettingGroup::attention) return true;
    if (group == SettingGroup::learning && state.view.view == ViewKind::learn) return true;
    return holds_values(state, group);
}

}  // namespace attn
