// See digest.h.
#include "playground/digest.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/check.h"
#include "core/score_rows.h"

namespace attn {
namespace {

constexpr int kRowsAtOnce = 64;
constexpr std::int64_t kHashing = 4;  // multiply-adds that take as long as a word of the hash, about
constexpr std::int64_t kAll =
    std::numeric_limits<std::int64_t>::max() / 2;  // multiply-adds: more than any evaluation has

// Rows `first` to `end` of a stage: (end - first, columns).
Matrix stage_rows(const Evaluation& evaluation, TensorId stage, int head, int first, int end) {
    const Extent extent = stage_extent(evaluation.sizes, stage);
    Matrix rows = zeros<Matrix>(end - first, extent.columns);
    if (is_score_row(stage)) {
        make_score_rows(*evaluation.problem, evaluation.trace, stage, head, first, end, elements(rows));
        return rows;
    }
    for (int i = first; i < end; ++i) {
        const Vector row = stage_row(*evaluation.problem, evaluation.trace, stage, head, i);
        std::copy(row.begin(), row.end(), row_of(rows, i - first).begin());
    }
    return rows;
}

// What it costs to have a row of a stage and to put it into the hash, in multiply-adds.
std::int64_t row_cost(const Evaluation& evaluation, TensorId stage) {
    const bool is_derived = is_score_row(stage) && stage != TensorId::weights && stage != TensorId::dropped_weights;
    const int columns = stage_extent(evaluation.sizes, stage).columns;
    return std::int64_t{columns} * (kHashing + (is_derived ? evaluation.sizes.head_dim() : 0));
}

// Of all stages of a sentence.
std::int64_t sentence_cost(const Inputs& inputs, std::size_t sentence) {
    Evaluation evaluation;
    evaluation.sizes = sizes_of(inputs, count_tokens(inputs, sentence));
    std::int64_t cost = 0;
    for (const TensorId stage : present_stages(inputs)) {
        const int num_heads = stage_info(stage).has_heads ? inputs.num_heads : 1;
        cost += row_cost(evaluation, stage) * num_heads * evaluation.sizes.num_tokens;
    }
    return cost;
}

}  // namespace

void Hash::add(std::string_view text) {
    for (const char byte : text) add(std::uint32_t{static_cast<unsigned char>(byte)});
}

void Hash::add(std::span<const float> numbers) {
    constexpr std::uint32_t kNan = 0x7fc00000U;
    for (const float number : numbers) add(number == number ? std::bit_cast<std::uint32_t>(number) : kNan);
}

DigestWork::DigestWork(Inputs inputs) : inputs_(std::move(inputs)), stages_(present_stages(inputs_)) {
    for (std::size_t s = 0; s < inputs_.texts.size(); ++s) in_all_ += sentence_cost(inputs_, s);
}

bool DigestWork::advance(std::int64_t multiply_adds, const Evaluation* known, int known_sentence) {
    std::int64_t left = multiply_adds;
    while (!is_done() && left > 0) {
        const Evaluation* evaluation = known_sentence == sentence_ ? known : nullptr;
        if (evaluation == nullptr) {
            own_.begin(inputs_, sentence_, 0);
            if (!own_.evaluation().is_complete() && !own_.advance(left)) return false;
            evaluation = &own_.evaluation();
        }
        ATTN_CHECK(evaluation->is_complete(), "the evaluation of sentence ", sentence_, " is not complete");
        const std::int64_t cost = add_rows(*evaluation);
        done_ += cost;
        left -= cost;
    }
    return is_done();
}

void DigestWork::add_sentence(const Evaluation& evaluation) {
    const int sentence = sentence_;
    ATTN_CHECK(!is_done() && evaluation.is_complete(), "sentence ", sentence, " cannot be added");
    while (sentence_ == sentence) done_ += add_rows(evaluation);
}

// Adds the next rows of the sentence, with what stands before them. Returns what it cost.
std::int64_t DigestWork::add_rows(const Evaluation& evaluation) {
    const auto num_tokens = static_cast<std::uint32_t>(evaluation.num_tokens());
    if (stage_ == 0 && head_ == 0 && row_ == 0) hash_.add(num_tokens);
    if (num_tokens == 0) {
        end_sentence();
        return 0;
    }
    const TensorId stage = stages_[stage_];
    const int num_heads = stage_info(stage).has_heads ? evaluation.sizes.num_heads : 1;
    if (head_ == 0 && row_ == 0) {
        hash_.add(tensor_name(stage));
        for (const int size : stage_shape(evaluation, stage)) hash_.add(static_cast<std::uint32_t>(size));
    }
    const int end = std::min(row_ + kRowsAtOnce, evaluation.num_tokens());
    const Matrix rows = stage_rows(evaluation, stage, head_, row_, end);
    hash_.add(elements(rows));
    const std::int64_t cost = (end - row_) * row_cost(evaluation, stage);
    row_ = end < evaluation.num_tokens() ? end : 0;
    if (row_ == 0) head_ = head_ + 1 < num_heads ? head_ + 1 : 0;
    if (row_ == 0 && head_ == 0 && ++stage_ == stages_.size()) end_sentence();
    return cost;
}

void DigestWork::end_sentence() {
    ++sentence_;
    stage_ = 0;
    own_ = CachedEvaluation();
}

double DigestWork::share_done() const {
    return is_done() ? 1 : static_cast<double>(done_) / static_cast<double>(std::max<std::int64_t>(in_all_, 1));
}

std::uint64_t digest_of(const Inputs& inputs) {
    DigestWork work(inputs);
    while (!work.advance(kAll)) continue;
    return work.digest();
}

std::string digest_text(std::uint64_t digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = kDigits[digest >> (60 - 4 * i) & 15];
    return text;
}

}  // namespace attn
