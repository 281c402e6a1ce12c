// See the header.
#include "playground/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "playground/format.h"
#include "playground/lesson_links.h"
#include "playground/link_text.h"
#include "playground/matrix_table.h"
#include "playground/state_url.h"

namespace attn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The keys that B has; the others say how a state is looked at.
bool is_key_of_other(const KeyInfo& info) {
    return info.decides_numbers || info.key == "v" || info.key == "sentence" || info.key == "head";
}

// The link without the keys that B has not. They are taken out before the link is read: a B inside B inside B would
// else be read, too. A lesson's step decides numbers, until they are written out.
std::string only_keys_of_other(std::string_view link) {
    std::string kept;
    std::string_view query = query_of(link);
    while (!query.empty()) {
        const std::string_view pair = take_until(query, '&');
        std::string_view rest = pair;
        const std::string key = decode_form(take_until(rest, '='));
        const std::span<const KeyInfo> table = key_table();
        const auto row = std::find_if(table.begin(), table.end(), [&](const KeyInfo& info) { return info.key == key; });
        const bool is_step = key == "lesson" || key == "step";
        if (row != table.end() && !is_step && !is_key_of_other(*row)) continue;
        kept += concat(kept.empty() ? "" : "&", pair);
    }
    return kept;
}

std::string changed(const PlaygroundState& state, void (*change)(PlaygroundState&)) {
    PlaygroundState other = state;
    change(other);
    clamp_to_legal(other);
    return link_as_other(other);
}

// The edits that a lesson's step brings along; the visitor typed the others.
std::vector<Edit> given_edits(const View& view) {
    const PlaygroundState* step = step_state(view);
    return step == nullptr ? std::vector<Edit>() : step->inputs.edits;
}

std::string value_in_words(const KeyInfo& info, const std::vector<std::string>& values) {
    if (values.empty()) return "none";
    if (info.kind == KeyKind::flag) return values.front() == "1" ? "on" : "off";
    return info.kind == KeyKind::text ? quoted(values.front()) : values.front();
}

std::string difference_in_words(const KeyInfo& info, const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
    if (a.size() != b.size() && info.repeats) return concat(info.label, ": ", b.size(), " instead of ", a.size());
    if (info.kind == KeyKind::list || a.size() > 1) return concat("other ", info.label);
    return concat(info.label, " ", value_in_words(info, b), " instead of ", value_in_words(info, a));
}

std::vector<std::string> token_texts(const Evaluation& evaluation) {
    std::vector<std::string> texts;
    for (const Token& token : evaluation.tokens.tokens) texts.push_back(token.text);
    return texts;
}

std::string shape_in_words(const Matrix& matrix) {
    return concat("(", matrix.shape(0), ", ", matrix.shape(1), ")");
}

// Hidden in both: hidden. Hidden in one: a weight is 0 there, a score has no number to subtract.
float difference_of(float a, float b, bool hides_weights) {
    if (a == -kInfinity && b == -kInfinity) return -kInfinity;
    if (!hides_weights) return a == -kInfinity || b == -kInfinity ? std::numeric_limits<float>::quiet_NaN() : a - b;
    return (a == -kInfinity ? 0.0F : a) - (b == -kInfinity ? 0.0F : b);
}

// A cell of A - B in words.
std::string place_in_words(const Comparison& comparison, const Evaluation& a, TensorId stage, int row, int column) {
    if (!comparison.has_same_tokens) return concat("row ", row, ", column ", column);
    const Label token = token_labels(a);
    if (stage_info(stage).columns == Axis::channel) return concat("“", token(row), "”, channel ", column);
    return concat("“", token(row), "” → “", token(column), "”");
}

void subtract(Comparison& comparison, const Evaluation& a, TensorId stage) {
    const bool hides_weights = stage == TensorId::weights || stage == TensorId::dropped_weights;
    comparison.difference = zeros<Matrix>(comparison.a.shape(0), comparison.a.shape(1));
    int row = 0;
    int column = 0;
    for (int i = 0; i < length(comparison.a, 0); ++i) {
        for (int j = 0; j < length(comparison.a, 1); ++j) {
            const float difference = difference_of(comparison.a(i, j), comparison.b(i, j), hides_weights);
            comparison.difference(i, j) = difference;
            if (difference == -kInfinity) continue;
            if (!std::isfinite(difference)) ++comparison.num_not_numbers;
            if (std::isfinite(difference) && std::abs(difference) > comparison.largest) {
                comparison.largest = std::abs(difference);
                row = i;
                column = j;
            }
        }
    }
    comparison.largest_at = place_in_words(comparison, a, stage, row, column);
}

// The largest finite absolute value.
float largest_of(const Matrix& matrix) {
    float largest = 0;
    for (const float value : elements(matrix)) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

}  // namespace

std::string legal_compare(std::string_view link, Notes& notes) {
    if (link.empty()) return {};
    const std::string too_long = concat("B left out: its link is longer than ", kMaxCompareBytes >> 20U, " MiB");
    if (link.size() > kMaxCompareBytes) {
        notes.push_back(too_long);
        return {};
    }
    const ReadLink read = read_link(only_keys_of_other(link));
    for (const std::string& note : read.notes) notes.push_back(concat("B: ", note));
    std::string legal = link_as_other(read.state);
    if (legal.size() <= kMaxCompareBytes) return legal;
    notes.push_back(too_long);
    return {};
}

std::string link_as_other(const PlaygroundState& state) {
    PlaygroundState other;
    other.inputs = state.inputs;
    other.view.sentence = state.view.sentence;
    other.view.head = state.view.head;
    return write_link(other);
}

void swap_with_other(PlaygroundState& state) {
    ATTN_CHECK(!state.view.compare.empty(), "there is no B to swap with");
    const PlaygroundState other = read_link(state.view.compare).state;
    state.view.compare = link_as_other(state);
    state.inputs = other.inputs;
    state.view.sentence = other.view.sentence;
    state.view.head = other.view.head;
}

std::vector<QuickOther> quick_others(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    std::vector<QuickOther> others;
    PlaygroundState unedited = state;
    unedited.inputs.edits = given_edits(state.view);
    if (unedited.inputs.edits != inputs.edits) {
        others.push_back({"typed", "without what I typed", link_as_other(unedited)});
    }
    if (inputs.init != Init::identity && inputs.init != Init::none) {
        others.push_back({"seed", concat("seed ", inputs.seed + 1),
                          changed(state, [](PlaygroundState& other) { ++other.inputs.seed; })});
    }
    if (inputs.texts.size() > 1) {
        const auto next = [](PlaygroundState& other) {
            other.view.sentence = (other.view.sentence + 1) % static_cast<int>(other.inputs.texts.size());
        };
        const int number = (state.view.sentence + 1) % static_cast<int>(inputs.texts.size()) + 1;
        others.push_back({"sentence", concat("sentence ", number), changed(state, next)});
    }
    if (inputs.num_heads > 1) {
        others.push_back({"heads", "one head", changed(state, [](PlaygroundState& other) {
                              other.inputs.num_heads = 1;
                              other.view.head.reset();
                          })});
    } else if (inputs.d_out % 2 == 0) {
        others.push_back(
            {"heads", "two heads", changed(state, [](PlaygroundState& other) { other.inputs.num_heads = 2; })});
    }
    if (inputs.mask_at == MaskAt::before) {
        others.push_back({"mask_at", "mask after the softmax",
                          changed(state, [](PlaygroundState& other) { other.inputs.mask_at = MaskAt::after; })});
    } else {
        others.push_back({"mask_at", "mask before the softmax",
                          changed(state, [](PlaygroundState& other) { other.inputs.mask_at = MaskAt::before; })});
    }
    return others;
}

std::vector<std::string> differences_in_words(const PlaygroundState& a, const PlaygroundState& b) {
    std::vector<std::string> differences;
    for (const KeyInfo& info : key_table()) {
        if (!is_key_of_other(info)) continue;
        const std::vector<std::string> values_a = info.write(a);
        const std::vector<std::string> values_b = info.write(b);
        if (values_a == values_b) continue;
        if (info.key != "head") {
            differences.push_back(difference_in_words(info, values_a, values_b));
        } else if (compared_head(a) != compared_head(b)) {
            differences.push_back(concat("head ", compared_head(b) + 1, " instead of ", compared_head(a) + 1));
        }
    }
    return differences;
}

int compared_head(const PlaygroundState& state) {
    return state.view.head.value_or(0);
}

Comparison compare(const Evaluation& a, const Evaluation& b, TensorId stage, int head_a, int head_b) {
    Comparison comparison;
    const bool has_heads = stage_info(stage).has_heads;
    comparison.a = shown_matrix(a, stage, has_heads ? head_a : 0);
    comparison.largest_number = largest_of(comparison.a);
    if (b.is_empty()) {
        comparison.reason = "The sentence of B is empty: it has no numbers.";
        return comparison;
    }
    if (!has_stage(*b.problem, stage)) {
        comparison.reason = concat("B has no ", tensor_name(stage), ": its settings leave this step out.");
        return comparison;
    }
    comparison.b = shown_matrix(b, stage, has_heads ? head_b : 0);
    comparison.largest_number = std::max(comparison.largest_number, largest_of(comparison.b));
    comparison.has_same_tokens = token_texts(a) == token_texts(b);
    if (comparison.a.shape() == comparison.b.shape()) {
        subtract(comparison, a, stage);
    } else {
        comparison.reason = concat("A is ", shape_in_words(comparison.a), " and B is ", shape_in_words(comparison.b),
                                   ": only matrices of one shape can be subtracted.");
    }
    return comparison;
}

std::string comparison_in_words(const Comparison& comparison) {
    if (!comparison.reason.empty()) return comparison.reason;
    std::string words;
    if (comparison.num_not_numbers > 0) {
        words = concat(counted(comparison.num_not_numbers, "cell"), " hidden in one of the two, or not finite; ");
    }
    if (comparison.largest == 0) {
        return words.empty() ? "equal: every difference is 0" : words + "every other difference is 0";
    }
    words += concat("largest difference ", shown_number(static_cast<double>(comparison.largest)));
    // Sums of some dozen products that are added in another order differ by a few units in the last of 24 bits.
    const float rounding = 16 * std::numeric_limits<float>::epsilon() * comparison.largest_number;
    return words +
           (comparison.largest <= rounding ? std::string(": float rounding") : concat(", at ", comparison.largest_at));
}

std::vector<TextTable> comparison_tables(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& a = evaluator.shown();
    const Evaluation* b = evaluator.other();
    const TensorId stage = state.view.stage;
    if (b == nullptr || !has_stage(*a.problem, stage)) return {};
    const PlaygroundState& other = *evaluator.other_state();
    const Comparison comparison = compare(a, *b, stage, compared_head(state), compared_head(other));
    std::string differences;
    for (const std::string& words : differences_in_words(state, other)) {
        differences += concat(differences.empty() ? ": " : "; ", words);
    }
    std::vector<TextTable> tables;
    tables.push_back(stage_table_of_text(concat("A, ", tensor_name(stage)), comparison.a, a, stage));
    if (comparison.b.size() > 0) {
        tables.push_back(stage_table_of_text(concat("B, ", tensor_name(stage), differences), comparison.b, *b, stage));
    }
    const std::string title = concat("A − B: ", comparison_in_words(comparison));
    if (comparison.difference.size() > 0) {
        tables.push_back(stage_table_of_text(title, comparison.difference, a, stage));
    } else {
        tables.push_back({.title = title, .columns = {}, .rows = {}});
    }
    return tables;
}

}  // namespace attn
