// Compares the numbers after the steps with those before the first.
#include "playground/numbers/keep_training.h"

#include <bit>
#include <cstdint>
#include <set>
#include <span>

#include "core/ground/check.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"

namespace attn {
namespace {

std::span<const float> numbers_of(const AttentionProblem& problem, TensorId tensor) {
    return is_learned(tensor) ? numbers_of(*problem.projections, tensor) : elements(problem.embeddings);
}

}  // namespace

std::optional<Inputs> keep_training(const Inputs& inputs, const TrainingRun& run) {
    ATTN_CHECK(run.is_done_for(inputs), "the run took ", run.num_steps(), " steps, want ", inputs.steps);
    Inputs kept = inputs;
    kept.steps = 0;
    const auto num_sentences = static_cast<int>(inputs.texts.size());
    std::set<TensorId> done;  // that all sentences share
    for (int s = 0; s < num_sentences; ++s) {
        const std::optional<AttentionProblem> before = run.problem_at(s, 0);
        if (!before) continue;
        const AttentionProblem& after = run.problem(s);
        for (const TensorId tensor : trained_tensors(inputs)) {
            if (!is_of_sentence(tensor) && !done.insert(tensor).second) continue;
            const std::span<const float> old = numbers_of(*before, tensor);
            const std::span<const float> now = numbers_of(after, tensor);
            const int columns = edit_extent(inputs, 1, tensor).columns;
            for (std::size_t n = 0; n < now.size(); ++n) {
                if (std::bit_cast<std::uint32_t>(old[n]) == std::bit_cast<std::uint32_t>(now[n])) continue;
                kept.edits.push_back({.tensor = tensor,
                                      .sentence = is_of_sentence(tensor) ? s : 0,
                                      .row = static_cast<int>(n) / columns,
                                      .column = static_cast<int>(n) % columns,
                                      .value = now[n]});
            }
        }
    }
    // The last one of a cell counts: what was typed before is what training began with. All are finite and inside, so a
    // note can only be about their number.
    return clamp_edits(kept.edits, kept.layer).empty() ? std::optional(kept) : std::nullopt;
}

}  // namespace attn
