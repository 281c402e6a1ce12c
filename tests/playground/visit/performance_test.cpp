// Where the time went, with a clock that the test winds.
#include "playground/visit/performance.h"

#include <catch_amalgamated.hpp>
#include <numeric>
#include <string>

#include "core/failed_check.h"
#include "core/ground/check.h"
#include "playground/linked.h"

namespace attn::test {
namespace {

double now = 0;

double read_clock() {
    return now;
}

// Every look at it takes 100 microseconds.
double running_clock() {
    return now += 1e-4;
}

double sum_of(const PartSeconds& seconds) {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

}  // namespace

TEST_CASE("the seconds of each part add up, those of none are not counted", "[performance]") {
    now = 10;
    PartTimer timer(read_clock);
    now = 11;  // nothing was computed yet
    begin_part(WorkPart::scores);
    now = 13;
    begin_part(WorkPart::softmax);
    now = 13.5;
    begin_part(WorkPart::scores);
    now = 14.5;
    begin_part(WorkPart::other);
    now = 20;
    begin_part(WorkPart::output);
    now = 20.25;
    const PartSeconds seconds = timer.stop();
    CHECK(seconds == PartSeconds{0, 3, 0.5, 0, 0.25});
    CHECK(timer.stop() == seconds);
    CHECK(failed_check([] { PartTimer second(read_clock); }).find("another timer") != std::string::npos);
}

TEST_CASE("a destroyed timer measures nothing, and the next one starts at 0", "[performance]") {
    {
        PartTimer timer(read_clock);
    }
    begin_part(WorkPart::scores);
    PartTimer timer(read_clock);
    CHECK(sum_of(timer.stop()) == 0);
}

TEST_CASE("short computations are repeated, and the multiply-adds are those of the visible keys", "[performance]") {
    const Evaluation evaluation = evaluation_of("text=one+two+three&d_in=2&d_out=4&heads=2");
    const Performance performance = measure_performance(evaluation, {}, running_clock);
    CHECK(performance.num_runs > 1);
    CHECK(performance.peak > 0);
    CHECK(!performance.instructions.empty());
    // Three rows of queries, keys and values; 1 + 2 + 3 visible pairs of 4 channels; three rows through w_out.
    CHECK(performance.multiply_adds ==
          std::array<std::int64_t, kNumWorkParts>{3 * 3 * 2 * 4, 6 * 4, 0, 6 * 4, 3 * 4 * 4});
    for (const double seconds : performance.seconds) CHECK(seconds > 0);

    const Evaluation plain = evaluation_of("text=one+two+three&init=none&d_in=4&d_out=4&out=0&mask=none");
    const Performance simple = measure_performance(plain, {}, running_clock);
    CHECK(simple.multiply_adds == std::array<std::int64_t, kNumWorkParts>{0, 9 * 4, 0, 9 * 4, 0});
}

TEST_CASE("longer computations are told as they were", "[performance]") {
    const Evaluation evaluation = evaluation_of("text=one+two+three");
    const PartSeconds last = {0.001, 0.002, 0.003, 0.004, 0.005};
    const Performance performance = measure_performance(evaluation, last, running_clock);
    CHECK(performance.num_runs == 0);
    CHECK(performance.seconds == last);
    CHECK_FALSE(performance.is_partial);
    CHECK(performance_remarks(performance)[0] == "The last computation.");
}

TEST_CASE("rows that were taken over are no work", "[performance]") {
    PlaygroundState state = read_link("text=one+two+three+four").state;
    Evaluator evaluator;
    evaluator.update(state);
    state.inputs.edits.push_back({.tensor = TensorId::w_value, .value = 3});
    const Evaluation& evaluation = evaluator.update(state);
    const PartSeconds last = {0.1, 0, 0, 0.1, 0.1};
    const Performance performance = measure_performance(evaluation, last, running_clock);
    CHECK(performance.is_partial);
    CHECK(performance.multiply_adds[static_cast<std::size_t>(WorkPart::scores)] == 0);
    CHECK(performance.multiply_adds[static_cast<std::size_t>(WorkPart::context)] > 0);
    CHECK(performance_remarks(performance)[0].find("taken over") != std::string::npos);
}

TEST_CASE("the table in words", "[performance]") {
    const Performance performance = {.seconds = {0.001, 0.0000123, 0, 0.25, 0.5},
                                     .multiply_adds = {1000000, 1230, 0, 0, 250000000},
                                     .num_runs = 7,
                                     .peak = 1e9,
                                     .instructions = "AVX2",
                                     .bytes_of_numbers = 2000,
                                     .bytes_of_program = 64 << 20};
    const std::vector<PerformanceRow> rows = performance_rows(performance);
    REQUIRE(rows.size() == kNumWorkParts + 1);
    CHECK(rows[0].part == "queries, keys, values");
    CHECK(rows[0].milliseconds == "1.0");
    CHECK(rows[0].multiply_adds == "1,000,000");
    CHECK(rows[0].share_of_peak == "100 %");
    CHECK(rows[1].milliseconds == "0.0123");
    CHECK(rows[1].share_of_peak == "10 %");
    CHECK(performance_rows({.seconds = {1}, .multiply_adds = {1000}, .peak = 1e9})[0].share_of_peak == "< 1 %");
    CHECK(rows[2].milliseconds == "0");
    CHECK(rows[2].multiply_adds.empty());
    CHECK(rows[2].share_of_peak.empty());
    CHECK(rows[3].milliseconds == "250");
    CHECK(rows[5].part == "all");
    CHECK(rows[5].milliseconds == "751");
    CHECK(rows[5].multiply_adds == "251,001,230");
    const std::vector<std::string> remarks = performance_remarks(performance);
    CHECK(remarks[0].find("mean of 7 runs") != std::string::npos);
    CHECK(remarks[1].find("1.0 billion multiply-adds a second") != std::string::npos);
    CHECK(remarks[1].find("AVX2") != std::string::npos);
    CHECK(remarks[2].find("64 MiB") != std::string::npos);
    CHECK(performance_in_words(performance) == "The numbers took 751 ms, 33 % of this machine's peak.");
}

TEST_CASE("the bytes are those of the tensors", "[performance]") {
    CHECK(bytes_of_numbers(evaluation_of("text=")) == 0);
    // X and its mask; no matrices; queries, keys, values, context, merged of 3 x 4; two heads of 3 x 3 weights.
    const Evaluation evaluation = evaluation_of("text=one+two+three&init=none&d_in=4&d_out=4&heads=2&out=0");
    CHECK(bytes_of_numbers(evaluation) == 4 * 12 + 9 + 4 * 5 * 12 + 4 * 2 * 9);
}

}  // namespace attn::test
