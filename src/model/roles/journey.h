// The journey of one token: its row of every stage of every layer, how long each row is, and what heads and MLPs add to
// its residual stream on the way. The stream is a sum (Elhage et al. 2021, "A Mathematical Framework for Transformer
// Circuits"): what each part adds has a length, and a part of that length lies along the sum; the latter add up to the
// sum's own length.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "model/layers/model_run.h"
#include "model/roles/lens.h"

namespace attn {

// The token's row of one stage; of a stage with heads those of all heads side by side.
struct JourneyStop {
    TensorId stage = {};
    TensorId shown = {};     // the stage that a layer's table has it as: attention_added may be output there
    int num_heads = 1;       // rows side by side, of the same size: heads, or heads of keys and values
    double length = 0;       // √(sum of squares); of a stage over keys 0
    std::vector<float> row;  // empty where its layer is not the open one; -inf where a key is hidden
};

// What somebody adds to a sum.
struct JourneyShare {
    enum class From { token, position, type, stream, head, bias, mlp } from = From::stream;
    int head = 0;
    double length = 0;                  // of what is added
    double along = 0;                   // of that, what lies in the direction of the sum; below 0: against it
    std::optional<int> most_seen = {};  // the token that the head gives most weight; nothing where it sees none
    float weight = 0;                   // that weight
    bool is_off = false;                // of a head: what it hands on instead
    std::vector<float> added = {};      // (width); empty where the sum's layer is not the open one
};

// A sum that becomes the stream.
struct JourneySum {
    TensorId result = {};    // before (of the first layer), middle or after
    bool is_normed = false;  // a norm makes the stream of the sum, as in BERT
    double length = 0;       // of the sum, before that norm: what all `along` add up to, but for rounding
    std::vector<JourneyShare> shares;
};

struct JourneyLayer {
    LayerParts parts;                               // by which its stages are made
    std::vector<JourneyStop> stops;                 // in the order they are computed, from `before` to `after`
    std::vector<JourneySum> sums;                   // that become middle and after; without an MLP one
    const JourneyStop* find(TensorId stage) const;  // null where the layer does not have it
    const JourneyStop& attention() const;           // what its attention adds to the stream
    const JourneyStop* mlp() const;                 // the same of its MLP; null where it has none
    const JourneyStop& last() const { return stops.back(); }  // the stream that goes out
};

// In slices: layer after layer, then which word the stream would give after each (roles/lens.h).
class JourneyWork {
public:
    // The run's token `row`. `layer` is open: its rows are kept.
    JourneyWork(std::shared_ptr<ModelRun> run, int row, int layer);

    // Goes on for about `multiply_adds`. Returns is_done(). Where numbers come in parts that are not there it waits.
    bool advance(std::int64_t multiply_adds);
    bool is_done() const;

    // Opens another layer, whose rows are computed again.
    void open_layer(int layer);

    int row() const { return row_; }
    int layer() const { return layer_; }
    bool has_open_layer() const;  // whether its rows are there
    const ModelRun& run() const { return *run_; }
    // How the first stream is made of the token's vector; nothing until it is there.
    const std::optional<JourneySum>& embedded() const { return embedded_; }
    // The stream before the first layer, (width); empty until it is there. After layer l: of layers()[l].
    const std::vector<float>& first_stream() const { return first_stream_; }
    const std::vector<JourneyLayer>& layers() const { return layers_; }  // those that are done
    const std::vector<JourneyStop>& end() const { return end_; }         // final_stream, logit_input; once layers are
    const LensWork* lens() const { return lens_ ? &*lens_ : nullptr; }   // null: the model has no head
    ModelProgress progress() const;

private:
    bool find_embedded();
    std::optional<JourneyLayer> next_layer(int layer, std::int64_t multiply_adds);
    void finish_layers();

    std::shared_ptr<ModelRun> run_;
    int row_, layer_;
    std::optional<JourneySum> embedded_;
    std::vector<float> first_stream_;
    std::vector<JourneyLayer> layers_;
    std::vector<JourneyStop> end_;
    std::optional<LayerWork> work_;  // of the layer that is computed now
    std::optional<LensWork> lens_;
};

}  // namespace attn
