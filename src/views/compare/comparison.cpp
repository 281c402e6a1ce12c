// A - B cell by cell, and the words for it.
#include "views/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/other_link.h"
#include "playground/numbers/matrix_table.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

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
    const auto token = [&](int index) { return concat("“", token_text(a, index), "”", place_if_repeated(a, index)); };
    const StageInfo& info = stage_info(stage);
    if (info.rows == Axis::channel) return place_text(a, stage, row, column, ", ");
    if (info.columns == Axis::key_token) return from_to(token(row), token(column));
    return concat(token(row), ", ", kind_of_column(info), column_text(a, stage, column));
}

// 19 of 20 finite numbers other than 0 are at most this large; 0 if there are none.
float usual_size(const Matrix& matrix) {
    std::vector<float> sizes;
    for (const float value : elements(matrix)) {
        if (std::isfinite(value) && value != 0) sizes.push_back(std::abs(value));
    }
    if (sizes.empty()) return 0;
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() * 19 / 20);
    const auto found = place == sizes.end() ? place - 1 : place;
    std::nth_element(sizes.begin(), found, sizes.end());
    return *found;
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
    comparison.usual = usual_size(comparison.difference);
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

bool Comparison::is_rounding() const {
    // The same dozens of products added in another order differ by a few units in the last of 24 bits.
    return largest <= 16 * std::numeric_limits<float>::epsilon() * largest_number;
}

float Comparison::end_of_colors() const {
    constexpr float kFarLarger = 4;
    if (is_rounding()) return largest_number;
    return usual > 0 && largest > kFarLarger * usual ? 2 * usual : largest;
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
    return words +
           (comparison.is_rounding() ? std::string(": float rounding") : concat(", at ", comparison.largest_at));
}

std::vector<TextTable> tables_of_compare(const PlaygroundState& state, const Evaluator& evaluator) {
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
