// The settings of training.
#include "playground/link/recipe_keys.h"
#include "ui/screen.h"

using namespace attn;
using namespace attn::testing;

TEST_CASE("without a goal the settings show the goal alone, with one the recipe", "[settings][learn]") {
    Screen screen({1280, 1700});
    screen.click("group=learning");
    CHECK(screen.has("goal=pattern"));
    CHECK_FALSE(screen.has("optimizer=adam"));
    screen.click("goal=pattern");
    CHECK(screen.state().inputs.goal == GoalKind::pattern);
    screen.click("optimizer=adam");
    CHECK(screen.state().inputs.optimizer == OptimizerKind::adam);
    screen.click("steps+");
    CHECK(screen.state().inputs.steps == 1);
}

TEST_CASE("the next word brings the width along that it takes", "[settings][learn]") {
    Screen screen({1280, 1400});
    screen.click("group=learning");
    screen.click("goal=next");
    CHECK(screen.state().inputs.goal == GoalKind::next);
    CHECK(screen.state().inputs.d_out == 8);
    CHECK(screen.state().inputs.num_heads == 2);
    CHECK(screen.notes().empty());
}

TEST_CASE("where the author fixed the width the next word stays out of reach, with a note", "[settings][learn]") {
    Screen screen({1280, 1700}, "lock=d_out");
    screen.click("goal=next");
    CHECK(screen.state().inputs.goal == GoalKind::none);
    CHECK(screen.notes().size() == 1);
    CHECK_FALSE(screen.has("notes=next"));
}

TEST_CASE("a link that asks for the next word with another width is offered the way", "[settings][learn]") {
    Screen screen({1280, 800}, "goal=next");
    CHECK(screen.state().inputs.goal == GoalKind::none);
    screen.click("notes=next");
    CHECK(screen.state().inputs.goal == GoalKind::next);
    CHECK(screen.state().inputs.d_out == 8);
    CHECK_FALSE(screen.has("notes=next"));
}

TEST_CASE("the rate goes over 1, 2 and 5, from wherever it is", "[settings][learn]") {
    Screen screen({1280, 1600}, "goal=next&d_out=8&rate=0.1");
    screen.click("rate+");
    CHECK(screen.state().inputs.rate == 0.2);
    screen.click("rate+");
    CHECK(screen.state().inputs.rate == 0.5);
    screen.click("rate+");
    CHECK(screen.state().inputs.rate == 1);
    screen.state().inputs.rate = 0.03;
    screen.settle();
    screen.click("rate-");
    CHECK(screen.state().inputs.rate == 0.02);
    screen.state().inputs.rate = 1e9;
    screen.settle();
    screen.click("rate+");
    CHECK(screen.state().inputs.rate == 1e9);
}

TEST_CASE("what learns is switched, and the last one stays on", "[settings][learn]") {
    Screen screen({1280, 2000}, "goal=pattern&target=1:10>1");
    CHECK_FALSE(screen.has("train=w_value"));  // behind the weights: the pattern does not depend on it
    screen.click("train=w_query");
    CHECK_FALSE(trained_tensors(screen.state().inputs).contains(TensorId::w_query));
    CHECK(trained_tensors(screen.state().inputs).contains(TensorId::w_key));
    screen.click("train=w_key");
    CHECK(trained_tensors(screen.state().inputs) == std::set<TensorId>{TensorId::w_key});
    screen.click("train=x");
    CHECK(trained_tensors(screen.state().inputs) == std::set<TensorId>{TensorId::w_key, TensorId::embeddings});
    screen.click("train=x");
    screen.click("train=w_query");
    CHECK(screen.state().inputs.train.empty());  // all again: the default, which no link names
}

TEST_CASE("an author leaves the recipe out or fixes it", "[settings][learn]") {
    Screen screen({1280, 1400}, "goal=pattern&target=1:10>1&lock=rate,train&hide=control.optimizer");
    CHECK_FALSE(screen.has("optimizer=adam"));
    screen.click("rate+");
    screen.click("train=w_query");
    CHECK(screen.state().inputs.rate == 0.1);
    CHECK(screen.state().inputs.train.empty());
    screen.state().inputs.goal = GoalKind::none;
    screen.state().view.hide = {"control.goal"};
    screen.settle();
    CHECK_FALSE(screen.has("goal=none"));
}

TEST_CASE("the settings of learning come first where the visitor trains", "[settings][learn]") {
    Screen screen({1280, 800}, "view=learn&goal=pattern&target=1:2>1");
    CHECK(screen.at("goal=none").min.y < screen.at("sentences+").min.y);
    CHECK_FALSE(screen.at("rate").is_clipped);
    screen.click("goal=none");
    CHECK(screen.at("goal=none").min.y < screen.at("sentences+").min.y);
    screen.state().view.view = ViewKind::matrix;
    screen.settle();
    CHECK(screen.at("goal=none").min.y > screen.at("sentences+").min.y);
}
