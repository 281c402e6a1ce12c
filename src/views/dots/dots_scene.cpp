// The pictures of view=dots: lines with marks on logarithmic axes, and histograms that share one axis.
#include "views/dots/dots_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "scene/kit/figure_plot.h"
#include "views/dots/experiment_text.h"

namespace attn {
namespace {

// The mark of each of the dot_series(), in the colour of the head with the same number.
constexpr std::array<FigureMark, 3> kMarks = {FigureMark::disc, FigureMark::square, FigureMark::diamond};

// "● variance of q·k  ■ variance of q·k / √d  ---- expected", in as many lines as it needs.
FigureBlock key_of_marks(const SceneStyle& style, double width) {
    constexpr double kLine = 18;
    const TextLook look = {.ink = style.colors.soft_ink, .size = style.small};
    FigureBlock block;
    double x = 0;
    double middle = kLine / 2;
    const auto make_room = [&](double needed) {
        if (x > 0 && x + needed > width) {
            x = 0;
            middle += kLine;
        }
        block.width = std::max(block.width, x + needed);
    };
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        const std::string text = concat("variance of ", dot_series()[s].title);
        const double text_width = style.width(text, look.size);
        make_room(15 + text_width);
        draw_mark(block, {x + 5, middle}, kMarks[s], style.head(static_cast<int>(s)), 4);
        draw_text_at_middle(block, x + 15, middle, text, look);
        x += 15 + text_width + 20;
    }
    const double text_width = style.width("expected", look.size);
    make_room(32 + text_width);
    draw_line(block, {x, middle}, {x + 24, middle}, style.colors.soft_ink, 1, {4, 4});
    draw_text_at_middle(block, x + 32, middle, "expected", look);
    block.height = middle + kLine / 2;
    return block;
}

// All three share one axis, which lets the eye compare their spreads; each has bins a quarter of its expected spread
// wide.
FigureBlock histogram_block(const SceneStyle& style, const DotExperiment& pairs, std::size_t index, double width,
                            double plot_height) {
    constexpr int kBins = 32;
    const double line = style.body * 17 / 12;
    const DotSeries& series = dot_series()[index];
    const Rgb color = style.head(static_cast<int>(index));
    const int d = pairs.dim();
    const double reach = 4 * std::sqrt(expected_variance(series, d));
    const double axis = 4 * std::sqrt(static_cast<double>(d));
    FigureBlock words;
    words.width = width;
    words.height = 3 * line;
    draw_mark(words, {5, line / 2}, kMarks[index], color, 4);
    draw_text_at_middle(words, 15, line / 2, series.title,
                        {.ink = style.colors.ink, .size = style.heading, .font = FigureFont::sans_bold});
    draw_text_at_middle(words, 0, 1.5 * line, concat("variance ", variance_text(variance_of(pairs, series, d))),
                        {.ink = style.colors.ink});
    draw_text_at_middle(words, 0, 2.5 * line, expectation_text(series, d),
                        {.ink = style.colors.soft_ink, .size = style.small});

    const std::vector<int> bins = histogram(pairs.products(), series.divisor(d), reach, kBins);
    const int fullest = std::max(1, *std::max_element(bins.begin(), bins.end()));
    const double end = axis >= 10 ? std::round(axis) : std::round(axis * 10) / 10;
    FigurePlot plot(style, width, plot_height, {.low = -axis, .high = axis, .ticks = {-end, 0, end}},
                    {.low = 0, .high = static_cast<double>(fullest)});
    const auto edge = [&](int bin) { return reach * (2.0 * bin / kBins - 1); };
    for (int bin = 0; bin < kBins; ++bin) {
        const int count = bins[static_cast<std::size_t>(bin)];
        plot.bar(
            edge(bin), edge(bin + 1), count, color,
            concat(shown_number(edge(bin), 2), " to ", shown_number(edge(bin + 1), 2), ": ", with_thousands(count)));
    }
    return stacked_blocks(std::move(words), std::move(plot).block(), 4);
}

}  // namespace

FigureBlock variance_scene(const SceneStyle& style, const DotExperiment& pairs, double width, double height) {
    FigurePlot plot(style, width, height,
                    {.low = 1,
                     .high = kMaxPairsDim,
                     .is_log = true,
                     .ticks = {1, 2, 5, 10, 20, 50, 100, 200, 512},
                     .title = "d, numbers in each vector"},
                    {.low = 0.001, .high = 1000, .is_log = true, .ticks = {0.001, 0.01, 0.1, 1, 10, 100, 1000}});
    plot.cursor(pairs.dim(), mixed(style.colors.line, style.colors.accent, 0.5F));
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        const DotSeries& series = dot_series()[s];
        const Rgb color = style.head(static_cast<int>(s));
        plot.dashes({1, expected_variance(series, 1)}, {kMaxPairsDim, expected_variance(series, kMaxPairsDim)});
        std::vector<FigurePoint> points;
        for (int d = 1; d <= kMaxPairsDim; ++d) {
            points.push_back({static_cast<double>(d), variance_of(pairs, series, d)});
        }
        plot.line(points, color, 1.5);
        for (const int d : listed_dims()) {
            const double variance = variance_of(pairs, series, d);
            plot.mark({static_cast<double>(d), variance}, kMarks[s], color, 3.5,
                      concat("d = ", d, ", variance of ", series.title, ": ", variance_text(variance)));
        }
    }
    return stacked_blocks(key_of_marks(style, width), std::move(plot).block(), 4);
}

FigureBlock histograms_scene(const SceneStyle& style, const DotExperiment& pairs, double width) {
    constexpr double kGap = 24;
    constexpr double kThreeBeside = 560;
    FigureBlock block;
    for (std::size_t s = 0; s < kMarks.size(); ++s) {
        if (width >= kThreeBeside) {
            const double share = (width - 2 * kGap) / static_cast<double>(kMarks.size());
            place_block(block, histogram_block(style, pairs, s, share, 130),
                        {static_cast<double>(s) * (share + kGap), 0});
        } else {
            block = stacked_blocks(std::move(block), histogram_block(style, pairs, s, width, 100), 8);
        }
    }
    return block;
}

}  // namespace attn
