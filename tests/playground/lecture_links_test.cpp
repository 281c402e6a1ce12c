// Lectures and the notebook through the front door: a link a visitor could open gives the numbers that were printed.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/problems.h"
#include "playground/state_url.h"
#include "playground/trace_export.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

constexpr double kSixDecimals = 0.5e-6;  // half a unit of the last digit in the files
constexpr double kFourDecimals = 0.5e-4;

// Rows as links write them: "1,2;3,4".
std::string link_rows(const json& rows) {
    std::string text;
    for (const json& row : rows) {
        if (!text.empty()) text += ';';
        for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + row[c].dump();
    }
    return text;
}

// The trace of a link that must need no notes.
json trace_of(const std::string& link) {
    const ReadLink read = read_link(link);
    json trace = json::parse(export_trace(read.state, read.notes, std::nullopt, ExportFormat::json));
    REQUIRE(trace["notes"].empty());
    for (const json& sentence : trace["sentences"]) REQUIRE(sentence["notes"].empty());
    return trace;
}

json stage_of(const json& trace, std::string_view name, std::size_t sentence = 0) {
    for (const json& stage : trace["sentences"][sentence]["stages"]) {
        if (stage["name"] == name) return stage["values"];
    }
    FAIL("no stage " << name);
    return {};
}

// The bound on |computed - golden|: absolute, or relative for large numbers.
void check_close(const json& computed, const json& golden, double absolute, double relative) {
    REQUIRE(computed.is_array() == golden.is_array());
    if (golden.is_array()) {
        REQUIRE(computed.size() == golden.size());
        for (std::size_t i = 0; i < golden.size(); ++i) check_close(computed[i], golden[i], absolute, relative);
    } else if (golden.is_null()) {
        CHECK(computed.is_null());
    } else {
        CHECK(std::abs(computed.get<double>() - golden.get<double>()) <=
              absolute + relative * std::abs(golden.get<double>()));
    }
}

const std::string kJourney = "text=Your+journey+starts+with+one+step&embed=typed&pos=none&x=";

}  // namespace

TEST_CASE("a link gives the numbers the lecture prints for \"journey\"", "[link][golden]") {
    const json golden = load_golden("journey-6x3.json");
    const json trace =
        trace_of(kJourney + link_rows(golden["inputs"]) + "&d_out=2&heads=1&init=torch.rand&seed=123&mask=none&out=0");
    CHECK(trace["sentences"][0]["tokens"] == golden["tokens"]);
    const json& printed = golden["printed_in_lecture"];
    check_close(stage_of(trace, "queries")[0][1], printed["query_of_journey"], kFourDecimals, 0);
    check_close(stage_of(trace, "weights")[0][1], printed["weights_of_journey"], kFourDecimals, 0);
    check_close(stage_of(trace, "context")[0][1], printed["context_of_journey"], kFourDecimals, 0);
    // Float rounding of sums of up to 6 products of numbers up to 2.
    const double tolerance = kSixDecimals + 6 * 2 * 0x1p-24;
    for (const std::string name : {"queries", "keys", "values", "scores", "weights", "context"}) {
        CAPTURE(name);
        check_close(stage_of(trace, name)[0], golden["recomputed"][name], tolerance, 0);
    }
}

TEST_CASE("a link with typed matrices gives the worked notes' weight-split heads", "[link][golden]") {
    const json golden = load_golden("weight-split-3x6.json");
    const std::string shared =
        "text=one+two+three&embed=typed&pos=none&out=0&d_out=6&heads=2&x=" + link_rows(golden["inputs"]);
    const std::string edits = "&edit=w_query[0,0]=" + link_rows(golden["W_query"]) +
                              "&edit=w_key[0,0]=" + link_rows(golden["W_key"]) +
                              "&edit=w_value[0,0]=" + link_rows(golden["W_value"]);
    // The edits replace every number, so what the matrices were before must not matter.
    for (const std::string init : {"&init=identity", "&init=torch.rand&seed=9"}) {
        const json trace = trace_of(shared + init + edits);
        const json& recomputed = golden["recomputed"];
        // Scores are sums of products up to 200 in size, rounded to float on the way: 200 * 2^-24 a step, 3e-5 in all.
        // A softmax weight w moves by at most w (1 - w) times that, here 5e-6, and the context by that times the
        // distance between values, up to 60 (measured: 2e-5, 3e-7, 3e-6).
        check_close(stage_of(trace, "scores"), recomputed["scores_per_head"], 3e-5, 0);
        check_close(stage_of(trace, "weights"), recomputed["weights_per_head"], kSixDecimals + 5e-6, 0);
        check_close(stage_of(trace, "context"), recomputed["context_per_head"], kSixDecimals + 2e-4, 0);
        check_close(stage_of(trace, "merged"), recomputed["context"], kSixDecimals + 2e-4, 0);
        const json heads = stage_of(trace, "queries");
        json queries = heads[0];
        for (std::size_t i = 0; i < queries.size(); ++i) {
            for (const json& number : heads[1][i]) queries[i].push_back(number);
        }
        check_close(queries, recomputed["queries"], kFourDecimals, 1e-6);
    }
}

TEST_CASE("the printed queries, keys and values of step 6 can be entered, and give what follows from them",
          "[link][golden]") {
    const json golden = load_golden("weight-split-3x6.json");
    std::string link = "text=one+two+three&embed=typed&pos=none&out=0&d_in=6&d_out=6&heads=2";
    for (const std::string role : {"query", "key", "value"}) {
        // Edits name the columns before the cut into heads.
        json rows = golden["printed"]["step6_" + role + "_per_head"][0];
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (const json& number : golden["printed"]["step6_" + role + "_per_head"][1][i]) rows[i].push_back(number);
        }
        link += "&edit=" + (role == "query" ? "queries" : role + "s") + "[0,0]=" + link_rows(rows);
    }
    const json& wanted = golden["recomputed_from_printed_step6"];
    // Scores of up to three products of up to 24: a few units of 2^-24 times 30. Weights and contexts carry that on.
    for (const std::string init : {"&init=none&x=1,2,3,4,5,6", "&init=torch.linear&seed=9&x=1"}) {
        const ReadLink read = read_link(link + init);
        const json trace = json::parse(export_trace(read.state, read.notes, std::nullopt, ExportFormat::json));
        check_close(stage_of(trace, "scores"), wanted["scores_per_head"], kSixDecimals + 1e-5, 0);
        check_close(stage_of(trace, "weights"), wanted["weights_per_head"], kSixDecimals + 1e-5, 0);
        check_close(stage_of(trace, "context"), wanted["context_per_head"], kSixDecimals + 1e-4, 0);
    }
}

TEST_CASE("the notebook's four-dimensional example comes out: two heads times their own transpose", "[link][golden]") {
    const json golden = load_golden("notebook-ch03.json")["batched_product"];
    json rows = golden["heads"][0];  // the heads side by side are X: without matrices Q = K = X
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const json& number : golden["heads"][1][i]) rows[i].push_back(number);
    }
    const json trace =
        trace_of("text=one+two+three&embed=typed&pos=none&init=none&out=0&d_in=8&d_out=8&heads=2&x=" + link_rows(rows));
    check_close(stage_of(trace, "scores"), golden["printed"], kFourDecimals, 1e-6);
}

TEST_CASE("links give the tables printed in the notebook", "[link][golden]") {
    const json golden = load_golden("notebook-ch03.json");
    REQUIRE(golden["cases"].size() > 10);
    for (const json& c : golden["cases"]) {
        CAPTURE(c["name"].get<std::string>());
        std::string link = kJourney + link_rows(golden["inputs"]) + "&init=" + c["init"].get<std::string>();
        link += "&seed=" + c["seed"].dump() + "&d_out=" + c["d_out"].dump() + "&heads=" + c["num_heads"].dump();
        link += "&mask=" + c["mask"].get<std::string>() + "&scale=" + c["scale"].get<std::string>();
        link += c["out"] ? "&out=1" : "&out=0";
        if (c.contains("mask_at")) link += "&mask_at=" + c["mask_at"].get<std::string>();
        if (c.contains("dropout"))
            link += "&dropout=" + c["dropout"].dump() + "&dropout_seed=" + c["dropout_seed"].dump();
        const std::string stage = c["stage"];
        const json values = stage_of(trace_of(link), stage);
        check_close(stage == "output" ? values : values[0], c["printed"], kFourDecimals, 1e-6);
    }
}

TEST_CASE("a batch of the same sentence twice gives the same output twice", "[link][golden]") {
    const json golden = load_golden("notebook-ch03.json");
    const json trace = trace_of(kJourney + link_rows(golden["inputs"]) +
                                "&text=Your+journey+starts+with+one+step&init=torch.linear&d_out=2&heads=2&seed=123");
    REQUIRE(trace["sentences"].size() == 2);
    CHECK(stage_of(trace, "output", 0) == stage_of(trace, "output", 1));
    for (const json& c : golden["cases"]) {
        if (c["name"] == "MultiHeadAttention: output")
            check_close(stage_of(trace, "output", 1), c["printed"], kFourDecimals, 0);
    }
}
