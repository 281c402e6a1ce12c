// Check me in the text version: its words, and what its acts do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/visit/session.h"
#include "views/words/act.h"

namespace attn {

// The check: what is asked and how it goes. For a session that keep_checks has looked at.
struct CheckText {
    std::optional<Act> toggle;       // nothing where the page's author left it out
    std::string help;                // what that does
    std::vector<Act> scopes;         // which stages are asked for; the one that is on is not possible
    std::vector<Act> questions;      // to go to; named "question=INDEX"
    int current = -1;                // of them
    std::string title;               // the question, or what there is to say; empty: nothing is asked
    std::vector<std::string> lines;  // formula, needs, hints
    std::string remark;              // on the last answer
    std::string field;               // the name of the act that takes what is typed; empty: there is no field
    std::string typed;
    std::vector<Act> acts;
    std::string score;
};
CheckText check_text(const Session& session, const Evaluator& evaluator);

// What a lesson's step asks before it goes on. For a session that keep_checks has looked at.
struct AskedText {
    std::string question;            // empty: nothing is asked
    std::vector<std::string> order;  // the lines that are put in order, as they stand
    std::vector<Act> choices;        // "predict=1"; of an order "predict up=2", "predict down=1" and "predict=order"
    std::string said;                // on the last choice
};
AskedText asked_text(const Session& session);

// To be called before a check is read: drops answers to other numbers.
void keep_checks(Session& session, const Evaluator& evaluator);

// "check" begins or ends one, "check=weights" and "check=all" choose what is asked for, "check hint", "check show" and
// "check new" are the buttons of a question, "question=3" goes to one, "answer" takes what was typed; "count answer",
// "count hint", "count show" and "count next" do the same for the cache's counts; "predict" and what follows are the
// choices of asked_text. Returns what to say.
std::string do_check_act(Session& session, const PlaygroundState& state, PlaygroundState& next,
                         const Evaluator& evaluator, std::string_view name, std::string_view typed);

}  // namespace attn
