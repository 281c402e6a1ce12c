// What a screen reader says about a state.
#include "views/words/announcement.h"

#include <catch_amalgamated.hpp>

#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

namespace {

std::string announcement_of_link(const std::string& link) {
    const PlaygroundState state = read_link(link).state;
    return announcement_of(state, evaluate(state.inputs, state.view.sentence));
}

}  // namespace

TEST_CASE("a pinned cell is said with its head, its words and its number", "[announcement]") {
    const std::string link = "cell=2,7,4";
    const PlaygroundState state = read_link(link).state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const Matrix weights = shown_matrix(evaluation, TensorId::weights, 1);
    CHECK(announcement_of_link(link) ==
          "weights, head 2, woman to portrait: " + shown_number(static_cast<double>(weights(7, 4))));
}

TEST_CASE("a pinned channel is said as one", "[announcement]") {
    const std::string said = announcement_of_link("stage=queries&cell=1,7,1");
    CHECK(said.find(", head 1, woman, channel 1: ") != std::string::npos);
}

TEST_CASE("of a cache the step is said, and what both ways gave", "[announcement][cache]") {
    const std::string said = announcement_of_link("view=cache&prompt=4&at=3");
    CHECK(said == "Step 3 of 7: “a” alone, beside 6 kept. Both ways gave the same bits.");  // no digest is spelled out
    CHECK(announcement_of_link("view=cache&prompt=4&at=3&mask=none").find("The ways differ. First") !=
          std::string::npos);
    CHECK(announcement_of_link("view=cache&prompt=4&at=3&check=weights").starts_with("weights"));
}

TEST_CASE("a stage without heads is said without one", "[announcement]") {
    const std::string said = announcement_of_link("stage=merged&cell=1,7,3");
    CHECK(said.find("head") == std::string::npos);
    CHECK(said.find("woman, channel 3: ") != std::string::npos);
}

TEST_CASE("a hidden key is said to be masked, but its score has a number", "[announcement]") {
    CHECK(announcement_of_link("cell=1,2,5") == "weights, head 1, painted to of: masked");
    CHECK(announcement_of_link("stage=masked_scores&cell=1,2,5").ends_with(": masked"));
    CHECK_FALSE(announcement_of_link("stage=scores&cell=1,2,5").ends_with(": masked"));
}

TEST_CASE("without a pinned cell the whole picture is said", "[announcement]") {
    CHECK(announcement_of_link("") == "weights: 2 heads, 11 tokens");
    CHECK(announcement_of_link("heads=1&text=One") == "weights: 1 head, 1 token");
    CHECK(announcement_of_link("head=2") == "weights, head 2: 11 tokens");
}

TEST_CASE("an empty sentence is said in plain words", "[announcement][bad-input]") {
    CHECK(announcement_of_link("text=") == "No words yet: type a sentence.");
    CHECK(announcement_of_link("text=&cell=1,2,3") == "No words yet: type a sentence.");
}

TEST_CASE("a step of a lesson is said with its place, title and text", "[announcement][lessons]") {
    const auto said_at = [](std::string_view link) {
        const PlaygroundState state = read_link(link).state;
        return step_announcement_of(state, evaluate(state.inputs, state.view.sentence));
    };
    CHECK(said_at("").empty());
    const std::string said = said_at("lesson=causal&step=3");
    CHECK(said.starts_with("Causal attention, step 3 of 9: Then the softmax. What is hidden gets weight 0"));
}

TEST_CASE("with a goal the step and its loss are said", "[announcement][learn]") {
    CHECK(announcement_of_link("goal=pattern&target=1:10>1&steps=0").find(". Step 0: loss 2.") != std::string::npos);
    const std::string said = announcement_of_link("goal=pattern&target=1:10>1&optimizer=adam&rate=0.05&steps=20");
    CHECK(said.find(". Step 20: loss ") != std::string::npos);
}

TEST_CASE("the part that is enlarged is said", "[announcement]") {
    const std::string said = announcement_of_link("window=3,9,0,6");
    CHECK(said == "weights: 2 heads, 11 tokens, rows 3 to 9, columns 0 to 6 enlarged");
    CHECK(announcement_of_link("window=3,9,0,6&view=lines").find("enlarged") == std::string::npos);
    CHECK(announcement_of_link("cell=2,7,4&window=3,9,0,6").ends_with(", rows 3 to 9, columns 0 to 6 enlarged"));
}

TEST_CASE("while a stage is asked for its picture is said to be blank, and no cell of it", "[announcement][check]") {
    CHECK(announcement_of_link("check=weights&cell=1,2,1") == "weights: 2 heads, 11 tokens: blank, for you to fill in");
    CHECK(announcement_of_link("check=weights&stage=context&cell=1,2,1&view=lines").find("blank") != std::string::npos);
}

TEST_CASE("as many key heads as heads are said as that number", "[announcement]") {
    const Inputs shared = read_link("heads=2&kv_heads=1").state.inputs;
    const Inputs own = read_link("heads=2").state.inputs;
    CHECK(change_announcement_of(shared, own) == "GQA: key heads: 2.");
    CHECK(change_announcement_of(own, shared) == "GQA: key heads: 1.");
}

TEST_CASE("the shape of a weight split is said", "[announcement]") {
    CHECK(announcement_of_link("view=split&phase=2").ends_with("; shape 2 of 3"));
}
