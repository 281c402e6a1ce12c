// What a goal says by itself, without a layer.
#include "core/attention/goal.h"

#include <algorithm>

#include "core/ground/portable_math.h"

namespace attn {

double lowest_loss(const Goal& goal) {
    double loss = 0;
    for (const TargetRow& row : goal.rows) {
        for (const float share : row.shares) {
            if (share > 0) loss -= static_cast<double>(share) * portable::log(static_cast<double>(share));
        }
    }
    return loss / goal.num_terms;
}

const Vector* target_shares(const Goal& goal, int head, int row) {
    const auto found = std::find_if(goal.rows.begin(), goal.rows.end(),
                                    [&](const TargetRow& one) { return one.head == head && one.query == row; });
    return found == goal.rows.end() ? nullptr : &found->shares;
}

}  // namespace attn
