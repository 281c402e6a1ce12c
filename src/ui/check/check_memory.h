// What the check keeps from one frame to the next: what is being typed. No choices.
#pragma once

#include <optional>
#include <string>

#include "playground/check/check_me.h"
#include "ui/frame/frame.h"

namespace attn {

struct CheckMemory {
    std::string draft;                          // what is being typed as an answer
    std::optional<Question> drafted;            // for which question
    bool wants_answer_field = false;            // the keyboard goes to the field of the answer in the next frame
    std::optional<Question> followed_question;  // the one that was last scrolled to
};

// The one of the check's panels; made when it is first asked for.
CheckMemory& check_memory(UiFrame& frame);

}  // namespace attn
