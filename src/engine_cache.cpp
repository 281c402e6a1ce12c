// Numbers of caches are places in a list; a freed place is given out again.
#include "engine_cache.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/attention/attention.h"
#include "core/ground/memory_room.h"

namespace attn {
namespace {

template <class Tensor>
const float* numbers_of(const Tensor& tensor) {
    return tensor.size() != 0 ? tensor.data() : nullptr;
}

// A panel is at most this much wider than what it holds.
constexpr std::int64_t kPanel = 64;

}  // namespace

bool EngineCaches::make_room(std::int64_t numbers) {
    bytes_wanted_ = static_cast<std::int64_t>(sizeof(float)) * numbers;
    return has_room_for(bytes_wanted_);
}

int EngineCaches::begin(EngineAttention& attention, const AttentionSettings& settings) {
    const Sizes sizes = attention.sizes();
    const std::int64_t d_in = sizes.d_in, d_out = sizes.d_out;
    if (!make_room(3 * d_in * (d_out + kPanel) + d_out * (d_out + kPanel) + 4 * (d_out + kPanel))) return 0;
    const EngineAttention::Arguments given = attention.arguments();
    const auto& [x, w_query, w_key, w_value, w_out, b_query, b_key, b_value, b_out] = given.tensors;
    auto cache = std::make_unique<KvCache>();
    if (!cache->begin({.d_in = sizes.d_in,
                       .d_out = sizes.d_out,
                       .num_heads = sizes.num_heads,
                       .kv_heads = sizes.kv_heads(),
                       .w_query = w_query,
                       .w_key = w_key,
                       .w_value = w_value,
                       .b_query = b_query,
                       .b_key = b_key,
                       .b_value = b_value,
                       .w_out = w_out,
                       .b_out = b_out,
                       .mask_at = settings.mask_at,
                       .divisor = score_divisor(settings, sizes.head_dim()),
                       .rotary = settings.rotary,
                       .alibi = settings.alibi}))
        return 0;
    const auto place = std::ranges::find_if(caches_, [](const auto& kept) { return kept == nullptr; });
    const auto number = static_cast<int>(place - caches_.begin()) + 1;
    if (place == caches_.end()) {
        caches_.push_back(std::move(cache));
    } else {
        *place = std::move(cache);
    }
    return number;
}

bool EngineCaches::make_rows(int cache, int count, bool has_mask) {
    const KvCache& kv = this->cache(cache);
    const CacheLayer& layer = kv.layer();
    const std::int64_t n = count, tokens = std::int64_t{kv.num_tokens()} + n;
    // Its panels may double while they move; the rows, and their weights with room for a head's sums.
    const std::int64_t panels = 2 * (2 * tokens + 2 * kPanel) * (layer.kv_width() + kPanel * layer.kv_heads);
    const std::int64_t wide = n * (layer.d_in + 3 * layer.d_out + 2 * layer.kv_width() + layer.num_heads * tokens);
    if (!make_room(panels + wide + n * tokens + 8 * (tokens + kPanel))) return false;
    num_rows_ = count;
    mask_.assign(has_mask ? static_cast<std::size_t>(n * tokens) : 0, 0);
    return rows_.reserve(static_cast<std::size_t>(n * layer.d_in));
}

bool EngineCaches::take_in(int cache, bool is_causal, bool wants_weights) {
    KvCache& kv = this->cache(cache);
    const auto num_tokens = static_cast<std::size_t>(kv.num_tokens() + num_rows_);
    const CacheMask seen = {.is_causal = is_causal, .hidden = mask(), .hidden_stride = num_tokens};
    if (kv.project(rows_.data(), num_rows_) && kv.attend(seen, wants_weights)) return true;
    free(cache);
    return false;
}

}  // namespace attn
