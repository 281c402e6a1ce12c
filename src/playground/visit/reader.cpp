// Only the project's own models are chosen: another one stays whatever is typed.
#include "playground/visit/reader.h"

#include <algorithm>

#include "playground/link/hiding.h"
#include "playground/state/origin.h"
#include "playground/text/format.h"

namespace attn {

bool knows_words(const OpenModel& model, std::string_view text, bool is_typing) {
    const Tokens tokens = model.tokenize(text);
    const std::string_view sentence = tokens.sentence;
    std::size_t at = 0;
    for (const Token& token : tokens.tokens) {
        if (token.end <= token.begin) continue;  // the model puts it around the text
        if (token.begin > at && !trimmed(sentence.substr(at, token.begin - at)).empty()) return false;
        at = token.end;
    }
    if (tokens.num_left_out > 0) return true;  // what lies behind is another matter
    const std::string_view rest = sentence.substr(std::min(at, sentence.size()));
    const std::string_view word = trimmed(rest);
    const bool is_last_word = !rest.empty() && rest.ends_with(word) && word.find(' ') == std::string_view::npos;
    return word.empty() || (is_typing && is_last_word);
}

// Not inlined: without an open model, as in a first picture, nobody calls it.
[[gnu::noinline]] void choose_reader(PlaygroundState& state, const PlaygroundState& before, bool is_typing) {
    const std::string& model = before.inputs.model;
    if ((!model.empty() && !find_own_model(model)) || locks_control(state.view, "model")) return;
    const std::shared_ptr<const OpenModel> reader = find_open_model(kOwnWords.name);
    const std::shared_ptr<const OpenModel> few = find_open_model(kFirstWords.name);
    if (!reader && !few) return;
    const bool reads_unknown = few && model == kFirstWords.name && !knows_words(*few, shown_sentence(before), false);
    if (reads_unknown) return;
    leave_place(state.view);
    if (reader) {
        make_trained(state.inputs, kOwnWords);
    } else if (few && knows_words(*few, shown_sentence(state), is_typing)) {
        make_trained(state.inputs, kFirstWords);
    } else {
        return make_random(state.inputs);
    }
    state.inputs.off.clear();
}

void open_door(PlaygroundState& state) {
    if (locks_control(state.view, "view")) return;
    const PlaygroundState before = state;
    state = door_state();
    state.view.theme = before.view.theme;
    state.view.lang = before.view.lang;
    state.view.hide = before.view.hide;
    state.view.lock = before.view.lock;
    if (!before.view.lesson.empty() || before.inputs.texts == Inputs().texts) return;
    state.inputs = before.inputs;
    state.view.sentence = before.view.sentence;
    PlaygroundState unread = state;
    unread.inputs.model.clear();
    if (before.inputs.model.empty()) choose_reader(state, unread, false);
}

}  // namespace attn
