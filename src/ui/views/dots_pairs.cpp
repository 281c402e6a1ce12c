// Random pairs of query and key: the variance of their dot products against d, and histograms for one d.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ground/check.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "ui/frame/layout.h"
#include "ui/kit/setting_rows.h"
#include "ui/kit/slider.h"
#include "ui/views/dots.h"
#include "ui/views/experiment_memory.h"
#include "views/dots/dots_scene.h"
#include "views/dots/experiment_text.h"

namespace attn {
namespace {

constexpr int kPairsAFrame = 500;   // a million random numbers take some 40 ms
constexpr float kSideBySide = 680;  // width from which three things stand side by side

// Draws the pairs, some in each frame, whenever what decides them has changed.
const DotExperiment& current_pairs(Display& display) {
    const View& view = display.state.view;
    std::optional<DotExperiment>& pairs = experiments(display).pairs;
    if (!pairs || !pairs->is_of(view.pairs, view.pairs_seed, view.pairs_dim)) {
        pairs.emplace(view.pairs, view.pairs_seed, view.pairs_dim);
    }
    pairs->draw(kPairsAFrame);
    if (!pairs->is_done()) display.widgets.is_moving = true;
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
    const int dim = frame.state.view.pairs_dim;
    const float width = ImGui::GetContentRegionAvail().x;
    const SliderEvent event = slider(frame, "pairs_dim", dim, {.low = 1, .high = kMaxPairsDim}, kMarks, width);
    if (event.value) frame.next.view.pairs_dim = static_cast<int>(std::lround(*event.value));
    if (event.step != 0) frame.next.view.pairs_dim = std::clamp(dim + event.step, 1, kMaxPairsDim);
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

}  // namespace

void put_random_pairs(UiFrame& frame) {
    const bool is_first = frame.is_small();
    put_heading(frame, "RANDOM QUERIES AND KEYS");
    if (!is_first) put_controls(frame);
    const DotExperiment& pairs = current_pairs(frame);
    const View& view = frame.state.view;
    const std::string count = with_thousands(pairs.num_drawn());
    const std::string drawn = pairs.is_done() ? count : concat(count, " of ", with_thousands(view.pairs));
    const auto put_words = [&] {
        put_wrapped_text(small(frame), pairs_in_words(drawn));
        put_wrapped_text(small(frame), pairs_in_torch(view));
    };
    if (!is_first) put_words();
    ImGui::Dummy({1, 2});
    const float width = ImGui::GetContentRegionAvail().x;
    const double plot_height = frame.layout == LayoutKind::phone ? 190 : 240;
    const PairsKey key = {pairs.num_drawn(), view.pairs_seed, pairs.dim(), width, plot_height};
    put_scene(frame, experiments(frame).variances.at(frame, key, [&](const SceneStyle& style) {
        return variance_scene(style, pairs, static_cast<double>(width), plot_height);
    }));
    if (is_first) {
        put_controls(frame);
        put_words();
    }
    put_heading(frame, concat("THE ", with_thousands(pairs.num_drawn()), " DOT PRODUCTS AT d = ", pairs.dim()));
    put_scene(frame, experiments(frame).histograms.at(frame, key, [&](const SceneStyle& style) {
        return histograms_scene(style, pairs, static_cast<double>(width));
    }));
}

}  // namespace attn
