// The weights of the heads at some of the steps: how the maps came to be what they are. Knows no screen.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "scene/kit/place.h"
#include "views/learn/loss_curve.h"

namespace attn {

inline constexpr int kStripFrames = 6;     // maps of a head, at most
inline constexpr int kMostStripHeads = 4;  // that are drawn while no head is chosen

// Multiply-adds of the steps that are taken anew for the earlier maps: about a second on the page. Later steps have no
// map, besides the shown one.
inline constexpr double kMaxStripCost = 1e9;

// 0, some steps between that are easy to name, and curve.step: where the loss falls they stand closer. Increasing. None
// but the last is beyond `latest`.
std::vector<int> strip_steps(const LossCurve& curve, int latest);

// The last step that may be taken again.
int latest_strip_step(const Inputs& inputs);

// The weights of a sentence's heads at earlier steps: trained again from a checkpoint, in slices, and kept while the
// recipe is the same.
class EarlierWeights {
public:
    // Says what is wanted next. Another recipe (all of the inputs but their steps) or sentence forgets the rest.
    // `run`: of this recipe, so that only steps between its checkpoints are taken again.
    void want(const Inputs& inputs, int sentence, std::vector<int> steps, std::shared_ptr<TrainingRun> run = nullptr);
    // Continues for about `multiply_adds`. Returns whether everything wanted is there.
    bool advance(std::int64_t multiply_adds);
    // Those of each head, as shown_matrix gives them; null: not there yet.
    const std::vector<Matrix>* at(int step) const;
    // Whether there is memory for them; else nothing is trained again.
    bool has_room() const { return has_room_; }
    std::uint64_t count() const { return count_; }  // rises with each step that comes

private:
    Inputs recipe_;  // with the steps of the last want()
    int sentence_ = -1;
    std::vector<int> wanted_;
    std::map<int, std::vector<Matrix>> weights_;
    CachedEvaluation training_;
    std::uint64_t count_ = 0;
    bool has_room_ = true;
};

struct StripFrame {
    int step = 0;
    double loss = 0;
    std::vector<Matrix> weights = {};  // of the strip's heads; empty: not there yet
};

struct FilmStrip {
    std::vector<int> heads;
    std::vector<std::vector<Place>> painted = {};  // of each of them: the targets
    std::vector<StripFrame> frames = {};
    std::vector<std::string> remarks = {};  // what is left out
};

// Wants what the strip of this state needs, as far as kMaxStripCost goes.
void want_strip(EarlierWeights& earlier, const PlaygroundState& state, const Evaluation& evaluation);

// The strip as far as `earlier` is. `head`: only this one; nothing: what the view shows.
FilmStrip film_strip(const EarlierWeights& earlier, const PlaygroundState& state, const Evaluation& evaluation,
                     std::optional<int> head);

}  // namespace attn
