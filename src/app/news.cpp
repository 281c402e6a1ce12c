// Tells screen readers one sentence at a time: outcomes first, then what the picture shows.
#include "app/news.h"

#include <utility>

#include "views/words/announcement.h"

namespace attn {
namespace {

// What a screen reader should say now; empty when it was said already.
std::string news_of_picture(Program& program) {
    const Computation& computation = program.computation;
    std::string announcement = computation.is_complete()
                                   ? announcement_of(program.session.state(), computation.evaluator().shown())
                                   : announcement_of(computation.progress());
    std::string step = step_announcement_of(program.session.state().view);
    const bool is_new_step = step != program.announced_step;
    if (announcement == program.announced && !is_new_step) return {};
    program.announced = std::move(announcement);
    program.announced_step = std::move(step);
    if (!is_new_step || program.announced_step.empty()) return program.announced;
    return program.announced_step + " " + program.announced;
}

std::string news_of_settings(Program& program) {
    const Inputs& inputs = program.session.state().inputs;
    std::optional<Inputs>& announced = program.announced_inputs;
    if (announced == inputs) return {};
    const bool is_first = !announced;
    const Inputs before = std::exchange(announced, inputs).value_or(inputs);
    Inputs same_words = before;
    same_words.texts = inputs.texts;
    return is_first || same_words == inputs ? std::string() : change_announcement_of(before, inputs);
}

std::string news_of_focus(Program& program) {
    if (program.ui.focused_item() == program.announced_focus) return {};
    program.announced_focus = program.ui.focused_item();
    return program.announced_focus.empty() ? std::string() : program.ui.focus_words() + ".";
}

}  // namespace

void tell(Program& program, const std::string& outcome) {
    program.outcome = outcome;
    program.ui.tell(outcome);
}

void tell_success(Program& program, const std::string& sentence) {
    append_notes(program.session.notes(), {sentence});
    tell(program, sentence);
}

void tell_failure(Program& program, const std::string& sentence) {
    program.session.note_failure(sentence);
    tell(program, sentence);
}

std::string take_news(Program& program) {
    std::string words = std::exchange(program.outcome, {});
    const auto say = [&](const std::string& more) {
        if (!words.empty() && !more.empty()) words += " ";
        words += more;
    };
    const std::string step = program.announced_step;
    const std::string picture = news_of_picture(program);
    const std::string changes = news_of_settings(program);
    if (program.announced_step == step) say(changes);  // a lesson's step says itself what it sets
    say(news_of_focus(program));
    say(picture);
    return words;
}

}  // namespace attn
