// Counts the memory beforehand, then projects, packs and attends.
#include "core/fast/dense_attention.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/fast/head_attention.h"
#include "core/ground/check.h"
#include "core/ground/copy_floats.h"
#include "core/ground/float_buffer.h"
#include "core/kernels/packed_matrix.h"
#include "core/kernels/packed_rows.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

// Floats of a matrix that are packed at once: 256 KiB stay in the second cache while all rows of x pass by. A large x
// passes by less often where more is packed (2,048 x 768: 2 % less time), an eighth of it or up to twice as much:
// matrices that are kept are packed anew where the number changes, so it changes seldom.
std::size_t floats_packed_at_once(std::size_t floats_of_x) {
    return std::bit_ceil(std::max<std::size_t>(1 << 16, floats_of_x / 8));
}

constexpr std::size_t kNumMatrices = 4;  // of queries, keys, values and output

struct DenseSizes {
    explicit DenseSizes(const DenseProblem& problem)
        : T(static_cast<std::size_t>(problem.num_tokens)),
          d_in(static_cast<std::size_t>(problem.d_in)),
          d_out(static_cast<std::size_t>(problem.d_out)),
          num_heads(static_cast<std::size_t>(problem.num_heads)),
          head_dim(d_out / num_heads),
          num_kv_heads(problem.num_kv_heads == 0 ? num_heads : static_cast<std::size_t>(problem.num_kv_heads)),
          kv_width(num_kv_heads * head_dim) {}
    std::size_t T, d_in, d_out, num_heads, head_dim, num_kv_heads, kv_width;
};

void check(const DenseProblem& problem) {
    ATTN_CHECK(problem.num_tokens >= 1 && problem.d_in >= 1 && problem.d_out >= 1, "sizes are ", problem.num_tokens,
               ", ", problem.d_in, ", ", problem.d_out, ", want at least 1");
    ATTN_CHECK(problem.num_heads >= 1 && problem.d_out % problem.num_heads == 0, problem.num_heads,
               " heads do not divide ", problem.d_out, " channels");
    const bool shares = problem.num_kv_heads != 0;
    ATTN_CHECK(!shares || (problem.num_kv_heads >= 1 && problem.num_heads % problem.num_kv_heads == 0),
               problem.num_kv_heads, " key heads do not divide ", problem.num_heads, " heads");
    ATTN_CHECK(problem.divisor > 0 && std::isfinite(problem.divisor), "divisor is ", problem.divisor,
               ", want a number above 0");
    const bool has_all = problem.w_query != nullptr && problem.w_key != nullptr && problem.w_value != nullptr;
    const bool has_none = problem.w_query == nullptr && problem.w_key == nullptr && problem.w_value == nullptr;
    ATTN_CHECK(has_all || (has_none && !shares && problem.d_in == problem.d_out),
               "all of w_query, w_key, w_value, or none and ", problem.d_in, " channels");
}

}  // namespace

struct DenseAttention::Workspace {
    FloatBuffer query, key, value, weights, context, merged, output;
    std::array<PackedMatrix, kNumMatrices> matrices;  // only the first, and of it a part, where none is kept
    int kept_matrices = 0;                            // DenseProblem::matrices that `matrices` holds; 0: none
    std::size_t packed_at_once = 0;                   // floats of a part of them
    PackedRows rows;                                  // what is being projected: the embeddings, then merged
    HeadAttention head;
    std::vector<int> visible;
    // The weights right of the visible ones are zero from an earlier causal call of these sizes.
    std::size_t zero_tokens = 0, zero_heads = 0;

    [[nodiscard]] bool reserve(const DenseSizes& s, bool wants_weights, bool has_output) {
        const std::size_t role = s.T * s.d_out;
        const std::size_t shared = s.T * s.kv_width;
        const float* old_weights = weights.data();
        const bool fits = (!wants_weights || weights.reserve(s.num_heads * s.T * s.T)) && query.reserve(role) &&
                          key.reserve(shared) && value.reserve(shared) && context.reserve(role) &&
                          merged.reserve(role) && rows.reserve(s.T, has_output ? std::max(s.d_in, s.d_out) : s.d_in) &&
                          (!has_output || output.reserve(role)) && head.reserve(s.T, s.head_dim);
        if (weights.data() != old_weights) zero_tokens = zero_heads = 0;
        return fits;
    }

    // One of the problem's matrices, (inner, width).
    struct Weights {
        std::size_t index;  // among `matrices`
        std::size_t width;
        int kept;  // DenseProblem::matrices
        const float *w, *b;
    };

    // Where the columns go, in pieces of head_dim of them.
    struct Place {
        float* data;
        std::size_t piece, piece_stride, row_stride;
        float* at(std::size_t i, std::size_t c) const { return data + c / piece * piece_stride + i * row_stride; }
    };
    static Place heads_at(const DenseSizes& s, float* heads) {
        return {heads, s.head_dim, s.T * s.head_dim, s.head_dim};
    }
    static Place rows_at(const DenseSizes& s, float* rows) { return {rows, s.head_dim, s.head_dim, s.d_out}; }

    // `rows` . w + b. Some pieces are packed and multiplied with all rows before the next are.
    [[nodiscard]] bool project(const DenseSizes& s, std::size_t inner, const Weights& from, const Place& place) {
        const std::size_t piece = place.piece;
        const bool is_whole_panels = piece % simd::kernels().panel_width == 0;
        const std::size_t at_once = std::max<std::size_t>(packed_at_once / (inner * piece), 1) * piece;
        const bool is_kept = from.kept != 0;
        const std::size_t num_parts = is_kept ? (from.width + at_once - 1) / at_once : 1;
        PackedMatrix& matrix = matrices[is_kept ? from.index : 0];
        for (std::size_t begin = 0; begin < from.width; begin += at_once) {
            const std::size_t end = std::min(begin + at_once, from.width);
            const std::size_t part = is_kept ? begin / at_once : 0;
            const float* b_part = from.b != nullptr ? from.b + begin : nullptr;
            if (is_kept && from.kept == kept_matrices) {
                matrix.use(part, end - begin);
            } else if (!matrix.pack(from.w + begin, from.width, inner, end - begin, part, num_parts)) {
                return false;
            }
            for (std::size_t first = 0; first < s.T; first += PackedMatrix::kRowsAtOnce) {
                const std::size_t count = std::min(PackedMatrix::kRowsAtOnce, s.T - first);
                for (std::size_t c = begin; is_whole_panels && c < end; c += piece) {
                    matrix.project_columns(rows, first, count, b_part, c - begin, c - begin + piece, place.at(first, c),
                                           place.row_stride);
                }
                if (is_whole_panels) continue;
                const float* row = matrix.project(rows, first, count, b_part);
                for (std::size_t i = first; i < first + count; ++i, row += matrix.row_stride()) {
                    float* to = place.at(i, begin);
                    for (std::size_t c = 0; c < end - begin; c += piece, to += place.piece_stride)
                        copy_floats(row + c, piece, to);
                }
            }
        }
        return true;
    }

    // The same cut into heads (num_heads, T, head_dim); without w x itself.
    [[nodiscard]] bool project_to_heads(const DenseSizes& s, const float* x, const Weights& from, float* heads) {
        const Place place = heads_at(s, heads);
        if (from.w != nullptr) return project(s, s.d_in, from, place);
        for (std::size_t i = 0; i < s.T; ++i, x += s.d_in) {
            for (std::size_t c = 0; c < s.d_out; c += s.head_dim) copy_floats(x + c, s.head_dim, place.at(i, c));
        }
        return true;
    }
};

DenseAttention::DenseAttention() : workspace_(std::make_unique<Workspace>()) {}
DenseAttention::~DenseAttention() = default;

std::uint64_t DenseAttention::bytes_needed(const DenseProblem& problem, bool wants_weights) {
    const double T = problem.num_tokens;
    const double channels = problem.d_out;
    const bool has_output = problem.w_out != nullptr;
    const double inner = std::max(problem.d_in, has_output ? problem.d_out : 0);
    const double rows = T * ((has_output ? 6 : 5) * channels + inner);
    const double num_inner = problem.matrices == 0 ? inner : 3.0 * problem.d_in + (has_output ? problem.d_out : 0);
    const double matrices = num_inner * (channels + 32);
    const double head = 2 * T * (channels / problem.num_heads + 32) + 64 * (T + 2 * channels + 64);
    const double weights = wants_weights ? problem.num_heads * T * T : 0;
    const double bytes = sizeof(float) * (rows + matrices + head + weights);
    return static_cast<std::uint64_t>(std::min(bytes, 0x1p62));
}

bool DenseAttention::run(const DenseProblem& problem, bool wants_weights) {
    check(problem);
    result_ = DenseResult();
    if (compute(problem, wants_weights)) return true;
    *workspace_ = Workspace();  // what was there before is needed no more
    return false;
}

bool DenseAttention::compute(const DenseProblem& problem, bool wants_weights) {
    if (bytes_needed(problem, wants_weights) > std::numeric_limits<std::size_t>::max())
        return false;  // sizes below would overflow
    const DenseSizes s(problem);
    Workspace& work = *workspace_;
    if (!work.reserve(s, wants_weights, problem.w_out != nullptr)) return false;
    const int kept = problem.matrices;
    const std::size_t packed_at_once = floats_packed_at_once(s.T * s.d_in);
    if (work.packed_at_once != packed_at_once) work.kept_matrices = 0;
    work.packed_at_once = packed_at_once;
    if (problem.w_query != nullptr) work.rows.pack(problem.x, s.T, s.d_in);
    if (!work.project_to_heads(s, problem.x, {0, s.d_out, kept, problem.w_query, problem.b_query}, work.query.data()) ||
        !work.project_to_heads(s, problem.x, {1, s.kv_width, kept, problem.w_key, problem.b_key}, work.key.data()) ||
        !work.project_to_heads(s, problem.x, {2, s.kv_width, kept, problem.w_value, problem.b_value},
                               work.value.data()))
        return false;

    work.visible.resize(s.T);
    for (std::size_t i = 0; i < s.T; ++i) {
        work.visible[i] = problem.hidden != nullptr ? visible_in(problem.hidden + i * s.T, s.T)
                                                    : static_cast<int>(problem.is_causal ? i + 1 : s.T);
    }
    const bool leaves_zeros = problem.hidden == nullptr && problem.is_causal;
    const bool zeros_stand = leaves_zeros && work.zero_tokens == s.T && work.zero_heads >= s.num_heads;
    for (std::size_t h = 0; h < s.num_heads; ++h) {
        const std::size_t role = h * s.T * s.head_dim;
        const std::size_t shared = h / (s.num_heads / s.num_kv_heads) * s.T * s.head_dim;
        const std::size_t pairs = h * s.T * s.T;
        const HeadProblem head = {.num_tokens = s.T,
                                  .head_dim = s.head_dim,
                                  .query = work.query.data() + role,
                                  .key = work.key.data() + shared,
                                  .value = work.value.data() + shared,
                                  .divisor = problem.divisor,
                                  .mask_at = problem.mask_at,
                                  .visible = work.visible.data(),
                                  .hidden = problem.hidden,
                                  .keep = problem.keep == nullptr ? nullptr : problem.keep + pairs,
                                  .keep_scale = problem.keep_scale};
        const HeadResults results = {.weights = wants_weights ? work.weights.data() + pairs : nullptr,
                                     .weights_stride = s.T,
                                     .zeros_stand = zeros_stand,
                                     .context = work.context.data() + role};
        work.head.begin(head);
        work.head.make_rows(head, 0, s.T, results);
        for (std::size_t i = 0; i < s.T; ++i) {
            copy_floats(results.context + i * s.head_dim, s.head_dim,
                        work.merged.data() + i * s.d_out + h * s.head_dim);
        }
    }
    if (wants_weights && !zeros_stand) {
        work.zero_tokens = leaves_zeros ? s.T : 0;
        work.zero_heads = leaves_zeros ? s.num_heads : 0;
    }
    if (problem.w_out != nullptr) {
        work.rows.pack(work.merged.data(), s.T, s.d_out);
        const Workspace::Weights w_out = {3, s.d_out, kept, problem.w_out, problem.b_out};
        if (!work.project(s, s.d_out, w_out, Workspace::rows_at(s, work.output.data()))) return false;
    }
    work.kept_matrices = kept;

    result_ = {.query = work.query.data(),
               .key = work.key.data(),
               .value = work.value.data(),
               .weights = wants_weights ? work.weights.data() : nullptr,
               .context = work.context.data(),
               .merged = work.merged.data(),
               .output = problem.w_out != nullptr ? work.output.data() : nullptr};
    return true;
}

}  // namespace attn
