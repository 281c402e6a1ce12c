// Tells screen readers one sentence at a time: outcomes and notes first, then what changed, the focus, the picture.
#include "app/news.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/computing.h"
#include "core/ground/check.h"
#include "views/words/announcement.h"

namespace attn {
namespace {

std::string as_sentence(const std::string& words) {
    constexpr std::string_view kEnds = ".!?";
    return words.empty() || kEnds.find(words.back()) != std::string_view::npos ? words : words + ".";
}

// What a screen reader should say now; empty when it was said already.
std::string news_of_picture(Program& program) {
    const Computation& computation = program.computation;
    std::string announcement = computation.is_complete()
                                   ? announcement_of(shown_state(program), computation.evaluator().shown())
                                   : announcement_of(computation.progress());
    const PlaygroundState& state = program.session.state();
    const std::string step = state.view.lesson.empty() ? "" : concat(state.view.lesson, " ", state.view.step);
    const bool is_new_step = step != program.announced_step;
    if (announcement == program.announced && !is_new_step) return {};
    program.announced = std::move(announcement);
    program.announced_step = step;
    if (!is_new_step || step.empty()) return program.announced;
    return step_announcement_of(state, computation.evaluator().shown()) + " " + program.announced;
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

// What has come to stand above the picture since the last time, unless `words` say it already.
std::string news_of_notes(Program& program, const std::string& words) {
    const Notes& shown = program.ui.shown_notes();
    std::string news;
    for (const std::string& note : shown) {
        const bool is_old = std::ranges::find(program.announced_notes, note) != program.announced_notes.end();
        if (!is_old && words.find(note) == std::string::npos) news += (news.empty() ? "" : " ") + as_sentence(note);
    }
    program.announced_notes = shown;
    return news;
}

// What has the focus, once it has moved there; and what the same item says now: a switch that was pressed, a cell that
// was walked to. If the settings or the picture have told of that, it is enough.
std::string news_of_focus(Program& program, bool is_told) {
    const std::string& words = program.ui.focus_words();
    const bool is_same = program.ui.focused_item() == program.announced_focus;
    if (is_same && words == program.announced_focus_words) return {};
    program.announced_focus = program.ui.focused_item();
    program.announced_focus_words = words;
    return words.empty() || (is_same && is_told) ? std::string() : as_sentence(words);
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
    program.is_model_refused = program.is_model_refused || awaits_model(program);
    program.session.note_failure(sentence);
    tell(program, sentence);
}

std::string take_news(Program& program) {
    std::string words = std::exchange(program.outcome, {});
    const auto say = [&](const std::string& more) {
        if (!words.empty() && !more.empty()) words += " ";
        words += more;
    };
    for (const std::string& said : program.ui.take_said()) say(said);
    say(news_of_notes(program, words));
    if (program.ui.is_playing()) {  // each step would cut off the words of the one before: the last one is told
        say(news_of_focus(program, false));
        return words;
    }
    const std::string step = program.announced_step;
    const std::string picture = news_of_picture(program);
    const std::string changes = news_of_settings(program);
    const bool is_new_step = program.announced_step != step;
    if (!is_new_step) say(changes);  // a lesson's step says itself what it sets
    say(news_of_focus(program, !picture.empty() || !changes.empty()));
    say(picture);
    return words;
}

}  // namespace attn
