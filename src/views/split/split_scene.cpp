// Chooses the size of cells, the same in all shapes, and puts each number where it stands or on its way.
#include "views/split/split_scene.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kLabelWidth = 84;
constexpr double kLabelDistance = 6;
constexpr double kTitle = 18;
constexpr double kNarrowestTitle = 56;            // "Head 12"
constexpr double kBetweenX = 18, kBetweenY = 10;  // blocks
constexpr double kPrinted = 19;                   // a smaller cell shows no number
constexpr double kWholeNumber = 54;               // wide enough for four decimals
constexpr double kEllipsis = 16;                  // room for "…"

struct CellSize {
    double width, height;
};
// From four decimals over two digits to no number at all.
constexpr std::array<CellSize, 7> kCells = {{{58, 24}, {46, 22}, {34, 20}, {24, 19}, {16, 14}, {10, 10}, {6, 6}}};

// Where the blocks of one shape stand.
struct Blocks {
    double left = 0, top = 0;  // of a block: room for the labels of its rows, for its title
    double pitch_x = 0, pitch_y = 0;
    int per_row = 1;
    double width = 0, height = 0;

    FigurePoint corner(int block) const { return {block % per_row * pitch_x, block / per_row * pitch_y}; }
};

class SplitDrawing {
public:
    SplitDrawing(const SceneStyle& style, const SplitDrawn& drawn, const SplitLayout& layout, const SplitWay& way)
        : style_(style), drawn_(drawn), layout_(layout), way_(way) {
        choose_cells();
    }

    FigureBlock scene() const {
        const TextLook soft = {.ink = style_.colors.soft_ink, .size = style_.small};
        FigureBlock words = text_block(style_, memory_in_words(phase(way_.to)), layout_.width, soft, 2);
        FigureBlock memory = stacked_blocks(std::move(words), memory_block(), 3);
        return stacked_blocks(shapes_block(), std::move(memory), 8);
    }

private:
    const SplitPhase& phase(int shape) const { return drawn_.phases[static_cast<std::size_t>(shape)]; }
    const Blocks& blocks(int shape) const { return blocks_[static_cast<std::size_t>(shape)]; }
    std::int64_t num_numbers() const { return static_cast<std::int64_t>(drawn_.sizes.num_tokens) * drawn_.sizes.d_out; }

    Blocks blocks_with(const SplitPhase& phase, CellSize cell) const {
        const SplitBlocks shape = blocks_of(phase, drawn_.sizes);
        Blocks blocks;
        blocks.top = phase.is_split ? kTitle : 0;
        blocks.left = phase.is_split && !phase.heads_first ? 0 : kLabelWidth + kLabelDistance;
        double width = blocks.left + shape.columns * cell.width;
        if (phase.is_split) width = std::max(width, blocks.left + kNarrowestTitle);
        blocks.pitch_x = width + kBetweenX;
        blocks.pitch_y = blocks.top + shape.rows * cell.height + kBetweenY;
        blocks.per_row = std::clamp(static_cast<int>((layout_.width + kBetweenX) / blocks.pitch_x), 1, shape.count);
        const int down = (shape.count + blocks.per_row - 1) / blocks.per_row;
        blocks.width = blocks.pitch_x * blocks.per_row - kBetweenX;
        blocks.height = blocks.pitch_y * down - kBetweenY;
        return blocks;
    }

    // The largest cells with which every shape fits. Cells too small for two digits would show no more.
    void choose_cells() {
        for (const CellSize cell : kCells) {
            cell_ = cell;
            bool fits = true;
            for (int shape = 0; shape < kNumPhases; ++shape) {
                const Blocks blocks = blocks_with(phase(shape), cell);
                fits = fits && blocks.width <= layout_.width && (blocks.height <= layout_.height || cell.width <= 34);
                blocks_[static_cast<std::size_t>(shape)] = blocks;
            }
            if (fits) return;
        }
    }

    FigurePoint corner_of(int shape, const SplitElement& element) const {
        const SplitPlace place = place_of(phase(shape), drawn_.sizes, element);
        const FigurePoint corner = blocks(shape).corner(place.block);
        return {corner.x + blocks(shape).left + place.column * cell_.width,
                corner.y + blocks(shape).top + place.row * cell_.height};
    }

    // A number at its place, as wide as there is room.
    void draw_number(FigureBlock& block, const SplitElement& element, FigurePoint at, CellSize cell) const {
        const FigureColors& colors = style_.colors;
        const bool is_blank = drawn_.blanks.has(drawn_.tensor, element.head, element.token, element.channel);
        const auto value = static_cast<double>(split_number(drawn_.evaluation, drawn_.tensor, element));
        FigureRect ground{.at = at, .width = cell.width - 1, .height = cell.height - 1};
        ground.corner = cell.width >= 16 ? 3 : 0;
        // Pale enough for legible ink.
        ground.look.fill = mixed(colors.paper, style_.head(element.head), colors.is_dark ? 0.42F : 0.3F);
        if (drawn_.has_values && !is_blank && !way_.is_moving()) {
            ground.tip = concat(token_text(drawn_.evaluation, element.token), " · head ", element.head + 1,
                                " · channel ", element.channel, ": ", shown_number(value));
        }
        block.elements.emplace_back(std::move(ground));
        if (!drawn_.has_values || cell.width < kPrinted || cell.height < kPrinted) return;
        const std::string text = is_blank ? "?" : cell.width >= kWholeNumber ? shown_number(value) : cell_number(value);
        TextLook look = {.ink = colors.ink, .size = style_.small, .anchor = FigureAnchor::middle};
        look.size = std::min(look.size, look.size * (cell.width - 5) / style_.width(text, look.size));
        draw_text_at_middle(block, at.x + (cell.width - 1) / 2, at.y + (cell.height - 1) / 2, text, look);
    }

    // The titles of the blocks and the labels beside their rows, fainter as the numbers move away.
    void draw_words(FigureBlock& block, int shape, float strength) const {
        const Rgb ink = mixed(style_.colors.paper, style_.colors.ink, strength);
        const bool is_split = phase(shape).is_split;
        const SplitBlocks counts = blocks_of(phase(shape), drawn_.sizes);
        const Blocks& places = blocks(shape);
        const TextLook title = {.ink = ink, .size = style_.small, .font = FigureFont::sans_bold};
        TextLook label = {.ink = ink, .size = style_.small, .anchor = FigureAnchor::end};
        label.size = std::min(label.size, std::max(cell_.height, layout_.smallest_label));
        const int step = label_step(label.size * 1.1, cell_.height);
        const auto fitted = [&](const std::string& text, double room, const TextLook& look) {
            return shortened_text(one_line(text), room, look.size, look.font, *style_.ruler);
        };
        for (int b = 0; b < counts.count; ++b) {
            const FigurePoint corner = places.corner(b);
            if (is_split) {
                const std::string text =
                    phase(shape).heads_first ? concat("Head ", b + 1) : token_text(drawn_.evaluation, b);
                const double room = places.pitch_x - kBetweenX - places.left;
                draw_text_at_middle(block, corner.x + places.left, corner.y + kTitle / 2 - 1, fitted(text, room, title),
                                    title);
            }
            for (int row = 0; places.left > 0 && row < counts.rows; row += step) {
                draw_text_at_middle(block, corner.x + kLabelWidth, corner.y + places.top + (row + 0.5) * cell_.height,
                                    fitted(token_text(drawn_.evaluation, row), kLabelWidth, label), label);
            }
        }
    }

    FigureBlock shapes_block() const {
        FigureBlock block;
        block.width = std::max(blocks(way_.from).width, blocks(way_.to).width);
        block.height = std::max(blocks(way_.from).height, blocks(way_.to).height);
        // The old shape's words fade first, the new shape's appear last.
        const auto progress = static_cast<float>(way_.progress);
        draw_words(block, progress < 0.5F ? way_.from : way_.to, std::abs(2 * progress - 1));
        for (std::int64_t order = 0; order < num_numbers(); ++order) {
            const SplitElement element = element_at(phase(way_.to), drawn_.sizes, order);
            const FigurePoint start = corner_of(way_.from, element);
            const FigurePoint end = corner_of(way_.to, element);
            draw_number(block, element,
                        {start.x + (end.x - start.x) * way_.progress, start.y + (end.y - start.y) * way_.progress},
                        cell_);
        }
        return block;
    }

    // The first numbers in the order in which they lie in memory.
    FigureBlock memory_block() const {
        const CellSize cell = cell_.width >= 24 ? CellSize{std::min(cell_.width, 34.0), std::min(cell_.height, 20.0)}
                                                : CellSize{std::max(cell_.width, 8.0), 14};
        const auto count = std::min(num_numbers(), static_cast<std::int64_t>((layout_.width - kEllipsis) / cell.width));
        FigureBlock block;
        for (std::int64_t order = 0; order < count; ++order) {
            draw_number(block, element_at(phase(way_.to), drawn_.sizes, order),
                        {static_cast<double>(order) * cell.width, 0}, cell);
        }
        block.width = static_cast<double>(count) * cell.width;
        block.height = cell.height;
        if (count == num_numbers()) return block;
        draw_text_at_middle(block, block.width + 3, cell.height / 2, "…",
                            {.ink = style_.colors.soft_ink, .size = style_.small});
        block.width += kEllipsis;
        return block;
    }

    const SceneStyle& style_;
    const SplitDrawn& drawn_;
    const SplitLayout& layout_;
    const SplitWay& way_;
    CellSize cell_ = kCells.back();
    std::array<Blocks, kNumPhases> blocks_ = {};
};

}  // namespace

FigureBlock split_scene(const SceneStyle& style, const SplitDrawn& drawn, const SplitLayout& layout,
                        const SplitWay& way) {
    return SplitDrawing(style, drawn, layout, way).scene();
}

}  // namespace attn
