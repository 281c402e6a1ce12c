#include "ui/learn/loss_curve.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ui/kit/widgets.h"
#include "views/learn/loss_curve.h"

namespace attn {

void draw_loss_curve(const Look& look, const TrainingRun& run, int range, ImVec2 min, ImVec2 max) {
    constexpr float kDot = 4;
    constexpr float kDash = 4;
    const Palette& palette = look.palette;
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
    const std::span<const double> drawn(losses.data(), std::min(losses.size(), static_cast<std::size_t>(range) + 1));
    for (const int step : steps_to_draw(drawn, static_cast<int>(max.x - min.x)))
        list.PathLineTo(at(step, losses[static_cast<std::size_t>(step)]));
    list.PathStroke(palette.accent, ImDrawFlags_None, 1.5F);
    list.AddCircleFilled(at(run.num_steps(), run.loss()), kDot, palette.accent);
}

}  // namespace attn
