// view=lens in numbers and words: sums that add up as they are printed, tables, files, the figure, and what a model
// does not have.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "playground/link/state_url.h"
#include "playground/models/small_model.h"
#include "scene/pens/figure_svg.h"
#include "views/figures.h"
#include "views/lens/lens_parts.h"
#include "views/lens/shown_lens.h"
#include "views/words/announcement.h"
#include "views/words/view_text.h"

namespace attn::test {
namespace {

constexpr const char* kLensLink = "text=the+artist+painted+the+portrait&model=small&view=lens";

PlaygroundState lens_state(std::string_view more = "") {
    return read_link(concat(kLensLink, more)).state;
}

// The lens of a state, computed to its end.
struct WholeLens {
    explicit WholeLens(const PlaygroundState& state)
        : text(*model_text(state.inputs, state.view.sentence)), work(begin_lens(state.view, text)), view(state.view) {
        while (!work->advance(1'000'000'000)) continue;
    }
    LensDrawing drawing() const {
        LensDrawing drawing = lens_drawing(view, *work, text);
        if (can_sum(drawing)) drawing.sum = lens_sum(work->run(), drawing.layer, drawing.row(), *drawing.word_of_sum());
        return drawing;
    }
    ModelText text;
    std::unique_ptr<LensWork> work;
    View view;
};

std::vector<TextTable> lens_tables(const PlaygroundState& state) {
    return tables_of_lens(state, Evaluator());
}

const TextTable* find_table(const std::vector<TextTable>& tables, std::string_view beginning) {
    const auto found =
        std::ranges::find_if(tables, [&](const TextTable& one) { return one.title.starts_with(beginning); });
    return found == tables.end() ? nullptr : &*found;
}

// "+0.907", "−1.470" in thousandths.
std::int64_t thousandths_of(std::string text) {
    const bool is_negative = text.starts_with("−");
    std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
    const std::int64_t number = std::stoll(text);
    return is_negative ? -number : number;
}

}  // namespace

TEST_CASE("the printed parts of a logit add up to its last digit, in models of every kind", "[lens][property]") {
    for (const auto& [name, checkpoint] : all_checkpoints()) {
        INFO(name);
        const ModelIsOpen model(small_model("small", checkpoint));
        for (const char* keys : {"&lens=0&cell=1,2,0", "&lens=1&word=brush", ""}) {
            const PlaygroundState state = lens_state(keys);
            if (!find_lens_problem(model->model().weights).empty()) continue;
            const WholeLens lens(state);
            const LensDrawing drawing = lens.drawing();
            REQUIRE(drawing.sum.has_value());
            const LensSum& sum = *drawing.sum;
            std::int64_t added = sum.rounding;
            double exact = 0;
            for (const LensLine& line : sum.lines) {
                added += line.thousandths;
                if (line.channel) CHECK(line.thousandths == std::llround(line.x * line.weight * 1000));
                exact += static_cast<double>(line.thousandths) / 1000;
            }
            CHECK(added == sum.logit);
            CHECK(std::abs(exact - static_cast<double>(sum.shown)) <
                  0.0005 * static_cast<double>(sum.lines.size() + 1));
            CHECK(std::ranges::count_if(sum.lines, [](const LensLine& one) { return one.channel.has_value(); }) ==
                  std::min(kShownProducts, model->model().config.width));
            // The same column as a table.
            const std::vector<TextTable> tables = tables_of_cells(drawing);
            const TextTable* table = find_table(tables, "The logit of “");
            REQUIRE(table != nullptr);
            std::int64_t column = 0;
            for (const std::vector<std::string>& row : table->rows) {
                if (row[0] == "logit") {
                    CHECK(thousandths_of(row[2]) == column);
                    break;
                }
                column += thousandths_of(row[2]);
            }
        }
    }
}

TEST_CASE("a channel that is pressed is taken apart, and one that is not shown is not", "[lens]") {
    const ModelIsOpen model(small_model());
    const WholeLens lens(lens_state("&lens=1"));
    const LensDrawing drawing = lens.drawing();
    const int word = *drawing.word_of_sum();
    const LensSum& sum = *drawing.sum;
    CHECK(sum.channel == sum.lines[0].channel);
    for (std::size_t k = 1; k < 8; ++k)
        CHECK(std::abs(sum.lines[k].x * sum.lines[k].weight) <= std::abs(sum.lines[k - 1].x * sum.lines[k - 1].weight));
    const auto other = lens_sum(lens.work->run(), 1, drawing.row(), word, sum.lines[3].channel);
    CHECK(other->channel == sum.lines[3].channel);
    CHECK(other->norm != sum.norm);
    CHECK(other->norm.front().find("after of layer 1") != std::string::npos);
    CHECK(lens_sum(lens.work->run(), 1, drawing.row(), word, 4711)->channel == sum.channel);
}

TEST_CASE("the tables have the cells, the curve, the words and the sum", "[lens]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = lens_state("&word=brush&lens=1&cell=1,2,0");
    const std::vector<TextTable> tables = lens_tables(state);
    CHECK(tables[0].title.find("not what the model") != std::string::npos);
    const TextTable* cells = find_table(tables, "Positions by layers");
    REQUIRE(cells != nullptr);
    CHECK(cells->columns == std::vector<std::string>{"position", "embeddings", "layer 1", "layer 2"});
    CHECK(cells->rows.size() == 5);
    CHECK(cells->rows[2][0] == "2 painted");
    const TextTable* curve = find_table(tables, "“brush” by layer, after “");
    REQUIRE(curve != nullptr);
    REQUIRE(curve->rows.size() == 3);
    const WholeLens lens(state);
    const LensCell& cell = *lens.work->cell(1, 2);
    CHECK(curve->rows[1][2] == std::to_string(cell.chosen->rank));
    const TextTable* words = find_table(tables, "The most probable words after “");
    REQUIRE(words != nullptr);
    CHECK(words->rows.size() == kLensWords);
    CHECK(find_table(tables, "Where the number of channel ") != nullptr);
    Evaluator evaluator;
    evaluator.update(state);
    CHECK(tables_of_view(state, evaluator).size() == tables.size());
    const std::string said = announcement_of(state, evaluator.shown());
    CHECK(said.starts_with("Logit lens after “"));
    CHECK(said.find("layer 1: “") != std::string::npos);
    CHECK(said.find("“brush”: ") != std::string::npos);
}

TEST_CASE("the files have a line, or an object, for each cell", "[lens]") {
    const ModelIsOpen model(small_model());
    const PlaygroundState state = lens_state("&word=brush");
    const Result<std::string> csv = csv_of_lens(state);
    REQUIRE(csv);
    CHECK(csv->starts_with("layer,position,token,rank,id,word,logit,probability\n"));
    const WholeLens lens(state);
    const nlohmann::json json = nlohmann::json::parse(lens_json(lens.drawing(), {"a note"}));
    CHECK(json["notes"][0] == "a note");
    CHECK(json["word"] == "brush");
    REQUIRE(json["cells"].size() == 15);
    std::size_t lines = 0;
    for (const auto& cell : json["cells"]) {
        CHECK(cell["words"].size() == kLensWords);
        CHECK(cell["chosen"]["word"] == "brush");
        lines += kLensWords + (cell["chosen"]["rank"].get<int>() > static_cast<int>(kLensWords) ? 1 : 0);
        const LensCell& found = *lens.work->cell(cell["layer"], cell["position"]);
        CHECK(cell["words"][0]["probability"].get<float>() == found.words[0].probability);
        CHECK(cell["row_sum"].get<double>() == found.softmax.sum);
    }
    CHECK(static_cast<std::size_t>(std::ranges::count(*csv, '\n')) == lines + 1);
}

TEST_CASE("the lens says what is particular to a model's kind", "[lens]") {
    const auto words_about = [](const Checkpoint& checkpoint) {
        const auto model = small_model("small", checkpoint);
        std::string all;
        for (const std::string& sentence : lens_in_words(model->model())) all += sentence + "\n";
        return all;
    };
    const std::string gpt2 = words_about(random_gpt2());
    CHECK(gpt2.starts_with("Each cell asks the last norm and the unembedding"));
    CHECK(gpt2.find("no last norm") == std::string::npos);
    const std::string bert = words_about(random_bert());
    CHECK(bert.starts_with("Each cell asks the unembedding"));
    CHECK(bert.find("no last norm") != std::string::npos);
    CHECK(bert.find("Its head transforms") != std::string::npos);
    CHECK(bert.find("not the next") != std::string::npos);
    CHECK(words_about(random_attention_only("shortformer", false)).find("no norms") != std::string::npos);
}

TEST_CASE("without a head, without a model, and of what costs too much the lens says why", "[lens][bad-input]") {
    CHECK(lens_tables(lens_state())[0].title == "There is no logit lens while no model is open.");
    CHECK_FALSE(csv_of_lens(lens_state()));
    CHECK(announcement_of_lens(lens_state()).empty());
    const ModelIsOpen model(small_model("small", random_bert(false)));
    CHECK(lens_tables(lens_state())[0].title.starts_with("This model has no logit lens"));
    CHECK(csv_of_lens(lens_state()).error().starts_with("This model has no logit lens"));
}

TEST_CASE("a layer, a position and a word that are not there are moved or left out", "[lens][bad-input]") {
    const ModelIsOpen model(small_model());
    ReadLink read = read_link(concat(kLensLink, "&lens=9&cell=1,77,0&word=no-such-word"));
    CHECK(read.state.view.lens == 2);
    CHECK(read.state.view.cell->row == 4);
    CHECK(std::ranges::any_of(read.notes, [](const std::string& one) { return one.starts_with("lens set to 2"); }));
    const WholeLens lens(read.state);
    CHECK_FALSE(lens.drawing().word.has_value());
    CHECK(lens.work->word().has_value());
    CHECK(read_link("lens=-3").state.view.lens == 0);
    CHECK_FALSE(read_link("lens=two").state.view.lens.has_value());
    CHECK(read_link("lens=two").notes[0] == "lens \"two\" left out: it is not a number");
    CHECK(write_link(read_link("lens=1&view=lens").state).find("lens=1") != std::string::npos);
}

TEST_CASE("a window of positions is around the one that is looked at", "[lens]") {
    CHECK(lens_window(3, 5) == LensWindow{0, 5});
    CHECK(lens_window(0, 100) == LensWindow{0, 32});
    CHECK(lens_window(50, 100) == LensWindow{34, 32});
    CHECK(lens_window(99, 100) == LensWindow{68, 32});
    CHECK(lens_window(7, 10, 1) == LensWindow{7, 1});
}

TEST_CASE("a number that is none has no word on the sheet", "[lens][bad-input]") {
    const ModelIsOpen model(small_model());
    PlaygroundState state = lens_state();
    state.inputs.edits = {{.tensor = TensorId::embeddings, .row = 4, .column = 0, .value = std::nanf(""), .layer = 0}};
    const WholeLens lens(state);
    if (lens.work->cell(2, 4)->is_number()) SKIP("the state takes no NaN");
    CHECK(lens_cell_in_words(lens.drawing(), 2, 4) == "no number");
    CHECK_FALSE(lens.drawing().sum.has_value());
    CHECK(lens_csv(lens.drawing()).find(",,,NaN,NaN\n") != std::string::npos);
    CHECK(lens_json(lens.drawing(), {}).find("\"row_sum\": null") != std::string::npos);
    CHECK(tables_of_cells(lens.drawing()).size() > 1);
}

TEST_CASE("the figure has every cell, and hides numbers where it must", "[lens]") {
    const ModelIsOpen model(small_model());
    for (const char* keys : {"", "&word=brush&lens=0", "&theme=dark"}) {
        const PlaygroundState state = lens_state(keys);
        Evaluator evaluator;
        evaluator.update(state);
        const Result<Figure> figure = figure_of(state, evaluator, FigureOptions());
        REQUIRE(figure);
        const std::string svg = figure_as_svg(*figure);
        CHECK(svg.find("embed.") != std::string::npos);
        CHECK(svg.find("Its ranks, from the embeddings on:") != std::string::npos);
        CHECK(svg.find("logit of “") != std::string::npos);
    }
}

}  // namespace attn::test
