// Reads claims and computes what they name.
#include "playground/lessons/claims.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"
#include "playground/models/model_numbers.h"
#include "playground/text/format.h"

namespace attn {

struct StepNumbers::Laid {
    PlaygroundState state;
    std::optional<Evaluation> evaluation;
    std::optional<std::vector<float>> logits;  // of the model's words, after the last token
    std::shared_ptr<const ModelTokenizer> tokenizer;
};

namespace {

// Two sums are equal up to rounding: floats of the same numbers, added in another order.
constexpr double kRounding = 1e-4;

bool are_equal(double a, double b) {
    return a == b || std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

constexpr std::array<std::string_view, 4> kComparisons = {" != ", " < ", " > ", " = "};
constexpr std::array<std::string_view, 4> kSigns = {" + ", " - ", " * ", " / "};

// Where the first of `signs` stands, and which one it is.
std::optional<std::pair<std::size_t, std::string_view>> first_sign(std::string_view text,
                                                                   std::span<const std::string_view> signs) {
    std::optional<std::pair<std::size_t, std::string_view>> first;
    for (const std::string_view sign : signs) {
        const std::size_t at = text.find(sign);
        if (at != std::string_view::npos && (!first || at < first->first)) first = {at, sign};
    }
    return first;
}

// "1,10,4". A "*", anything else that is no number, and what no place can be is -1.
std::vector<int> whole_numbers(std::string_view text) {
    constexpr double kMost = 1e6;
    std::vector<int> numbers;
    while (!text.empty()) {
        const double value = parse_number(take_until(text, ',')).value_or(-1);
        numbers.push_back(value >= 0 && value <= kMost ? static_cast<int>(value) : -1);
    }
    return numbers;
}

std::optional<double> stage_number(const Evaluation& evaluation, TensorId stage, int head, int row, int column) {
    if (!has_cell(evaluation, stage, {.head = head, .row = row, .column = column})) return std::nullopt;
    return static_cast<double>(stage_row(*evaluation.problem, evaluation.trace, stage, head, row)(column));
}

double sum_of_row(const Evaluation& evaluation, TensorId stage, int head, int row) {
    double sum = 0;
    for (const float number : stage_row(*evaluation.problem, evaluation.trace, stage, head, row))
        sum += static_cast<double>(number);
    return sum;
}

double peak_of(const Evaluation& evaluation, TensorId stage) {
    const int num_heads = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
    double peak = -std::numeric_limits<double>::infinity();
    for (int head = 0; head < num_heads; ++head) {
        for (int row = 0; row < evaluation.num_tokens(); ++row) {
            if (!has_cell(evaluation, stage, {.head = head, .row = row, .column = 0})) continue;
            for (const float number : stage_row(*evaluation.problem, evaluation.trace, stage, head, row))
                peak = std::max(peak, static_cast<double>(number));
        }
    }
    return peak;
}

std::optional<double> number_of_stage(const Evaluation& evaluation, std::string_view how, TensorId stage,
                                      const std::vector<int>& at) {
    if (!has_stage(*evaluation.problem, stage)) return std::nullopt;
    if (how == "peak") return peak_of(evaluation, stage);
    if ((how == "sum" || how == "length") && at.size() == 2) {
        if (!has_cell(evaluation, stage, {.head = at[0] - 1, .row = at[1], .column = 0})) return std::nullopt;
        if (how == "sum") return sum_of_row(evaluation, stage, at[0] - 1, at[1]);
        return length_of_row(stage_row(*evaluation.problem, evaluation.trace, stage, at[0] - 1, at[1]));
    }
    if (how == "mean" && at.size() == 2) {
        double sum = 0;
        for (int head = 0; head < evaluation.sizes.num_heads; ++head)
            sum += stage_number(evaluation, stage, head, at[0], at[1]).value_or(0);
        return sum / evaluation.sizes.num_heads;
    }
    if (how.empty() && at.size() == 3) return stage_number(evaluation, stage, at[0] - 1, at[1], at[2]);
    return std::nullopt;
}

int num_pairs(const Tokens& tokens, std::string_view first, std::string_view second) {
    int count = 0;
    for (std::size_t i = 1; i < tokens.tokens.size(); ++i)
        count += tokens.tokens[i - 1].text == first && tokens.tokens[i].text == second ? 1 : 0;
    return count;
}

int num_seen_targets(const PlaygroundState& state, const AttentionProblem& problem) {
    return static_cast<int>(std::ranges::count_if(state.inputs.targets, [&](const TargetCell& target) {
        return target.head == 0 && !problem.hidden(target.query, target.key);
    }));
}

std::optional<double> count_of(const PlaygroundState& state, const Evaluation& evaluation, std::string_view name,
                               std::string_view rest) {
    const Sizes& sizes = evaluation.sizes;
    const Projections& projections = evaluation.problem->projections;
    const double num_tokens = evaluation.num_tokens();
    if (name == "tokens") return num_tokens;
    if (name == "sentences") return static_cast<double>(state.inputs.texts.size());
    if (name == "heads") return sizes.num_heads;
    if (name == "head_dim") return sizes.head_dim();
    if (name == "d_in") return sizes.d_in;
    if (name == "cells") return sizes.num_heads * num_tokens * num_tokens;
    if (name == "learned")
        return static_cast<double>(projections.w_query.size() + projections.w_key.size() + projections.w_value.size());
    if (name == "targets") return num_seen_targets(state, *evaluation.problem);
    if (name == "loss" && evaluation.run) return evaluation.run->loss();
    if (name == "left" && evaluation.run) return evaluation.run->loss() - evaluation.run->lowest_loss();
    if (name == "pair") {
        const std::string_view first = take_until(rest, ',');
        return num_pairs(evaluation.tokens, first, rest);
    }
    const std::vector<int> at = whole_numbers(rest);
    const auto is_token = [&](int place) { return place >= 0 && place < evaluation.num_tokens(); };
    if (name == "hidden" && at.size() == 2 && is_token(at[0]) && is_token(at[1]))
        return evaluation.problem->hidden(at[0], at[1]) ? 1 : 0;
    return std::nullopt;
}

// Whether the model that the inputs name is open, with all its numbers in memory.
bool has_its_model(const PlaygroundState& state) {
    if (state.inputs.model.empty()) return true;
    const std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    return text && (text->model->store == nullptr || text->model->store->reads_at_once());
}

// After the last token: of the stream after all layers, or after `lens` of them.
std::vector<float> last_logits(const ModelText& text, std::optional<int> lens) {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    const int last = text.input.num_tokens() - 1;
    if (!lens) {
        RowLogits end(text.run, last);
        while (!end.advance(kAll)) continue;
        return {end.logits().begin(), end.logits().end()};
    }
    while (!text.run->advance_to(*lens, kAll)) continue;
    LogitsWork work(*text.model, text.run->lens_row(*lens, last));
    while (!work.advance(kAll)) continue;
    const std::span<const float> logits = row_of(work.logits(), 0);
    return {logits.begin(), logits.end()};
}

std::optional<std::size_t> token_written(const ModelTokenizer& tokenizer, std::string_view word, std::size_t size) {
    for (std::size_t id = 0; id < size; ++id) {
        if (trimmed(tokenizer.written_text_of(static_cast<int>(id))) == word) return id;
    }
    return std::nullopt;
}

// The seeds that the visitor changed.
void take_seeds(Inputs& inputs, const Inputs& visitors, const Inputs& own) {
    if (visitors.seed != own.seed) inputs.seed = visitors.seed;
    if (visitors.embed_seed != own.embed_seed) inputs.embed_seed = visitors.embed_seed;
    if (visitors.dropout_seed != own.dropout_seed) inputs.dropout_seed = visitors.dropout_seed;
}

// Whole numbers without decimals.
std::string number_in_words(double value) {
    const bool is_whole = value == std::floor(value) && std::abs(value) < 1e6;
    return shown_number(value, is_whole ? 0 : 4);
}

}  // namespace

StepNumbers::StepNumbers(const View& view, const Inputs& inputs)
    : lesson_(view.lesson), step_(view.step), inputs_(inputs) {}

StepNumbers::Laid& StepNumbers::laid(std::string_view keys) {
    const auto found = laid_.find(keys);
    if (found != laid_.end()) return *found->second;
    const std::string step = keys.starts_with("step=") ? std::string() : concat("&step=", step_ + 1);
    auto laid = std::make_shared<Laid>();
    laid->state = read_link(concat("lesson=", encode_form(lesson_), step, keys.empty() ? "" : "&", keys)).state;
    View here;
    here.lesson = lesson_;
    here.step = step_;
    take_seeds(laid->state.inputs, inputs_, step_state(here)->inputs);
    return *laid_.emplace(keys, std::move(laid)).first->second;
}

const Evaluation* StepNumbers::evaluation(std::string_view keys) {
    Laid& one = laid(keys);
    if (!has_its_model(one.state)) return nullptr;
    if (!one.evaluation) one.evaluation = evaluate(one.state.inputs, one.state.view.sentence);
    return one.evaluation->is_empty() || !one.evaluation->is_complete() ? nullptr : &*one.evaluation;
}

std::optional<double> StepNumbers::named(std::string_view name, std::string_view rest, std::string_view keys) {
    if (name == "next" || name == "logit") {
        Laid& one = laid(keys);
        if (!has_its_model(one.state)) return std::nullopt;
        if (!one.logits) {
            const std::optional<ModelText> text = model_text(one.state.inputs, one.state.view.sentence);
            if (!text) return std::nullopt;
            one.logits = last_logits(*text, one.state.view.lens);
            one.tokenizer = text->tokenizer;
        }
        const std::optional<std::size_t> token = token_written(*one.tokenizer, rest, one.logits->size());
        if (!token) return std::nullopt;
        const std::vector<float>& numbers = name == "next" ? probabilities_of(*one.logits) : *one.logits;
        return static_cast<double>(numbers[*token]);
    }
    const Evaluation* numbers = evaluation(keys);
    if (numbers == nullptr) return std::nullopt;
    const bool is_of_row = name == "sum" || name == "length" || name == "mean" || name == "peak";
    const std::string_view stage_word = is_of_row ? take_until(rest, ' ') : name;
    if (const std::optional<TensorId> stage = stage_of_name(stage_word))
        return number_of_stage(*numbers, is_of_row ? name : "", *stage, whole_numbers(rest));
    return count_of(laid(keys).state, *numbers, name, rest);
}

std::optional<double> StepNumbers::term(std::string_view text) {
    if (const std::optional<double> value = parse_number(text)) return value;
    std::string_view rest = take_until(text, '@');
    const std::string_view name = take_until(rest, ' ');
    return named(name, rest, text);
}

std::optional<double> StepNumbers::number(std::string_view sum) {
    std::optional<double> value;
    std::string_view before = kSigns[0];
    while (true) {
        const auto sign = first_sign(sum, kSigns);
        const std::optional<double> next = term(sum.substr(0, sign ? sign->first : sum.size()));
        if (!next) return std::nullopt;
        value = !value            ? *next
                : before == " + " ? *value + *next
                : before == " - " ? *value - *next
                : before == " * " ? *value * *next
                                  : *value / *next;
        if (!sign) return value;
        before = sign->second;
        sum.remove_prefix(sign->first + sign->second.size());
    }
}

bool StepNumbers::is_comparison(std::string_view claim) {
    return first_sign(claim, kComparisons).has_value();
}

std::optional<bool> StepNumbers::holds(std::string_view claim) {
    constexpr std::string_view kAnd = " & ";
    const std::size_t and_at = claim.find(kAnd);
    const std::string_view first = claim.substr(0, and_at);
    const auto sign = first_sign(first, kComparisons);
    ATTN_CHECK(sign, "a claim compares nothing: ", claim);
    const std::optional<double> a = number(first.substr(0, sign->first));
    const std::optional<double> b = number(first.substr(sign->first + sign->second.size()));
    if (!a || !b) return std::nullopt;
    const bool is_equal = are_equal(*a, *b);
    const bool is_so = sign->second == " = "    ? is_equal
                       : sign->second == " != " ? !is_equal
                       : sign->second == " < "  ? *a < *b && !is_equal
                                                : *a > *b && !is_equal;
    if (and_at == std::string_view::npos) return is_so;
    const std::optional<bool> others = holds(claim.substr(and_at + kAnd.size()));
    return others ? std::optional(is_so && *others) : std::nullopt;
}

std::string StepNumbers::filled(std::string_view text) {
    std::string all;
    while (true) {
        all += take_until(text, '{');
        if (text.empty()) return all;
        const std::optional<double> value = number(take_until(text, '}'));
        all += value ? number_in_words(*value) : "…";
    }
}

}  // namespace attn
