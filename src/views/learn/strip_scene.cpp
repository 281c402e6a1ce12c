// Lays out small maps of weights, and draws their cells.
#include "views/learn/strip_scene.h"
#include "playground/numbers/shown_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ground/check.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"
#include "scene/kit/figure_cells.h"

namespace attn {
namespace {

constexpr int kMostCells = 32;  // of a map in a row; of more, several are one

struct StripSizes {
    int per_line = 1;
    double side = 0;  // of a map
    double gap = 0;   // to the next one
};

StripSizes strip_sizes(std::size_t count, double width, double narrowest) {
    constexpr double kWidest = 150;
    constexpr double kGap = 14;
    StripSizes sizes{.gap = kGap};
    const int most = std::max(1, static_cast<int>((width + kGap) / (narrowest + kGap)));
    const int lines = (static_cast<int>(count) + most - 1) / most;
    sizes.per_line = (static_cast<int>(count) + lines - 1) / lines;  // lines of about the same length
    sizes.side = std::floor(std::min(kWidest, (width + kGap) / sizes.per_line - kGap));
    return sizes;
}

class StripPicture {
public:
    StripPicture(const SceneStyle& style, const FilmStrip& strip, const Evaluation& evaluation, double width,
                 bool has_tips, double narrowest)
        : style_(style),
          strip_(strip),
          evaluation_(evaluation),
          width_(width),
          has_tips_(has_tips),
          sizes_(strip_sizes(strip.frames.size(), width, narrowest)) {
        const int count = evaluation.num_tokens();
        grid_.rows = grid_.columns = count;
        grid_.group = (count + kMostCells - 1) / kMostCells;
        const int drawn = (count + grid_.group - 1) / grid_.group;
        cell_ = std::max(1.0, std::floor(sizes_.side / drawn));
        side_ = cell_ * drawn;
    }

    FigureBlock scene() const {
        FigureBlock scene;
        for (std::size_t k = 0; k < strip_.heads.size(); ++k) scene = stacked_blocks(std::move(scene), head(k), 12);
        return scene;
    }

private:
    // "asked: brush → artist, brush → woman"
    std::string asked(std::size_t k) const {
        std::string text;
        for (const Place& cell : strip_.painted[k]) {
            text += concat(text.empty() ? "asked: " : ", ",
                           from_to(token_text(evaluation_, cell.row), token_text(evaluation_, cell.column)));
        }
        return text;
    }

    FigureBlock head(std::size_t k) const {
        const int head = strip_.heads[k];
        FigureBlock block = heading_block(style_, style_.head(head), concat("Head ", head + 1), asked(k), width_);
        const double line = style_.small * style_.line_em;
        const double height = std::ceil(2 * line) + side_;
        FigureBlock maps;
        for (std::size_t n = 0; n < strip_.frames.size(); ++n) {
            const auto place = static_cast<int>(n);
            const FigurePoint at = {place % sizes_.per_line * (sizes_.side + sizes_.gap),
                                    std::floor(n / static_cast<std::size_t>(sizes_.per_line)) * (height + 10)};
            place_block(maps, frame(k, n, line), at);
        }
        return stacked_blocks(std::move(block), std::move(maps), 2);
    }

    FigureBlock frame(std::size_t k, std::size_t n, double line) const {
        const StripFrame& frame = strip_.frames[n];
        const bool is_shown = n + 1 == strip_.frames.size();
        FigureBlock block;
        draw_text_at_middle(block, 0, line / 2, concat("step ", frame.step),
                            {.ink = style_.colors.ink,
                             .size = style_.small,
                             .font = is_shown ? FigureFont::sans_bold : FigureFont::sans});
        draw_text_at_middle(block, 0, 1.5 * line, concat("loss ", shown_number(frame.loss)),
                            {.ink = style_.colors.soft_ink, .size = style_.small});
        const double top = std::ceil(2 * line);
        block.width = sizes_.side;
        block.height = top + side_;
        if (k >= frame.weights.size()) {
            draw_rect(block, {0, top}, side_, side_, style_.colors.chip, 2);
        } else {
            draw_map(block, k, n, top);
        }
        return block;
    }

    void draw_map(FigureBlock& block, std::size_t k, std::size_t n, double top) const {
        const Matrix& weights = strip_.frames[n].weights[k];
        ReducedMatrix reduced = empty_reduction(grid_);
        reduce_rows(grid_, weights, {}, 0, reduced);
        const double gap = cell_ >= 6 ? 1 : 0;
        FigurePath hidden;
        hidden.look = {.fill = style_.colors.hidden, .is_crisp = true};
        for (int i = 0; i < length(reduced.values, 0); ++i) {
            for (int j = 0; j < length(reduced.values, 1); ++j) {
                const FigurePoint at = {j * cell_, top + i * cell_};
                const float weight = reduced.values(i, j);
                if (weight == kHiddenCell) {
                    hidden.pieces.push_back(
                        {.step = FigureStep::box, .to = at, .a = {at.x + cell_ - gap, at.y + cell_ - gap}});
                    continue;
                }
                block.elements.emplace_back(
                    FigureRect{.at = at,
                               .width = cell_ - gap,
                               .height = cell_ - gap,
                               .look = {.fill = map_color(ColorMap::sequential, style_.colors.is_dark, weight),
                                        .is_crisp = gap == 0},
                               .tip = has_tips_ && grid_.group == 1 ? tip(k, n, {i, j}, weight) : ""});
            }
        }
        if (!hidden.pieces.empty()) block.elements.emplace_back(std::move(hidden));
        for (const Place& cell : strip_.painted[k]) {
            draw_frame(block, {cell.column / grid_.group * cell_ - 0.5, top + cell.row / grid_.group * cell_ - 0.5},
                       cell_ - gap + 1, cell_ - gap + 1, style_.head(strip_.heads[k]), cell_ >= 6 ? 1.5 : 1);
        }
    }

    std::string tip(std::size_t k, std::size_t n, Place cell, float weight) const {
        return concat("head ", strip_.heads[k] + 1, ", step ", strip_.frames[n].step, ", ",
                      from_to(token_text(evaluation_, cell.row), token_text(evaluation_, cell.column)), ": ",
                      shown_number(static_cast<double>(weight)));
    }

    const SceneStyle& style_;
    const FilmStrip& strip_;
    const Evaluation& evaluation_;
    double width_;
    bool has_tips_;
    StripSizes sizes_;
    MapGrid grid_;     // of the weights; its cells are measured here
    double cell_ = 1;  // as drawn
    double side_ = 0;
};

}  // namespace

FigureBlock strip_scene(const SceneStyle& style, const FilmStrip& strip, const Evaluation& evaluation, double width,
                        bool has_tips, double narrowest) {
    return StripPicture(style, strip, evaluation, width, has_tips, narrowest).scene();
}

}  // namespace attn
