// What comes next in view=cache: the word that goal=next makes most probable, or one that a trained model draws. It
// becomes the sentence's last token, and its rows the newest ones of the cache.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "playground/cache/next_word.h"
#include "playground/models/model_numbers.h"
#include "ui/views/saying.h"

namespace attn {

struct CacheSaying {
    std::optional<SaidWord> goal_word;  // of goal=next
    std::optional<ModelText> shown;     // of a trained model
    std::string problem;                // why it says no word
    std::shared_ptr<RowLogits> logits;  // after the last token; null: it says none
    std::optional<std::string> drawn;   // the next word and its probability, in words, as `draw` gives it
    NextDraw draw;
    SayingMemory memory;
    StoppableWork stop;  // of the logits
};

// What can be said after the evaluation's sentence. To be called when its numbers have changed.
void begin_saying(CacheSaying& saying, const Display& display);

// Goes on with the model's layers, draws what says a word, and writes on by itself, once `is_ready`. Returns whether
// the next state's sentence is longer by one.
bool put_cache_saying(UiFrame& frame, CacheSaying& saying, bool is_ready);

}  // namespace attn
