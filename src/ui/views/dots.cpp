// Puts the two parts of view=dots below each other, and makes the experiments' memory.
#include "ui/views/dots.h"

#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/experiment_memory.h"

namespace attn {

ExperimentMemory& experiments(Display& display) {
    std::shared_ptr<ExperimentMemory>& memory = display.memory.experiments;
    if (!memory) memory = std::make_shared<ExperimentMemory>();
    return *memory;
}

void draw_dots(UiFrame& frame) {
    ImGui::Dummy({1, 2});
    ImGui::BeginChild("dots", ImGui::GetContentRegionAvail(), ImGuiChildFlags_NavFlattened);
    put_random_pairs(frame);
    put_own_sentence(frame);
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
