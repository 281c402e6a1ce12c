// The new rows of a cache: scores with all keys that are kept, weights, context. Heads one after another, or some
// together where their rows differ in nothing but the numbers.
#include <algorithm>
#include <array>

#include "core/fast/head_attention.h"
#include "core/fast/kv_cache.h"
#include "core/ground/copy_floats.h"
#include "core/kernels/simd_kernels.h"

namespace attn {

// How many of the first keys new token i sees, all of them; 0: the mask says which.
int KvCache::visible_to(const CacheMask& mask, int i) const {
    if (mask.hidden != nullptr) return visible_in(mask.hidden + at(i) * mask.hidden_stride, at(num_tokens_));
    return mask.is_causal ? num_tokens_ - num_new_ + i + 1 : num_tokens_;
}

// The scores of new rows first to end of one head with the first `most` keys.
void KvCache::score_rows(int head, int first, int end, std::size_t most, float* scores) {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t dim = at(layer_.score_dim());
    const std::size_t g = at(head) * at(layer_.kv_heads) / at(layer_.num_heads);
    kernels.multiply(scored_query(first) + at(head) * dim, at(layer_.num_heads) * dim, at(end - first),
                     keys_.data() + g * at(capacity_) * dim, dim * kernels.panel_width, dim, most, scores, row_stride_,
                     false);
}

// The one new row of heads `head` to `end`, at most kHeadsTogether: it sees the first `seen` keys.
void KvCache::make_alike(const CacheMask& mask, int head, int end, int seen, float* weights) {
    const std::size_t T = at(num_tokens_);
    const std::size_t most = layer_.mask_at == MaskAt::before ? at(seen) : T;
    for (int h = head; h < end; ++h) score_rows(h, 0, 1, most, rows_.data() + at(h - head) * row_stride_);
    std::array<int, kHeadsTogether> visible;
    visible.fill(seen);
    // Its rows stand for heads.
    const HeadProblem rows = {.num_tokens = T,
                              .head_dim = at(layer_.head_dim()),
                              .divisor = layer_.divisor,
                              .mask_at = layer_.mask_at,
                              .visible = visible.data()};
    float* to = weights == nullptr ? rows_.data() : weights;
    const std::size_t stride = weights == nullptr ? row_stride_ : T;
    weigh_rows(rows, 0, at(end - head), rows_.data(), row_stride_, to, stride, weights == nullptr ? at(seen) : T);
    for (int h = head; h < end; ++h) mix_row(mask, h, 0, seen, to + at(h - head) * stride);
}

// New rows first to end of one head: scores with all keys that any of them sees, weights, context.
void KvCache::make_rows(const CacheMask& mask, int head, int first, int end, float* weights) {
    const std::size_t T = at(num_tokens_);
    const int old = num_tokens_ - num_new_;
    std::array<int, PackedMatrix::kRowsAtOnce> visible;
    std::size_t most = 0;
    for (int i = first; i < end; ++i) {
        const int seen = visible[at(i - first)] = visible_to(mask, i);
        most = std::max(most, seen == 0 || layer_.mask_at != MaskAt::before ? T : at(seen));
    }
    score_rows(head, first, end, most, rows_.data());
    for (int i = first; i < end; ++i) {
        // One row of a head, as weigh_rows knows it.
        const HeadProblem row = {.num_tokens = T,
                                 .head_dim = at(layer_.head_dim()),
                                 .divisor = layer_.divisor,
                                 .sink_logit = layer_.sink_logits == nullptr ? nullptr : sink_logits_.data() + head,
                                 .cap = layer_.score_cap,
                                 .slope = slope(head),
                                 .first_position = old + i,
                                 .mask_at = layer_.mask_at,
                                 .visible = &visible[at(i - first)],
                                 .hidden = mask.hidden == nullptr ? nullptr : mask.hidden + at(i) * mask.hidden_stride};
        float* scores = rows_.data() + at(i - first) * row_stride_;
        float* to = weights == nullptr ? scores : weights + at(i - first) * T;
        const int seen = visible[at(i - first)] == 0 ? num_tokens_ : visible[at(i - first)];
        const std::size_t zero_end = weights == nullptr ? at(seen) : T;
        if (row.has_sink()) {
            weigh_rows_with_sink(row, 0, 1, scores, row_stride_, to, row_stride_, zero_end,
                                 sink_weights_.data() + at(head) * at(num_new_) + at(i));
        } else {
            weigh_rows(row, 0, 1, scores, row_stride_, to, row_stride_, zero_end);
        }
        mix_row(mask, head, i, seen, to);
    }
}

// context = sum over the visible keys j, in order, of weight(j) * value(j).
void KvCache::mix_row(const CacheMask& mask, int head, int i, int seen, const float* weights) {
    const simd::Kernels& kernels = simd::kernels();
    const std::size_t dim = at(layer_.head_dim());
    const std::size_t capacity = at(capacity_);
    const std::size_t g = at(head) * at(layer_.kv_heads) / at(layer_.num_heads);
    if (mask.keep != nullptr) {
        const std::uint8_t* keep = mask.keep + (at(head) * at(num_new_) + at(i)) * at(num_tokens_);
        for (std::size_t j = 0; j < at(seen); ++j)
            dropped_.data()[j] = weights[j] * (keep[j] != 0 ? mask.keep_scale : 0.0F);
        weights = dropped_.data();
    }
    const float* values = values_.data() + g * capacity * sum_stride_;
    float* context = context_.data() + at(i) * at(layer_.d_out) + at(head) * dim;
    if (mask.hidden == nullptr || num_finite_ == num_tokens_) {
        kernels.multiply(weights, at(seen), 1, values, capacity * kernels.panel_width, at(seen), dim, sums_.data(),
                         sum_stride_, false);
        copy_floats(sums_.data(), dim, context);
        return;
    }
    // A hidden key's infinity times its weight 0 would be no number.
    const std::uint8_t* hidden = mask.hidden + at(i) * mask.hidden_stride;
    std::fill_n(context, dim, 0.0F);
    for (int j = 0; j < seen; ++j) {
        if (hidden[j] != 0) continue;
        for (std::size_t c = 0; c < dim; ++c)
            context[c] += weights[j] * kept_value(static_cast<int>(g), j, static_cast<int>(c));
    }
}

}  // namespace attn
