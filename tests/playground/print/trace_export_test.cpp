// Exports: what a reader of the file gets is what was computed.
#include "playground/print/trace_export.h"
#include "core/explain/stage_numbers.h"

#include <catch_amalgamated.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/numbers/digest.h"
#include "playground/random_states.h"
#include "playground/text/format.h"

using namespace attn;
using namespace attn::test;
using nlohmann::json;

namespace {

json exported_trace(std::string_view link, std::optional<TensorId> stage = std::nullopt) {
    const ReadLink read = read_link(link);
    return json::parse(export_trace(read.state, read.notes, stage, ExportFormat::json));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The number at one cell of a stage's JSON.
json cell_of(const json& stage, const StageInfo& info, int h, int i, int c) {
    const json& rows = info.has_heads ? stage["values"][static_cast<std::size_t>(h)] : stage["values"];
    return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
}

}  // namespace

TEST_CASE("the JSON trace holds every bit of every stage", "[export][property]") {
    const std::string link = "text=one+two+three&text=four&dropout=0.3&bias=1&heads=2";
    const json trace = exported_trace(link);
    CHECK(trace["link"] == write_link(read_link(link).state));
    REQUIRE(trace["sentences"].size() == 2);
    const Inputs inputs = read_link(link).state.inputs;
    for (int s = 0; s < 2; ++s) {
        const Evaluation evaluation = evaluate(inputs, s);
        const json& sentence = trace["sentences"][static_cast<std::size_t>(s)];
        CHECK(sentence["text"] == inputs.texts[static_cast<std::size_t>(s)]);
        CHECK(sentence["tokens"].size() == static_cast<std::size_t>(evaluation.num_tokens()));
        const std::vector<TensorId> stages = present_stages(inputs);
        REQUIRE(sentence["stages"].size() == stages.size());
        for (std::size_t n = 0; n < stages.size(); ++n) {
            const json& stage = sentence["stages"][n];
            const StageInfo& info = stage_info(stages[n]);
            CHECK(stage["name"] == info.name);
            CHECK(stage["letters"] == shape_letters(evaluation.sizes, info.id));
            CHECK(stage["shape"] == json(stage_shape(evaluation, stages[n])));
            for (int h = 0; h < (info.has_heads ? 2 : 1); ++h) {
                const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, stages[n], h);
                for (int i = 0; i < length(matrix, 0); ++i) {
                    for (int c = 0; c < length(matrix, 1); ++c) {
                        const json number = cell_of(stage, info, h, i, c);
                        const float value = matrix(i, c);
                        CHECK((number.is_null() ? value == -std::numeric_limits<float>::infinity()
                                                : number.get<float>() == value));
                    }
                }
            }
        }
    }
}

TEST_CASE("hidden keys are null in masked scores and 0 in weights", "[export]") {
    const json trace = exported_trace("text=a+b");
    for (const json& stage : trace["sentences"][0]["stages"]) {
        if (stage["name"] == "masked_scores") CHECK(stage["values"][0][0][1].is_null());
        if (stage["name"] == "weights") CHECK(stage["values"][0][0] == json::array({1, 0}));
    }
}

TEST_CASE("notes of the link and of the sentence are in the trace", "[export]") {
    const json trace = exported_trace("text=&heads=3&text=a&edit=x[5,5]=1");
    CHECK(trace["notes"].size() == 1);
    CHECK(trace["sentences"][0]["notes"].size() == 1);
    CHECK(trace["sentences"][0]["stages"].empty());
    CHECK(trace["sentences"][0]["tokens"].empty());
    CHECK(trace["sentences"][1]["stages"].size() == 11);
}

TEST_CASE("one stage alone can be asked for", "[export]") {
    const json trace = exported_trace("text=a+b", TensorId::weights);
    REQUIRE(trace["sentences"][0]["stages"].size() == 1);
    CHECK(trace["sentences"][0]["stages"][0]["name"] == "weights");
}

TEST_CASE("CSV is one number a line, heads and sentences counted from 1", "[export]") {
    const ReadLink read = read_link("text=a+b&text=c");
    const auto lines = lines_of(export_trace(read.state, read.notes, TensorId::masked_scores, ExportFormat::csv));
    REQUIRE(lines.size() == 1 + 2 * 4 + 2);
    CHECK(lines[0] == "sentence,stage,head,row,column,value");
    CHECK(lines[2] == "1,masked_scores,1,0,1,-inf");
    CHECK(lines[10].starts_with("2,masked_scores,2,0,0,"));
    const auto merged = lines_of(export_trace(read.state, read.notes, TensorId::merged, ExportFormat::csv));
    const Evaluation first = evaluate(read.state.inputs, 0);
    CHECK(merged[1] == "1,merged,,0,0," + exact_number(first.trace.merged(0, 0)));
}

TEST_CASE("the text trace is a table for each head", "[export]") {
    const ReadLink read = read_link("text=a+tree&heads=5");
    const auto lines = lines_of(export_trace(read.state, read.notes, TensorId::weights, ExportFormat::text));
    const std::vector<std::string> expected = {
        "link: v=1&text=a+tree&heads=4",
        "note: heads set to 4: 4 channels cannot be split into 5 equal heads; 5 heads need d_out 5",
        "",
        "sentence 1: a tree",
        "",
        "weights (num_heads, T, T) = (4, 2, 2): softmax of each row of masked scores",
        "head 1",
        "              a       tree",
        "a        1.0000          0"};
    REQUIRE(lines.size() == 6 + 4 * 4);
    CHECK(std::vector<std::string>(lines.begin(), lines.begin() + 9) == expected);
}

TEST_CASE("an explanation's JSON adds up and names its sources", "[export]") {
    const Evaluation evaluation = evaluate(read_link("text=a+b+c").state.inputs, 0);
    const Explanation why =
        explain(*evaluation.problem, evaluation.trace, evaluation.parts, TensorId::weights, 1, 2, 0);
    const json exported = json::parse(export_explanation(evaluation, why, {"a note"}, ExportFormat::json));
    CHECK(exported["notes"] == json::array({"a note"}));
    CHECK(exported["stage"] == "weights");
    CHECK(exported["head"] == 2);
    CHECK(exported["row_token"] == "c");
    CHECK(exported["column_token"] == "a");
    CHECK(exported["divisor_terms"].size() == 3);
    CHECK(exported["terms"][0]["a_source"] ==
          json{{"tensor", "masked_scores"}, {"head", 2}, {"row", 2}, {"column", 0}});
    CHECK(exported["terms"][0]["b_source"].is_null());
    double sum = 0;
    for (const json& term : exported["terms"]) sum += term["product"].get<double>();
    // Float exponentials and division: a few units in the last place of a number below 1.
    CHECK(std::abs(sum / exported["divisor"].get<double>() - exported["shown"].get<double>()) < 1e-6);

    const Explanation hidden =
        explain(*evaluation.problem, evaluation.trace, evaluation.parts, TensorId::masked_scores, 0, 0, 2);
    const json none = json::parse(export_explanation(evaluation, hidden, {}, ExportFormat::json));
    CHECK(none["is_hidden"] == true);
    CHECK(none["shown"].is_null());
    CHECK(none["sum"].is_null());
    CHECK(none["terms"].empty());
}

TEST_CASE("an explanation's JSON and CSV list all terms of a long sum", "[export]") {
    const Evaluation evaluation = evaluate(read_link("text=a&d_in=100").state.inputs, 0);
    const Explanation why =
        explain(*evaluation.problem, evaluation.trace, evaluation.parts, TensorId::queries, 0, 0, 0);
    CHECK(json::parse(export_explanation(evaluation, why, {}, ExportFormat::json))["terms"].size() == 100);
    const auto lines = lines_of(export_explanation(evaluation, why, {}, ExportFormat::csv));
    REQUIRE(lines.size() == 1 + 100 + 2);
    CHECK(lines[0] == "part,label,a,a_source,b,b_source,value");
    CHECK(lines[1].find("\"embeddings [0,0]\"") != std::string::npos);
    CHECK(lines.back() == "shown,,,,,," + exact_number(why.shown));
}

TEST_CASE("a token at the front of a cell is no formula to a spreadsheet", "[export][bad-input]") {
    for (const std::string_view token : {"=", "+", "-", "@", "==", "--", "＝", "＠"}) {
        CAPTURE(token);
        Inputs inputs;
        inputs.texts = {std::string(token)};
        const Evaluation evaluation = evaluate(inputs, 0);
        REQUIRE(evaluation.num_tokens() == 1);
        const Explanation why =
            explain(*evaluation.problem, evaluation.trace, evaluation.parts, TensorId::embeddings, 0, 0, 0);
        const auto lines = lines_of(export_explanation(evaluation, why, {}, ExportFormat::csv));
        REQUIRE(lines.size() > 1);
        CHECK(lines[1].starts_with(concat("term,'", token, ",")));
    }
    const Evaluation plain = evaluate(read_link("text=brush").state.inputs, 0);
    const Explanation why = explain(*plain.problem, plain.trace, plain.parts, TensorId::embeddings, 0, 0, 0);
    CHECK(lines_of(export_explanation(plain, why, {}, ExportFormat::csv))[1].starts_with("term,brush,"));
}

TEST_CASE("no cell of a table begins a formula, whatever parts cells", "[export][bad-input]") {
    CHECK(csv_field("=1+1") == "'=1+1");
    CHECK(csv_field(";=1+1") == "\";'=1+1\"");
    CHECK(csv_field("a;=1;-2") == "\"a;'=1;'-2\"");
    CHECK(csv_field("\t=1") == "\"\t'=1\"");
    CHECK(csv_field("\r\n@a") == "\"\r\n'@a\"");
    CHECK(csv_field(" =1") == " '=1");
    CHECK(csv_field("\u00a0+1") == "\u00a0'+1");
    CHECK(csv_field("\ufeff-1") == "\ufeff'-1");
    CHECK(csv_field("\u200b\u3000＝1") == "\u200b\u3000'＝1");
    CHECK(csv_field("\"=1") == "\"\"\"'=1\"");
    CHECK(csv_field(",=1") == "\",'=1\"");
    CHECK(csv_field("\x1b=1") == "\uFFFD'=1");
    for (const std::string plain : {"a-b", "1+1", "##ing", "h.0 [1,2]", "", "é"})
        CHECK(csv_field(plain) == (plain == "h.0 [1,2]" ? "\"h.0 [1,2]\"" : plain));
}

TEST_CASE("a sentence of several lines is one line of a text trace", "[export][bad-input]") {
    const ReadLink read = read_link("text=one%0Adigest:+0123%0D%E2%80%A8two");
    const std::string text = export_trace(read.state, {}, TensorId::weights, ExportFormat::text);
    CHECK(text.find("\nsentence 1: one digest: 0123  two\n") != std::string::npos);
}

TEST_CASE("a whole trace ends with the digest of its numbers", "[export][digest]") {
    const std::string link = "text=one+two&text=three&dropout=0.3";
    const ReadLink read = read_link(link);
    const std::string digest = digest_text(digest_of(read.state.inputs));
    CHECK(exported_trace(link)["digest"] == digest);
    const std::string text = export_trace(read.state, {}, std::nullopt, ExportFormat::text);
    CHECK(text.ends_with("\ndigest: " + digest + "\n"));
    CHECK_FALSE(exported_trace(link, TensorId::weights).contains("digest"));
    for (const ExportFormat format : {ExportFormat::csv, ExportFormat::text}) {
        const std::optional<TensorId> stage =
            format == ExportFormat::text ? std::optional(TensorId::weights) : std::nullopt;
        CHECK(export_trace(read.state, {}, stage, format).find("digest") == std::string::npos);
    }
}
