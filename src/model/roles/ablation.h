// Ablation: the probabilities of the next word when heads are switched off, to find the heads that decide it. Each head
// by itself, and each two heads of the last layer (Michel et al. 2019, "Are sixteen heads really better than one?").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/layers/model_run.h"

namespace attn {

// Probabilities of each token of the vocabulary after one row of a text.
struct Ablations {
    int num_layers = 0, num_heads = 0;
    std::vector<float> whole;               // with no head off
    std::vector<std::vector<float>> alone;  // [layer * num_heads + head]: with that head off
    std::vector<std::vector<float>> pairs;  // two heads of the last layer off, in the order of pair_index

    const std::vector<float>& without(int layer, int head) const {
        return alone[static_cast<std::size_t>(layer * num_heads + head)];
    }
    const std::vector<float>& without_pair(int first, int second) const {
        return pairs[static_cast<std::size_t>(pair_index(first, second))];
    }
    // 0 <= first < second < num_heads
    static int pair_index(int first, int second) { return second * (second - 1) / 2 + first; }
    bool operator==(const Ablations&) const = default;
};

// Multiply-adds of all ablations of a text, about, and how many probabilities they give.
double ablation_cost(const Model& model, int num_tokens);
double ablation_numbers(const ModelConfig& config);

class AblationWork {
public:
    // The model stays where it is and has an unembedding; 0 <= row < input.num_tokens(). Heads that are off in the
    // input are on; its edits stay.
    AblationWork(const Model& model, ModelInput input, int row);

    // Goes on for about `multiply_adds`. Returns whether all is there.
    bool advance(std::int64_t multiply_adds);
    const Ablations& result() const { return result_; }

private:
    void begin_next();

    std::shared_ptr<ModelRun> whole_;  // with no head off: the others begin where it was before their heads
    int row_ = 0;
    std::vector<std::vector<HeadOff>> waiting_;  // the last one next; then all are done
    std::optional<RowLogits> logits_;
    Ablations result_;
};

// The heads of a layer that decide a word, and its probability with and without them.
struct DecidingHeads {
    std::vector<int> heads;  // one, or two of the last layer; in order
    double before = 0, after = 0;

    double lost() const { return before - after; }
    bool decides() const;
};
// Heads decide a word whose probability falls by this share of itself without them.
inline constexpr double kDecidingShare = 0.25;

// The head of the layer without which the word's probability falls most, the first of equals; where it falls by less
// than kDecidingShare, the two heads without which it falls most, if the layer is the last one.
DecidingHeads deciding_heads(const Ablations& ablations, int layer, int token);

}  // namespace attn
