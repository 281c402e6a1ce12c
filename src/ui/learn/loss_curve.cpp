#include "ui/learn/loss_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/kit/widgets.h"

namespace attn {

void draw_loss_curve(const UiFrame& frame, const TrainingRun& run, int range, ImVec2 min, ImVec2 max) {
    constexpr float kDot = 4;
    constexpr float kDash = 4;
    const Palette& palette = frame.palette;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<double>& losses = run.losses();
    double highest = 1e-12;
    for (const double loss : losses) highest = std::max(highest, std::isfinite(loss) ? loss : 0);
    const auto at = [&](double step, double loss) {
        return ImVec2(min.x + kDot + (max.x - min.x - 2 * kDot) * static_cast<float>(step / range),
                      max.y - kDot - (max.y - min.y - 2 * kDot) * static_cast<float>(std::min(loss / highest, 1.0)));
    };
    list.AddLine({min.x, max.y}, max, palette.edge);
    const double bound = run.lowest_loss();
    if (bound > 1e-9 * highest && bound <= highest) {
        const float y = at(0, bound).y;
        for (float x = min.x; x < max.x; x += 2 * kDash)
            list.AddLine({x, y}, {std::min(x + kDash, max.x), y}, palette.soft_ink);
    }
    // About two points of the curve for each point of the screen.
    const int last = std::min(static_cast<int>(losses.size()) - 1, range);
    const int stride = std::max(1, range / std::max(1, static_cast<int>(2 * (max.x - min.x))));
    for (int step = 0; step < last; step += stride) list.PathLineTo(at(step, losses[static_cast<std::size_t>(step)]));
    list.PathLineTo(at(last, losses[static_cast<std::size_t>(last)]));
    list.PathStroke(palette.accent, ImDrawFlags_None, 1.5F);
    list.AddCircleFilled(at(run.num_steps(), run.loss()), kDot, palette.accent);
}

}  // namespace attn
