// The buttons of view=edit: copy, paste, revert.
#pragma once

#include <string>
#include <vector>

#include "ui/edit/edit_picture.h"

namespace attn {

struct EditAction {
    const char* name;
    std::string label;
    bool is_enabled;
    void (*act)(const EditPicture&);
};

// As many as there is room for.
std::vector<EditAction> edit_actions(const EditPicture& picture);

// How many rows of buttons there are in `width`, and how wide all of them are in one line; on a small canvas with those
// for undo.
int num_edit_action_rows(const Look& look, const std::vector<EditAction>& actions, float width);
float edit_actions_width(const Look& look, const std::vector<EditAction>& actions);

// At the cursor, in as many rows as they need.
void put_edit_actions(const EditPicture& picture, const std::vector<EditAction>& actions);

}  // namespace attn
