// Decides which groups of settings are open, and draws their headings.
#include "ui/settings/folding.h"

#include <algorithm>
#include <memory>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/state/open_models.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

FoldMemory& fold_memory(PanelMemory& memory) {
    if (!memory.folds) memory.folds = std::make_shared<FoldMemory>();
    return *memory.folds;
}

std::size_t place_of_group(SettingGroup group) {
    return static_cast<std::size_t>(group) - 1;
}

// The key of an item that a step points at: "heads" of "heads+", "mask" of "mask=none".
std::string_view key_of_target(std::string_view target) {
    return target.substr(0, target.find_first_of("=+-"));
}

// Not inlined: a lesson needs it, the first picture does not.
[[gnu::noinline]] void open_groups_of_step(FoldMemory& folds, const LessonStep& step) {
    for (const std::string_view target : step.points_at) {
        const SettingGroup group = group_of_key(key_of_target(target));
        if (group != SettingGroup::none) folds.is_open[place_of_group(group)] = true;
    }
}

}  // namespace

void follow_state(UiFrame& frame) {
    FoldMemory& folds = fold_memory(frame.memory);
    const PlaygroundState& state = frame.state;
    const bool has_model = !state.inputs.model.empty();
    const unsigned way = (opens_all_groups(state.view) ? 1U : 0U) | (open_model_of(state.inputs) ? 2U : 0U) |
                         (state.view.view == ViewKind::learn ? 4U : 0U);
    if (has_model && !folds.of_model) folds.is_open = folds.opened = {};
    if ((way & ~folds.way & 1U) != 0) folds.opened = {};  // a lesson begins: whatever was folded opens
    if (folds.version != frame.version || folds.way != way || folds.of_model != has_model) {
        for (const SettingGroupInfo& info : kSettingGroups) {
            const std::size_t place = place_of_group(info.group);
            const bool opens = opens_group(state, info.group);
            if (opens && !folds.opened[place]) folds.is_open[place] = true;
            folds.opened[place] = opens;
        }
    }
    folds.version = frame.version;
    folds.way = way;
    folds.of_model = has_model;
    if (const LessonStep* step = step_of(state.view); step != nullptr && folds.step != step->link) {
        folds.step = step->link;
        open_groups_of_step(folds, *step);
    }
}

bool put_group_heading(UiFrame& frame, SettingGroup group, std::string_view folded_words) {
    constexpr float kChevron = 16;  // its room, before the title
    const SettingGroupInfo& info = setting_group_info(group);
    bool& is_open = fold_memory(frame.memory).is_open[place_of_group(group)];
    const std::string_view words = folded_words.empty() ? info.about : folded_words;
    const bool is_first = ImGui::GetCursorPosY() <= ImGui::GetCursorStartPos().y;
    if (!is_first) ImGui::Dummy({1, 1});
    const float height = frame.is_touch ? 40.0F : kSmallSize + 8;
    const ItemState state = item(frame, concat("group=", info.name), {ImGui::GetContentRegionAvail().x, height});
    if (state.is_focused)
        call_item(frame, state,
                  concat("settings, ", info.title, is_open ? ", open" : ", folded: ", is_open ? "" : words));
    const Palette& palette = frame.palette;
    if (state.is_hovered) fill_box({state.min.x - 4, state.min.y}, {state.max.x + 4, state.max.y}, palette.chip);
    draw_icon(is_open ? Icon::down : Icon::right, {state.min.x + 5, state.center().y}, 9, palette.soft_ink);
    const TextStyle title = {frame.fonts.sans_bold, kSmallSize, palette.soft_ink};
    draw_text_in({state.min.x + kChevron, state.min.y}, state.max, {0, 0.5F}, title, info.title);
    if (!is_open) {
        const TextStyle style = small(frame);
        const float room = state.max.x - state.min.x - kChevron - text_size(title, info.title).x - 12;
        draw_text_in(state.min, state.max, {1, 0.5F}, style, shortened(style, words, room));
    }
    if (state.is_pressed) is_open = !is_open;
    return is_open;
}

void open_group(PanelMemory& memory, SettingGroup group) {
    fold_memory(memory).is_open[place_of_group(group)] = true;
}

}  // namespace attn
