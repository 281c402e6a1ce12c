// The keys themselves are in key_table.cpp.
#include "playground/link/state_url.h"

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/choice_labels.h"
#include "playground/link/clamp_fields.h"
#include "playground/link/lesson_links.h"
#include "playground/link/link_text.h"
#include "playground/link/model_limits.h"
#include "playground/link/own_task.h"
#include "playground/link/patch_keys.h"
#include "playground/link/setting_groups.h"
#include "playground/state/open_models.h"
#include "playground/state/origin.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr std::size_t kMostNotes = 12;  // of one link; a visitor reads no more

constexpr std::string_view word_of_kind(KeyKind kind) {
    switch (kind) {
        case KeyKind::text:
            return "text";
        case KeyKind::choice:
            return "choice";
        case KeyKind::whole_number:
            return "whole_number";
        case KeyKind::number:
            return "number";
        case KeyKind::flag:
            return "flag";
        case KeyKind::list:
            return "list";
    }
    return "";
}

const KeyInfo* find_key(std::string_view key) {
    if (key == "wish") key = "target";  // as older links name it
    const std::span<const KeyInfo> table = key_table();
    const auto row = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
    return row == table.end() ? nullptr : &*row;
}

bool is_place_in_lesson(const KeyInfo& info) {
    return info.key == "lesson" || info.key == "step";
}

// A nonsense link may cause millions of notes.
class NoteKeeper {
public:
    void keep(const Notes& notes) {
        for (const std::string& note : notes) {
            if (kept_.size() < kMostNotes) {
                kept_.push_back(note);
            } else {
                ++num_more_;
            }
        }
    }

    Notes take() {
        if (num_more_ > 0) kept_.push_back(concat("and ", counted(num_more_, "more note")));
        return std::move(kept_);
    }

private:
    Notes kept_;
    std::int64_t num_more_ = 0;
};

// Reads the keys one after the other: first those that say where in a lesson the visitor is, then all others.
class LinkReader {
public:
    explicit LinkReader(NoteKeeper& notes) : notes_(notes) {}

    void read_place(std::string_view query) {
        for_each_pair(query, [&](std::string_view key, std::string_view value) {
            const KeyInfo* info = find_key(key);
            if (info != nullptr && is_place_in_lesson(*info)) read_value(*info, value);
            if (kOpensModels && key == "view" && value == "door") state_.view.view = ViewKind::door;
        });
        notes_.keep(clamp_lesson(state_.view));
        state_ = defaults_for(state_);
    }

    void read_rest(std::string_view query) {
        for_each_pair(query, [&](std::string_view key, std::string_view value) {
            const KeyInfo* info = find_key(key);
            if (info == nullptr) unknown_keys_.add(quoted(key));
            if (info != nullptr && !is_place_in_lesson(*info)) read_value(*info, value);
        });
        if (!keys_read_.contains("d_in")) state_.inputs.d_in = defaults_for(state_).inputs.d_in;
        // The opening scene's layer is its model's.
        if (!keys_read_.contains("layer") && state_.inputs.model.empty()) state_.inputs.layer = 0;
        if (!unknown_keys_.empty()) {
            notes_.keep({concat("ignored in the link, no such key: ", unknown_keys_.text())});
        }
        notes_.keep(clamp_fields(state_));
        Notes notes;
        clamp_other(state_, notes);
        notes_.keep(notes);
    }

    PlaygroundState take_state() { return std::move(state_); }

private:
    template <class Visit>
    static void for_each_pair(std::string_view query, Visit visit) {
        while (!query.empty()) {
            std::string_view rest = take_until(query, '&');
            if (rest.empty()) continue;
            const std::string key = decode_form(take_until(rest, '='));
            visit(std::string_view(key), rest);
        }
    }

    void read_value(const KeyInfo& info, std::string_view encoded) {
        Notes notes;
        const bool is_first = keys_read_.insert(info.key).second;
        if (!is_first && !info.repeats)
            notes.push_back(concat(info.key, " stands more than once: the last one counts"));
        if (is_first && info.repeats) empty_list(state_.inputs, info.key);
        info.read(state_, decode_form(encoded), notes);
        notes_.keep(notes);
    }

    NoteKeeper& notes_;
    PlaygroundState state_;
    std::set<std::string_view> keys_read_;  // of the table
    NameList unknown_keys_;
};

// The link without the keys that B has not. They are taken out before the link is read: a B inside B inside B would
// else be read, too. A lesson's step decides numbers, until they are written out.
std::string only_keys_of_other(std::string_view link) {
    std::string kept;
    std::string_view query = query_of(link);
    while (!query.empty()) {
        const std::string_view pair = take_until(query, '&');
        std::string_view rest = pair;
        const std::string key = decode_form(take_until(rest, '='));
        const KeyInfo* info = find_key(key);
        const bool is_step = key == "lesson" || key == "step";
        if (info != nullptr && !is_step && !is_key_of_other(*info)) continue;
        kept += concat(kept.empty() ? "" : "&", pair);
    }
    return kept;
}

struct StepStates {
    std::string_view lesson;
    std::vector<PlaygroundState> states;
};

std::vector<StepStates> make_step_states() {
    std::vector<StepStates> all;
    for (const LessonLinks& lesson : lesson_links()) {
        StepStates& steps = all.emplace_back();
        steps.lesson = lesson.name;
        for (const std::string& link : lesson.links) steps.states.push_back(read_link(link).state);
    }
    return all;
}

struct TaskStates {
    std::string lesson;
    std::vector<PlaygroundState> states;
};

// Of a task, made when they are first asked for. One task is open at a time; the others are those that undo leads to.
[[maybe_unused, gnu::noinline]] std::span<const PlaygroundState> states_of_task(std::string_view lesson) {
    constexpr std::size_t kKept = 8;
    static std::list<TaskStates> kept;
    static int made_at = 0;
    if (std::exchange(made_at, num_model_changes()) != num_model_changes()) kept.clear();
    const auto place = std::ranges::find(kept, lesson, &TaskStates::lesson);
    if (place != kept.end()) return place->states;
    const OwnTask* task = own_task(lesson);
    ATTN_CHECK(task != nullptr, "no task: ", lesson.substr(0, 100));
    TaskStates made = {.lesson = std::string(lesson), .states = {}};
    for (const OwnStep& step : task->steps) made.states.push_back(read_link(step.link).state);
    if (kept.size() >= kKept) kept.pop_front();
    return kept.emplace_back(std::move(made)).states;
}

void write_key_as_json(const KeyInfo& info, JsonWriter& json) {
    json.begin_object();
    json.member("key", info.key);
    json.member("label", info.label);
    json.member("kind", word_of_kind(info.kind));
    json.key("choices");
    json.begin_row();
    for (const std::string_view choice : info.choices) json.text(choice);
    json.end_row();
    json.key("labels");
    json.begin_row();
    for (const std::string_view choice : info.choices) json.text(choice_label(info.key, choice));
    json.end_row();
    const bool is_number =
        info.kind == KeyKind::whole_number || info.kind == KeyKind::number || info.kind == KeyKind::flag;
    json.key("low");
    is_number ? json.number(info.low) : json.null();
    json.key("high");
    is_number ? json.number(info.high) : json.null();
    json.member("legal", info.legal());
    json.member("help", info.help());
    json.key("default");
    json.begin_row();
    for (const std::string& value : info.write(PlaygroundState())) json.text(value);
    json.end_row();
    const SettingGroup group = group_of_key(info.key);
    json.member("group", group == SettingGroup::none ? "" : setting_group_info(group).title);
    json.flag("decides_numbers", info.decides_numbers);
    json.flag("repeats", info.repeats);
    json.end_object();
}

}  // namespace

PlaygroundState defaults_for(const PlaygroundState& state) {
    PlaygroundState defaults;
    if (const PlaygroundState* step = step_state(state.view)) {
        defaults = *step;
        defaults.view.lesson = state.view.lesson;
        defaults.view.step = state.view.step;
        return defaults;
    }
    if constexpr (kOpensModels) {
        if (state.view.view == ViewKind::door) {
            PlaygroundState door = door_state();
            Notes told_elsewhere;
            clamp_model(door.inputs, told_elsewhere);  // what its model decides once it is open
            return door;
        }
    }
    if (state.inputs.embed != EmbeddingKind::typed) return defaults;
    std::size_t widest = 0;
    for (const TypedRows& rows : state.inputs.typed) {
        for (const std::vector<float>& row : rows) widest = std::max(widest, row.size());
    }
    if (widest > 0) defaults.inputs.d_in = static_cast<int>(std::min<std::size_t>(widest, kMaxWidth));
    return defaults;
}

ReadLink read_link(std::string_view link) {
    NoteKeeper notes;
    std::string_view query = query_of(link);
    if (query.size() > kMaxLinkBytes) {
        query = query.substr(0, kMaxLinkBytes);
        notes.keep({concat("the link was cut after ", kMaxLinkBytes >> 20U, " MiB")});
    }
    LinkReader reader(notes);
    reader.read_place(query);
    reader.read_rest(query);
    return {.state = reader.take_state(), .notes = notes.take()};
}

std::string write_link(const PlaygroundState& state) {
    const PlaygroundState defaults = defaults_for(state);
    std::string link;
    for (const KeyInfo& info : key_table()) {
        const std::vector<std::string> values = info.write(state);
        const bool is_door = info.key == "view" && state.view.view == ViewKind::door;
        const bool is_said = info.key == "v" || is_door || (is_place_in_lesson(info) && !state.view.lesson.empty());
        if (!is_said && values == info.write(defaults)) continue;
        const auto put = [&](std::string_view value) {
            link += concat(link.empty() ? "" : "&", info.key, "=", encode_form(value));
        };
        if (values.empty()) put("");  // the step has one, here there is none
        for (const std::string& value : values) put(value);
    }
    return link;
}

std::span<const PlaygroundState> step_states(std::string_view lesson) {
    if constexpr (kOpensModels) {
        if (is_task(lesson)) return states_of_task(lesson);
    }
    [[maybe_unused]] static int made_at = kOpensModels ? num_model_changes() : 0;
    static std::vector<StepStates> all = make_step_states();
    if constexpr (kOpensModels) {
        // What a model decides of its steps, such as which heads there are, is known once it is open.
        if (std::exchange(made_at, num_model_changes()) != num_model_changes()) all = make_step_states();
    }
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const StepStates& steps) { return steps.lesson == lesson; });
    ATTN_CHECK(place != all.end(), "no lesson is called ", lesson);
    return place->states;
}

const PlaygroundState* step_state(const View& view) {
    if (view.lesson.empty()) return nullptr;
    const std::span<const PlaygroundState> states = step_states(view.lesson);
    const auto step = static_cast<std::size_t>(view.step);
    ATTN_CHECK(step < states.size(), "step is ", view.step, " of ", view.lesson);
    return &states[step];
}

bool is_key_of_other(const KeyInfo& info) {
    const bool is_patch = kOpensModels && info.key == "patch";
    return (info.decides_numbers && !is_patch) || info.key == "v" || info.key == "sentence" || info.key == "head";
}

std::string legal_compare(std::string_view link, Notes& notes) {
    if (link.empty()) return {};
    const std::string too_long = concat("B left out: its link is longer than ", kMaxCompareBytes >> 20U, " MiB");
    if (link.size() > kMaxCompareBytes) {
        notes.push_back(too_long);
        return {};
    }
    const ReadLink read = read_link(only_keys_of_other(link));
    for (const std::string& note : read.notes) notes.push_back(concat("B: ", note));
    std::string legal = link_as_other(read.state);
    if (legal.size() <= kMaxCompareBytes) return legal;
    notes.push_back(too_long);
    return {};
}

void clamp_other(PlaygroundState& state, Notes& notes) {
    state.view.compare = legal_compare(state.view.compare, notes);
    if constexpr (kOpensModels) {
        if (!has_patches(state.inputs)) return leave_patches(state.inputs);
        std::optional<PlaygroundState> other;
        if (!state.view.compare.empty()) other = read_link(state.view.compare).state;
        clamp_patches(state, other ? &*other : nullptr, notes);
    }
}

std::string link_as_other(const PlaygroundState& state) {
    PlaygroundState other;
    other.inputs = state.inputs;
    if constexpr (kOpensModels) leave_patches(other.inputs);
    other.view.sentence = state.view.sentence;
    other.view.head = state.view.head;
    return write_link(other);
}

std::string keys_as_json() {
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    for (const KeyInfo& info : key_table()) write_key_as_json(info, json);
    json.end_array();
    return text + "\n";
}

}  // namespace attn
