// Reads the losses of a run, and names the bound of what is painted.
#include "views/learn/loss_curve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_text.h"

namespace attn {
namespace {

// The words that are targets of a row.
std::vector<int> target_keys(const TargetRow& row) {
    std::vector<int> keys;
    for (int j = 0; j < length(row.shares, 0); ++j) {
        if (row.shares(j) > 0) keys.push_back(j);
    }
    return keys;
}

bool has_equal_shares(const TargetRow& row, const std::vector<int>& keys) {
    return std::ranges::all_of(keys, [&](int j) { return row.shares(j) == row.shares(keys.front()); });
}

// The bound as a sum over rows of ln(words of the row): the product of these numbers. Nothing where a row has unequal
// shares, or the product has too many digits to say anything.
std::optional<std::int64_t> product_of_words(const std::vector<AttentionProblem>& sentences) {
    constexpr std::int64_t kMost = 1000;
    std::int64_t product = 1;
    for (const AttentionProblem& sentence : sentences) {
        for (const TargetRow& row : sentence.goal.rows) {
            const std::vector<int> keys = target_keys(row);
            if (!has_equal_shares(row, keys)) return std::nullopt;
            product *= static_cast<std::int64_t>(keys.size());
            if (product > kMost) return std::nullopt;
        }
    }
    return product;
}

std::string joined_with_and(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k) {
        text += concat(k == 0 ? "" : k + 1 == words.size() ? " and " : ", ", words[k]);
    }
    return text;
}

// Which row of the shown sentence asks one head for several words, where it is the only painted row of all.
std::optional<TargetRow> only_row(const std::vector<AttentionProblem>& sentences, const Evaluation& evaluation) {
    std::optional<TargetRow> only;
    for (const AttentionProblem& sentence : sentences) {
        for (const TargetRow& row : sentence.goal.rows) {
            if (only) return std::nullopt;
            only = row;
        }
    }
    const bool is_shown = only && length(only->shares, 0) == evaluation.num_tokens();
    return is_shown ? only : std::nullopt;
}

}  // namespace

LossCurve loss_curve(const Inputs& inputs, const Evaluation& evaluation) {
    ATTN_CHECK(evaluation.run != nullptr, "no loss without a goal");
    const std::vector<double>& losses = evaluation.run->losses();
    return {.losses = losses,
            .step = std::min(inputs.steps, static_cast<int>(losses.size()) - 1),
            .bound = evaluation.run->lowest_loss()};
}

std::string bound_in_numbers(const Evaluation& evaluation) {
    const std::vector<AttentionProblem>& sentences = evaluation.run->training().sentences();
    const std::string number = shown_number(evaluation.run->lowest_loss());
    const std::optional<std::int64_t> product = product_of_words(sentences);
    if (!product || *product == 1) return number;
    const int terms = sentences.front().goal.num_terms;
    return concat(number, " = ln ", *product, terms == 1 ? "" : concat(" / ", terms));
}

std::string bound_in_words(const Evaluation& evaluation) {
    const std::vector<AttentionProblem>& sentences = evaluation.run->training().sentences();
    int num_rows = 0;
    int num_divided = 0;
    for (const AttentionProblem& sentence : sentences) {
        const Goal& goal = sentence.goal;
        num_rows += static_cast<int>(goal.rows.size());
        num_divided += static_cast<int>(
            std::ranges::count_if(goal.rows, [](const TargetRow& row) { return target_keys(row).size() > 1; }));
    }
    if (num_rows == 0) return {};
    if (num_divided == 0)
        return "Each row with a target asks for one word: the loss can come as near to 0 as you like.";
    const std::string bound = bound_in_numbers(evaluation);
    if (const std::optional<TargetRow> row = only_row(sentences, evaluation)) {
        std::vector<std::string> words;
        for (const int j : target_keys(*row)) {
            words.push_back(isolated(token_text(evaluation, j) + place_if_repeated(evaluation, j)));
        }
        return concat("The loss cannot go below ", bound, ": “", isolated(token_text(evaluation, row->query)),
                      "” is to look at ", joined_with_and(words), " at once.");
    }
    return concat("The loss cannot go below ", bound, ": of ", num_rows, " rows with targets ", num_divided,
                  num_divided == 1 ? " asks" : " ask", " a head to look at several words at once.");
}

std::string loss_in_words(const LossCurve& curve) {
    const std::string step = curve.step == 0 ? "Before the first step" : concat("Step ", curve.step);
    constexpr double kInvisible = 0.00005;  // in four decimals
    const double left = curve.shown() - curve.bound;
    std::string above;
    if (curve.bound > 0 && std::isfinite(left))
        above = left < kInvisible ? ", the bound" : concat(", ", shown_number(left), " above the bound");
    return concat(step, ": the loss is ", shown_number(curve.shown()), above, ".");
}

std::string standstill_in_words(const LossCurve& curve) {
    constexpr int kFewest = 10;          // steps to be looked at
    constexpr double kHardly = 0.02;     // of what is left above the bound
    constexpr double kNothing = 0.0005;  // above the bound, that four decimals hardly show
    const int window = std::max(kFewest, curve.step / 5);
    if (curve.step < 2 * window) return {};
    const std::span<const double> last =
        curve.losses.subspan(static_cast<std::size_t>(curve.step - window), static_cast<std::size_t>(window) + 1);
    const auto [low, high] = std::ranges::minmax(last);
    const double left = curve.shown() - curve.bound;
    if (!std::isfinite(high) || left < kNothing || high - low > kHardly * left) return {};
    return concat("In the last ", window, " steps the loss moved by ", shown_number(high - low), "; it is still ",
                  shown_number(left), curve.bound > 0 ? " above the bound." : ".");
}

std::vector<int> steps_to_draw(std::span<const double> losses, int most_stretches) {
    std::vector<int> steps;
    const auto num_losses = static_cast<int>(losses.size());
    const auto loss = [&](int step) { return losses[static_cast<std::size_t>(step)]; };
    const int stretch = std::max(1, num_losses / std::max(1, most_stretches));
    for (int first = 0; first < num_losses; first += stretch) {
        std::optional<int> low, high;
        for (int step = first; step < std::min(first + stretch, num_losses); ++step) {
            if (!std::isfinite(loss(step))) continue;
            if (!low || loss(step) < loss(*low)) low = step;
            if (!high || loss(step) > loss(*high)) high = step;
        }
        if (!low) continue;
        steps.push_back(std::min(*low, *high));
        if (*low != *high) steps.push_back(std::max(*low, *high));
    }
    const int last = num_losses - 1;
    if (last >= 0 && std::isfinite(loss(last)) && (steps.empty() || steps.back() < last)) steps.push_back(last);
    return steps;
}

bool needs_log_axis(const LossCurve& curve) {
    constexpr double kTooSmall = 30;  // times smaller than the largest: on a linear axis it lies on the axis
    if (curve.bound > 0) return false;
    double largest = 0;
    double smallest = 0;  // of those above 0
    for (const double loss : curve.losses) {
        if (!std::isfinite(loss) || loss <= 0) continue;
        largest = std::max(largest, loss);
        smallest = smallest == 0 ? loss : std::min(smallest, loss);
    }
    return largest > kTooSmall * smallest;
}

}  // namespace attn
