// A batch in parts of some texts each, which may be computed at the same time. The gradients of the parts are added in
// the order of the parts: the same bits however many are computed at a time, and on however many threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/learn/batch_pass.h"

namespace attn {

// Calls work(number, worker) for each number below `count`. Workers are numbered from 0; two calls with the same worker
// never happen at the same time. This room has no threads: who has some hands in a runner.
struct WorkRunner {
    int num_workers = 1;
    // Empty: one call after the other.
    std::function<void(int count, const std::function<void(int number, int worker)>& work)> run = {};

    void operator()(int count, const std::function<void(int number, int worker)>& work) const;
};

class BatchParts {
public:
    // `texts_a_part`: 0 for all texts in one part.
    BatchParts(const LearnedLayout& layout, int texts_a_part, WorkRunner runner = {});

    // As BatchPass::run. With one part, the same bits.
    double run(std::span<const float> numbers, const TextBatch& batch, std::span<float> gradients);

    // -ln(probability) of the next token at each token, text after text.
    std::vector<float> token_losses(std::span<const float> numbers, const TextBatch& batch);

private:
    int part_size(const TextBatch& batch) const;

    int texts_a_part_;
    WorkRunner runner_;
    std::vector<BatchPass> passes_;              // one for each worker
    std::vector<std::vector<float>> gradients_;  // of each part but the first
};

}  // namespace attn
