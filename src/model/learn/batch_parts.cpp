// Cuts, computes, adds.
#include "model/learn/batch_parts.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// Texts `part * size` to at most `(part + 1) * size` of the batch.
TextBatch part_of_batch(const TextBatch& batch, int part, int size) {
    const int first = part * size, count = std::min(size, batch.num_texts - first);
    const auto ids_a_text = static_cast<std::ptrdiff_t>(batch.num_tokens) + 1;
    const auto begin = batch.ids.begin() + first * ids_a_text;
    return {.num_texts = count, .num_tokens = batch.num_tokens, .ids = {begin, begin + count * ids_a_text}};
}

}  // namespace

void WorkRunner::operator()(int count, const std::function<void(int number, int worker)>& work) const {
    if (run) return run(count, work);
    for (int number = 0; number < count; ++number) work(number, 0);
}

BatchParts::BatchParts(const LearnedLayout& layout, int texts_a_part, WorkRunner runner)
    : texts_a_part_(texts_a_part), runner_(std::move(runner)) {
    for (int worker = 0; worker < runner_.num_workers; ++worker) passes_.emplace_back(layout);
}

int BatchParts::part_size(const TextBatch& batch) const {
    return texts_a_part_ > 0 ? std::min(texts_a_part_, batch.num_texts) : batch.num_texts;
}

double BatchParts::run(std::span<const float> numbers, const TextBatch& batch, std::span<float> gradients) {
    const int size = part_size(batch), num_parts = (batch.num_texts + size - 1) / size;
    gradients_.resize(static_cast<std::size_t>(num_parts) - 1);
    for (std::vector<float>& one : gradients_) one.resize(gradients.size());
    std::vector<double> losses(static_cast<std::size_t>(num_parts));
    runner_(num_parts, [&](int part, int worker) {
        const TextBatch texts = part_of_batch(batch, part, size);
        const std::span<float> own = part == 0 ? gradients : gradients_[static_cast<std::size_t>(part) - 1];
        const double loss = passes_[static_cast<std::size_t>(worker)].run(numbers, texts, own, batch.num_texts);
        losses[static_cast<std::size_t>(part)] = num_parts == 1 ? loss : loss * texts.num_texts / batch.num_texts;
    });
    double loss = 0;
    for (const double one : losses) loss += one;
    // Each worker adds the parts of a stretch of the numbers: each number still has its parts added in their order.
    const std::size_t stretch = gradients.size() / static_cast<std::size_t>(runner_.num_workers) + 1;
    runner_(gradients_.empty() ? 0 : runner_.num_workers, [&](int number, int) {
        const std::size_t begin = std::min(static_cast<std::size_t>(number) * stretch, gradients.size()),
                          end = std::min(begin + stretch, gradients.size());
        for (const std::vector<float>& part : gradients_) {
            for (std::size_t n = begin; n < end; ++n) gradients[n] += part[n];
        }
    });
    return loss;
}

std::vector<float> BatchParts::token_losses(std::span<const float> numbers, const TextBatch& batch) {
    const int size = part_size(batch), num_parts = (batch.num_texts + size - 1) / size;
    std::vector<float> all(static_cast<std::size_t>(batch.num_texts) * static_cast<std::size_t>(batch.num_tokens));
    runner_(num_parts, [&](int part, int worker) {
        BatchPass& pass = passes_[static_cast<std::size_t>(worker)];
        pass.loss(numbers, part_of_batch(batch, part, size));
        const std::span<const float> own = pass.token_losses();
        std::copy(own.begin(), own.end(), all.begin() + std::ptrdiff_t{part} * size * batch.num_tokens);
    });
    return all;
}

}  // namespace attn
