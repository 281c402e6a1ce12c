// A teacher's task as a C function that the author's page calls (web/author_tasks.js), beside those of engine.cpp. The
// text that is returned lives until the next call.
#include <string>
#include <string_view>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/link/own_task.h"
#include "playground/link/state_url.h"
#include "playground/text/json_writer.h"
#include "share/formats/task_file.h"

namespace attn {
namespace {

Result<TaskFile> task_of_link(std::string_view link) {
    const ReadLink read = read_link(link);
    const OwnTask* task = own_task(read.state.view.lesson);
    if (task == nullptr) return Result<TaskFile>::failure("The link shows no task.");
    return TaskFile{.task = *task, .notes = {}};
}

std::string task_as_json(std::string_view file_or_link) {
    const bool is_file = file_or_link.find('{') < file_or_link.find('=');
    const Result<TaskFile> read = is_file ? read_task_file(file_or_link) : task_of_link(file_or_link);
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    if (!read) {
        json.member("error", read.error());
        json.end_object();
        return text;
    }
    Notes notes = read->notes;
    append_notes(notes, problems_of_task(read->task));
    const Lesson* lesson = find_lesson(write_task(read->task));
    ATTN_CHECK(lesson != nullptr, "a task that was read cannot be read");
    json.member("link", link_of_step(*lesson, 0));
    json.member("file", write_task_file(read->task));
    json.texts("notes", notes);
    json.end_object();
    return text;
}

}  // namespace
}  // namespace attn

extern "C" {

// The task of a file (read_task_file), or of a link that shows one: {"link": that opens its first step, "file": the
// task as JSON, "notes": what a class should not meet}, or {"error": a sentence}.
const char* engine_task(const char* file_or_link) {
    static std::string answer;
    answer = attn::task_as_json(file_or_link);
    return answer.c_str();
}

}  // extern "C"
