// The lectures through the front door: a link a visitor could open gives the numbers that were printed.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "playground/link_traces.h"
#include "playground/numbers/evaluation.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

// The printed steps 8 and 9 that do follow from the printed step 6: rows that put all weight on one key (with four
// decimals), and the values such a row copies.
void check_what_follows(const json& printed, const json& trace) {
    const json weights = stage_of(trace, "weights"), context = stage_of(trace, "context");
    int num_rows = 0;
    for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t i = 0; i < 3; ++i) {
            const json& row = printed["step8_weights_per_head"][h][i];
            if (std::count(row.begin(), row.end(), 1) == 0) continue;
            check_close(json(weights[h][i]), row, kFourDecimals, 0);
            check_close(json(context[h][i]), printed["step9_context_per_head"][h][i], kFourDecimals, 0);
            ++num_rows;
        }
    }
    CHECK(num_rows == 3);
}

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

TEST_CASE("the link's matrices are those of the lecture's seed", "[link][golden]") {
    const json golden = load_golden("journey-6x3.json");
    const Inputs inputs =
        read_link(kJourney + link_rows(golden["inputs"]) + "&d_out=2&heads=1&init=torch.rand&seed=123&mask=none&out=0")
            .state.inputs;
    const Projections matrices = evaluate(inputs, 0).problem->projections;
    const double tolerance = kSixDecimals + 0x1p-24;  // the float below 1 that was drawn
    require_close(matrices.w_query, golden["recomputed"]["W_query"], tolerance);
    require_close(matrices.w_key, golden["recomputed"]["W_key"], tolerance);
    require_close(matrices.w_value, golden["recomputed"]["W_value"], tolerance);
}

TEST_CASE("the lecture's brush sentence has 11 tokens, and as many weights as the lecture counts", "[link][golden]") {
    const std::string sentence =
        "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush&d_in=8&d_out=4&out=0&heads=";
    for (const auto& [heads, head_dim] : {std::pair(1, 4), std::pair(2, 2)}) {
        const json trace = trace_of(sentence + std::to_string(heads));
        CHECK(trace["sentences"][0]["tokens"].size() == 11);
        for (const json& stage : trace["sentences"][0]["stages"]) {
            if (stage["name"] == "weights") CHECK(stage["shape"] == json({heads, 11, 11}));  // 121 and 242 in all
            if (stage["name"] == "queries") CHECK(stage["shape"] == json({heads, 11, head_dim}));
        }
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
        for (const std::string name : {"queries", "keys", "values"}) {
            CAPTURE(name);
            check_close(heads_side_by_side(stage_of(trace, name)), recomputed[name], kFourDecimals, 1e-6);
        }
    }
}

TEST_CASE("the printed queries, keys and values of step 6 can be entered, and give what follows from them",
          "[link][golden]") {
    const json golden = load_golden("weight-split-3x6.json");
    std::string link = "text=one+two+three&embed=typed&pos=none&out=0&d_in=6&d_out=6&heads=2";
    for (const std::string role : {"query", "key", "value"}) {
        // Edits name the columns before the cut into heads.
        const json rows = heads_side_by_side(golden["printed"]["step6_" + role + "_per_head"]);
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
        check_what_follows(golden["printed"], trace);
    }
}
