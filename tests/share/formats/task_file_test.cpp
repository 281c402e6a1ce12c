// A task's file: what is written is read again, and what strangers write is read or refused with a sentence.
#include "share/formats/task_file.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

json some_task() {
    return json::parse(
        R"({"format": "attention-playground task", "version": 1, "title": "T <b>&amp;</b>", "about": "A.",
        "keep": "K.", "steps": [
          {"title": "One", "link": "text=a+b&cell=1,1,0", "text": "See {weights 1,1,0}.", "answer": "Yes.",
           "question": "Which?", "reason": "So.", "choices": [{"says": "x", "right": true},
           {"says": "y", "right": false, "why": "No."}]},
          {"title": "Two", "link": "text=a+b&check=weights", "text": "Type.", "hint": "Half."}]})");
}

std::string refusal_of(const json& file) {
    const Result<TaskFile> read = read_task_file(file.dump());
    return read ? "" : read.error();
}

TEST_CASE("a task's file is read and written again", "[tasks]") {
    const Result<TaskFile> read = read_task_file(some_task().dump());
    REQUIRE(read);
    CHECK(read->notes.empty());
    CHECK(read->task.steps[0].choices[1].why == "No.");
    CHECK(read->task.steps[1].hint == "Half.");
    const std::string written = write_task_file(read->task);
    CHECK(json::parse(written)["steps"][0]["choices"][0]["right"] == true);
    CHECK(write_task_file(read_task_file(written)->task) == written);
}

TEST_CASE("a task's file that is dropped opens its first step", "[tasks]") {
    const std::string bytes = some_task().dump(2);
    const Result<FileOffer> offer = open_file({.name = "task.json", .bytes = bytes}, PlaygroundState());
    REQUIRE(offer);
    CHECK(offer->is_certain);
    const PlaygroundState& state = offer->choices.at(0).state;
    CHECK(state.inputs.texts.at(0) == "a b");
    CHECK(own_task(state.view.lesson)->title == "T <b>&amp;</b>");
    CHECK(read_link(write_link(state)).state == state);
}

TEST_CASE("a session that speaks of tasks stays a session", "[tasks]") {
    const std::string bytes =
        R"({"format": "attention-playground session", "version": 1, "state": {"text": ["attention-playground task"]}})";
    CHECK_FALSE(looks_like_task_file(bytes));
    const Result<FileOffer> offer = open_file({.name = "a", .bytes = bytes}, PlaygroundState());
    REQUIRE(offer);
    CHECK(offer->choices.at(0).state.inputs.texts.at(0) == "attention-playground task");
}

TEST_CASE("a file that is no task is refused with a sentence", "[tasks][bad-input]") {
    json file = some_task();
    SECTION("another version") {
        file["version"] = 2;
        CHECK(refusal_of(file) == "The task’s file is of version 2; this program reads version 1.");
        CHECK(looks_like_task_file(file.dump()));
    }
    SECTION("no version") {
        file.erase("version");
        CHECK_THAT(refusal_of(file), ContainsSubstring("\"version\": 1 is missing"));
    }
    SECTION("another format") {
        file["format"] = "x";
        CHECK_THAT(refusal_of(file), ContainsSubstring("has no \"format\""));
    }
    SECTION("a text that is none") {
        file["steps"][1]["text"] = 7;
        CHECK(refusal_of(file) == "The task’s file: step 2: \"text\" is not a text.");
    }
    SECTION("a step that is none") {
        file["steps"][1] = "x";
        CHECK(refusal_of(file) == "The task’s file: step 2: it is no object.");
    }
    SECTION("steps that are none") {
        file["steps"] = 3;
        CHECK(refusal_of(file) == "The task’s file: \"steps\" is not a list.");
    }
    SECTION("a choice that is none") {
        file["steps"][0]["choices"][0]["right"] = "yes";
        CHECK_THAT(refusal_of(file), ContainsSubstring("a choice: \"right\" is not true or false"));
    }
    SECTION("a limit") {
        file["title"] = std::string(300, 'n');
        CHECK_THAT(refusal_of(file), ContainsSubstring("the task’s title has 300 bytes; at most 120 fit"));
    }
    SECTION("a task in a task") {
        file["steps"][0]["link"] = "lesson=causal";
        CHECK_THAT(refusal_of(file), ContainsSubstring("step 1: its link names a lesson"));
    }
    SECTION("steps without end") {
        for (int i = 0; i < 100; ++i) file["steps"].push_back(file["steps"][1]);
        CHECK_THAT(refusal_of(file), ContainsSubstring("the task has 102 steps; at most 40 fit"));
    }
}

TEST_CASE("a file that is cut or too long is refused with a sentence", "[tasks][bad-input]") {
    const std::string whole = some_task().dump();
    for (std::size_t size = 1; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(read_task_file(whole.substr(0, size)));
        CHECK_FALSE(
            open_file({.name = "task.json", .bytes = std::string_view(whole).substr(0, size)}, PlaygroundState()));
    }
    json file = some_task();
    file["steps"][0]["text"] = std::string(kMaxTaskFileBytes, 'a');
    CHECK(refusal_of(file) == "The task’s file has more than 256 KiB.");
}

TEST_CASE("members that no task has are told", "[tasks][bad-input]") {
    json file = some_task();
    file["colour"] = "red";
    file["steps"][0]["sound"] = 1;
    const Result<TaskFile> read = read_task_file(file.dump());
    REQUIRE(read);
    CHECK_THAT(read->notes.at(0), ContainsSubstring("\"colour\"") && ContainsSubstring("\"sound\""));
}

}  // namespace
}  // namespace attn
