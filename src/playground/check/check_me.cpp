// The hints are in check_hints.cpp, the slips behind wrong answers in slips.h, what comes back from the log in
// answers.cpp.
#include "playground/check/check_me.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/operations/layer_rows.h"
#include "core/words/code_points.h"
#include "playground/check/answers.h"
#include "playground/check/slips.h"
#include "playground/link/blanks.h"
#include "playground/link/hiding.h"
#include "playground/numbers/recipe.h"
#include "playground/state/shapes.h"
#include "playground/state/view_table.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "playground/text/number_block.h"

namespace attn {
namespace {

std::set<TensorId> blank_stages(const PlaygroundState& state) {
    std::set<TensorId> stages = copies_of(state.inputs, state.view.check);
    if (stages.empty()) return stages;
    const Blanks blanks(state);
    std::erase_if(stages, [&](TensorId stage) { return !blanks.has_stage(stage); });
    return stages;
}

// How a number is written: how many decimals and how many significant digits.
struct Digits {
    int decimals = 0;
    int significant = 0;
};

Digits digits_of(std::string_view typed) {
    Digits digits;
    bool is_after_point = false;
    std::size_t i = 0;
    for (; i < typed.size() && typed[i] != 'e' && typed[i] != 'E'; ++i) {
        const char letter = typed[i];
        if (letter == '.') is_after_point = true;
        if (letter < '0' || letter > '9') continue;
        if (is_after_point) ++digits.decimals;
        if (letter != '0' || digits.significant > 0) ++digits.significant;
    }
    if (i < typed.size()) {
        const std::optional<double> exponent = parse_number(typed.substr(i + 1));
        digits.decimals -= static_cast<int>(std::clamp(exponent.value_or(0), -400.0, 400.0));
    }
    return digits;
}

// The number is a float, and decimals are no binary fractions.
double answer_slack(double number) {
    return 1e-9 + 1e-6 * std::abs(number);
}

// So few digits that a number can be seen to be wrong, but not to be right.
bool is_coarse(const Digits& digits) {
    return digits.decimals < 2 && digits.significant < 3;
}

// The number at a cell as the screen shows it.
double number_at(const Evaluation& evaluation, const Question& question) {
    const Vector row = stage_row(*evaluation.problem, evaluation.trace, question.stage, question.head, question.row);
    return static_cast<double>(row(question.column));
}

// "Not yet, because 0.4086 comes out when you forget to divide by √2." Where no known mistake leads to the number:
// which way it is off.
// `mistake` gets the slip's words.
std::string remark_on_wrong(const Evaluation& evaluation, const Question& question, const Judgement& judgement,
                            std::string_view typed, std::string& mistake) {
    const bool has_few_digits = is_coarse(digits_of(with_decimal_point(typed)));  // which fit too many mistakes
    std::vector<Slip> slips;
    if (!has_few_digits)
        slips = matching_slips(evaluation, question.stage, question.cell(), judgement.typed, judgement.tolerance);
    std::string ways;
    for (const Slip& slip : slips) ways += concat(ways.empty() ? "" : ", or when you ", slip.words);
    mistake = ways;
    if (!slips.empty()) return remark_on_mistake(slips.front().number, ways);
    const double number = number_at(evaluation, question);
    if (std::abs(judgement.typed - number) <= 4 * judgement.tolerance && !has_few_digits)
        return concat("Not yet, because ", trimmed(typed), " is near but not exact. Round only at the end.");
    if (judgement.typed * number < 0)
        return concat("Not yet, because the number is ", number < 0 ? "below" : "above", " 0.");
    return concat("Not yet, because the number is ", judgement.typed < number ? "above " : "below ", trimmed(typed),
                  ".");
}

}  // namespace

bool is_asked(const PlaygroundState& state, TensorId stage) {
    return copies_of(state.inputs, state.view.check).contains(stage);
}

bool is_blank(const PlaygroundState& state, TensorId stage) {
    return blank_stages(state).contains(stage);
}

bool tells_of_blank(const PlaygroundState& state, TensorId stage) {
    const std::set<TensorId> blank = blank_stages(state);
    if (blank.empty()) return false;
    const auto is_told = [&](TensorId tensor) { return blank.contains(tensor); };
    const std::vector<TensorId> sources = sources_of(stage);
    if (is_told(stage) || std::any_of(sources.begin(), sources.end(), is_told)) return true;
    // A weight is explained down to its score.
    const bool is_weight =
        stage == TensorId::weights || stage == TensorId::sink_weights || stage == TensorId::unmasked_weights;
    return is_weight && (std::ranges::any_of(blank, is_score) || std::ranges::any_of(blank, is_query_or_key_stage) ||
                         is_told(TensorId::unmasked_weights));
}

bool tells_of_blank(const Evaluation& evaluation, const Blanks& blanks, const Explanation& explanation) {
    if (blanks.empty() || explanation.is_hidden) return false;
    const auto is_told = [&](const CellRef& cell) {
        return is_stage(cell.tensor) && blanks.has(cell.tensor, cell.head, cell.row, cell.column);
    };
    const auto tells = [&](const Term& term) {
        return (term.a.has_source && is_told(term.a.source)) || (term.b.has_source && is_told(term.b.source));
    };
    const CellRef& cell = explanation.cell;
    if (is_told(cell) || std::any_of(explanation.terms.begin(), explanation.terms.end(), tells)) return true;
    if (std::ranges::any_of(explanation.steps,
                            [&](const ExplainedStep& step) { return std::ranges::any_of(step.terms, tells); }))
        return true;
    // A row that adds up to its divisor is told with each of its numbers.
    const auto is_beside = [&](const Term& term) {
        return tells(term) || is_told({cell.tensor, cell.head, cell.row, term.a.source.column});
    };
    if (std::any_of(explanation.divisor_terms.begin(), explanation.divisor_terms.end(), is_beside)) return true;
    if (!explanation.is_softmax) return false;
    // A weight is explained down to its score.
    for (int channel = 0; channel < std::max(evaluation.sizes.score_dim(), evaluation.sizes.rope_dim); ++channel) {
        const auto is_told_of = [&](TensorId stage, int token) {
            return is_told({stage, stage_info(stage).has_heads ? cell.head : 0, token, channel});
        };
        if (std::ranges::any_of(kQueryStages, [&](TensorId stage) { return is_told_of(stage, cell.row); })) return true;
        if (std::ranges::any_of(kKeyStages, [&](TensorId stage) { return is_told_of(stage, cell.column); }))
            return true;
    }
    return is_told({TensorId::scores, cell.head, cell.row, cell.column});
}

bool shows_blank(const PlaygroundState& state) {
    const View& view = state.view;
    const bool has_values = !hidden_values(view).empty();
    if (view.check.empty() && !has_values) return false;
    switch (view_info(view.view).blanks) {
        case ViewBlanks::as_stage:
            return is_asked(state, view.stage);  // single blank values are shown as "?" among the others
        case ViewBlanks::as_tensor:              // learned matrices are what one computes with
            return view.tensor < TensorId::w_query && Blanks(state).touches(view.tensor);
        case ViewBlanks::tells_nothing:
            return false;
        case ViewBlanks::prints_marks:
        case ViewBlanks::gives_away:
            return true;
    }
    return true;
}

std::vector<Question> questions_of(const Evaluation& evaluation, TensorId stage, const Blanks& blanks) {
    ATTN_CHECK(!evaluation.is_empty(), "an empty sentence has no numbers to ask for");
    const Extent extent = extent_of(evaluation.sizes, stage);
    const int num_heads = num_matrices(evaluation.sizes, stage);
    const bool is_one_by_one = blanks.has_values_of(stage) && !blanks.has_stage(stage);
    // Not worth looking at: even a mask that hides all but one key a query leaves too many.
    if (static_cast<std::int64_t>(num_heads) * extent.rows > kMaxQuestions) return {};
    std::vector<Question> questions;
    for (int n = 0; n < num_heads; ++n) {
        const int h = first_reader(evaluation.sizes, stage, n);
        const Matrix numbers = shown_matrix(evaluation, stage, h);
        for (int i = 0; i < extent.rows; ++i) {
            for (int c = 0; c < extent.columns; ++c) {
                if (std::isfinite(numbers(i, c)) && (!is_one_by_one || blanks.has(stage, h, i, c)))
                    questions.push_back({.stage = stage, .head = h, .row = i, .column = c});
                if (static_cast<std::int64_t>(questions.size()) > kMaxQuestions) return {};
            }
        }
    }
    return questions;
}

double answer_tolerance(double number, int decimals) {
    return 0.5 * portable::power_of_ten(-decimals) + answer_slack(number);
}

Judgement judge(double number, std::string_view text) {
    const std::string typed = with_decimal_point(text);
    const std::optional<double> parsed = parse_number(typed);
    if (!parsed) return {};
    const double slack = answer_slack(number);
    const double distance = std::abs(*parsed - number);
    if (distance <= slack) return {.verdict = Verdict::right, .typed = *parsed, .tolerance = slack};
    const Digits digits = digits_of(typed);
    constexpr int kMostDecimals = 3, kMostZeros = 22;  // "1e97" has -97 decimals
    const int decimals = std::clamp(digits.decimals, -kMostZeros, kMostDecimals);
    const double tolerance = answer_tolerance(number, decimals);
    const Verdict within = is_coarse(digits) ? Verdict::unclear : Verdict::right;
    return {.verdict = distance <= tolerance ? within : Verdict::wrong, .typed = *parsed, .tolerance = tolerance};
}

std::string_view judging_rule() {
    return "Two decimals are enough.";
}

void start_check(PlaygroundState& state, Answers& answers, const std::set<TensorId>& stages) {
    state.view.check = stages;
    state.view.score.reset();
    ask_anew(answers);
    answers.inputs = state.inputs;
    answers.sentence = state.view.sentence;
    answers.lesson = state.view.lesson;
    answers.step = state.view.step;
}

void stop_check(PlaygroundState& state, Answers& answers) {
    state.view.check.clear();
    ask_anew(answers);
}

bool keep_answers(Answers& answers, const PlaygroundState& state) {
    const View& view = state.view;
    const bool is_same_step = answers.lesson == view.lesson && (view.lesson.empty() || answers.step == view.step);
    const bool has_same = answers.sentence == view.sentence && decide_same_numbers(answers.inputs, state.inputs);
    if (is_same_step && has_same) {
        if (answers.num_replaced != answers.log.num_replaced()) bring_back(answers);
        return false;
    }
    const bool counts_on = is_same_step && !answers.given.empty();
    answers.earlier = counts_on ? score_of(answers) : view.score.value_or(Score());
    answers.given.clear();
    answers.inputs = state.inputs;
    answers.sentence = view.sentence;
    answers.lesson = view.lesson;
    answers.step = view.step;
    bring_back(answers);
    return !has_same;
}

void answer(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question,
            std::string_view typed) {
    keep_answers(answers, state);
    Answer& given = answers.given[question];
    if (is_solved(answers, question)) return;
    const Judgement judgement = judge(number_at(evaluation, question), typed);
    given.typed = typed;
    if (judgement.verdict == Verdict::unclear) {
        given.remark = parse_number(with_decimal_point(typed)) ? "Too few digits: type two decimals."
                                                               : concat(quoted(typed), " is not a number.");
        if (!given.verdict) given.verdict = Verdict::unclear;  // a wrong answer stays counted
        return;
    }
    given.verdict = judgement.verdict;
    std::string mistake;
    given.remark =
        given.verdict == Verdict::right ? "Right." : remark_on_wrong(evaluation, question, judgement, typed, mistake);
    state.view.score = score_of(answers);
    log_try(answers.log, log_place(answers, question), question_for_sheet(evaluation, question), typed,
            given.verdict == Verdict::right, mistake);
}

void show_answer(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question) {
    keep_answers(answers, state);
    if (is_solved(answers, question)) return;
    Answer& given = answers.given[question];
    given.is_shown = true;
    given.remark = concat("It is ", shown_number(number_at(evaluation, question)), ".");
    state.view.score = score_of(answers);
    log_told(answers.log, log_place(answers, question), question_for_sheet(evaluation, question));
}

void take_hint(PlaygroundState& state, Answers& answers, const Evaluation& evaluation, const Question& question) {
    keep_answers(answers, state);
    Answer& given = answers.given[question];
    if (given.num_hints >= kNumHints) return;
    ++given.num_hints;
    state.view.score = score_of(answers);
    log_hint(answers.log, log_place(answers, question), question_for_sheet(evaluation, question));
}

bool take_new_numbers(PlaygroundState& state) {
    Inputs& inputs = state.inputs;
    if (!state.view.lesson.empty() || !inputs.model.empty()) return false;
    const bool is_drawn = inputs.init != Init::none && inputs.init != Init::identity;
    if (is_drawn) {
        ++inputs.seed;
        return true;
    }
    if (inputs.embed == EmbeddingKind::typed) return false;
    ++inputs.embed_seed;
    return true;
}

std::string score_text(const Score& score) {
    const std::string right = concat(score.right, " of ", score.asked, " right");
    return score.hints == 0 ? right : concat(right, ", ", counted(score.hints, "hint"));
}

std::string with_score(std::string_view verdict, const std::optional<Score>& score) {
    return score ? concat(verdict, " Score: ", score_text(*score), ".") : std::string(verdict);
}

}  // namespace attn
