// Writes tries into the log as they are judged, and reads answers back into a step that asks for them again.
#include "playground/check/answers.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"

namespace attn {
namespace {

bool counts(const Answer& answer) {
    return answer.is_shown || answer.verdict == Verdict::right || answer.verdict == Verdict::wrong;
}

bool is_done(const Answer& answer) {
    return answer.is_shown || answer.verdict == Verdict::right;
}

// The numbers between the brackets of "weights[1,10,4]".
std::vector<int> numbers_in(std::string_view brackets) {
    std::vector<int> numbers;
    while (!brackets.empty()) {
        const std::size_t end = brackets.find_first_of(",]");
        if (end == std::string_view::npos) return {};
        int number = 0;
        const auto [rest, error] = std::from_chars(brackets.data(), brackets.data() + end, number);
        if (error != std::errc{} || rest != brackets.data() + end || number < 0) return {};
        numbers.push_back(number);
        brackets.remove_prefix(end + 1);
    }
    return numbers;
}

// question_in_log, read. Nothing for any other text.
std::optional<Question> logged_question(std::string_view text) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos) return std::nullopt;
    const std::optional<TensorId> stage = stage_of_name(text.substr(0, bracket));
    const std::vector<int> numbers = numbers_in(text.substr(bracket + 1));
    if (!stage) return std::nullopt;
    const bool has_heads = stage_info(*stage).has_heads;
    if (numbers.size() != (has_heads ? 3U : 2U) || (has_heads && numbers[0] < 1)) return std::nullopt;
    return Question{.stage = *stage,
                    .head = has_heads ? numbers[0] - 1 : 0,
                    .row = numbers[numbers.size() - 2],
                    .column = numbers.back()};
}

Answer answer_of(const AnswerRecord& record) {
    Answer answer = {.typed = record.typed,
                     .verdict = std::nullopt,
                     .remark = {},
                     .num_hints = std::min(record.hints, kNumHints),
                     .is_shown = record.is_told && record.right_at == 0};
    if (record.tries > 0) answer.verdict = record.right_at > 0 ? Verdict::right : Verdict::wrong;
    if (record.right_at > 0) answer.remark = "Right.";
    if (answer.is_shown) answer.remark = "It was told.";
    return answer;
}

}  // namespace

std::string question_in_log(const Question& question) {
    const std::string head = stage_info(question.stage).has_heads ? concat(question.head + 1, ",") : std::string();
    return concat(tensor_name(question.stage), "[", head, question.row, ",", question.column, "]");
}

std::string question_for_sheet(const Evaluation& evaluation, const Question& question) {
    const StageInfo& info = stage_info(question.stage);
    const std::string head = info.has_heads ? concat(", head ", question.head + 1) : std::string();
    const std::string column = column_text(evaluation, question.stage, question.column);
    const bool has_tokens = info.rows != Axis::channel;
    const std::string row = concat(has_tokens ? "" : "row ", row_text(evaluation, question.stage, question.row),
                                   has_tokens ? place_if_repeated(evaluation, question.row) : std::string());
    if (info.columns == Axis::key_token)
        return concat(stage_title(question.stage), head, ", ", row, " → ", column,
                      place_if_repeated(evaluation, question.column));
    const std::string_view kind = info.columns == Axis::sink   ? ""
                                  : info.columns == Axis::word ? "word "
                                  : has_tokens                 ? "channel "
                                                               : "column ";
    return concat(stage_title(question.stage), head, ", ", row, ", ", kind, column);
}

AnswerPlace log_place(const Answers& answers, const Question& question) {
    View view;
    view.lesson = answers.lesson;
    view.step = answers.step;
    return answer_place(view, answers.inputs, answers.sentence, question_in_log(question));
}

void log_try(AnswerLog& log, const AnswerPlace& place, std::string_view asked, std::string_view typed, bool is_right,
             std::string_view mistake) {
    const AnswerRecord* before = log.find(place);
    const bool is_again = before != nullptr && before->tries > 0 && before->typed == typed;
    if (is_again || (before != nullptr && before->is_done())) return;
    AnswerRecord& record = log.at(place, asked);
    ++record.tries;
    record.typed = cut_text(typed, AnswerLog::kMaxText);
    if (is_right) record.right_at = record.tries;
    if (!mistake.empty() && record.mistakes.size() < AnswerLog::kMaxMistakes)
        record.mistakes.push_back(cut_text(mistake, AnswerLog::kMaxText));
}

void log_hint(AnswerLog& log, const AnswerPlace& place, std::string_view asked) {
    const AnswerRecord* before = log.find(place);
    if (before == nullptr || !before->is_done()) ++log.at(place, asked).hints;
}

void log_told(AnswerLog& log, const AnswerPlace& place, std::string_view asked) {
    const AnswerRecord* before = log.find(place);
    if (before == nullptr || !before->is_done()) log.at(place, asked).is_told = true;
}

void ask_anew(Answers& answers) {
    AnswerLog log = std::move(answers.log);
    answers = {};
    answers.num_replaced = log.num_replaced();
    answers.log = std::move(log);
}

void bring_back(Answers& answers) {
    const AnswerPlace here = log_place(answers, Question());
    std::map<Question, Answer> given;
    for (const AnswerRecord& record : answers.log.records()) {
        const AnswerPlace& place = record.place;
        if (place.lesson != here.lesson || place.step != here.step || place.numbers != here.numbers) continue;
        if (const std::optional<Question> question = logged_question(place.question))
            given.emplace(*question, answer_of(record));
    }
    Answers added;
    for (auto& [question, answer] : given) {
        const auto own = answers.given.find(question);
        if (own == answers.given.end()) added.given.emplace(question, answer);
        // What is there says more, unless another window has the right answer.
        else if (is_done(own->second) || !is_done(answer))
            answer = own->second;
    }
    answers.given = std::move(given);
    answers.num_replaced = answers.log.num_replaced();
    const Score twice = score_of(added);
    answers.earlier = {.right = std::max(0, answers.earlier.right - twice.right),
                       .asked = std::max(0, answers.earlier.asked - twice.asked),
                       .hints = std::max(0, answers.earlier.hints - twice.hints)};
}

bool is_solved(const Answers& answers, const Question& question) {
    const auto place = answers.given.find(question);
    return place != answers.given.end() && (place->second.is_shown || place->second.verdict == Verdict::right);
}

Score score_of(const Answers& answers) {
    Score score = answers.earlier;
    for (const auto& [question, answer] : answers.given) {
        score.hints += answer.num_hints;
        if (!counts(answer)) continue;
        ++score.asked;
        if (!answer.is_shown && answer.verdict == Verdict::right) ++score.right;
    }
    return score;
}

}  // namespace attn
