// The names of what can be left out or locked, and how they are read.
#include "playground/link/hiding.h"
#include "playground/text/format.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/key_table.h"
#include "playground/link/link_text.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 18> kParts = {
    "sentence", "tokens",  "stages", "settings", "views", "undo",  "inspector",   "legend",   "values",
    "notes",    "lessons", "check",  "share",    "theme", "about", "performance", "training", "effects"};
// Keys that say where something is or how a check went; no control sets them.
constexpr std::array<std::string_view, 6> kNoControls = {"v", "score", "hide", "lock", "lang", "sentence"};
// Controls that are a whole part of the screen, or a place in the picture: they can be locked but not left out.
constexpr std::array<std::string_view, 14> kNoRows = {"text",   "view",    "stage",  "head",  "cell",
                                                      "select", "step",    "tensor", "phase", "x",
                                                      "check",  "compare", "lesson", "theme"};
constexpr std::string_view kStagePrefix = "stage.";
constexpr std::string_view kControlPrefix = "control.";

// A number counted from `first`, or "*".
std::optional<int> read_index(std::string_view text, int first) {
    if (text == "*") return -1;
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < first) return std::nullopt;
    return number - first;
}

std::optional<HiddenValue> read_value(std::string_view name) {
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
    const std::optional<TensorId> stage = stage_of_name(name.substr(0, open));
    if (!stage) return std::nullopt;
    std::string_view rest = name.substr(open + 1, name.size() - open - 2);
    std::vector<std::string_view> indices;
    while (indices.size() <= 3) {
        const std::size_t comma = rest.find(',');
        indices.push_back(trimmed(rest.substr(0, comma)));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    const bool has_heads = stage_info(*stage).has_heads;
    if (indices.size() != (has_heads ? 3U : 2U)) return std::nullopt;
    const std::optional<int> head = has_heads ? read_index(indices[0], 1) : std::optional<int>(0);
    const std::optional<int> row = read_index(indices[indices.size() - 2], 0);
    const std::optional<int> column = read_index(indices.back(), 0);
    if (!head || !row || !column) return std::nullopt;
    return HiddenValue{.stage = *stage, .head = *head, .row = *row, .column = *column};
}

// The one way to write a name; empty when it has no meaning.
std::string legal_name(std::string_view name) {
    if (const std::optional<HiddenValue> value = read_value(name)) return name_of_value(*value);
    const std::vector<std::string> names = hideable_names();
    return std::find(names.begin(), names.end(), name) != names.end() ? std::string(name) : "";
}

// Puts values that `write` gave into the state, in the place of what the key had.
void put_values(PlaygroundState& state, const KeyInfo& info, const std::vector<std::string>& values) {
    Notes ignored;  // what was written can be read
    if (info.repeats) {
        empty_list(state.inputs, info.key);
    } else if (values.empty()) {
        info.read(state, "", ignored);
    }
    for (const std::string& value : values) info.read(state, value, ignored);
}

}  // namespace

std::span<const std::string_view> hideable_parts() {
    return kParts;
}

std::vector<std::string_view> lockable_keys() {
    std::vector<std::string_view> keys;
    for (const KeyInfo& info : key_table()) {
        const bool has_control = std::find(kNoControls.begin(), kNoControls.end(), info.key) == kNoControls.end();
        if (has_control) keys.push_back(info.key);
    }
    return keys;
}

std::vector<std::string> hideable_names() {
    std::vector<std::string> names(kParts.begin(), kParts.end());
    for (const StageInfo& info : stage_table()) names.push_back(concat(kStagePrefix, info.name));
    for (const std::string_view key : lockable_keys()) {
        const bool is_row = std::find(kNoRows.begin(), kNoRows.end(), key) == kNoRows.end();
        if (is_row) names.push_back(concat(kControlPrefix, key));
    }
    return names;
}

bool hides_part(const View& view, std::string_view part) {
    return view.hide.contains(std::string(part));
}

bool hides_stage(const View& view, TensorId stage) {
    return !view.hide.empty() && view.hide.contains(concat(kStagePrefix, tensor_name(stage)));
}

bool hides_control(const View& view, std::string_view key) {
    return !view.hide.empty() && view.hide.contains(concat(kControlPrefix, key));
}

bool locks_control(const View& view, std::string_view key) {
    return !view.lock.empty() && (view.lock.contains("all") || view.lock.contains(std::string(key)));
}

std::string name_of_value(const HiddenValue& value) {
    const auto index = [](int number, int first) { return number < 0 ? std::string("*") : concat(number + first); };
    const std::string head = stage_info(value.stage).has_heads ? concat(index(value.head, 1), ",") : "";
    return concat(tensor_name(value.stage), "[", head, index(value.row, 0), ",", index(value.column, 0), "]");
}

std::vector<HiddenValue> hidden_values(const View& view) {
    std::vector<HiddenValue> values;
    for (const std::string& name : view.hide) {
        if (const std::optional<HiddenValue> value = read_value(name)) values.push_back(*value);
    }
    return values;
}

void keep_locked(PlaygroundState& state, const PlaygroundState& before) {
    if (state.view.lock.empty() || state == before) return;
    if (state.view.lesson != before.view.lesson || state.view.step != before.view.step) return;
    for (const std::string_view key : lockable_keys()) {
        if (!locks_control(before.view, key)) continue;
        const KeyInfo& info = key_info(key);
        const std::vector<std::string> values = info.write(before);
        if (values != info.write(state)) put_values(state, info, values);
    }
}

void clamp_hiding(View& view, Notes& notes) {
    if (!view.hide.empty()) {
        std::set<std::string> legal;
        NameList unknown;
        for (const std::string& name : view.hide) {
            const std::string written = legal_name(name);
            if (written.empty()) {
                unknown.add(quoted(name));
            } else {
                legal.insert(written);
            }
        }
        view.hide = std::move(legal);
        if (!unknown.empty()) {
            notes.push_back(concat("hide: ", unknown.text(), " left out, nothing on the screen has this name"));
        }
    }
    if (view.lock.empty()) return;
    if (view.lock.erase("wish") > 0) view.lock.insert("target");  // as older links name it
    const std::vector<std::string_view> keys = lockable_keys();
    NameList unknown;
    for (auto key = view.lock.begin(); key != view.lock.end();) {
        const bool is_known = *key == "all" || std::find(keys.begin(), keys.end(), *key) != keys.end();
        if (!is_known) unknown.add(quoted(*key));
        key = is_known ? std::next(key) : view.lock.erase(key);
    }
    if (!unknown.empty()) notes.push_back(concat("lock: ", unknown.text(), " left out, no control has this name"));
}

}  // namespace attn
