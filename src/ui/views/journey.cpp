// view=journey on the screen: layers that are opened by a press, stops that lead to their numbers.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "ui/kit/lock.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/views/model.h"
#include "ui/views/model_card.h"
#include "ui/views/model_parts.h"
#include "views/journey/journey_picture.h"

namespace attn {

// What decides the picture.
struct JourneySceneKey {
    int version = -1;  // of the work
    int num_layers_done = 0, num_cells_done = 0, layer = 0;
    bool has_open_layer = false;
    float width = 0;

    bool operator==(const JourneySceneKey&) const = default;
};

struct JourneyViewMemory : KeptText {
    std::shared_ptr<JourneyWork> work;  // of it; null without a model
    StoppableWork stop;
    int version = 0;
    KeptScene<JourneySceneKey> lines, end;
};

namespace {

// Begins the journey of another token or text, and goes on with it.
void keep_journey(UiFrame& frame, JourneyViewMemory& memory) {
    const PlaygroundState& state = frame.state;
    if (!keep_text(state, memory)) memory.work.reset();
    if (!memory.shown) return memory.work.reset();
    const ModelText& text = *memory.shown;
    if (memory.work && memory.work->row() == next_row(state.view, text.input.num_tokens())) {
        memory.work->open_layer(open_journey_layer(state.inputs, text.model->config));
    } else {
        memory.work = begin_journey(state, text);
        memory.stop = stoppable(*text.run);
        ++memory.version;
    }
    go_on_between_frames(frame.widgets, memory.stop, memory.work,
                         [](const JourneyWork& work) { return work.progress(); });
}

using JourneyParts = PartsOfPicture<JourneyViewMemory, JourneyDrawing, JourneySceneKey>;

// The token before it, and the one behind.
void put_token_steps(JourneyParts& parts) {
    constexpr float kRoomOfSteps = 250;
    UiFrame& frame = parts.frame;
    const int row = parts.drawing.work.row(), num_tokens = static_cast<int>(parts.drawing.words.size());
    const bool is_one_line = parts.width > 2 * kRoomOfSteps;
    const std::string words = concat("“", isolated(parts.drawing.word()), "”, token ", row + 1, " of ", num_tokens);
    const TextStyle style = bold(frame);
    put_text(style, shortened(style, words, parts.width - (is_one_line ? kRoomOfSteps : 0)),
             is_one_line ? control_height(frame) : 0);
    if (is_one_line) ImGui::SameLine(0, 12);
    const LockScope lock(frame, "cell", frame.palette.paper);
    const auto look_at = [&](int token) {
        frame.next.view.cell = Cell{.head = frame.state.view.head.value_or(0), .row = token, .column = 0};
    };
    if (button(frame, "journey=before", "Token before", ButtonKind::quiet, row > 0)) look_at(row - 1);
    ImGui::SameLine(0, 6);
    if (button(frame, "journey=after", "Token after", ButtonKind::quiet, row + 1 < num_tokens)) look_at(row + 1);
}

void put_journey_words(JourneyParts& parts) {
    for (const std::string& sentence : journey_in_words(parts.drawing.model()))
        put_wrapped_text(small(parts.frame), sentence);
    put_wrapped_text(small(parts.frame),
                     "Press a layer to open it, and a stop or a head to see how its numbers are made.");
    if (!parts.memory.work->is_done() && (!parts.memory.work->run().is_done() || parts.memory.stop.is_long))
        put_progress(parts.frame, parts.memory.stop, parts.memory.work->progress());
    ImGui::Dummy({1, 4});
}

// What a line says, for the ear.
std::string line_in_words(const JourneyLine& line) {
    std::string words = line.label;
    const auto add = [&](std::string_view before, const std::string& text) {
        if (!text.empty()) words += concat(before, text);
    };
    add(", ", line.words);
    add(", length ", line.length);
    add(", along the sum ", line.along);
    add(", ", line.next);
    return line.is_open ? words + ", open" : words;
}

void open_place(JourneyParts& parts, const ScenePlace& place) {
    const JourneyWork& work = parts.drawing.work;
    PlaygroundState& next = parts.frame.next;
    if (place.name.starts_with("layer=")) {
        next.inputs.layer = place.index;
    } else if (place.name.starts_with("head=")) {
        next.view.cell = Cell{.head = place.index, .row = work.row(), .column = 0};
        open_laboratory(next, {.layer = work.layer(), .head = place.index});
    } else {
        const auto stage = static_cast<TensorId>(place.index);
        const JourneyStop* stop = work.layers()[static_cast<std::size_t>(work.layer())].find(stage);
        const bool is_of_end = stop == nullptr;
        if (is_of_end) stop = &*std::ranges::find(work.end(), stage, &JourneyStop::stage);
        open_stop(next, *stop, is_of_end ? parts.drawing.num_layers() - 1 : work.layer(), work.row());
    }
}

void put_way(JourneyParts& parts) {
    ImVec2 corner;
    const FigureBlock& scene = parts.put<journey_scene>(parts.memory.lines, corner);
    const auto words = [&](const ScenePlace& place) {
        const std::vector<JourneyLine> lines = journey_lines(parts.drawing);
        return line_in_words(*std::ranges::find(lines, place.name, &JourneyLine::place));
    };
    const auto key_of = [](const ScenePlace& place) -> std::string_view {
        return place.name.starts_with("layer=") ? "layer" : "view";
    };
    put_model_places(
        parts.frame, scene, corner, words, [&](const ScenePlace& place) { open_place(parts, place); }, key_of);
    ImGui::Dummy({1, 10});
}

void put_end(JourneyParts& parts) {
    ImVec2 corner;
    parts.put<journey_end_scene>(parts.memory.end, corner);
    UiFrame& frame = parts.frame;
    if (parts.drawing.work.lens() == nullptr) return;
    const LockScope lock(frame, "view", frame.palette.paper);
    if (button(frame, "journey=lens", "Logit lens: the word after each layer")) frame.next.view.view = ViewKind::lens;
}

void put_journey(UiFrame& frame, JourneyViewMemory& memory) {
    const JourneyWork& work = *memory.work;
    JourneyParts parts = {frame,
                          memory,
                          journey_drawing(work, *memory.shown),
                          {.version = memory.version,
                           .num_layers_done = static_cast<int>(work.layers().size()) + (work.end().empty() ? 0 : 1),
                           .num_cells_done = work.lens() == nullptr ? 0 : work.lens()->num_cells_done(),
                           .layer = work.layer(),
                           .has_open_layer = work.has_open_layer()}};
    const float room = ImGui::GetContentRegionAvail().x - 6;
    if (is_low_for_model() || frame.layout == LayoutKind::phone)  // the picture first
        return put_column(parts, room, put_token_steps, put_way, put_end, put_journey_words);
    put_column(parts, room, put_token_steps, put_journey_words, put_way, put_end);
}

}  // namespace

void draw_journey(UiFrame& frame) {
    if (!frame.memory.journey_view) frame.memory.journey_view = std::make_shared<JourneyViewMemory>();
    JourneyViewMemory& memory = *frame.memory.journey_view;
    keep_journey(frame, memory);
    ImGui::Dummy({1, 2});
    put_model_card(frame, memory.shown ? &*memory.shown : nullptr);
    ImGui::BeginChild("journey", {0, 0}, ImGuiChildFlags_NavFlattened);
    if (memory.work) put_journey(frame, memory);
    ImGui::Dummy({1, 8});
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
