// Computes in one of two ways: DenseAttention gives the stages that are kept; for those between queries and weights,
// which are never kept, attend() runs and they are derived from its trace. Both give the same bits.
#include "engine_attention.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"

#include <algorithm>
#include <span>

#include "core/ground/memory_room.h"
#include "core/ground/random.h"

namespace attn {
namespace {

constexpr std::int64_t kSpareBytes = 1 << 16;  // small things, and the gaps between blocks

constexpr StageSet kDerived = bit_of(TensorId::scores) | bit_of(TensorId::scaled_scores) |
                              bit_of(TensorId::masked_scores) | bit_of(TensorId::unmasked_weights) |
                              bit_of(TensorId::dropped_weights);

// A tensor of size 0 for one that is not given.
template <class Tensor, class... Lengths>
void make(Tensor& tensor, bool is_given, Lengths... lengths) {
    tensor = is_given ? zeros<Tensor>(lengths...) : Tensor();
}

}  // namespace

std::int64_t count_numbers(const Sizes& sizes, TensorId stage) {
    const Extent extent = extent_of(sizes, stage);
    return std::int64_t{num_matrices(sizes, stage)} * extent.rows * extent.columns;
}

std::int64_t count_numbers(const Sizes& sizes, StageSet stages) {
    std::int64_t numbers = 0;
    for (const StageInfo& info : stage_table())
        numbers += (stages & bit_of(info.id)) != 0 ? count_numbers(sizes, info.id) : 0;
    return numbers;
}

std::int64_t attention_bytes(const Sizes& sizes, bool has_dropout, StageSet stages) {
    const std::int64_t T = sizes.num_tokens;
    const std::int64_t pairs = sizes.num_heads * T * T;
    const std::int64_t kept = pairs + 5 * T * sizes.d_out;  // weights, the roles, context and merged or output
    const std::int64_t work = T * T + T * sizes.d_out;      // a stage of one head, one more output
    return 4 * (kept + work + count_numbers(sizes, stages)) + T * T + (has_dropout ? pairs : 0);
}

bool EngineAttention::make_room(std::int64_t bytes) {
    bytes_wanted_ = bytes;
    return has_room_for(bytes + kSpareBytes);
}

Sizes EngineAttention::sizes() const {
    return {.num_tokens = problem_.num_tokens(),
            .d_in = problem_.d_in(),
            .d_out = problem_.d_out(),
            .num_heads = problem_.settings.num_heads,
            .num_kv_heads = problem_.settings.num_kv_heads};
}

bool EngineAttention::prepare(const Sizes& sizes, unsigned given) {
    const int num_tokens = sizes.num_tokens;
    const int d_in = sizes.d_in;
    const int d_out = sizes.d_out;
    const int kv_width = sizes.kv_width();
    const auto has = [given](Given tensor) { return (given & static_cast<unsigned>(tensor)) != 0; };
    stages_ = {};
    problem_ = {};
    Projections& p = problem_.projections.edit();
    copies_ = {};
    keep_ = {};
    const std::int64_t T = num_tokens;
    const std::int64_t numbers = T * d_in + (std::int64_t{3} * d_in + (has(Given::w_out) ? d_out : 0) + 4) * d_out;
    if (!make_room(4 * numbers + (has(Given::mask) ? T * T : 0))) return false;
    make(problem_.embeddings, true, num_tokens, d_in);
    make(p.w_query, true, d_in, d_out);
    make(p.w_key, true, d_in, kv_width);
    make(p.w_value, true, d_in, kv_width);
    make(p.w_out, has(Given::w_out), d_out, d_out);
    make(p.b_query, has(Given::b_query), d_out);
    make(p.b_key, has(Given::b_key), kv_width);
    make(p.b_value, has(Given::b_value), kv_width);
    make(p.b_out, has(Given::b_out), d_out);
    make(problem_.hidden, has(Given::mask), num_tokens, num_tokens);
    has_mask_ = has(Given::mask);
    problem_.settings.num_heads = sizes.num_heads;
    problem_.settings.num_kv_heads = sizes.num_kv_heads;
    return true;
}

EngineAttention::Arguments EngineAttention::arguments() {
    Projections& p = problem_.projections.edit();
    return {.tensors = {problem_.embeddings.data(), p.w_query.data(), p.w_key.data(), p.w_value.data(), p.w_out.data(),
                        p.b_query.data(), p.b_key.data(), p.b_value.data(), p.b_out.data()},
            .mask = problem_.hidden.data()};
}

// Adds the causal mask to the given one. False, with blind_query_, when a query sees no key.
bool EngineAttention::hide_later_keys() {
    for (int i = 0; i < problem_.num_tokens(); ++i) {
        const std::span<std::uint8_t> row = row_of(problem_.hidden, i);
        if (problem_.settings.mask == Mask::causal) std::fill(row.begin() + i + 1, row.end(), 1);
        if (std::find(row.begin(), row.end(), 0) != row.end()) continue;
        blind_query_ = i;
        return false;
    }
    return true;
}

void EngineAttention::take_settings(const AttentionSettings& settings) {
    const int num_heads = problem_.settings.num_heads;
    const int num_kv_heads = problem_.settings.num_kv_heads;
    problem_.settings = settings;
    problem_.settings.num_heads = num_heads;
    problem_.settings.num_kv_heads = num_kv_heads;
}

std::optional<AttentionProblem> EngineAttention::problem(const AttentionSettings& settings) {
    take_settings(settings);
    if (has_mask_ && !hide_later_keys()) return std::nullopt;
    AttentionProblem problem = problem_;
    if (!has_mask_) problem.hidden = make_mask(settings.mask, problem_.num_tokens());
    return problem;
}

EngineAttention::Outcome EngineAttention::attend(const AttentionSettings& settings, StageSet stages, int matrices) {
    take_settings(settings);
    if (has_mask_ && !hide_later_keys()) return Outcome::blind_query;
    const std::array<const float*, kNumStages> before = stages_;
    stages_ = {};
    const bool is_done = (stages & kDerived) == 0 ? attend_fast(stages, matrices) : attend_slow(stages);
    if (!is_done) return Outcome::no_room;
    if (stages_ != before) ++layout_;
    return Outcome::done;
}

bool EngineAttention::attend_fast(StageSet stages, int matrices) {
    const Projections& p = problem_.projections;
    const AttentionSettings& settings = problem_.settings;
    const bool wants_weights = (stages & bit_of(TensorId::weights)) != 0;
    const Sizes sizes = this->sizes();
    DenseProblem dense = {
        .num_tokens = sizes.num_tokens,
        .d_in = sizes.d_in,
        .d_out = sizes.d_out,
        .num_heads = sizes.num_heads,
        .num_kv_heads = sizes.num_kv_heads,
        .x = problem_.embeddings.data(),
        .w_query = p.w_query.data(),
        .w_key = p.w_key.data(),
        .w_value = p.w_value.data(),
        .b_query = p.b_query.size() != 0 ? p.b_query.data() : nullptr,
        .b_key = p.b_key.size() != 0 ? p.b_key.data() : nullptr,
        .b_value = p.b_value.size() != 0 ? p.b_value.data() : nullptr,
        .w_out = p.w_out.size() != 0 ? p.w_out.data() : nullptr,
        .b_out = p.b_out.size() != 0 ? p.b_out.data() : nullptr,
        .matrices = matrices,
        .is_causal = settings.mask == Mask::causal,
        .hidden = has_mask_ ? problem_.hidden.data() : nullptr,
        .mask_at = settings.mask_at,
        .divisor = score_divisor(settings, sizes.head_dim()),
    };
    if (settings.dropout > 0) {
        const std::int64_t T = sizes.num_tokens;
        if (!make_room(sizes.num_heads * T * T)) return false;
        if (keep_.size() == 0) keep_ = zeros<FlagCube>(sizes.num_heads, T, T);
        TorchGenerator generator(settings.dropout_seed);
        fill_keep_mask(generator, elements(keep_), settings.dropout, 0);
        dense.keep = keep_.data();
        dense.keep_scale = keep_scale(settings.dropout);
    }
    if (copies_.size() != 0) copies_ = Vector();
    if (!dense_->run(dense, wants_weights)) {
        bytes_wanted_ = static_cast<std::int64_t>(DenseAttention::bytes_needed(dense, wants_weights));
        return false;
    }
    const DenseResult& result = dense_->result();
    const auto keep = [&](TensorId stage, const float* place) {
        if ((stages & bit_of(stage)) != 0) stages_[static_cast<std::size_t>(stage)] = place;
    };
    keep(TensorId::embeddings, problem_.embeddings.data());
    keep(TensorId::queries, result.query);
    keep(TensorId::keys, result.key);
    keep(TensorId::values, result.value);
    keep(TensorId::weights, result.weights);
    keep(TensorId::context, result.context);
    keep(TensorId::merged, result.merged);
    keep(TensorId::output, result.output);
    return true;
}

bool EngineAttention::attend_slow(StageSet stages) {
    const Sizes sizes = this->sizes();
    dense_ = std::make_unique<DenseAttention>();  // its memory is needed here
    copies_ = Vector();
    if (!make_room(attention_bytes(sizes, problem_.settings.dropout > 0, stages))) return false;
    if (!has_mask_) problem_.hidden = make_mask(problem_.settings.mask, sizes.num_tokens);
    const AttentionTrace trace = attn::attend(problem_);
    copies_ = zeros<Vector>(count_numbers(sizes, stages));
    float* place = copies_.data();
    for (const StageInfo& info : stage_table()) {
        if ((stages & bit_of(info.id)) == 0) continue;
        stages_[static_cast<std::size_t>(info.id)] = place;
        for (int n = 0; n < num_matrices(sizes, info.id); ++n) {
            const Matrix matrix = stage_matrix(problem_, trace, info.id, first_reader(sizes, info.id, n));
            place = std::copy(matrix.begin(), matrix.end(), place);
        }
    }
    return true;
}

}  // namespace attn
