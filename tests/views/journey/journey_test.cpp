// view=journey in numbers and words: sums that add up as they are printed, lines, tables, files, the figure, what a
// stop opens, and what a model does not have.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/explain/stage_numbers.h"
#include "playground/link/legal.h"
#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "scene/pens/figure_svg.h"
#include "views/figures.h"
#include "views/journey/journey_picture.h"
#include "views/words/announcement.h"
#include "views/words/view_text.h"

namespace attn::test {
namespace {

PlaygroundState journey_state(std::string_view more = "") {
    return read_link(concat("text=the+artist+painted+the+portrait&model=small&view=journey", more)).state;
}

// The journey of a state, computed to its end.
struct WholeJourney {
    explicit WholeJourney(const PlaygroundState& state)
        : text(*model_text(state.inputs, state.view.sentence)), work(begin_journey(state, text)) {
        while (!work->advance(1'000'000'000)) continue;
    }
    JourneyDrawing drawing() const { return journey_drawing(*work, text); }
    ModelText text;
    std::unique_ptr<JourneyWork> work;
};

const JourneyLine* find_line(const std::vector<JourneyLine>& lines, std::string_view place) {
    const auto found = std::ranges::find(lines, place, &JourneyLine::place);
    return found == lines.end() ? nullptr : &*found;
}

// "+0.907", "−1.470" in thousandths.
std::int64_t printed_thousandths(std::string text) {
    const bool is_negative = text.starts_with("−");
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    const std::int64_t number = std::stoll(text);
    return is_negative ? -number : number;
}

}  // namespace

TEST_CASE("what is printed along a sum adds up to its last digit, in models of every kind", "[journey][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const ModelIsOpen model(small_model("small", checkpoint));
        for (const char* keys : {"", "&layer=2&cell=1,2,0", "&off=1:2"}) {
            const WholeJourney journey(journey_state(keys));
            std::int64_t added = 0;
            int num_sums = 0;
            for (const JourneyLine& line : journey_lines(journey.drawing())) {
                if (line.kind == JourneyLine::Kind::share || line.kind == JourneyLine::Kind::rounding)
                    added += printed_thousandths(line.along);
                if (line.kind != JourneyLine::Kind::total) continue;
                CHECK(printed_thousandths(line.along) == added);
                added = 0;
                ++num_sums;
            }
            CHECK(num_sums == (model->model().config.mlp_width > 0 ? 3 : 2));
        }
    }
}

TEST_CASE("each layer is a line, and the open one has its stops and heads", "[journey]") {
    const ModelIsOpen model(small_model());
    const WholeJourney journey(journey_state("&layer=2"));
    const std::vector<JourneyLine> lines = journey_lines(journey.drawing());
    const JourneyLine *first = find_line(lines, "layer=1"), *second = find_line(lines, "layer=2");
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK_FALSE(first->is_open);
    CHECK(second->is_open);
    CHECK(first->words.starts_with("attention adds "));
    CHECK(first->words.find(", MLP ") != std::string::npos);
    CHECK(first->row.size() == 12);
    CHECK(first->next.starts_with("“"));
    for (const char* place : {"stop=queries", "stop=weights", "stop=attention_added", "stop=mlp_hidden", "stop=after",
                              "stop=final_stream", "head=1", "head=3"})
        CHECK(find_line(lines, place) != nullptr);
    CHECK(find_line(lines, "stop=before") == nullptr);  // the line above says it
    CHECK(find_line(lines, "stop=output") == nullptr);
    CHECK(find_line(lines, "stop=weights")->length.empty());  // over keys
    CHECK(find_line(lines, "stop=weights")->num_heads == 3);
    CHECK(find_line(lines, "stop=after")->next == next_in_words(journey.drawing(), 2));
    CHECK(find_line(lines, "head=2")->words.starts_with("looks most at “"));
    const WholeJourney off(journey_state("&layer=1&off=1:2"));
    CHECK(find_line(journey_lines(off.drawing()), "head=2")->words == "off");
}

TEST_CASE("a stop opens its stage with the largest number of the token's row", "[journey]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const ModelIsOpen model(small_model("small", checkpoint));
        const PlaygroundState state = journey_state("&layer=1&cell=1,3,0");
        const WholeJourney journey(state);
        Evaluator evaluator;
        for (const JourneyStop& stop : journey.work->layers()[0].stops) {
            PlaygroundState opened = state;
            open_stop(opened, stop, 0, 3);
            INFO(tensor_name(stop.stage));
            CHECK(clamp_to_legal(opened).empty());
            CHECK(opened.view.view == ViewKind::matrix);
            const bool is_there = opened.view.stage == stop.stage;
            const bool is_output = stop.stage == TensorId::attention_added || stop.stage == TensorId::attention_out;
            CHECK((is_there || (is_output && opened.view.stage == TensorId::output)));
            evaluator.update(opened);
            const Cell& cell = *opened.view.cell;
            CHECK(cell.row == 3);
            const float shown = stage_number(*evaluator.shown().problem, evaluator.shown().trace, opened.view.stage,
                                             cell.head, cell.row, cell.column);
            float most = 0;
            for (const float one : stop.row)
                if (std::isfinite(one)) most = std::max(most, std::abs(one));
            CHECK(std::abs(shown) == most);
        }
    }
}

TEST_CASE("a row of more numbers than cells has the farthest of neighbours", "[journey]") {
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    const std::vector<float> row = {1, -3, 2, kHidden, kHidden, kHidden};
    CHECK(joined_row(row, 6) == row);
    CHECK(joined_row(row, 7) == row);
    CHECK(joined_row(row, 3) == std::vector<float>{-3, 2, kHidden});
    CHECK(joined_row(row, 1) == std::vector<float>{-3});
    CHECK(std::isnan(joined_row(std::vector<float>{1, NAN, 2}, 1)[0]));
    CHECK(joined_row({}, 3).empty());
}

TEST_CASE("the text version has a table of the embedding, the layers, the open one and the end", "[journey]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = journey_state("&layer=1");
    Evaluator evaluator;
    evaluator.update(state);
    const std::vector<TextTable> tables = tables_of_view(state, evaluator);
    const auto table = [&](std::string_view beginning) {
        const auto found =
            std::ranges::find_if(tables, [&](const TextTable& one) { return one.title.starts_with(beginning); });
        REQUIRE(found != tables.end());
        return *found;
    };
    CHECK(table("“portrait” becomes a vector").rows.size() >= 4);  // token, position, sum, stream
    CHECK(table("Layer 1: attention adds ").rows.size() > 15);
    CHECK(table("Layers").rows.size() == 1);
    CHECK(table("After the last layer").rows.size() == 1);
    CHECK(table("The most probable words").rows.size() == kLensWords);
    const std::string said = announcement_of(state, evaluator.shown());
    CHECK(said.starts_with("Journey of “portrait”, layer 1 of 2: attention adds "));
    CHECK(said.find(" At the end “") != std::string::npos);
}

TEST_CASE("the files have each share of each sum", "[journey]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = journey_state();
    const Result<std::string> csv = csv_of_journey(state);
    REQUIRE(csv);
    CHECK(csv->starts_with("layer,stream,part,head,length,along,most_seen,weight\n0,before,token,,"));
    const WholeJourney journey(state);
    const nlohmann::json json = nlohmann::json::parse(journey_json(journey.drawing(), {"a note"}));
    CHECK(json["notes"][0] == "a note");
    CHECK(json["row"] == 4);
    CHECK(json["tokens"].size() == 5);
    REQUIRE(json["sums"].size() == 5);
    std::size_t num_lines = 1;
    for (const auto& sum : json["sums"]) num_lines += sum["shares"].size() + 1;
    CHECK(static_cast<std::size_t>(std::ranges::count(*csv, '\n')) == num_lines);
    CHECK(json["sums"][1]["length"].get<double>() == journey.work->layers()[0].sums[0].length);
    CHECK(json["next"][0]["id"] == journey.work->lens()->cell(2, 4)->words[0].token);
    CHECK(json["stops"].back()["stage"] == "final_stream");
}

TEST_CASE("without a head, without a model a journey says what is left", "[journey][bad-input]") {
    Evaluator none;
    CHECK(tables_of_journey(journey_state(), none)[0].title == "There is no journey while no model is open.");
    CHECK_FALSE(csv_of_journey(journey_state()));
    CHECK(announcement_of_journey(journey_state()).empty());
    const ModelIsOpen model(small_model("small", random_bert(false)));
    const WholeJourney journey(journey_state());
    CHECK(next_in_words(journey.drawing(), 1).empty());
    CHECK(journey_in_words(model->model()).back() == "Its files have no head, so no word is said.");
    CHECK(journey_announcement(journey.drawing()).find("At the end") == std::string::npos);
    CHECK(nlohmann::json::parse(journey_json(journey.drawing(), {}))["next"].empty());
}

TEST_CASE("a number that is none is printed as it is", "[journey][bad-input]") {
    JourneySum sum = {.shares = {{.length = NAN, .along = NAN}}};
    CHECK_FALSE(printed_sum(sum).has_value());
    sum.shares[0].along = sum.length = 1e12;
    CHECK_FALSE(printed_sum(sum).has_value());
    sum.shares[0].along = sum.length = 1.2345;
    CHECK(printed_sum(sum)->length == 1235);
    CHECK(printed_sum(sum)->rounding == 0);
}

TEST_CASE("the figure has every line, light and dark, and hides numbers where it must", "[journey]") {
    const ModelIsOpen model(small_model());
    for (const char* keys : {"", "&layer=2", "&theme=dark", "&hide=values"}) {
        const PlaygroundState state = journey_state(keys);
        Evaluator evaluator;
        evaluator.update(state);
        const Result<Figure> figure = figure_of(state, evaluator, FigureOptions());
        REQUIRE(figure);
        const std::string svg = figure_as_svg(*figure);
        CHECK(svg.find("After the last layer") != std::string::npos);
        CHECK(svg.find("MLP adds") != std::string::npos);
        const bool has_numbers = std::string_view(keys) != "&hide=values";
        CHECK((svg.find("The most probable words") != std::string::npos) == has_numbers);
        CHECK((svg.find(">along<") != std::string::npos) == has_numbers);
    }
}

}  // namespace attn::test
