// A teacher's task as a JSON file; docs/files.md has the schema. The link carries the same (link/own_task.h).
//   {"format": "attention-playground task", "version": 1, "title": "Two heads", "about": "…", "keep": "…",
//    "steps": [{"title": "…", "text": "…",
//               "link": "heads=2&check=weights",
//               "hint": "…", "answer": "…",
//               "question": "…", "reason": "…",
//               "choices": [{"says": "…", "right": true},
//                           {"says": "…", "right": false, "why": "…"}]}]}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/link/own_task.h"
#include "playground/text/notes.h"

namespace attn {

inline constexpr int kTaskVersion = 1;
inline constexpr std::string_view kTaskFormat = "attention-playground task";
inline constexpr std::size_t kMaxTaskFileBytes = 256 << 10;  // JSON writes some characters as six bytes

struct TaskFile {
    OwnTask task;  // one that why_no_task allows; its texts are lines
    Notes notes;   // members that were ignored
};

// Whether the bytes are JSON that says it is a task, of whatever version, or too long to be looked through and say so.
bool looks_like_task_file(std::string_view bytes);

// The task of a file. The error is a sentence: no JSON and where, another format or version, a member of another kind,
// a limit that is passed, a state that names a task.
Result<TaskFile> read_task_file(std::string_view json);

// The same again, with a line break at its end. The task is one that why_no_task allows.
std::string write_task_file(const OwnTask& task);

}  // namespace attn
