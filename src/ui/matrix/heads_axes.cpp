// Measures the labels of an axis, and chooses their size, slant and step.
#include "ui/matrix/heads_axes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/frame/pins.h"

namespace attn {
namespace {

constexpr std::array<float, kNumAxisSizes> kSizes = {font_size(13), font_size(11.5F), font_size(10)};
constexpr float kLetterPerLine = 0.87F;  // of a line's height, what letters really need
constexpr float kWidestLabel = 92;
constexpr float kWidestLabelOnPhone = 76;
constexpr float kRowDistance = 8;  // between a row's label and its cells
constexpr float kColumnDistance = 7;
constexpr int kMeasured = 256;  // labels are measured at most

// The largest width among the labels of an axis with `count` of them.
template <class Label>
float widest(const TextStyle& style, int count, float limit, const Label& label) {
    const int step = std::max(1, count / kMeasured);
    float width = 0;
    for (int k = 0; k < count && width < limit; k += step) width = std::max(width, text_size(style, label(k)).x);
    return std::min(std::ceil(width), limit);
}

}  // namespace

Axes measure_axes(const Look& look, const ShownStage& stage, int size_index) {
    // Narrow labels, such as single characters, are easier to read upright.
    constexpr float kUpright = 1.1F;  // lines
    const float limit = look.is_small() ? kWidestLabelOnPhone : kWidestLabel;
    // Lit labels are bold, so the room is that of bold ones.
    const TextStyle style = {look.fonts.sans_bold, kSizes[static_cast<std::size_t>(size_index)], look.palette.ink};
    Axes axes;
    axes.rows.text_size = axes.columns.text_size = style.size;
    axes.rows.width =
        widest(style, stage.rows, limit, [&](int row) { return row_text(stage.evaluation, stage.info.id, row); });
    axes.columns.width = widest(style, stage.columns, limit,
                                [&](int column) { return column_text(stage.evaluation, stage.info.id, column); });
    axes.columns.is_slanted = stage.has_keys() && axes.columns.width > style.size * kUpright;
    axes.left = axes.rows.width + kRowDistance;
    if (axes.columns.is_slanted) {
        axes.top = axes.columns.width * std::sin(kSlant) + style.size * 0.5F + kColumnDistance;
        axes.right = axes.columns.width * std::cos(kSlant) + style.size * 0.3F;
    } else {
        axes.top = style.size + kColumnDistance;
    }
    return axes;
}

Axes measure_table_axes(const Look& look, const ShownStage& stage, float column_width) {
    Axes axes = measure_axes(look, stage, 0);
    axes.columns.is_slanted = false;
    axes.columns.width = std::min(axes.columns.width, column_width);
    axes.top = axes.columns.text_size + kColumnDistance;
    axes.right = 0;
    return axes;
}

bool fits_cells(const Axes& axes, ImVec2 cell) {
    const float line = axes.rows.text_size * kLetterPerLine;
    return line <= cell.y && (axes.columns.is_slanted ? line : axes.columns.width + 4) <= cell.x;
}

void choose_steps(Axes& axes, ImVec2 cell) {
    const float line = axes.rows.text_size * kLetterPerLine;
    axes.rows.step = label_step(line, cell.y);
    axes.columns.step = label_step(axes.columns.is_slanted ? line : axes.columns.width + 4, cell.x);
}

std::string row_label(const Look& look, const ShownStage& stage, const AxisLabels& labels, int row) {
    const TextStyle style = {look.fonts.sans_bold, labels.text_size, look.palette.ink};
    return shortened(style, row_text(stage.evaluation, stage.info.id, row), labels.width);
}

std::string column_label(const Look& look, const ShownStage& stage, const AxisLabels& labels, int column) {
    const TextStyle style = {look.fonts.sans_bold, labels.text_size, look.palette.ink};
    return shortened(style, column_text(stage.evaluation, stage.info.id, column), labels.width);
}

}  // namespace attn
