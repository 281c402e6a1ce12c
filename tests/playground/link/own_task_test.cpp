// A teacher's task as the value of a link's key: what is written is read again, every limit has its sentence, and
// whatever a link brings is read or refused.
#include "playground/link/own_task.h"

#include <catch_amalgamated.hpp>
#include <random>

#include "core/ground/check.h"
#include "playground/link/link_text.h"
#include "playground/link/state_url.h"
#include "samples.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;

OwnTask two_steps() {
    OwnTask task = {.title = "Two rows", .about = "One head, by hand.", .keep = "A row sums to 1.", .steps = {}};
    task.steps.push_back({.title = "Look",
                          .link = "text=the+cat+sat&seed=7&cell=1,2,1",
                          .text = "“sat” looks at “cat” with {weights 1,2,1}.",
                          .answer = "It is 1.",
                          .hint = "",
                          .question = "What do the weights of a row sum to?",
                          .reason = "They sum to {sum weights 1,2}.",
                          .choices = {{.says = "1", .why = "", .is_right = true},
                                      {.says = "the number of words", .why = "Each is a share.", .is_right = false}}});
    task.steps.push_back({.title = "Type it",
                          .link = "text=the+cat+sat&seed=7&check=weights&hide=weights[1,2,1]",
                          .text = "The others are {weights 1,2,0} and {weights 1,2,2}.",
                          .answer = "",
                          .hint = "All three sum to 1.",
                          .question = "",
                          .reason = "",
                          .choices = {}});
    return task;
}

std::string link_to(const OwnTask& task, int step) {
    return concat("lesson=", encode_form(write_task(task)), "&step=", step);
}

// The only note of a link that shows a task.
std::string note_of(const OwnTask& task) {
    const ReadLink read = read_link(link_to(task, 1));
    CHECK(read.state.view.lesson.empty());
    REQUIRE(read.notes.size() == 1);
    return read.notes[0];
}

TEST_CASE("a task is written into a link and read again", "[tasks]") {
    const std::string value = write_task(two_steps());
    const Result<OwnTask> read = read_task(value);
    REQUIRE(read);
    CHECK(write_task(*read) == value);
    CHECK(read->steps[0].choices[0].is_right);
    CHECK_FALSE(read->steps[0].choices[1].is_right);
    CHECK(read->steps[1].hint == "All three sum to 1.");
    const ReadLink opened = read_link(link_to(two_steps(), 2));
    CHECK(opened.notes.empty());
    CHECK(opened.state.view.lesson == value);
    CHECK(opened.state.view.step == 1);
    CHECK(opened.state.inputs.seed == 7);
    CHECK(opened.state.view.check.size() == 1);
    CHECK(opened.state.view.hide.contains("weights[1,2,1]"));
    CHECK(read_link(write_link(opened.state)).state == opened.state);
}

TEST_CASE("a link to a task of two steps is no long link", "[tasks]") {
    CHECK(link_to(two_steps(), 2).size() < 1000);  // docs/files.md: a link is long from 1,500 characters on
}

TEST_CASE("what a visitor changes in a step of a task is laid over it", "[tasks]") {
    const ReadLink changed = read_link(link_to(two_steps(), 1) + "&seed=8&d_out=4");
    CHECK(changed.state.inputs.seed == 8);
    CHECK_THAT(write_link(changed.state), ContainsSubstring("&seed=8"));
    CHECK(read_link(write_link(changed.state)).state == changed.state);
}

TEST_CASE("a step beyond the task's last moves to it", "[tasks][bad-input]") {
    const ReadLink read = read_link(link_to(two_steps(), 9));
    CHECK(read.state.view.step == 1);
    CHECK_THAT(read.notes.at(0), ContainsSubstring("the lesson has 2 steps"));
}

TEST_CASE("each limit of a task has its sentence", "[tasks][bad-input]") {
    OwnTask task = two_steps();
    const auto so_long = [](std::size_t most) { return std::string(most + 1, 'a'); };
    SECTION("a name of 300 characters") {
        task.title = std::string(300, 'n');
        CHECK_THAT(note_of(task), ContainsSubstring("the task’s title has 300 bytes; at most 120 fit"));
    }
    SECTION("no title") {
        task.title = "  ";
        CHECK_THAT(note_of(task), ContainsSubstring("the task has no title"));
    }
    SECTION("a step's text") {
        task.steps[1].text = so_long(kMaxTaskText);
        CHECK_THAT(note_of(task), ContainsSubstring("step 2: its text has 2,001 bytes; at most 2,000 fit"));
    }
    SECTION("no text") {
        task.steps[1].text.clear();
        CHECK_THAT(note_of(task), ContainsSubstring("step 2: it has no text"));
    }
    SECTION("a hint") {
        task.steps[0].hint = so_long(kMaxTaskSentence);
        CHECK_THAT(note_of(task), ContainsSubstring("step 1: its hint has 601 bytes"));
    }
    SECTION("a state") {
        task.steps[0].link = concat("text=", so_long(kMaxTaskStepLink));
        CHECK_THAT(note_of(task), ContainsSubstring("step 1: its link has 8,006 bytes"));
    }
    SECTION("steps") {
        task.steps.resize(kMaxTaskSteps + 1, task.steps[1]);
        CHECK_THAT(note_of(task), ContainsSubstring("the task has 41 steps; at most 40 fit"));
    }
    SECTION("no steps") {
        task.steps.clear();
        CHECK_THAT(note_of(task), ContainsSubstring("the task has no steps"));
    }
    SECTION("the whole") {
        for (OwnStep& step : task.steps) step.text = std::string(kMaxTaskText, 'a');
        task.steps.resize(kMaxTaskSteps, task.steps[1]);
        CHECK_THAT(note_of(task), ContainsSubstring("the task has more than 65,536 bytes"));
        CHECK_THAT(why_no_task(task), ContainsSubstring("at most 65,536 fit"));
    }
    SECTION("choices without a right one") {
        task.steps[0].choices[0].is_right = false;
        CHECK_THAT(note_of(task), ContainsSubstring("step 1: none of its choices is right"));
    }
    SECTION("one choice") {
        task.steps[0].choices.resize(1);
        CHECK_THAT(note_of(task), ContainsSubstring("step 1: its question has fewer than two choices"));
    }
    SECTION("nine choices") {
        for (int i = 0; i < 7; ++i)
            task.steps[0].choices.push_back({.says = concat("a", i), .why = "", .is_right = false});
        CHECK_THAT(note_of(task), ContainsSubstring("its question has 9 choices; at most 8 fit"));
    }
    SECTION("two choices that say the same") {
        task.steps[0].choices[1].says = "1";
        CHECK_THAT(note_of(task), ContainsSubstring("two choices say \"1\""));
    }
}

TEST_CASE("a task inside a task is refused", "[tasks][bad-input]") {
    OwnTask task = two_steps();
    const std::string inner = concat("lesson=", encode_form(write_task(task)));
    const std::string link =
        GENERATE_COPY(inner, std::string("lesson=causal&step=3"), std::string("%6Cesson=causal"),
                      "https://example.org/#" + inner, concat("view=compare&compare=", encode_form(inner)));
    CAPTURE(link);
    task.steps[1].link = link;
    CHECK_THAT(note_of(task), ContainsSubstring("step 2: its link"));
}

TEST_CASE("a task that was cut anywhere, or is of another version, is refused", "[tasks][bad-input]") {
    const std::string value = write_task(two_steps());
    for (std::size_t size = std::string("task1").size(); size < value.size(); ++size) {
        CAPTURE(size);
        const Result<OwnTask> read = read_task(value.substr(0, size));
        REQUIRE_FALSE(read);
        CHECK_THAT(read.error(), ContainsSubstring("was cut"));
    }
    const ReadLink newer = read_link("lesson=task2%0ATitle%0Aend");
    CHECK(newer.state.view.lesson.empty());
    CHECK_THAT(newer.notes.at(0), ContainsSubstring("the task is of version \"2\"; this page reads version 1"));
}

TEST_CASE("a task's texts become lines without marks that turn the writing", "[tasks][bad-input]") {
    OwnTask task = two_steps();
    task.title = "a\nb\u202Ec\xFF";
    const OwnTask read = *read_task(write_task(task));
    CHECK(read.title.find('\n') == std::string::npos);
    CHECK_THAT(read.title, ContainsSubstring("<U+202e>"));
    CHECK(read.steps.size() == 2);
    const ReadLink opened = read_link(link_to(task, 1));
    CHECK(read_link(write_link(opened.state)).notes.empty());
}

TEST_CASE("whatever stands behind the mark of a task is read or refused", "[tasks][property]") {
    std::mt19937 random(5);
    const std::string value = write_task(two_steps());
    for (int sample = 0; sample < test::samples(400); ++sample) {
        std::string changed = value;
        for (int change = 0; change < 4; ++change) {
            const std::size_t at = 5 + random() % (changed.size() - 5);
            constexpr std::string_view kSigns = "\n={}-&%#\xE2\x80\xAE\0 1,*";
            if (random() % 3 == 0)
                changed.erase(at, random() % 20);
            else
                changed.insert(at, 1, kSigns[random() % kSigns.size()]);
            if (changed.size() < 10) changed = value;
        }
        const ReadLink read = read_link(concat("lesson=", encode_form(changed)));
        const ReadLink again = read_link(write_link(read.state));
        CAPTURE(changed);
        CHECK(again.state == read.state);
    }
}

TEST_CASE("answers to a task are kept under its fingerprint and title", "[tasks]") {
    const std::string name = lesson_in_log(write_task(two_steps()));
    CHECK_THAT(name, Catch::Matchers::Matches("task [0-9a-f]{8} Two rows"));
    CHECK(task_title_in_log(name) == "Two rows");
    OwnTask other = two_steps();
    other.steps[0].text += "!";
    CHECK(lesson_in_log(write_task(other)) != name);
    CHECK(lesson_in_log("causal") == "causal");
    CHECK(task_title_in_log("causal").empty());
    CHECK(lesson_in_log("").empty());
}

}  // namespace
}  // namespace attn
