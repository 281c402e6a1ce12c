// The questions that a state asks, for course systems: each asked number with its right value, the tolerance of Check
// me and the named mistakes as wrong answers, and what the step of a lesson asks before it goes on. One list, whatever
// the format it is written in (quiz_formats.h). What is asked stands in no text and no picture of a question: these
// leave out what paper leaves out (playground/check/withheld.h). Knows no format.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// One answer. All texts are parts of HTML that XML reads, too: every tag is closed, <bdi> keeps together what somebody
// typed, and no tag comes from a stranger.
struct QuizAnswer {
    bool is_right = false;
    double number = 0,
           tolerance = 0;  // of a question for a number: right or this mistake from -tolerance to +tolerance
    std::string html;      // of a choice: what it says
    std::string feedback;  // a sentence or two
};

struct QuizQuestion {
    std::string name;  // plain text of one line, at most kMostQuizName bytes
    bool is_numeric = false;
    std::string html;                 // paragraphs and tables, without the question's own last paragraph
    std::string asks;                 // that paragraph's text
    int picture = -1;                 // of Quiz::pictures, between them; -1: none
    std::vector<QuizAnswer> answers;  // numeric: the right one first, then mistakes, no two of them near each other
    std::string other;                // numeric: the feedback on any other number
    std::string reason;               // how it is and why, told after the answer
};

struct QuizPicture {
    std::string svg;
    std::string alt;  // plain text
};

// The questions of one state: a category, a section.
struct QuizSection {
    std::string name;  // plain text of one line, at most kMostQuizName bytes
    std::vector<QuizQuestion> questions;
};

enum class QuizFormat { moodle, gift, qti };

struct Quiz {
    QuizFormat format = QuizFormat::moodle;  // what it is for: GIFT has no pictures, Moodle one in each question
    std::vector<QuizSection> sections = {};
    std::vector<QuizPicture> pictures = {};
    std::size_t num_bytes = 0;  // about so many has its file
};

inline constexpr std::size_t kMostQuizName = 200;           // bytes; systems have 255 characters
inline constexpr std::size_t kMostQuizPicture = 256 << 10;  // bytes of SVG; a larger picture is left out
inline constexpr std::size_t kMostQuizBytes = 64 << 20;     // of a file

// Adds a section with all that the state asks for. `evaluator` is up to date with the legal `state`, complete. `name`:
// what the section is called, a student for example; empty: the lesson's step, or the sentence. Pictures are the view
// that is on, of the head that is asked for, where the view can leave blanks out. Returns a sentence that says why
// nothing was added, or nothing: an empty sentence, nothing asked, a model that is not open, too many numbers or bytes.
std::string add_quiz_section(Quiz& quiz, const PlaygroundState& state, const Evaluator& evaluator,
                             const std::string& name = {});

}  // namespace attn
