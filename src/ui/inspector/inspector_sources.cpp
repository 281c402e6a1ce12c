// The matrices that a number's terms come from, small, with the cells of the terms framed: usually a row of one and a
// column of the other.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "ui/frame/pins.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/inspector_memory.h"
#include "ui/kit/heatmap_callback.h"
#include "ui/kit/widgets.h"
#include "views/edit/edit_table.h"
#include "views/stage/place_words.h"

namespace attn {
namespace {

constexpr float kHighest = 96;  // of a map
constexpr float kLargestCell = 16;
constexpr float kGap = 14;
constexpr float kTitleGap = 4;
constexpr int kFirstSlot = -201;  // of the renderer: the heads have the slots from 0 up

// A tensor that terms come from, and the part of it that they take up.
struct Source {
    CellRef first;  // the cell of the first term
    int first_row, last_row, first_column, last_column;
};

bool has_matrix(TensorId tensor) {
    return is_stage(tensor) || (is_learned(tensor) && dims_of(tensor).rows != Dim::one);
}

void add(std::vector<Source>& sources, const Factor& factor) {
    if (!factor.has_source || !has_matrix(factor.source.tensor)) return;
    const CellRef& cell = factor.source;
    const auto known = std::find_if(sources.begin(), sources.end(), [&](const Source& source) {
        return source.first.tensor == cell.tensor && source.first.head == cell.head;
    });
    if (known == sources.end()) {
        sources.push_back({cell, cell.row, cell.row, cell.column, cell.column});
        return;
    }
    known->first_row = std::min(known->first_row, cell.row);
    known->last_row = std::max(known->last_row, cell.row);
    known->first_column = std::min(known->first_column, cell.column);
    known->last_column = std::max(known->last_column, cell.column);
}

constexpr std::size_t kMostShown = 2;

// Where the terms are, in their order. Those of a gradient at the embeddings may be in many matrices.
std::vector<Source> sources_of(const Explanation& explanation) {
    std::vector<Source> sources;
    for (const Term& term : explanation.terms) {
        add(sources, term.a);
        add(sources, term.b);
    }
    return sources;
}

Matrix matrix_of(const Evaluation& evaluation, const Blanks& blanks, const CellRef& cell) {
    if (is_stage(cell.tensor)) {
        Matrix shown = shown_matrix(evaluation, cell.tensor, cell.head);
        blanks.take_out(shown, cell.tensor, cell.head);
        return shown;
    }
    const Extent extent = table_extent(evaluation, cell.tensor);
    Matrix matrix =
        Matrix::from_shape({static_cast<std::size_t>(extent.rows), static_cast<std::size_t>(extent.columns)});
    for (int row = 0; row < extent.rows; ++row) {
        for (int column = 0; column < extent.columns; ++column)
            matrix(row, column) = number_at(evaluation, cell.tensor, row, column);
    }
    return matrix;
}

bool is_signed(TensorId tensor) {
    return !is_stage(tensor) || stage_info(tensor).is_signed;
}

// Weights from 0 to the largest; signed numbers as far below 0 as above.
SourceRange range_of(const Matrix& matrix, TensorId tensor, std::uint64_t content) {
    float largest = 0;
    for (const float number : matrix) {
        if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    }
    if (largest == 0) largest = 1;
    return {.content = content, .low = is_signed(tensor) ? -largest : 0, .high = largest};
}

// Width and height of one map in a box `width` wide.
ImVec2 map_size(Extent extent, float width) {
    const auto rows = static_cast<float>(extent.rows);
    const auto columns = static_cast<float>(extent.columns);
    const float cell_width = std::min(width / columns, kLargestCell * 2);
    const float cell_height = std::min(kHighest / rows, kLargestCell);
    // Cells of a large matrix are square; those of a thin one may be wider than high.
    const float side = std::min(cell_width, cell_height);
    return {std::max(std::min(cell_width, side * 2.5F) * columns, 6.0F), std::max(side * rows, 6.0F)};
}

float half_width() {
    return std::floor((ImGui::GetContentRegionAvail().x - kGap) / 2);
}

std::string place_text(const Source& source) {
    if (source.first_row == source.last_row && source.first_column == source.last_column)
        return concat("[", source.first_row, ", ", source.first_column, "]");
    if (source.first_row == source.last_row) return concat("row ", source.first_row);
    if (source.first_column == source.last_column) return concat("column ", source.first_column);
    return concat("rows ", source.first_row, " to ", source.last_row);
}

std::string title_of(const Source& source) {
    const TensorId tensor = source.first.tensor;
    return is_stage(tensor) ? stage_title(tensor) : std::string(tensor_name(tensor));
}

void draw_map(Display& display, int index, const Source& source, ImVec2 min, ImVec2 max) {
    if (display.heatmaps == nullptr) return;
    const TensorId tensor = source.first.tensor;
    const auto version = static_cast<std::uint64_t>(display.version) + 1;
    const Blanks blanks(display.state);
    const std::uint64_t content = (blanks.name() << 44U) ^ (version << 24U | static_cast<std::uint64_t>(tensor) << 16U |
                                                            static_cast<std::uint64_t>(source.first.head));
    SourceRange& range = inspector_memory(display.memory).sources.at(static_cast<std::size_t>(index));
    const int slot = kFirstSlot - index;
    if (range.content != content || !display.heatmaps->holds(slot, content)) {
        const Matrix matrix = matrix_of(display.evaluation, blanks, source.first);
        range = range_of(matrix, tensor, content);
        display.heatmaps->set_matrix(slot, content, matrix);
    }
    const auto to_rgb = [](ImU32 color) {
        const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
        return Rgb{parts.x, parts.y, parts.z};
    };
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    put_heatmap(*display.heatmaps, slot, min, max,
                {.map = is_signed(tensor) ? ColorMap::diverging : ColorMap::sequential,
                 .is_dark = display.palette.is_dark,
                 .low = range.low,
                 .high = range.high,
                 .hatch = to_rgb(display.palette.hatch),
                 .hidden = to_rgb(mix(display.palette.paper, display.palette.chip, 0.75F)),
                 .scale = scale,
                 .gap = std::max(1.0F, std::round(scale)),
                 .corner = scale});
}

// Frames the terms' cells so that they show on every colour.
void frame_terms(const Look& look, const Source& source, Extent extent, ImVec2 min, ImVec2 max) {
    const ImVec2 cell = {(max.x - min.x) / static_cast<float>(extent.columns),
                         (max.y - min.y) / static_cast<float>(extent.rows)};
    const ImVec2 from = {min.x + cell.x * static_cast<float>(source.first_column) - 2,
                         min.y + cell.y * static_cast<float>(source.first_row) - 2};
    const ImVec2 to = {min.x + cell.x * static_cast<float>(source.last_column + 1) + 2,
                       min.y + cell.y * static_cast<float>(source.last_row + 1) + 2};
    frame_box(from, to, look.palette.paper, 4, 3);
    frame_box(from, to, look.palette.accent, 2, 3);
}

void put_source(UiFrame& frame, int index, const Source& source, ImVec2 corner, float width) {
    const Extent extent = extent_of(frame.evaluation.sizes, source.first.tensor);
    const TensorId tensor = source.first.tensor;
    const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
    const ImVec2 wanted = map_size(extent, width - 4);
    const float title = 2 * kSmallSize + kTitleGap;
    const ImVec2 min = {std::round((corner.x + 2) * scale) / scale, std::round((corner.y + title + 2) * scale) / scale};
    const ImVec2 max = {std::round((min.x + wanted.x) * scale) / scale, std::round((min.y + wanted.y) * scale) / scale};

    ImGui::SetCursorScreenPos(corner);
    const std::string name = title_of(source);
    const ItemState state = item(frame, concat("source=", tensor_name(tensor)), {width, title + kHighest + 4});
    if (state.is_focused)
        call_item(frame, state, concat(name, ", ", extent.rows, " × ", extent.columns, ", ", place_text(source)));
    if (state.is_hovered)
        fill_box({state.min.x - 4, state.min.y - 2}, {state.max.x + 4, state.max.y}, frame.palette.chip);
    TextStyle style = small(frame);
    style.color = frame.palette.ink;
    draw_text(corner, style, shortened(style, concat(name, " (", extent.rows, ", ", extent.columns, ")"), width));
    draw_text({corner.x, corner.y + kSmallSize}, small(frame), place_text(source));
    draw_map(frame, index, source, min, max);
    frame_terms(frame, source, extent, min, max);
    if (!state.is_pressed) return;
    if (is_stage(tensor)) {
        walk_to(frame, source.first);
    } else {
        frame.next.view.view = ViewKind::edit;
        frame.next.view.tensor = tensor;
    }
}

}  // namespace

float sources_height(const Explanation& explanation) {
    if (sources_of(explanation).empty()) return 0;
    return kHeadingSize + 14 + 2 * kSmallSize + kTitleGap + kHighest + 8;
}

void put_sources(UiFrame& frame, const Explanation& explanation) {
    const std::vector<Source> sources = sources_of(explanation);
    if (sources.empty()) return;
    const std::size_t num_shown = std::min(sources.size(), kMostShown);
    put_heading(frame, sources.size() > num_shown ? "WHERE THE FIRST TERMS ARE" : "WHERE THE TERMS ARE");
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = half_width();
    for (int k = 0; k < static_cast<int>(num_shown); ++k) {
        put_source(frame, k, sources[static_cast<std::size_t>(k)],
                   {corner.x + static_cast<float>(k) * (width + kGap), corner.y}, width);
    }
}

}  // namespace attn
