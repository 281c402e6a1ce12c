// view=cost: each section of the cost as a table, formulas with the values put in.
#include <algorithm>
#include <utility>

#include "core/check.h"
#include "playground/cost.h"
#include "playground/notes.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kWidth = 860;
constexpr double kNames = 190;  // of it, for the names of the rows
constexpr double kGap = 16;     // between columns
constexpr double kPadding = 5;  // above and below a row
constexpr std::size_t kMostLines = 4;

double column_width() {
    return (kWidth - kNames) / static_cast<double>(kCostLayouts.size());
}

double column_left(std::size_t column) {
    return kNames + static_cast<double>(column) * column_width();
}

// "3 · d_in · d_out" over "3 · 8 · 4 = 96".
FigureBlock cell_block(const FigureTask& task, const CostCell& cell) {
    const double width = column_width() - kGap;
    const TextLook values = {.ink = task.colors.ink};
    const TextLook number = {.ink = task.colors.ink, .font = FigureFont::sans_bold};
    FigureBlock block =
        text_block(cell.letters, width, {.ink = task.colors.soft_ink, .size = kFigureSmall}, kMostLines);
    const std::string formula = cell.is_single() ? "" : concat(cell.values, " =");
    const std::string count = with_thousands(cell.count);
    const double before = formula.empty() ? 0 : text_width(formula, values.size) + 6;
    FigureBlock line = text_block(formula, width, values, kMostLines);
    if (before + text_width(count, number.size, number.font) <= width) {
        place_block(line, text_block(count, width, number, 1), {before, 0});
    } else {
        line = stacked_blocks(std::move(line), text_block(count, width, number, 1), 0);
    }
    return stacked_blocks(std::move(block), std::move(line), 1);
}

FigureBlock row_block(const FigureTask& task, const CostRow& row) {
    FigureBlock block;
    draw_line(block, {0, 0.5}, {kWidth, 0.5}, task.colors.line);
    const TextLook name = {.ink = task.colors.ink, .font = row.is_total ? FigureFont::sans_bold : FigureFont::sans};
    place_block(block, text_block(row.name, kNames - kGap, name, kMostLines), {0, kPadding});
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
        place_block(block, cell_block(task, row.cells[k]), {column_left(k), kPadding});
    }
    block.width = kWidth;
    block.height += kPadding;
    return block;
}

FigureBlock section_block(const FigureTask& task, const CostSection& section) {
    const TextLook soft = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    FigureBlock block = text_block(section.title, kWidth,
                                   {.ink = task.colors.ink, .size = kFigureHeading, .font = FigureFont::sans_bold}, 1);
    block = stacked_blocks(std::move(block), text_block(section.remark, kWidth, soft, kMostLines), 2);
    if (section.rows.empty()) return block;
    FigureBlock names;
    names.height = soft.size * 1.6;
    for (std::size_t k = 0; k < kCostLayouts.size(); ++k) {
        draw_text_at_middle(names, column_left(k), names.height / 2, kCostLayouts[k], soft);
    }
    block = stacked_blocks(std::move(block), std::move(names), 6);
    for (const CostRow& row : section.rows) block = stacked_blocks(std::move(block), row_block(task, row), 0);
    return block;
}

}  // namespace

Result<Figure> figure_of_cost(const FigureTask& task) {
    const Sizes& sizes = task.evaluation.sizes;
    const std::vector<CostSection> sections = cost_of(task.state.inputs, sizes);
    FigureBlock picture;
    for (const CostSection& section : sections) {
        picture = stacked_blocks(std::move(picture), section_block(task, section), 20);
    }
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle =
        concat("What attention costs with ", counted(sizes.num_tokens, "token"), ": ", cost_in_words(sections, sizes));
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
