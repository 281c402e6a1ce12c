// Counts, then adds up.
#include "model/learn/choice.h"

#include "core/ground/check.h"

namespace attn {
namespace {

double rank_among_equals(const TrainedScores& scores) {
    if (scores.held_out) return -scores.held_out->nats;
    return scores.named_score("positional") + scores.named_score("induction") + scores.named_score("syntactic");
}

}  // namespace

int num_reached(const Recipe& recipe, const TrainedScores& scores) {
    int reached = 0;
    for (const WantedScore& one : recipe.wanted) reached += scores.named_score(one.name) >= one.least ? 1 : 0;
    return reached;
}

std::size_t choose_seed(const Recipe& recipe, std::span<const TrainedScores> seeds) {
    ATTN_CHECK(!seeds.empty(), "no seed to choose from");
    std::size_t best = 0;
    for (std::size_t i = 1; i < seeds.size(); ++i) {
        const int more = num_reached(recipe, seeds[i]) - num_reached(recipe, seeds[best]);
        if (more > 0 || (more == 0 && rank_among_equals(seeds[i]) > rank_among_equals(seeds[best]))) best = i;
    }
    return best;
}

}  // namespace attn
