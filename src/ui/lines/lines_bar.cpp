// Above the lines: the heads, whether they are combined, and what a click on a token does.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/numbers/heads_together.h"
#include "ui/frame/frame.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/widgets.h"
#include "ui/lines/lines_picture.h"

namespace attn {
namespace {

constexpr int kMostChips = 16;  // with more heads, arrows step through them
constexpr float kSquare = 10;
constexpr float kPadding = 9;
constexpr float kGap = 6;
constexpr float kFarGap = 18;
constexpr float kLabelDistance = 10;

// Places pieces one after another and wraps to a new line where one is full.
class Flow {
public:
    Flow() : left_(ImGui::GetCursorPosX()), room_(ImGui::GetContentRegionAvail().x) {}

    // Moves the cursor to where a piece of `width` goes.
    void place(float width, float distance) {
        const bool fits = !is_first_ && used_ + distance + width <= room_;
        if (fits) {
            ImGui::SameLine(0, distance);
        } else if (!is_first_) {
            ImGui::SetCursorPosX(left_);
        }
        used_ = fits ? used_ + distance + width : width;
        is_first_ = false;
    }

private:
    float left_, room_;
    float used_ = 0;
    bool is_first_ = true;
};

float chip_width(const Look& look, std::string_view label, bool has_square) {
    const float needed = text_size(bold(look), label).x + 2 * kPadding + (has_square ? kSquare + 6 : 0);
    return std::max(needed, look.is_touch ? 40.0F : 0.0F);
}

// A chip of a colour is that of a head.
bool put_chip(Canvas& canvas, const std::string& name, std::string_view label, std::optional<ImU32> color,
              bool is_chosen) {
    const Palette& palette = canvas.palette;
    const ItemState state = item(canvas, name, {chip_width(canvas, label, color.has_value()), control_height(canvas)});
    if (state.is_focused)
        call_item(canvas, state, concat(color ? "Head " : "heads, ", label, is_chosen ? ", chosen" : ""));
    if (is_chosen || state.is_hovered) fill_box(state.min, state.max, palette.chip);
    frame_box(state.min, state.max, is_chosen ? palette.accent : palette.edge, is_chosen ? 2 : 1);
    float x = state.min.x + kPadding;
    if (color) {
        const float middle = state.center().y;
        fill_box({x, middle - kSquare / 2}, {x + kSquare, middle + kSquare / 2}, *color, 3);
        x += kSquare + 6;
    }
    const TextStyle style = is_chosen ? bold(canvas) : body(canvas);
    draw_text_in({x, state.min.y}, {state.max.x - kPadding, state.max.y}, {0.5F, 0.5F}, style, label);
    return state.is_pressed;
}

void look_at(View& view, std::optional<int> head) {
    view.head = head;
    if (head && view.cell && stage_info(view.stage).has_heads) view.cell->head = *head;
}

// "All ■1 ■2": which head's lines are drawn.
void put_head_chips(UiFrame& frame, const ShownWeights& weights, Flow& flow) {
    const View& view = frame.state.view;
    View& next = frame.next.view;
    flow.place(chip_width(frame, "All", false), 0);
    if (put_chip(frame, "head=all", "All", std::nullopt, !view.head)) look_at(next, std::nullopt);
    for (int h = 0; h < weights.num_heads(); ++h) {
        const std::string label = concat(h + 1);
        flow.place(chip_width(frame, label, true), kGap);
        const bool is_chosen = view.head == h;
        if (put_chip(frame, concat("head=", h + 1), label, lines_color(frame, weights, h), is_chosen)) {
            look_at(next, is_chosen ? std::nullopt : std::optional(h));
        }
        put_tooltip(frame, concat("Head ", h + 1), {}, is_chosen ? "again: all heads" : "its lines alone");
    }
}

// "All ‹ ■ head 3 of 96 ›"
void put_head_stepper(UiFrame& frame, int count, Flow& flow) {
    const View& view = frame.state.view;
    View& next = frame.next.view;
    flow.place(chip_width(frame, "All", false), 0);
    if (put_chip(frame, "head=all", "All", std::nullopt, !view.head)) look_at(next, std::nullopt);
    const float side = control_height(frame) + 4;
    const int shown = view.head.value_or(-1);
    flow.place(side, kGap);
    if (icon_button(frame, "head-", Icon::left, "Previous head", shown > 0)) look_at(next, shown - 1);
    const std::string label = shown < 0 ? concat(count, " heads") : concat("head ", shown + 1, " of ", count);
    const float width = text_size(body(frame), label).x;
    flow.place(width, kGap);
    put_text(body(frame), label, side);
    flow.place(side, kGap);
    if (icon_button(frame, "head+", Icon::right, "Next head", shown + 1 < count)) look_at(next, shown + 1);
}

// A row of choices with its label on the left. Returns the one that was chosen now.
std::optional<int> put_labelled(Canvas& canvas, std::string_view label, float label_width,
                                const std::vector<Segment>& segments, int chosen, float width) {
    ImGui::BeginGroup();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_text_in(corner, {corner.x + label_width, corner.y + control_height(canvas)}, {0, 0.5F}, body(canvas), label);
    ImGui::SetCursorScreenPos({corner.x + label_width, corner.y});
    const std::optional<int> index = segmented(canvas, segments, chosen, width, label);
    ImGui::EndGroup();
    return index;
}

// The link's key "combine"; on a phone without its label.
void put_combine(UiFrame& frame, Flow& flow) {
    const KeyInfo& info = key_info("combine");
    const std::vector<Segment> segments = {{.name = "combine=none", .label = "each"},
                                           {.name = "combine=mean", .label = "mean"},
                                           {.name = "combine=max", .label = "max"}};
    const bool is_small = frame.is_small();
    const std::string_view label = is_small ? "" : "heads";
    const float label_width = is_small ? 0 : text_size(body(frame), label).x + kLabelDistance;
    const float width = segmented_width(frame, segments);
    flow.place(label_width + width, kFarGap);
    const int chosen = static_cast<int>(frame.state.view.combine);
    const std::optional<int> index = put_labelled(frame, label, label_width, segments, chosen, width);
    if (index) set_value(frame, "combine", info.choices[static_cast<std::size_t>(*index)]);
}

// Chooses what a click does, so that a finger or a single hand needs no Shift and no Ctrl.
void put_tools(Display& display, Flow& flow) {
    constexpr std::array kTools = {LinesTool::pin, LinesTool::target, LinesTool::select};
    LinesMemory& memory = lines_memory(display.memory);
    const std::vector<Segment> segments = {{.name = "tool=pin", .label = "pin"},
                                           {.name = "tool=target", .label = "target"},
                                           {.name = "tool=select", .label = "select"}};
    const std::string label = display.is_touch ? "tap to" : "click to";
    const float label_width = text_size(body(display), label).x + kLabelDistance;
    const float width = segmented_width(display, segments);
    flow.place(label_width + width, kFarGap);
    const int chosen = static_cast<int>(memory.tool);
    if (const auto index = put_labelled(display, label, label_width, segments, chosen, width)) {
        memory.tool = kTools[static_cast<std::size_t>(*index)];
        memory.target_from.reset();
    }
}

}  // namespace

void put_lines_bar(UiFrame& frame) {
    const ShownWeights& weights = shown_weights(frame);
    const int num_heads = frame.evaluation.sizes.num_heads;
    ImGui::Dummy({1, 2});
    Flow flow;
    if (weights.is_combined()) {
        const std::string title = combined_title(frame.state.view.combine, num_heads);
        flow.place(text_size(bold(frame), title).x, 0);
        put_text(bold(frame), title, control_height(frame));
    } else if (num_heads > kMostChips) {
        put_head_stepper(frame, num_heads, flow);
    } else if (num_heads > 1) {
        put_head_chips(frame, weights, flow);
    }
    if (num_heads > 1) put_combine(frame, flow);
    put_tools(frame, flow);
}

}  // namespace attn
