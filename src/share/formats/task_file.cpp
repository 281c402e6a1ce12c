// Reads and writes a task member by member.
#include "share/formats/task_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

using ReadTask = Result<TaskFile>;
constexpr std::string_view kTheTask = "The task’s file";

// The members of an object, taken one after the other: knows which were not asked for, and the first of another kind.
class MemberTaker {
public:
    MemberTaker(const JsonValue& object, std::string where) : object_(object), where_(std::move(where)) {
        if (!object.is(JsonKind::object)) refuse("it is no object");
    }

    std::string text(std::string_view name) {
        const std::optional<JsonValue> value = take(name, JsonKind::text, "a text");
        return value ? std::string(value->text()) : std::string();
    }
    bool flag(std::string_view name) {
        const std::optional<JsonValue> value = take(name, JsonKind::boolean, "true or false");
        return value && value->boolean();
    }
    std::optional<JsonValue> list(std::string_view name) { return take(name, JsonKind::list, "a list"); }
    void pass(std::string_view name) { known_.push_back(name); }

    void refuse(std::string_view why) {
        if (error_.empty()) error_ = concat(where_, why);
    }
    const std::string& error() const { return error_; }

    void note_others(NameList& others) const {
        if (!object_.is(JsonKind::object)) return;
        for (const JsonValue& member : object_) {
            if (std::ranges::find(known_, member.name()) == known_.end()) others.add(quoted(member.name()));
        }
    }

private:
    std::optional<JsonValue> take(std::string_view name, JsonKind kind, std::string_view kind_name) {
        pass(name);
        if (!object_.is(JsonKind::object)) return std::nullopt;
        const std::optional<JsonValue> value = object_.find(name);
        if (!value || value->is(JsonKind::null)) return std::nullopt;
        if (value->is(kind)) return value;
        refuse(concat("\"", name, "\" is not ", kind_name));
        return std::nullopt;
    }

    JsonValue object_;
    std::string where_;
    std::vector<std::string_view> known_;
    std::string error_;
};

OwnStep::Choice read_choice(const JsonValue& value, std::string_view where, NameList& others, std::string& error) {
    MemberTaker members(value, concat(where, "a choice: "));
    OwnStep::Choice choice = {
        .says = members.text("says"), .why = members.text("why"), .is_right = members.flag("right")};
    members.note_others(others);
    if (error.empty()) error = members.error();
    return choice;
}

OwnStep read_step(const JsonValue& value, std::string_view where, NameList& others, std::string& error) {
    MemberTaker members(value, std::string(where));
    OwnStep step = {.title = members.text("title"),
                    .link = members.text("link"),
                    .text = members.text("text"),
                    .answer = members.text("answer"),
                    .hint = members.text("hint"),
                    .question = members.text("question"),
                    .reason = members.text("reason"),
                    .choices = {}};
    const std::optional<JsonValue> choices = members.list("choices");
    if (choices && choices->count() <= kMaxTaskText) {  // why_no_task counts them
        for (const JsonValue& choice : *choices) step.choices.push_back(read_choice(choice, where, others, error));
    }
    members.note_others(others);
    if (error.empty()) error = members.error();
    return step;
}

// Every text on one line, as links carry them.
void make_lines(OwnTask& task) {
    const auto line = [](std::string& text) { text = one_line(text); };
    for (std::string* text : {&task.title, &task.about, &task.keep}) line(*text);
    for (OwnStep& step : task.steps) {
        for (std::string* text :
             {&step.title, &step.link, &step.text, &step.answer, &step.hint, &step.question, &step.reason})
            line(*text);
        for (OwnStep::Choice& choice : step.choices) {
            line(choice.says);
            line(choice.why);
        }
    }
}

std::string wrong_version(const std::optional<JsonValue>& version) {
    if (!version) return concat(kTheTask, " has no version: \"version\": ", kTaskVersion, " is missing.");
    const std::optional<std::uint64_t> whole = version->whole();
    if (whole == static_cast<std::uint64_t>(kTaskVersion)) return {};
    return concat(kTheTask, " is of ", whole ? concat("version ", *whole) : std::string("no version that is a number"),
                  "; this program reads version ", kTaskVersion, ".");
}

void write_step(JsonWriter& json, const OwnStep& step) {
    json.begin_object();
    json.member("title", step.title);
    json.member("link", step.link);
    json.member("text", step.text);
    const std::pair<std::string_view, const std::string*> optional[] = {
        {"answer", &step.answer}, {"hint", &step.hint}, {"question", &step.question}, {"reason", &step.reason}};
    for (const auto& [name, text] : optional) {
        if (!text->empty()) json.member(name, *text);
    }
    if (!step.choices.empty()) {
        json.key("choices");
        json.begin_array();
        for (const OwnStep::Choice& choice : step.choices) {
            json.begin_object();
            json.member("says", choice.says);
            json.flag("right", choice.is_right);
            if (!choice.why.empty()) json.member("why", choice.why);
            json.end_object();
        }
        json.end_array();
    }
    json.end_object();
}

}  // namespace

bool looks_like_task_file(std::string_view bytes) {
    const std::string written = concat("\"", kTaskFormat, "\"");
    constexpr std::size_t kHead = 1000;
    if (bytes.size() > kMaxTaskFileBytes) return bytes.substr(0, kHead).find(written) != std::string_view::npos;
    if (bytes.find(written) == std::string_view::npos) return false;
    const Result<JsonTree> tree = JsonTree::read(bytes, kTheTask);
    if (!tree) return bytes.substr(0, kHead).find(written) != std::string_view::npos;
    const std::optional<JsonValue> format = tree->root().find("format");
    return format && format->text() == kTaskFormat;
}

Result<TaskFile> read_task_file(std::string_view json) {
    if (json.size() > kMaxTaskFileBytes)
        return ReadTask::failure(concat(kTheTask, " has more than ", kMaxTaskFileBytes >> 10U, " KiB."));
    const Result<JsonTree> tree = JsonTree::read(json, kTheTask);
    if (!tree) return ReadTask::failure(tree.error());
    const JsonValue root = tree->root();
    MemberTaker members(root, concat(kTheTask, ": "));
    if (members.text("format") != kTaskFormat)
        return ReadTask::failure(concat(kTheTask, " has no \"format\": \"", kTaskFormat, "\"."));
    members.pass("version");
    std::string error = wrong_version(root.find("version"));
    if (!error.empty()) return ReadTask::failure(std::move(error));
    TaskFile file;
    OwnTask& task = file.task;
    task.title = members.text("title");
    task.about = members.text("about");
    task.keep = members.text("keep");
    const std::optional<JsonValue> steps = members.list("steps");
    NameList others;
    error = members.error();
    int number = 0;
    if (steps && steps->count() <= kMaxTaskText) {  // why_no_task counts them
        for (const JsonValue& step : *steps)
            task.steps.push_back(read_step(step, concat(kTheTask, ": step ", ++number, ": "), others, error));
    }
    members.note_others(others);
    if (!error.empty()) return ReadTask::failure(concat(error, "."));
    make_lines(task);
    const std::string why = why_no_task(task);
    if (!why.empty()) return ReadTask::failure(concat(kTheTask, ": ", why, "."));
    if (!others.empty()) file.notes.push_back(concat("ignored in the file: ", others.text()));
    return file;
}

std::string write_task_file(const OwnTask& task) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("format", kTaskFormat);
    json.key("version");
    json.integer(kTaskVersion);
    json.member("title", task.title);
    for (const auto& [name, part] : {std::pair("about", &task.about), std::pair("keep", &task.keep)}) {
        if (!part->empty()) json.member(name, *part);
    }
    json.key("steps");
    json.begin_array();
    for (const OwnStep& step : task.steps) write_step(json, step);
    json.end_array();
    json.end_object();
    return text + "\n";
}

}  // namespace attn
