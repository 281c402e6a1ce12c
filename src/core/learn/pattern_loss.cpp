#include "core/learn/pattern_loss.h"

#include <span>

#include "core/ground/portable_math.h"

namespace attn {

double loss_of_targets(const AttentionTrace& trace, const Goal& goal) {
    double loss = 0;
    for (const TargetRow& row : goal.rows) {
        const std::span<const float> weights = row_of(trace.weights, row.head, row.query);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0) loss -= share * portable::log(static_cast<double>(weights[j]));
        }
    }
    return loss / goal.num_terms;
}

}  // namespace attn
