// Feeds every number of every stage to one hash.
#include "playground/numbers/digest.h"

#include <bit>
#include <utility>

namespace attn {
namespace {

constexpr std::int64_t kHashing = 4;  // multiply-adds that take as long as a word of the hash, about

}  // namespace

void Hash::add(std::string_view text) {
    for (const char byte : text) add(std::uint32_t{static_cast<unsigned char>(byte)});
}

void Hash::add(std::span<const float> numbers) {
    constexpr std::uint32_t kNan = 0x7fc00000U;
    for (const float number : numbers) add(number == number ? std::bit_cast<std::uint32_t>(number) : kNan);
}

void DigestVisitor::begin_sentence(const Evaluation& evaluation) {
    hash_.add(static_cast<std::uint32_t>(evaluation.num_tokens()));
}

void DigestVisitor::begin_stage(const Evaluation& evaluation, TensorId stage) {
    hash_.add(tensor_name(stage));
    for (const int size : stage_shape(evaluation, stage)) hash_.add(static_cast<std::uint32_t>(size));
}

void DigestVisitor::add_rows(const Evaluation& /*evaluation*/, const Matrix& rows) {
    hash_.add(elements(rows));
}

DigestWork::DigestWork(Inputs inputs) : walk_(std::move(inputs), std::nullopt, kHashing) {}

bool DigestWork::advance(std::int64_t multiply_adds, const Evaluation* known, int known_sentence) {
    DigestVisitor visitor(hash_);
    return walk_.advance(visitor, multiply_adds, known, known_sentence);
}

std::uint64_t digest_of(const Inputs& inputs) {
    DigestWork work(inputs);
    while (!work.advance(kWholeWalk)) continue;
    return work.digest();
}

std::string digest_text(std::uint64_t digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = kDigits[digest >> (60 - 4 * i) & 15];
    return text;
}

}  // namespace attn
