// The keys of the recipe: what they read and write, and what becomes of a recipe that cannot be.
#include "playground/link/recipe_keys.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "playground/link/legal.h"
#include "playground/link/state_url.h"

using namespace attn;

namespace {

// What reading a link says, and the link that is written for it.
struct Told {
    Inputs inputs;
    Notes notes;
    std::string link;
};

Told told(std::string_view link) {
    const ReadLink read = read_link(link);
    return {.inputs = read.state.inputs, .notes = read.notes, .link = write_link(read.state)};
}

}  // namespace

TEST_CASE("a recipe in a link", "[link][recipe]") {
    const Told recipe =
        told("goal=pattern&target=2:5>3&target=1:5>1,4>0=0.25&steps=7&optimizer=adamw&rate=0.01&train=w_key,x");
    CHECK(recipe.notes.empty());
    CHECK(recipe.inputs.goal == GoalKind::pattern);
    CHECK(recipe.inputs.targets == std::vector<TargetCell>{{.head = 0, .query = 4, .key = 0, .share = 0.25},
                                                           {.head = 0, .query = 5, .key = 1},
                                                           {.head = 1, .query = 5, .key = 3}});
    CHECK(recipe.inputs.steps == 7);
    CHECK(recipe.inputs.optimizer == OptimizerKind::adamw);
    CHECK(recipe.inputs.rate == 0.01);
    CHECK(recipe.inputs.train == std::set{TensorId::w_key, TensorId::embeddings});
    CHECK(told(recipe.link).inputs == recipe.inputs);
    CHECK(told("text=a+b&text=c+d+e&goal=pattern&target=2/1:2>0").inputs.targets ==
          std::vector<TargetCell>{{.sentence = 1, .head = 0, .query = 2, .key = 0}});
}

TEST_CASE("targets that cannot be read, or where nobody can look, are left out with a note",
          "[link][bad-input][recipe]") {
    const auto note = [](std::string_view link) {
        const Told read = told(link);
        CHECK(read.inputs.targets.empty());
        return read.notes.empty() ? "" : read.notes.front();
    };
    CHECK(note("target=5>1") == "target: \"5>1\" left out, a target is head:query>key=share, such as 1:5>1");
    CHECK(note("target=1:x>1") == "target: \"x>1\" left out, a target is head:query>key=share, such as 1:5>1");
    CHECK(note("target=1:1>5") == "target: 1 cell left out, the mask hides them: no head can look there");
    CHECK(note("target=1:11>0,12>0") ==
          "target: 2 cells left out, they lie outside of the sentences and heads that there are");
    CHECK(note("target=9:1>0").starts_with("target: 1 cell left out, they lie outside"));
    CHECK(note("target=1:1>0=-2") == "target: 1 cell left out, a share is a number above 0");
    CHECK(note("target=1:1>0=nan").starts_with("target: \"1>0=nan\" left out"));
    CHECK(note("target=0:1>0").starts_with("target: \"0:1>0\" left out"));
    CHECK(told("target=1:1>0,1>0=3").inputs.targets == std::vector<TargetCell>{{.query = 1, .key = 0, .share = 3}});
    CHECK(told("mask=none&target=1:1>5").notes.empty());
    CHECK(told("edit=mask[1,5]=0&target=1:1>5").notes.empty());
    CHECK(note("edit=mask[5,1]=1&target=1:5>1").starts_with("target: 1 cell left out, the mask hides"));
}

TEST_CASE("numbers of a recipe move to legal ones, with a note", "[link][bad-input][recipe]") {
    CHECK(told("rate=nan").inputs.rate == Inputs().rate);
    CHECK(told("rate=-1").inputs.rate == kMinRate);
    CHECK(told("rate=1e40").inputs.rate == kMaxRate);
    CHECK(told("steps=-3").notes == Notes{"steps set to 0: training goes forward"});
    const Told endless = told("goal=next&d_out=8&steps=1e9");
    CHECK(endless.inputs.steps > 10'000);
    CHECK(endless.inputs.steps * step_cost(endless.inputs) <= kMaxTrainingCost);
    REQUIRE(endless.notes.size() == 1);
    CHECK(endless.notes.front().ends_with("1,000,000,000 would take too long with these sentences and widths"));
    CHECK(told("goal=next").notes.front() ==
          "goal set to none: to name the next word the output must be as wide as the words' vectors, and d_out is 4, "
          "d_in 8");
    CHECK(told("goal=next&text=one&d_out=8").notes == Notes{"goal set to none: no word follows another here"});
    CHECK(told("train=b_query,w_key").notes == Notes{"train: b_query left out, there is none here"});
    CHECK(told("train=scores").notes == Notes{"train: \"scores\" left out, it is nothing that learns"});
}
