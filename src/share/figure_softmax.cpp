// view=softmax: a vector, its softmax, and that of the vector times the gain, as bars; and where the largest weight
// comes from.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "playground/format.h"
#include "playground/softmax_experiment.h"
#include "share/figure_plot.h"
#include "share/figure_views.h"

namespace attn {
namespace {

constexpr double kLine = 24;
constexpr double kIndex = 34;   // room for "x12"
constexpr double kNumber = 76;  // for the number itself
constexpr double kGap = 18;
constexpr double kBar = 240;    // the longest bar
constexpr double kWeight = 62;  // for a weight beside its bar
constexpr double kColumn = kBar + kWeight;

double column_left(int column) {
    return kIndex + kNumber + kGap + column * (kColumn + kGap);
}
double width_of_all() {
    return column_left(1) + kColumn;
}

// What stands over and under the bars of a column, after a square in its colour.
void draw_column_text(FigureBlock& block, const FigureTask& task, int column, std::string_view text) {
    constexpr double kSquare = 9;
    const double left = column_left(column);
    draw_rect(block, {left, (kLine - kSquare) / 2}, kSquare, kSquare, task.head(column), 2);
    draw_text_at_middle(block, left + kSquare + 6, kLine / 2, text,
                        {.ink = task.colors.soft_ink, .size = kFigureSmall});
}

FigureBlock columns_line(const FigureTask& task, const std::string& first, const std::string& second) {
    FigureBlock block;
    block.width = width_of_all();
    block.height = kLine;
    draw_column_text(block, task, 0, first);
    draw_column_text(block, task, 1, second);
    return block;
}

void draw_bar(FigureBlock& block, const FigureTask& task, int column, double weight, const TextLook& look,
              std::string tip) {
    constexpr double kThickness = 12;
    const double left = column_left(column);
    const double top = (kLine - kThickness) / 2;
    draw_rect(block, {left, top}, kBar, kThickness, task.colors.chip, 2);
    block.elements.emplace_back(FigureRect{.at = {left, top},
                                           .width = std::max(weight * kBar, 1.0),
                                           .height = kThickness,
                                           .corner = 2,
                                           .look = {.fill = task.head(column)},
                                           .tip = std::move(tip)});
    TextLook right = look;
    right.anchor = FigureAnchor::end;
    draw_text_at_middle(block, left + kColumn, kLine / 2, shown_number(weight), right);
}

FigureBlock number_row(const FigureTask& task, std::size_t i, const Softmax& plain, const Softmax& gained) {
    FigureBlock block;
    block.width = width_of_all();
    block.height = kLine;
    const bool is_largest = static_cast<int>(i) == gained.largest;
    if (is_largest) draw_rect(block, {-4, 1}, block.width + 8, kLine - 2, task.colors.lit, 4);
    TextLook look = {.ink = task.colors.ink, .font = is_largest ? FigureFont::sans_bold : FigureFont::sans};
    const std::string name = concat("x", i);
    draw_text_at_middle(block, 0, kLine / 2, name, look);
    draw_bar(block, task, 0, plain.weights[i], look, concat("softmax of ", name, ": ", shown_number(plain.weights[i])));
    draw_bar(block, task, 1, gained.weights[i], look,
             concat("softmax of ", name, " with the gain: ", shown_number(gained.weights[i])));
    look.anchor = FigureAnchor::end;
    draw_text_at_middle(block, kIndex + kNumber, kLine / 2, shown_number(static_cast<double>(task.view().vector[i])),
                        look);
    return block;
}

std::string summary_of(const Softmax& softmax) {
    return concat("sum ", shown_number(softmax.sum), " · largest ",
                  shown_number(softmax.weights[static_cast<std::size_t>(softmax.largest)]), " at x", softmax.largest);
}

// How the weights grow or shrink with the gain: one line a number, the largest one in full.
FigureBlock curve_block(const FigureTask& task, const Softmax& gained) {
    constexpr int kSteps = 100;
    const View& view = task.view();
    std::vector<std::vector<FigurePoint>> curves(view.vector.size());
    for (int k = 0; k <= kSteps; ++k) {
        const double gain = kMinGain * std::pow(kMaxGain / kMinGain, static_cast<double>(k) / kSteps);
        const Softmax softmax = softmax_of(view.vector, gain);
        for (std::size_t i = 0; i < curves.size(); ++i) curves[i].push_back({gain, softmax.weights[i]});
    }
    FigurePlot plot(task, width_of_all(), 200,
                    {.low = kMinGain,
                     .high = kMaxGain,
                     .is_log = true,
                     .ticks = {0.1, 0.2, 0.5, 1, 2, 5, kLectureGain, 20},
                     .title = "gain"},
                    {.low = 0, .high = 1, .ticks = {0, 0.25, 0.5, 0.75, 1}});
    plot.cursor(view.gain, mixed(task.colors.line, task.colors.accent, 0.5F));
    const Rgb pale = mixed(task.colors.paper, task.head(1), 0.45F);
    const auto largest = static_cast<std::size_t>(gained.largest);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (i != largest) plot.line(curves[i], pale, 1.25);
    }
    plot.line(curves[largest], task.head(1), 2.25);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        plot.mark({view.gain, gained.weights[i]}, FigureMark::disc, i == largest ? task.head(1) : pale, 3,
                  concat("x", i, ": ", shown_number(gained.weights[i])));
    }
    return std::move(plot).block();
}

// The formula, and the numbers put in.
FigureBlock formula_block(const FigureTask& task, int i) {
    FigureBlock block;
    for (const std::string& line : softmax_lines(task.view().vector, task.view().gain, i)) {
        const FigureFont font = block.empty() ? FigureFont::sans : FigureFont::mono;
        block = stacked_blocks(std::move(block),
                               text_block(line, width_of_all(), {.ink = task.colors.ink, .font = font}, 3), 1);
    }
    return block;
}

}  // namespace

Result<Figure> figure_of_softmax(const FigureTask& task) {
    const View& view = task.view();
    const Softmax plain = softmax_of(view.vector, 1);
    const Softmax gained = softmax_of(view.vector, view.gain);
    const std::string gain = exact_number(view.gain);
    const auto heading = [&](const std::string& text) {
        return heading_block(task, std::nullopt, text, "", width_of_all());
    };
    FigureBlock picture = columns_line(task, "softmax(x)", concat("softmax(", gain, " · x)"));
    for (std::size_t i = 0; i < view.vector.size(); ++i) {
        picture = stacked_blocks(std::move(picture), number_row(task, i, plain, gained), 0);
    }
    picture = stacked_blocks(std::move(picture), columns_line(task, summary_of(plain), summary_of(gained)), 0);
    picture = stacked_blocks(std::move(picture), heading("Each weight as the gain grows"), 14);
    picture = stacked_blocks(std::move(picture), curve_block(task, gained), 2);
    picture = stacked_blocks(std::move(picture), heading(concat("x", gained.largest, " with the numbers put in")), 14);
    picture = stacked_blocks(std::move(picture), formula_block(task, gained.largest), 2);

    FigureWords words;
    words.title = "A vector and its softmax";
    words.subtitle = concat("The same numbers as they are, and times a gain of ", gain,
                            ": the larger the numbers, the more goes to the largest.");
    return finished_figure(task, std::move(words), std::move(picture));
}

}  // namespace attn
