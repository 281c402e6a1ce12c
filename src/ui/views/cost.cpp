// view=cost on the screen: what more heads cost in words, and the tables under it.
#include "ui/views/cost.h"

#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/experiment_memory.h"
#include "views/cost/cost_scene.h"

namespace attn {

void draw_cost(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    const Sizes& sizes = frame.evaluation.sizes;
    const std::vector<CostSection> sections = cost_of(frame.evaluator.inputs(), sizes);
    ImGui::BeginChild("cost", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - 4;
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(frame), cost_in_words(sections, sizes));
    ImGui::Dummy({1, 6});
    const CostKey key = {frame.version, width};
    put_scene(frame, experiments(frame).cost.at(frame, key, [&](const SceneStyle& style) {
        return cost_scene(style, sections, static_cast<double>(width));
    }));
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
