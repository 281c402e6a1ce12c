// The walk over all numbers: each is shown once, in order, however often it rests.
#include "playground/numbers/trace_walk.h"
#include "core/explain/stage_numbers.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/print/trace_export.h"

using namespace attn;

namespace {

// Writes down what it is shown.
class Diary : public TraceVisitor {
public:
    std::vector<std::string> events;
    std::vector<float> numbers;
    std::size_t most_at_once = 0;

    void begin_sentence(const Evaluation& evaluation) override {
        events.push_back(concat("sentence of ", evaluation.num_tokens()));
    }
    void begin_stage(const Evaluation& /*evaluation*/, TensorId stage) override {
        events.emplace_back(tensor_name(stage));
    }
    void begin_matrix(const Evaluation& /*evaluation*/, TensorId /*stage*/, int head) override {
        events.push_back(concat("matrix ", head));
    }
    void add_rows(const Evaluation& /*evaluation*/, const Matrix& rows) override {
        numbers.insert(numbers.end(), rows.begin(), rows.end());
        most_at_once = std::max(most_at_once, rows.size());
    }
    void end_matrix() override { events.emplace_back("end of matrix"); }
    void end_stage() override { events.emplace_back("end of stage"); }
    void end_sentence() override { events.emplace_back("end of sentence"); }
};

Inputs walked_inputs(const std::string& link) {
    return read_link(link).state.inputs;
}

Diary diary_of(const Inputs& inputs, std::optional<TensorId> only, std::int64_t slice) {
    Diary diary;
    TraceWalk walk(inputs, only, 4);
    while (!walk.advance(diary, slice)) continue;
    CHECK(walk.share_done() == 1);
    return diary;
}

}  // namespace

TEST_CASE("a walk shows every number of every stage once, in order", "[walk][property]") {
    const Inputs inputs = walked_inputs("text=one+two+three&text=&text=four&d_in=6&d_out=4&heads=2&dropout=0.3&out=1");
    std::vector<float> expected;
    for (const int sentence : {0, 2}) {
        const Evaluation evaluation = evaluate(inputs, sentence);
        for (const TensorId stage : present_stages(inputs)) {
            for (int head = 0; head < (stage_info(stage).has_heads ? 2 : 1); ++head) {
                const Matrix matrix = stage_matrix(*evaluation.problem, evaluation.trace, stage, head);
                expected.insert(expected.end(), matrix.begin(), matrix.end());
            }
        }
    }
    const Diary whole = diary_of(inputs, std::nullopt, kWholeWalk);
    CHECK(whole.numbers == expected);
    for (const std::int64_t slice : {1, 500, 20000}) {
        const Diary sliced = diary_of(inputs, std::nullopt, slice);
        CHECK(sliced.numbers == expected);
        CHECK(sliced.events == whole.events);
    }
}

TEST_CASE("a walk says where sentences, stages and matrices begin and end", "[walk]") {
    const Inputs inputs = walked_inputs("text=one+two&text=&heads=2");
    CHECK(diary_of(inputs, TensorId::weights, 1).events ==
          std::vector<std::string>{"sentence of 2", "weights", "matrix 0", "end of matrix", "matrix 1", "end of matrix",
                                   "end of stage", "end of sentence", "sentence of 0", "end of sentence"});
    CHECK(diary_of(inputs, TensorId::embeddings, 1).events ==
          std::vector<std::string>{"sentence of 2", "embeddings", "matrix 0", "end of matrix", "end of stage",
                                   "end of sentence", "sentence of 0", "end of sentence"});
}

TEST_CASE("a walk over a long text comes in bands", "[walk]") {
    std::string text = "a";
    for (int k = 1; k < 700; ++k) text += "+a";
    const Inputs inputs = walked_inputs(concat("text=", text, "&heads=1"));
    const Evaluation known = evaluate(inputs, 0);
    Diary diary;
    TraceWalk walk(inputs, TensorId::scores, 4);
    int num_slices = 0;
    for (double share = 0; !walk.advance(diary, 1, &known, 0); ++num_slices) {
        CHECK(walk.share_done() > share);
        share = walk.share_done();
    }
    CHECK(num_slices > 10);
    CHECK(diary.most_at_once <= 1 << 15);
    CHECK(diary.numbers.size() == 700 * 700);
}

TEST_CASE("a file that is written in slices is the one that is written at once", "[walk][export][property]") {
    const PlaygroundState state = read_link("text=one+two&text=&text=a+b+c&d_out=6&heads=3&sentence=3").state;
    const Evaluation shown = evaluate(state.inputs, 2);
    for (const ExportFormat format : {ExportFormat::json, ExportFormat::csv, ExportFormat::text}) {
        for (const std::optional<TensorId> stage : {std::optional<TensorId>(), std::optional(TensorId::context)}) {
            const std::string whole = export_trace(state, {"a note"}, stage, format);
            TraceWriter writer(state, {"a note"}, stage, format);
            std::string text;
            int num_slices = 1;
            for (bool is_done = false; !is_done; ++num_slices) {
                is_done = writer.advance(1, &shown);
                text += writer.take_text();
            }
            CHECK(text == whole);
            CHECK(num_slices > 6);
            CHECK(writer.advance(1));
            CHECK(writer.take_text().empty());
        }
    }
}
