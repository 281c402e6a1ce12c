// What stands in each cell, by a pen that keeps it. That the formulas give the numbers is tested where LibreOffice
// computes them (tests/office).
#include "share/spreadsheet/spreadsheet.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/state/shapes.h"
#include "share/exports/data_files.h"
#include "share/formats/zip_file.h"
#include "share/spreadsheet/sheet_formulas.h"
#include "share/spreadsheet/workbook_pen.h"

namespace attn {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

struct KeptCell {
    std::string text, formula;
    double value = 0;
    CellStyle style = CellStyle::words;
};

class KeepingPen : public SheetPen {
public:
    void begin_sheet(const std::string& name, const SheetLook& /*look*/) override {
        names.push_back(name);
        last_row_ = -1;
    }
    void text(int row, int column, std::string_view text, CellStyle style) override {
        put(row, column, {.text = std::string(text), .formula = "", .value = 0, .style = style});
    }
    void number(int row, int column, double number, CellStyle style) override {
        put(row, column, {.text = "", .formula = "", .value = number, .style = style});
    }
    void formula(int row, int column, const std::string& formula, double value, CellStyle style) override {
        put(row, column, {.text = "", .formula = formula, .value = value, .style = style});
    }
    void formula(int row, int column, const std::string& formula, std::string_view value, CellStyle style) override {
        put(row, column, {.text = std::string(value), .formula = formula, .value = 0, .style = style});
    }
    void name_cell(std::string_view name, int row, int column) override {
        named[std::string(name)] = concat(names.back(), "!", cell_name(row, column));
    }

    const KeptCell& at(const std::string& place) const {
        INFO(place);
        REQUIRE(cells.contains(place));
        return cells.at(place);
    }

    std::vector<std::string> names;
    std::map<std::string, KeptCell> cells;  // "scores!B6"
    std::map<std::string, std::string> named;

private:
    void put(int row, int column, KeptCell cell) {
        CHECK(row >= last_row_);  // the library writes rows as they come
        last_row_ = row;
        CHECK(cells.emplace(concat(names.back(), "!", cell_name(row, column)), std::move(cell)).second);
    }
    int last_row_ = -1;
};

KeepingPen kept_sheets(const std::string& link) {
    const PlaygroundState state = read_link(link).state;
    const Evaluation evaluation = evaluate(state.inputs, state.view.sentence);
    CHECK(spreadsheet_obstacle(state, evaluation.sizes).empty());
    KeepingPen pen;
    SpreadsheetWork work(link, state.inputs, state.view.sentence, evaluation);
    while (!work.advance(pen)) continue;
    return pen;
}

std::string bytes_of(const std::string& link) {
    const PlaygroundState state = read_link(link).state;
    return write_spreadsheet(link, state.inputs, state.view.sentence, evaluate(state.inputs, state.view.sentence));
}

std::string obstacle_of(const std::string& link) {
    const PlaygroundState state = read_link(link).state;
    const int num_tokens = count_tokens(state.inputs, static_cast<std::size_t>(state.view.sentence));
    return spreadsheet_obstacle(state, sizes_of(state.inputs, num_tokens));
}

// Each has other stages, or makes one in another way.
constexpr const char* kLinks[] = {
    "text=a+b+c&pos=none",
    "text=a+b+c&init=none&out=0&d_in=4&mask=none",
    "text=a+b+c&pos=learned&dropout=0.5&bias=1",
    "text=a+b+c&pos=rope&qk_norm=1&score_cap=3&sink_logits=1",
    "text=a+b+c&pos=alibi&mask_at=after&heads=4&d_out=8&kv_heads=2",
    "text=a+b+c&mask_at=raw&goal=next&d_in=4&logit_cap=2",
    "text=a+b+c&latent=3&latent_queries=2&pos=rope&rope_dim=2",
};

TEST_CASE("a sheet a stage, in the order in which they are computed, behind the inputs", "[spreadsheet]") {
    CHECK(kept_sheets(kLinks[0]).names ==
          std::vector<std::string>{"Read me", "settings", "X", "w_query", "w_key", "w_value", "w_out", "b_out", "mask",
                                   "queries", "keys", "values", "scores", "scaled_scores", "masked_scores", "weights",
                                   "context", "merged", "output"});
    CHECK(kept_sheets(kLinks[3]).names == std::vector<std::string>{"Read me",
                                                                   "settings",
                                                                   "rope_angles",
                                                                   "X",
                                                                   "w_query",
                                                                   "w_key",
                                                                   "w_value",
                                                                   "w_out",
                                                                   "b_out",
                                                                   "q_norm",
                                                                   "k_norm",
                                                                   "sink_logits",
                                                                   "mask",
                                                                   "queries",
                                                                   "keys",
                                                                   "values",
                                                                   "normed_queries",
                                                                   "normed_keys",
                                                                   "rotated_queries",
                                                                   "rotated_keys",
                                                                   "scores",
                                                                   "scaled_scores",
                                                                   "capped_scores",
                                                                   "masked_scores",
                                                                   "weights",
                                                                   "sink_weights",
                                                                   "context",
                                                                   "merged",
                                                                   "output"});
}

TEST_CASE("every number of every stage is a formula, and every cell that it names is there",
          "[spreadsheet][property]") {
    const std::string link = GENERATE(from_range(std::begin(kLinks), std::end(kLinks)));
    INFO(link);
    const PlaygroundState state = read_link(link).state;
    const Evaluation evaluation = evaluate(state.inputs, 0);
    const LayerSheets sheets(state.inputs, 0, evaluation);
    const KeepingPen pen = kept_sheets(link);
    for (const TensorId stage : present_stages(state.inputs)) {
        if (is_gradient(stage)) continue;
        const LayerSheet& sheet = sheets.of(stage);
        for (int n = 0; n < sheet.num_matrices; ++n) {
            const Matrix numbers =
                stage_matrix(*evaluation.problem, evaluation.trace, stage, first_reader(evaluation.sizes, stage, n));
            for (int i = 0; i < sheet.rows; ++i) {
                for (int c = 0; c < sheet.columns; ++c) {
                    const KeptCell& cell = pen.at(sheets.cell(stage, n, i, c));
                    if (sheet.row) CHECK_THAT(cell.formula, StartsWith("="));
                    if (std::isfinite(numbers(i, c)))
                        CHECK(static_cast<float>(cell.value) == numbers(i, c));
                    else
                        CHECK(cell.text == kHiddenScore);
                }
            }
        }
    }
    for (const auto& [place, cell] : pen.cells) {
        INFO(place << " " << cell.formula);
        for (std::size_t at = cell.formula.find('!'); at != std::string::npos; at = cell.formula.find('!', at + 1)) {
            const std::size_t begin = cell.formula.find_last_of("=+-*/(,", at) + 1;
            std::size_t end = cell.formula.find_first_of("+-*/),:=", at);
            end = std::min(end, cell.formula.size());
            std::string named = cell.formula.substr(begin, end - begin);
            std::erase(named, '$');
            CHECK(pen.cells.contains(named));
        }
        for (const char* name : {"score_divisor", "score_cap", "logit_cap", "dropout_p", "rope_base", "head_dim",
                                 "norm_eps", "temperature", "score_dim", "slope_1"})
            CHECK((cell.formula.find(name) == std::string::npos || pen.named.contains(name)));
    }
}

TEST_CASE("formulas are those of the lectures", "[spreadsheet]") {
    const KeepingPen pen = kept_sheets("text=a+b+c&pos=none&d_in=3&d_out=4&heads=2&bias=1&dropout=0.5");
    CHECK(pen.at("queries!B6").formula == "=SUM(MMULT(X!$B6:$D6,w_query!B$6:B$8))+b_query!B$6");
    CHECK(pen.at("queries!B11").formula == "=SUM(MMULT(X!$B6:$D6,w_query!D$6:D$8))+b_query!D$6");  // head 2
    CHECK(pen.at("scores!C11").formula == "=SUMPRODUCT(queries!$B11:$C11,keys!$B$12:$C$12)");
    CHECK(pen.at("scaled_scores!B6").formula == "=scores!B6/score_divisor");
    CHECK(pen.at(pen.named.at("score_divisor")).formula == "=SQRT(score_dim)*temperature");
    CHECK(pen.at("masked_scores!C6").formula == "=IF(mask!C6=1,\"−∞\",scaled_scores!C6)");
    CHECK(pen.at("weights!F6").formula == "=MAX(masked_scores!$B6:$D6)");
    CHECK(pen.at("weights!G6").formula == "=IF(ISNUMBER(masked_scores!B6),EXP(masked_scores!B6-$F6),0)");
    CHECK(pen.at("weights!J6").formula == "=SUM(G6:I6)");
    CHECK(pen.at("weights!B6").formula == "=G6/$J6");
    CHECK(pen.at("dropped_weights!B6").formula == "=weights!B6*keep_mask!B6/(1-dropout_p)");
    CHECK(pen.at("context!B6").formula == "=SUM(MMULT(dropped_weights!$B6:$D6,values!B$6:B$8))");
    CHECK(pen.at("context!C12").formula == "=SUM(MMULT(dropped_weights!$B12:$D12,values!C$11:C$13))");  // head 2
    CHECK(pen.at("merged!D6").formula == "=context!B11");
}

TEST_CASE("a number that was typed stays a number, and can be changed", "[spreadsheet]") {
    const KeepingPen pen = kept_sheets("text=a+b&pos=sin&heads=2&edit=queries[1,3]=0.43&edit=x[0,1]=2");
    const KeptCell& query = pen.at("queries!C11");  // the second number of head 2
    CHECK(query.formula.empty());
    CHECK(query.value == 0.43);  // and not the float next to it
    CHECK(query.style == CellStyle::input);
    CHECK(pen.at("X!C6").value == 2);
    CHECK(pen.at("X!B6").formula == "=token_vectors!B6+positions!B6");
}

TEST_CASE("words are texts, whatever they begin with", "[spreadsheet]") {
    const KeepingPen pen = kept_sheets("text=%3D1%2B1+%2B2+-3+%40x&tokens=words&pos=none&check=");
    CHECK(pen.at("X!A6").formula.empty());
    CHECK(cell_text("=1+1") == "=1+1");
    CHECK(cell_text(std::string("a\0b\x1F", 4)) == "a\u2400b\u241F");
    CHECK(cell_text("\xEF\xBF\xBF") == "\uFFFD");
    CHECK(cell_text("_x0041_") == "_x005F_x0041_");
    CHECK(cell_text("_x004_") == "_x004_");
    const std::string long_text = cell_text(std::string(1 << 17, 'a'));
    CHECK(long_text.size() < 32'767);
    CHECK_THAT(long_text, Catch::Matchers::EndsWith("…"));
}

TEST_CASE("the file is an archive of a sheet a stage, and always the same", "[spreadsheet]") {
    const std::string bytes = bytes_of(kLinks[3]);
    CHECK(bytes == bytes_of(kLinks[3]));
    CHECK(bytes != bytes_of(kLinks[2]));
    const Result<ZipContents> archive = read_zip(bytes, [](std::string_view) { return true; });
    REQUIRE(archive);
    const auto is_sheet = [](const auto& entry) { return entry.name.starts_with("xl/worksheets/sheet"); };
    CHECK(std::ranges::count_if(archive->entries, is_sheet) == 29);
}

TEST_CASE("what has no room or no formulas is said in a sentence", "[spreadsheet][bad-input]") {
    CHECK(obstacle_of("text=a").empty());
    const std::string sixty_four = [] {
        std::string text = "text=a";
        for (int n = 1; n < kMaxSheetTokens; ++n) text += "+a";
        return text;
    }();
    CHECK(obstacle_of(sixty_four + "&d_in=64&d_out=64&heads=8").empty());
    for (const std::string& link : {sixty_four + "+a", std::string("text=a&d_in=65"), std::string("text=a&d_out=65"),
                                    std::string("text=a&heads=9&d_out=9")})
        CHECK_THAT(obstacle_of(link), ContainsSubstring("at most 64 tokens, 64 channels (d_in, d_out), 8 heads"));
    CHECK_THAT(obstacle_of("text="), ContainsSubstring("The sentence is empty"));
    CHECK_THAT(obstacle_of("text=a+b&check=weights"), ContainsSubstring("left blank"));
    CHECK_THAT(obstacle_of("text=a+b&hide=weights[1,1,0]"), ContainsSubstring("left blank"));
    CHECK_THAT(obstacle_of("text=a+b+c&goal=next&d_in=4&d_out=4&steps=1"), ContainsSubstring("set the steps to 0"));
}

}  // namespace
}  // namespace attn
