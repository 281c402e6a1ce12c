// One row of the settings: the field's word, its control, its help. All of it comes from the key table, and every
// choice goes through that table too: a control can do nothing that a link cannot.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/frame/frame.h"
#include "ui/kit/lock.h"
#include "ui/kit/stepper.h"

namespace attn {

// The help at the foot of the panel explains the row that the pointer, a finger or the keyboard touched last.
class SettingRow {
public:
    // Begins the row of `key`: its label, or `label` in its place, on the left.
    SettingRow(UiFrame& frame, std::string_view key, std::string_view label = {});
    // Ends it: notes whether the pointer or the focus is in it.
    ~SettingRow();
    SettingRow(const SettingRow&) = delete;
    SettingRow& operator=(const SettingRow&) = delete;

    // Moves the cursor to the start of a control of this width: right-aligned beside the label, or below it without
    // room. Returns the control's width; below the label it is all the room if the control `stretches`.
    float place_control(float width, bool stretches = false);

private:
    UiFrame& frame_;
    std::string_view key_;
    ImVec2 corner_;
    float width_;
    float label_width_;
    std::unique_ptr<LockScope> lock_;  // from the label on
    std::size_t first_item_;
};

// Writes a value into the next state as a link would.
void set_value(UiFrame& frame, std::string_view key, std::string_view value);

// A row that is left out (hide=control.seed) puts nothing.
void choice_row(UiFrame& frame, std::string_view key);
void flag_row(UiFrame& frame, std::string_view key, bool value);

// A number with its next legal values below and above; nothing where it can go no further.
struct Steps {
    std::optional<std::string> less, more;
};
// `step` less and more, inside low to high.
Steps whole_steps(int value, int step, int low, int high);
// The neighbours of `value` in an ascending list.
Steps steps_along(const std::vector<int>& list, int value);
void number_row(UiFrame& frame, std::string_view key, const std::string& value, const Steps& steps);
// A seed; its "again" button takes the next seed.
void seed_row(UiFrame& frame, std::string_view key, std::uint64_t seed);

// A line under a setting, in soft ink.
void put_remark(const Look& look, const std::string& text);

// The help of the setting that was pointed at last, and the room it takes. Found once a frame, before the rows: a row
// that is pointed at in this frame has its help in the next one, so that it always stands in the room made for it.
struct SettingHelp {
    std::string title;  // empty: no setting was pointed at yet
    std::string text;
    ImVec2 size;
};
SettingHelp setting_help(const Display& display, float width);
void put_setting_help(const Look& look, const SettingHelp& help);  // at the cursor

}  // namespace attn
