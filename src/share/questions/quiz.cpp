// Collects the questions of a state. See quiz.h.
#include "share/questions/quiz.h"

#include <map>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/check/answer_log.h"
#include "playground/check/check_me.h"
#include "playground/check/slips.h"
#include "playground/check/withheld.h"
#include "playground/lessons/lessons.h"
#include "playground/lessons/prediction.h"
#include "scene/pens/figure_svg.h"
#include "share/worksheet/sheet_tables.h"
#include "share/worksheet/sheet_words.h"
#include "views/figures.h"

namespace attn {
namespace {

constexpr std::string_view kRoundAtEnd = "Round only at the end.";

std::string quiz_name(std::string_view text) {
    return cut_text(one_line(text), kMostQuizName);
}

std::string name_of_section(const PlaygroundState& state) {
    const Lesson* lesson = state.view.lesson.empty() ? nullptr : find_lesson(state.view.lesson);
    if (lesson != nullptr) return quiz_name(concat(lesson->title, ", step ", state.view.step + 1));
    return quiz_name(state.inputs.texts[static_cast<std::size_t>(state.view.sentence)]);
}

class SectionMaker {
public:
    SectionMaker(Quiz& quiz, const PlaygroundState& state, const Evaluator& evaluator)
        : quiz_(quiz), state_(state), evaluator_(evaluator), evaluation_(evaluator.shown()) {}

    // Returns why there is no such question, or nothing.
    std::string add_number(QuizSection& section, const Question& asked) {
        const Result<SheetTask> task = sheet_task_of(state_, evaluation_, {asked});
        if (!task) return task.error();
        const std::string called = question_for_sheet(evaluation_, asked);
        QuizQuestion question = {.name = quiz_name(called),
                                 .is_numeric = true,
                                 .html = given_for(*task),
                                 .asks = concat("What is ", html_text(called), "? ", judging_rule(), " ", kRoundAtEnd),
                                 .picture = picture_of_head(asked),
                                 .answers = {},
                                 .other = concat("Not yet: no known mistake leads to this number. ", kRoundAtEnd),
                                 .reason = sheet_worked_out(evaluation_, asked, "<br/>")};
        const double number = answer_of(evaluation_, asked);
        const double tolerance = answer_tolerance(number, kEnoughDecimals);
        question.answers.push_back(
            {.is_right = true, .number = number, .tolerance = tolerance, .html = {}, .feedback = "Right."});
        for (const Slip& slip : distinct_slips(evaluation_, asked.stage, asked.cell(), tolerance)) {
            question.answers.push_back({.is_right = false,
                                        .number = slip.number,
                                        .tolerance = tolerance,
                                        .html = {},
                                        .feedback = html_text(remark_on_mistake(slip.number, slip.words))});
        }
        return add(section, std::move(question));
    }

    std::string add_choice(QuizSection& section, const WholePrediction& whole) {
        QuizQuestion question = {.name = quiz_name(concat(name_of_section(state_), ": ", whole.question)),
                                 .is_numeric = false,
                                 .html = {},
                                 .asks = html_text(whole.question),
                                 .picture = -1,
                                 .answers = {},
                                 .other = {},
                                 .reason = html_text(whole.reason)};
        Evaluator evaluator;  // the step as it was before anybody chose
        question.html = sheet_step(whole.state, evaluator.update(whole.state));
        question.picture = add_picture(whole.state, evaluator, std::nullopt);
        for (const WholePrediction::Answer& answer : whole.answers) {
            question.answers.push_back({.is_right = answer.is_right,
                                        .html = html_text(answer.says),
                                        .feedback = answer.is_right      ? "That is right."
                                                    : answer.why.empty() ? "That is not right."
                                                                         : html_text(answer.why)});
        }
        return add(section, std::move(question));
    }

private:
    // What the asked number is made of, how, and where it stands.
    std::string given_for(const SheetTask& task) const {
        const SheetTables tables(state_, evaluation_, task);
        const std::string& text = state_.inputs.texts[static_cast<std::size_t>(state_.view.sentence)];
        std::string html = sheet_step(state_, evaluation_);
        html += sheet_paragraph(concat("<bdi>", html_text(text), "</bdi>"));
        html += sheet_paragraph(html_text(sheet_sizes(state_, evaluation_)));
        if (!task.given.empty()) html += sheet_paragraph("Given:");
        for (const SheetTable& table : task.given) html += tables.given(table);
        html += sheet_formulas(task, state_, evaluation_);
        for (const SheetTable& table : task.to_fill) html += tables.to_fill(table, SheetFill::signs);
        if (tables.has_company()) html += sheet_paragraph("“–” is left out, as it would give away what is asked for.");
        return html;
    }

    // One for all questions of a head.
    int picture_of_head(const Question& asked) {
        const std::optional<int> head = stage_info(asked.stage).has_heads ? std::optional(asked.head) : std::nullopt;
        const auto [place, is_new] = pictures_.try_emplace(head, -1);
        if (is_new) place->second = add_picture(state_, evaluator_, head);
        return place->second;
    }

    int add_picture(const PlaygroundState& state, const Evaluator& evaluator, std::optional<int> head) {
        if (quiz_.format == QuizFormat::gift) return -1;
        FigureOptions options = {.has_title = false, .head = head, .has_tips = false};
        const Result<Figure> figure = figure_of(with_withheld(state), evaluator, options);
        if (!figure) return -1;
        std::string svg = figure_as_svg(*figure);
        if (svg.size() > kMostQuizPicture) return -1;
        if (quiz_.format == QuizFormat::qti) quiz_.num_bytes += svg.size();
        quiz_.pictures.push_back(
            {.svg = std::move(svg), .alt = "The numbers as a picture; those that are left out are question marks."});
        return static_cast<int>(quiz_.pictures.size()) - 1;
    }

    std::string add(QuizSection& section, QuizQuestion question) {
        constexpr std::size_t kTags = 1000;  // of a question, and of an answer less
        std::size_t num_bytes = kTags + question.html.size() + question.asks.size() + question.reason.size();
        for (const QuizAnswer& answer : question.answers)
            num_bytes += kTags + answer.html.size() + answer.feedback.size();
        if (question.picture >= 0 && quiz_.format == QuizFormat::moodle)  // in base64
            num_bytes += quiz_.pictures[static_cast<std::size_t>(question.picture)].svg.size() / 3 * 4;
        quiz_.num_bytes += num_bytes;
        section.questions.push_back(std::move(question));
        if (quiz_.num_bytes <= kMostQuizBytes) return {};
        return concat("The questions would be larger than ", bytes_in_words(kMostQuizBytes),
                      ": ask for fewer numbers, or for fewer students at once.");
    }

    Quiz& quiz_;
    const PlaygroundState& state_;
    const Evaluator& evaluator_;
    const Evaluation& evaluation_;
    std::map<std::optional<int>, int> pictures_;
};

}  // namespace

std::string add_quiz_section(Quiz& quiz, const PlaygroundState& state, const Evaluator& evaluator,
                             const std::string& name) {
    const Evaluation& evaluation = evaluator.shown();
    const std::optional<WholePrediction> whole = whole_prediction(state);
    const std::vector<Question> asked = asked_cells(state, evaluation);
    if (asked.empty() && !whole) {
        if (asked_row(state.view) != nullptr)
            return "What this step asks follows from numbers of a model that is not open: open the model first.";
        const Result<SheetTask> task = sheet_task(state, evaluation);
        return task ? std::string() : task.error();
    }
    QuizSection section = {.name = name.empty() ? name_of_section(state) : quiz_name(name), .questions = {}};
    SectionMaker maker(quiz, state, evaluator);
    std::string refusal;
    for (std::size_t n = 0; n < asked.size() && refusal.empty(); ++n) refusal = maker.add_number(section, asked[n]);
    if (whole && refusal.empty()) refusal = maker.add_choice(section, *whole);
    if (refusal.empty()) quiz.sections.push_back(std::move(section));
    return refusal;
}

}  // namespace attn
