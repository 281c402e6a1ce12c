// Who voted for the next word: a logit taken apart into what each head, each MLP and the embeddings add to it. The
// stream is a sum, and with the last norm's mean and scale held fixed a logit is linear in it, so the parts add up to
// the logit exactly, but for rounding; so with norms of what heads and MLPs add, and what a cap takes is a part, too
// (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits").
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/layers/model_run.h"

namespace attn {

struct Vote {
    enum class From { embeddings, head, attention_bias, mlp, final_bias, cap } from = From::embeddings;
    int layer = 0, head = 0;  // where the part has them
    double logit = 0;         // what it adds
};

struct Votes {
    std::vector<Vote> votes;  // layer after layer; heads that are off with what they hand on instead
    double sum = 0;           // of all votes
    double logit = 0;         // what the model computes
};

// Why a model's logits cannot be taken apart, in a sentence: it has none, or norms come after the sums (BERT). Empty
// where they can.
std::string find_votes_problem(const ModelConfig& config, const ModelWeights& weights);

// What somebody adds to the stream at one token.
struct StreamPart {
    Vote::From from = Vote::From::embeddings;
    int layer = 0, head = 0;
    std::vector<double> added;  // (width)
};

// What a layer's heads add to its stream at token `row`, heads that are off with what they hand on instead, and the
// bias of its output projection, where it has one; through the norm of what the attention adds, where there is one.
// Together they are attention_added, but for rounding. The layer's output matrix is in memory.
std::vector<StreamPart> parts_of_attention(const Model& model, int layer, const LayerTrace& trace, int row);

// What each part adds to the stream at one token, in the order of `Votes::votes`. Made layer after layer, while their
// numbers are there; then the logit of any token can be taken apart.
class StreamParts {
public:
    // find_votes_problem has nothing against the model. `embedded` is row `row` of the stream before the first layer.
    StreamParts(const Model& model, int row, std::span<const float> embedded);
    // The next layer, complete.
    void add_layer(const Model& model, const LayerTrace& trace);
    // Of the stream after the last layer and of the same after the last norm, row `row` of both; all layers are added.
    Votes votes_for(const Model& model, std::span<const float> stream, std::span<const float> final_stream,
                    int token) const;
    int row() const { return row_; }

private:
    int row_;
    int num_layers_ = 0;
    std::vector<StreamPart> parts_;
};

// The logit of `token` as the one after position `row`. `run` is done. In double from the floats that the model
// computed: sum and logit differ by their rounding, about 1e-6 of the largest vote times the number of layers.
Votes votes_for(const Model& model, const ModelRun& run, int row, int token);

// -log of the probability of each `target` as the token after its row, and their mean: the loss that a role's words
// cost. With heads switched off in the run's input, how much it rises says what the head is needed for.
struct Target {
    int row = 0, token = 0;
};
double mean_loss(const Model& model, const ModelRun& run, const std::vector<Target>& targets);

}  // namespace attn
