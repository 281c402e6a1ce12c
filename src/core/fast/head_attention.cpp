// Scores, softmax and context of some rows of one head. attention_reference.cpp has the plain case on one page: read
// that first.
#include "core/fast/head_attention.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "core/attention/score_changes.h"
#include "core/ground/copy_floats.h"
#include "core/ground/work_parts.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// Rows that are worked on together, so that each panel of keys and values is read once for all of them. At 2,048 tokens
// their scores are 528 KiB and a head's keys or values 512 KiB: either pair about fills a second cache of 1 MiB.
constexpr std::size_t kRowsAtOnce = 64;

// Up to so many tokens one call for all pairs takes less time than several that leave hidden ones out.
constexpr std::size_t kFewTokens = 16;

std::size_t rounded_up(std::size_t n, std::size_t unit) {
    return (n + unit - 1) / unit * unit;
}

// How many of the first keys hold all that row i sees.
std::size_t num_seen(const HeadProblem& problem, std::size_t i) {
    return problem.visible[i] != 0 ? static_cast<std::size_t>(problem.visible[i]) : problem.num_tokens;
}

// The same for the scores it needs: a mask after the softmax needs all.
std::size_t num_scored(const HeadProblem& problem, std::size_t i) {
    return problem.mask_at == MaskAt::before ? num_seen(problem, i) : problem.num_tokens;
}

bool are_finite(const float* numbers, std::size_t count) {
    std::uint32_t found = 0;  // an exponent of ones alone is that of an infinity or a NaN
    for (std::size_t k = 0; k < count; ++k) {
        found |= (std::bit_cast<std::uint32_t>(numbers[k]) & 0x7f800000U) == 0x7f800000U ? 1U : 0U;
    }
    return found == 0;
}

}  // namespace

int visible_in(const std::uint8_t* hidden, std::size_t num_tokens) {
    const std::uint8_t* end = hidden + num_tokens;
    const std::uint8_t* first = std::find_if(hidden, end, [](std::uint8_t flag) { return flag != 0; });
    const bool sees_more = first != end && std::memchr(first, 0, static_cast<std::size_t>(end - first)) != nullptr;
    return sees_more ? 0 : static_cast<int>(first - hidden);
}

void hide_keys(std::span<const std::uint8_t> hidden, float value, float* __restrict row) {
    for (std::size_t j = 0; j < hidden.size(); ++j) {
        const float number = row[j];  // always read: else compilers take one number at a time
        row[j] = hidden[j] != 0 ? value : number;
    }
}

void change_row(const HeadProblem& problem, std::size_t i, std::size_t count, float* row) {
    simd::kernels().divide(row, count, problem.divisor);
    if (!problem.changes_scores()) return;
    if (problem.cap > 0) cap_row(problem.cap, count, row);
    if (problem.slope == 0) return;
    const int position = problem.first_position + static_cast<int>(i);
    for (std::size_t j = 0; j < count; ++j) row[j] += alibi_bias(problem.slope, position, static_cast<int>(j));
}

void weigh_rows(const HeadProblem& problem, std::size_t first, std::size_t end, float* scores,
                std::size_t scores_stride, float* weights, std::size_t weights_stride, std::size_t zero_end) {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t T = problem.num_tokens;
    const bool is_before = problem.mask_at == MaskAt::before;
    std::array<std::size_t, kRowsAtOnce> counts;
    for (std::size_t i = first; i < end; ++i) {
        counts[i - first] = num_scored(problem, i);
        if (problem.changes_scores()) change_row(problem, i, counts[i - first], scores + (i - first) * scores_stride);
        if (is_before && problem.visible[i] == 0) {
            const float hidden = -std::numeric_limits<float>::infinity();
            hide_keys(problem.hidden_row(i), hidden, scores + (i - first) * scores_stride);
        }
    }
    kernels.softmax({scores, scores_stride, weights, weights_stride, T}, counts.data(), end - first,
                    problem.changes_scores() ? 1 : problem.divisor);
    for (std::size_t i = first; i < end; ++i, weights += weights_stride) {
        const std::size_t n = static_cast<std::size_t>(problem.visible[i]);
        if (n == 0) {
            hide_keys(problem.hidden_row(i), 0, weights);
            if (problem.mask_at != MaskAt::after) continue;
            kernels.divide_by_sum(weights, T);
            hide_keys(problem.hidden_row(i), 0, weights);  // even when the sum is 0 or no number
            continue;
        }
        if (problem.mask_at == MaskAt::after) kernels.divide_by_sum(weights, n);
        if (zero_end > n) std::fill(weights + n, weights + zero_end, 0.0f);
    }
}

void drop_row(const HeadProblem& problem, std::size_t i, const float* weights, std::size_t count, float* dropped) {
    const std::uint8_t* keep = problem.keep + i * problem.num_tokens;
    for (std::size_t j = 0; j < count; ++j) dropped[j] = weights[j] * (keep[j] != 0 ? problem.keep_scale : 0.0f);
}

std::size_t HeadAttention::rows_at_once() {
    return kRowsAtOnce;
}

bool HeadAttention::reserve(std::size_t num_tokens, std::size_t head_dim, std::size_t score_dim) {
    const std::size_t width = simd::kernels().panel_width;
    // One line more than needed: rows a power of two apart would compete for the same few places of the cache.
    row_stride_ = rounded_up(rounded_up(num_tokens, 16), width) + 16;
    sum_stride_ = rounded_up(head_dim, width);
    return keys_.reserve(simd::panel_floats(score_dim, num_tokens)) &&
           values_.reserve(simd::panel_floats(num_tokens, head_dim)) && queries_.reserve(kRowsAtOnce, score_dim) &&
           rows_.reserve(kRowsAtOnce * row_stride_) && sums_.reserve(kRowsAtOnce * sum_stride_);
}

void HeadAttention::begin_scores(const HeadProblem& problem) {
    const std::size_t dim = problem.score_dim();
    simd::kernels().pack_transposed(problem.key, dim, dim, problem.num_tokens, keys_.data());
}

void HeadAttention::begin(const HeadProblem& problem) {
    begin_part(WorkPart::scores);
    begin_scores(problem);
    const std::size_t T = problem.num_tokens;
    const std::size_t dim = problem.head_dim;
    simd::kernels().pack(problem.value, dim, T, dim, values_.data());
    values_are_finite_ = are_finite(problem.value, T * dim);
}

// The scores of each row with the keys that it needs, and some more.
void HeadAttention::multiply_by_keys(const HeadProblem& problem, std::size_t first, std::size_t end) {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t dim = problem.score_dim();
    const std::size_t panel = dim * kernels.panel_width;
    if (problem.num_tokens <= kFewTokens) {
        make_scores(problem, first, end);
        return;
    }
    queries_.pack(problem.query + first * dim, end - first, dim);
    std::size_t common = problem.num_tokens;  // keys that all rows need
    for (std::size_t i = first; i < end; ++i) common = std::min(common, num_scored(problem, i));
    common = common / kernels.panel_width * kernels.panel_width;
    queries_.multiply(0, end - first, keys_.data(), common, rows_.data(), row_stride_);
    // Beyond them panel by panel, from the first tile of rows that needs some of it.
    std::size_t last = common;
    for (std::size_t i = first; i < end; ++i) last = std::max(last, num_scored(problem, i));
    std::size_t row = first;
    for (std::size_t j = common; j < last; j += kernels.panel_width) {
        while (num_scored(problem, row) <= j) ++row;
        const std::size_t skipped = (row - first) / kernels.tile_rows * kernels.tile_rows;
        const std::size_t columns = std::min(kernels.panel_width, problem.num_tokens - j);
        queries_.multiply(skipped, end - first - skipped, keys_.data() + j / kernels.panel_width * panel, columns,
                          rows_.data() + skipped * row_stride_ + j, row_stride_);
    }
}

float* HeadAttention::make_scores(const HeadProblem& problem, std::size_t first, std::size_t end) {
    const std::size_t dim = problem.score_dim();
    simd::kernels().multiply(problem.query + first * dim, dim, end - first, keys_.data(),
                             dim * simd::kernels().panel_width, dim, problem.num_tokens, rows_.data(), row_stride_,
                             false);
    return rows_.data();
}

void HeadAttention::make_rows(const HeadProblem& problem, std::size_t first, std::size_t end,
                              const HeadResults& results) {
    for (std::size_t block = first; block < end; block += kRowsAtOnce) {
        const std::size_t block_end = std::min(block + kRowsAtOnce, end);
        begin_part(WorkPart::scores);
        multiply_by_keys(problem, block, block_end);
        begin_part(WorkPart::softmax);
        std::size_t last_seen = 0;
        for (std::size_t i = block; i < block_end; ++i) last_seen = std::max(last_seen, num_seen(problem, i));
        if (problem.has_sink()) {
            // Here all weights are wanted: only a layer's own trace has a sink.
            weigh_rows_with_sink(problem, block, block_end, rows_.data(), row_stride_,
                                 results.weights + block * results.weights_stride, results.weights_stride,
                                 results.zeros_stand ? 0 : problem.num_tokens, results.sink_weights + block);
            mix_rows(problem, block, block_end, results);
            continue;
        }
        if (results.weights != nullptr) {
            const bool zeros_stand = results.zeros_stand && problem.mask_at == MaskAt::before;
            weigh_rows(problem, block, block_end, rows_.data(), row_stride_,
                       results.weights + block * results.weights_stride, results.weights_stride,
                       zeros_stand ? 0 : problem.num_tokens);
            mix_rows(problem, block, block_end, results);
            continue;
        }
        weigh_rows(problem, block, block_end, rows_.data(), row_stride_, rows_.data(), row_stride_, last_seen);
        for (std::size_t i = block; problem.keep != nullptr && i < block_end; ++i) {
            float* row = rows_.data() + (i - block) * row_stride_;
            drop_row(problem, i, row, last_seen, row);
        }
        mix_block(problem, block, block_end, rows_.data(), row_stride_, results.context);
    }
}

void HeadAttention::mix_rows(const HeadProblem& problem, std::size_t first, std::size_t end,
                             const HeadResults& results) {
    for (std::size_t block = first; block < end; block += kRowsAtOnce) {
        const std::size_t block_end = std::min(block + kRowsAtOnce, end);
        const float* weights = results.weights + block * results.weights_stride;
        if (problem.keep == nullptr) {
            mix_block(problem, block, block_end, weights, results.weights_stride, results.context);
            continue;
        }
        begin_part(WorkPart::softmax);
        for (std::size_t i = block; i < block_end; ++i) {
            drop_row(problem, i, results.weights + i * results.weights_stride, problem.num_tokens,
                     rows_.data() + (i - block) * row_stride_);
        }
        mix_block(problem, block, block_end, rows_.data(), row_stride_, results.context);
    }
}

// context(i) = sum over the visible keys j, in order, of weight(i, j) * value(j). Hidden keys are left out; where all
// values are finite their zeros may as well be added, which changes no bit.
void HeadAttention::mix_block(const HeadProblem& problem, std::size_t first, std::size_t end, const float* weights,
                              std::size_t stride, float* context) {
    begin_part(WorkPart::context);
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t T = problem.num_tokens;
    const std::size_t dim = problem.head_dim;
    if (!values_are_finite_) {
        for (std::size_t i = first; i < end; ++i, weights += stride) {
            float* sums = context + i * dim;
            std::fill(sums, sums + dim, 0.0f);
            for (std::size_t j = 0; j < T; ++j) {
                if (problem.hides(i, j)) continue;
                for (std::size_t c = 0; c < dim; ++c) sums[c] += weights[j] * problem.value[j * dim + c];
            }
        }
        return;
    }
    const bool fits = dim == sum_stride_;  // whole panels: the sums can stand in the result
    float* sums = fits ? context + first * dim : sums_.data();
    const std::size_t panel = T * kernels.panel_width;
    std::size_t common = num_seen(problem, first);  // keys that all rows see, or any
    for (std::size_t i = first; i < end; ++i) {
        const std::size_t seen = num_seen(problem, i);
        common = T <= kFewTokens ? std::max(common, seen) : std::min(common, seen);
    }
    if (T > kFewTokens && common < kernels.panel_width) common = 0;  // too few to begin with them
    if (common != 0) {
        kernels.multiply(weights, stride, end - first, values_.data(), panel, common, dim, sums, sum_stride_, false);
    }
    for (std::size_t i = first; i < end; i += kernels.tile_rows) {
        const std::size_t tile_end = std::min(i + kernels.tile_rows, end);
        std::size_t last = common;
        for (std::size_t k = i; k < tile_end; ++k) last = std::max(last, num_seen(problem, k));
        if (last == common) continue;
        kernels.multiply(weights + (i - first) * stride + common, stride, tile_end - i,
                         values_.data() + common * kernels.panel_width, panel, last - common, dim,
                         sums + (i - first) * sum_stride_, sum_stride_, common != 0);
    }
    if (fits) return;
    for (std::size_t i = first; i < end; ++i) {
        copy_floats(sums + (i - first) * sum_stride_, dim, context + i * dim);
    }
}

}  // namespace attn
