// The maps of view=patch, for the claims of lessons that patch. Effects are those that the view prints: differences of
// choices in thousandths.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "playground/lessons/lesson_claims.h"
#include "views/patch/patch_picture.h"

namespace attn::test {

// What view=patch shows of a step. Layers, heads and tokens from 1, as patch= has them.
class SeenPatches {
public:
    explicit SeenPatches(const Seen& step) {
        std::string problem;
        texts_ = patch_texts(step.state(), problem);
        INFO(problem);
        REQUIRE(texts_);
        work_ = begin_patches(step.state().view, *texts_);
        while (!work_->advance(1'000'000)) continue;
        REQUIRE(work_->both());
        if (!texts_->patched) return;
        patched_.emplace(texts_->patched->run, work_->row());
        while (!patched_->advance(1'000'000)) continue;
    }
    int num_tokens() const { return static_cast<int>(texts_->here.words.size()); }
    int num_layers() const { return texts_->here.model->config.num_layers; }
    int num_heads() const { return texts_->here.model->config.num_heads; }
    double here() const { return in_thousandths(work_->both()->here); }
    double there() const { return in_thousandths(work_->both()->there); }
    double of_stream(int layer, int token) const { return effect(*work_->of_stream(layer - 1, token - 1)); }
    double of_head(int layer, int head) const { return effect(*work_->of_head(layer - 1, head - 1)); }
    // Of the patches of the link.
    double of_link() const {
        PatchDrawing drawing = patch_drawing(*work_, *texts_, {});
        drawing.patched = &patched_.value();
        return effect(drawing.patched_choice().value());
    }
    // The largest effect of a row, whatever its sign.
    double most_of_rows() const {
        double most = 0;
        for (int layer = 1; layer <= num_layers(); ++layer) {
            for (int token = 1; token <= num_tokens(); ++token)
                most = std::max(most, std::abs(of_stream(layer, token)));
        }
        return most;
    }
    double most_of_heads(int layer, int but = 0) const {
        double most = 0;
        for (int head = 1; head <= num_heads(); ++head) {
            if (head != but) most = std::max(most, std::abs(of_head(layer, head)));
        }
        return most;
    }

private:
    static double in_thousandths(const PatchedChoice& choice) {
        return static_cast<double>(thousandths_of(choice)) / 1000;
    }
    double effect(const PatchedChoice& patched) const { return in_thousandths(patched) - here(); }

    std::optional<PatchTexts> texts_;
    std::unique_ptr<PatchEffects> work_;
    std::optional<NextOfRow> patched_;
};

}  // namespace attn::test
