// Measures the machine's peak, counts multiply-adds, and says both in rows and sentences.
#include "playground/visit/performance.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/ground/check.h"
#include "core/kernels/simd_kernels.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr double kRepeatFor = 0.015;  // seconds
constexpr double kPeakFor = 0.002;    // of each trial: browsers' clocks stand still for up to 0.1 ms
constexpr int kPeakTrials = 10;       // the fastest counts: others may have been interrupted

constexpr std::array<std::string_view, kNumWorkParts> kPartNames = {"queries, keys, values", "scores", "softmax",
                                                                    "context", "output"};

PartTimer* the_timer = nullptr;

std::size_t index_of(WorkPart part) {
    return static_cast<std::size_t>(part);
}

// Multiply-adds a second of a tile of products that stays in registers and the first cache.
double measure_peak(double (*clock)()) {
    constexpr std::size_t kInner = 256;  // as long as a sum of products usually is
    constexpr int kCalls = 64;           // between two looks at the clock
    const simd::Kernels& kernels = simd::kernels();
    const std::vector<float> a(kernels.tile_rows * kInner, 0.5F);
    const std::vector<float> panel(kernels.panel_width * kInner, 0.25F);
    std::vector<float> out(kernels.tile_rows * kernels.panel_width);
    const auto a_call = static_cast<std::int64_t>(kernels.tile_rows * panel.size());
    double fastest = 0;
    for (int trial = 0; trial < kPeakTrials; ++trial) {
        const double begin = clock();
        std::int64_t done = 0;
        double seconds = 0;
        while (seconds < kPeakFor) {
            for (int call = 0; call < kCalls; ++call) {
                kernels.multiply(a.data(), kInner, kernels.tile_rows, panel.data(), panel.size(), kInner,
                                 kernels.panel_width, out.data(), kernels.panel_width, false);
            }
            done += kCalls * a_call;
            seconds = clock() - begin;
        }
        fastest = std::max(fastest, static_cast<double>(done) / seconds);
    }
    return fastest;
}

// Of a computation that made so many rows: keys that are hidden cost nothing.
std::array<std::int64_t, kNumWorkParts> count_multiply_adds(const AttentionProblem& problem, const RowsComputed& rows) {
    const std::int64_t d_in = problem.d_in();
    const std::int64_t d_out = problem.d_out();
    const std::span<const std::uint8_t> hidden = elements(problem.hidden);
    const auto num_visible = static_cast<double>(std::count(hidden.begin(), hidden.end(), std::uint8_t{0}));
    const double all_rows = static_cast<double>(problem.num_tokens()) * problem.settings.num_heads;
    const auto of_pairs = [&](std::int64_t num_rows) {
        return static_cast<std::int64_t>(static_cast<double>(num_rows) / all_rows * num_visible) * d_out;
    };
    std::array<std::int64_t, kNumWorkParts> counts = {};
    if (problem.projections->w_query.size() != 0) {
        counts[index_of(WorkPart::projections)] =
            d_in * (rows.queries * d_out + (rows.keys + rows.values) * problem.role_width(TensorId::keys));
    }
    counts[index_of(WorkPart::scores)] = of_pairs(rows.weights);
    counts[index_of(WorkPart::context)] = of_pairs(rows.context);
    if (has_stage(problem, TensorId::output)) counts[index_of(WorkPart::output)] = rows.output * d_out * d_out;
    return counts;
}

bool is_partial(const AttentionProblem& problem, const RowsComputed& rows) {
    const std::int64_t T = problem.num_tokens();
    return rows.queries < T || rows.keys < T || rows.values < T || rows.weights < T * problem.settings.num_heads;
}

// Whether all of it takes some milliseconds at most, whatever the machine.
bool is_short(const AttentionProblem& problem) {
    constexpr std::int64_t kMost = 1 << 23;  // multiply-adds
    const std::int64_t T = problem.num_tokens();
    const std::int64_t d_out = problem.d_out();
    return T * d_out * (3 * problem.d_in() + 2 * T + d_out) <= kMost;
}

// The mean of as many whole computations as fit into kRepeatFor.
void repeat(const AttentionProblem& problem, double (*clock)(), Performance& result) {
    PartTimer timer(clock);
    const double begin = clock();
    while (result.num_runs == 0 || clock() - begin < kRepeatFor) {
        AttentionTrace trace;
        AttentionWork work(problem, trace, 0);
        work.advance(problem, trace, work.multiply_adds_in_all());
        if (result.num_runs++ == 0) result.multiply_adds = count_multiply_adds(problem, work.rows_computed());
    }
    result.seconds = timer.stop();
    for (double& seconds : result.seconds) seconds /= result.num_runs;
}

// Three digits or so: "0.0123", "1.23", "12.3", "123".
std::string milliseconds_text(double seconds) {
    const double milliseconds = seconds * 1000;
    if (milliseconds == 0) return "0";
    return shown_number(milliseconds, milliseconds < 0.1 ? 4 : milliseconds < 1 ? 3 : milliseconds < 100 ? 1 : 0);
}

std::string share_text(std::int64_t multiply_adds, double seconds, double peak) {
    if (multiply_adds == 0 || seconds <= 0 || peak <= 0) return {};
    const double percent = 100 * static_cast<double>(multiply_adds) / seconds / peak;
    return percent < 0.5 ? "< 1 %" : concat(shown_number(percent, 0), " %");
}

PerformanceRow row_of(std::string_view name, double seconds, std::int64_t multiply_adds, double peak) {
    return {.part = std::string(name),
            .milliseconds = milliseconds_text(seconds),
            .multiply_adds = multiply_adds == 0 ? "" : with_thousands(multiply_adds),
            .share_of_peak = share_text(multiply_adds, seconds, peak)};
}

template <class Tensor>
std::int64_t bytes_of(const Tensor& tensor) {
    return static_cast<std::int64_t>(tensor.size() * sizeof(typename Tensor::value_type));
}

}  // namespace

PartTimer::PartTimer(double (*clock)()) : clock_(clock), began_at_(clock()) {
    ATTN_CHECK(the_timer == nullptr, "another timer observes already");
    the_timer = this;
    observe_parts(begin);
}

PartTimer::~PartTimer() {
    observe_parts(nullptr);
    the_timer = nullptr;
}

void PartTimer::begin(WorkPart part) {
    PartTimer& timer = *the_timer;
    const double now = timer.clock_();
    if (timer.part_ != WorkPart::other) timer.seconds_[index_of(timer.part_)] += now - timer.began_at_;
    timer.part_ = part;
    timer.began_at_ = now;
}

const PartSeconds& PartTimer::stop() {
    begin(WorkPart::other);
    return seconds_;
}

void add_seconds(PartSeconds& sum, const PartSeconds& more) {
    for (std::size_t part = 0; part < sum.size(); ++part) sum[part] += more[part];
}

Performance measure_performance(const Evaluation& evaluation, const PartSeconds& last, double (*clock)()) {
    ATTN_CHECK(!evaluation.is_empty() && evaluation.is_complete(), "there are no numbers yet");
    const AttentionProblem& problem = *evaluation.problem;
    Performance result;
    result.instructions = simd::name_of(simd::in_use());
    result.peak = measure_peak(clock);
    result.bytes_of_numbers = bytes_of_numbers(evaluation);
    if (std::accumulate(last.begin(), last.end(), 0.0) < kShortest && is_short(problem)) {
        repeat(problem, clock, result);
        return result;
    }
    result.seconds = last;
    result.multiply_adds = count_multiply_adds(problem, evaluation.work.rows_computed());
    result.is_partial = is_partial(problem, evaluation.work.rows_computed());
    return result;
}

std::vector<PerformanceRow> performance_rows(const Performance& performance) {
    std::vector<PerformanceRow> rows;
    for (std::size_t part = 0; part < kPartNames.size(); ++part) {
        rows.push_back(
            row_of(kPartNames[part], performance.seconds[part], performance.multiply_adds[part], performance.peak));
    }
    const double seconds = std::accumulate(performance.seconds.begin(), performance.seconds.end(), 0.0);
    const std::int64_t multiply_adds =
        std::accumulate(performance.multiply_adds.begin(), performance.multiply_adds.end(), std::int64_t{0});
    rows.push_back(row_of("all", seconds, multiply_adds, performance.peak));
    return rows;
}

std::vector<std::string> performance_remarks(const Performance& performance) {
    std::vector<std::string> remarks;
    if (performance.num_runs > 0) {
        remarks.push_back(
            concat("The mean of ", counted(performance.num_runs, "run"), ": one alone is too short to be measured."));
    } else if (performance.is_partial) {
        remarks.push_back("The last computation. Rows that the change did not reach were taken over.");
    } else {
        remarks.push_back("The last computation.");
    }
    remarks.push_back(concat("The peak, just measured here: ", shown_number(performance.peak / 1e9, 1),
                             " billion multiply-adds a second, one multiplication and one addition each, not fused (",
                             performance.instructions, ")."));
    std::string memory = concat("Memory: ", bytes_in_words(performance.bytes_of_numbers), " of numbers are kept");
    if (performance.bytes_of_program > 0) {
        memory += concat("; the whole program has ", bytes_in_words(performance.bytes_of_program));
    }
    remarks.push_back(memory + ".");
    return remarks;
}

std::string performance_in_words(const Performance& performance) {
    const PerformanceRow all = performance_rows(performance).back();
    const std::string share =
        all.share_of_peak.empty() ? "" : concat(", ", all.share_of_peak, " of this machine's peak");
    return concat("The numbers took ", all.milliseconds, " ms", share, ".");
}

std::int64_t bytes_of_numbers(const Evaluation& evaluation) {
    if (evaluation.is_empty()) return 0;
    const AttentionProblem& problem = *evaluation.problem;
    const AttentionTrace& trace = evaluation.trace;
    std::int64_t bytes = bytes_of(problem.embeddings) + bytes_of(problem.hidden) + bytes_of(trace.query_latents) +
                         bytes_of(trace.latents) + bytes_of(trace.position_key) + bytes_of(trace.keep) +
                         bytes_of(trace.merged) + bytes_of(trace.output) +
                         static_cast<std::int64_t>(trace.weights.size() * sizeof(float));
    for (const Cube* cube : {&trace.query, &trace.key, &trace.value, &trace.position_query, &trace.changed_query,
                             &trace.changed_key, &trace.sink_weights, &trace.context})
        bytes += bytes_of(*cube);
    for (const TensorId tensor : kLearnedTensors)
        bytes += static_cast<std::int64_t>(numbers_of(*problem.projections, tensor).size_bytes());
    return bytes;
}

}  // namespace attn
