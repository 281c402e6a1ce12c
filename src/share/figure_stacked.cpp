// view=stacked: heads computed one by one, heads cut from one matrix a role, and the difference of the two.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "playground/blanks.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stacked_heads.h"
#include "playground/stage_labels.h"
#include "share/figure_map.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kGap = 18;       // between blocks
constexpr double kArrow = 24;     // room for the arrow before a result
constexpr double kWidest = 1000;  // of a line of blocks
constexpr double kBand = 5;       // room for the line in the head's colour
constexpr double kTitle = 17;

StageRange range_of(const HeadBlock& block) {
    const float high = block.largest > 0 ? block.largest : 1;
    return {-high, high};
}

// What blocks share.
struct Room {
    double width = 0;    // of a line of them
    int num_beside = 1;  // in the line
    int num_blocks = 1;  // in all lines
};

// Cells with which a line of such blocks is no wider than its room and the block not very high, as far as cells can be
// seen at all.
MapGrid grid_for(const HeadBlock& block, const Room& room) {
    constexpr double kHighest = 420;
    constexpr double kSmallest = 0.5;
    constexpr double kSmallestWithGap = 6;
    MapGrid grid = fit_map(length(block.values, 0), length(block.values, 1), room.num_blocks, false);
    const double share = (room.width - kArrow) / room.num_beside - kGap;
    grid.cell_width = std::clamp(share / grid.columns, kSmallest, grid.cell_width);
    grid.cell_height = std::clamp(kHighest / grid.rows, kSmallest, grid.cell_height);
    grid.has_gaps = grid.has_gaps && std::min(grid.cell_width, grid.cell_height) >= kSmallestWithGap;
    if (!grid.has_gaps) return grid;
    grid.cell_width = std::floor(grid.cell_width);
    grid.cell_height = std::floor(grid.cell_height);
    return grid;
}

// Merged numbers of context: its columns are those of all heads.
Flags blank_cells(const Blanks& blanks, const HeadBlock& block) {
    if (!block.stage || !blanks.touches(*block.stage)) return {};
    Flags flags = zeros<Flags>(block.values.shape(0), block.values.shape(1));
    for (int i = 0; i < length(block.values, 0); ++i) {
        for (int c = 0; c < length(block.values, 1); ++c) {
            const bool is_by_head = stage_info(*block.stage).has_heads;
            const int head = is_by_head ? block.head_of(c) : 0;
            const int column = is_by_head ? c : block.first_column + c;
            flags(i, c) = blanks.has(*block.stage, head, i, column) ? 1 : 0;
        }
    }
    return flags;
}

std::string tip_of(const FigureTask& task, const HeadBlock& block, int row, int column) {
    const std::string where = block.has_tokens ? token_text(task.evaluation, row) : concat("row ", row);
    return concat(block.name, " · ", where, " · head ", block.head_of(column) + 1, " · column ",
                  block.first_column + column, ": ", shown_number(static_cast<double>(block.values(row, column))));
}

void draw_arrow_right(FigureBlock& block, FigurePoint tip, Rgb color) {
    draw_line(block, {tip.x - 12, tip.y}, tip, color, 1.5);
    FigurePath head;
    head.pieces = {{.step = FigureStep::move, .to = {tip.x - 5, tip.y - 4}},
                   {.step = FigureStep::line, .to = tip},
                   {.step = FigureStep::line, .to = {tip.x - 5, tip.y + 4}}};
    head.look = {.line = color, .line_width = 1.5};
    block.elements.emplace_back(std::move(head));
}

// A matrix under its name, an arrow before it where it follows from those before.
FigureBlock matrix_block(const FigureTask& task, const HeadBlock& matrix, const Room& room, const Blanks& blanks) {
    const MapGrid grid = grid_for(matrix, room);
    FigureMap map{.values = matrix.values, .grid = grid};
    map.axes.top = kBand;
    map.map = ColorMap::diverging;
    map.range = range_of(matrix);
    map.prints_values = task.has_values();
    map.blank = blank_cells(blanks, matrix);
    map.tip = [&](int row, int column) { return tip_of(task, matrix, row, column); };
    for (int c = 0; c < grid.columns; ++c) {
        const bool is_new = map.bands.empty() || matrix.head_of(c) != matrix.head_of(c - 1);
        if (is_new) map.bands.push_back({c, c, task.head(matrix.head_of(c))});
        map.bands.back().end = c + 1;
    }
    FigureBlock cells = map_block(task, map);
    // Zeros have the colour of the paper: without a line around them a difference of 0 would be nothing at all.
    if (!matrix.stage && matrix.has_tokens) {
        draw_frame(cells, {-0.5, kBand - 0.5}, grid.width() + 1, grid.height() + 1, task.colors.line, 1, 2);
    }
    const TextLook name = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    FigureBlock block;
    const double left = matrix.is_result ? kArrow : 0;
    if (matrix.is_result) {
        draw_arrow_right(block, {kArrow - 8, kTitle + kBand + grid.height() / 2}, task.colors.soft_ink);
    }
    place_block(block, text_block(matrix.name, 200, name, 1), {left, 0});
    place_block(block, std::move(cells), {left, kTitle});
    return block;
}

FigureBlock line_of_blocks(const FigureTask& task, const std::vector<HeadBlock>& matrices, const Room& room,
                           const Blanks& blanks) {
    FigureBlock line;
    for (const HeadBlock& matrix : matrices) {
        const double left = line.empty() ? 0 : line.width + kGap;
        place_block(line, matrix_block(task, matrix, room, blanks), {left, 0});
    }
    return line;
}

// As many beside each other as there is room for.
FigureBlock flow_of_blocks(std::vector<FigureBlock> blocks) {
    FigureBlock all;
    double x = 0;
    double y = 0;
    for (FigureBlock& block : blocks) {
        const double width = block.width;
        if (x > 0 && x + width > kWidest) {
            x = 0;
            y = all.height + kGap;
        }
        place_block(all, std::move(block), {x, y});
        x += width + 2 * kGap;
    }
    return all;
}

FigureBlock section_block(const FigureTask& task, const std::string& title, std::string_view remark, FigureFont font,
                          FigureBlock picture) {
    FigureBlock block = heading_block(task, std::nullopt, title, "", kWidest);
    const TextLook look = {.ink = task.colors.soft_ink, .size = kFigureSmall, .font = font};
    block = stacked_blocks(std::move(block), text_block(remark, 760, look, 2), 0);
    return stacked_blocks(std::move(block), std::move(picture), 8);
}

// Says once of each shape what was drawn as one.
void add_reductions(const std::vector<HeadBlock>& blocks, const Room& room, std::vector<std::string>& remarks) {
    for (const HeadBlock& block : blocks) {
        std::string words = reduction_in_words(grid_for(block, room));
        const bool is_said = std::find(remarks.begin(), remarks.end(), words) != remarks.end();
        if (!words.empty() && !is_said) remarks.push_back(std::move(words));
    }
}

}  // namespace

Result<Figure> figure_of_stacked(const FigureTask& task) {
    const Sizes& sizes = task.evaluation.sizes;
    const StackedPicture& stacked = *task.stacked;
    const Blanks blanks(task.state);
    const int num_drawn = static_cast<int>(stacked.singles.size());
    const int num_beside = static_cast<int>(stacked.whole.size());
    const Room small = {.width = kWidest / 2 - kGap, .num_beside = num_beside, .num_blocks = num_beside * num_drawn};
    const Room large = {.width = kWidest, .num_beside = num_beside, .num_blocks = num_beside};
    std::vector<FigureBlock> singles;
    for (int h = 0; h < num_drawn; ++h) {
        FigureBlock head = heading_block(task, task.head(h), concat("Head ", h + 1), "", kWidest);
        singles.push_back(stacked_blocks(
            std::move(head), line_of_blocks(task, stacked.singles[static_cast<std::size_t>(h)], small, blanks), 2));
    }
    FigureBlock picture = section_block(
        task,
        concat("One by one: ", counted(sizes.num_heads, "small layer"), " of ", sizes.d_in, " → ", sizes.head_dim()),
        "torch.cat([head(x) for head in heads], dim=-1)", FigureFont::mono, flow_of_blocks(std::move(singles)));
    FigureBlock whole = section_block(task,
                                      concat("One matrix a role: ", sizes.d_in, " → ", sizes.d_out,
                                             ", its columns cut into ", counted(sizes.num_heads, "head")),
                                      "(x @ w_query).view(b, T, num_heads, head_dim).transpose(1, 2)", FigureFont::mono,
                                      line_of_blocks(task, stacked.whole, large, blanks));
    FigureBlock difference = section_block(
        task, "The heads’ contexts side by side − merged",
        "The columns under a colour are the same numbers in both: a head never looks into another head’s columns.",
        FigureFont::sans, matrix_block(task, stacked.difference, large, blanks));
    picture = stacked_blocks(std::move(picture), std::move(whole), 22);
    picture = stacked_blocks(std::move(picture), std::move(difference), 22);

    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle = concat("One by one or cut from one matrix: ", stacked_in_words(stacked.stacked), ".");
    if (num_drawn < sizes.num_heads) {
        words.remarks.push_back(concat("Drawn are the first ", num_drawn, " of ", sizes.num_heads, " heads."));
    }
    if (stacked.stacked.num_heads < sizes.num_heads) {
        words.remarks.push_back(concat("So many scores take long: only the first ", stacked.stacked.num_heads, " of ",
                                       sizes.num_heads, " heads are computed again and compared."));
    }
    add_reductions(stacked.singles.front(), small, words.remarks);
    add_reductions(stacked.whole, large, words.remarks);
    std::vector<LegendPiece> legend;
    for (const HeadBlock* block : {&stacked.whole.front(), &stacked.whole.back()}) {
        if (block->stage && blanks.touches(*block->stage)) continue;  // the largest number may be a blank one
        const StageRange range = range_of(*block);
        legend.push_back(legend_text(task, block->is_result ? "contexts" : block->has_tokens ? "X" : "matrices"));
        legend.push_back(
            legend_colors(task, ColorMap::diverging, range_end_text(range.low), range_end_text(range.high)));
        legend.back().distance = 10;
    }
    if (blanks.touches(TensorId::context)) legend.push_back(legend_blank(task));
    return finished_figure(task, std::move(words), std::move(picture), std::move(legend));
}

}  // namespace attn
