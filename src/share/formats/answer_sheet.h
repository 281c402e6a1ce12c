// The log of answers as JSON: what a page keeps for the next visit, and what its sheet and its hand-in are made of
// (web/sheet.js, docs/files.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/check/answer_log.h"

namespace attn {

inline constexpr int kAnswersVersion = 1;

// {"format": "attention-playground-answers", "version": 1, "answers": [...]}, a line a member. An answer has
//
//   lesson      as links name it; empty outside lessons
//   step        from 1; 0 outside lessons
//   title, step_title   of lesson and step, for people; empty where this program knows no such step
//   question    "weights[1,10,4]", "count[2,4,1]"
//   asked       the same in words
//   numbers     the link whose numbers were asked for
//   typed       the last try
//   tries       that were judged
//   right_at    which of them was right; 0: none
//   hints       that were taken
//   told        true: the visitor gave up, and was told
//   mistakes    those that were named, in the order in which they were made
//   first, last when it was begun and answered last, in seconds since 1970; 0: unknown
//
// All texts are valid UTF-8 from anywhere: whoever puts them into another kind of file escapes them for it.
std::string write_answers(const std::vector<AnswerRecord>& records);

// Reads such a text, from anybody; titles are not read. Members that are missing or of another kind are as in an empty
// record; answers beyond AnswerLog::kMaxRecords are left out. Fails with a sentence for what is no such text, and for
// another version.
Result<std::vector<AnswerRecord>> read_answers(std::string_view text);

}  // namespace attn
