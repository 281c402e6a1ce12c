// Several heads in one map, and the numbers beside the rows, on the whole screen.
#include "playground/numbers/heads_together.h"
#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/state/words.h"
#include "ui/matrix/heads_stats.h"
#include "ui/screen.h"
#include "views/stage/shown_stage.h"

using namespace attn;
using namespace attn::testing;

namespace {

ImVec2 cell_place(Screen& screen, int row, int column) {
    const UiItem& map = screen.at("map=1");
    const auto count = static_cast<float>(screen.evaluation().num_tokens());
    return {map.min.x + (map.max.x - map.min.x) * (static_cast<float>(column) + 0.5F) / count,
            map.min.y + (map.max.y - map.min.y) * (static_cast<float>(row) + 0.5F) / count};
}

// A phone has these choices among its settings.
void choose(Screen& screen, ImVec2 size, const std::string& name) {
    const bool is_phone = size.x < 600;
    if (is_phone) {
        screen.click("settings");
        screen.point_at("heads+");
        screen.scroll_to(name);
    }
    screen.click(name);
    if (is_phone) screen.click("settings=close");
}

}  // namespace

TEST_CASE("the heads are put together and come apart again", "[heads-together]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844)}) {
        for (const char* view : {"matrix", "numbers"}) {
            CAPTURE(size.x, view);
            Screen screen(size, concat("heads=4&d_out=16&view=", view));
            CHECK(num_maps(screen) == (size.x < 600 ? 1 : num_maps(screen)));
            choose(screen, size, "combine=mean");
            CHECK(screen.state().view.combine == Combine::mean);
            CHECK(num_maps(screen) == 1);
            CHECK_FALSE(screen.has("head=1"));
            CHECK_FALSE(screen.has("head+"));
            choose(screen, size, "combine=none");
            CHECK(screen.state().view.combine == Combine::none);
        }
    }
}

TEST_CASE("combining is offered only where there is something to combine", "[heads-together]") {
    CHECK_FALSE(Screen({1280, 800}, "heads=1").has("combine=mean"));
    CHECK_FALSE(Screen({1280, 800}, "stage=context").has("combine=mean"));
    CHECK(Screen({1280, 800}, "stage=scores").has("combine=mean"));
    CHECK_FALSE(Screen({1280, 800}, "stage=scores").has("row_stat=sum"));
    CHECK(Screen({1280, 800}, "heads=1").has("row_stat=sum"));
    CHECK_FALSE(Screen({1280, 800}, "hide=values").has("row_stat=sum"));
}

TEST_CASE("a combined map shows the combined numbers, row by row", "[heads-together]") {
    for (const Combine combine : {Combine::mean, Combine::max}) {
        Screen screen({1280, 800}, "heads=4&d_out=16");
        StageMemory memory;
        StageMemory others;  // a stage that is put together stays in the memory until another is shown from it
        const Evaluation& evaluation = screen.evaluation();
        const ShownStage stage = shown_stage(evaluation, 1, TensorId::weights, memory, combine);
        CHECK(stage.num_maps == 1);
        CHECK(stage.content_version != shown_stage(evaluation, 1, TensorId::weights, others).content_version);
        const Matrix expected = combined_matrix(evaluation, TensorId::weights, combine);
        CHECK(map_rows(stage, 0, 0, stage.rows) == expected);
        for (int i = 0; i < 11; ++i) {
            const Vector row = shown_row(stage, 0, i);
            CHECK(std::equal(row.begin(), row.end(), row_of(expected, i).begin()));
        }
    }
}

TEST_CASE("many heads are put together in several steps, and the map waits for the last row", "[heads-together]") {
    std::string text;
    for (int k = 0; k < 700; ++k) text += concat("w", k, "+");
    const PlaygroundState state = read_link(concat("heads=8&d_out=16&text=", text)).state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    StageMemory memory;
    const auto now = [&] { return shown_stage(evaluation, 1, TensorId::weights, memory, Combine::mean); };
    REQUIRE_FALSE(now().is_summarized);
    CHECK_FALSE(now().is_ready(0));
    int num_steps = 2;
    while (!now().is_summarized) ++num_steps;
    CHECK(num_steps < 20);
    const ShownStage stage = now();
    REQUIRE(stage.is_ready(0));
    CHECK(map_rows(stage, 0, 0, stage.rows) == combined_matrix(evaluation, TensorId::weights, Combine::mean));
    // Another stage in between: what was put together is made again.
    const auto others = [&] { return shown_stage(evaluation, 1, TensorId::scores, memory, Combine::max); };
    while (!others().is_ready(0)) continue;
    CHECK_FALSE(now().is_ready(0));
    while (!now().is_ready(0)) continue;
    CHECK(map_rows(now(), 0, 0, stage.rows) == combined_matrix(evaluation, TensorId::weights, Combine::mean));
}

TEST_CASE("a combined cell is pinned without a head and explained by all of them", "[heads-together]") {
    Screen screen({1280, 800}, "heads=4&d_out=16&combine=mean&cell=3,2,1");
    screen.click(cell_place(screen, 7, 1));
    CHECK(screen.state().view.cell == Cell{0, 7, 1});
    CHECK(screen.has("factor head 0a"));
    CHECK(screen.has("factor head 3a"));
    // A head's number leads to that head.
    screen.click("factor head 2a");
    CHECK(screen.state().view.combine == Combine::none);
    CHECK(screen.state().view.cell == Cell{2, 7, 1});
}

TEST_CASE("the largest is explained by the head that has it", "[heads-together]") {
    Screen screen({1280, 800}, "heads=4&d_out=16&combine=max&cell=1,7,1");
    const Explanation explanation = explain_combined(screen.evaluation(), TensorId::weights, Combine::max, 7, 1);
    screen.click("factor largest");
    CHECK(screen.state().view.combine == Combine::none);
    CHECK(screen.state().view.cell == Cell{explanation.terms.front().a.source.head, 7, 1});
}

TEST_CASE("a pinned cell of a head is found in the combined map, and let go there", "[heads-together]") {
    Screen screen({1280, 800}, "heads=4&d_out=16&combine=mean&cell=3,7,1");
    screen.click(cell_place(screen, 7, 1));
    CHECK_FALSE(screen.state().view.cell);
}

TEST_CASE("every map makes room for the numbers beside its rows", "[heads-together]") {
    for (const ImVec2 size : {ImVec2(1280, 800), ImVec2(700, 900), ImVec2(390, 844)}) {
        for (const char* stat : {"sum", "entropy", "largest"}) {
            for (const char* view : {"matrix", "numbers"}) {
                CAPTURE(size.x, stat, view);
                Screen without(size, concat("dropout=0.3&stage=dropped_weights&heads=1&view=", view));
                const float right = without.at("map=1").max.x;
                choose(without, size, concat("row_stat=", stat));
                CHECK(word_of(kRowStatWords, without.state().view.row_stat) == stat);
                const UiItem& map = without.at("map=1");
                CHECK(map.max.x <= right);
                if (std::string_view(view) == "matrix") CHECK(map.max.x + 40 < without.at("cells").max.x);
            }
        }
    }
}

TEST_CASE("rows that are too low have no numbers beside them", "[heads-together]") {
    std::string link = "text=";
    for (int k = 0; k < 200; ++k) link += concat("w", k, "+");
    const auto width_with = [&](std::string_view key) {
        Screen screen({1280, 800}, concat(key, link));
        return screen.at("map=1").max.x - screen.at("map=1").min.x;
    };
    CHECK(width_with("row_stat=sum&") == width_with(""));
}
