// Counts the numbers that differ between two evaluations, and writes both with enough digits to differ.
#include "playground/numbers/changes.h"
#include "playground/numbers/shown_rows.h"

#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/text/format.h"

namespace attn {

bool is_changed(float before, float now) {
    return before != now && !(std::isnan(before) && std::isnan(now));
}

std::string change_text(float before, float now) {
    constexpr int kFewestDigits = 4;
    constexpr int kMostDigits = 17;
    const auto text = [](float value, int digits) {
        return value == kHiddenCell ? std::string("masked") : shown_number(static_cast<double>(value), digits);
    };
    int digits = kFewestDigits;
    while (is_changed(before, now) && digits < kMostDigits && text(before, digits) == text(now, digits)) ++digits;
    return concat(text(before, digits), " → ", text(now, digits));
}

StageChanges count_changes(const Evaluation& before, const Evaluation& now, TensorId stage) {
    ATTN_CHECK(before.sizes == now.sizes, "the numbers to compare have other shapes");
    StageChanges changes;
    for (int n = 0; n < num_matrices(now.sizes, stage); ++n) {
        const int head = first_reader(now.sizes, stage, n);
        const Matrix old_numbers = shown_matrix(before, stage, head);
        const Matrix new_numbers = shown_matrix(now, stage, head);
        for (std::size_t i = 0; i < new_numbers.size(); ++i) {
            changes.num_changed += is_changed(elements(old_numbers)[i], elements(new_numbers)[i]) ? 1 : 0;
        }
        changes.num_cells += static_cast<std::int64_t>(new_numbers.size());
    }
    return changes;
}

StageChanges ChangeCounts::of(const Evaluator& evaluator, TensorId stage) {
    return evaluator.unedited() == nullptr ? StageChanges() : count(*evaluator.unedited(), evaluator, stage);
}

StageChanges ChangeCounts::count(const Evaluation& before, const Evaluator& evaluator, TensorId stage) {
    // What stands around a model's attention is computed where somebody looks at it.
    if (!is_ready(before.trace, stage, 0) || !is_ready(evaluator.shown().trace, stage, 0)) return {};
    if (version_ != evaluator.version() || unedited_version_ != evaluator.unedited_version()) {
        counts_.fill(std::nullopt);
        version_ = evaluator.version();
        unedited_version_ = evaluator.unedited_version();
    }
    std::optional<StageChanges>& counted = counts_[static_cast<std::size_t>(stage)];
    if (!counted) counted = count_changes(before, evaluator.shown(), stage);
    return *counted;
}

}  // namespace attn
