// From a problem to its cache and back to the rows of its stages.
#include "core/fast/cached_attention.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/attention/attention_checks.h"
#include "core/attention/rms_norm.h"
#include "core/fast/same_tensor.h"
#include "core/fast/score_rows.h"
#include "core/ground/check.h"
#include "core/ground/memory_room.h"

namespace attn {
namespace {

const float* cached_or_null(const Matrix& matrix) {
    return matrix.size() == 0 ? nullptr : matrix.data();
}
const float* cached_or_null(const Vector& vector) {
    return vector.size() == 0 ? nullptr : vector.data();
}

CacheLayer cache_layer_of(const AttentionProblem& problem) {
    const Projections& p = problem.projections;
    const int num_heads = problem.settings.num_heads;
    return {.d_in = problem.d_in(),
            .d_out = problem.d_out(),
            .num_heads = num_heads,
            .kv_heads = problem.num_kv_heads(),
            .w_query = cached_or_null(p.w_query),
            .w_key = cached_or_null(p.w_key),
            .w_value = cached_or_null(p.w_value),
            .b_query = cached_or_null(p.b_query),
            .b_key = cached_or_null(p.b_key),
            .b_value = cached_or_null(p.b_value),
            .query_latent = problem.query_latent(),
            .latent = problem.latent(),
            .w_down_query = cached_or_null(p.w_down_query),
            .w_down_kv = cached_or_null(p.w_down_kv),
            .w_out = cached_or_null(p.w_out),
            .b_out = cached_or_null(p.b_out),
            .mask_at = problem.settings.mask_at,
            .divisor = score_divisor(problem.settings, problem.head_dim()),
            .rotary = problem.settings.rotary,
            .w_query_rope = cached_or_null(p.w_query_rope),
            .w_key_rope = cached_or_null(p.w_key_rope),
            .q_norm = cached_or_null(p.q_norm),
            .k_norm = cached_or_null(p.k_norm),
            .score_cap = problem.settings.score_cap,
            .alibi = problem.settings.alibi,
            .sink_logits = problem.has_sink() ? p.sink_logits.data() : nullptr};
}

// Whether the cache puts others in the place of queries and keys: normed or turned ones.
bool replaces_roles(const AttentionProblem& problem) {
    return problem.has_qk_norm() || (is_rotary(problem.settings) && problem.rope_dim() == 0);
}

// All that every row depends on.
bool cached_layer_stays(const AttentionProblem& a, const AttentionProblem& b) {
    const AttentionSettings& s = a.settings;
    const AttentionSettings& t = b.settings;
    const Projections& p = a.projections;
    const Projections& q = b.projections;
    return s.num_heads == t.num_heads && a.num_kv_heads() == b.num_kv_heads() && s.mask_at == t.mask_at &&
           s.rotary == t.rotary && s.score_cap == t.score_cap && s.alibi == t.alibi && s.scale == t.scale &&
           s.temperature == t.temperature && s.dropout == t.dropout && s.dropout_seed == t.dropout_seed &&
           s.dropout_skip == t.dropout_skip && a.d_in() == b.d_in() &&
           std::ranges::all_of(kLearnedTensors, [&](TensorId tensor) {
               return same_values(numbers_of(p, tensor), numbers_of(q, tensor));
           });
}

// `first` becomes the first row below it of a number in `from` that `with` has not. A layer with rotary positions has
// thousands, in the same order in both: each is looked for behind the last one. In another order one may be missed, and
// more is computed again than has to be.
[[gnu::noinline]] void find_typed_otherwise(const std::vector<TypedNumber>& from, const std::vector<TypedNumber>& with,
                                            int& first) {
    static_assert(sizeof(TypedNumber) == sizeof(TensorId) + 2 * sizeof(int) + sizeof(float), "all bytes are numbers");
    std::size_t behind = 0;
    for (const TypedNumber& typed : from) {
        if (typed.row >= first) continue;
        std::size_t at = behind;
        while (at < with.size() && std::memcmp(&with[at], &typed, sizeof typed) != 0) ++at;
        if (at == with.size()) first = typed.row;
        if (at != with.size()) behind = at + 1;
    }
}

// The first token whose query, key or value is typed in one problem otherwise than in the other.
int first_typed_otherwise(const AttentionProblem& a, const AttentionProblem& b) {
    int first = std::numeric_limits<int>::max();
    find_typed_otherwise(a.typed_roles, b.typed_roles, first);
    find_typed_otherwise(b.typed_roles, a.typed_roles, first);
    return first;
}

std::vector<float> normed(std::vector<float> row, const Vector& weight) {
    rms_norm(row, elements(weight), kQueryKeyNormEps, row);
    return row;
}

}  // namespace

AttentionProblem beginning_of(const AttentionProblem& problem, int num_tokens) {
    ATTN_CHECK(num_tokens >= 1 && num_tokens <= problem.num_tokens(), num_tokens, " tokens of ", problem.num_tokens());
    AttentionProblem first = {.embeddings = unset<Matrix>(num_tokens, problem.d_in()),
                              .projections = problem.projections,
                              .hidden = unset<Flags>(num_tokens, num_tokens),
                              .settings = problem.settings};
    std::copy_n(problem.embeddings.data(), first.embeddings.size(), first.embeddings.data());
    for (int i = 0; i < num_tokens; ++i) {
        std::copy_n(row_of(problem.hidden, i).begin(), num_tokens, row_of(first.hidden, i).begin());
    }
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.row < num_tokens) first.typed_roles.push_back(typed);
    }
    return first;
}

int tokens_still_valid(const AttentionProblem& kept, const AttentionProblem& now) {
    if (!cached_layer_stays(kept, now)) return 0;
    const int most = std::min({kept.num_tokens(), now.num_tokens(), first_typed_otherwise(kept, now)});
    for (int i = 0; i < most; ++i) {
        const auto a = row_of(kept.embeddings, i);
        const auto b = row_of(now.embeddings, i);
        const auto seen = row_of(kept.hidden, i).first(static_cast<std::size_t>(i) + 1);
        const bool is_same = std::memcmp(a.data(), b.data(), a.size_bytes()) == 0 &&
                             std::equal(seen.begin(), seen.end(), row_of(now.hidden, i).begin());
        if (!is_same) return i;
    }
    return most;
}

CachedAttention::CachedAttention(const AttentionProblem& problem) {
    check_shapes(problem);
    require_memory(cache_.begin(cache_layer_of(problem)));
    if (problem.settings.dropout > 0) {
        generator_.emplace(problem.settings.dropout_seed);
        generator_->skip64(problem.settings.dropout_skip);
    }
}

void CachedAttention::append(const AttentionProblem& problem, int count) {
    const int old = num_tokens();
    const int T = old + count;
    ATTN_CHECK(count >= 1 && T <= problem.num_tokens(), old, " and ", count, " tokens of ", problem.num_tokens());
    require_memory(cache_.project(row_of(problem.embeddings, old).data(), count));
    for (const TypedNumber& typed : problem.typed_roles) {
        // A latent knows nothing of what was typed over the keys and values that are made of it.
        const int first = typed.role == TensorId::queries ? old : old - cache_.num_made_anew();
        if (typed.row < first || typed.row >= T) continue;
        const int i = typed.row - old;
        float* row = typed.role == TensorId::queries ? cache_.query(i)
                     : typed.role == TensorId::keys  ? cache_.key(i)
                                                     : cache_.value(i);
        row[typed.column] = typed.value;
    }
    if (replaces_roles(problem)) {
        plain_query_.assign(cache_.query(0), cache_.query(count));
        plain_key_.assign(cache_.key(0), cache_.key(count));
    }
    CacheMask mask = {.is_causal = false,
                      .hidden = row_of(problem.hidden, old).data(),
                      .hidden_stride = problem.hidden.shape(1),
                      .keep = nullptr,
                      .keep_scale = keep_scale(problem.settings.dropout)};
    keep_.clear();
    if (generator_) {
        keep_.resize(static_cast<std::size_t>(problem.settings.num_heads) * static_cast<std::size_t>(count) *
                     static_cast<std::size_t>(T));
        fill_keep_mask(*generator_, keep_, problem.settings.dropout, 0);
        mask.keep = keep_.data();
    }
    require_memory(cache_.attend(mask, true));
}

std::vector<float> CachedAttention::score_row(const AttentionProblem& problem, TensorId stage, int head,
                                              int token) const {
    std::vector<float> scores;
    for (int j = 0; j < num_tokens(); ++j) scores.push_back(cache_.score(head, token - (num_tokens() - num_new()), j));
    const int none_visible = 0;  // the mask says it key by key
    const HeadProblem row = {.num_tokens = scores.size(),
                             .divisor = cache_.layer().divisor,
                             .cap = cache_.layer().score_cap,
                             .slope = cache_.slope(head),
                             .first_position = token,
                             .visible = &none_visible,
                             .hidden = row_of(problem.hidden, token).data()};
    finish_scores(row, stage, 0, scores);
    return scores;
}

std::vector<float> CachedAttention::row(const AttentionProblem& problem, TensorId stage, int head, int token) const {
    const int first = num_tokens() - num_new();
    const int i = token - first;
    ATTN_CHECK(i >= 0 && i < num_new(), "token ", token, " is not of the last ", num_new(), " of ", num_tokens());
    const auto T = static_cast<std::size_t>(num_tokens());
    const auto dim = static_cast<std::size_t>(problem.head_dim());
    const auto d_out = static_cast<std::size_t>(problem.d_out());
    const auto h = static_cast<std::size_t>(head);
    const auto at = static_cast<std::size_t>(i);
    const auto own = static_cast<std::size_t>(problem.rope_dim());
    const bool keeps_plain = replaces_roles(problem);
    std::vector<float> numbers;
    const auto take = [&](const float* from, std::size_t count) { numbers.assign(from, from + count); };
    if (is_score(stage)) return score_row(problem, stage, head, token);
    switch (stage) {
        case TensorId::query_latents:
            take(cache_.query_latent(i), static_cast<std::size_t>(problem.query_latent()));
            break;
        case TensorId::latents:
            take(cache_.latent(token), static_cast<std::size_t>(problem.latent()));
            break;
        case TensorId::queries:
            take((keeps_plain ? plain_query_.data() + at * d_out : cache_.query(i)) + h * dim, dim);
            break;
        case TensorId::position_queries:
            take(cache_.position_query(i) + h * own, own);
            break;
        case TensorId::position_keys:
            take(cache_.position_key(i), own);
            break;
        case TensorId::normed_queries:
            return normed(row(problem, TensorId::queries, head, token), problem.projections->q_norm);
        case TensorId::normed_keys:
            return normed(row(problem, TensorId::keys, head, token), problem.projections->k_norm);
        case TensorId::rotated_queries:
            take(cache_.scored_query(i) + h * (dim + own), dim + own);
            break;
        case TensorId::keys:
            if (keeps_plain) {
                const auto shared = static_cast<std::size_t>(problem.kv_head(head));
                take(plain_key_.data() + at * static_cast<std::size_t>(problem.role_width(stage)) + shared * dim, dim);
                break;
            }
            [[fallthrough]];
        case TensorId::rotated_keys:
        case TensorId::values:
            for (std::size_t c = 0; c < dim + (stage == TensorId::rotated_keys ? own : 0); ++c) {
                const int channel = static_cast<int>(c);
                numbers.push_back(stage == TensorId::values ? cache_.kept_value(problem.kv_head(head), token, channel)
                                                            : cache_.kept_key(problem.kv_head(head), token, channel));
            }
            break;
        case TensorId::weights:
        case TensorId::dropped_weights:
            take(cache_.weights(head, i), T);
            for (std::size_t j = 0; stage == TensorId::dropped_weights && j < T; ++j) {
                const bool is_kept =
                    keep_[(h * static_cast<std::size_t>(num_new()) + static_cast<std::size_t>(i)) * T + j] != 0;
                numbers[j] *= is_kept ? keep_scale(problem.settings.dropout) : 0.0F;
            }
            break;
        case TensorId::sink_weights:
            numbers = {cache_.sink_weight(head, i)};
            break;
        case TensorId::context:
            take(cache_.context(i) + h * dim, dim);
            break;
        case TensorId::merged:
            take(cache_.context(i), d_out);
            break;
        case TensorId::output:
            ATTN_CHECK(problem.projections->w_out.size() != 0, "there is no output projection");
            take(cache_.output(i), d_out);
            break;
        default:
            ATTN_CHECK(false, "a cache has no rows of ", stage_info(stage).name);
    }
    return numbers;
}

}  // namespace attn
