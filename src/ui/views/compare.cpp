// The comparison's controls: which state B is, how to make one, and which heads to compare.
#include "ui/views/compare.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/other_link.h"
#include "playground/link/state_url.h"
#include "ui/frame/layout.h"
#include "ui/kit/stepper.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/compare_maps.h"

namespace attn {
namespace {

constexpr float kGap = 6;

// A button in a row of buttons: on the same line as the one before, if there is room.
bool flowing_button(Canvas& canvas, const std::string& name, std::string_view label, bool is_first) {
    constexpr float kIndents = 24;  // of a button's label
    if (!is_first) {
        ImGui::SameLine(0, kGap);
        if (ImGui::GetContentRegionAvail().x < text_size(body(canvas), label).x + kIndents) ImGui::NewLine();
    }
    return button(canvas, name, label);
}

void put_quick_others(UiFrame& frame, bool has_other) {
    View& view = frame.next.view;
    if (flowing_button(frame, "compare=now", has_other ? "B = A as it is now" : "A as it is now", true)) {
        view.compare = link_as_other(frame.state);
    }
    for (const QuickOther& other : quick_others(frame.state)) {
        if (flowing_button(frame, concat("compare=", other.name), other.label, false)) view.compare = other.link;
    }
    if (!has_other) return;
    if (flowing_button(frame, "compare=swap", "Swap A and B", false)) swap_with_other(frame.next);
    if (flowing_button(frame, "compare=none", "Remove B", false)) view.compare.clear();
}

void draw_without_other(UiFrame& frame) {
    ImGui::Dummy({1, 6});
    put_wrapped_text({frame.fonts.sans_bold, kTitleSize, frame.palette.ink}, "Compare two states");
    put_wrapped_text(body(frame),
                     "A is what you see now, with all its settings. Choose a B to stand beside it: then their numbers, "
                     "and A − B, are three pictures of the same stage. Whatever you change afterwards changes A.");
    ImGui::Dummy({1, 4});
    put_wrapped_text(small(frame), "B is");
    put_quick_others(frame, false);
}

// "A  head - 1 +": which head of a state is compared. Returns another head when it was chosen.
std::optional<int> head_stepper(UiFrame& frame, const std::string& name, std::string_view label, int head,
                                int num_heads) {
    put_text(bold(frame), label, control_height(frame));
    ImGui::SameLine(0, 8);
    put_text(body(frame), "head", control_height(frame));
    ImGui::SameLine(0, 8);
    const std::string value = concat(head + 1);
    const StepperEvent event =
        stepper(frame, name, value,
                {.can_decrease = head > 0, .can_increase = head + 1 < num_heads, .label = concat("head of ", label)},
                stepper_width(frame, value));
    if (event.step != 0) return std::clamp(head + event.step, 0, num_heads - 1);
    if (!event.typed) return std::nullopt;
    PlaygroundState typed;  // read as a link would be
    Notes notes;
    key_info("head").read(typed, *event.typed, notes);
    append_notes(frame.notes, notes);
    return typed.view.head ? std::optional(std::clamp(*typed.view.head, 0, num_heads - 1)) : std::nullopt;
}

void put_heads(UiFrame& frame, const PlaygroundState& other, const Evaluation& b, const CompareMemory::Key& key) {
    const std::optional<int> head_a = head_stepper(frame, "head", "A", key.head_a, frame.evaluation.sizes.num_heads);
    if (head_a) frame.next.view.head = *head_a;
    if (b.is_empty()) return;
    ImGui::SameLine(0, 28);
    if (ImGui::GetContentRegionAvail().x < 165) ImGui::NewLine();
    if (const auto head_b = head_stepper(frame, "head of B", "B", key.head_b, b.sizes.num_heads)) {
        PlaygroundState changed = other;
        changed.view.head = *head_b;
        frame.next.view.compare = link_as_other(changed);
    }
}

}  // namespace

void draw_compare(UiFrame& frame) {
    const TensorId stage = frame.state.view.stage;
    const Evaluation* b = frame.evaluator.other();
    if (frame.state.view.compare.empty() || b == nullptr) {
        draw_without_other(frame);
        return;
    }
    const PlaygroundState& other = *frame.evaluator.other_state();
    if (!frame.memory.compare) frame.memory.compare = std::make_shared<CompareMemory>();
    CompareMemory& memory = *frame.memory.compare;
    const bool has_heads = stage_info(stage).has_heads;
    const int last_head = frame.evaluation.sizes.num_heads - 1;
    const CompareMemory::Key key = {.version_a = frame.version,
                                    .version_b = frame.evaluator.other_version(),
                                    .stage = stage,
                                    .head_a = has_heads ? std::min(compared_head(frame.state), last_head) : 0,
                                    .head_b = has_heads ? compared_head(other) : 0};
    if (key != memory.key) {
        memory.comparison = compare(frame.evaluation, *b, stage, key.head_a, key.head_b);
        memory.key = key;
        ++memory.count;
    }
    ImGui::BeginChild("compared", {0, 0}, ImGuiChildFlags_NavFlattened);
    ImGui::Dummy({1, 2});
    const bool is_first = frame.is_small();
    const bool is_same = differences_in_words(frame.state, other).empty();
    const std::string words =
        concat(other_in_words(frame.state, other), is_same ? ": change something, and watch the difference" : "");
    const bool has_words_above = is_first && !lacks_height(frame);
    if (has_words_above) put_wrapped_text(small(frame), words);
    if (is_first) draw_compare_maps(frame, *b, memory);
    put_quick_others(frame, true);
    if (!has_words_above) put_wrapped_text(small(frame), words);
    if (has_heads) put_heads(frame, other, *b, key);
    if (!is_first) draw_compare_maps(frame, *b, memory);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
