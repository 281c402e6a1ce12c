// Writes and reads one record after the other.
#include "share/formats/answer_sheet.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "model/files/json_tree.h"
#include "playground/lessons/lessons.h"
#include "playground/link/own_task.h"
#include "playground/text/json_writer.h"

namespace attn {
namespace {

constexpr std::string_view kFormat = "attention-playground-answers";
constexpr std::string_view kWhat = "The text of the answers";

void write_titles(JsonWriter& json, const AnswerPlace& place) {
    const Lesson* lesson = find_lesson(place.lesson);
    const auto step = static_cast<std::size_t>(place.step);
    const bool has_step = lesson != nullptr && step < lesson->steps.size();
    json.member("title", lesson != nullptr ? lesson->title : task_title_in_log(place.lesson));
    json.member("step_title", has_step ? lesson->steps[step].title : std::string_view());
}

void write_record(JsonWriter& json, const AnswerRecord& record) {
    const auto whole = [&](std::string_view name, std::int64_t number) {
        json.key(name);
        json.integer(number);
    };
    const AnswerPlace& place = record.place;
    json.begin_object();
    json.member("lesson", place.lesson);
    whole("step", place.lesson.empty() ? 0 : place.step + 1);
    write_titles(json, place);
    json.member("question", place.question);
    json.member("asked", record.asked);
    json.member("numbers", place.numbers);
    json.member("typed", record.typed);
    whole("tries", record.tries);
    whole("right_at", record.right_at);
    whole("hints", record.hints);
    json.flag("told", record.is_told);
    json.key("mistakes");
    json.begin_row();
    for (const std::string& mistake : record.mistakes) json.text(mistake);
    json.end_row();
    whole("first", record.first);
    whole("last", record.last);
    json.end_object();
}

std::string text_of(const JsonValue& object, std::string_view name) {
    const std::optional<JsonValue> member = object.find(name);
    return member ? std::string(member->text()) : std::string();
}

std::int64_t whole_of(const JsonValue& object, std::string_view name) {
    constexpr std::uint64_t kMost = 1ULL << 40U;  // seconds: some thousand years
    const std::optional<JsonValue> member = object.find(name);
    return static_cast<std::int64_t>(std::min(member ? member->whole().value_or(0) : 0, kMost));
}

int count_of(const JsonValue& object, std::string_view name) {
    return static_cast<int>(std::min<std::int64_t>(whole_of(object, name), 1'000'000));
}

AnswerRecord read_record(const JsonValue& answer) {
    const std::optional<JsonValue> told = answer.find("told"), mistakes = answer.find("mistakes");
    AnswerRecord record = {.place = {.lesson = text_of(answer, "lesson"),
                                     .step = std::max(count_of(answer, "step") - 1, 0),
                                     .question = text_of(answer, "question"),
                                     .numbers = text_of(answer, "numbers")},
                           .asked = text_of(answer, "asked"),
                           .typed = text_of(answer, "typed"),
                           .tries = count_of(answer, "tries"),
                           .right_at = count_of(answer, "right_at"),
                           .hints = count_of(answer, "hints"),
                           .is_told = told && told->boolean(),
                           .mistakes = {},
                           .first = whole_of(answer, "first"),
                           .last = whole_of(answer, "last")};
    if (!mistakes) return record;
    for (const JsonValue& mistake : *mistakes) {
        if (record.mistakes.size() < AnswerLog::kMaxMistakes) record.mistakes.emplace_back(mistake.text());
    }
    return record;
}

}  // namespace

std::string write_answers(const std::vector<AnswerRecord>& records) {
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    json.member("format", kFormat);
    json.key("version");
    json.integer(kAnswersVersion);
    json.key("answers");
    json.begin_array();
    for (const AnswerRecord& record : records) write_record(json, record);
    json.end_array();
    json.end_object();
    return text;
}

Result<std::vector<AnswerRecord>> read_answers(std::string_view text) {
    using Records = Result<std::vector<AnswerRecord>>;
    const Result<JsonTree> tree = JsonTree::read(text, kWhat);
    if (!tree) return Records::failure(tree.error());
    const JsonValue root = tree->root();
    const std::optional<JsonValue> answers = root.find("answers");
    if (text_of(root, "format") != kFormat || !answers)
        return Records::failure(concat(kWhat, " has no \"format\": \"", kFormat, "\"."));
    if (whole_of(root, "version") != kAnswersVersion)
        return Records::failure(concat(kWhat, " is of version ", whole_of(root, "version"), "; this program reads ",
                                       "version ", kAnswersVersion, "."));
    std::vector<AnswerRecord> records;
    for (const JsonValue& answer : *answers) {
        if (records.size() < AnswerLog::kMaxRecords && answer.is(JsonKind::object))
            records.push_back(read_record(answer));
    }
    return records;
}

}  // namespace attn
