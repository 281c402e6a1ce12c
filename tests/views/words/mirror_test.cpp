// The picture in words and numbers: what a screen reader gets must be what the picture shows.
#include "views/words/mirror.h"
#include "views/words/mirror_stage.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "playground/lessons/lessons.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/shown_rows.h"
#include "playground/text/format.h"

using namespace attn;
using nlohmann::json;

namespace {

json mirror(const std::string& link) {
    return json::parse(mirror_as_json(read_link(link)));
}

std::string linked_words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "w" + std::to_string(i) + "+";
    return text;
}

}  // namespace

TEST_CASE("the mirror of every stage shows the numbers of the stage", "[mirror][property]") {
    const std::string link = "text=a+small+step&heads=2&dropout=0.3&out=1&stage=";
    const ReadLink read = read_link(link);
    const Evaluation evaluation = evaluate(read.state.inputs, 0);
    for (const TensorId stage : present_stages(read.state.inputs)) {
        const json shown = mirror(link + std::string(stage_info(stage).name)).at("shown");
        REQUIRE(shown.at("name") == stage_info(stage).name);
        const int num_heads = stage_info(stage).has_heads ? 2 : 1;
        REQUIRE(shown.at("heads").size() == static_cast<std::size_t>(num_heads));
        for (int h = 0; h < num_heads; ++h) {
            const Matrix expected = shown_matrix(evaluation, stage, h);
            const json& values = shown.at("heads").at(static_cast<std::size_t>(h)).at("values");
            for (std::size_t i = 0; i < expected.shape(0); ++i) {
                for (std::size_t c = 0; c < expected.shape(1); ++c) {
                    const float value = expected(i, c);
                    const json text = std::isinf(value) ? json() : json(shown_number(static_cast<double>(value)));
                    CHECK(values.at(i).at(c) == text);
                }
            }
        }
    }
}

TEST_CASE("hidden keys are null, not zero", "[mirror]") {
    const json values = mirror("text=a+small+step").at("shown").at("heads").at(0).at("values");
    CHECK(values.at(0).at(0) == "1.0000");
    CHECK(values.at(0).at(1).is_null());
    CHECK(values.at(2).at(1).is_string());
}

TEST_CASE("a pinned cell is explained, from its formula to its number", "[mirror]") {
    const json shown = mirror("text=a+small+step&heads=2&cell=2,2,1").at("shown");
    const json& pinned = shown.at("pinned");
    CHECK(pinned.at("head") == 2);
    CHECK(pinned.at("row") == 2);
    CHECK(pinned.at("column") == 1);
    CHECK(pinned.at("value") == shown.at("heads").at(1).at("values").at(2).at(1));
    CHECK_FALSE(pinned.at("lines").empty());
    CHECK(mirror("text=a+small+step").at("shown").at("pinned").is_null());
    CHECK(mirror("text=a+small+step&cell=1,0,2").at("shown").at("pinned").at("value").is_null());  // a hidden key
}

TEST_CASE("a large matrix is cut to the piece around the pinned cell", "[mirror]") {
    const auto [cell, first_row, first_column] = GENERATE(table<std::string, int, int>({
        {"", 0, 0},
        {"&cell=1,99,50", 36, 18},  // as low as there are rows
        {"&cell=1,60,10", 28, 0},
    }));
    const json shown = mirror("text=" + linked_words(100) + cell).at("shown");
    CHECK(shown.at("rows").at("first") == first_row);
    CHECK(shown.at("rows").at("total") == 100);
    CHECK(shown.at("rows").at("labels").size() == kMirrorCells);
    CHECK(shown.at("rows").at("labels").at(0) == "w" + std::to_string(first_row));
    CHECK(shown.at("columns").at("first") == first_column);
    const json& values = shown.at("heads").at(0).at("values");
    CHECK(values.size() == kMirrorCells);
    CHECK(values.at(0).size() == kMirrorCells);
}

TEST_CASE("the numbers of heads that would be too many at once come head by head", "[mirror]") {
    const ReadLink read = read_link("text=" + linked_words(70) + "&d_in=8&d_out=8&heads=8&stage=weights&cell=1,40,3");
    Evaluator evaluator;
    evaluator.update(read.state);
    const json shown = json::parse(mirror_as_json(read, evaluator)).at("shown");
    REQUIRE(shown.at("heads").size() == 8);
    constexpr int kAtOnce = kMirrorNumbers / (kMirrorCells * kMirrorCells);
    for (int h = 0; h < 8; ++h) {
        CAPTURE(h);
        const json values = json::parse(mirror_head_as_json(read, evaluator, h + 1));
        const json& in_mirror = shown.at("heads").at(h).at("values");
        CHECK(in_mirror == (h < kAtOnce ? values : json()));
        REQUIRE(values.size() == kMirrorCells);
        // Of rows 6 to 69 the last, which hides nothing, and the first.
        const Vector last = shown_row(evaluator.shown(), TensorId::weights, h, 69);
        CHECK(values.at(63).at(63) == shown_number(static_cast<double>(last(63))));
        CHECK(values.at(0).at(8).is_null());
    }
    CHECK(json::parse(mirror_head_as_json(read, evaluator, 99)) ==
          json::parse(mirror_head_as_json(read, evaluator, 8)));
    Evaluator empty;
    const ReadLink nothing = read_link("text=");
    empty.update(nothing.state);
    CHECK(mirror_head_as_json(nothing, empty, 1) == "null");
}

TEST_CASE("of many heads the first are shown, and only the enlarged one if there is one", "[mirror]") {
    const json shown = mirror("text=a+b&d_out=64&heads=32").at("shown");
    CHECK(shown.at("num_heads") == 32);
    CHECK(shown.at("heads").size() == kMirrorHeads);
    const json enlarged = mirror("text=a+b&d_out=64&heads=32&head=20").at("shown").at("heads");
    REQUIRE(enlarged.size() == 1);
    CHECK(enlarged.at(0).at("head") == 20);
}

TEST_CASE("an empty sentence has no stages, and says so", "[mirror][bad-input]") {
    const json empty = mirror("text=");
    CHECK(empty.at("shown").is_null());
    CHECK(empty.at("stages").empty());
    CHECK(empty.at("tokens").empty());
    CHECK_FALSE(empty.at("notes").empty());
}

TEST_CASE("the mirror tells what was moved to a legal value, and the link it was moved to", "[mirror][bad-input]") {
    const json moved = mirror("text=a+b&d_out=16&heads=5&sentence=7");
    CHECK(moved.at("link") == "v=1&text=a+b&d_out=16&heads=4");
    CHECK(moved.at("notes").size() == 2);
}

TEST_CASE("the chosen sentence of a batch is shown", "[mirror]") {
    const json second = mirror("text=one&text=two+words&sentence=2");
    CHECK(second.at("sentence") == json({{"number", 2}, {"count", 2}, {"text", "two words"}}));
    CHECK(second.at("tokens") == json({"two", "words"}));
}

TEST_CASE("the step of a lesson and its printed numbers are in the mirror", "[mirror][lessons]") {
    CHECK(mirror("").at("lesson").is_null());
    const json lesson = mirror("lesson=causal&step=3").at("lesson");
    CHECK(lesson.at("name") == "causal");
    CHECK(lesson.at("step") == 3);
    CHECK(lesson.at("count") == 9);
    CHECK(lesson.at("step_title") == "Then the softmax");
    CHECK(lesson.at("printed_sentence") ==
          "All 36 numbers printed in chapter 3 of “Build a Large Language Model” come out here");
    PlaygroundState left = read_link("lesson=causal&step=3").state;
    leave_lesson(left.view);
    CHECK(read_link(lesson.at("leave").get<std::string>()).state == left);
    const json& table = lesson.at("printed").at(0);
    CHECK(table.at("columns") == json({"", "Your", "journey", "starts", "with", "one", "step"}));
    CHECK(table.at("rows").at(1) == json({"journey", "0.5517", "0.4483", "0", "0", "0", "0"}));

    // What does not follow is told beside what the method gives.
    const json worked = mirror("lesson=split&step=14").at("lesson").at("printed").at(0);
    CHECK(worked.at("title") == "weights, head 1, printed in the notes of the lecture “by hand”");
    CHECK(worked.at("rows").at(1) == json({"two", "0.0724 (really 0.1539)", "0.9276 (really 0.8461)", "0"}));

    // During a check nothing printed gives the answer away.
    CHECK(mirror("lesson=causal&step=3&check=weights").at("lesson").at("printed").empty());
}

TEST_CASE("the mirror lists all lessons and the values that a lesson's link leaves out", "[mirror][lessons]") {
    const json all = mirror("lesson=batch&step=2");
    CHECK(all.at("link") == "v=1&lesson=batch&step=2");
    CHECK(all.at("lessons").size() == lessons().size());
    CHECK(all.at("lessons").at(6).at("name") == "causal");
    CHECK(all.at("lessons").at(6).at("steps") == 9);
    CHECK(all.at("lessons").at(6).at("minutes") == 12);
    CHECK(all.at("values").at("text") == json({"one two three", "one two three"}));
    CHECK(all.at("values").at("heads") == json({"2"}));
    CHECK(all.at("sentence").at("number") == 2);
    CHECK(all.at("view").at("kind") == "matrix");
    CHECK_FALSE(mirror("view=cost").at("view").at("tables").empty());
}

TEST_CASE("the mirror has the strongest cells of the head that is looked at", "[mirror]") {
    const std::string link = "text=a+small+step+for+me&heads=2";
    const ReadLink read = read_link(link);
    const Evaluation evaluation = evaluate(read.state.inputs, 0);
    const auto largest = [&](int head) {
        float value = 0;
        for (int row = 1; row < 5; ++row) {  // the first query sees one key only
            for (const float weight : shown_rows(evaluation, TensorId::weights, head, row, row + 1))
                value = std::max(value, weight);
        }
        return shown_number(static_cast<double>(value));
    };
    const json first = mirror(link).at("shown").at("strongest");
    CHECK(first.at("head") == 1);
    CHECK(first.at("cells").size() == 14);  // 15 without the first row's
    CHECK(first.at("cells").at(0).at("value") == largest(0));
    const json second = mirror(link + "&cell=2,1,0").at("shown").at("strongest");
    CHECK(second.at("head") == 2);
    CHECK(second.at("cells").at(0).at("value") == largest(1));
}

TEST_CASE("the strongest cells are named from query to key, from left to right", "[mirror]") {
    const auto title = [](const std::string& text) {
        const json strongest = mirror("text=" + text + "+" + text).at("shown").at("strongest");
        return strongest.at("cells").at(0).at("title").get<std::string>();
    };
    CHECK(title("free") == "free → free");
    CHECK(title("שלום") == "\u2068שלום\u2069 → \u2068שלום\u2069");
}

TEST_CASE("the strongest cells tell nothing that is blank", "[mirror]") {
    const std::string link = "text=a+small+step&heads=2";
    CHECK(mirror(link + "&check=weights").at("shown").at("strongest").is_null());
    CHECK(mirror(link + "&stage=context").at("shown").at("strongest").is_null());
    const json blanked = mirror(link + "&hide=weights[1,2,0]");
    for (const json& cell : blanked.at("shown").at("strongest").at("cells"))
        CHECK_FALSE((cell.at("row") == 2 && cell.at("column") == 0));
}

TEST_CASE("what a head's going does to a word, and the products of arrows, can be left out", "[mirror][hiding]") {
    const auto tables = [](const std::string& link) {
        return json::parse(mirror_as_json(read_link(link))).at("view").at("tables").dump();
    };
    const std::string model = "lesson=votes&step=1";
    CHECK(tables(model).find("” without it") != std::string::npos);
    CHECK(tables(model + "&hide=effects").find("” without it") == std::string::npos);
    CHECK(tables(model + "&hide=effects").find("token before") != std::string::npos);  // what it does stays
    const std::string arrows = "view=vectors&cell=1,1,0";
    CHECK(tables(arrows).find("q·k") != std::string::npos);
    CHECK(tables(arrows + "&hide=values").find("q·k") == std::string::npos);
    CHECK(tables(arrows + "&hide=values").find("|k|") != std::string::npos);
}
