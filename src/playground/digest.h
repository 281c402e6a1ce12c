// One short number for all the numbers of a link. Two people with the same link compare 16 digits and know that their
// machines computed the same, to the last bit; where a bit differs, so does the digest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/evaluation.h"
#include "playground/state.h"

namespace attn {

// A running hash of 32-bit words: xor, times an odd number, xor of the upper half onto the lower. Each step can be
// undone, so two streams that differ in one word always differ in the end. No cryptography.
class Hash {
public:
    void add(std::uint32_t word) {
        value_ = (value_ ^ word) * kFactor;
        value_ ^= value_ >> 32;
    }
    void add(std::string_view text);           // a word a byte
    void add(std::span<const float> numbers);  // their bits; each NaN as 0x7fc00000, whatever its bits
    std::uint64_t value() const { return value_; }

private:
    static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio
    std::uint64_t value_ = 1;
};

// The digest of the legal inputs, made in slices. Into the hash go, sentence by sentence: the number of tokens T;
// unless it is 0, for each stage (present_stages) the bytes of its name, its sizes (stage_shape), its numbers in that
// order, as stage_matrix has them. Of an own evaluation of each sentence no more than one is in memory.
class DigestWork {
public:
    DigestWork() { inputs_.texts.clear(); }  // of no sentence: done
    explicit DigestWork(Inputs inputs);

    // Goes on for about `multiply_adds`. `known`, if not null, is the complete evaluation of sentence `known_sentence`
    // of the same inputs and is used instead of computing it again. Returns is_done().
    bool advance(std::int64_t multiply_adds, const Evaluation* known = nullptr, int known_sentence = -1);

    // Adds the next sentence whole, by its complete evaluation.
    void add_sentence(const Evaluation& evaluation);

    bool is_done() const { return sentence_ == static_cast<int>(inputs_.texts.size()); }
    double share_done() const;  // 0 to 1
    std::uint64_t digest() const { return hash_.value(); }
    const Inputs& inputs() const { return inputs_; }

private:
    std::int64_t add_rows(const Evaluation& evaluation);
    void end_sentence();

    Inputs inputs_;
    Hash hash_;
    int sentence_ = 0;
    CachedEvaluation own_;                // of a sentence that nobody knew
    std::int64_t done_ = 0, in_all_ = 0;  // multiply-adds, without those of own_
    std::vector<TensorId> stages_;
    std::size_t stage_ = 0;   // of them, the next,
    int head_ = 0, row_ = 0;  // and where in it
};

// The same at once.
std::uint64_t digest_of(const Inputs& inputs);

// 16 hexadecimal digits.
std::string digest_text(std::uint64_t digest);

}  // namespace attn
