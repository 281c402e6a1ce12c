// Chooses the steps of the strip, and trains up to each of them.
#include "views/learn/film_strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/link/recipe_keys.h"
#include "playground/numbers/memory_needs.h"
#include "playground/state/shapes.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

// 1, 2, 3, 4, 5, 10, 20, 30, 50, 100, ... up to `last`: the same ones as training continues, so few maps change.
std::vector<int> named_steps(int last) {
    std::vector<int> steps;
    for (std::int64_t decade = 1; decade <= last; decade *= 10) {
        for (const int factor : {1, 2, 3, 4, 5}) {
            if (factor == 4 && decade > 1) continue;
            const std::int64_t step = decade * factor;
            if (step <= last) steps.push_back(static_cast<int>(step));
        }
    }
    return steps;
}

// How far the numbers have come by each step, 0 to 2: the way the loss went, and the digits of the step, in equal
// parts.
class Way {
public:
    explicit Way(const LossCurve& curve) : last_(curve.step), gone_(static_cast<std::size_t>(curve.step) + 1) {
        for (std::size_t step = 1; step < gone_.size(); ++step) {
            const double way = std::abs(curve.losses[step] - curve.losses[step - 1]);
            gone_[step] = gone_[step - 1] + (std::isfinite(way) ? way : 0);
        }
    }

    double at(int step) const {
        const double all = gone_.back();
        const double of_loss = all > 0 ? gone_[static_cast<std::size_t>(step)] / all : 0;
        return of_loss + std::log1p(step) / std::log1p(last_);
    }

private:
    int last_;
    std::vector<double> gone_;
};

std::vector<int> shown_heads(const View& view, const Sizes& sizes, std::optional<int> head) {
    if (!head) head = view.head;
    if (head) return {std::clamp(*head, 0, sizes.num_heads - 1)};
    std::vector<int> heads;
    for (int h = 0; h < std::min(sizes.num_heads, kMostStripHeads); ++h) heads.push_back(h);
    return heads;
}

std::vector<Place> painted_cells(const PlaygroundState& state, const Evaluation& evaluation, int head) {
    std::vector<Place> cells;
    if (state.inputs.goal != GoalKind::pattern) return cells;
    for (const TargetCell& target : state.inputs.targets) {
        const bool is_here = target.sentence == state.view.sentence && target.head == head;
        if (is_here && evaluation.problem->hidden(target.query, target.key) == 0)
            cells.push_back({target.query, target.key});
    }
    return cells;
}

std::vector<int> steps_of_strip(const PlaygroundState& state, const Evaluation& evaluation) {
    return strip_steps(loss_curve(state.inputs, evaluation), latest_strip_step(state.inputs));
}

// The weights of all heads at each step of the strip but the last, and a training beside the one that is shown.
std::int64_t bytes_of_earlier(const Inputs& inputs, int sentence) {
    const std::int64_t num_tokens = count_tokens(inputs, static_cast<std::size_t>(sentence));
    const std::int64_t weights = inputs.num_heads * num_tokens * num_tokens * static_cast<std::int64_t>(sizeof(float));
    return (kStripFrames - 1) * weights + bytes_needed(inputs, static_cast<int>(num_tokens));
}

}  // namespace

std::vector<int> strip_steps(const LossCurve& curve, int latest) {
    if (curve.step == 0) return {0};
    const std::vector<int> between = named_steps(std::min(curve.step - 1, latest));
    const std::size_t count = std::min<std::size_t>(between.size(), kStripFrames - 2);
    const Way way(curve);
    std::vector<int> steps = {0};
    std::size_t next = 0;  // of `between`, that may be taken
    for (std::size_t k = 0; k < count; ++k) {
        const double wanted = 2 * static_cast<double>(k + 1) / static_cast<double>(count + 1);
        const std::size_t last = between.size() - (count - k);  // so that enough are left
        std::size_t nearest = next;
        for (std::size_t n = next; n <= last; ++n) {
            if (std::abs(way.at(between[n]) - wanted) < std::abs(way.at(between[nearest]) - wanted)) nearest = n;
        }
        steps.push_back(between[nearest]);
        next = nearest + 1;
    }
    steps.push_back(curve.step);
    return steps;
}

int latest_strip_step(const Inputs& inputs) {
    return static_cast<int>(std::min<double>(inputs.steps, std::floor(kMaxStripCost / step_cost(inputs))));
}

void EarlierWeights::want(const Inputs& inputs, int sentence, std::vector<int> steps,
                          std::shared_ptr<TrainingRun> run) {
    Inputs recipe = inputs;
    recipe.steps = recipe_.steps;
    if (sentence != sentence_ || recipe != recipe_) {
        *this = {};
        recipe_ = inputs;
        sentence_ = sentence;
        training_.take_run(std::move(run));  // a copy of it goes back and forth
        has_room_ = has_room_for(bytes_of_earlier(inputs, sentence));
    }
    if (has_room_) wanted_ = std::move(steps);
}

bool EarlierWeights::advance(std::int64_t multiply_adds) {
    const auto missing = std::ranges::find_if(wanted_, [&](int step) { return !weights_.contains(step); });
    if (missing == wanted_.end()) return true;
    recipe_.steps = *missing;
    training_.begin(recipe_, sentence_, 0);
    if (!training_.advance(multiply_adds)) return false;
    std::vector<Matrix>& weights = weights_[*missing];
    for (int h = 0; h < recipe_.num_heads; ++h)
        weights.push_back(shown_matrix(training_.evaluation(), TensorId::weights, h));
    ++count_;
    return std::ranges::all_of(wanted_, [&](int step) { return weights_.contains(step); });
}

const std::vector<Matrix>* EarlierWeights::at(int step) const {
    const auto found = weights_.find(step);
    return found == weights_.end() ? nullptr : &found->second;
}

void want_strip(EarlierWeights& earlier, const PlaygroundState& state, const Evaluation& evaluation) {
    std::vector<int> steps = steps_of_strip(state, evaluation);
    steps.pop_back();  // the evaluation has the numbers of the last
    earlier.want(state.inputs, state.view.sentence, std::move(steps), evaluation.run);
}

FilmStrip film_strip(const EarlierWeights& earlier, const PlaygroundState& state, const Evaluation& evaluation,
                     std::optional<int> head) {
    const LossCurve curve = loss_curve(state.inputs, evaluation);
    FilmStrip strip{.heads = shown_heads(state.view, evaluation.sizes, head)};
    for (const int h : strip.heads) strip.painted.push_back(painted_cells(state, evaluation, h));
    for (const int step : steps_of_strip(state, evaluation)) {
        if (!earlier.has_room() && step != curve.step) continue;
        StripFrame frame{.step = step, .loss = curve.losses[static_cast<std::size_t>(step)]};
        const std::vector<Matrix>* kept = step == curve.step ? nullptr : earlier.at(step);
        for (const int h : strip.heads) {
            if (kept != nullptr) frame.weights.push_back((*kept)[static_cast<std::size_t>(h)]);
            if (step == curve.step) frame.weights.push_back(shown_matrix(evaluation, TensorId::weights, h));
        }
        strip.frames.push_back(std::move(frame));
    }
    const int num_heads = evaluation.sizes.num_heads;
    if (strip.heads.size() > 1 && num_heads > kMostStripHeads)
        strip.remarks.push_back(concat("The first ", kMostStripHeads, " of ", num_heads, " heads are drawn."));
    if (!earlier.has_room()) {
        strip.remarks.push_back(concat("The maps of earlier steps need ",
                                       megabytes(bytes_of_earlier(state.inputs, state.view.sentence)),
                                       " of memory, more than there is: they are left out."));
    }
    const int latest = latest_strip_step(state.inputs);
    if (earlier.has_room() && latest < curve.step) {
        strip.remarks.push_back(
            concat("Between step ", with_thousands(latest), " and the last there is no map: so many steps take long."));
    }
    return strip;
}

}  // namespace attn
