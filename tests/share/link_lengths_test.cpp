// How long links become. Common states stay below kLongLink, with the address of a page before them; what was changed
// by hand costs little more than its digits.
#include <catch_amalgamated.hpp>
#include <fstream>

#include "core/ground/check.h"
#include "playground/lessons/lessons.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/state/state_edits.h"
#include "playground/text/format.h"
#include "project_folder.h"
#include "share/formats/session_file.h"

namespace attn {
namespace {

constexpr std::size_t kAddress = 60;  // https://a-course.example.org/chapter-3/playground/index.html#

std::size_t length_of(const PlaygroundState& state) {
    return kAddress + write_link(state).size();
}

TEST_CASE("every step of every lesson has a short link, in the lesson and outside it", "[links][lengths]") {
    std::size_t longest = 0;
    for (const Lesson& lesson : lessons()) {
        for (std::size_t step = 1; step <= lesson.steps.size(); ++step) {
            PlaygroundState state = read_link(concat("lesson=", lesson.name, "&step=", step)).state;
            CAPTURE(lesson.name, step);
            CHECK(length_of(state) < 120);
            state.view.lesson.clear();  // all of it is in the link now
            longest = std::max(longest, length_of(state));
            CHECK(length_of(state) < kLongLink);
        }
    }
    INFO("the longest outside its lesson: " << longest);
    CHECK(longest < 1200);  // measured: 1,093
}

TEST_CASE("every golden link is short", "[links][lengths]") {
    std::ifstream file(std::string(test::kProjectFolder) + "/tests/golden/links.txt");
    REQUIRE(file);
    for (std::string line; std::getline(file, line);) {
        CAPTURE(line);
        CHECK(length_of(read_link(line).state) < kLongLink);
    }
}

TEST_CASE("a sentence of 40 words with 8 heads has a short link", "[links][lengths]") {
    std::string sentence;
    for (int i = 0; i < 40; ++i) sentence += concat(i > 0 ? " " : "", "wörter", i);
    PlaygroundState state =
        read_link("d_in=64&d_out=64&heads=8&cell=3,39,12&hide=settings,notes&lock=heads,seed").state;
    state.inputs.texts = {sentence};
    clamp_to_legal(state);
    CHECK(length_of(state) < kLongLink);
}

// The state with `count` of numbers of two decimals, like 0.37 or -0.05, in a block of w_query.
PlaygroundState with_block(int rows, int columns) {
    PlaygroundState state = read_link("d_in=16&d_out=16&heads=4").state;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float value = static_cast<float>((row * 37 + column * 11) % 200 - 100) / 100;
            state.inputs.edits.push_back(
                {.tensor = TensorId::w_query, .sentence = 0, .row = row, .column = column, .value = value});
        }
    }
    REQUIRE(clamp_to_legal(state).empty());
    return state;
}

TEST_CASE("edits that stand together cost their digits and a comma", "[links][lengths]") {
    const auto [rows, columns] = GENERATE(table<int, int>({{1, 16}, {16, 1}, {8, 8}, {16, 16}}));
    const std::size_t before = write_link(with_block(0, 0)).size();
    const PlaygroundState state = with_block(rows, columns);
    const std::string link = write_link(state);
    const std::size_t count = static_cast<std::size_t>(rows * columns);
    std::size_t digits = 0;
    for (const Edit& edit : state.inputs.edits) digits += exact_number(edit.value).size();
    CAPTURE(rows, columns, link);
    CHECK(link.size() - before <= digits + count + std::string_view("&edit=w_query[0,0]=").size());
    CHECK(read_link(link).state == state);
    CHECK(length_of(with_block(16, 16)) < kLongLink);  // a whole matrix of 256 numbers
}

}  // namespace
}  // namespace attn
