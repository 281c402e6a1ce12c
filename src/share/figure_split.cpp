// view=split: the three shapes of one tensor, one under the other: what is an animation on the screen is a strip of
// pictures on paper. The colour of a number is that of its head.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "playground/blanks.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "playground/stage_labels.h"
#include "playground/weight_split.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kWidest = 900;   // of a shape
constexpr double kHighest = 420;  // with cells for whole numbers; smaller cells may make it higher
constexpr double kLabelWidth = 84;
constexpr double kLabelDistance = 6;
constexpr double kTitle = 18;
constexpr double kNarrowestTitle = 56;
constexpr double kBetweenX = 18, kBetweenY = 10;  // blocks

struct CellSize {
    double width, height;
};
// From four decimals over two digits to no number at all.
constexpr std::array<CellSize, 7> kCells = {{{58, 24}, {46, 22}, {34, 20}, {24, 19}, {16, 14}, {10, 10}, {6, 6}}};
constexpr double kPrinted = 19;      // a smaller cell shows no number
constexpr double kWholeNumber = 54;  // wide enough for four decimals

struct Split {
    const FigureTask& task;
    TensorId tensor;
    Sizes sizes;  // of what is drawn
    std::array<SplitPhase, kNumPhases> phases;
    Blanks blanks;
    CellSize cell = kCells.back();
};

// Where the blocks of one shape stand.
struct Layout {
    double left = 0, top = 0;  // of a block: room for the labels of its rows, for its title
    double pitch_x = 0, pitch_y = 0;
    int per_row = 1;
    double width = 0, height = 0;
};

Layout layout_of(const Split& split, const SplitPhase& phase, CellSize cell) {
    const SplitBlocks blocks = blocks_of(phase, split.sizes);
    Layout layout;
    layout.top = phase.is_split ? kTitle : 0;
    layout.left = phase.is_split && !phase.heads_first ? 0 : kLabelWidth + kLabelDistance;
    double width = layout.left + blocks.columns * cell.width;
    if (phase.is_split) width = std::max(width, layout.left + kNarrowestTitle);
    layout.pitch_x = width + kBetweenX;
    layout.pitch_y = layout.top + blocks.rows * cell.height + kBetweenY;
    layout.per_row = std::clamp(static_cast<int>((kWidest + kBetweenX) / layout.pitch_x), 1, blocks.count);
    const int down = (blocks.count + layout.per_row - 1) / layout.per_row;
    layout.width = layout.pitch_x * layout.per_row - kBetweenX;
    layout.height = layout.pitch_y * down - kBetweenY;
    return layout;
}

// The largest cells with which every shape fits; below two digits a number smaller cells help nobody to see more.
CellSize fitting_cell(const Split& split) {
    for (const CellSize cell : kCells) {
        const bool fits = std::all_of(split.phases.begin(), split.phases.end(), [&](const SplitPhase& phase) {
            const Layout layout = layout_of(split, phase, cell);
            return layout.width <= kWidest && (layout.height <= kHighest || cell.width <= 34);
        });
        if (fits) return cell;
    }
    return kCells.back();
}

// So pale that ink stays legible on it.
Rgb ground_of(const FigureTask& task, int head) {
    return mixed(task.colors.paper, task.head(head), task.colors.is_dark ? 0.42F : 0.3F);
}

// A number at its place, as wide as there is room.
void draw_number(FigureBlock& block, const Split& split, const SplitElement& element, FigurePoint at, CellSize cell) {
    const FigureTask& task = split.task;
    const bool is_blank = split.blanks.has(split.tensor, element.head, element.token, element.channel);
    const double value = static_cast<double>(split_number(task.evaluation, split.tensor, element));
    FigureRect ground{.at = at, .width = cell.width - 1, .height = cell.height - 1};
    ground.corner = cell.width >= 16 ? 3 : 0;
    ground.look.fill = ground_of(task, element.head);
    if (task.has_values() && !is_blank) {
        ground.tip = concat(token_text(task.evaluation, element.token), " · head ", element.head + 1, " · channel ",
                            element.channel, ": ", shown_number(value));
    }
    block.elements.emplace_back(std::move(ground));
    if (!task.has_values() || cell.width < kPrinted || cell.height < kPrinted) return;
    const std::string text = is_blank ? "?" : cell.width >= kWholeNumber ? shown_number(value) : cell_number(value);
    TextLook look = {.ink = task.colors.ink, .size = kFigureSmall, .anchor = FigureAnchor::middle};
    look.size = std::min(look.size, look.size * (cell.width - 5) / text_width(text, look.size));
    draw_text_at_middle(block, at.x + (cell.width - 1) / 2, at.y + (cell.height - 1) / 2, text, look);
}

// The titles of the blocks and the labels beside their rows.
void draw_words(FigureBlock& block, const Split& split, const SplitPhase& phase, const Layout& layout) {
    const Evaluation& evaluation = split.task.evaluation;
    const SplitBlocks blocks = blocks_of(phase, split.sizes);
    const TextLook title = {.ink = split.task.colors.ink, .size = kFigureSmall, .font = FigureFont::sans_bold};
    TextLook label = {.ink = split.task.colors.ink, .size = kFigureSmall, .anchor = FigureAnchor::end};
    label.size = std::min(label.size, std::max(split.cell.height, 8.0));
    const int step = label_step(label.size * 1.1, split.cell.height);
    for (int b = 0; b < blocks.count; ++b) {
        const double left = b % layout.per_row * layout.pitch_x;
        const double top = b / layout.per_row * layout.pitch_y;
        if (phase.is_split) {
            const std::string text = phase.heads_first ? concat("Head ", b + 1) : token_text(evaluation, b);
            const double room = layout.pitch_x - kBetweenX - layout.left;
            draw_text_at_middle(block, left + layout.left, top + kTitle / 2 - 1,
                                shortened_text(one_line(text), room, title.size, title.font), title);
        }
        for (int row = 0; layout.left > 0 && row < blocks.rows; row += step) {
            draw_text_at_middle(
                block, left + kLabelWidth, top + layout.top + (row + 0.5) * split.cell.height,
                shortened_text(one_line(token_text(evaluation, row)), kLabelWidth, label.size, label.font), label);
        }
    }
}

FigureBlock shape_block(const Split& split, const SplitPhase& phase) {
    const Layout layout = layout_of(split, phase, split.cell);
    FigureBlock block;
    block.width = layout.width;
    block.height = layout.height;
    draw_words(block, split, phase, layout);
    const std::int64_t count = static_cast<std::int64_t>(split.sizes.num_tokens) * split.sizes.d_out;
    for (std::int64_t order = 0; order < count; ++order) {
        const SplitElement element = element_at(phase, split.sizes, order);
        const SplitPlace place = place_of(phase, split.sizes, element);
        const FigurePoint at = {
            place.block % layout.per_row * layout.pitch_x + layout.left + place.column * split.cell.width,
            place.block / layout.per_row * layout.pitch_y + layout.top + place.row * split.cell.height};
        draw_number(block, split, element, at, split.cell);
    }
    return block;
}

// The first numbers in the order in which the shape has them in memory.
FigureBlock memory_block(const Split& split, const SplitPhase& phase) {
    const CellSize cell = split.cell.width >= 34 ? CellSize{34, 20} : CellSize{std::max(8.0, split.cell.width), 14};
    const std::int64_t all = static_cast<std::int64_t>(split.sizes.num_tokens) * split.sizes.d_out;
    const auto count = std::min(all, static_cast<std::int64_t>((kWidest - 16) / cell.width));
    FigureBlock block;
    for (std::int64_t order = 0; order < count; ++order) {
        draw_number(block, split, element_at(phase, split.sizes, order), {static_cast<double>(order) * cell.width, 0},
                    cell);
    }
    block.width = static_cast<double>(count) * cell.width;
    block.height = cell.height;
    if (count == all) return block;
    draw_text_at_middle(block, block.width + 3, cell.height / 2, "…",
                        {.ink = split.task.colors.soft_ink, .size = kFigureSmall});
    block.width += 16;
    return block;
}

// What led to the shape, the shape itself, the order in memory.
FigureBlock phase_block(const Split& split, int index) {
    const FigureTask& task = split.task;
    const SplitPhase& phase = split.phases[static_cast<std::size_t>(index)];
    const TextLook soft = {.ink = task.colors.soft_ink, .size = kFigureSmall};
    const std::string_view memory = phase.heads_first
                                        ? "In memory, once it is written row by row: head after head"
                                        : "In memory, row by row: token after token, and in each the heads in turn";
    FigureBlock block =
        heading_block(task, std::nullopt, concat(index + 1, "  ", phase.letters, " = ", phase.shape), "", kWidest);
    TextLook code = soft;
    code.font = FigureFont::mono;
    block = stacked_blocks(std::move(block), text_block(phase.code, kWidest, code, 2), 0);
    block = stacked_blocks(std::move(block), text_block(phase.meaning, kWidest, soft, 2), 1);
    block = stacked_blocks(std::move(block), shape_block(split, phase), 8);
    block = stacked_blocks(std::move(block), text_block(memory, kWidest, soft, 1), 8);
    return stacked_blocks(std::move(block), memory_block(split, phase), 3);
}

}  // namespace

Result<Figure> figure_of_split(const FigureTask& task) {
    const Sizes& sizes = task.evaluation.sizes;
    const SplitCut cut = cut_for(sizes);
    const TensorId tensor = split_tensor(task.view().stage);
    Split split = {.task = task,
                   .tensor = tensor,
                   .sizes = sizes,
                   .phases = split_phases(tensor, batch_size(task.state.inputs), sizes,
                                          task.evaluation.problem->projections.w_query.size() > 0),
                   .blanks = Blanks(task.state)};
    split.sizes.num_tokens = cut.tokens;
    split.sizes.num_heads = cut.heads;
    split.sizes.d_out = cut.heads * cut.channels;
    split.cell = fitting_cell(split);
    FigureBlock picture;
    for (int k = 0; k < kNumPhases; ++k) {
        picture = stacked_blocks(std::move(picture), phase_block(split, k), 24);
    }
    FigureWords words;
    words.title = quoted_sentence(task);
    words.subtitle =
        is_merge(tensor)
            ? std::string("How the contexts of the heads become one matrix: three shapes of the same numbers.")
            : concat("How the ", tensor_name(tensor), " are cut into heads: three shapes of the same numbers.");
    if (!cut.is_whole(sizes)) words.remarks.push_back(cut_in_words(cut, sizes));
    std::vector<LegendPiece> legend;
    if (split.blanks.touches(tensor)) legend.push_back(legend_blank(task));
    return finished_figure(task, std::move(words), std::move(picture), std::move(legend));
}

}  // namespace attn
