// What is shown of a stage: the range of its colours, its hidden cells, its rows.
#include "views/stage/shown_stage.h"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "views/stage/figure_stage.h"

using namespace attn;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The evaluation must outlive what is shown of it.
struct Shown {
    explicit Shown(std::string_view link) : state(read_link(link).state), evaluation(evaluate(state.inputs, 0)) {}
    ShownStage of(TensorId stage, int version = 1) { return shown_stage(evaluation, version, stage, memory); }

    PlaygroundState state;
    Evaluation evaluation;
    StageMemory memory;
};

std::string words(int count) {
    std::string link = "text=";
    for (int k = 0; k < count; ++k) link += "w" + std::to_string(k) + "+";
    return link;
}

}  // namespace

TEST_CASE("weights of short sentences are shown from 0 to 1", "[heads]") {
    for (const char* link : {"", "text=one", "temperature=100", "init=identity&d_out=8"}) {
        Shown shown(link);
        const ShownStage stage = shown.of(TensorId::weights);
        CHECK(stage.range.low == 0);
        CHECK(stage.range.high == 1);
        CHECK_FALSE(stage.is_cut());
        CHECK(stage.map() == ColorMap::sequential);
    }
}

TEST_CASE("in long sentences the range ends where at most one row in four goes on", "[heads][property]") {
    for (const std::string& link : {words(17), words(60), words(60) + "&temperature=0.02", words(200) + "&heads=1",
                                    words(120) + "&mask=none&temperature=50", words(300) + "&dropout=0.5"}) {
        Shown shown(link);
        for (const TensorId id : {TensorId::weights, TensorId::dropped_weights}) {
            if (!has_stage(*shown.evaluation.problem, id)) continue;
            const ShownStage stage = shown.of(id);
            const auto rows_above = [&](float limit) {
                int count = 0;
                for (int head = 0; head < stage.num_maps; ++head) {
                    for (int row = 0; row < stage.rows; ++row) {
                        const Vector values = shown_row(stage, head, row);
                        count += std::any_of(values.begin(), values.end(), [&](float v) { return v > limit; }) ? 1 : 0;
                    }
                }
                return count;
            };
            const int quarter = stage.rows * stage.num_maps / 4;
            CAPTURE(link, stage.range.high, rows_above(stage.summary.ceiling));
            CHECK(stage.range.low == 0);
            CHECK(stage.is_cut() == (stage.summary.ceiling < 1));
            if (stage.is_cut()) CHECK(rows_above(stage.summary.ceiling) <= quarter);
            CHECK(rows_above(stage.summary.ceiling * 0.4F) > quarter);  // 0.4: the widest step between two ceilings
        }
    }
}

TEST_CASE("dropped weights are shown up to 1 / (1 - p)", "[heads]") {
    Shown shown("dropout=0.75");
    const ShownStage stage = shown.of(TensorId::dropped_weights);
    CHECK(stage.range.low == 0);
    CHECK(stage.range.high == 4);
}

TEST_CASE("signed stages have zero in the middle and the largest number of all heads at an end", "[heads]") {
    Shown shown("heads=4&d_out=8");
    for (const TensorId id : present_stages(shown.state.inputs)) {
        const ShownStage stage = shown.of(id);
        if (!stage.info.is_signed) continue;
        float largest = 0;
        for (int head = 0; head < stage.num_maps; ++head) {
            for (const float value : shown_matrix(shown.evaluation, id, head)) {
                if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
            }
        }
        CAPTURE(stage.info.name);
        CHECK(stage.num_maps == (stage.info.has_heads ? 4 : 1));
        CHECK(stage.range.high == largest);
        CHECK(stage.range.low == -largest);
        CHECK(stage.map() == ColorMap::diverging);
    }
}

TEST_CASE("a stage of zeros still has a range", "[heads][bad-input]") {
    Shown shown("embed=typed&x=0,0;0,0&d_in=2&d_out=2&heads=1&pos=none&text=a+b");
    const ShownStage stage = shown.of(TensorId::embeddings);
    CHECK(stage.range.low == -1);
    CHECK(stage.range.high == 1);
}

TEST_CASE("numbers that are too large for a float still have a range", "[heads][bad-input]") {
    Shown shown("embed=typed&x=3e38,3e38;1e38,2e38&d_in=2&d_out=2&heads=1&pos=none&text=a+b&init=identity");
    for (const TensorId id : present_stages(shown.state.inputs)) {
        const ShownStage stage = shown.of(id);
        CAPTURE(stage.info.name);
        CHECK(std::isfinite(stage.range.high));
        CHECK(stage.range.low < stage.range.high);
    }
}

TEST_CASE("a shown row is a row of the shown matrix", "[heads][reference]") {
    Shown shown("dropout=0.3&edit=mask[5,2]=1&heads=2");
    for (const TensorId id : present_stages(shown.state.inputs)) {
        const ShownStage stage = shown.of(id);
        for (int head = 0; head < stage.num_maps; ++head) {
            const Matrix matrix = shown_matrix(shown.evaluation, id, head);
            for (int row = 0; row < stage.rows; ++row) {
                const Vector values = shown_row(stage, head, row);
                REQUIRE(static_cast<int>(values.size()) == stage.columns);
                for (int column = 0; column < stage.columns; ++column) {
                    CAPTURE(stage.info.name, head, row, column);
                    CHECK(values(column) == matrix(row, column));
                }
            }
        }
    }
}

TEST_CASE("hidden cells are told apart: the future, or an edit", "[heads]") {
    CHECK(Shown("").of(TensorId::weights).summary.has_hidden);
    CHECK(Shown("").of(TensorId::weights).summary.hides_only_future);
    CHECK_FALSE(Shown("").of(TensorId::scores).summary.has_hidden);
    CHECK_FALSE(Shown("mask=none").of(TensorId::weights).summary.has_hidden);
    CHECK_FALSE(Shown("edit=mask[5,2]=1").of(TensorId::weights).summary.hides_only_future);
    CHECK(shown_row(Shown("").of(TensorId::weights), 0, 0)(1) == -kInfinity);
}

TEST_CASE("the walk over all heads is made once a version and stage", "[heads]") {
    Shown shown("");
    CHECK(shown.of(TensorId::scores).summary.largest > 0);
    shown.memory.summary.largest = 77;
    CHECK(shown.of(TensorId::scores).range.high == 77);     // remembered
    CHECK(shown.of(TensorId::scores, 2).range.high != 77);  // another version
    shown.memory.summary.largest = 77;
    CHECK(shown.of(TensorId::scaled_scores, 2).range.high != 77);  // another stage
    CHECK(shown.of(TensorId::scores, 1).content_version != shown.of(TensorId::scores, 2).content_version);
    CHECK(shown.of(TensorId::scores, 1).content_version != shown.of(TensorId::weights, 1).content_version);
}

TEST_CASE("a blank number gives nothing away by the end of the colours", "[heads]") {
    Shown shown("heads=1");
    const Matrix scores = shown_matrix(shown.evaluation, TensorId::scores, 0);
    Place largest;
    for (int row = 0; row < length(scores, 0); ++row) {
        for (int column = 0; column < length(scores, 1); ++column) {
            if (std::abs(scores(row, column)) > std::abs(scores(largest.row, largest.column))) largest = {row, column};
        }
    }
    const std::string hides = concat("heads=1&hide=scores[1,", largest.row, ",", largest.column, "]");
    const Blanks blanks(read_link(hides).state);
    const auto of = [&](const Blanks& left_out) {
        return shown_stage(shown.evaluation, 1, TensorId::scores, shown.memory, Combine::none, left_out);
    };
    CHECK(of({}).range.high == std::abs(scores(largest.row, largest.column)));
    const ShownStage stage = of(blanks);
    CHECK(stage.range.high < std::abs(scores(largest.row, largest.column)));
    CHECK(rows_of_map(stage, 0, largest.row, largest.row + 1).blank(0, largest.column) == 1);
    CHECK(std::isnan(map_rows(stage, 0, largest.row, largest.row + 1)(0, largest.column)));
    CHECK(of({}).range.high > stage.range.high);  // and the walk is made again without blanks
}

TEST_CASE("paper reads the same stage as the screen, a band of rows at a time", "[heads][reference]") {
    const std::string link = GENERATE(as<std::string>(), words(30), words(30) + "&combine=mean",
                                      words(30) + "&hide=scores[1,20,4],weights[2,29,3]", "check=scores&combine=max");
    Shown shown(link);
    for (const TensorId id : {TensorId::weights, TensorId::scores, TensorId::queries}) {
        CAPTURE(link, tensor_name(id));
        const Blanks blanks(shown.state);
        const ShownStage screen = shown_stage(shown.evaluation, 1, id, shown.memory, shown.state.view.combine, blanks);
        StageScan scan(shown.state, shown.evaluation, {}, id);
        while (!scan.advance()) continue;
        const FigureStage& paper = scan.stage();
        CHECK(paper.num_maps == screen.num_maps);
        CHECK(paper.range.low == screen.range.low);
        CHECK(paper.range.high == screen.range.high);
        for (int map = 0; map < screen.num_maps; ++map) {
            const StageRows rows = rows_of_map(paper, map, 3, 7);
            const Matrix seen = map_rows(screen, map, 3, 7);
            for (std::size_t k = 0; k < seen.size(); ++k) {
                const bool is_blank = rows.blank.size() > 0 && elements(rows.blank)[k] != 0;
                CHECK(is_blank == std::isnan(elements(seen)[k]));
                if (!is_blank) CHECK(elements(rows.values)[k] == elements(seen)[k]);
            }
        }
    }
}
