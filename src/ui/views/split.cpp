// Which shape is shown, and the time in between.
#include "ui/views/split.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "views/split/split_scene.h"

namespace attn {

// What decides the picture of one tensor.
struct SplitKey {
    SplitLayout layout;
    SplitWay way;
    std::uint64_t blanks;  // Blanks::name
    bool has_values;

    bool operator==(const SplitKey&) const = default;
};

// How far the numbers have moved. Never a choice: View::phase says which shape to show.
struct SplitMemory {
    int version = -1;  // of the evaluation that `batch` and the way belong to
    TensorId tensor = TensorId::queries;
    int batch = 1;
    int from = 0, to = 0;  // shapes
    float progress = 1;    // of the way, 0 to 1
    KeptScene<SplitKey> scene = {};
};

namespace {

constexpr float kSecondsAWay = 0.6F;
constexpr float kSecondsOfRest = 0.9F;  // to read a shape while it plays

struct TensorChip {
    TensorId tensor;
    const char* label;
};
constexpr std::array<TensorChip, 4> kTensors = {{{TensorId::queries, "queries"},
                                                 {TensorId::keys, "keys"},
                                                 {TensorId::values, "values"},
                                                 {TensorId::context, "context → merged"}}};

// What the page leaves out is not offered either.
void put_tensors(UiFrame& frame, TensorId tensor) {
    std::vector<Segment> segments;
    std::vector<TensorId> offered;
    int chosen = -1;
    for (const TensorChip& chip : kTensors) {
        if (hides_stage(frame.state.view, chip.tensor)) continue;
        if (chip.tensor == tensor) chosen = static_cast<int>(segments.size());
        segments.push_back({.name = concat("split=", tensor_name(chip.tensor)), .label = chip.label});
        offered.push_back(chip.tensor);
    }
    if (segments.empty()) return;
    const float width = std::min(segmented_width(frame, segments), ImGui::GetContentRegionAvail().x);
    if (const auto index = segmented(frame, segments, chosen, width)) {
        choose_stage(frame.next.view, offered[static_cast<std::size_t>(*index)]);
    }
}

// Adopts the chosen phase, whether from here or from a link, and moves the numbers a little further.
void move_on(UiFrame& frame, SplitMemory& memory) {
    const int phase = frame.state.view.phase;
    const float seconds = frame_seconds();
    PlayClock& clock = frame.memory.clock;
    if (frame.reduces_motion) {
        clock.stop(Playing::split);
        memory.from = memory.to = phase;
        memory.progress = 1;
    }
    const bool rests = clock.plays(Playing::split) && memory.progress == 1 && phase == memory.to;
    if (rests && clock.is_due(seconds) && phase + 1 < kNumPhases) {
        frame.next.view.phase = phase + 1;
        clock.took_step(frame.next, kSecondsOfRest);
    }
    if (phase != memory.to) {
        memory.from = memory.to;
        memory.to = phase;
        memory.progress = 0;
    } else if (memory.progress < 1) {
        memory.progress = std::min(1.0F, memory.progress + seconds / kSecondsAWay);
    }
    if (memory.progress == 1 && phase + 1 == kNumPhases) clock.stop(Playing::split);
    if (memory.progress < 1 || clock.plays(Playing::split)) frame.widgets.is_moving = true;
}

void put_steps(UiFrame& frame, SplitMemory& memory) {
    PlayClock& clock = frame.memory.clock;
    const int phase = frame.state.view.phase;
    if (button(frame, "phase-", "Back", ButtonKind::quiet, phase > 0)) {
        frame.next.view.phase = phase - 1;
        clock.stop(Playing::split);
    }
    ImGui::SameLine(0, 6);
    if (button(frame, "phase+", "Next", has_lesson(frame) ? ButtonKind::quiet : ButtonKind::primary,
               phase + 1 < kNumPhases)) {
        frame.next.view.phase = phase + 1;
        clock.stop(Playing::split);
    }
    if (frame.reduces_motion) return;
    ImGui::SameLine(0, 6);
    if (clock.plays(Playing::split)) {
        if (button(frame, "phase=stop", "Stop")) clock.stop(Playing::split);
    } else if (button(frame, "phase=play", "Play")) {
        frame.next.view.phase = memory.from = memory.to = 0;
        memory.progress = 1;
        clock.start(Playing::split, frame.next, kSecondsOfRest);
    }
}

// Smaller where it would be wider than `width`.
TextStyle fitted(TextStyle style, std::string_view text, float width) {
    const float needed = text_size(style, text).x;
    if (needed > width) style.size = std::max(kTinySize, std::floor(style.size * width / needed));
    return style;
}

// One shape of the three, as a card that can be chosen: what led to it, the shape in numbers and in letters. A low card
// has room for the shape alone.
bool put_card(Display& display, const SplitPhase& phase, int index, ImVec2 size, bool is_low) {
    constexpr float kIndent = 10;
    const ItemState state = item(display, concat("phase=", index + 1), size);
    const bool is_chosen = display.state.view.phase == index;
    if (state.is_focused)
        call_item(display, state,
                  concat("shape ", index + 1, ", ", phase.letters, " = ", phase.shape, is_chosen ? ", chosen" : ""));
    const Palette& palette = display.palette;
    fill_box(state.min, state.max, is_chosen || state.is_hovered ? palette.panel : palette.paper);
    frame_box(state.min, state.max, is_chosen ? palette.accent : palette.edge, is_chosen ? 2.0F : 1.0F);
    const TextStyle shape = is_chosen ? bold(display) : body(display);
    const ImVec2 min = {state.min.x + kIndent, state.min.y};
    const ImVec2 max = {state.max.x - kIndent, state.max.y};
    const float room = max.x - min.x;
    if (is_low) {
        draw_text_in(min, max, {0.5F, 0.5F}, fitted(shape, phase.shape, room), phase.shape);
    } else {
        const TextStyle code = fitted({display.fonts.mono, kSmallSize, palette.soft_ink}, phase.code, room);
        draw_text({min.x, min.y + 6}, code, shortened(code, phase.code, room));
        draw_text({min.x, min.y + 9 + kSmallSize}, shape, shortened(shape, phase.shape, room));
        draw_text({min.x, min.y + 10 + kSmallSize + kTextSize}, small(display),
                  shortened(small(display), phase.letters, room));
    }
    put_tooltip(display, concat(phase.letters, " = ", phase.shape), phase.code, phase.meaning);
    return state.is_pressed;
}

void put_cards(UiFrame& frame, const std::array<SplitPhase, kNumPhases>& phases) {
    constexpr float kHeight = kSmallSize * 2 + kTextSize + 18;
    constexpr float kNarrowest = 170;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_low = room < kNumPhases * kNarrowest;
    const float gap = is_low ? 6 : 10;
    const ImVec2 size = {(room - 2 * gap) / kNumPhases, is_low ? control_height(frame) : kHeight};
    for (int k = 0; k < kNumPhases; ++k) {
        if (k > 0) ImGui::SameLine(0, gap);
        if (put_card(frame, phases[static_cast<std::size_t>(k)], k, size, is_low)) frame.next.view.phase = k;
    }
}

// The drawn tensor with its shape above it, and what the shape means.
void put_picture(Display& display, SplitMemory& memory, const std::array<SplitPhase, kNumPhases>& phases) {
    constexpr float kMemoryHeight = 70;
    const Sizes sizes = split_sizes(display.evaluation.sizes, memory.tensor);
    const SplitCut cut = cut_for(sizes);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const SplitPhase& phase = phases[static_cast<std::size_t>(memory.to)];
    put_wrapped_text(body(display), concat(phase.letters, " = ", phase.shape));
    const bool is_small = display.layout == LayoutKind::phone;  // its cards leave the code out
    if (is_small) put_wrapped_text({display.fonts.mono, kSmallSize, display.palette.soft_ink}, phase.code);
    if (!is_small) put_wrapped_text(small(display), phase.meaning);
    if (!cut.is_whole(sizes)) put_wrapped_text(small(display), cut_in_words(cut, sizes));
    ImGui::Dummy({1, 2});

    const Blanks blanks(display.state);
    // Smooth at both ends.
    const float way = memory.progress * memory.progress * (3 - 2 * memory.progress);
    const SplitKey key = {.layout = {.width = static_cast<double>(room.x - ImGui::GetStyle().ScrollbarSize),
                                     .height = static_cast<double>(room.y - kMemoryHeight),
                                     .smallest_label = 9.2},
                          .way = {.from = memory.from, .to = memory.to, .progress = static_cast<double>(way)},
                          .blanks = blanks.name(),
                          .has_values = shows_part(display, "values")};
    put_scene(display, memory.scene.at(display, key, [&](const SceneStyle& style) {
        const SplitDrawn drawn = {.evaluation = display.evaluation,
                                  .blanks = blanks,
                                  .tensor = memory.tensor,
                                  .phases = phases,
                                  .sizes = cut.of(sizes),
                                  .has_values = key.has_values};
        return split_scene(style, drawn, key.layout, key.way);
    }));
    if (is_small) put_wrapped_text(small(display), phase.meaning);
}

// Which tensor, and which of its shapes.
void put_controls(UiFrame& frame, SplitMemory& memory, const std::array<SplitPhase, kNumPhases>& phases) {
    put_tensors(frame, memory.tensor);
    put_cards(frame, phases);
    put_steps(frame, memory);
}

}  // namespace

void draw_split(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    if (!frame.memory.split) frame.memory.split = std::make_shared<SplitMemory>();
    SplitMemory& memory = *frame.memory.split;
    const TensorId tensor = split_tensor(frame.state.view.stage);
    if (memory.version != frame.version || memory.tensor != tensor) {  // other numbers do not move, they are replaced
        memory = {.version = frame.version, .tensor = tensor, .batch = batch_size(frame.evaluator.inputs())};
        memory.from = memory.to = frame.state.view.phase;
    }
    const auto phases = split_phases(tensor, memory.batch, frame.evaluation);
    const bool is_first = lacks_height(frame);
    move_on(frame, memory);
    ImGui::Dummy({1, 2});
    if (!is_first) put_controls(frame, memory, phases);
    ImGui::BeginChild("split", {0, 0}, ImGuiChildFlags_NavFlattened);
    put_picture(frame, memory, phases);
    if (is_first) put_controls(frame, memory, phases);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
