// view=stacked on the screen: the layout of the scene, and cells that the renderer draws.
#include "ui/views/stacked.h"

#include "views/stacked/stacked_scene.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/scene_pen.h"
#include "ui/kit/touch.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/matrix_map.h"

namespace attn {

// What decides the layout.
struct StackedKey {
    std::uint64_t count;  // of the picture
    StackedLayout layout;

    bool operator==(const StackedKey&) const = default;
};

// What is slow to compute; for one evaluation.
struct StackedMemory {
    int version = -1;
    std::uint64_t blanks = 0;  // Blanks::name
    std::uint64_t count = 0;
    StackedPicture picture;  // NaN where a number is blank
    KeptScene<StackedKey> scene;
};

namespace {

void draw_readout(const Display& display, const HeadBlock& block, const Place& place, bool is_blank,
                  const ScreenBox& cell) {
    const int column = block.first_column + place.column;
    const std::string row = block.has_tokens ? token_text(display.evaluation, place.row) : concat("row ", place.row);
    const std::string where = concat(row, " · head ", column / block.head_dim + 1, " · column ", column);
    if (begin_tip(cell)) {
        put_text(small(display), block.name);
        put_text(body(display), shortened(body(display), where, 320));
        if (shows_part(display, "values")) {
            put_text(bold(display),
                     is_blank ? "?" : shown_number(static_cast<double>(block.values(place.row, place.column))));
        }
        end_tip();
    }
}

// The numbers of a matrix in their place; `slot` is the renderer's slot for them.
void draw_cells(const UiFrame& frame, const HeadBlock& block, const Blanks& blanks, std::uint64_t count, int slot,
                ImVec2 min, ImVec2 size) {
    MatrixMap map = {
        .values = block.values, .range = diverging_range(block.largest), .slot = slot, .version = own_version(count)};
    map.corner = on_pixel(min);
    map.size = size;
    map.shows_values = shows_part(frame, "values");
    map.blank = stacked_blanks(blanks, block);
    const bool is_dark = frame.palette.is_dark;
    map.band = [&block, is_dark](int column) { return to_imgui(head_color(block.head_of(column), is_dark)); };
    if (ImGui::IsWindowHovered()) map.lit = map.place_at(ImGui::GetMousePos());
    draw_matrix_map(frame, map);
    if (!map.lit || frame.is_touch) return;
    const Place& place = *map.lit;
    const bool is_blank = map.blank.size() > 0 && map.blank(place.row, place.column) != 0;
    draw_readout(frame, block, place, is_blank,
                 {map.cell_min(place.row, place.column), map.cell_max(place.row, place.column)});
}

// The renderer draws the cells: the layout leaves room for them.
FigureBlock room_for_cells(const HeadBlock&, const MapGrid& grid) {
    FigureBlock room;
    room.width = grid.width();
    room.height = kStackedBand + grid.height();
    return room;
}

StackedPicture picture_without(const Blanks& blanks, const Evaluation& evaluation) {
    StackedPicture picture = stacked_picture(evaluation);
    const auto take_out = [&](std::vector<HeadBlock>& blocks) {
        for (HeadBlock& block : blocks) {
            const Flags blank = stacked_blanks(blanks, block);
            for (std::size_t k = 0; k < blank.size(); ++k) {
                if (elements(blank)[k] != 0) elements(block.values)[k] = std::numeric_limits<float>::quiet_NaN();
            }
        }
    };
    for (std::vector<HeadBlock>& blocks : picture.singles) take_out(blocks);
    take_out(picture.whole);
    return picture;
}

void put_picture(const UiFrame& frame, StackedMemory& memory, const Sizes& sizes, float width) {
    const StackedLayout layout = {
        .width = static_cast<double>(width), .highest = 260, .smallest = 0, .cell = FigurePoint{.x = 40, .y = 22}};
    const FigureBlock& scene = memory.scene.at(frame, {memory.count, layout}, [&](const SceneStyle& style) {
        return stacked_scene(style, memory.picture, sizes, layout, room_for_cells);
    });
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    put_scene(frame, scene);
    const Blanks blanks(frame.state);
    int slot = 0;
    const auto draw_next = [&](const HeadBlock& block) {
        const FigureBox& box = scene.places[static_cast<std::size_t>(slot)].box;
        const ImVec2 min = {corner.x + static_cast<float>(box.left), corner.y + static_cast<float>(box.top)};
        const ImVec2 size = {static_cast<float>(box.right - box.left), static_cast<float>(box.bottom - box.top)};
        draw_cells(frame, block, blanks, memory.count, slot++, min, size);
    };
    for (const std::vector<HeadBlock>& blocks : memory.picture.singles) {
        for (const HeadBlock& block : blocks) draw_next(block);
    }
    for (const HeadBlock& block : memory.picture.whole) draw_next(block);
    draw_next(memory.picture.difference);
}

}  // namespace

void draw_stacked(UiFrame& frame) {
    if (frame.evaluation.is_empty()) return;
    if (!frame.memory.stacked) frame.memory.stacked = std::make_shared<StackedMemory>();
    StackedMemory& memory = *frame.memory.stacked;
    const Blanks blanks(frame.state);
    if (memory.version != frame.version || memory.blanks != blanks.name()) {
        memory.version = frame.version;
        memory.blanks = blanks.name();
        ++memory.count;
        memory.picture = picture_without(blanks, frame.evaluation);
    }
    const Sizes& sizes = frame.evaluation.sizes;

    ImGui::BeginChild("stacked", {0, 0}, ImGuiChildFlags_NavFlattened);
    const float width = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
    ImGui::Dummy({1, 2});
    put_wrapped_text(bold(frame),
                     concat("One by one or cut from one matrix: ", stacked_in_words(memory.picture.stacked)));
    for (const std::string& sentence : stacked_omissions(memory.picture, sizes)) {
        put_wrapped_text(small(frame), sentence);
    }
    ImGui::Dummy({1, 6});
    put_picture(frame, memory, sizes, width);
    scroll_by_finger(frame);
    ImGui::EndChild();
}

}  // namespace attn
