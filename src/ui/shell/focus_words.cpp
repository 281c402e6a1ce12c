// Turns the name of the focused item, what it shows and the state behind it into words.
#include "ui/shell/focus_words.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/ground/check.h"
#include "playground/link/choice_labels.h"
#include "playground/link/key_table.h"
#include "playground/numbers/stage_labels.h"

namespace attn {
namespace {

const KeyInfo* find_key(std::string_view key) {
    const auto table = key_table();
    const auto found = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
    return found == table.end() ? nullptr : &*found;
}

// What stands beside the control: its own label, or that of its setting.
std::string_view label_of(const FocusRing& focus, std::string_view key) {
    if (!focus.label.empty()) return focus.label;
    const KeyInfo* info = find_key(key);
    return info == nullptr ? std::string_view() : info->label;
}

// "mask, causal, chosen" of "mask=causal".
std::string words_of_choice(const FocusRing& focus, const KeyInfo& info, std::string_view choice) {
    return concat(info.label, ", ", focus.label.empty() ? choice_label(info.key, choice) : focus.label);
}

// "heads: 4, more" of the plus of a stepper, "bias: off" of a switch.
std::string words_of_value(const FocusRing& focus) {
    std::string_view key = focus.name;
    const char end = key.back() == '+' || key.back() == '-' ? key.back() : ' ';
    if (end != ' ') key.remove_suffix(1);
    return concat(label_of(focus, key), ": ", focus.value, end == '+' ? ", more" : end == '-' ? ", less" : "");
}

// "token 7, woman" of "token=7".
std::string words_of_token(const Shown& shown, std::string_view kind, std::string_view number) {
    int token = -1;
    std::from_chars(number.data(), number.data() + number.size(), token);
    const bool exists = token >= 0 && token < shown.evaluation.num_tokens();
    return concat(kind, " ", number, exists ? ", " + token_text(shown.evaluation, token) : std::string(),
                  shown.state.view.select.contains(token) ? ", selected" : "");
}

// "d_in: 8, text field"
std::string words_of_field(const FocusRing& focus) {
    return concat(label_of(focus, focus.name), focus.field_text.empty() ? "" : ": ", focus.field_text, ", text field");
}

// "context length: 4096, slider"
std::string words_of_slider(const Display& display, std::string_view key) {
    const FocusRing& focus = display.widgets.focus;
    const KeyInfo* info = find_key(key);
    std::string words = focus.label;
    if (words.empty() && info != nullptr) words = concat(info->label, ": ", info->write(display.state).front());
    const bool is_held = display.widgets.held_item == focus.name;
    return words + (is_held ? ", moved by the arrows" : ", slider");
}

}  // namespace

std::string words_of_focus(const Display& display) {
    const FocusRing& focus = display.widgets.focus;
    const std::string_view name = focus.name;
    if (name.empty()) return {};
    if (!focus.words.empty()) return focus.words;
    if (focus.field == focus.name) return words_of_field(focus);
    const std::size_t equals = std::min(name.find('='), name.size());
    const std::string_view kind = name.substr(0, equals);
    const std::string_view rest = name.substr(std::min(equals + 1, name.size()));
    if (kind == "token" || kind == "query" || kind == "key") return words_of_token(display, kind, rest);
    if (kind == "slider") return words_of_slider(display, rest);
    if (!focus.value.empty()) return words_of_value(focus);
    const KeyInfo* info = equals < name.size() ? find_key(kind) : nullptr;
    if (info != nullptr && info->kind == KeyKind::choice) return words_of_choice(focus, *info, rest);
    return focus.label;
}

}  // namespace attn
