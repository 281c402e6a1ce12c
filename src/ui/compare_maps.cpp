// See the header.
#define IMGUI_DEFINE_MATH_OPERATORS  // sums of ImVec2
#include "ui/compare_maps.h"

#include <imgui_internal.h>  // vector arithmetic, key ownership

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.h"
#include "playground/format.h"
#include "ui/heads_axes.h"
#include "ui/heads_grid.h"
#include "ui/heads_stage.h"
#include "ui/layout.h"
#include "ui/pins.h"
#include "ui/widgets.h"

namespace attn {
namespace {

constexpr std::array<const char*, 3> kNames = {"map=A", "map=B", "map=A-B"};
constexpr float kWidestLabel = 92;

struct Picture {
    UiFrame& frame;
    const Evaluation& a;
    const Evaluation& b;
    const Comparison& comparison;
    const StageInfo& info;
    std::vector<const Matrix*> matrices = {};  // A, B and, where there is one, the difference
    std::array<ColorRange, 3> ranges = {};
    std::optional<Place> pinned = {}, pointed = {};
    bool has_keys() const { return info.columns == Axis::key_token; }
};

std::string shown_value(const Matrix& matrix, const Place& place) {
    if (place.row >= length(matrix, 0) || place.column >= length(matrix, 1)) return "not there";
    const float value = matrix(place.row, place.column);
    return value == -std::numeric_limits<float>::infinity() ? "masked" : shown_number(static_cast<double>(value));
}

// One scale for A and B: that of A's heat maps for the weights, plus and minus the largest of both for the others.
std::array<ColorRange, 3> ranges_of(UiFrame& frame, const Comparison& comparison, const StageInfo& info) {
    ColorRange range = diverging_range(comparison.largest_number);
    if (!info.is_signed) {
        const ShownStage stage = shown_stage(frame.evaluation, frame.version, info.id, frame.heads);
        remember_shown(frame.heads, stage, nullptr);
        range = {.map = ColorMap::sequential, .low = stage.low, .high = stage.high};
    }
    return {range, range, diverging_range(comparison.largest)};
}

Picture make_picture(UiFrame& frame, const Evaluation& b, const CompareMemory& memory) {
    const StageInfo& info = stage_info(memory.key.stage);
    Picture picture = {.frame = frame, .a = frame.evaluation, .b = b, .comparison = memory.comparison, .info = info};
    for (const Matrix* matrix : {&memory.comparison.a, &memory.comparison.b, &memory.comparison.difference}) {
        if (matrix->size() > 0) picture.matrices.push_back(matrix);
    }
    picture.ranges = ranges_of(frame, memory.comparison, info);
    if (frame.state.view.cell) picture.pinned = {frame.state.view.cell->row, frame.state.view.cell->column};
    if (frame.hover.cell) picture.pointed = {frame.hover.cell->row, frame.hover.cell->column};
    return picture;
}

std::function<std::string(int)> labels_of(const Picture& picture, int index, bool is_column) {
    if (is_column && !picture.has_keys()) return [](int channel) { return concat(channel); };
    // A and B may be of different sentences: then their difference belongs to places, not to words.
    if (index == 2 && !picture.comparison.has_same_tokens) return [](int token) { return concat(token); };
    const Evaluation& evaluation = index == 1 ? picture.b : picture.a;
    return [&evaluation](int token) { return token_text(evaluation, token); };
}

// Room for labels: the same for all maps, so that their cells are, too.
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
    const bool is_slanted = picture.has_keys() && widest_column > kMapLabelSize * 1.1F;
    room.top = is_slanted ? widest_column * std::sin(kSlant) + kMapLabelSize / 2 + 8 : kMapLabelSize + 7;
    if (is_slanted) room.top = std::max(room.top, 2 * kMapLabelSize + 1);
    room.right = is_slanted ? std::ceil(widest_column * std::cos(kSlant)) + 5 : 0;
    room.top = std::ceil(room.top);
    return room;
}

GridWish wish_for(const Picture& picture, const Room& labels) {
    constexpr float kReadable = 12;
    constexpr float kPrinted = 20;
    constexpr float kSmallestMap = 160;
    GridWish wish;
    wish.count = static_cast<int>(picture.matrices.size());
    for (const Matrix* matrix : picture.matrices) {
        wish.rows = std::max(wish.rows, length(*matrix, 0));
        wish.columns = std::max(wish.columns, length(*matrix, 1));
    }
    wish.is_square = picture.has_keys();
    wish.left = labels.left;
    wish.top = labels.top + control_height(picture.frame);
    wish.right = labels.right;
    wish.distance = {labels.right > 0 ? 6.0F : 24.0F, 18};
    wish.largest = {wish.is_square ? 44.0F : 64.0F, 44};
    const auto rows = static_cast<float>(wish.rows);
    const auto columns = static_cast<float>(wish.columns);
    wish.smallest = {std::min(kReadable, kSmallestMap / columns), std::min(kReadable, kSmallestMap / rows)};
    wish.scrolling = {std::min(kPrinted, kSmallestMap * 1.5F / columns),
                      std::min(kPrinted, kSmallestMap * 1.5F / rows)};
    return wish;
}

std::string title_of(const Picture& picture, const CompareMemory& memory, int index) {
    if (index == 2) return "A − B";
    const char* name = index == 0 ? "A" : "B";
    if (!picture.info.has_heads) return name;
    return concat(name, " · Head ", (index == 0 ? memory.key.head_a : memory.key.head_b) + 1);
}

void draw_title(const Picture& picture, const CompareMemory& memory, int index, ImVec2 min, float width) {
    constexpr float kSquare = 11;
    const UiFrame& frame = picture.frame;
    const float middle = min.y + control_height(frame) / 2;
    if (picture.info.has_heads && index < 2) {
        const int head = index == 0 ? memory.key.head_a : memory.key.head_b;
        fill_box({min.x, middle - kSquare / 2}, {min.x + kSquare, middle + kSquare / 2},
                 to_imgui(head_color(head, frame.palette.is_dark)), 3);
        min.x += kSquare + 8;
        width -= kSquare + 8;
    }
    const TextStyle style = {frame.fonts.sans_bold, kTitleSize, frame.palette.ink};
    const std::string title = shortened(style, title_of(picture, memory, index), width);
    draw_text({min.x, middle - style.size / 2}, style, title);
}

void pin(UiFrame& frame, const CompareMemory& memory, const Place& place) {
    const bool has_heads = stage_info(memory.key.stage).has_heads;
    frame.state.view.cell = Cell{.head = has_heads ? memory.key.head_a : 0, .row = place.row, .column = place.column};
}

// a, b and a - b of the cell, beside the pointer.
void draw_readout(const Picture& picture, const Place& place) {
    const UiFrame& frame = picture.frame;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(12, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, kRounding);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(6, 2));
    if (ImGui::BeginTooltip()) {
        const char* between = picture.has_keys() ? " → " : " · channel ";
        const std::string title =
            concat(labels_of(picture, 0, false)(place.row), between, labels_of(picture, 0, true)(place.column));
        put_text(body(frame), shortened(body(frame), title, 320));
        for (std::size_t k = 0; shows_part(frame, "values") && k < picture.matrices.size(); ++k) {
            const char* name = k == 0 ? "A " : k == 1 ? "B " : "A − B ";
            put_text(k == 2 ? bold(frame) : body(frame), concat(name, shown_value(*picture.matrices[k], place)));
        }
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(3);
}

struct Move {
    ImGuiKey key;
    int rows, columns;
};
constexpr std::array<Move, 4> kMoves = {
    {{ImGuiKey_UpArrow, -1, 0}, {ImGuiKey_DownArrow, 1, 0}, {ImGuiKey_LeftArrow, 0, -1}, {ImGuiKey_RightArrow, 0, 1}}};

// As in the heat maps: Enter goes into the cells, the arrows move the pinned one, Escape leaves.
void move_with_keys(const Picture& picture, CompareMemory& memory) {
    const ImGuiID id = ImGui::GetItemID();
    const bool was_inside = memory.is_in_cells;
    const Place now = picture.pinned.value_or(Place{});
    if (!was_inside && ImGui::IsKeyPressed(ImGuiKey_Enter, false)) {
        memory.is_in_cells = true;
        if (!picture.pinned) pin(picture.frame, memory, now);
    }
    if (!memory.is_in_cells) return;
    for (const ImGuiKey key : {ImGuiKey_Escape, ImGuiKey_Enter}) ImGui::SetKeyOwner(key, id);
    for (const Move& move : kMoves) ImGui::SetKeyOwner(move.key, id);
    if (!was_inside) return;
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, ImGuiInputFlags_None, id)) memory.is_in_cells = false;
    for (const Move& move : kMoves) {
        if (!ImGui::IsKeyPressed(move.key, ImGuiInputFlags_Repeat, id)) continue;
        const Matrix& a = picture.comparison.a;
        pin(picture.frame, memory,
            {.row = std::clamp(now.row + move.rows, 0, length(a, 0) - 1),
             .column = std::clamp(now.column + move.columns, 0, length(a, 1) - 1)});
    }
}

// The cells of one map are one item: the pointer finds its cell by arithmetic.
void put_cells(const Picture& picture, const MatrixMap& map, int index, CompareMemory& memory) {
    UiFrame& frame = picture.frame;
    ImGui::SetCursorScreenPos(map.corner);
    const ItemState state = item(frame, kNames[static_cast<std::size_t>(index)], map.size);
    if (ImGui::IsItemFocused()) move_with_keys(picture, memory);
    const std::optional<Place> place = state.is_hovered ? map.place_at(ImGui::GetMousePos()) : std::nullopt;
    if (!place) return;
    const bool has_heads = picture.info.has_heads;
    // A cell that B has and A has not can be read, but not pinned: the pin is of A's stage.
    const bool lies_in_a =
        place->row < length(picture.comparison.a, 0) && place->column < length(picture.comparison.a, 1);
    frame.next_hover.cell = Cell{.head = has_heads ? memory.key.head_a : 0, .row = place->row, .column = place->column};
    if (!lies_in_a) frame.next_hover.cell.reset();
    if (state.is_pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && lies_in_a) {
        const bool is_pinned = picture.pinned == place;
        if (is_pinned) frame.state.view.cell.reset();
        if (!is_pinned) pin(frame, memory, *place);
    }
    if (!frame.surroundings.is_touch) draw_readout(picture, *place);
}

bool lies_in(const Matrix& matrix, const std::optional<Place>& place) {
    return place && place->row < length(matrix, 0) && place->column < length(matrix, 1);
}

void put_map(const Picture& picture, const HeadsGrid& grid, const Room& labels, ImVec2 origin, int index,
             CompareMemory& memory) {
    const Matrix& matrix = *picture.matrices[static_cast<std::size_t>(index)];
    MatrixMap map = {.values = matrix,
                     .range = picture.ranges[static_cast<std::size_t>(index)],
                     .slot = index,
                     .version = own_version(memory.count)};
    map.corner = on_pixel(origin + grid.corner(index));
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
    draw_title(picture, memory, index, title, grid.pitch.x - grid.wish.distance.x);
    // A difference of 0 has the colour of the paper.
    if (index == 2) frame_box(map.corner, map.corner + map.size, picture.frame.palette.line, 1, 2);
    draw_matrix_map(picture.frame, map);
    put_cells(picture, map, index, memory);
}

// What the colours mean, and the pinned cell's three numbers: under the maps.
std::string legend_of(const Picture& picture) {
    std::string text =
        concat("A and B from ", range_end_text(picture.ranges[0].low), " to ", range_end_text(picture.ranges[0].high),
               picture.comparison.largest_number > picture.ranges[0].high ? " and more" : "");
    if (picture.matrices.size() == 3 && picture.comparison.largest > 0) {
        text += concat(" · A − B from ", range_end_text(picture.ranges[2].low), " (blue) to ",
                       range_end_text(picture.ranges[2].high), " (orange)");
    }
    return text;
}

std::string pinned_in_words(const Picture& picture) {
    if (!lies_in(picture.comparison.a, picture.pinned) || !shows_part(picture.frame, "values")) return {};
    const Place& place = *picture.pinned;
    std::string text =
        concat(labels_of(picture, 0, false)(place.row), picture.has_keys() ? " → " : " · channel ",
               labels_of(picture, 0, true)(place.column), ": A ", shown_value(picture.comparison.a, place));
    if (picture.matrices.size() > 1) text += concat(", B ", shown_value(picture.comparison.b, place));
    if (picture.matrices.size() > 2) text += concat(", A − B ", shown_value(picture.comparison.difference, place));
    return text;
}

}  // namespace

void draw_compare_maps(UiFrame& frame, const Evaluation& b, CompareMemory& memory) {
    constexpr float kLowest = 300;  // a lower room scrolls
    const Picture picture = make_picture(frame, b, memory);
    put_wrapped_text(bold(frame), comparison_in_words(memory.comparison));
    const std::string pinned = pinned_in_words(picture);
    if (!pinned.empty()) put_wrapped_text(body(frame), pinned);

    ImVec2 room = ImGui::GetContentRegionAvail();
    const bool has_legend = shows_part(frame, "legend");
    if (has_legend)
        room.y -= wrapped_height(small(frame), legend_of(picture), room.x) + ImGui::GetStyle().ItemSpacing.y;
    room = {std::max(room.x, 80.0F), std::max(room.y, kLowest)};
    const Room labels = measure_labels(picture);
    const GridWish wish = wish_for(picture, labels);
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    const HeadsGrid grid = fit_grid(wish, room, scale);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (int k = 0; k < static_cast<int>(picture.matrices.size()); ++k) {
        put_map(picture, grid, labels, origin, k, memory);
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy(grid.size);
    if (has_legend) put_wrapped_text(small(frame), legend_of(picture));
}

}  // namespace attn
