// Reads the braces in the texts of steps and puts numbers in their places.
#include "playground/lessons/step_words.h"

#include <cmath>
#include <optional>

#include "core/attention/stages.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/check/check_me.h"
#include "playground/link/blanks.h"
#include "playground/link/link_text.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::string_view kNoNumber = "…", kLeftBlank = "?";

// What braces name: head, row and column from 0.
struct BracedNumber {
    TensorId stage;
    int head = 0, row = 0;
    std::optional<int> column;  // none: the whole row
    bool has_brackets = false;  // where it is negative
};

// A whole number of a place; nothing for all else, and for one that no state can have.
std::optional<int> read_place(std::string_view digits) {
    constexpr double kMost = 1e6;
    const std::optional<double> value = parse_number(digits);
    if (!value || !(*value >= 0 && *value <= kMost) || *value != std::floor(*value)) return std::nullopt;
    return static_cast<int>(*value);
}

// Nothing where the braces, which a teacher may have written, name no number.
std::optional<BracedNumber> read_number(std::string_view name) {
    const bool has_brackets = name.starts_with('(') && name.ends_with(')');
    if (has_brackets) name = name.substr(1, name.size() - 2);
    const std::optional<TensorId> stage = stage_of_name(take_until(name, ' '));
    const std::optional<int> head = read_place(take_until(name, ',')), row = read_place(take_until(name, ','));
    if (!stage || !head || *head < 1 || !row) return std::nullopt;
    BracedNumber number = {.stage = *stage, .head = *head - 1, .row = *row, .column = {}, .has_brackets = has_brackets};
    if (name == "*") return number;
    number.column = read_place(name);
    return number.column ? std::optional(number) : std::nullopt;
}

class NumberWriter {
public:
    NumberWriter(const PlaygroundState& state, const Evaluation& evaluation)
        : evaluation_(evaluation), blanks_(state) {}

    std::string text_of(std::string_view name) const {
        if (parse_number(name)) return std::string(name);
        const std::optional<BracedNumber> found = read_number(name);
        if (!found || !is_there(*found)) return std::string(kNoNumber);
        const BracedNumber& number = *found;
        const Vector row = stage_row(*evaluation_.problem, evaluation_.trace, number.stage, number.head, number.row);
        const int size = static_cast<int>(row.size());
        if (number.column) return *number.column < size ? text_at(number, row, *number.column) : std::string(kNoNumber);
        std::string text;
        for (int column = 0; column < size; ++column)
            text += concat(column > 0 ? " " : "", text_at(number, row, column));
        return text;
    }

private:
    bool is_there(const BracedNumber& number) const {
        if (evaluation_.is_empty() || !has_stage(*evaluation_.problem, number.stage)) return false;
        const int num_heads = stage_info(number.stage).has_heads ? evaluation_.sizes.num_heads : 1;
        if (number.head >= num_heads || number.row >= evaluation_.num_tokens()) return false;
        return is_ready(evaluation_.trace, number.stage, number.head);
    }

    std::string text_at(const BracedNumber& number, const Vector& row, int column) const {
        if (blanks_.has(number.stage, number.head, number.row, column)) return std::string(kLeftBlank);
        const double value = static_cast<double>(row(static_cast<std::size_t>(column)));
        return number.has_brackets ? after_minus(value) : shown_number(value);
    }

    const Evaluation& evaluation_;
    const Blanks blanks_;
};

// Calls plain(text) and named(name) for what is outside and inside of braces, in order. A brace without an end is
// plain.
template <class Plain, class Named>
void read_braces(std::string_view text, Plain plain, Named named) {
    while (!text.empty()) {
        const std::size_t begin = text.find('{');
        const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
        if (end == std::string_view::npos) return plain(text);
        plain(text.substr(0, begin));
        named(text.substr(begin + 1, end - begin - 1));
        text = text.substr(end + 1);
    }
}

std::string filled(std::string_view text, const NumberWriter& writer) {
    std::string all;
    read_braces(
        text, [&](std::string_view plain) { all += plain; },
        [&](std::string_view name) { all += writer.text_of(name); });
    return all;
}

bool is_digit_at(std::string_view text, std::size_t place) {
    return place < text.size() && text[place] >= '0' && text[place] <= '9';
}

bool has_decimals(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '.' && is_digit_at(text, i - 1) && is_digit_at(text, i + 1)) return true;
    }
    return false;
}

bool has_other_seeds(const Inputs& inputs, const Inputs& others) {
    return inputs.seed != others.seed || inputs.embed_seed != others.embed_seed ||
           inputs.dropout_seed != others.dropout_seed;
}

}  // namespace

StepWords step_words(const PlaygroundState& state, const Evaluation& evaluation) {
    const LessonStep* step = step_of(state.view);
    if (step == nullptr) return {};
    const NumberWriter writer(state, evaluation);
    const bool has_others = has_other_seeds(state.inputs, step->state.inputs);
    StepWords words = {.goal = {}, .answer = {}, .text = filled(step->text, writer), .keep = step->keep};
    if (state.view.step == 0) words.goal = lesson_of(state.view)->about;
    if (has_others && !holds_for_any_seed(step->text)) words.text += " (These are the numbers of the step’s own seed.)";
    if (!step->answer_before.empty() && (!has_others || holds_for_any_seed(step->answer_before)))
        words.answer = concat("Answer to step ", state.view.step, ": ", filled(step->answer_before, writer));
    return words;
}

std::string joined(const StepWords& words) {
    std::string all =
        concat(words.goal, words.goal.empty() ? "" : " ", words.answer, words.answer.empty() ? "" : " ", words.text);
    for (std::size_t i = 0; i < words.keep.size(); ++i)
        all += concat(i == 0 ? concat(" ", kKeepTitle, ":") : "", " ", words.keep[i]);
    return all;
}

std::vector<std::string_view> named_in_braces(std::string_view text) {
    std::vector<std::string_view> names;
    read_braces(text, [](auto) {}, [&](std::string_view name) { names.push_back(name); });
    return names;
}

std::string why_no_number(std::string_view name, const Evaluation& evaluation) {
    if (parse_number(name)) return {};
    const std::optional<BracedNumber> number = read_number(name);
    if (!number)
        return concat("{", one_line(name),
                      "} names no number: write a stage, head, row and column, as in {weights 1,2,1}");
    const bool is_there = has_cell(evaluation, number->stage,
                                   {.head = number->head, .row = number->row, .column = number->column.value_or(0)});
    return is_there ? "" : concat("{", one_line(name), "} is no number of this step’s state");
}

bool holds_for_any_seed(std::string_view text) {
    bool holds = true;
    read_braces(text, [&](std::string_view plain) { holds = holds && !has_decimals(plain); }, [](auto) {});
    return holds;
}

bool take_new_numbers_of_step(PlaygroundState& state) {
    const LessonStep* step = step_of(state.view);
    if (step != nullptr && !holds_for_any_seed(step->text)) return false;
    PlaygroundState outside = state;
    leave_lesson(outside.view);
    if (!take_new_numbers(outside)) return false;
    state.inputs = std::move(outside.inputs);
    return true;
}

std::string_view why_no_new_numbers(const PlaygroundState& state) {
    const LessonStep* step = step_of(state.view);
    if (step == nullptr || holds_for_any_seed(step->text)) return {};
    PlaygroundState outside = state;
    leave_lesson(outside.view);
    return take_new_numbers(outside) ? "the text of this step names its own numbers" : "";
}

}  // namespace attn
