// What a step says of the numbers that are there.
#include "playground/lessons/step_words.h"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/text/format.h"

using namespace attn;

namespace {

StepWords said_at(std::string_view link) {
    const PlaygroundState state = read_link(link).state;
    return step_words(state, evaluate(state.inputs, state.view.sentence));
}

bool has_words(const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the answer to the step before is a line of its own", "[lessons]") {
    const StepWords words = said_at("lesson=no-weights&step=6");
    CHECK(words.answer == "Answer to step 5: 0.4419.");
    CHECK(words.text.starts_with("The context vector stands where"));
    CHECK(joined(words).starts_with("Answer to step 5: 0.4419. The context vector"));
    CHECK(said_at("lesson=no-weights&step=1").answer.empty());
    CHECK(said_at("heads=2").text.empty());
}

TEST_CASE("a lesson's first step says its goal, the last one what to keep", "[lessons]") {
    for (const Lesson& lesson : lessons()) {
        CAPTURE(lesson.name);
        const std::vector<std::string_view>& keep = lesson.steps.back().keep;
        CHECK(keep.size() >= 2);
        CHECK(keep.size() <= 3);
        for (std::size_t i = 0; i + 1 < lesson.steps.size(); ++i) CHECK(lesson.steps[i].keep.empty());
        for (const std::string_view sentence : keep) {
            CAPTURE(sentence);
            CHECK(sentence.size() <= 140);
            CHECK(sentence.ends_with('.'));
            CHECK(holds_for_any_seed(sentence));
        }
    }
    const Lesson& lesson = *find_lesson("causal");
    const StepWords first = said_at("lesson=causal&step=1"), inside = said_at("lesson=causal&step=2");
    const StepWords last = said_at(concat("lesson=causal&step=", lesson.steps.size()));
    CHECK(first.goal == lesson.about);
    CHECK(first.keep.empty());
    CHECK(joined(first).starts_with(lesson.about));
    CHECK(inside.goal.empty());
    CHECK(inside.keep.empty());
    CHECK(last.goal.empty());
    CHECK(last.keep == lesson.steps.back().keep);
    CHECK(joined(last).ends_with(concat("To keep: ", last.keep[0], " ", last.keep[1])));
}

TEST_CASE("a step's numbers are those of the state", "[lessons]") {
    const std::string link = "lesson=causal&step=8";
    CHECK(has_words(said_at(link).text, "its scores are 0.1655 and 0.2602"));
    CHECK(has_words(said_at(link + "&seed=124").text, "its scores are 0.0545 and 0.1399"));
    CHECK(has_words(said_at(link + "&d_out=4&heads=2").text, "its scores are "));
    // Without a second word there is no such score; a stage that is asked for is not told.
    CHECK(has_words(said_at(link + "&text=One").text, "its scores are … and …"));
    CHECK(has_words(said_at(link + "&text=").text, "its scores are … and …"));
    // Nor a fourth head of two.
    CHECK(has_words(said_at("lesson=groups&step=2&heads=2").text, "in head 4 is …."));
    CHECK(has_words(said_at(link + "&check=scores&hide=").text, "its scores are ? and ?"));
}

TEST_CASE("a text with numbers of its own says whose they are once the seed is another", "[lessons]") {
    const std::string own = said_at("lesson=heads&step=5").text;
    CHECK(has_words(own, "“brush” gives 0.0984 to “artist”"));
    CHECK(said_at("lesson=heads&step=5&seed=7").text == own + " (These are the numbers of the step’s own seed.)");
    CHECK(said_at("lesson=heads&step=5&heads=2").text == own);
    // The answer to another question is none.
    CHECK(said_at("lesson=shares&step=3").answer == "Answer to step 2: −0.6654.");
    CHECK(said_at("lesson=shares&step=3&seed=7").answer.empty());
    CHECK(said_at("lesson=cache&step=4").answer == "Answer to step 3: −0.2062.");
    CHECK(said_at("lesson=cache&step=4&seed=7").answer != "Answer to step 3: −0.2062.");
    CHECK(said_at("lesson=cache&step=4&seed=7").answer.starts_with("Answer to step 3: "));
}

TEST_CASE("new numbers come in a step whose words hold for them", "[lessons][check]") {
    PlaygroundState state = read_link("lesson=causal&step=8").state;
    CHECK(take_new_numbers_of_step(state));
    CHECK(state == read_link("lesson=causal&step=8&seed=124").state);
    // The words of this one name numbers of their own, those of a trained model have no others.
    for (const char* link : {"lesson=no-weights&step=5", "lesson=scaling&step=7", "lesson=votes&step=4"}) {
        CAPTURE(link);
        PlaygroundState fixed = read_link(link).state;
        const PlaygroundState before = fixed;
        CHECK_FALSE(take_new_numbers_of_step(fixed));
        CHECK(why_no_new_numbers(fixed).empty() == (fixed.view.lesson != "scaling"));
        CHECK(fixed == before);
    }
    PlaygroundState outside = read_link("heads=2").state;
    CHECK(take_new_numbers_of_step(outside));
}
