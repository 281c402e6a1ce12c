// Lays the buttons out in rows, and says what each does.
#include "ui/edit/edit_actions.h"

#include <cstdint>

#include "core/ground/check.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/undo.h"
#include "ui/kit/widgets.h"

namespace attn {
namespace {

float action_width(const Look& look, const EditAction& action) {
    return text_size(body(look), action.label).x + 24;
}

}  // namespace

std::vector<EditAction> edit_actions(const EditPicture& picture) {
    const Display& display = picture.frame;
    const int num_here = count_typed_over(display.state, picture.tensor);
    const auto num_all = static_cast<std::int64_t>(display.state.inputs.edits.size());
    std::vector<EditAction> actions;
    const bool is_small = display.is_small();       // there the row of buttons has no room for the name
    const bool has_block = !lacks_height(display);  // the table needs the room
    if (has_block) actions.push_back({"cells copy", "Copy", true, copy_selection});
    // A page may not read the clipboard by itself; there the keys paste.
    if (has_block && !display.surroundings.page_shows_sentence)
        actions.push_back({"cells paste", "Paste", true, paste_clipboard});
    actions.push_back({"cells revert",
                       concat("Revert ", is_small ? "" : concat(tensor_name(picture.tensor), " "), "(", num_here, ")"),
                       num_here > 0, [](const EditPicture& p) {
                           revert_table(p.frame.next, p.tensor);
                           p.memory.remark.clear();
                       }});
    actions.push_back({"cells revert all", concat(is_small ? "All (" : "Revert all (", with_thousands(num_all), ")"),
                       num_all > 0, [](const EditPicture& p) {
                           p.frame.next.inputs.edits.clear();
                           p.memory.remark.clear();
                       }});
    return actions;
}

int num_edit_action_rows(const Look& look, const std::vector<EditAction>& actions, float width) {
    int rows = 1;
    float x = look.is_small() ? undo_buttons_width(look) + 6 : 0;
    for (const EditAction& action : actions) {
        const float end = x + action_width(look, action);
        if (x > 0 && end > width) {
            ++rows;
            x = 0;
        }
        x += action_width(look, action) + 6;
    }
    return rows;
}

float edit_actions_width(const Look& look, const std::vector<EditAction>& actions) {
    float width = look.is_small() ? undo_buttons_width(look) : -6;
    for (const EditAction& action : actions) width += 6 + action_width(look, action);
    return width;
}

void put_edit_actions(const EditPicture& picture, const std::vector<EditAction>& actions) {
    UiFrame& frame = picture.frame;
    float x = 0;
    const float width = ImGui::GetContentRegionAvail().x;
    if (frame.is_small()) {  // elsewhere they stand above the picture
        put_undo_buttons(frame);
        x = undo_buttons_width(frame) + 6;
    }
    for (const EditAction& action : actions) {
        const float end = x + action_width(frame, action);
        if (x > 0 && end > width) x = 0;
        if (x > 0) ImGui::SameLine(0, 6);
        if (button(frame, action.name, action.label, ButtonKind::quiet, action.is_enabled)) action.act(picture);
        x += action_width(frame, action) + 6;
    }
}

}  // namespace attn
