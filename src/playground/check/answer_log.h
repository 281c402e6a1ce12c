// What somebody answered, question by question, over steps and lessons: what a sheet shows and what is handed in. The
// visit has one; a page may keep it for the next (share/formats/answer_sheet.h). Knows no clock: it is told the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"

namespace attn {

// Which question it is. Two of the same numbers in two steps are two questions.
struct AnswerPlace {
    std::string lesson;    // as lesson_in_log names it; empty: outside lessons
    int step = 0;          // of it, from 0
    std::string question;  // "weights[1,10,4]", the stage and the cell as people count; "count[2]" of a cache
    std::string numbers;   // the link whose numbers were asked for; names a task as `lesson` does

    bool operator==(const AnswerPlace&) const = default;
};

struct AnswerRecord {
    AnswerPlace place;
    std::string asked;                  // in words: "weights, head 1, brush → artist"
    std::string typed;                  // last
    int tries = 0;                      // that were judged; the same wrong answer twice is one
    int right_at = 0;                   // which of them was right; 0: none
    int hints = 0;                      // that were taken
    bool is_told = false;               // the visitor gave up
    std::vector<std::string> mistakes;  // those that were named, one a try: "forget to divide by √2"
    std::int64_t first = 0, last = 0;   // seconds since 1970, UTC; 0: nobody told the time

    bool is_done() const { return is_told || right_at > 0; }
    bool operator==(const AnswerRecord&) const = default;
};

class AnswerLog {
public:
    static constexpr std::size_t kMaxRecords = 1000;  // beyond, the one answered longest ago makes room
    static constexpr std::size_t kMaxMistakes = 12;   // of one question
    static constexpr std::size_t kMaxText = 200;      // bytes of a text, but for links
    static constexpr std::size_t kMaxLink = 2000;     // bytes; a longer one is kept as a number that tells it apart

    // In the order in which they were first answered.
    const std::vector<AnswerRecord>& records() const { return records_; }

    // Null: nobody answered this.
    const AnswerRecord* find(const AnswerPlace& place) const;

    // To be written to: found, or added.
    AnswerRecord& at(const AnswerPlace& place, std::string_view asked);

    // Adds those of earlier visits or of another window. Of two on one question the one that tells of more tries,
    // hints and answers told stays, else the later one. Texts are cut, numbers moved to what is possible.
    void merge(std::vector<AnswerRecord> others);

    // Forgets those of one lesson, or all.
    void clear(const std::optional<std::string>& lesson);

    // Gives the time to what was answered since the last call.
    void stamp(std::int64_t now);

    // Counts all changes; and those that came not from answering, but from merge and clear.
    int version() const { return version_; }
    int num_replaced() const { return num_replaced_; }

private:
    std::vector<AnswerRecord> records_;
    std::vector<AnswerPlace> fresh_;  // not stamped yet
    int version_ = 0;
    int num_replaced_ = 0;
};

// The place of a question in the lesson's step that is on, or outside lessons.
AnswerPlace answer_place(const View& view, const Inputs& inputs, int sentence, std::string question);

// At most so many bytes of valid UTF-8, cut between two characters.
std::string cut_text(std::string_view text, std::size_t most_bytes);

}  // namespace attn
