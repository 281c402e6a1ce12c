#include "playground/link/hiding.h"

#include <catch_amalgamated.hpp>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/random_states.h"

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
    const std::vector<HiddenValue> values = hidden_values(view);
    REQUIRE(values.size() == 2);
    CHECK(values[0].stage == TensorId::output);
    CHECK(values[0].row == -1);
    CHECK(values[0].column == 0);
    CHECK(values[1].stage == TensorId::weights);
    CHECK(values[1].head == 1);
    CHECK(values[1].row == 7);
    CHECK(values[1].column == 4);
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

TEST_CASE("a locked control goes back to what it was, and nothing else does", "[hiding]") {
    const PlaygroundState before = read_link("text=A step&text=Two&heads=2&lock=heads,text,edit,cell").state;
    PlaygroundState state = before;
    state.inputs.num_heads = 4;
    state.inputs.seed = 9;
    state.inputs.texts = {"Something else"};
    state.inputs.edits.push_back({.tensor = TensorId::w_query, .value = 3});
    state.view.cell = Cell{};
    keep_locked(state, before);
    PlaygroundState wanted = before;
    wanted.inputs.seed = 9;
    CHECK(state == wanted);
}

TEST_CASE("locks do not keep a lesson from going on", "[hiding]") {
    const PlaygroundState before = read_link("lesson=causal&step=1&lock=all").state;
    const PlaygroundState next = read_link("lesson=causal&step=2&lock=all").state;
    PlaygroundState state = next;
    keep_locked(state, before);
    CHECK(state == next);
}

TEST_CASE("with everything locked no field but the way of looking at it can change", "[hiding][property]") {
    test::Dice dice(static_cast<std::uint32_t>(GENERATE(range(0, 60))));
    PlaygroundState before = test::random_state(dice);
    before.view.lock = {"all"};
    before.view.lesson.clear();
    clamp_to_legal(before);
    PlaygroundState state = test::random_state(dice);
    state.view.lesson.clear();
    clamp_to_legal(state);
    state.view.lock = before.view.lock;
    state.view.lesson = before.view.lesson;
    state.view.step = before.view.step;
    keep_locked(state, before);
    for (const std::string_view key : lockable_keys()) {
        INFO(key);
        CHECK(key_info(key).write(state) == key_info(key).write(before));
    }
}

TEST_CASE("a stage that is left out is not shown", "[hiding]") {
    const ReadLink read = read_link("stage=scores&hide=stage.scores,stage.scaled_scores");
    CHECK(read.state.view.stage == TensorId::masked_scores);
    CHECK(read.notes.size() == 1);
    std::string all;
    for (const StageInfo& info : stage_table()) all += std::string("stage.") + std::string(info.name) + ",";
    const ReadLink none = read_link("hide=" + all);
    CHECK_FALSE(hides_stage(none.state.view, none.state.view.stage));
}

TEST_CASE("every name there is can be hidden and comes back from the link", "[hiding][property]") {
    for (const std::string& name : hideable_names()) {
        const ReadLink read = read_link("hide=" + name);
        INFO(name);
        CHECK(read.notes.size() == (name == "stage.weights" ? 1 : 0));  // another is shown
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
