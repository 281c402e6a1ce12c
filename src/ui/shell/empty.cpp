// No tokens: a friendly word, and sentences to begin with.
#include <imgui.h>

#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"
#include "ui/views/door_ways.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 3> kExamples = {"The artist painted the portrait of a woman with a brush",
                                                       "Your journey starts with one step",
                                                       "The government should regulate free speech"};

}  // namespace

void draw_empty(UiFrame& frame) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float width = std::min(room.x, 460.0F);
    const float left = ImGui::GetCursorPosX() + (room.x - width) / 2;
    ImGui::SetCursorPos({left, ImGui::GetCursorPosY() + std::max(kMargin, room.y * 0.18F)});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(left + width);
    const auto shown = static_cast<std::size_t>(frame.state.view.sentence);
    const std::string& text = frame.state.inputs.texts[shown];
    const bool knows_none = !trimmed(text).empty() && !frame.state.inputs.model.empty();
    put_wrapped_text({frame.fonts.sans_bold, kWelcomeSize, frame.palette.ink},
                     knows_none ? "The model knows none of these words" : "Type a sentence");
    put_wrapped_text({frame.fonts.sans, kTextSize, frame.palette.soft_ink},
                     "Each word becomes a vector, and attention decides how much each word looks at the others. "
                     "Every number on the way can be checked here by hand.");
    if (shows_door(frame)) {
        put_door_starts(frame, width, true);
        ImGui::PopTextWrapPos();
        ImGui::EndGroup();
        return;
    }
    ImGui::Dummy({1, 8});
    put_wrapped_text(small(frame), "Or begin with one of these:");
    ImGui::PopTextWrapPos();
    for (std::size_t i = 0; i < kExamples.size(); ++i) {
        ImGui::PushTextWrapPos(left + width);
        const bool is_chosen = button(frame, concat("example=", i), kExamples[i]);
        ImGui::PopTextWrapPos();
        std::vector<std::string>& texts = frame.next.inputs.texts;
        if (is_chosen && shown < texts.size()) texts[shown] = kExamples[i];
    }
    ImGui::EndGroup();
}

}  // namespace attn
