// Writes the picture of a state as JSON: sentence, stages, shown numbers, lines, lesson.
#include "views/words/mirror.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/printed_check.h"
#include "playground/lessons/step_words.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/link/model_limits.h"
#include "playground/link/next_word_offer.h"
#include "playground/link/own_task.h"
#include "playground/link/setting_groups.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/words.h"
#include "playground/text/format.h"
#include "playground/text/json_writer.h"
#include "views/words/acts.h"
#include "views/words/check_acts.h"
#include "views/words/mirror_stage.h"
#include "views/words/view_text.h"

namespace attn {
namespace {

void write_stage(JsonWriter& json, const Evaluation& evaluation, TensorId stage) {
    const StageInfo& info = stage_info(stage);
    const StageWords words = stage_words(stage, layer_parts(*evaluation.problem), evaluation.problem->goal.kind);
    json.begin_object();
    json.member("name", info.name);
    json.member("title", info.title);
    json.member("letters", shape_letters(evaluation.sizes, stage));
    json.key("shape");
    json.begin_row();
    for (const int size : stage_shape(evaluation, stage)) json.integer(size);
    json.end_row();
    json.member("formula", words.formula);
    json.member("meaning", words.meaning);
    json.flag("has_heads", info.has_heads);
    json.end_object();
}

void write_table(JsonWriter& json, const TextTable& table) {
    json.begin_object();
    json.member("title", table.title);
    write_texts(json, "columns", table.columns);
    json.key("rows");
    json.begin_array();
    for (const std::vector<std::string>& row : table.rows) {
        json.begin_row();
        for (const std::string& text : row) json.text(text);
        json.end_row();
    }
    json.end_array();
    json.end_object();
}

void write_view(JsonWriter& json, const PlaygroundState& state, const Evaluator& evaluator) {
    json.begin_object();
    json.member("kind", word_of(kViewWords, state.view.view));
    json.key("tables");
    json.begin_array();
    for (const TextTable& table : tables_of_view(state, evaluator)) write_table(json, table);
    json.end_array();
    json.key("values");
    json.begin_object();
    for (const std::string_view key : keys_of_view(state.view.view)) write_texts(json, key, key_info(key).write(state));
    json.end_object();
    json.end_object();
}

void write_acts(JsonWriter& json, std::string_view key, const std::vector<Act>& acts) {
    json.key(key);
    json.begin_array();
    for (const Act& act : acts) {
        json.begin_object();
        json.member("name", act.name);
        json.member("label", act.label);
        json.flag("is_possible", act.is_possible);
        json.end_object();
    }
    json.end_array();
}

void write_groups(JsonWriter& json, const std::vector<ActGroup>& groups) {
    json.begin_array();
    for (const ActGroup& group : groups) {
        json.begin_object();
        json.member("title", group.title);
        write_texts(json, "words", group.words);
        write_acts(json, "acts", group.acts);
        json.end_object();
    }
    json.end_array();
}

void write_check_text(JsonWriter& json, const CheckText& text) {
    json.begin_object();
    write_acts(json, "toggle", text.toggle ? std::vector<Act>{*text.toggle} : std::vector<Act>());
    json.member("help", text.help);
    write_acts(json, "scopes", text.scopes);
    write_acts(json, "questions", text.questions);
    json.key("current");
    json.integer(text.current);
    json.member("title", text.title);
    write_texts(json, "lines", text.lines);
    json.member("remark", text.remark);
    json.member("field", text.field);
    json.member("typed", text.typed);
    write_acts(json, "acts", text.acts);
    json.member("score", text.score);
    json.end_object();
}

void write_asked(JsonWriter& json, const AskedText& text) {
    json.begin_object();
    json.member("question", text.question);
    write_texts(json, "order", text.order);
    write_acts(json, "choices", text.choices);
    json.member("said", text.said);
    json.end_object();
}

void write_lesson(JsonWriter& json, const PlaygroundState& state, const Evaluation& evaluation, const Session* visit) {
    const View& view = state.view;
    const Lesson* lesson = lesson_of(view);
    if (lesson == nullptr) return json.null();
    const LessonStep& step = *step_of(view);
    const std::vector<PrintedTable> printed = check_printed(view, evaluation);
    json.begin_object();
    json.member("name", lesson->name);
    json.member("title", lesson->title);
    json.flag("is_task", lesson->group == kOwnGroup);
    json.member("in_answers", lesson_in_log(lesson->name));
    json.key("step");
    json.integer(view.step + 1);
    json.key("count");
    json.integer(static_cast<std::int64_t>(lesson->steps.size()));
    json.member("step_title", step.title);
    const StepWords words = step_words(state, evaluation);
    json.member("goal", words.goal);
    json.member("answer", words.answer);
    json.member("text", words.text);
    json.key("keep");
    json.begin_array();
    for (const std::string_view sentence : words.keep) json.text(sentence);
    json.end_array();
    json.key("asks");
    visit ? write_asked(json, asked_text(*visit)) : json.null();
    json.member("printed_sentence", sentence_of(count_printed(printed), has_other_numbers(state)));
    json.key("printed");
    json.begin_array();
    for (const PrintedTable& table : printed) write_table(json, printed_as_text(table));
    json.end_array();
    PlaygroundState left = state;
    leave_lesson(left.view);
    json.member("leave", write_link(left));
    json.end_object();
}

// All lessons, for a menu.
void write_lessons(JsonWriter& json) {
    json.begin_array();
    for (const Lesson& lesson : lessons()) {
        json.begin_object();
        json.member("name", lesson.name);
        json.member("title", lesson.title);
        json.member("group", lesson.group);
        json.member("about", lesson.about);
        json.key("steps");
        json.integer(static_cast<std::int64_t>(lesson.steps.size()));
        json.key("minutes");
        json.integer(minutes_of(lesson));
        json.end_object();
    }
    json.end_array();
}

void write_key_values(JsonWriter& json, const PlaygroundState& state) {
    json.begin_object();
    for (const KeyInfo& info : key_table()) {
        if (info.decides_numbers) write_texts(json, info.key, info.write(state));
    }
    json.end_object();
}

void write_sentence(JsonWriter& json, const PlaygroundState& state, const Evaluation& evaluation) {
    json.begin_object();
    json.key("number");
    json.integer(state.view.sentence + 1);
    json.key("count");
    json.integer(static_cast<std::int64_t>(state.inputs.texts.size()));
    json.member("text", evaluation.tokens.sentence);
    json.end_object();
}

void write_stages(JsonWriter& json, const PlaygroundState& state, const Evaluation& evaluation) {
    json.begin_array();
    if (!evaluation.is_empty()) {
        for (const TensorId stage : present_stages(state.inputs)) {
            if (!hides_stage(state.view, stage)) write_stage(json, evaluation, stage);
        }
    }
    json.end_array();
}

// A link that does what a note advises.
void write_offered(JsonWriter& json, PlaygroundState offered, const std::string& label) {
    clamp_to_legal(offered);
    json.begin_object();
    json.member("label", label);
    json.member("link", write_link(offered));
    json.end_object();
}

void write_offer(JsonWriter& json, const std::vector<std::string>& notes, const PlaygroundState& state) {
    PlaygroundState other = state;
    if (const std::optional<HeadsOffer> offer = heads_offer(notes, state.view)) {
        other.inputs.num_heads = offer->num_heads;
        other.inputs.d_out = offer->d_out;
        write_offered(json, std::move(other), heads_offer_label(*offer));
    } else if (const std::optional<Inputs> next_word = next_word_offer(notes, state)) {
        other.inputs = *next_word;
        write_offered(json, std::move(other), next_word_offer_label(*next_word));
    } else {
        json.null();
    }
}

}  // namespace

std::string mirror_as_json(const ReadLink& link) {
    Evaluator evaluator;
    evaluator.update(link.state);
    return mirror_as_json(link, evaluator);
}

std::string mirror_as_json(const ReadLink& link, const Evaluator& evaluator, const Session* visit) {
    const PlaygroundState& state = link.state;
    const Evaluation& evaluation = evaluator.shown();
    std::vector<std::string> notes = link.notes;
    notes.insert(notes.end(), evaluation.notes.begin(), evaluation.notes.end());
    std::vector<std::string> tokens;
    for (const Token& token : evaluation.tokens.tokens) tokens.push_back(token.text);

    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("link", write_link(state));
    write_texts(json, "notes", notes);
    json.key("offer");
    write_offer(json, notes, state);
    json.key("sentence");
    write_sentence(json, state, evaluation);
    write_texts(json, "tokens", tokens);
    json.key("stages");
    write_stages(json, state, evaluation);
    json.key("shown");
    evaluation.is_empty() ? json.null() : write_shown(json, evaluation, state, visit ? &visit->answers() : nullptr);
    json.key("view");
    write_view(json, state, evaluator);
    write_acts(json, "undo", visit ? undo_acts(*visit) : std::vector<Act>());
    json.key("acts");
    write_groups(json, acts_of_view(state, evaluator));
    json.key("check");
    visit ? write_check_text(json, check_text(*visit, evaluator)) : json.null();
    json.key("lesson");
    write_lesson(json, state, evaluation, visit);
    json.key("lessons");
    write_lessons(json);
    json.key("values");
    write_key_values(json, state);
    json.key("fixed");
    json.begin_row();
    for (const KeyInfo& info : key_table()) {
        if (is_fixed_by_model(state.inputs, info.key)) json.text(info.key);
    }
    json.end_row();
    json.key("open_groups");
    json.begin_row();
    for (const SettingGroupInfo& info : kSettingGroups) {
        // The text version has no other place for the model and its layer.
        if (info.group == SettingGroup::model || opens_group(state, info.group)) json.text(info.title);
    }
    json.end_row();
    json.end_object();
    return text;
}

std::string mirror_head_as_json(const ReadLink& link, const Evaluator& evaluator, int head) {
    const Evaluation& evaluation = evaluator.shown();
    std::string text;
    JsonWriter json(text);
    if (evaluation.is_empty()) {
        json.null();
        return text;
    }
    write_head(json, evaluation, link.state, head);
    return text;
}

}  // namespace attn
