// The limits and the engine's kernels alone, natively and in node: bench_limits [INSTRUCTION_SET], with the sets' names
// as in simd_kernels.h. Commands on standard input:
//   measure   a line of JSON like what contenders/limits.mjs gives
//   kernels   a table for people: what the products and the softmax reach
#include "bench/limits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "bench/native/program.h"
#include "core/kernels/simd_kernels.h"

namespace {

namespace simd = attn::simd;

constexpr int kTries = 12;
constexpr double kPieceMs = 1;  // short, so that most tries are not interrupted

// Work a second, in units of 10^9: the best of some short tries, as a limit is a maximum.
template <class Piece>
double rate(Piece piece) {
    double best = 0;
    int repetitions = 1;
    for (int tries = 0; tries < kTries;) {
        const double start = attn::bench::now_ms();
        const double work = piece(repetitions);
        const double ms = attn::bench::now_ms() - start;
        if (ms < kPieceMs) {
            repetitions *= 2;
        } else {
            best = std::max(best, work / ms / 1e6);
            ++tries;
        }
    }
    return best;
}

std::vector<double> multiply_add_rates() {
    std::vector<double> rates;
    for (int shape = 0; limits_multiply_add(shape, 1) > 0; ++shape)
        rates.push_back(rate([&](int repetitions) { return limits_multiply_add(shape, repetitions); }));
    return rates;
}

void measure() {
    std::cout << "{\"multiply_add\": [";
    const std::vector<double> rates = multiply_add_rates();
    for (std::size_t k = 0; k < rates.size(); ++k) std::cout << (k > 0 ? ", " : "") << rates[k];
    std::cout << "], \"exp\": " << rate(limits_exp) << ", \"softmax\": " << rate(limits_softmax)
              << ", \"write\": " << rate(limits_write) << "}" << std::endl;
}

constexpr std::size_t kRows = 64;  // queries that attention works on together

// GFLOP/s of `kRows` rows (., inner) times a packed (inner, columns).
double product_rate(std::size_t inner, std::size_t columns) {
    const std::size_t stride = simd::panel_floats(1, columns);
    const std::vector<float> a(kRows * inner, 0.5f);
    const std::vector<float> b(inner * columns, 0.25f);
    std::vector<float> panels(simd::panel_floats(inner, columns));
    std::vector<float> out(kRows * stride);
    simd::kernels().pack(b.data(), columns, inner, columns, panels.data());
    return rate([&](int repetitions) {
        for (int k = 0; k < repetitions; ++k) {
            simd::kernels().multiply(a.data(), inner, kRows, panels.data(), inner * simd::kernels().panel_width, inner,
                                     columns, out.data(), stride, false);
        }
        return 2.0 * kRows * static_cast<double>(inner * columns) * repetitions;
    });
}

// Nanoseconds a score of the softmax of rows of n scores.
double softmax_ns(std::size_t n) {
    constexpr std::size_t kRowsAtOnce = 4;  // the kernel weighs so many together
    const std::size_t stride = (n + 15) / 16 * 16;
    std::vector<float> scores(kRowsAtOnce * stride);
    const std::vector<std::size_t> counts(kRowsAtOnce, n);
    return 1 / rate([&](int repetitions) {
               for (int k = 0; k < repetitions; ++k) {
                   for (std::size_t j = 0; j < scores.size(); ++j)
                       scores[j] = static_cast<float>((j * 37) % 64) * -0.125f;
                   simd::kernels().softmax({scores.data(), stride, scores.data(), stride, n}, counts.data(),
                                           kRowsAtOnce, 8);
               }
               return static_cast<double>(kRowsAtOnce * n) * repetitions;
           });
}

void print_kernels() {
    const std::vector<double> rates = multiply_add_rates();
    const double peak = *std::max_element(rates.begin(), rates.end());
    const std::string_view name = simd::name_of(simd::in_use());
    std::printf("\n## %.*s: peak %.1f GFLOP/s\n\n", static_cast<int>(name.size()), name.data(), peak);
    std::printf(
        "Per cent of the peak: %zu queries times the keys of T tokens | their weights times the values; last the\n"
        "softmax of T scores, ns a score.\n\n",
        kRows);
    std::printf("| head_dim |");
    const std::vector<std::size_t> tokens = {64, 128, 256, 512, 1024, 2048};
    for (const std::size_t T : tokens) std::printf("    T=%4zu |", T);
    std::printf("\n|----------|");
    for (std::size_t k = 0; k < tokens.size(); ++k) std::printf("-----------|");
    for (const std::size_t head_dim : {1, 5, 16, 64, 80}) {
        std::printf("\n| %8zu |", head_dim);
        for (const std::size_t T : tokens)
            std::printf(" %4.0f | %3.0f|", 100 * product_rate(head_dim, T) / peak,
                        100 * product_rate(T, head_dim) / peak);
    }
    std::printf("\n| softmax  |");
    for (const std::size_t T : tokens) std::printf(" %9.2f |", softmax_ns(T));
    std::printf("\n\nx (T, 768) times (768, 768): %.0f %% of the peak; exp %.2f ns\n",
                100 * product_rate(768, 768) / peak, 1 / rate(limits_exp));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    for (const simd::InstructionSet set : simd::available()) {
        if (count > 1 && simd::name_of(set) == words[1]) simd::use(set);
    }
    std::string command;
    while (std::cin >> command) {
        if (command == "measure") measure();
        if (command == "kernels") print_kernels();
    }
    return 0;
}
