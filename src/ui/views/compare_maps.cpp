// Where the maps of a comparison stand, and what pointer and keys do on them.
#include "ui/views/compare_maps.h"
#include "ui/frame/heads_work.h"

#include <imgui_internal.h>  // vector arithmetic, key ownership

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "ui/frame/layout.h"
#include "ui/frame/pins.h"
#include "ui/kit/widgets.h"
#include "ui/matrix/heads_axes.h"
#include "ui/matrix/heads_grid.h"
#include "views/stage/shown_stage.h"

namespace attn {
namespace {

constexpr std::array<const char*, 3> kNames = {"map=A", "map=B", "map=A-B"};
constexpr std::array<const char*, 3> kChoices = {"show=A", "show=B", "show=A-B"};
constexpr float kWidestLabel = 92;

struct Picture {
    UiFrame& frame;
    const Compared& compared;
    std::vector<const Matrix*> matrices;
    std::optional<Place> pinned = {}, pointed = {};
};

Compared compared_in(Display& display, const Evaluation& b, const CompareMemory& memory) {
    const StageInfo& info = stage_info(memory.key.stage);
    Compared compared = {.a = display.evaluation,
                         .b = b,
                         .info = info,
                         .comparison = memory.comparison,
                         .head_a = memory.key.head_a,
                         .head_b = memory.key.head_b};
    if (!info.is_signed) {
        const ShownStage stage = shown_stage(display.evaluation, display.version, info.id, display.heads.stage);
        remember_shown(display.heads, stage, nullptr);
        compared.stage_range = stage.range;
    }
    return compared;
}

Picture make_picture(UiFrame& frame, const Compared& compared) {
    Picture picture = {.frame = frame, .compared = compared, .matrices = compared.matrices()};
    if (frame.state.view.cell) picture.pinned = {frame.state.view.cell->row, frame.state.view.cell->column};
    if (frame.hover.cell) picture.pointed = {frame.hover.cell->row, frame.hover.cell->column};
    return picture;
}

std::function<std::string(int)> labels_of(const Picture& picture, int index, bool is_column) {
    return [&picture, index, is_column](int line) {
        return picture.compared.label(static_cast<std::size_t>(index), is_column, line);
    };
}

// Room for labels: the same for all maps, which gives them equal cells.
struct Room {
    float left = 0, top = 0, right = 0;
};

Room measure_labels(const Picture& picture) {
    Room room;
    float widest_column = 0;
    for (int k = 0; k < static_cast<int>(picture.matrices.size()); ++k) {
        const Matrix& matrix = *picture.matrices[static_cast<std::size_t>(k)];
        room.left = std::max(
            room.left, 8 + label_width(picture.frame, length(matrix, 0), labels_of(picture, k, false), kWidestLabel));
        widest_column = std::max(
            widest_column, label_width(picture.frame, length(matrix, 1), labels_of(picture, k, true), kWidestLabel));
    }
    const bool is_slanted = picture.compared.has_keys() && widest_column > kMapLabelSize * 1.1F;
    room.top = is_slanted ? widest_column * std::sin(kSlant) + kMapLabelSize / 2 + 8 : kMapLabelSize + 7;
    if (is_slanted) room.top = std::max(room.top, 2 * kMapLabelSize + 1);
    room.right = is_slanted ? std::ceil(widest_column * std::cos(kSlant)) + 5 : 0;
    room.top = std::ceil(room.top);
    return room;
}

GridWish wish_for(const Picture& picture, const Room& labels, ImVec2 room) {
    constexpr float kReadable = 12;
    constexpr float kPrinted = 22;  // a cell with a number in it
    constexpr float kSmallestMap = 160;
    GridWish wish;
    wish.count = picture.frame.is_small() ? 1 : static_cast<int>(picture.matrices.size());
    for (const Matrix* matrix : picture.matrices) {
        wish.rows = std::max(wish.rows, length(*matrix, 0));
        wish.columns = std::max(wish.columns, length(*matrix, 1));
    }
    wish.is_square = picture.compared.has_keys();
    wish.left = labels.left;
    wish.top = labels.top + control_height(picture.frame);
    set_overhang(wish, labels.right, 0);
    wish.distance = {14, 18};
    wish.largest = wish.is_square ? ImVec2(120, 120) : ImVec2(110, 60);
    const auto rows = static_cast<float>(wish.rows);
    const auto columns = static_cast<float>(wish.columns);
    wish.smallest = {std::min(kReadable, kSmallestMap / columns), std::min(kReadable, kSmallestMap / rows)};
    // Cells print their numbers where one map of such cells fits, though the room is then scrolled.
    const ImVec2 inside = {room.x - wish.left - wish.right - wish.overhang, room.y - wish.top};
    if (inside.x >= kPrinted * columns && inside.y >= kPrinted * rows) wish.smallest = {kPrinted, kPrinted};
    wish.scrolling = {std::min(kPrinted, kSmallestMap * 1.5F / columns),
                      std::min(kPrinted, kSmallestMap * 1.5F / rows)};
    return wish;
}

void draw_title(const Picture& picture, int index, ImVec2 min, float width) {
    constexpr float kSquare = 11;
    const Look& look = picture.frame;
    const float middle = min.y + control_height(look) / 2;
    const auto map = static_cast<std::size_t>(index);
    if (picture.compared.has_head(map)) {
        fill_box({min.x, middle - kSquare / 2}, {min.x + kSquare, middle + kSquare / 2},
                 to_imgui(head_color(picture.compared.head(map), look.palette.is_dark)), 3);
        min.x += kSquare + 8;
        width -= kSquare + 8;
    }
    const TextStyle style = {look.fonts.sans_bold, kTitleSize, look.palette.ink};
    const std::string title = shortened(style, picture.compared.title(map), width);
    draw_text({min.x, middle - style.size / 2}, style, title);
}

void pin(Wishes& wishes, const CompareMemory& memory, const Place& place) {
    const bool has_heads = stage_info(memory.key.stage).has_heads;
    wishes.next.view.cell = Cell{.head = has_heads ? memory.key.head_a : 0, .row = place.row, .column = place.column};
}

// a, b and a - b, beside the cell.
void draw_readout(const Picture& picture, const Place& place, const ScreenBox& cell) {
    const Display& display = picture.frame;
    if (begin_tip(cell)) {
        put_text(body(display), shortened(body(display), picture.compared.cell_in_words(0, place), 320));
        for (std::size_t k = 0; shows_part(display, "values") && k < picture.matrices.size(); ++k) {
            put_text(k == 2 ? bold(display) : body(display),
                     concat(compared_name(k), " ", compared_value(*picture.matrices[k], place)));
        }
        end_tip();
    }
}

struct Move {
    ImGuiKey key;
    int rows, columns;
};
constexpr std::array<Move, 4> kMoves = {
    {{ImGuiKey_UpArrow, -1, 0}, {ImGuiKey_DownArrow, 1, 0}, {ImGuiKey_LeftArrow, 0, -1}, {ImGuiKey_RightArrow, 0, 1}}};

// As in the heat maps: Enter goes into the cells, the arrows move the pinned one, Escape leaves.
void move_with_keys(const Picture& picture, const std::string& name, bool is_focused, const CompareMemory& memory) {
    if (!takes_arrows(picture.frame, name, is_focused)) return;
    const ImGuiID id = ImGui::GetItemID();
    const Place now = picture.pinned.value_or(Place{});
    if (!picture.pinned) pin(picture.frame, memory, now);
    for (const Move& move : kMoves) {
        if (!ImGui::IsKeyPressed(move.key, ImGuiInputFlags_Repeat, id)) continue;
        const Matrix& a = picture.compared.comparison.a;
        pin(picture.frame, memory,
            {.row = std::clamp(now.row + move.rows, 0, length(a, 0) - 1),
             .column = std::clamp(now.column + move.columns, 0, length(a, 1) - 1)});
    }
}

// "map of A: press Enter, ...", or the numbers of the pinned cell in A and B while the arrow keys move it.
std::string words_of_map(const Picture& picture, const std::string& name, std::size_t map) {
    if (picture.frame.widgets.held_item != name || !picture.pinned)
        return concat("map of ", compared_name(map), ": press Enter, then walk with the arrow keys");
    return shows_part(picture.frame, "values") ? picture.compared.place_in_words(picture.pinned)
                                               : picture.compared.cell_in_words(0, *picture.pinned);
}

// The cells of one map are one item: the pointer finds its cell by arithmetic.
void put_cells(const Picture& picture, const MatrixMap& map, int index, CompareMemory& memory) {
    UiFrame& frame = picture.frame;
    ImGui::SetCursorScreenPos(map.corner);
    const std::string name = kNames[static_cast<std::size_t>(index)];
    const ItemState state = item(frame, name, map.size);
    move_with_keys(picture, name, state.is_focused, memory);
    if (state.is_focused) call_item(frame, state, words_of_map(picture, name, static_cast<std::size_t>(index)));
    const std::optional<Place> place = state.is_hovered ? map.place_at(ImGui::GetMousePos()) : std::nullopt;
    if (!place) return;
    const bool has_heads = picture.compared.info.has_heads;
    // A cell that B has and A has not can be read, but not pinned: the pin is of A's stage.
    const bool lies_in_a = place->row < length(picture.compared.comparison.a, 0) &&
                           place->column < length(picture.compared.comparison.a, 1);
    frame.next_hover.cell = Cell{.head = has_heads ? memory.key.head_a : 0, .row = place->row, .column = place->column};
    if (!lies_in_a) frame.next_hover.cell.reset();
    if (state.is_pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && lies_in_a) {
        const bool is_pinned = picture.pinned == place;
        if (is_pinned) frame.next.view.cell.reset();
        if (!is_pinned) pin(frame, memory, *place);
    }
    if (!frame.is_touch) {
        draw_readout(picture, *place,
                     {map.cell_min(place->row, place->column), map.cell_max(place->row, place->column)});
    }
}

// Which map a small canvas shows: at the right end of the title's line, `width` wide. Returns what the title leaves.
float put_choice(const Picture& picture, ImVec2 line, float width, int shown, CompareMemory& memory) {
    std::vector<Segment> segments;
    for (std::size_t k = 0; k < picture.matrices.size(); ++k)
        segments.push_back({kChoices[k], std::string(compared_name(k))});
    const float needed = segmented_width(picture.frame, segments);
    ImGui::SetCursorScreenPos({line.x + width - needed, line.y});
    if (const auto chosen = segmented(picture.frame, segments, shown, needed, "map"))
        memory.shown = static_cast<std::size_t>(*chosen);
    return width - needed - 8;
}

// The map `index` at the place `place` of the grid.
void put_map(const Picture& picture, const HeadsGrid& grid, const Room& labels, ImVec2 origin, int place, int index,
             CompareMemory& memory) {
    const Matrix& matrix = *picture.matrices[static_cast<std::size_t>(index)];
    const StageRange range = picture.compared.range(static_cast<std::size_t>(index));
    MatrixMap map = {.values = matrix,
                     .range = {.map = picture.compared.colors(static_cast<std::size_t>(index)),
                               .low = range.low,
                               .high = range.high},
                     .slot = index,
                     .version = own_version(memory.count)};
    map.corner = on_pixel(origin + grid.corner(place));
    map.size = {grid.map.x * static_cast<float>(length(matrix, 1)) / static_cast<float>(grid.wish.columns),
                grid.map.y * static_cast<float>(length(matrix, 0)) / static_cast<float>(grid.wish.rows)};
    map.shows_values = shows_part(picture.frame, "values");
    map.row_label = labels_of(picture, index, false);
    map.column_label = labels_of(picture, index, true);
    map.left = labels.left;
    map.top = labels.top;
    if (lies_in(matrix, picture.pinned)) map.pinned = picture.pinned;
    map.lit = lies_in(matrix, picture.pointed) ? picture.pointed : map.pinned;
    const ImVec2 title = {map.corner.x - labels.left, map.corner.y - labels.top - control_height(picture.frame)};
    const bool has_choice = picture.frame.is_small() && picture.matrices.size() > 1;
    draw_title(picture, index, title,
               has_choice ? put_choice(picture, {origin.x, title.y}, ImGui::GetContentRegionAvail().x, index, memory)
                          : grid.pitch.x - grid.wish.distance.x);
    // A difference of 0 has the colour of the paper.
    if (index == 2) frame_box(map.corner, map.corner + map.size, picture.frame.palette.line, 1, 2);
    draw_matrix_map(picture.frame, map);
    put_cells(picture, map, index, memory);
}

// What the colours mean.
std::string legend_of(const Compared& compared) {
    const auto ends = [&](std::size_t map, std::string_view low, std::string_view high) {
        const StageRange range = compared.range(map);
        return concat(" from ", range_end_text(range.low), low, " to ", range_end_text(range.high), high,
                      compared.is_cut(map) ? " and more" : "");
    };
    const bool has_difference = compared.comparison.difference.size() > 0 && compared.comparison.largest > 0;
    return concat("A and B", ends(0, "", ""),
                  has_difference ? concat(" · A − B", ends(2, " (violet)", " (orange)")) : "");
}

}  // namespace

void draw_compare_maps(UiFrame& frame, const Evaluation& b, CompareMemory& memory) {
    constexpr float kLowest = 300;  // a lower room scrolls
    const Compared compared = compared_in(frame, b, memory);
    const Picture picture = make_picture(frame, compared);
    const std::string pinned = shows_part(frame, "values") ? compared.place_in_words(picture.pinned) : std::string();
    const auto put_words = [&] {
        put_wrapped_text(bold(frame), comparison_in_words(memory.comparison));
        if (!pinned.empty()) put_wrapped_text(body(frame), pinned);
    };
    const bool is_first = frame.is_small();
    const bool has_words_below = is_first && lacks_height(frame);
    if (!has_words_below) put_words();

    ImVec2 room = ImGui::GetContentRegionAvail();
    const bool has_legend = shows_part(frame, "legend");
    if (has_legend)
        room.y -= wrapped_height(small(frame), legend_of(compared), room.x) + ImGui::GetStyle().ItemSpacing.y;
    room = {std::max(room.x, 80.0F), std::max(room.y, is_first ? 0.0F : kLowest)};
    const Room labels = measure_labels(picture);
    const GridWish wish = wish_for(picture, labels, room);
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    const HeadsGrid grid = fit_grid(wish, room, scale);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const int count = static_cast<int>(picture.matrices.size());
    const int shown = std::min(static_cast<int>(memory.shown.value_or(count == 3 ? 2 : 0)), count - 1);
    if (is_first) put_map(picture, grid, labels, origin, 0, shown, memory);
    for (int k = 0; !is_first && k < count; ++k) put_map(picture, grid, labels, origin, k, k, memory);
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy(grid.size);
    if (has_legend) put_wrapped_text(small(frame), legend_of(compared));
    if (has_words_below) put_words();
}

}  // namespace attn
