// What the check keeps from one frame to the next: the draft of an answer. No choices.
#pragma once

#include <optional>
#include <string>

#include "playground/check/check_me.h"
#include "ui/frame/frame.h"

namespace attn {

struct CheckMemory {
    std::string draft;                          // the answer being typed
    std::optional<Question> drafted;            // for which question
    bool wants_answer_field = false;            // the keyboard goes to the field of the answer in the next frame
    std::optional<Question> after_right;        // where a right answer led to
    int drawn_frame = -2;                       // of ImGui's, in which the check was last on the screen
    std::string asked_by;                       // the lesson's step it was on then; empty: none
    std::optional<Question> followed_question;  // the one last scrolled to
};

// The check panels' memory; made on first use.
CheckMemory& check_memory(Display& display);

}  // namespace attn
