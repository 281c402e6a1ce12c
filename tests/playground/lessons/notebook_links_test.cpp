// Every number that the notebook of chapter 3 prints, through the front door: a link a visitor could open, its trace.
// golden/notebook-ch03.json lists the code cells that print computed numbers, and the table each of them comes from.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/ground/check.h"
#include "core/ground/random.h"
#include "playground/link_traces.h"
#include "playground/text/format.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

// Half a unit of the last printed digit, and the float rounding of both sides.
constexpr double kPrinted = kFourDecimals + 2e-6;

const json& notebook() {
    static const json golden = load_golden("notebook-ch03.json");
    return golden;
}

const json& case_named(const std::string& name) {
    for (const json& entry : notebook()["cases"]) {
        if (entry["name"] == name) return entry;
    }
    FAIL("no case " << name);
    return notebook();
}

std::string journey_link() {
    return kJourney + link_rows(notebook()["inputs"]);
}

std::string link_of(const json& entry) {
    std::string link = journey_link() + "&init=" + entry["init"].get<std::string>();
    link += "&seed=" + entry["seed"].dump() + "&d_out=" + entry["d_out"].dump();
    link += "&heads=" + entry["num_heads"].dump();
    link += "&mask=" + entry["mask"].get<std::string>() + "&scale=" + entry["scale"].get<std::string>();
    link += entry["out"] ? "&out=1" : "&out=0";
    if (entry.contains("mask_at")) link += "&mask_at=" + entry["mask_at"].get<std::string>();
    if (entry.contains("dropout"))
        link += "&dropout=" + entry["dropout"].dump() + "&dropout_seed=" + entry["dropout_seed"].dump();
    return link;
}

// Two heads that each draw matrices of their own, typed into the columns that they own.
std::string link_of_stacked_heads(const json& entry) {
    const int head_dim = entry["head_dim"];
    TorchGenerator generator(entry["seed"].get<std::uint64_t>());
    const float bound = 1.0F / std::sqrt(3.0F);  // nn.Linear(3, 2)
    std::string edits;
    for (int h = 0; h < 2; ++h) {
        for (const std::string name : {"w_query", "w_key", "w_value"}) {
            Matrix drawn = zeros<Matrix>(head_dim, 3);
            fill_uniform(generator, elements(drawn), -bound, bound);
            for (int c = 0; c < head_dim; ++c) {
                for (int k = 0; k < 3; ++k)
                    edits += concat("&edit=", name, "[", k, ",", h * head_dim + c, "]=", exact_number(drawn(c, k)));
            }
        }
    }
    return journey_link() + concat("&d_out=", 2 * head_dim, "&heads=2&init=identity&out=0") + edits;
}

// What a cell of the notebook takes out of a matrix (T, T) or (T, d): itself, where it is visible, or its row sums.
json taken(const json& matrix, const std::string& what) {
    if (what == "all") return matrix;
    json result = json::array();
    for (const json& row : matrix) {
        json flags = json::array();
        double sum = 0;
        for (const json& number : row) {
            flags.push_back(number.is_null() ? 0 : 1);
            sum += number.is_null() ? 0 : number.get<double>();
        }
        what == "visible" ? result.push_back(flags) : result.push_back(sum);
    }
    REQUIRE((what == "visible" || what == "row sums"));
    return result;
}

// Cells of the notebook that print a stage of one of the cases: whole, a row, or a number of it.
void check_stage(const json& print) {
    const json& entry = case_named(print["case"]);
    std::string link = link_of(entry);
    const std::size_t num_sentences = print.value("sentences", 1);
    for (std::size_t s = 1; s < num_sentences; ++s) link += "&text=Your+journey+starts+with+one+step";
    const std::string stage = print.value("stage", entry["stage"].get<std::string>());
    const json trace = trace_of(link);
    REQUIRE(trace["sentences"].size() == num_sentences);
    for (std::size_t s = 0; s < num_sentences; ++s) {
        const json values = stage_of(trace, stage, s);
        json computed = taken(stage == "output" ? values : values[0], print.value("take", "all"));
        if (print.contains("row")) computed = json(computed[print["row"].get<std::size_t>()]);
        if (print.contains("column")) computed = json(computed[print["column"].get<std::size_t>()]);
        check_close(computed, print.contains("printed") ? print["printed"] : entry["printed"], kPrinted, 0);
    }
}

void check_stacked_heads() {
    const json& entry = notebook()["stacked_heads"];
    const json trace = trace_of(link_of_stacked_heads(entry) + "&text=Your+journey+starts+with+one+step");
    for (const std::size_t sentence : {0, 1})
        check_close(stage_of(trace, "merged", sentence), entry["printed"], kPrinted, 0);
}

// Ones after dropout: what dropout makes of any weight, divided by that weight.
void check_dropout_of_ones() {
    const json& entry = notebook()["dropout_of_ones"];
    const json trace = trace_of(journey_link() + "&init=none&mask=none&dropout=" + entry["dropout"].dump() +
                                "&dropout_seed=" + entry["seed"].dump() + "&d_out=3&heads=1&out=0");
    const json weights = stage_of(trace, "weights")[0], dropped = stage_of(trace, "dropped_weights")[0];
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            // The trace has the shortest digits of each float: as floats twice a weight is exact.
            CHECK(dropped[i][j].get<float>() == entry["printed"][i][j].get<float>() * weights[i][j].get<float>());
        }
    }
}

// Heads times their own transposes, twice: typed as X, where queries and keys are X itself; and typed over the queries
// and keys of another X.
void check_batched_product() {
    const json& entry = notebook()["batched_product"];
    const std::string rows = link_rows(heads_side_by_side(entry["heads"]));
    const std::string shared = "text=one+two+three&pos=none&out=0&d_in=8&d_out=8&heads=2";
    for (const std::string& link : {shared + "&init=none&embed=typed&x=" + rows,
                                    shared + "&edit=queries[0,0]=" + rows + "&edit=keys[0,0]=" + rows}) {
        check_close(stage_of(trace_of(link), "scores"), entry["printed"], kPrinted, 0);
    }
}

void check_print(const json& print) {
    CAPTURE(print["cell"].get<int>());
    const std::string name = print["case"];
    if (name == "stacked_heads") {
        check_stacked_heads();
    } else if (name == "dropout_of_ones") {
        check_dropout_of_ones();
    } else if (name == "batched_product") {
        check_batched_product();
    } else {
        check_stage(print);
    }
}

}  // namespace

TEST_CASE("31 of the 32 cells of chapter 3 that print computed numbers come out of a link", "[link][golden]") {
    const json& prints = notebook()["prints_of_ch03"];
    REQUIRE(prints.size() == 32);
    int num_checked = 0;
    for (const json& print : prints) {
        if (print.contains("no_stage")) continue;
        check_print(print);
        ++num_checked;
    }
    CHECK(num_checked == 31);
}

TEST_CASE("both tables of the exercise's solution come out of a link", "[link][golden]") {
    const json& prints = notebook()["prints_of_exercise_solutions"];
    REQUIRE(prints.size() == 2);
    for (const json& print : prints) check_print(print);
}

TEST_CASE("every case of the notebook is printed by some cell of it", "[link][golden]") {
    for (const json& entry : notebook()["cases"]) {
        CAPTURE(entry["name"].get<std::string>());
        bool is_printed = false;
        for (const std::string list : {"prints_of_ch03", "prints_of_exercise_solutions"}) {
            for (const json& print : notebook()[list])
                is_printed = is_printed || (print.value("case", "") == entry["name"] && !print.contains("printed"));
        }
        CHECK(is_printed);
    }
}

TEST_CASE("six words in alphabetical order have the rows of nn.Embedding(6, 3)", "[link][golden]") {
    const json& entry = notebook()["embedding"];
    const json trace = trace_of("text=a+b+c+d+e+f&embed=torch&pos=none&d_in=3&embed_seed=" + entry["seed"].dump());
    check_close(stage_of(trace, "embeddings"), entry["printed"], kPrinted, 0);
}
