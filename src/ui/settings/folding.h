// The headings of the groups of settings: a press folds a group to one line, and opens it. What is folded is remembered
// for this visit, in no link.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "playground/link/setting_groups.h"
#include "ui/frame/frame.h"

namespace attn {

struct FoldMemory {
    std::array<bool, kSettingGroups.size()> opened = {};   // by the state, when it was looked at last
    std::array<bool, kSettingGroups.size()> is_open = {};  // on the screen
    int version = -1;                                      // of the numbers that were looked at
    unsigned way = 0;                                      // what else `opened` depends on
    std::string step;                                      // of a lesson, as a link: its groups were opened
    bool of_model = false;                                 // the state had one
};

// Opens the groups that the state opens now and did not open before, and those that a new step of a lesson speaks of;
// folds all when a model comes. Before the first heading of a frame.
void follow_state(UiFrame& frame);

// The heading at the cursor. Returns whether the group is open. `folded_words` stand beside the title of a folded
// group, in place of what is in it.
bool put_group_heading(UiFrame& frame, SettingGroup group, std::string_view folded_words = {});

// Opens it, whatever the visitor did.
void open_group(PanelMemory& memory, SettingGroup group);

}  // namespace attn
