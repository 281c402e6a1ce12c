#include "playground/hiding.h"

#include <catch_amalgamated.hpp>

#include "playground/state_url.h"

namespace attn {
namespace {

TEST_CASE("hide names parts, stages, controls and values", "[hiding]") {
    const View view = read_link("hide=legend,stage.scores,control.seed,weights[2,7,4],output[*,0]&out=1").state.view;
    CHECK(hides_part(view, "legend"));
    CHECK_FALSE(hides_part(view, "settings"));
    CHECK(hides_stage(view, TensorId::scores));
    CHECK_FALSE(hides_stage(view, TensorId::weights));
    CHECK(hides_control(view, "seed"));
    CHECK_FALSE(hides_control(view, "heads"));
    CHECK(hides_value(view, TensorId::weights, 1, 7, 4));
    CHECK_FALSE(hides_value(view, TensorId::weights, 0, 7, 4));
    CHECK_FALSE(hides_value(view, TensorId::weights, 1, 7, 5));
    CHECK(hides_value(view, TensorId::output, 0, 3, 0));
    CHECK_FALSE(hides_value(view, TensorId::output, 0, 3, 1));
    CHECK(hides_value(view, TensorId::scores, 0, 0, 0));
    CHECK(hides_some_value(view, TensorId::weights));
    CHECK_FALSE(hides_some_value(view, TensorId::context));
}

TEST_CASE("the part values and the stage values are two things", "[hiding]") {
    const View cells = read_link("hide=values").state.view;
    CHECK(hides_part(cells, "values"));
    CHECK_FALSE(hides_stage(cells, TensorId::values));
    const View stage = read_link("hide=stage.values").state.view;
    CHECK_FALSE(hides_part(stage, "values"));
    CHECK(hides_stage(stage, TensorId::values));
}

TEST_CASE("lock names controls, or all of them", "[hiding]") {
    const View view = read_link("lock=heads, seed").state.view;
    CHECK(locks_control(view, "heads"));
    CHECK(locks_control(view, "seed"));
    CHECK_FALSE(locks_control(view, "mask"));
    CHECK(locks_control(read_link("lock=all").state.view, "mask"));
}

TEST_CASE("every name there is can be hidden and comes back from the link", "[hiding][property]") {
    for (const std::string& name : hideable_names()) {
        const ReadLink read = read_link("hide=" + name);
        INFO(name);
        CHECK(read.notes.empty());
        CHECK(read.state.view.hide == std::set<std::string>{name});
        CHECK(read_link(write_link(read.state)).state == read.state);
    }
}

TEST_CASE("names without a meaning are left out with a note", "[hiding][bad-input]") {
    const std::string name = GENERATE("nothing", "stage.", "stage.color", "control.v", "weights[1,2]", "weights[0,1,1]",
                                      "weights[1,-1,1]", "weights[1,1,1", "output[1,2,3]", "weights[a,b,c]", "[1,2,3]");
    const ReadLink read = read_link("hide=" + name);
    CHECK(read.state.view.hide.empty());
    REQUIRE(read.notes.size() == 1);
    CHECK_THAT(read.notes[0], Catch::Matchers::StartsWith("hide: "));
    const ReadLink locked = read_link("lock=" + name);
    CHECK(locked.state.view.lock.empty());
    CHECK(locked.notes.size() == 1);
}

TEST_CASE("a pattern is written in one way", "[hiding]") {
    CHECK(read_link("hide=weights[ 2, * ,4 ]").state.view.hide == std::set<std::string>{"weights[2,*,4]"});
}

}  // namespace
}  // namespace attn
