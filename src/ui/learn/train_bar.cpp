#include "ui/learn/train_bar.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ground/check.h"
#include "playground/link/choice_labels.h"
#include "playground/link/key_table.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/slider.h"
#include "ui/kit/widgets.h"
#include "ui/learn/learn_actions.h"
#include "ui/learn/playing.h"
#include "views/learn/curve_scene.h"

namespace attn {
namespace {

constexpr float kPadding = 14;
constexpr float kGap = 6;
constexpr float kRowGap = 4;
constexpr float kCurve = 170;          // width
constexpr float kRoomForCurve = 600;   // of the bar, from which it has one
constexpr float kRoomForLong = 430;    // height of a column from which the bar may take three lines of it
constexpr float kNarrowestLong = 380;  // width

float button_side(const Look& look) {
    return control_height(look) + 4;
}

float short_height(const Look& look) {
    return button_side(look) + 2 * kRowGap;
}

// Targets that nothing learns yet, or that are about to be painted: the bar is there before the first one, so that no
// cell moves under the pointer.
bool has_targets_alone(const Display& display) {
    const Inputs& inputs = display.state.inputs;
    return inputs.goal == GoalKind::none && (!inputs.targets.empty() || is_painting_cells(display));
}

// "w_query, w_key learn"
std::string learners_in_words(const Inputs& inputs) {
    constexpr std::size_t kMostNamed = 4;
    const std::set<TensorId> trained = trained_tensors(inputs);
    if (trained.empty()) return inputs.targets.empty() ? "no head was told where to look" : "nothing learns";
    if (trained.size() > kMostNamed) return concat(trained.size(), " tensors learn");
    std::string words;
    for (const TensorId tensor : trainable_tensors(inputs)) {
        if (trained.contains(tensor)) words += concat(words.empty() ? "" : ", ", editable_name(tensor));
    }
    return concat(words, trained.size() == 1 ? " learns" : " learn");
}

// That the numbers are of: where training stopped, fewer than were asked for.
int present_step(const Shown& shown) {
    return has_stopped(shown) ? shown.evaluation.run->num_steps() : shown.state.inputs.steps;
}

// "step 64 of 150"
std::string place_in_words(const Shown& shown, int range) {
    return concat("step ", with_thousands(present_step(shown)), " of ", with_thousands(range),
                  has_stopped(shown) ? ", stopped" : "");
}

std::string recipe_in_words(const Inputs& inputs) {
    const KeyInfo& info = key_info("optimizer");
    PlaygroundState state;
    state.inputs.optimizer = inputs.optimizer;
    return concat(choice_label("optimizer", info.write(state).front()), ", rate ", exact_number(inputs.rate), " · ",
                  learners_in_words(inputs));
}

// "loss 0.0123"; empty while it is being computed.
std::string loss_in_words(const Shown& shown, std::string_view before) {
    const Evaluation& evaluation = shown.evaluation;
    if (evaluation.is_preparing() || !evaluation.run) return {};
    return concat(before, shown_number(evaluation.run->loss()));
}

// Train, or Pause while it plays: the same item, so that the keyboard's focus stays on it.
void put_play(UiFrame& frame, bool is_short) {
    const bool plays = is_playing(frame.memory);
    const bool can = can_train(frame) && !has_stopped(frame);
    const std::string_view label = plays ? "Pause" : "Train";
    bool is_pressed = false;
    if (is_short) {
        is_pressed = icon_button(frame, "play", plays ? Icon::pause : Icon::play, label, can, ButtonKind::primary);
    } else {
        is_pressed = button(frame, "play", label, ButtonKind::primary, can);
    }
    if (is_pressed) plays ? pause(frame.memory) : play(frame);
}

void put_scrubber(UiFrame& frame, float width) {
    const LearnMemory& memory = learn_memory(frame);
    const int range = std::max(memory.range, 1);
    const int steps = present_step(frame);
    const SliderEvent event = slider(frame, "steps", steps, {.low = 0, .high = static_cast<double>(range)}, {}, width);
    if (frame.widgets.focus.name == "slider=steps") frame.widgets.focus.label = place_in_words(frame, range);
    if (event.value) {
        const int chosen = static_cast<int>(std::lround(*event.value));
        if (chosen != steps) go_to_step(frame, chosen);
    }
    if (event.step != 0) go_to_step(frame, steps + event.step);
}

// Start again, back, Train, one step.
void put_buttons(UiFrame& frame) {
    const int steps = present_step(frame);
    if (icon_button(frame, "play=again", Icon::first, "Start again: step 0", steps > 0)) go_to_step(frame, 0);
    ImGui::SameLine(0, kGap);
    if (icon_button(frame, "play=back", Icon::left, "One step back", steps > 0)) go_to_step(frame, steps - 1);
    ImGui::SameLine(0, kGap);
    put_play(frame, false);
    ImGui::SameLine(0, kGap);
    const bool can_go_on = can_train(frame) && !has_stopped(frame) && steps < most_steps(frame.state.inputs);
    if (icon_button(frame, "play=step", Icon::right, "One step", can_go_on)) go_to_step(frame, steps + 1);
    ImGui::SameLine(0, 2 * kGap);
}

void put_short_bar(UiFrame& frame, ImVec2 corner, float width) {
    const std::string loss = loss_in_words(frame, "");
    const float loss_width = text_size(body(frame), "0.00000").x;
    ImGui::SetCursorScreenPos({corner.x, corner.y + kRowGap});
    const LockScope lock(frame, "steps", frame.palette.panel);
    put_play(frame, true);
    ImGui::SameLine(0, kGap);
    put_scrubber(frame, width - button_side(frame) - loss_width - 2 * kGap);
    draw_text_in({corner.x + width - loss_width, corner.y}, {corner.x + width, corner.y + short_height(frame)},
                 {1, 0.5F}, body(frame), loss);
}

// The speed, and what can be done with what was trained.
void put_actions(UiFrame& frame, ImVec2 corner, float width) {
    ImGui::SetCursorScreenPos(corner);
    const std::string_view speed = width > kRoomForLong ? "steps a frame" : "";
    if (!speed.empty()) {
        put_text(small(frame), speed, control_height(frame));
        ImGui::SameLine(0, kGap);
    }
    put_speed(frame);
    ImGui::SameLine(0, 2 * kGap);
    put_keep_button(frame);
    ImGui::SameLine(0, kGap);
    put_compare_button(frame);
}

void put_small_curve(Display& display, ImVec2 corner, float height) {
    const ScreenRuler ruler(display.fonts);
    const LossCurve curve = loss_curve(display.evaluator.inputs(), display.evaluation);
    const int range = std::max(learn_memory(display).range, 1);
    draw_scene(display,
               small_curve(screen_style(ruler, display.palette.is_dark), curve, range, static_cast<double>(kCurve),
                           static_cast<double>(height)),
               corner);
}

void put_long_bar(UiFrame& frame, ImVec2 corner, float width, float height) {
    const bool has_curve = width >= kRoomForCurve;
    const float inner = has_curve ? width - kCurve - 2 * kPadding : width;
    const LearnMemory& memory = learn_memory(frame);
    ImGui::SetCursorScreenPos({corner.x, corner.y + 2 * kRowGap});
    {
        const LockScope lock(frame, "steps", frame.palette.panel);
        put_buttons(frame);
        put_scrubber(frame, corner.x + inner - ImGui::GetCursorScreenPos().x);
    }
    const float words_top = corner.y + 2 * kRowGap + button_side(frame) + kRowGap;
    const std::string loss = loss_in_words(frame, "loss ");
    const float loss_width = text_size(small(frame), loss).x;
    const std::string words = concat(place_in_words(frame, memory.range), " · ", recipe_in_words(frame.state.inputs));
    draw_text({corner.x, words_top}, small(frame), shortened(small(frame), words, inner - loss_width - 2 * kGap));
    draw_text({corner.x + inner - loss_width, words_top}, small(frame), loss);

    if (!saves_height(frame)) put_actions(frame, {corner.x, words_top + kSmallSize + kRowGap}, inner);
    if (!has_curve || frame.evaluation.is_preparing() || !frame.evaluation.run) return;
    put_small_curve(frame, {corner.x + width - kCurve, corner.y + 2 * kRowGap}, height - 2 * kRowGap - kPadding);
}

// There are targets, and nothing learns them yet.
void put_teach(UiFrame& frame, ImVec2 corner, float width) {
    ImGui::SetCursorScreenPos({corner.x, corner.y + kRowGap});
    const LockScope lock(frame, "goal", frame.palette.panel);
    const bool has_targets = !frame.state.inputs.targets.empty();
    if (button(frame, "play=teach", "Teach", ButtonKind::primary, has_targets)) set_value(frame, "goal", "pattern");
    ImGui::SameLine(0, 2 * kGap);
    const auto count = static_cast<std::int64_t>(frame.state.inputs.targets.size());
    const std::string words = has_targets ? concat(counted(count, "target"), ": where heads should look")
                                          : "Click a cell where its head should look";
    const float room = corner.x + width - ImGui::GetCursorScreenPos().x;
    put_text(body(frame), shortened(body(frame), words, room), button_side(frame));
}

}  // namespace

bool is_short_train_bar(const Look& look, ImVec2 column) {
    return look.is_folded || look.is_small() || column.y < kRoomForLong || column.x < kNarrowestLong;
}

float train_bar_height(const Display& display, ImVec2 column) {
    const Inputs& inputs = display.state.inputs;
    const bool is_wanted = has_goal(inputs) || has_targets_alone(display);
    if (!is_wanted || tells_nothing_to_learn(display) || display.evaluation.num_tokens() == 0 ||
        !shows_part(display, "training"))
        return 0;
    // A lesson on a small screen needs the room, and shows its targets for their own sake.
    if (has_targets_alone(display) && display.is_small() && has_lesson(display)) return 0;
    // While targets are painted, the first of which sets the goal, it is as high as then.
    const bool is_alone = has_targets_alone(display) && !is_painting_cells(display);
    if (is_alone || is_short_train_bar(display, column)) return short_height(display);
    const float actions = saves_height(display) ? 0 : kRowGap + button_side(display);
    return 2 * kRowGap + button_side(display) + kRowGap + kSmallSize + actions + 2 * kRowGap;
}

void draw_train_bar(UiFrame& frame, ImVec2 size) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    fill_box(corner, {corner.x + size.x, corner.y + size.y}, frame.palette.panel, 0);
    ImGui::GetWindowDrawList()->AddLine(corner, {corner.x + size.x, corner.y}, frame.palette.line);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("training", size, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    const ImVec2 inside = {corner.x + kPadding, corner.y};
    const float width = size.x - 2 * kPadding;
    if (has_targets_alone(frame)) {
        put_teach(frame, inside, width);
    } else if (size.y <= short_height(frame)) {
        put_short_bar(frame, inside, width);
    } else {
        put_long_bar(frame, inside, width, size.y);
    }
    ImGui::EndChild();
}

}  // namespace attn
