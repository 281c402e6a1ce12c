// Keeps keys and values as the panels that the kernels read, and adds to them.
#include "core/fast/kv_cache.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/attention/rms_norm.h"
#include "core/attention/score_changes.h"
#include "core/ground/check.h"
#include "core/ground/copy_floats.h"
#include "core/kernels/simd_kernels.h"

namespace attn {
namespace {

constexpr int kQuery = 0, kKey = 1, kValue = 2, kOut = 3, kDownQuery = 4, kDownKv = 5, kQueryRope = 6, kKeyRope = 7;
constexpr int kCacheRowsAtOnce = static_cast<int>(PackedMatrix::kRowsAtOnce);
constexpr int kFirstCapacity = 64;

void check_layer(const CacheLayer& layer) {
    ATTN_CHECK(layer.d_in >= 1 && layer.d_out >= 1, "sizes are ", layer.d_in, ", ", layer.d_out, ", want at least 1");
    ATTN_CHECK(layer.num_heads >= 1 && layer.d_out % layer.num_heads == 0, layer.num_heads, " heads do not divide ",
               layer.d_out, " channels");
    ATTN_CHECK(layer.kv_heads >= 1 && layer.num_heads % layer.kv_heads == 0, layer.kv_heads,
               " key heads do not divide ", layer.num_heads, " heads");
    ATTN_CHECK(layer.divisor > 0 && std::isfinite(layer.divisor), "divisor is ", layer.divisor,
               ", want a number above 0");
    ATTN_CHECK(!layer.rotary.is_on || layer.rope_dim() != 0 || layer.head_dim() % 2 == 0, "a head of ",
               layer.head_dim(), " numbers has no pairs to turn");
    const bool has_all = layer.w_query != nullptr && layer.w_key != nullptr && layer.w_value != nullptr;
    const bool has_none = layer.w_query == nullptr && layer.w_key == nullptr && layer.w_value == nullptr;
    ATTN_CHECK((layer.latent > 0) == (layer.w_down_kv != nullptr) &&
                   (layer.query_latent > 0) == (layer.w_down_query != nullptr) &&
                   (has_all || (layer.latent == 0 && layer.query_latent == 0)),
               "latents of ", layer.query_latent, " and ", layer.latent, " numbers, and not their matrices");
    ATTN_CHECK(has_all || (has_none && layer.d_in == layer.d_out && layer.kv_heads == layer.num_heads),
               "all of w_query, w_key, w_value, or none and ", layer.d_in, " channels");
    ATTN_CHECK((layer.q_norm == nullptr) == (layer.k_norm == nullptr) && (layer.q_norm == nullptr || layer.latent == 0),
               "q_norm and k_norm, or neither, and no latent with them");
}

}  // namespace

bool KvCache::begin(const CacheLayer& layer) {
    check_layer(layer);
    layer_ = layer;
    num_tokens_ = num_new_ = num_finite_ = num_made_anew_ = capacity_ = latent_capacity_ = 0;
    const int query_rows = layer.has_query_latent() ? layer.query_latent : layer.d_in;
    const int kv_rows = layer.has_latent() ? layer.latent : layer.d_in;
    const std::array<const float*, 8> matrices = {layer.w_query,      layer.w_key,        layer.w_value,
                                                  layer.w_out,        layer.w_down_query, layer.w_down_kv,
                                                  layer.w_query_rope, layer.w_key_rope};
    const std::array<const float*, 8> biases = {layer.b_query, layer.b_key, layer.b_value, layer.b_out};
    const std::array<int, 8> rows = {query_rows, kv_rows,    kv_rows,    layer.d_out,
                                     layer.d_in, layer.d_in, query_rows, layer.d_in};
    const std::array<int, 8> columns = {layer.d_out,
                                        layer.kv_width(),
                                        layer.kv_width(),
                                        layer.d_out,
                                        layer.query_latent,
                                        layer.latent,
                                        layer.num_heads * layer.rope_dim(),
                                        layer.rope_dim()};
    for (int m = kQuery; m < static_cast<int>(kNumMatrices); ++m) {
        const std::size_t inner = at(rows[at(m)]);
        const std::size_t width = at(columns[at(m)]);
        if (matrices[at(m)] != nullptr && !matrices_[at(m)].pack(matrices[at(m)], width, inner, width)) return false;
        if (biases[at(m)] == nullptr) continue;
        if (!biases_[at(m)].reserve(width)) return false;
        std::copy_n(biases[at(m)], width, biases_[at(m)].data());
    }
    if (layer.q_norm != nullptr) {
        const std::size_t dim = at(layer.head_dim());
        if (!q_norm_.reserve(dim) || !k_norm_.reserve(dim)) return false;
        std::copy_n(layer.q_norm, dim, q_norm_.data());
        std::copy_n(layer.k_norm, dim, k_norm_.data());
    }
    if (layer.sink_logits != nullptr) {
        if (!sink_logits_.reserve(at(layer.num_heads))) return false;
        std::copy_n(layer.sink_logits, at(layer.num_heads), sink_logits_.data());
    }
    sum_stride_ = simd::num_panels(at(layer.head_dim())) * simd::kernels().panel_width;
    return sums_.reserve(sum_stride_);
}

// Rows (count, width) of x . w + b, or x itself without a matrix.
bool KvCache::project_rows(int matrix, const float* x, int count, int inner, int width, const float* w, const float* b,
                           float* rows) {
    if (w == nullptr) {
        std::copy_n(x, at(count) * at(width), rows);
        return true;
    }
    PackedMatrix& packed = matrices_[at(matrix)];
    if (!x_.reserve(at(std::min(count, kCacheRowsAtOnce)),
                    at(std::max({layer_.d_in, layer_.d_out, layer_.latent, layer_.query_latent}))))
        return false;
    for (int first = 0; first < count; first += kCacheRowsAtOnce) {
        const int end = std::min(first + kCacheRowsAtOnce, count);
        x_.pack(x + at(first) * at(inner), at(end - first), at(inner));
        const float* row = packed.project(x_, 0, at(end - first), b == nullptr ? nullptr : biases_[at(matrix)].data());
        for (int i = first; i < end; ++i, row += packed.row_stride())
            copy_floats(row, at(width), rows + at(i) * at(width));
    }
    return true;
}

bool KvCache::project(const float* x, int count) {
    ATTN_CHECK(count >= 1, count, " new tokens, want at least 1");
    const CacheLayer& l = layer_;
    num_new_ = count;
    num_made_anew_ = l.has_latent() ? num_tokens_ : 0;
    const int num_made = num_made_anew_ + count;  // keys and values
    const std::size_t wide = at(count) * at(l.d_out);
    const std::size_t narrow = at(num_made) * at(l.kv_width());
    if (!query_.reserve(wide) || !key_.reserve(narrow) || !value_.reserve(narrow) || !context_.reserve(wide))
        return false;
    const float* of_queries = x;
    const float* of_keys = x;
    int query_rows = l.d_in;
    int kv_rows = l.d_in;
    if (l.has_query_latent()) {
        if (!query_latents_.reserve(at(count) * at(l.query_latent)) ||
            !project_rows(kDownQuery, x, count, l.d_in, l.query_latent, l.w_down_query, nullptr, query_latents_.data()))
            return false;
        of_queries = query_latents_.data();
        query_rows = l.query_latent;
    }
    if (l.has_latent()) {
        if (!keep_latents(x, count)) return false;
        of_keys = latents_.data();
        kv_rows = l.latent;
    }
    if (l.rope_dim() != 0 && !project_positions(x, of_queries, count, query_rows)) return false;
    return project_rows(kQuery, of_queries, count, query_rows, l.d_out, l.w_query, l.b_query, query_.data()) &&
           project_rows(kKey, of_keys, num_made, kv_rows, l.kv_width(), l.w_key, l.b_key, key_.data()) &&
           project_rows(kValue, of_keys, num_made, kv_rows, l.kv_width(), l.w_value, l.b_value, value_.data());
}

// What is turned alone, of the new tokens.
bool KvCache::project_positions(const float* x, const float* of_queries, int count, int query_rows) {
    const int width = layer_.num_heads * layer_.rope_dim();
    return position_queries_.reserve(at(count) * at(width)) &&
           new_position_keys_.reserve(at(count) * at(layer_.rope_dim())) &&
           scored_queries_.reserve(at(count) * at(layer_.num_heads * layer_.score_dim())) &&
           project_rows(kQueryRope, of_queries, count, query_rows, width, layer_.w_query_rope, nullptr,
                        position_queries_.data()) &&
           project_rows(kKeyRope, x, count, layer_.d_in, layer_.rope_dim(), layer_.w_key_rope, nullptr,
                        new_position_keys_.data());
}

// The latents of the new tokens, behind those of the earlier ones.
bool KvCache::keep_latents(const float* x, int count) {
    const std::size_t width = at(layer_.latent);
    const int num_tokens = num_tokens_ + count;
    if (num_tokens > latent_capacity_) {
        const int wanted = std::max({num_tokens, kFirstCapacity, std::min(latent_capacity_, 1 << 29) * 2});
        FloatBuffer latents;
        if (!latents.reserve(at(wanted) * width)) return false;
        copy_floats(latents_.data(), at(num_tokens_) * width, latents.data());
        latents_ = std::move(latents);
        if (layer_.rope_dim() != 0) {
            FloatBuffer position_keys;
            if (!position_keys.reserve(at(wanted) * at(layer_.rope_dim()))) return false;
            copy_floats(position_keys_.data(), at(num_tokens_) * at(layer_.rope_dim()), position_keys.data());
            position_keys_ = std::move(position_keys);
        }
        latent_capacity_ = wanted;
    }
    return project_rows(kDownKv, x, count, layer_.d_in, layer_.latent, layer_.w_down_kv, nullptr,
                        latents_.data() + at(num_tokens_) * width);
}

// Room for so many tokens; what is kept moves along.
bool KvCache::grow(int num_tokens) {
    if (num_tokens <= capacity_) return true;
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t dim = at(layer_.score_dim());  // of a key
    const std::size_t heads = at(layer_.kv_heads);
    const std::size_t old_capacity = at(capacity_);
    const int wanted = std::max({num_tokens, kFirstCapacity, std::min(capacity_, 1 << 29) * 2});
    const std::size_t capacity = (at(wanted) + width - 1) / width * width;
    FloatBuffer keys, values;
    if (!keys.reserve(heads * capacity * dim) || !values.reserve(heads * capacity * sum_stride_)) return false;
    for (std::size_t g = 0; g < heads; ++g) {
        const std::size_t used = (at(num_tokens_) + width - 1) / width * width;
        std::copy_n(keys_.data() + g * old_capacity * dim, used * dim, keys.data() + g * capacity * dim);
        for (std::size_t p = 0; p < sum_stride_; p += width) {
            std::copy_n(values_.data() + g * old_capacity * sum_stride_ + p * old_capacity, at(num_tokens_) * width,
                        values.data() + g * capacity * sum_stride_ + p * capacity);
        }
    }
    keys_ = std::move(keys);
    values_ = std::move(values);
    capacity_ = static_cast<int>(capacity);
    return true;
}

// Queries and the numbers that are turned behind them, one head after another; position keys where they are kept.
void KvCache::rotate_own() {
    const std::size_t dim = at(layer_.head_dim());
    const std::size_t own = at(layer_.rope_dim());
    for (int i = 0; i < num_new_; ++i) {
        const int token = num_tokens_ + i;
        const Rotation rotation = rotation_at(token + layer_.rotary.shift, layer_.rope_dim(), layer_.rotary.base);
        float* to = scored_queries_.data() + at(i) * at(layer_.num_heads) * (dim + own);
        for (std::size_t h = 0; h < at(layer_.num_heads); ++h, to += dim + own) {
            std::copy_n(query(i) + h * dim, dim, to);
            std::copy_n(position_query(i) + h * own, own, to + dim);
            rotate(layer_.rotary.pairs, rotation, std::span<float>(to + dim, own));
        }
        float* kept = position_keys_.data() + at(token) * own;
        std::copy_n(position_key(i), own, kept);
        rotate(layer_.rotary.pairs, rotation, std::span<float>(kept, own));
    }
}

void KvCache::norm_new() {
    const std::size_t dim = at(layer_.head_dim());
    const auto norm_heads = [&](float* row, int num_heads, const FloatBuffer& weight) {
        for (const float* end = row + at(num_heads) * dim; row != end; row += dim)
            rms_norm({row, dim}, {weight.data(), dim}, kQueryKeyNormEps, {row, dim});
    };
    for (int i = 0; i < num_new_; ++i) {
        norm_heads(query(i), layer_.num_heads, q_norm_);
        norm_heads(key(i), layer_.kv_heads, k_norm_);
    }
}

void KvCache::rotate_new() {
    if (!layer_.rotary.is_on) return;
    if (layer_.rope_dim() != 0) return rotate_own();
    const std::size_t dim = at(layer_.head_dim());
    for (int i = -num_made_anew_; i < num_new_; ++i) {
        const Rotation rotation =
            rotation_at(num_tokens_ + i + layer_.rotary.shift, layer_.head_dim(), layer_.rotary.base);
        for (int h = 0; i >= 0 && h < layer_.num_heads; ++h)
            rotate(layer_.rotary.pairs, rotation, std::span<float>(query(i) + at(h) * dim, dim));
        for (int g = 0; g < layer_.kv_heads; ++g)
            rotate(layer_.rotary.pairs, rotation, std::span<float>(key(i) + at(g) * dim, dim));
    }
}

// The new keys go into the panels of the transpose, (head_dim, panel_width) each; a value is a row of (T, panel_width)
// panels.
void KvCache::keep_rows() {
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t dim = at(layer_.head_dim());
    const std::size_t own = at(layer_.rope_dim());
    const std::size_t capacity = at(capacity_);
    if (layer_.has_latent()) num_finite_ = 0;
    for (int i = -num_made_anew_; i < num_new_; ++i) {
        const std::size_t token = at(num_tokens_ + i);
        bool is_finite = true;
        for (std::size_t g = 0; g < at(layer_.kv_heads); ++g) {
            float* keys = keys_.data() + (g * capacity + token / width * width) * (dim + own);
            if (token % width == 0) std::fill_n(keys, width * (dim + own), 0.0F);
            const float* key_row = key(i) + g * dim;
            for (std::size_t c = 0; c < dim; ++c) keys[c * width + token % width] = key_row[c];
            const float* position_row = position_keys_.data() + token * own;
            for (std::size_t c = 0; c < own; ++c) keys[(dim + c) * width + token % width] = position_row[c];
            float* values = values_.data() + g * capacity * sum_stride_ + token * width;
            const float* value_row = value(i) + g * dim;
            for (std::size_t c = 0; c < sum_stride_; ++c) {
                values[c / width * capacity * width + c % width] = c < dim ? value_row[c] : 0.0F;
                is_finite = is_finite && (c >= dim || std::isfinite(value_row[c]));
            }
        }
        if (is_finite && num_finite_ == static_cast<int>(token)) ++num_finite_;
    }
}

bool KvCache::attend(const CacheMask& mask, bool wants_weights) {
    const int count = num_new_;
    if (!grow(num_tokens_ + count)) return false;
    if (layer_.q_norm != nullptr) norm_new();
    rotate_new();
    keep_rows();
    num_tokens_ += count;
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t T = at(num_tokens_);
    const int at_once = std::min(count, kCacheRowsAtOnce);
    const int seen = visible_to(mask, 0);
    // A single token's rows of some heads that see the same keys, and have nothing of their own, take no longer in the
    // softmax than one.
    const bool are_alike =
        count == 1 && seen != 0 && layer_.sink_logits == nullptr && !layer_.alibi.is_on && layer_.score_cap == 0;
    // A line more than needed, as in head_attention.cpp.
    row_stride_ = ((T + 15) / 16 * 16 + width - 1) / width * width + 16;
    if (!rows_.reserve(at(std::max(at_once, kHeadsTogether)) * row_stride_) ||
        !dropped_.reserve(mask.keep == nullptr ? 0 : T))
        return false;
    if (wants_weights && !weights_.reserve(at(layer_.num_heads) * at(count) * T)) return false;
    if (layer_.sink_logits != nullptr && !sink_weights_.reserve(at(layer_.num_heads) * at(count))) return false;
    for (int h = 0; are_alike && h < layer_.num_heads; h += kHeadsTogether) {
        const int end = std::min(h + kHeadsTogether, layer_.num_heads);
        make_alike(mask, h, end, seen, wants_weights ? weights_.data() + at(h) * T : nullptr);
    }
    for (int h = 0; !are_alike && h < layer_.num_heads; ++h) {
        for (int first = 0; first < count; first += at_once) {
            const int end = std::min(first + at_once, count);
            make_rows(mask, h, first, end,
                      wants_weights ? weights_.data() + (at(h) * at(count) + at(first)) * T : nullptr);
        }
    }
    if (layer_.w_out == nullptr) return true;
    return output_.reserve(at(count) * at(layer_.d_out)) &&
           project_rows(kOut, context_.data(), count, layer_.d_out, layer_.d_out, layer_.w_out, layer_.b_out,
                        output_.data());
}

float KvCache::kept_key(int kv_head, int token, int c) const {
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t dim = at(layer_.score_dim());
    return keys_.data()[at(kv_head) * at(capacity_) * dim + at(token) / width * width * dim + at(c) * width +
                        at(token) % width];
}

float KvCache::kept_value(int kv_head, int token, int c) const {
    const std::size_t width = simd::kernels().panel_width;
    const std::size_t capacity = at(capacity_);
    return values_.data()[at(kv_head) * capacity * sum_stride_ + at(c) / width * capacity * width + at(token) * width +
                          at(c) % width];
}

float KvCache::score(int head, int i, int token) const {
    const int g = head * layer_.kv_heads / layer_.num_heads;
    const float* row = scored_query(i) + at(head) * at(layer_.score_dim());
    float sum = 0;
    for (int c = 0; c < layer_.score_dim(); ++c) sum += row[c] * kept_key(g, token, c);
    return sum;
}

float KvCache::slope(int head) const {
    const AttentionSettings settings = {.num_heads = layer_.num_heads, .alibi = layer_.alibi};
    return static_cast<float>(slope_of_head(settings, head));
}

void KvCache::forget_from(int num_tokens) {
    ATTN_CHECK(num_tokens >= 0 && num_tokens <= num_tokens_, "forgets from ", num_tokens, " of ", num_tokens_);
    num_tokens_ = num_tokens;
    num_new_ = 0;
    num_finite_ = std::min(num_finite_, num_tokens);
}

}  // namespace attn
