// The picture in words and numbers: what a screen reader gets must be what the picture shows.
#include "playground/mirror.h"

#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "playground/evaluation.h"
#include "playground/format.h"

using namespace attn;
using nlohmann::json;

namespace {

json mirror(const std::string& link) {
    return json::parse(mirror_as_json(read_link(link)));
}

std::string words(int count) {
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
    const json shown = mirror("text=" + words(100) + cell).at("shown");
    CHECK(shown.at("rows").at("first") == first_row);
    CHECK(shown.at("rows").at("total") == 100);
    CHECK(shown.at("rows").at("labels").size() == kMirrorCells);
    CHECK(shown.at("rows").at("labels").at(0) == "w" + std::to_string(first_row));
    CHECK(shown.at("columns").at("first") == first_column);
    const json& values = shown.at("heads").at(0).at("values");
    CHECK(values.size() == kMirrorCells);
    CHECK(values.at(0).size() == kMirrorCells);
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

TEST_CASE("of a batch the chosen sentence is shown", "[mirror]") {
    const json second = mirror("text=one&text=two+words&sentence=2");
    CHECK(second.at("sentence") == json({{"number", 2}, {"count", 2}, {"text", "two words"}}));
    CHECK(second.at("tokens") == json({"two", "words"}));
}
