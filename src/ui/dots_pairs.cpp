// Random pairs of query and key: the variance of their dot products against d, and histograms for one d.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/check.h"
#include "playground/experiment_text.h"
#include "playground/format.h"
#include "playground/notes.h"
#include "ui/dots.h"
#include "ui/experiment_memory.h"
#include "ui/plot.h"
#include "ui/setting_rows.h"
#include "ui/slider.h"

namespace attn {
namespace {

constexpr int kPairsAFrame = 500;   // a million random numbers take some 40 ms
constexpr float kSideBySide = 560;  // width from which three things stand side by side

// The mark of each of the dot_series().
constexpr std::array<PlotMark, 3> kSeriesMarks = {PlotMark::disc, PlotMark::square, PlotMark::diamond};

ImU32 series_color(const UiFrame& frame, std::size_t index) {
    return to_imgui(head_color(static_cast<int>(index), frame.palette.is_dark));
}

// Draws the pairs, some in each frame, whenever what decides them has changed.
const DotExperiment& current_pairs(UiFrame& frame) {
    const View& view = frame.state.view;
    std::optional<DotExperiment>& pairs = experiments(frame).pairs;
    if (!pairs || !pairs->is_of(view.pairs, view.pairs_seed, view.pairs_dim)) {
        pairs.emplace(view.pairs, view.pairs_seed, view.pairs_dim);
    }
    pairs->draw(kPairsAFrame);
    if (!pairs->is_done()) frame.memory.is_moving = true;
    return *pairs;
}

// 10, 20, 50, 100, ... below and above.
Steps pairs_steps(int value) {
    Steps steps;
    for (int decade = 10; decade <= kMaxPairs; decade *= 10) {
        for (const int factor : {1, 2, 5}) {
            const int next = decade * factor;
            if (next > kMaxPairs) break;
            if (next < value) steps.less = concat(next);
            if (next > value && !steps.more) steps.more = concat(next);
        }
    }
    return steps;
}

Steps dim_steps(int value) {
    return {.less = value > 1 ? std::optional(concat(value - 1)) : std::nullopt,
            .more = value < kMaxPairsDim ? std::optional(concat(value + 1)) : std::nullopt};
}

void put_dim_slider(UiFrame& frame) {
    static const std::array<SliderMark, 6> kMarks = {
        {{1, "1"}, {5, "5"}, {20, "20"}, {64, "64"}, {100, "100"}, {512, "512"}}};
    int& dim = frame.state.view.pairs_dim;
    const float width = ImGui::GetContentRegionAvail().x;
    const SliderEvent event = slider(frame, "pairs_dim", dim, {.low = 1, .high = kMaxPairsDim}, kMarks, width);
    if (event.value) dim = static_cast<int>(std::lround(*event.value));
    dim = std::clamp(dim + event.step, 1, kMaxPairsDim);
}

void put_controls(UiFrame& frame) {
    const View& view = frame.state.view;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_wide = room >= kSideBySide;
    const float gap = 28;
    const float width = is_wide ? (room - 2 * gap) / 3 : room;
    const float height = control_height(frame) + 4;
    const auto put = [&](const char* id, auto row) {
        ImGui::BeginChild(id, {width, height}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoScrollbar);
        row();
        ImGui::EndChild();
        if (is_wide) ImGui::SameLine(0, gap);
    };
    put("pairs row", [&] { number_row(frame, "pairs", concat(view.pairs), pairs_steps(view.pairs)); });
    put("seed row", [&] { seed_row(frame, "pairs_seed", view.pairs_seed); });
    put("dim row", [&] { number_row(frame, "pairs_dim", concat(view.pairs_dim), dim_steps(view.pairs_dim)); });
    if (is_wide) ImGui::NewLine();
    put_dim_slider(frame);
}

// "q·k 63.2": what each line is, beside its mark.
void put_legend(UiFrame& frame) {
    ImVec2 place = ImGui::GetCursorScreenPos();
    const ImVec2 corner = place;
    for (std::size_t s = 0; s < kSeriesMarks.size(); ++s) {
        const std::string text = concat("variance of ", dot_series()[s].title);
        draw_plot_mark({place.x + 6, place.y + kTextSize / 2}, kSeriesMarks[s], series_color(frame, s), 4);
        draw_text({place.x + 16, place.y}, small(frame), text);
        place.x += 16 + text_size(small(frame), text).x + 16;
    }
    const std::string_view rest = "dashed: expected";
    if (place.x + text_size(small(frame), rest).x > corner.x + ImGui::GetContentRegionAvail().x) {
        place = {corner.x, place.y + kTextSize + 2};
    }
    draw_text(place, small(frame), rest);
    ImGui::Dummy({1, place.y + kTextSize - corner.y});
}

void put_variance_plot(UiFrame& frame, const DotExperiment& pairs) {
    put_legend(frame);
    const float width = ImGui::GetContentRegionAvail().x;
    const bool is_phone = frame.layout == LayoutKind::phone;
    const Plot plot(
        frame, {width, is_phone ? 190.0F : 220.0F},
        {.low = 1,
         .high = kMaxPairsDim,
         .is_log = true,
         .ticks = {1, 2, 5, 10, 20, 50, 100, 200, 512},
         .title = "d, numbers in each vector"},
        {.low = 0.001, .high = 1000, .is_log = true, .ticks = {0.001, 0.01, 0.1, 1, 10, 100, 1000}, .title = {}});
    plot.cursor(pairs.dim(), mix(frame.palette.line, frame.palette.accent));
    for (std::size_t s = 0; s < kSeriesMarks.size(); ++s) {
        const DotSeries& series = dot_series()[s];
        plot.dashes({1, expected_variance(series, 1)}, {kMaxPairsDim, expected_variance(series, kMaxPairsDim)},
                    frame.palette.soft_ink);
        std::vector<PlotPoint> points;
        for (int d = 1; d <= kMaxPairsDim; ++d)
            points.push_back({static_cast<double>(d), variance_of(pairs, series, d)});
        plot.line(points, series_color(frame, s), 1.5F);
        for (const int d : listed_dims()) {
            plot.mark({static_cast<double>(d), variance_of(pairs, series, d)}, kSeriesMarks[s], series_color(frame, s),
                      3.5F);
        }
    }
}

// All three on one axis, so that their spreads can be compared; each in bins of a quarter of its own expected spread.
void put_histogram(UiFrame& frame, const DotExperiment& pairs, std::size_t index, ImVec2 size) {
    constexpr int kBins = 32;
    const DotSeries& series = dot_series()[index];
    const int d = pairs.dim();
    const double spread = std::sqrt(expected_variance(series, d));
    const double reach = 4 * spread;
    const double axis = 4 * std::sqrt(static_cast<double>(d));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    TextStyle title = bold(frame);
    draw_plot_mark({corner.x + 6, corner.y + kTextSize / 2}, kSeriesMarks[index], series_color(frame, index), 4);
    draw_text({corner.x + 16, corner.y}, title, series.title);
    draw_text({corner.x, corner.y + kTextSize + 2}, body(frame),
              concat("variance ", variance_text(variance_of(pairs, series, d))));
    draw_text({corner.x, corner.y + 2 * kTextSize + 4}, small(frame), expectation_text(series, d));
    const float text_height = 3 * kTextSize + 10;
    ImGui::SetCursorScreenPos({corner.x, corner.y + text_height});

    const std::vector<int> bins = histogram(pairs.products(), series.divisor(d), reach, kBins);
    const int fullest = std::max(1, *std::max_element(bins.begin(), bins.end()));
    const double end = axis >= 10 ? std::round(axis) : std::round(axis * 10) / 10;
    const Plot plot(frame, {size.x, size.y - text_height},
                    {.low = -axis, .high = axis, .is_log = false, .ticks = {-end, 0, end}, .title = {}},
                    {.low = 0, .high = static_cast<double>(fullest), .is_log = false, .ticks = {}, .title = {}});
    for (int bin = 0; bin < kBins; ++bin) {
        const double from = -reach + 2 * reach * bin / kBins;
        plot.bar(from, from + 2 * reach / kBins, bins[static_cast<std::size_t>(bin)], series_color(frame, index));
    }
}

void put_histograms(UiFrame& frame, const DotExperiment& pairs) {
    const float room = ImGui::GetContentRegionAvail().x;
    const bool is_wide = room >= kSideBySide;
    constexpr float kGap = 20;
    const ImVec2 size = {is_wide ? (room - 2 * kGap) / 3 : room, is_wide ? 190.0F : 160.0F};
    ImVec2 place = ImGui::GetCursorScreenPos();
    for (std::size_t s = 0; s < kSeriesMarks.size(); ++s) {
        ImGui::SetCursorScreenPos(place);
        put_histogram(frame, pairs, s, size);
        is_wide ? (void)(place.x += size.x + kGap) : (void)(place.y += size.y + 8);
    }
}

}  // namespace

void put_random_pairs(UiFrame& frame) {
    put_heading(frame, "RANDOM QUERIES AND KEYS");
    put_controls(frame);
    const DotExperiment& pairs = current_pairs(frame);
    const View& view = frame.state.view;
    const std::string count = with_thousands(pairs.num_drawn());
    const std::string drawn = pairs.is_done() ? count : concat(count, " of ", with_thousands(view.pairs));
    put_wrapped_text(small(frame), pairs_in_words(drawn));
    put_wrapped_text(small(frame), pairs_in_torch(view));
    ImGui::Dummy({1, 2});
    put_variance_plot(frame, pairs);
    put_heading(frame, concat("THE ", with_thousands(pairs.num_drawn()), " DOT PRODUCTS AT d = ", pairs.dim()));
    put_histograms(frame, pairs);
}

}  // namespace attn
