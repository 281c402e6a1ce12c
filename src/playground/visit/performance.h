// What the performance panel shows: where the time of a computation went, how near it came to what the machine can
// do, and the memory it took. Knows no clock: it is given one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/work_parts.h"
#include "playground/numbers/evaluation.h"

namespace attn {

using PartSeconds = std::array<double, kNumWorkParts>;

// Adds up the seconds of each part while it observes (core/work_parts.h). At most one at a time.
class PartTimer {
public:
    // Seconds, never decreasing. Begins to observe.
    explicit PartTimer(double (*clock)());
    ~PartTimer();
    PartTimer(const PartTimer&) = delete;
    PartTimer& operator=(const PartTimer&) = delete;

    // Ends the part that runs. The seconds of each since the timer was made.
    const PartSeconds& stop();

private:
    static void begin(WorkPart part);
    double (*clock_)();
    WorkPart part_ = WorkPart::other;
    double began_at_ = 0;
    PartSeconds seconds_ = {};
};

void add_seconds(PartSeconds& sum, const PartSeconds& more);

struct Performance {
    PartSeconds seconds = {};
    std::array<std::int64_t, kNumWorkParts> multiply_adds = {};  // 0 in parts without any
    int num_runs = 0;         // that the seconds are the mean of; 0: of the one computation that made the numbers
    bool is_partial = false;  // that one took rows over from the numbers before
    double peak = 0;          // multiply-adds a second: plain multiplications and additions of numbers that are near
    std::string instructions = {};      // the instruction set in use
    std::int64_t bytes_of_numbers = 0;  // kept of the sentence
    std::int64_t bytes_of_program = 0;  // in memory, of the whole program; 0: nobody knows
};

// Measures. `last`: the parts of the computation that made `evaluation`, which is complete and not empty. Where that
// was too short for the clocks of browsers (kShortest), it is repeated for a while. Takes less than 50 ms.
Performance measure_performance(const Evaluation& evaluation, const PartSeconds& last, double (*clock)());

inline constexpr double kShortest = 0.002;  // seconds

// A row of the table, in words.
struct PerformanceRow {
    std::string part, milliseconds, multiply_adds, share_of_peak;  // empty where it has none
};

// One for each part, then their sum.
std::vector<PerformanceRow> performance_rows(const Performance& performance);

// The sentences below the table: how it was measured, the peak, the memory.
std::vector<std::string> performance_remarks(const Performance& performance);

// One sentence with the sum of the table, for screen readers.
std::string performance_in_words(const Performance& performance);

// Floats and flags that are kept of a sentence.
std::int64_t bytes_of_numbers(const Evaluation& evaluation);

}  // namespace attn
