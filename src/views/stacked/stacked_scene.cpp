// The layout of view=stacked: headings, matrices under their names, arrows before results.
#include "views/stacked/stacked_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kBlockGap = 18;  // between blocks
constexpr double kArrow = 24;     // room for the arrow before a result

// What blocks share.
struct Room {
    double width = 0;    // of a line of them
    int num_beside = 1;  // in the line
    int num_blocks = 1;  // in all lines
};

Room room_of_singles(const StackedPicture& picture, const StackedLayout& layout) {
    constexpr double kTwoHeads = 600;  // wide enough for two heads beside each other
    const int num_beside = static_cast<int>(picture.singles.front().size());
    const bool is_pair = layout.width >= kTwoHeads;
    return {.width = is_pair ? layout.width / 2 - kBlockGap : layout.width,
            .num_beside = num_beside,
            .num_blocks = num_beside * static_cast<int>(picture.singles.size())};
}

Room room_of_whole(const StackedPicture& picture, const StackedLayout& layout) {
    const int num_beside = static_cast<int>(picture.whole.size());
    return {.width = layout.width, .num_beside = num_beside, .num_blocks = num_beside};
}

// Cells that make a line of blocks fit its room and keep a block low, as far as the layout lets cells shrink.
MapGrid grid_for(const HeadBlock& block, const Room& room, const StackedLayout& layout) {
    constexpr double kSmallestWithGap = 6;
    MapGrid grid = fit_map(length(block.values, 0), length(block.values, 1), room.num_blocks, false);
    const FigurePoint largest = layout.cell.value_or(FigurePoint{grid.cell_width, grid.cell_height});
    const double share = (room.width - kArrow) / room.num_beside - kBlockGap;
    grid.cell_width = std::clamp(share / grid.columns, layout.smallest, std::max(largest.x, layout.smallest));
    grid.cell_height = std::clamp(layout.highest / grid.rows, layout.smallest, std::max(largest.y, layout.smallest));
    grid.has_gaps = grid.has_gaps && std::min(grid.cell_width, grid.cell_height) >= kSmallestWithGap;
    if (!grid.has_gaps) return grid;
    grid.cell_width = std::floor(grid.cell_width);
    grid.cell_height = std::floor(grid.cell_height);
    return grid;
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

class StackedSheet {
public:
    StackedSheet(const SceneStyle& style, const StackedPicture& picture, const Sizes& sizes,
                 const StackedLayout& layout, const DrawStackedCells& draw_cells)
        : style_(style), picture_(picture), sizes_(sizes), layout_(layout), draw_cells_(draw_cells) {}

    FigureBlock scene() const {
        std::vector<FigureBlock> singles;
        for (std::size_t h = 0; h < picture_.singles.size(); ++h) {
            FigureBlock head =
                heading_block(style_, style_.head(static_cast<int>(h)), concat("Head ", h + 1), "", layout_.width);
            singles.push_back(stacked_blocks(
                std::move(head), line_of_blocks(picture_.singles[h], room_of_singles(picture_, layout_)), 2));
        }
        FigureBlock scene = section(concat("One by one: ", counted(sizes_.num_heads, "small layer"), " of ",
                                           sizes_.d_in, " → ", sizes_.head_dim()),
                                    "torch.cat([head(x) for head in heads], dim=-1)", FigureFont::mono,
                                    flow_of_blocks(std::move(singles)));
        const Room room = room_of_whole(picture_, layout_);
        FigureBlock whole = section(concat("One matrix a role: ", sizes_.d_in, " → ", sizes_.d_out,
                                           ", its columns cut into ", counted(sizes_.num_heads, "head")),
                                    "(x @ w_query).view(b, T, num_heads, head_dim).transpose(1, 2)", FigureFont::mono,
                                    line_of_blocks(picture_.whole, room));
        FigureBlock difference = section(
            "The heads’ contexts side by side − merged",
            "The columns under a colour are the same numbers in both: a head never looks into another head’s columns.",
            FigureFont::sans, matrix_block(picture_.difference, room));
        scene = stacked_blocks(std::move(scene), std::move(whole), 22);
        return stacked_blocks(std::move(scene), std::move(difference), 22);
    }

private:
    // A matrix below its name, with an arrow before it if it follows from those before.
    FigureBlock matrix_block(const HeadBlock& matrix, const Room& room) const {
        const double title = style_.small * 17 / kFigureSmall;
        const MapGrid grid = grid_for(matrix, room, layout_);
        FigureBlock cells = draw_cells_(matrix, grid);
        cells.places.push_back({matrix.name, {0, kStackedBand, grid.width(), kStackedBand + grid.height()}});
        // Zeros have the paper's colour: without a border nobody would see a difference of 0.
        if (!matrix.stage && matrix.has_tokens) {
            draw_frame(cells, {-0.5, kStackedBand - 0.5}, grid.width() + 1, grid.height() + 1, style_.colors.line, 1,
                       2);
        }
        const TextLook name = {.ink = style_.colors.soft_ink, .size = style_.small};
        FigureBlock block;
        const double left = matrix.is_result ? kArrow : 0;
        if (matrix.is_result) {
            draw_arrow_right(block, {kArrow - 8, title + kStackedBand + grid.height() / 2}, style_.colors.soft_ink);
        }
        place_block(block, text_block(style_, matrix.name, 200, name, 1), {left, 0});
        place_block(block, std::move(cells), {left, title});
        return block;
    }

    FigureBlock line_of_blocks(const std::vector<HeadBlock>& matrices, const Room& room) const {
        FigureBlock line;
        for (const HeadBlock& matrix : matrices) {
            const double left = line.empty() ? 0 : line.width + kBlockGap;
            place_block(line, matrix_block(matrix, room), {left, 0});
        }
        return line;
    }

    // As many side by side as fit.
    FigureBlock flow_of_blocks(std::vector<FigureBlock> blocks) const {
        FigureBlock all;
        double x = 0;
        double y = 0;
        for (FigureBlock& block : blocks) {
            const double width = block.width;
            if (x > 0 && x + width > layout_.width) {
                x = 0;
                y = all.height + kBlockGap;
            }
            place_block(all, std::move(block), {x, y});
            x += width + 2 * kBlockGap;
        }
        return all;
    }

    FigureBlock section(const std::string& title, std::string_view remark, FigureFont font, FigureBlock content) const {
        constexpr double kWidest = 760;  // of a remark
        FigureBlock block = heading_block(style_, std::nullopt, title, "", layout_.width);
        const TextLook look = {.ink = style_.colors.soft_ink, .size = style_.small, .font = font};
        block =
            stacked_blocks(std::move(block), text_block(style_, remark, std::min(kWidest, layout_.width), look, 3), 0);
        return stacked_blocks(std::move(block), std::move(content), 8);
    }

    const SceneStyle& style_;
    const StackedPicture& picture_;
    const Sizes& sizes_;
    const StackedLayout& layout_;
    const DrawStackedCells& draw_cells_;
};

}  // namespace

FigureBlock stacked_scene(const SceneStyle& style, const StackedPicture& picture, const Sizes& sizes,
                          const StackedLayout& layout, const DrawStackedCells& draw_cells) {
    return StackedSheet(style, picture, sizes, layout, draw_cells).scene();
}

Flags stacked_blanks(const Blanks& blanks, const HeadBlock& block) {
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

std::vector<std::string> stacked_omissions(const StackedPicture& picture, const Sizes& sizes) {
    std::vector<std::string> sentences;
    if (static_cast<int>(picture.singles.size()) < sizes.num_heads) {
        sentences.push_back(
            concat("Only the first ", picture.singles.size(), " of ", sizes.num_heads, " heads are drawn."));
    }
    if (picture.stacked.num_heads < sizes.num_heads) {
        sentences.push_back(concat("So many scores take long: only the first ", picture.stacked.num_heads, " of ",
                                   sizes.num_heads, " heads are computed again and compared."));
    }
    return sentences;
}

std::vector<std::string> stacked_reductions(const StackedPicture& picture, const StackedLayout& layout) {
    std::vector<std::string> sentences;
    const auto add = [&](const std::vector<HeadBlock>& blocks, const Room& room) {
        for (const HeadBlock& block : blocks) {
            std::string words = reduction_in_words(grid_for(block, room, layout));
            const bool is_said = std::find(sentences.begin(), sentences.end(), words) != sentences.end();
            if (!words.empty() && !is_said) sentences.push_back(std::move(words));
        }
    };
    add(picture.singles.front(), room_of_singles(picture, layout));
    add(picture.whole, room_of_whole(picture, layout));
    return sentences;
}

}  // namespace attn
