// What a visitor does in the text version that is more than another value of a key: undo, steps of the cache, the next
// word, a B to compare with, Check me. Names are those of the picture's own controls.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/models/model_numbers.h"
#include "playground/numbers/evaluation.h"
#include "playground/visit/session.h"
#include "views/words/act.h"

namespace attn {

// Acts that belong together, under a title, with what is to be said first.
struct ActGroup {
    std::string title;
    std::vector<std::string> words;
    std::vector<Act> acts;
};

// Undo and redo; empty where the page's author left them out.
std::vector<Act> undo_acts(const Session& session);

// What the view offers. `evaluator` is complete for the session's legal state; empty without tokens.
std::vector<ActGroup> acts_of_view(const PlaygroundState& state, const Evaluator& evaluator);

// The keys that decide how the view looks, beside those of every view.
std::vector<std::string_view> keys_of_view(ViewKind view);

// A model's next word under way.
struct NextWordWork {
    PlaygroundState of;
    std::optional<ModelText> shown;
    std::shared_ptr<RowLogits> logits;
};

struct ActOutcome {
    bool is_done = true;    // false: call again, a model is being computed
    std::string said = {};  // to the visitor; how far it is, where it is not done
};

// Does it, with what was typed, and makes the session's state legal. `evaluator` is complete for that state; `now` as
// for Session::settle. A name that is not offered does nothing.
ActOutcome do_act(Session& session, const Evaluator& evaluator, NextWordWork& work, std::string_view name,
                  std::string_view typed, double now);

}  // namespace attn
