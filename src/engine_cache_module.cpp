// What the engine's second file has for caches of keys and values: plain arrays in, the new rows out; and a link's
// sentence token by token.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine_cache.h"
#include "engine_module.h"
#include "playground/cache/cache_print.h"
#include "playground/link/state_url.h"
#include "playground/numbers/memory_needs.h"

namespace attn {
namespace {

// What web/engine/cache.js reads after a call, as 32-bit words at a fixed address. Null for what is absent.
struct CacheAnswer {
    float* rows;         // where new tokens belong
    std::uint8_t* mask;  // and what they do not see
    std::int32_t num_tokens;
    // Of the new tokens: queries, keys and values with their heads side by side, weights (heads, new, tokens), context,
    // output.
    std::array<const float*, 6> stages;
};

struct Caches {
    EngineCaches caches;
    CacheAnswer answer = {};
};

Caches& caches() {
    static Caches only;
    return only;
}

void follow_link(std::string_view link) {
    if (!has_room_or_tells(reading_bytes(link))) return;
    const ReadLink read = read_link(link);
    const Inputs& inputs = read.state.inputs;
    const int shown = read.state.view.sentence;
    const int num_tokens = count_tokens(inputs, static_cast<std::size_t>(shown));
    if (num_tokens == 0) return keep_error("the link's sentence has no tokens: there is nothing to keep in a cache");
    if (!has_room_or_tells(3 * bytes_needed(inputs, num_tokens))) return;
    keep_text(cache_as_json(read.state, evaluate(inputs, shown), read.notes));
}

}  // namespace
}  // namespace attn

extern "C" {

// Where an answer is: see CacheAnswer.
const void* engine_cache_answer() {
    return &attn::caches().answer;
}

// EngineCaches::begin with the matrices of engine_prepare. Returns the cache's number; 0 when there is no room.
int engine_cache_begin(int scale, double temperature, int mask_at) {
    attn::EngineCaches& caches = attn::caches().caches;
    const attn::AttentionSettings settings = attn::settings_of_call(1, scale, temperature, mask_at, 0, 0);
    const int cache = caches.begin(attn::engine_attention(), settings);
    if (cache == 0) attn::keep_missing(caches.bytes_wanted());
    return cache;
}

// EngineCaches::make_rows. Returns 0 when there is no room.
int engine_cache_rows(int cache, int count, int has_mask) {
    attn::Caches& c = attn::caches();
    if (!c.caches.make_rows(cache, count, has_mask != 0)) {
        attn::keep_missing(c.caches.bytes_wanted());
        return 0;
    }
    c.answer.rows = c.caches.rows();
    c.answer.mask = c.caches.mask();
    return 1;
}

// EngineCaches::take_in, after an engine_cache_rows() that returned 1. Returns 0 when the cache is gone.
int engine_cache_append(int cache, int is_causal, int wants_weights) {
    attn::Caches& c = attn::caches();
    if (!c.caches.take_in(cache, is_causal != 0, wants_weights != 0)) {
        attn::keep_missing(c.caches.bytes_wanted());
        return 0;
    }
    attn::KvCache& kv = c.caches.cache(cache);
    c.answer.num_tokens = kv.num_tokens();
    c.answer.stages = {kv.query(0),   kv.key(0),
                       kv.value(0),   wants_weights != 0 ? kv.weights(0, 0) : nullptr,
                       kv.context(0), kv.layer().w_out != nullptr ? kv.output(0) : nullptr};
    return 1;
}

// KvCache::forget_from.
void engine_cache_forget_from(int cache, int num_tokens) {
    attn::caches().caches.cache(cache).forget_from(num_tokens);
}

void engine_cache_free(int cache) {
    attn::caches().caches.free(cache);
}

// A link's sentence token by token as JSON text (cache_as_json); {"error": a sentence} for an empty one; an empty text
// when there is no room.
void engine_cache_of_link(const char* link, std::size_t link_size) {
    attn::follow_link({link, link_size});
}

}  // extern "C"
