// The picture of view=softmax: bars, curves and formulas.
#include "views/softmax/softmax_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "scene/kit/figure_plot.h"
#include "views/softmax/softmax_experiment.h"

namespace attn {
namespace {

constexpr double kIndex = 34;  // room for "x12"
constexpr double kGap = 18;
constexpr double kWeight = 62;  // for a weight beside its bar

class SoftmaxPicture {
public:
    SoftmaxPicture(const SceneStyle& style, const View& view, const SoftmaxLayout& layout, int lit)
        : style_(style),
          view_(view),
          layout_(layout),
          lit_(static_cast<std::size_t>(lit)),
          plain_(softmax_of(view.vector, 1)),
          gained_(softmax_of(view.vector, view.gain)) {}

    FigureBlock scene() const {
        const auto heading = [&](const std::string& text) {
            return heading_block(style_, std::nullopt, text, "", layout_.width);
        };
        FigureBlock scene = columns_line("softmax(x)", concat("softmax(", exact_number(view_.gain), " · x)"));
        for (std::size_t i = 0; i < view_.vector.size(); ++i) scene = stacked_blocks(std::move(scene), row(i), 0);
        scene = stacked_blocks(std::move(scene), columns_line(summary_of(plain_), summary_of(gained_)), 0);
        scene = stacked_blocks(std::move(scene), heading("Each weight as the gain grows"), 14);
        scene = stacked_blocks(std::move(scene), curves(), 2);
        scene = stacked_blocks(std::move(scene), heading(concat("x", lit_, " with the numbers put in")), 14);
        return stacked_blocks(std::move(scene), formula(), 2);
    }

private:
    double first_left() const { return kIndex + layout_.number + kGap; }
    // Of a bar with its weight.
    double column_width() const {
        const double rest = layout_.width - first_left();
        return layout_.is_stacked ? rest : (rest - kGap) / 2;
    }
    double column_left(int column) const {
        return first_left() + (layout_.is_stacked ? 0 : column * (column_width() + kGap));
    }
    // Where a line of this height has column `column`.
    double column_top(int column, double line) const { return layout_.is_stacked ? column * line : 0; }
    // Stacked bars stand closer than rows.
    double bar_line() const { return layout_.is_stacked ? layout_.row - 8 : layout_.row; }
    double row_height() const { return layout_.is_stacked ? layout_.row + bar_line() : layout_.row; }

    FigureBlock line_of_all(double height) const {
        FigureBlock block;
        block.width = layout_.width;
        block.height = height;
        return block;
    }

    // The words above and below the bars, each after a square in the bars' colour.
    FigureBlock columns_line(const std::string& first, const std::string& second) const {
        constexpr double kSquare = 9;
        const double line = style_.body * (layout_.is_stacked ? 1.4 : 2);
        FigureBlock block = line_of_all(column_top(1, line) + line);
        const auto put = [&](int column, const std::string& text) {
            const double left = layout_.is_stacked ? 0 : column_left(column);
            const double top = column_top(column, line);
            draw_rect(block, {left, top + (line - kSquare) / 2}, kSquare, kSquare, style_.head(column), 2);
            draw_text_at_middle(block, left + kSquare + 6, top + line / 2, text,
                                {.ink = style_.colors.soft_ink, .size = style_.small});
        };
        put(0, first);
        put(1, second);
        return block;
    }

    void draw_bar(FigureBlock& block, int column, double weight, const TextLook& look, std::string tip) const {
        constexpr double kThickness = 12;
        const double longest = column_width() - kWeight;
        const double left = column_left(column);
        const double top = column_top(column, bar_line()) + (layout_.row - kThickness) / 2;
        draw_rect(block, {left, top}, longest, kThickness, style_.colors.chip, 2);
        block.elements.emplace_back(FigureRect{.at = {left, top},
                                               .width = std::max(weight * longest, 1.0),
                                               .height = kThickness,
                                               .corner = 2,
                                               .look = {.fill = style_.head(column)},
                                               .tip = std::move(tip)});
        TextLook right = look;
        right.anchor = FigureAnchor::end;
        draw_text_at_middle(block, left + column_width(), top + kThickness / 2, shown_number(weight), right);
    }

    FigureBlock row(std::size_t i) const {
        FigureBlock block = line_of_all(row_height());
        const double middle = block.height / 2;
        if (i == lit_) draw_rect(block, {-4, 1}, block.width + 8, block.height - 2, style_.colors.lit, 4);
        TextLook look = {.ink = style_.colors.ink,
                         .size = style_.body,
                         .font = i == lit_ ? FigureFont::sans_bold : FigureFont::sans};
        const std::string name = concat("x", i);
        draw_text_at_middle(block, 0, middle, name, look);
        draw_bar(block, 0, plain_.weights[i], look, concat("softmax of ", name, ": ", shown_number(plain_.weights[i])));
        draw_bar(block, 1, gained_.weights[i], look,
                 concat("softmax of ", name, " with the gain: ", shown_number(gained_.weights[i])));
        block.places.push_back({concat("softmax=", i), {0, 0, block.width, block.height}});
        block.places.push_back(
            {concat("x=", i), {kIndex, middle - layout_.row / 2, kIndex + layout_.number, middle + layout_.row / 2}});
        if (!layout_.prints_numbers) return block;
        look.anchor = FigureAnchor::end;
        draw_text_at_middle(block, kIndex + layout_.number, middle, shown_number(static_cast<double>(view_.vector[i])),
                            look);
        return block;
    }

    static std::string summary_of(const Softmax& softmax) {
        return concat("sum ", shown_number(softmax.sum), " · largest ",
                      shown_number(softmax.weights[static_cast<std::size_t>(softmax.largest)]), " at x",
                      softmax.largest);
    }

    // How the weights grow or shrink with the gain: one line a number, the lit one in full.
    FigureBlock curves() const {
        constexpr int kSteps = 100;
        std::vector<std::vector<FigurePoint>> curves(view_.vector.size());
        for (int k = 0; k <= kSteps; ++k) {
            const double gain = kMinGain * std::pow(kMaxGain / kMinGain, static_cast<double>(k) / kSteps);
            const Softmax softmax = softmax_of(view_.vector, gain);
            for (std::size_t i = 0; i < curves.size(); ++i) curves[i].push_back({gain, softmax.weights[i]});
        }
        FigurePlot plot(style_, layout_.width, 200,
                        {.low = kMinGain,
                         .high = kMaxGain,
                         .is_log = true,
                         .ticks = {0.1, 0.2, 0.5, 1, 2, 5, kLectureGain, 20},
                         .title = "gain"},
                        {.low = 0, .high = 1, .ticks = {0, 0.25, 0.5, 0.75, 1}});
        plot.cursor(view_.gain, mixed(style_.colors.line, style_.colors.accent, 0.5F));
        const Rgb pale = mixed(style_.colors.paper, style_.head(1), 0.45F);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            if (i != lit_) plot.line(curves[i], pale, 1.25);
        }
        plot.line(curves[lit_], style_.head(1), 2.25);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            plot.mark({view_.gain, gained_.weights[i]}, FigureMark::disc, i == lit_ ? style_.head(1) : pale, 3,
                      concat("x", i, ": ", shown_number(gained_.weights[i])));
        }
        return std::move(plot).block();
    }

    // The formula, and the formula with numbers.
    FigureBlock formula() const {
        FigureBlock block;
        for (const std::string& line : softmax_lines(view_.vector, view_.gain, static_cast<int>(lit_))) {
            const TextLook look = {.ink = style_.colors.ink,
                                   .size = block.empty() ? style_.body : style_.mono,
                                   .font = block.empty() ? FigureFont::sans : FigureFont::mono};
            block = stacked_blocks(std::move(block), text_block(style_, line, layout_.width, look, 3), 1);
        }
        return block;
    }

    const SceneStyle& style_;
    const View& view_;
    const SoftmaxLayout& layout_;
    std::size_t lit_;
    Softmax plain_, gained_;
};

}  // namespace

FigureBlock softmax_scene(const SceneStyle& style, const View& view, const SoftmaxLayout& layout, int lit) {
    return SoftmaxPicture(style, view, layout, lit).scene();
}

}  // namespace attn
