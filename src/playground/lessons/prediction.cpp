// Lists what can be chosen, computes what is right, and writes what is said.
#include "playground/lessons/prediction.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/ground/check.h"
#include "playground/check/answers.h"
#include "playground/lessons/claims.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"
#include "playground/numbers/stage_labels.h"
#include "playground/state/open_models.h"
#include "playground/text/format.h"

namespace attn {
namespace {

View view_of(const PredictionCourse& course) {
    View view;
    view.lesson = course.lesson;
    view.step = course.step;
    return view;
}

const PredictionRow& row_of(const PredictionCourse& course) {
    const PredictionRow* row = asked_row(view_of(course));
    ATTN_CHECK(row != nullptr, "step ", course.step, " of ", course.lesson, " asks nothing");
    return *row;
}

// `text` with "#" replaced by the number of the head or the column, as people count, and "$" by what it is called.
std::string of_choice(const PredictionRow& row, std::string_view text, const PredictionCourse::Choice& choice) {
    std::string all;
    while (true) {
        const std::size_t at = text.find_first_of("#$");
        all += text.substr(0, at);
        if (at == std::string_view::npos) return all;
        const int number = row.kind == PredictionKind::head ? choice.place + 1 : choice.place;
        all += text[at] == '$' ? choice.says : concat(number);
        text.remove_prefix(at + 1);
    }
}

// The row of a cell: "weights 8,10".
struct AskedCells {
    TensorId stage;
    int head = 0, row = 0;
};
AskedCells asked_cells(const PredictionRow& row) {
    std::string_view rest = row.of;
    const std::string_view name = take_until(rest, ' ');
    const std::optional<TensorId> stage = stage_of_name(name);
    const std::optional<double> head = parse_number(take_until(rest, ',')), query = parse_number(rest);
    ATTN_CHECK(stage && head && query, "no row of a stage: ", row.of);
    return {.stage = *stage, .head = static_cast<int>(*head) - 1, .row = static_cast<int>(*query)};
}

// Of heads and cells none while their model is not open.
std::vector<PredictionCourse::Choice> list_choices(const PredictionCourse& course) {
    const PredictionRow& row = row_of(course);
    std::vector<PredictionCourse::Choice> choices;
    if (row.kind == PredictionKind::one || row.kind == PredictionKind::order) {
        for (std::size_t i = 0; i < row.choices.size(); ++i)
            choices.push_back({.says = std::string(row.choices[i].says), .place = static_cast<int>(i)});
        return choices;
    }
    StepNumbers numbers(view_of(course), course.inputs);
    const Evaluation* evaluation = numbers.evaluation();
    if (evaluation == nullptr) return {};
    if (row.kind == PredictionKind::head) {
        for (int head = 0; head < evaluation->sizes.num_heads; ++head)
            choices.push_back({.says = concat("head ", head + 1), .place = head});
        return choices;
    }
    const AskedCells cells = asked_cells(row);
    for (int column = 0; column < evaluation->num_tokens(); ++column) {
        if (evaluation->problem->hidden(cells.row, column)) continue;
        choices.push_back(
            {.says = concat("“", token_text(*evaluation, column), "”", place_if_repeated(*evaluation, column)),
             .place = column});
    }
    return choices;
}

// The number of each choice; empty where one is missing.
std::vector<double> numbers_of(const PredictionCourse& course, StepNumbers& numbers) {
    const PredictionRow& row = row_of(course);
    std::vector<double> all;
    for (const PredictionCourse::Choice& choice : course.choices) {
        const std::string sum = row.kind == PredictionKind::head ? of_choice(row, row.of, choice)
                                : row.kind == PredictionKind::cell
                                    ? concat(row.of, ",", choice.place)
                                    : std::string(row.choices[static_cast<std::size_t>(choice.place)].claim);
        const std::optional<double> value = numbers.number(sum);
        if (!value) return {};
        all.push_back(*value);
    }
    return all;
}

std::vector<int> right_ones(const PredictionCourse& course, StepNumbers& numbers) {
    const PredictionRow& row = row_of(course);
    const bool compares = row.kind == PredictionKind::one && StepNumbers::is_comparison(row.choices.front().claim);
    std::vector<int> right;
    if (compares) {
        for (std::size_t i = 0; i < course.choices.size(); ++i) {
            const std::optional<bool> holds = numbers.holds(row.choices[i].claim);
            if (!holds) return {};
            if (*holds) right.push_back(static_cast<int>(i));
        }
        return right;
    }
    const std::vector<double> values = numbers_of(course, numbers);
    if (values.empty()) return {};
    right.resize(values.size());
    std::iota(right.begin(), right.end(), 0);
    std::ranges::stable_sort(
        right, [&](int a, int b) { return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)]; });
    if (row.kind != PredictionKind::order) right.resize(1);
    return right;
}

std::string says_all(const PredictionCourse& course, const std::vector<int>& choices) {
    std::string all;
    for (const int choice : choices)
        all += concat(all.empty() ? "" : ", ", course.choices[static_cast<std::size_t>(choice)].says);
    return all;
}

std::vector<int> in_place(const PredictionCourse& course) {
    std::vector<int> order(course.choices.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::string says(const PredictionCourse& course, int choice) {
    return row_of(course).kind == PredictionKind::order ? says_all(course, in_place(course))
                                                        : course.choices[static_cast<std::size_t>(choice)].says;
}

// What is wrong with a choice; of an order, with the first that is not in its place.
std::string why_wrong(const PredictionCourse& course, StepNumbers& numbers, const std::vector<int>& right, int choice) {
    const PredictionRow& row = row_of(course);
    if (row.kind == PredictionKind::order) {
        for (std::size_t i = 0; i < right.size(); ++i) {
            if (right[i] == static_cast<int>(i)) continue;
            return numbers.filled(row.choices[static_cast<std::size_t>(course.choices[i].place)].why);
        }
        return {};
    }
    const PredictionCourse::Choice& chosen = course.choices[static_cast<std::size_t>(choice)];
    const int place = chosen.place;
    if (row.kind == PredictionKind::one) return numbers.filled(row.choices[static_cast<std::size_t>(place)].why);
    const int number = row.kind == PredictionKind::head ? place + 1 : place;
    const auto own = std::ranges::find_if(row.choices, [&](const PredictionRow::Choice& special) {
        return parse_number(special.claim) == static_cast<double>(number);
    });
    return numbers.filled(of_choice(row, own != row.choices.end() ? own->why : row.why, chosen));
}

bool is_right_choice(const PredictionCourse& course, const std::vector<int>& right, int choice) {
    if (row_of(course).kind == PredictionKind::order) return right == in_place(course);
    return std::ranges::find(right, choice) != right.end();
}

// "You said “with”; it is “Your”. The direction of “with” is better, …"
std::string said_to(const PredictionCourse& course, StepNumbers& numbers, const std::vector<int>& right, int choice,
                    std::string& why) {
    const bool is_right = is_right_choice(course, right, choice);
    if (!is_right) why = why_wrong(course, numbers, right, choice);
    const std::string reason = numbers.filled(row_of(course).reason);
    const std::string verdict =
        is_right ? concat("You said: ", says(course, choice), ". That is right.")
                 : concat("You said: ", says(course, choice), "; it is: ", says_all(course, right), ".");
    return concat(verdict, why.empty() ? "" : " ", why, " ", reason);
}

AnswerPlace place_in_log(const PredictionCourse& course) {
    return answer_place(view_of(course), course.inputs, course.sentence, std::string(kPredictionInLog));
}

// What was chosen last, by its words. Also the order in which it was.
std::optional<int> logged_choice(PredictionCourse& course, const AnswerRecord& record) {
    if (row_of(course).kind != PredictionKind::order) {
        const auto found = std::ranges::find(course.choices, record.typed, &PredictionCourse::Choice::says);
        return found == course.choices.end() ? std::nullopt
                                             : std::optional(static_cast<int>(found - course.choices.begin()));
    }
    std::vector<PredictionCourse::Choice> ordered = course.choices;
    std::ranges::stable_sort(ordered, {},
                             [&](const PredictionCourse::Choice& choice) { return record.typed.find(choice.says); });
    std::swap(course.choices, ordered);
    if (says(course, 0) == record.typed) return 0;
    std::swap(course.choices, ordered);
    return std::nullopt;
}

void bring_back(PredictionCourse& course, const AnswerLog& log) {
    course.chosen.reset();
    course.is_right = false;
    course.said.clear();
    const AnswerRecord* record = log.find(place_in_log(course));
    if (record == nullptr || record->tries == 0) return;
    StepNumbers numbers(view_of(course), course.inputs);
    const std::optional<int> choice = logged_choice(course, *record);
    const std::vector<int> right = choice ? right_ones(course, numbers) : std::vector<int>();
    if (right.empty()) return;
    std::string why;
    course.said = said_to(course, numbers, right, *choice, why);
    course.chosen = choice;
    course.is_right = is_right_choice(course, right, *choice);
}

bool has_seeds_of(const Inputs& inputs, const Inputs& visitors) {
    return inputs.seed == visitors.seed && inputs.embed_seed == visitors.embed_seed &&
           inputs.dropout_seed == visitors.dropout_seed;
}

// What the step leaves blank is shown, but where it asks for a number, too.
void show_what_was_hidden(const PlaygroundState& state, PlaygroundState& next) {
    const PlaygroundState* step = step_state(state.view);
    if (step == nullptr || !step->view.check.empty()) return;
    for (const std::string& name : step->view.hide) next.view.hide.erase(name);
}

}  // namespace

const PredictionRow* asked_row(const View& view) {
    const LessonStep* step = step_of(view);
    return step == nullptr || !step->asks ? nullptr : &*step->asks;
}

void keep_prediction(PredictionCourse& course, const AnswerLog& log, const PlaygroundState& state) {
    if (asked_row(state.view) == nullptr) {
        course = {};
        return;
    }
    // Whatever the visitor changes in the step, it is the step's own numbers that are asked for, but for the seeds.
    const bool is_same = course.lesson == state.view.lesson && course.step == state.view.step &&
                         course.model_changes == num_model_changes() && has_seeds_of(course.inputs, state.inputs);
    if (is_same && course.log_version == log.version()) return;
    if (!is_same) {
        const PlaygroundState& step = *step_state(state.view);
        Inputs inputs = step.inputs;
        inputs.seed = state.inputs.seed;
        inputs.embed_seed = state.inputs.embed_seed;
        inputs.dropout_seed = state.inputs.dropout_seed;
        course = {.lesson = state.view.lesson,
                  .step = state.view.step,
                  .inputs = std::move(inputs),
                  .sentence = step.view.sentence,
                  .model_changes = num_model_changes(),
                  .choices = {},
                  .chosen = {},
                  .said = {},
                  .seen = state.view.cell,
                  .seen_head = state.view.head};
        course.choices = list_choices(course);
    }
    course.log_version = log.version();
    bring_back(course, log);
}

std::string choose(PredictionCourse& course, AnswerLog& log, const PlaygroundState& state, PlaygroundState& next,
                   int choice) {
    if (!course.is_asked() || course.is_right || choice < 0 || choice >= static_cast<int>(course.choices.size()))
        return course.said;
    StepNumbers numbers(view_of(course), course.inputs);
    const std::vector<int> right = right_ones(course, numbers);
    if (right.empty()) return "The numbers that decide are not there yet: choose again in a moment.";
    if (row_of(course).kind == PredictionKind::order) choice = 0;
    std::string why;
    course.said = said_to(course, numbers, right, choice, why);
    course.chosen = choice;
    course.is_right = is_right_choice(course, right, choice);
    log_try(log, place_in_log(course), row_of(course).question, says(course, choice), course.is_right, why);
    course.log_version = log.version();
    show_what_was_hidden(state, next);
    return course.said;
}

std::string move_choice(PredictionCourse& course, int choice, int way) {
    const int other = choice + way;
    const int count = static_cast<int>(course.choices.size());
    if (course.is_right || choice < 0 || choice >= count || other < 0 || other >= count) return {};
    PredictionCourse::Choice& moved = course.choices[static_cast<std::size_t>(other)];
    std::swap(course.choices[static_cast<std::size_t>(choice)], moved);
    return concat(moved.says, ": place ", other + 1, " of ", count, ".");
}

std::string choice_in_words(const PredictionCourse& course, int choice) {
    const std::string& text = course.choices[static_cast<std::size_t>(choice)].says;
    if (course.chosen != choice || row_of(course).kind == PredictionKind::order) return text;
    return concat(text, course.is_right ? ", your answer, right" : ", your answer, not right");
}

std::vector<int> right_choices(const PredictionCourse& course) {
    StepNumbers numbers(view_of(course), course.inputs);
    return right_ones(course, numbers);
}

std::optional<WholePrediction> whole_prediction(const PlaygroundState& state) {
    PredictionCourse course;
    keep_prediction(course, AnswerLog(), state);
    const bool is_order = course.is_asked() && row_of(course).kind == PredictionKind::order;
    if (course.choices.empty() || (is_order && course.choices.size() > kMostToOrder)) return std::nullopt;
    StepNumbers numbers(view_of(course), course.inputs);
    const std::vector<int> right = right_ones(course, numbers);
    if (right.empty()) return std::nullopt;
    WholePrediction whole = {.question = std::string(row_of(course).question),
                             .reason = numbers.filled(row_of(course).reason),
                             .answers = {},
                             .state = *step_state(state.view)};
    whole.state.inputs = course.inputs;
    whole.state.view.lesson = course.lesson;
    whole.state.view.step = course.step;
    const auto add = [&](const PredictionCourse& asked, const std::vector<int>& right_now, int choice) {
        const bool is_right = is_right_choice(asked, right_now, choice);
        whole.answers.push_back({.says = says(asked, choice),
                                 .is_right = is_right,
                                 .why = is_right ? "" : why_wrong(asked, numbers, right_now, choice)});
    };
    if (!is_order) {
        for (std::size_t n = 0; n < course.choices.size(); ++n) add(course, right, static_cast<int>(n));
        return whole;
    }
    std::vector<int> order = in_place(course);
    do {
        PredictionCourse ordered = course;
        for (std::size_t i = 0; i < order.size(); ++i)
            ordered.choices[i] = course.choices[static_cast<std::size_t>(order[i])];
        add(ordered, right_ones(ordered, numbers), 0);
    } while (std::ranges::next_permutation(order).found);
    return whole;
}

std::optional<int> choice_in_picture(PredictionCourse& course, const View& view) {
    const bool is_other_cell = std::exchange(course.seen, view.cell) != view.cell;
    const bool is_other_head = std::exchange(course.seen_head, view.head) != view.head;
    if (!course.is_open()) return std::nullopt;
    const PredictionRow& row = row_of(course);
    std::optional<int> place;
    if (row.kind == PredictionKind::cell && is_other_cell && view.cell) {
        const AskedCells cells = asked_cells(row);
        const bool is_of_row = view.cell->head == cells.head && view.cell->row == cells.row;
        if (is_of_row && view.stage == cells.stage) place = view.cell->column;
    } else if (row.kind == PredictionKind::head) {
        if (is_other_head && view.head) place = view.head;
        if (!place && is_other_cell && view.cell) place = view.cell->head;
    }
    if (!place) return std::nullopt;
    const auto found = std::ranges::find(course.choices, *place, &PredictionCourse::Choice::place);
    return found == course.choices.end() ? std::nullopt
                                         : std::optional(static_cast<int>(found - course.choices.begin()));
}

}  // namespace attn
