// One short number for all the numbers of a link. Two people with the same link compare 16 digits and know that their
// machines computed the same, to the last bit; where a bit differs, so does the digest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "playground/numbers/evaluation.h"
#include "playground/numbers/trace_walk.h"
#include "playground/state/state.h"

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

// Hashes what a walk shows it: for each sentence the number of tokens T; unless it is 0, for each stage the bytes
// of its name, its sizes (stage_shape), its numbers.
class DigestVisitor : public TraceVisitor {
public:
    explicit DigestVisitor(Hash& hash) : hash_(hash) {}
    void begin_sentence(const Evaluation& evaluation) override;
    void begin_stage(const Evaluation& evaluation, TensorId stage) override;
    void add_rows(const Evaluation& evaluation, const Matrix& rows) override;

private:
    Hash& hash_;
};

// The digest of the legal inputs, made in slices: of all sentences with all their stages, in the order of TraceWalk.
class DigestWork {
public:
    DigestWork() = default;  // of no sentence: done
    explicit DigestWork(Inputs inputs);

    // As TraceWalk::advance.
    bool advance(std::int64_t multiply_adds, const Evaluation* known = nullptr, int known_sentence = -1);

    double share_done() const { return walk_.share_done(); }  // 0 to 1
    std::uint64_t digest() const { return hash_.value(); }
    const Inputs& inputs() const { return walk_.inputs(); }

private:
    TraceWalk walk_;
    Hash hash_;
};

// The same at once.
std::uint64_t digest_of(const Inputs& inputs);

// 16 hexadecimal digits.
std::string digest_text(std::uint64_t digest);

}  // namespace attn
