// The stage strip: every step from X to the output with its shape, and with a goal the way back from the loss below it;
// choosing one shows it.
#include <imgui.h>
#include <imgui_internal.h>  // an item that the keyboard passes over

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/operations/stage_words.h"
#include "playground/link/hiding.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/lock.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/stepper.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/change_marks.h"
#include "ui/shell/panels.h"

namespace attn {
namespace {

constexpr float kArrow = 20;         // between two boxes
constexpr float kStagePadding = 10;  // inside a box
constexpr float kLineGap = 3;        // between its title and its shape
constexpr float kNarrowestLetter = 28;
constexpr float kWayOn = 24;  // the width of the sign that the strip continues

constexpr float kBackLane = 26;  // the height of the way back, whose boxes have no shapes
constexpr float kLaneGap = 6;

// One box: a stage, or queries, keys and values together, or the gradients of all matrices, or of all biases.
struct Box {
    std::vector<TensorId> stages;
    std::string shape;  // what stands in its second line, if it has one
    bool is_chosen = false;
    float width = 0;
};

TextStyle shape_style(const Look& look) {
    return small(look);
}

std::string numbers_of(const Shown& shown, TensorId stage) {
    std::string text;
    const std::size_t num_sentences = shown.state.inputs.texts.size();
    if (num_sentences > 1) text = concat(num_sentences);
    for (const int extent : stage_shape(shown.evaluation, stage)) text += concat(text.empty() ? "" : ", ", extent);
    return concat("(", text, ")");
}

// The letters of the shape, with b for the sentences of a batch.
std::string letters_of(const Shown& shown, TensorId stage) {
    const std::string letters = shape_letters(shown.evaluation.sizes, stage);
    return shown.state.inputs.texts.size() > 1 ? concat("(b, ", letters.substr(1)) : letters;
}

float narrowest_letter(const Look& look) {
    return look.is_touch ? 40.0F : kNarrowestLetter;
}

Box make_box(const Display& display, std::vector<TensorId> stages) {
    Box box;
    box.stages = std::move(stages);
    const TensorId shown = display.state.view.stage;
    box.is_chosen = std::find(box.stages.begin(), box.stages.end(), shown) != box.stages.end();
    if (!display.is_folded && !is_gradient(box.stages.front())) {
        box.shape = numbers_of(display, box.stages.front());
    }
    float titles = 0;
    for (const TensorId stage : box.stages) {
        const float title = text_size(bold(display), stage_title(stage)).x;
        titles += box.stages.size() > 1 ? std::max(title + kStagePadding, narrowest_letter(display)) : title;
    }
    box.width = std::ceil(std::max(titles, text_size(shape_style(display), box.shape).x) + 2 * kStagePadding);
    return box;
}

// Stages that share a box, in which their gradients do, too.
constexpr auto kBoxes = std::to_array<std::array<TensorId, 3>>({
    {TensorId::queries, TensorId::keys, TensorId::values},
    {TensorId::position_queries, TensorId::position_keys},
    {TensorId::normed_queries, TensorId::normed_keys},
    {TensorId::rotated_queries, TensorId::rotated_keys},
    {TensorId::w_query, TensorId::w_key, TensorId::w_value},
    {TensorId::b_query, TensorId::b_key, TensorId::b_value},
    {TensorId::q_norm, TensorId::k_norm},
});

// The same for stages of one box, which are of one lane; 0: a box of its own.
int group_of(TensorId stage) {
    const TensorId of = is_gradient(stage) ? tensor_of_gradient(stage) : stage;
    if (of == TensorId::embeddings) return 0;  // what the places are filled with that a box does not need
    const auto box =
        std::ranges::find_if(kBoxes, [&](const auto& row) { return std::ranges::find(row, of) != row.end(); });
    return box == kBoxes.end() ? 0 : static_cast<int>(box - kBoxes.begin()) + 1;
}

// The boxes of one lane: forward, or `is_back` the gradients. In the order in which they are computed.
std::vector<Box> make_boxes(const Display& display, bool is_back) {
    std::vector<std::vector<TensorId>> groups;
    for (const TensorId stage : present_stages(display.state.inputs)) {
        if (is_gradient(stage) != is_back || hides_stage(display.state.view, stage)) continue;
        const int group = group_of(stage);
        if (group != 0 && !groups.empty() && group_of(groups.back().front()) == group) {
            groups.back().push_back(stage);
        } else {
            groups.push_back({stage});
        }
    }
    std::vector<Box> boxes;
    boxes.reserve(groups.size());
    for (std::vector<TensorId>& group : groups) boxes.push_back(make_box(display, std::move(group)));
    return boxes;
}

std::string shape_of(const Shown& shown, TensorId stage) {
    return concat(letters_of(shown, stage), " = ", numbers_of(shown, stage));
}

void put_stage_tooltip(const Display& display, TensorId stage) {
    const StageWords words = stage_words(stage, layer_parts(display.state.inputs), display.state.inputs.goal);
    const std::string change = stage_change_text(display, stage);
    put_tooltip(display, concat(stage_info(stage).name, " ", shape_of(display, stage)), words.formula,
                change.empty() ? words.meaning : concat(words.meaning, "\n", change));
}

// A corner of the box that says: something in here is changed by a typed number.
void draw_changed(const Display& display, TensorId stage, const ItemState& state) {
    constexpr float kInset = 4;
    constexpr float kSize = 26;
    if (stage_changes(display, stage).num_changed == 0) return;
    draw_change_mark(display, {state.max.x - kInset - kSize, state.min.y + kInset},
                     {state.max.x - kInset, state.min.y + kInset + kSize});
}

// The stages of a box share its room: each is an item as high as the box.
void draw_box(UiFrame& frame, const Box& box, float height) {
    const LockScope lock(frame, "stage", frame.palette.paper);
    const Palette& palette = frame.palette;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 opposite = {corner.x + box.width, corner.y + height};
    fill_box(corner, opposite, palette.panel, 8);
    const bool is_group = box.stages.size() > 1;
    const float shape_height = box.shape.empty() ? 0 : kSmallSize + kLineGap;
    const float text_top = corner.y + std::round((height - kTextSize - shape_height) / 2);
    const float part = box.width / static_cast<float>(box.stages.size());
    float x = corner.x;
    for (const TensorId stage : box.stages) {
        ImGui::SetCursorScreenPos({x, corner.y});
        ImGui::SetNextItemAllowOverlap();  // the chevrons at the ends lie over it
        const ItemState state = item(frame, concat("stage=", stage_info(stage).name), {part, height});
        if (is_group && !box.shape.empty()) frame.items.back().own_bottom = text_top + kTextSize;
        put_stage_tooltip(frame, stage);
        if (state.is_pressed) choose_stage(frame.next.view, stage);
        const bool is_shown = frame.state.view.stage == stage;
        if (state.is_focused)
            call_item(frame, state, concat("stage, ", stage_title(stage), is_shown ? ", chosen" : ""));
        if (state.is_hovered && !is_shown) {
            fill_box({state.min.x + 2, state.min.y + 2}, {state.max.x - 2, state.max.y - 2},
                     mix(palette.panel, palette.ink, state.is_held ? 0.12F : 0.05F), 6);
        }
        TextStyle title = bold(frame);
        const ImVec2 title_min = {state.min.x + (is_group ? 0 : kStagePadding), text_top};
        const ImVec2 title_max = {state.max.x, text_top + title.size};
        if (is_group && is_shown) title.color = palette.accent;
        draw_text_in(title_min, title_max, {is_group ? 0.5F : 0, 0.5F}, title, stage_title(stage));
        if (is_group && is_shown) {
            const float middle = (state.min.x + state.max.x) / 2;
            fill_box({middle - 8, title_max.y - 1}, {middle + 8, title_max.y + 1}, palette.accent, 1);
        }
        draw_changed(frame, stage, state);
        x += part;
    }
    const float shape_top = text_top + kTextSize + kLineGap;
    if (!box.shape.empty()) {
        // The letters, too, where the box has room for them: it is as wide whether it is chosen or not.
        std::string shape = box.is_chosen ? shape_of(frame, frame.state.view.stage) : box.shape;
        if (text_size(shape_style(frame), shape).x > box.width - 2 * kStagePadding) shape = box.shape;
        draw_text_in({corner.x + kStagePadding, shape_top}, {opposite.x - kStagePadding, shape_top + kSmallSize},
                     {is_group ? 0.5F : 0, 0.5F}, shape_style(frame), shape);
    }
    frame_box(corner, opposite, box.is_chosen ? palette.accent : palette.edge, box.is_chosen ? 2 : 1, 8);
}

// Keeps the chosen box in the middle of the strip whenever another one was chosen or the strip's width changed.
void follow_choice(const Display& display, float left, float width) {
    const int stage = static_cast<int>(display.state.view.stage);
    PanelMemory& memory = display.memory;
    if (memory.followed_stage == stage && memory.followed_width == ImGui::GetWindowWidth()) return;
    memory.followed_stage = stage;
    memory.followed_width = ImGui::GetWindowWidth();
    ImGui::SetScrollX(std::max(0.0F, left + width / 2 - ImGui::GetWindowWidth() / 2));
}

// Where the strip goes on: its boxes grow pale under a chevron, which scrolls on. A finger swipes: for it, it is no
// item.
void put_way_on(Canvas& canvas, bool is_right, ImVec2 corner, float height) {
    const float width = ImGui::GetWindowWidth();
    const ImVec2 min = {corner.x + (is_right ? width - kWayOn : 0), corner.y};
    const ImVec2 max = {min.x + kWayOn, corner.y + height};
    bool is_hovered = false;
    if (!canvas.is_touch) {
        ImGui::SetCursorScreenPos(min);
        ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // the arrow keys go from box to box
        const ItemState state = item(canvas, is_right ? "stages>" : "stages<", {kWayOn, height});
        ImGui::PopItemFlag();
        call_item(canvas, state, is_right ? "later stages" : "earlier stages");
        is_hovered = state.is_hovered;
        if (state.is_pressed) ImGui::SetScrollX(ImGui::GetScrollX() + (is_right ? 0.7F : -0.7F) * width);
    }
    const float middle = (min.x + max.x) / 2;
    const ImU32 paper = canvas.palette.paper;
    const ImU32 pale = (paper & ~IM_COL32_A_MASK) | (170U << IM_COL32_A_SHIFT);
    fill_box(min, max, pale, 0);
    fill_box({is_right ? middle - 6 : min.x, min.y}, {is_right ? max.x : middle + 6, max.y}, paper, 0);
    draw_icon(is_right ? Icon::right : Icon::left, {middle, (min.y + max.y) / 2}, 14,
              is_hovered ? canvas.palette.accent : canvas.palette.ink);
}

}  // namespace

namespace {

// Boxes side by side from `x` on, `spare` wider than they need, with arrows that point along the way.
void draw_lane(UiFrame& frame, std::vector<Box>& boxes, ImVec2 corner, float x, float height, float spare, Icon arrow) {
    for (Box& box : boxes) {
        box.width += spare;
        if (&box != &boxes.front()) {
            draw_icon(arrow, {corner.x + x - kArrow / 2, corner.y + height / 2}, 11, frame.palette.soft_ink);
        }
        ImGui::SetCursorScreenPos({corner.x + x, corner.y});
        draw_box(frame, box, height);
        if (box.is_chosen) follow_choice(frame, x, box.width);
        x += box.width + kArrow;
    }
}

float width_of(const std::vector<Box>& boxes) {
    float width = kArrow * (static_cast<float>(boxes.size()) - 1);
    for (const Box& box : boxes) width += box.width;
    return width;
}

float back_lane_height(const Look& look) {
    return look.is_touch ? 40.0F : kBackLane;
}

constexpr float kLayerWidth = 118;  // of the stepper of a model's layers, with its distance to the boxes

// What the stepper of layers takes; 0 where there is one layer. Apart, as all that a first picture has not
// (tools/split.mjs).
[[gnu::noinline]] float layers_width(const Inputs& inputs) {
    const std::shared_ptr<const OpenModel> model = open_model_of(inputs);
    return model && model->shape().num_layers > 1 ? kLayerWidth : 0;
}

// "‹ layer 2 of 2 ›" before the boxes, for a model of several layers.
[[gnu::noinline]] void put_layers(UiFrame& frame, ImVec2 corner, float height) {
    const int num_layers = open_model_of(frame.state.inputs)->shape().num_layers;
    const LockScope lock(frame, "layer", frame.palette.paper);
    const int layer = frame.state.inputs.layer;
    const std::string value = concat(layer + 1);
    const TextStyle style = shape_style(frame);
    const float control = control_height(frame);
    const bool has_label = height >= control + style.size + 2;
    const float top = corner.y + (height - control - (has_label ? style.size + 2 : 0)) / 2;
    if (has_label) draw_text({corner.x, top}, style, concat("layer of ", num_layers));
    ImGui::SetCursorScreenPos({corner.x, has_label ? top + style.size + 2 : top});
    const StepperLook look = {.can_decrease = layer > 0, .can_increase = layer + 1 < num_layers};
    const StepperEvent event = stepper(frame, "layer", value, look, kLayerWidth - 20);
    if (event.step != 0) frame.next.inputs.layer = std::clamp(layer + event.step, 0, num_layers - 1);
    if (event.typed) set_value(frame, "layer", *event.typed);
}

}  // namespace

void draw_stages(UiFrame& frame) {
    const float layers = frame.state.inputs.model.empty() ? 0 : layers_width(frame.state.inputs);
    const float margin = frame.is_folded ? 8 : frame.layout == LayoutKind::phone ? 12 : kMargin;
    const float height = frame.is_folded ? folded_height(frame) : frame.is_touch ? 52.0F : 46.0F;
    std::vector<Box> boxes = make_boxes(frame, false);
    std::vector<Box> back = make_boxes(frame, true);
    // Folded, there is one line: the way back follows on the way there. Else it runs below it, from right to left.
    if (frame.is_folded) {
        boxes.insert(boxes.end(), std::make_move_iterator(back.begin()), std::make_move_iterator(back.end()));
        back.clear();
    }
    std::reverse(back.begin(), back.end());
    const float needed = std::max(width_of(boxes), back.empty() ? 0 : width_of(back));
    // The first target that is painted brings the way back: its room is kept, so that no cell moves under the pointer.
    const bool has_lane = !back.empty() || (is_painting_cells(frame) && !frame.is_folded);
    const float lane = has_lane ? kLaneGap + back_lane_height(frame) : 0;

    const float room = frame.is_folded ? 2 : 6;  // around the boxes, for the focus ring
    const bool follows_tokens = frame.is_folded && shows_part(frame, "tokens");
    if (!follows_tokens) ImGui::SetCursorPosX(0);
    if (layers > 0) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float before = follows_tokens ? 0 : margin;
        put_layers(frame, {start.x + before, start.y + room}, height);
        ImGui::SetCursorScreenPos({start.x + before + layers - margin, start.y});
    }
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::SetNextWindowContentSize({std::max(needed + 2 * margin, width), 0});
    ImGui::BeginChild("stages", {width, height + lane + 2 * room}, ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_HorizontalScrollbar);
    const auto spare = [&](const std::vector<Box>& lane_boxes) {
        const float free = std::max(width - 2 * margin, needed) - width_of(lane_boxes);
        return std::max(0.0F, free / static_cast<float>(lane_boxes.size()));
    };
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 corner = {ImGui::GetWindowPos().x, origin.y + room};
    const float scroll = ImGui::GetScrollX();
    const bool goes_left = scroll > 1;
    const bool goes_right = scroll < ImGui::GetScrollMaxX() - 1;
    draw_lane(frame, boxes, {origin.x, origin.y + room}, margin, height, spare(boxes), Icon::arrow);
    if (!back.empty()) {
        draw_lane(frame, back, {origin.x, origin.y + room + height + kLaneGap}, margin, back_lane_height(frame),
                  spare(back), Icon::left);
    }
    if (goes_left) put_way_on(frame, false, corner, height + lane);
    if (goes_right) put_way_on(frame, true, corner, height + lane);
    // The wheel goes along the strip: there is nothing to scroll downwards.
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel != 0 && ImGui::IsWindowHovered()) ImGui::SetScrollX(ImGui::GetScrollX() - wheel * 40);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
