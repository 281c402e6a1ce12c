// Decides what a press begins and ends, and walks from question to question.
#include "playground/check/check_course.h"

#include <algorithm>
#include <cstdint>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/link/state_url.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/shapes.h"
#include "playground/state/view_table.h"

namespace attn {

bool is_asking(const View& view) {
    return view.view == ViewKind::cache ? view.asks_counts || !view.check.empty() : !view.check.empty();
}

bool can_toggle_check(const PlaygroundState& state, const Evaluation& evaluation) {
    const ViewKind view = state.view.view;
    return is_asking(state.view) || view_info(view).is_of_stage() ||
           (view == ViewKind::cache && !evaluation.is_empty());
}

std::string_view toggle_check_help(const View& view) {
    return is_asking(view)                ? "Show the numbers again"
           : view.view == ViewKind::cache ? "Leave the counts blank and work them out yourself"
                                          : "Leave this stage blank and type its numbers yourself";
}

Notes toggle_check(PlaygroundState& next, Answers& answers, const PlaygroundState& state,
                   const Evaluation& evaluation) {
    const bool is_of_cache = state.view.view == ViewKind::cache && state.view.check.empty();
    if (is_of_cache) {
        next.view.asks_counts = !state.view.asks_counts;
        if (next.view.asks_counts) next.view.score.reset();
        return {};
    }
    if (!state.view.check.empty()) {
        stop_check(next, answers);
        return {};
    }
    const TensorId stage = state.view.stage;
    if (questions_of(evaluation, stage, Blanks(state)).empty()) return {too_many_questions(evaluation, stage)};
    start_check(next, answers, {stage});
    return {};
}

std::string too_many_questions(const Evaluation& evaluation, TensorId stage) {
    std::int64_t count = 1;
    for (const int extent : stage_shape(evaluation, stage)) count *= extent;
    return concat(tensor_name(stage), " has ", with_thousands(count), " numbers here: more than the ", kMaxQuestions,
                  " one can be asked for. Take fewer tokens, channels or heads");
}

bool is_exercise(const View& view) {
    const PlaygroundState* step = step_state(view);
    if (step == nullptr) return false;
    const View& begun = step->view;
    if (begun.view == ViewKind::cache) return begun.asks_counts && view.asks_counts;
    return !begun.check.empty() && begun.check == view.check && begun.stage == view.stage;
}

std::vector<Question> asked_questions(const PlaygroundState& state, const Evaluation& evaluation) {
    const TensorId stage = state.view.stage;
    const Blanks blanks(state);
    std::vector<Question> all = questions_of(evaluation, stage, blanks);
    if (!is_exercise(state.view) || !blanks.has_stage(stage)) return all;
    const std::optional<Cell>& cell = step_state(state.view)->view.cell;
    const auto place =
        std::find_if(all.begin(), all.end(), [&](const Question& question) { return question.cell() == cell; });
    return place == all.end() ? all : std::vector<Question>{*place};
}

bool is_exercise_done(const PlaygroundState& state, const Evaluation& evaluation, const Answers& answers) {
    if (!is_exercise(state.view) || evaluation.is_empty() || !evaluation.is_complete()) return false;
    const std::vector<Question> asked = asked_questions(state, evaluation);
    return !asked.empty() && std::all_of(asked.begin(), asked.end(),
                                         [&](const Question& question) { return is_solved(answers, question); });
}

std::string_view done_in_words(const View& view) {
    return is_exercise(view) ? "Done. Press Next." : "All numbers are filled in.";
}

std::set<TensorId> whole_case() {
    std::set<TensorId> stages;
    for (const StageInfo& info : stage_table()) stages.insert(info.id);
    return stages;
}

std::string gives_away_in_words(const PlaygroundState& state) {
    const Blanks blanks(state);
    std::string blank;
    for (const TensorId stage : present_stages(state.inputs)) {
        if (blanks.touches(stage)) blank += concat(blank.empty() ? "" : ", ", tensor_name(stage));
    }
    return concat("This view would give away numbers that are blank: ", blank, ".");
}

std::string_view blank_in_words(bool is_own) {
    return is_own ? "This number is blank, for you to find."
                  : "The arithmetic of this number would give away others that are blank.";
}

std::optional<Question> current_question(const PlaygroundState& state, const Answers& answers,
                                         const std::vector<Question>& questions) {
    const std::optional<Cell>& cell = state.view.cell;
    const auto first = [&](auto fits) -> std::optional<Question> {
        const auto place = std::find_if(questions.begin(), questions.end(), fits);
        return place == questions.end() ? std::nullopt : std::optional(*place);
    };
    const auto is_open = [&](const Question& q) { return !is_solved(answers, q); };
    const std::optional<int> head = state.view.head;
    const auto is_in_sight = [&](const Question& q) {
        return !head || !stage_info(q.stage).has_heads || q.head == *head;
    };
    if (cell) {
        if (const auto pinned = first([&](const Question& q) { return q.cell() == *cell && is_in_sight(q); }))
            return pinned;
        const auto in_row = [&](const Question& q) { return q.row == cell->row && is_open(q) && is_in_sight(q); };
        if (const auto near = first(in_row)) return near;
    }
    return first([&](const Question& q) { return is_open(q) && is_in_sight(q); });
}

std::optional<Question> question_after(const std::vector<Question>& questions, const Answers& answers,
                                       const Question& question) {
    const auto place = std::find(questions.begin(), questions.end(), question);
    const auto is_open = [&](const Question& q) { return q != question && !is_solved(answers, q); };
    auto next = std::find_if(place, questions.end(), is_open);
    if (next == questions.end()) next = std::find_if(questions.begin(), questions.end(), is_open);
    return next == questions.end() ? std::nullopt : std::optional(*next);
}

const Answer* answer_to(const Answers& answers, const Question& question) {
    const auto place = answers.given.find(question);
    return place == answers.given.end() ? nullptr : &place->second;
}

std::string next_hint_label(const Answer* answer) {
    const int taken = answer == nullptr ? 0 : answer->num_hints;
    if (taken == kNumHints) return {};
    return taken == 0 ? "Hint" : concat("Hint ", taken + 1, " of ", kNumHints);
}

}  // namespace attn
