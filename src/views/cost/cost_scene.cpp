// The picture of view=cost: lines between the rows, and columns that share the width.
#include "views/cost/cost_scene.h"

#include <algorithm>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kNarrowest = 560;  // of three layouts beside each other
constexpr double kColumnGap = 16;   // between columns
constexpr double kPadding = 5;      // above and below a row
constexpr std::size_t kMostLines = 4;

// The columns: names of rows on the left, then a layout each.
struct Columns {
    double width;  // of all

    double names() const { return width * 190 / 860; }
    double each() const { return (width - names()) / static_cast<double>(kCostLayouts.size()); }
    double left(std::size_t column) const { return names() + static_cast<double>(column) * each(); }
};

// "3 · d_in · d_out" over "3 · 8 · 4 = 96".
FigureBlock cell_block(const SceneStyle& style, const CostCell& cell, double width) {
    const TextLook values = {.ink = style.colors.ink, .size = style.body};
    const TextLook number = {.ink = style.colors.ink, .size = style.body, .font = FigureFont::sans_bold};
    FigureBlock block =
        text_block(style, cell.letters, width, {.ink = style.colors.soft_ink, .size = style.small}, kMostLines);
    const std::string formula = cell.is_single() ? "" : concat(cell.values, " =");
    const std::string count = with_thousands(cell.count);
    const double before = formula.empty() ? 0 : style.width(formula, values.size) + 6;
    FigureBlock line = text_block(style, formula, width, values, kMostLines);
    if (before + style.width(count, number.size, number.font) <= width) {
        place_block(line, text_block(style, count, width, number, 1), {before, 0});
    } else {
        line = stacked_blocks(std::move(line), text_block(style, count, width, number, 1), 0);
    }
    return stacked_blocks(std::move(block), std::move(line), 1);
}

FigureBlock wide_row(const SceneStyle& style, const CostRow& row, const Columns& columns) {
    FigureBlock block;
    const TextLook name = {
        .ink = style.colors.ink, .size = style.body, .font = row.is_total ? FigureFont::sans_bold : FigureFont::sans};
    place_block(block, text_block(style, row.name, columns.names() - kColumnGap, name, kMostLines), {0, kPadding});
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        place_block(block, cell_block(style, row.cells[k], columns.each() - kColumnGap), {columns.left(k), kPadding});
    }
    return block;
}

// The same with one layout below another, each after its name.
FigureBlock narrow_row(const SceneStyle& style, const CostRow& row, double width) {
    const double names = style.small * 10;
    const TextLook name = {.ink = style.colors.ink, .size = style.body, .font = FigureFont::sans_bold};
    FigureBlock block;
    place_block(block, text_block(style, row.name, width, name, kMostLines), {0, kPadding});
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        FigureBlock line = text_block(style, kCostLayouts[k], names - kColumnGap,
                                      {.ink = style.colors.soft_ink, .size = style.small}, kMostLines);
        place_block(line, cell_block(style, row.cells[k], width - names), {names, 0});
        block = stacked_blocks(std::move(block), std::move(line), 6);
    }
    return block;
}

FigureBlock row_block(const SceneStyle& style, const CostRow& row, const Columns& columns) {
    FigureBlock block;
    draw_line(block, {0, 0.5}, {columns.width, 0.5}, style.colors.line);
    const bool is_wide = columns.width >= kNarrowest;
    place_block(block, is_wide ? wide_row(style, row, columns) : narrow_row(style, row, columns.width), {});
    block.width = columns.width;
    block.height += kPadding;
    return block;
}

FigureBlock section_block(const SceneStyle& style, const CostSection& section, const Columns& columns) {
    const TextLook soft = {.ink = style.colors.soft_ink, .size = style.small};
    const TextLook bold = {.ink = style.colors.ink, .size = style.heading, .font = FigureFont::sans_bold};
    FigureBlock block = text_block(style, section.title, columns.width, bold, 1);
    block = stacked_blocks(std::move(block), text_block(style, section.remark, columns.width, soft, kMostLines), 2);
    if (section.rows.empty()) return block;
    if (columns.width >= kNarrowest) {
        FigureBlock names;
        names.height = soft.size * 1.6;
        for (std::size_t k = 0; k < kCostLayouts.size(); ++k) {
            draw_text_at_middle(names, columns.left(k), names.height / 2, kCostLayouts[k], soft);
        }
        block = stacked_blocks(std::move(block), std::move(names), 6);
    }
    for (const CostRow& row : section.rows) block = stacked_blocks(std::move(block), row_block(style, row, columns), 0);
    return block;
}

}  // namespace

FigureBlock cost_scene(const SceneStyle& style, const std::vector<CostSection>& sections, double width) {
    FigureBlock scene;
    for (const CostSection& section : sections) {
        scene = stacked_blocks(std::move(scene), section_block(style, section, {.width = width}), 20);
    }
    return scene;
}

}  // namespace attn
