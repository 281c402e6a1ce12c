// Turns the name of the focused item and the state behind it into words.
#include "ui/shell/focus_words.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/ground/check.h"
#include "playground/link/choice_labels.h"
#include "playground/link/key_table.h"
#include "playground/link/recipe_keys.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/state_edits.h"
#include "ui/shell/panels.h"

namespace attn {
namespace {

const KeyInfo* find_key(std::string_view key) {
    const auto table = key_table();
    const auto found = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
    return found == table.end() ? nullptr : &*found;
}

std::string value_of(const Shown& shown, const KeyInfo& info) {
    const std::vector<std::string> values = info.write(shown.state);
    return values.empty() ? std::string() : values.front();
}

// A choice of a setting, or a place that a key of the link names: "head=2".
std::string words_of_choice(const Shown& shown, const KeyInfo& info, std::string_view choice) {
    if (info.key == "train") {
        const std::optional<TensorId> tensor = editable_of_name(choice);
        const bool learns = tensor && trained_tensors(shown.state.inputs).contains(*tensor);
        return concat(choice, " learns: ", learns ? "on" : "off");
    }
    if (info.kind != KeyKind::choice) return concat(info.label, " ", choice);
    const bool is_chosen = value_of(shown, info) == choice;
    return concat(info.label, ", ", choice_label(info.key, choice), is_chosen ? ", chosen" : "");
}

// A switch, a number, or an end of a number.
std::string words_of_value(const Shown& shown, const KeyInfo& info, char end) {
    const std::string value = value_of(shown, info);
    if (info.kind == KeyKind::flag) return concat(info.label, ": ", value == "1" ? "on" : "off");
    return concat(info.label, ": ", value, end == '+' ? ", more" : end == '-' ? ", less" : "");
}

// "token 7, woman" of "token=7".
std::string words_of_token(const Shown& shown, std::string_view kind, std::string_view number) {
    int token = -1;
    std::from_chars(number.data(), number.data() + number.size(), token);
    const bool exists = token >= 0 && token < shown.evaluation.num_tokens();
    return concat(kind, " ", number, exists ? ", " + token_text(shown.evaluation, token) : std::string());
}

// "matrices, random, chosen" of "matrices=random".
std::string words_of_origin(const Shown& shown, std::string_view origin) {
    const bool is_chosen = shown_origin(shown) == (origin == "random" ? 0 : 1);
    return concat("matrices, ", origin, is_chosen ? ", chosen" : "");
}

// "d_in: 8, text field"
std::string words_of_field(const FocusRing& focus) {
    const KeyInfo* info = find_key(focus.name);
    const std::string label = !focus.label.empty() ? focus.label : std::string(info ? info->label : focus.name);
    return concat(label, focus.field_text.empty() ? "" : ": ", focus.field_text, ", text field");
}

}  // namespace

std::string words_of_focus(const Display& display) {
    const FocusRing& focus = display.widgets.focus;
    const std::string_view name = focus.name;
    if (name.empty()) return {};
    if (focus.field == focus.name) return words_of_field(focus);
    const std::size_t equals = std::min(name.find('='), name.size());
    const std::string_view kind = name.substr(0, equals);
    const std::string_view rest = name.substr(std::min(equals + 1, name.size()));
    if (kind == "token" || kind == "query" || kind == "key") return words_of_token(display, kind, rest);
    if (kind == "matrices") return words_of_origin(display, rest);
    if (equals < name.size()) {
        const KeyInfo* info = find_key(kind);
        const bool has_own_words = !focus.label.empty() && info && info->kind != KeyKind::choice && kind != "train";
        if (info && !has_own_words) return words_of_choice(display, *info, rest);
    } else {
        const char end = name.back() == '+' || name.back() == '-' ? name.back() : ' ';
        if (const KeyInfo* info = find_key(end == ' ' ? name : name.substr(0, name.size() - 1)))
            return words_of_value(display, *info, end);
    }
    if (!focus.label.empty()) return focus.label;
    std::string words(name);
    std::replace(words.begin(), words.end(), '=', ' ');
    return words;
}

}  // namespace attn
