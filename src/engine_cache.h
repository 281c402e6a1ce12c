// cache() of the module that learns (src/engine_cache_module.cpp): layers that read token after token, several at a
// time. Knows no JavaScript. Whoever calls has checked shapes and ranges; what does not fit into memory is refused
// before any of it is allocated, and leaves the cache as it was.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/fast/kv_cache.h"
#include "engine_attention.h"

namespace attn {

class EngineCaches {
public:
    // A cache without tokens for the matrices and biases that `attention` was handed, which are copied. Of the settings
    // scale, temperature and mask_at count. Returns its number, from 1; 0 when there is no room.
    int begin(EngineAttention& attention, const AttentionSettings& settings);

    // Where the rows of `count` new tokens belong, (count, d_in), and, with has_mask, a byte for each new token and
    // each token there will be, 1 where it is hidden. False when there is no room. take_in() follows.
    bool make_rows(int cache, int count, bool has_mask);
    float* rows() { return rows_.data(); }
    std::uint8_t* mask() { return mask_.empty() ? nullptr : mask_.data(); }

    // Computes those rows. Without a mask a new token sees the earlier ones and itself, or, unless is_causal, all that
    // are there. False when the memory is refused after all: then the cache is gone.
    bool take_in(int cache, bool is_causal, bool wants_weights);

    void free(int cache) { caches_[static_cast<std::size_t>(cache - 1)].reset(); }
    KvCache& cache(int cache) { return *caches_[static_cast<std::size_t>(cache - 1)]; }
    std::int64_t bytes_wanted() const { return bytes_wanted_; }

private:
    bool make_room(std::int64_t numbers);

    std::vector<std::unique_ptr<KvCache>> caches_;  // null where one was freed
    FloatBuffer rows_;
    std::vector<std::uint8_t> mask_;
    int num_rows_ = 0;
    std::int64_t bytes_wanted_ = 0;
};

}  // namespace attn
