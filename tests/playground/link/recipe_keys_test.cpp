// The keys of the recipe: what they read and write, and what becomes of a recipe that cannot be.
#include "playground/link/recipe_keys.h"

#include <catch_amalgamated.hpp>
#include <string>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/numbers/digest.h"
#include "playground/numbers/evaluation.h"

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
    CHECK(note("target=5") == "target: \"5\" left out, a target is head:query>key=share, such as 1:5>1");
    CHECK(note("target=1:x>1") == "target: \"x>1\" left out, a target is head:query>key=share, such as 1:5>1");
    CHECK(note("goal=pattern&target=1:1>5") == "target: 1 cell left out, the mask hides them: no head can look there");
    CHECK(note("target=1:11>0,12>0") ==
          "target: 2 cells left out, they lie outside of the sentences and heads that there are");
    CHECK(note("target=9:1>0").starts_with("target: 1 cell left out, they lie outside"));
    for (const char* share : {"-2", "0", "-0", "0.0", "-1e-30"}) {
        CAPTURE(share);
        CHECK(note(concat("target=1:1>0=", share)) == "target: 1 cell left out, a share is a number above 0");
        CHECK(note(concat("goal=pattern&steps=3&target=1:1>0=", share)).find("a share is") != std::string::npos);
    }
    for (const char* share : {"nan", "NaN", "-nan", "x", "1e999"}) {
        CAPTURE(share);
        CHECK(note(concat("target=1:1>0=", share)).find("left out") != std::string::npos);
    }
    CHECK(note("target=0:1>0").starts_with("target: \"0:1>0\" left out"));
    CHECK(told("target=1:1>0,1>0=3").inputs.targets == std::vector<TargetCell>{{.query = 1, .key = 0, .share = 3}});
    CHECK(told("goal=pattern&mask=none&target=1:1>5").notes.empty());
    CHECK(told("goal=pattern&edit=mask[1,5]=0&target=1:1>5").notes.empty());
    CHECK(note("goal=pattern&edit=mask[5,1]=1&target=1:5>1").starts_with("target: 1 cell left out, the mask hides"));
}

TEST_CASE("a list without a head is of every head in the shown sentence, as the key of older links was",
          "[link][recipe]") {
    const std::vector<TargetCell> both = {{.head = 0, .query = 5, .key = 1},
                                          {.head = 0, .query = 7, .key = 4},
                                          {.head = 1, .query = 5, .key = 1},
                                          {.head = 1, .query = 7, .key = 4}};
    for (const char* link : {"target=7>4,5>1", "wish=7>4,5>1", "wish=7%3E4,5%3E1,7%3E4"}) {
        CAPTURE(link);
        CHECK(told(link).notes.empty());
        CHECK(told(link).inputs.targets == both);
        CHECK(told(link).inputs.goal == GoalKind::none);
        CHECK(told(link).link == "v=1&target=1:5%3E1,7%3E4&target=2:5%3E1,7%3E4");
        CHECK(told(told(link).link).inputs.targets == both);
    }
    CHECK(told("heads=1&wish=1>0").inputs.targets.size() == 1);
    CHECK(told("d_out=8&heads=4&wish=1>0").inputs.targets.size() == 4);
    // A head's own share goes before that of every head.
    const std::vector<TargetCell> shared = told("target=2:7>4=0.5&target=7>4").inputs.targets;
    REQUIRE(shared.size() == 2);
    CHECK(shared[0].share == 1);
    CHECK(shared[1].share == 0.5);
    CHECK(told("text=a+b&text=c+d+e&sentence=2&wish=2>0").inputs.targets ==
          std::vector<TargetCell>{{.sentence = 1, .head = 0, .query = 2, .key = 0},
                                  {.sentence = 1, .head = 1, .query = 2, .key = 0}});
    CHECK(read_link("lock=wish").state.view.lock == std::set<std::string>{"target"});
    CHECK(read_link("compare=wish%3D7>4").state.view.compare.find("target") != std::string::npos);
}

TEST_CASE("without a goal a hidden target stays: it is drawn, and nobody trains for it", "[link][recipe]") {
    CHECK(told("wish=1>5").notes.empty());
    CHECK(told("wish=1>5").inputs.targets.size() == 2);
    CHECK(told("goal=pattern&wish=1>5").inputs.targets.empty());
}

TEST_CASE("a list of targets without end is cut", "[link][bad-input][recipe]") {
    std::string same = "wish=0>1", many = "d_out=1024&heads=1024&wish=0>0";
    for (int i = 0; i < 200'000; ++i) same += ",1>0";
    for (int i = 0; i < 11 * 11; ++i) many += concat(",", i / 11, ">", i % 11);
    CHECK(told(same).inputs.targets.size() == 4);
    const Told cut = told(many);
    CHECK(cut.inputs.targets.size() == kMaxTargets);
    CHECK(cut.notes == Notes{"target: the first 4,096 cells are used"});
    CHECK(told("wish=0>1,2,a>b,>,1>99").notes.size() == 2);
}

TEST_CASE("targets without a goal decide no number", "[link][recipe]") {
    const Inputs plain = told("").inputs;
    CHECK(decide_same_numbers(plain, told("wish=7>4").inputs));
    CHECK(digest_of(plain) == digest_of(told("wish=7>4&mask=causal").inputs));
    CHECK_FALSE(decide_same_numbers(plain, told("seed=7&wish=7>4").inputs));
    CHECK_FALSE(
        decide_same_numbers(told("goal=pattern&target=1:7>4").inputs, told("goal=pattern&target=1:7>3").inputs));
    Evaluator evaluator;
    evaluator.begin(read_link("").state);
    const int begun = evaluator.num_begun();
    evaluator.begin(read_link("wish=7>4").state);
    CHECK(evaluator.num_begun() == begun);
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

TEST_CASE("a share of 0 among others is left out, and the others are of their own sum", "[link][bad-input][recipe]") {
    const Told some = told("goal=pattern&steps=5&target=1:5>0=0,5>1=2,5>2=6,5>3=-1,5>4=nan");
    CHECK(some.inputs.targets == std::vector<TargetCell>{{.head = 0, .query = 5, .key = 1, .share = 2},
                                                         {.head = 0, .query = 5, .key = 2, .share = 6}});
    CHECK(some.notes.size() == 2);
    CHECK(digest_of(some.inputs) == digest_of(told("goal=pattern&steps=5&target=1:5>1=0.25,5>2=0.75").inputs));
}
