// Chips and cards, in as many lines as they need.
#include "ui/views/door_ways.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "playground/link/hiding.h"
#include "playground/link/legal.h"
#include "playground/state/origin.h"
#include "ui/frame/layout.h"
#include "ui/kit/lock.h"
#include "ui/kit/widgets.h"
#include "views/door/door_text.h"

namespace attn {
namespace {

constexpr float kCardPadding = 14;
constexpr float kNarrowCard = 170;  // a narrower card has its title alone

TextStyle large_text(const Look& look, ImU32 ink) {
    return {look.fonts.sans_bold, kTitleSize, ink};
}

float large_button_height(const Look& look) {
    return control_height(look) + (look.is_touch ? 10 : 18);
}

float chip_width(const Look& look, std::string_view label) {
    return text_size(body(look), label).x + 2 * 14;
}

// A sentence to start from; its frame is the accent's while it is the one that is shown.
bool chip(Canvas& canvas, const std::string& name, std::string_view label, bool is_chosen,
          std::string_view words = {}) {
    const ItemState state =
        item(canvas, name, {chip_width(canvas, label), control_height(canvas) + (canvas.is_touch ? 0.0F : 6.0F)});
    const Palette& palette = canvas.palette;
    const float round = (state.max.y - state.min.y) / 2;
    const std::string_view called = words.empty() ? label : words;
    if (state.is_focused) call_item(canvas, state, is_chosen ? concat(called, ", chosen") : std::string(called));
    fill_box(state.min, state.max, state.is_hovered ? palette.chip : palette.panel, round);
    frame_box(state.min, state.max, is_chosen ? palette.accent : palette.edge, 1, round);
    TextStyle style = body(canvas);
    if (is_chosen) style.color = palette.link;
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, style, label);
    return state.is_pressed;
}

float card_height(const Look& look, const Door& door, float width) {
    const float room = width - 2 * kCardPadding;
    const float help = width < kNarrowCard ? 0 : wrapped_height(small(look), door.help, room) + 4;
    return wrapped_height(large_text(look, look.palette.ink), door.title, room) + help + 2 * (kCardPadding - 3);
}

constexpr float kCardGap = 14;

// The doors that the page's author leaves open, in as many columns as there is room for.
struct DoorGrid {
    DoorGrid(const Display& display, float width);
    float height() const {
        const std::size_t rows = (open.size() + columns - 1) / columns;
        return rows == 0 ? 0 : static_cast<float>(rows) * (card.y + kCardGap) - kCardGap;
    }
    std::vector<const Door*> open;
    std::size_t columns = 1;
    ImVec2 card = {0, 0};
};

bool put_card(Canvas& canvas, const Door& door, ImVec2 size) {
    const ItemState state = item(canvas, concat("door=", door.name), size);
    const Palette& palette = canvas.palette;
    if (state.is_focused) call_item(canvas, state, concat(door.title, ": ", door.help));
    fill_box(state.min, state.max, state.is_hovered ? palette.chip : palette.panel, 12);
    frame_box(state.min, state.max, state.is_hovered ? palette.accent : palette.edge, 1, 12);
    ImGui::SetCursorScreenPos({state.min.x + kCardPadding, state.min.y + kCardPadding - 4});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + size.x - 2 * kCardPadding);
    put_wrapped_text(large_text(canvas, palette.link), door.title);
    if (size.x >= kNarrowCard) put_wrapped_text(small(canvas), door.help);
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos(state.min);
    ImGui::Dummy(size);
    return state.is_pressed;
}

}  // namespace

ImVec2 large_button_size(const Look& look, std::string_view label) {
    return {text_size(large_text(look, look.palette.on_accent), label).x + 2 * 22, large_button_height(look)};
}

bool large_button(Canvas& canvas, const std::string& name, std::string_view label) {
    const ItemState state = item(canvas, name, large_button_size(canvas, label));
    const Palette& palette = canvas.palette;
    const ImU32 ground = state.is_held      ? mix(palette.accent, palette.ink, 0.25F)
                         : state.is_hovered ? mix(palette.accent, palette.ink, 0.12F)
                                            : palette.accent;
    if (state.is_focused) call_item(canvas, state, label);
    fill_box(state.min, state.max, ground, 10);
    draw_text_in(state.min, state.max, {0.5F, 0.5F}, large_text(canvas, palette.on_accent), label);
    return state.is_pressed;
}

[[gnu::noinline]] void put_ways_to_read(UiFrame& frame, float width) {
    const LockScope lock(frame, "model", frame.palette.paper);
    bool is_first = true;
    for (const DoorReading& reading : door_readings()) {
        const bool is_pressed = is_first ? large_button(frame, reading.name, reading.label)
                                         : button(frame, reading.name, reading.label, ButtonKind::quiet);
        if (is_pressed) make_trained(frame.next.inputs, reading.model);
        const ImVec2 size = ImGui::GetItemRectSize();
        const bool has_room = size.x + 14 + text_size(body(frame), reading.help).x <= width;
        if (has_room) ImGui::SameLine(0, 14);
        put_text(body(frame), reading.help, has_room ? size.y : 0);
        is_first = false;
    }
}

// Not inlined: a first picture has none.
[[gnu::noinline]] void put_way_back(UiFrame& frame) {
    const LockScope lock(frame, "model", frame.palette.paper);
    if (large_button(frame, "read=random", kReadRandom)) make_random(frame.next.inputs);
}

void ChipRow::next(float width) {
    constexpr float kGap = 8;
    const bool is_beside = !is_first_ && end_ + kGap + width <= left_ + width_;
    if (is_beside) ImGui::SameLine(0, kGap);
    end_ = (is_beside ? end_ + kGap : left_) + width;
    is_first_ = false;
}

ChipRow put_sentence_chips(UiFrame& frame, float width) {
    ChipRow row(width);
    const LockScope lock(frame, "text", frame.palette.paper);
    int number = 0;
    for (const DoorStart& start : door_starts()) {
        row.next(chip_width(frame, start.label));
        if (chip(frame, concat("start=", ++number), start.label, shown_sentence(frame.state) == start.text))
            start_with(frame.next, start.text);
    }
    return row;
}

// Where the scene is another than at first. Not inlined: it comes with a later part of the page.
[[gnu::noinline]] void put_start_over(UiFrame& frame, ChipRow& row) {
    PlaygroundState first = frame.state;
    start_over(first);
    clamp_to_legal(first);
    if (first == frame.state) return;
    row.next(chip_width(frame, "start over"));
    if (chip(frame, "start=over", "start over", false, "start over with the first sentence")) start_over(frame.next);
}

void put_door_starts(UiFrame& frame, float width, bool has_begun) {
    ImGui::Dummy({1, 8});
    put_wrapped_text(small(frame), "Type your own sentence above, or try one of these:");
    ChipRow row = put_sentence_chips(frame, width);
    if (has_begun) put_start_over(frame, row);
}

DoorGrid::DoorGrid(const Display& display, float width) {
    constexpr float kNarrowRow = 640;
    for (const Door& door : doors())
        if (shows_part(display, std::string(door.part).c_str())) open.push_back(&door);
    columns = std::max<std::size_t>(1, std::min<std::size_t>(open.size(), width < kNarrowRow ? 2 : 4));
    const float gaps = kCardGap * static_cast<float>(columns - 1);
    card.x = std::floor((width - gaps) / static_cast<float>(columns));
    for (const Door* door : open) card.y = std::max(card.y, card_height(display, *door, card.x));
}

float doors_height(const Display& display, float width) {
    return DoorGrid(display, width).height();
}

void put_doors(UiFrame& frame, const DoorDrawing& drawing, float width) {
    const DoorGrid grid(frame, width);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    for (std::size_t k = 0; k < grid.open.size(); ++k) {
        const auto column = static_cast<float>(k % grid.columns), row = static_cast<float>(k / grid.columns);
        ImGui::SetCursorScreenPos(
            {corner.x + column * (grid.card.x + kCardGap), corner.y + row * (grid.card.y + kCardGap)});
        const Door& door = *grid.open[k];
        const LockScope lock(frame, door.part == "lessons" ? "lesson" : "view", frame.palette.paper);
        if (!put_card(frame, door, grid.card)) continue;
        go_through(frame.next, door.name, drawing);
        frame.heads.is_painting = door.name == "teach";
    }
    ImGui::SetCursorScreenPos(corner);
    ImGui::Dummy({width, grid.height()});
}

}  // namespace attn
