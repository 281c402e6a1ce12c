// attention() of the module (src/engine_module.cpp): arguments as plain arrays, any stages as plain arrays. Knows no
// JavaScript. Whoever calls has checked shapes and ranges; what does not fit into memory is refused before any of it is
// allocated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/attention/attention.h"
#include "core/fast/attend.h"
#include "core/fast/dense_attention.h"
#include "playground/state/shapes.h"

namespace attn {

// The tensors that may be left out, as bits.
enum class Given : unsigned { w_out = 1, b_query = 2, b_key = 4, b_value = 8, b_out = 16, mask = 32 };

// Places of stages in an answer: attention() leaves those of rotary positions and ALiBi empty.
inline constexpr std::size_t kNumStages = 16;
static_assert(static_cast<std::size_t>(TensorId::output) + 1 == kNumStages);

// Stages of attention() as bits; what is none of its stages has no bit.
using StageSet = std::uint64_t;
constexpr StageSet bit_of(TensorId stage) {
    const auto n = static_cast<std::size_t>(stage);
    return n < kNumStages ? StageSet{1} << n : 0;
}

// How many numbers a stage has, and these stages together.
std::int64_t count_numbers(const Sizes& sizes, TensorId stage);
std::int64_t count_numbers(const Sizes& sizes, StageSet stages);

// Bytes that attend() of these sizes takes beside embeddings and matrices, and copies of the wanted stages.
std::int64_t attention_bytes(const Sizes& sizes, bool has_dropout, StageSet stages);

class EngineAttention {
public:
    // Where the arguments belong. Absent tensors have no place.
    struct Arguments {
        std::array<float*, 9> tensors;  // x, w_query, w_key, w_value, w_out, b_query, b_key, b_value, b_out
        std::uint8_t* mask;
    };
    enum class Outcome { done, no_room, blind_query };

    // Makes room for the arguments: sizes of at least 1, num_heads divides d_out, num_kv_heads num_heads; `given` are
    // bits of Given. False when there is no room. All arguments are to be written anew.
    bool prepare(const Sizes& sizes, unsigned given);
    Arguments arguments();

    // Computes the wanted stages, at least one, which must exist for these settings. The heads of the settings do
    // not count, those of prepare() do. `matrices`: DenseProblem::matrices.
    Outcome attend(const AttentionSettings& settings, StageSet stages, int matrices);

    // The problem of these settings with its whole mask, for whoever works on it elsewhere. Nothing, with
    // blind_query(), where a query sees no key.
    std::optional<AttentionProblem> problem(const AttentionSettings& settings);

    // The wanted stages of the last attend(), each whole; null for the others. Good until the next call of prepare() or
    // attend().
    const std::array<const float*, kNumStages>& stages() const { return stages_; }
    // Another number whenever the stages are elsewhere, or others, than after the attend() before.
    int layout() const { return layout_; }
    // The first query whose keys are all hidden, after Outcome::blind_query.
    int blind_query() const { return blind_query_; }
    Sizes sizes() const;
    // What the call that found no room would have taken.
    std::int64_t bytes_wanted() const { return bytes_wanted_; }

private:
    void take_settings(const AttentionSettings& settings);
    bool make_room(std::int64_t bytes);
    bool hide_later_keys();
    bool attend_fast(StageSet stages, int matrices);
    bool attend_slow(StageSet stages);

    AttentionProblem problem_;  // the arguments are written straight into it
    bool has_mask_ = false;
    std::unique_ptr<DenseAttention> dense_ = std::make_unique<DenseAttention>();
    FlagCube keep_;  // dropout's keep mask for the fast way
    Vector copies_;  // the wanted stages, one after the other, of the slow way
    std::array<const float*, kNumStages> stages_ = {};
    int layout_ = 0;
    int blind_query_ = 0;
    std::int64_t bytes_wanted_ = 0;
};

}  // namespace attn
