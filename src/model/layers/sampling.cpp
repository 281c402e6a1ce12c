// Sorting is stable, so equal logits fall out in the order of the tokens.
#include "model/layers/sampling.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/layers/model_run.h"

namespace attn {

std::vector<float> sampling_probabilities(std::span<const float> logits, const Sampling& sampling) {
    ATTN_CHECK(sampling.temperature > 0 && sampling.top_p > 0 && sampling.top_k >= 0, "temperature ",
               sampling.temperature, ", top_k ", sampling.top_k, ", top_p ", sampling.top_p);
    std::vector<float> left(logits.begin(), logits.end());
    const std::size_t size = left.size();
    if (sampling.top_k > 0 && static_cast<std::size_t>(sampling.top_k) < size) {
        std::vector<float> sorted = left;
        const auto last = sorted.begin() + sampling.top_k - 1;
        std::nth_element(sorted.begin(), last, sorted.end(), [](float a, float b) { return a > b; });
        for (float& logit : left) logit = logit < *last ? -std::numeric_limits<float>::infinity() : logit;
    }
    for (float& logit : left) logit /= static_cast<float>(sampling.temperature);
    std::vector<float> probabilities = probabilities_of(left);
    if (sampling.top_p >= 1) return probabilities;
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
    double sum = 0;
    for (const std::size_t token : order) {
        if (sum >= sampling.top_p) left[token] = -std::numeric_limits<float>::infinity();
        sum += static_cast<double>(probabilities[token]);
    }
    return probabilities_of(left);
}

int draw_token(std::span<const float> probabilities, TorchGenerator& generator) {
    int best = 0;
    float most = -1;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        const auto q = static_cast<float>(-portable::log(1 - generator.uniform53()));
        const float share = probabilities[i] / q;
        if (share > most) {
            most = share;
            best = static_cast<int>(i);
        }
    }
    return best;
}

int next_token(std::span<const float> logits, const Sampling& sampling, TorchGenerator& generator) {
    ATTN_CHECK(!logits.empty(), "no logits");
    if (sampling.temperature == 0)
        return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    return draw_token(sampling_probabilities(logits, sampling), generator);
}

}  // namespace attn
