// view=cost on the screen: what more heads cost in words, and the tables under it.
#include "ui/views/cost.h"

#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/experiment_memory.h"
#include "views/cost/cost_scene.h"

namespace attn {

void draw_cost(Display& display) {
    if (display.evaluation.is_empty()) return;
    const Sizes& sizes = display.evaluation.sizes;
    const std::vector<CostSection> sections = cost_of(display.evaluator.inputs(), sizes);
    ImGui::BeginChild("cost", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - 4;
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(display), cost_in_words(sections, sizes));
    ImGui::Dummy({1, 6});
    const CostKey key = {display.version, width};
    put_scene(display, experiments(display).cost.at(display, key, [&](const SceneStyle& style) {
        return cost_scene(style, sections, static_cast<double>(width));
    }));
    scroll_by_finger(display);
    ImGui::EndChild();
}

}  // namespace attn
