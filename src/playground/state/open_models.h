// The models whose numbers are in memory, by name. A state holds a name alone; whoever needs more of the model finds it
// here. Knows no files and no layers: playground/models opens a model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention.h"
#include "core/graph/explanation.h"
#include "core/words/tokens.h"
#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

// What a model fixes of a state.
struct ModelShape {
    std::string kind;  // "GPT-2"
    int num_layers = 1;
    int width = 1;         // of the residual stream: d_in
    int num_heads = 1;     // a layer
    int num_kv_heads = 1;  // divides num_heads
    int head_dim = 1;
    int max_tokens = 1;
    Mask mask = Mask::causal;
    Scale scale = Scale::sqrt;
    double temperature = 1;  // of the scores
    double score_cap = 0;
    bool has_alibi = false;
    std::vector<int> windows;  // [num_layers], keys that a query sees; 0: all
    bool has_bias = false;     // of queries, keys and values
    bool has_mlp = true;
    bool has_out = true;  // the output projection is as wide as the stream, and is a stage
};

// One layer of a text, computed in slices: the layers below it first, then its attention's problem, and where somebody
// asks for it what stands around the attention.
class ModelLayerWork {
public:
    ModelLayerWork() = default;
    ModelLayerWork(const ModelLayerWork&) = delete;
    ModelLayerWork& operator=(const ModelLayerWork&) = delete;
    virtual ~ModelLayerWork() = default;

    // Goes on for about `multiply_adds`. Returns whether all is there.
    virtual bool advance(std::int64_t multiply_adds) = 0;
    virtual std::int64_t multiply_adds_left() const = 0;  // about
    // X, the matrices and the mask of the layer, once all is there. To be called once.
    virtual AttentionProblem take() = 0;

    // Once its attention is computed: the same for what stands around it. Takes what was spent from `multiply_adds`.
    // Null until all of it is there.
    virtual std::shared_ptr<const BlockStages> advance_block(const AttentionTrace& attention,
                                                             std::int64_t& multiply_adds) = 0;
    // The steps to a number that the attention alone does not explain: of the block, whose stages are there, of the
    // attention's input, and of queries, keys and values. `stage` is there, and the cell inside of it.
    virtual Explanation explain(const AttentionProblem& problem, const AttentionTrace& attention, TensorId stage,
                                int head, int row, int column) const = 0;
};

class OpenModel {
public:
    OpenModel() = default;
    OpenModel(const OpenModel&) = delete;
    OpenModel& operator=(const OpenModel&) = delete;
    virtual ~OpenModel() = default;

    virtual const std::string& name() const = 0;
    virtual const ModelShape& shape() const = 0;

    // A text as the model's tokens: those that it knows, at most max_tokens. Tokens that the model puts around a text
    // ("[CLS]") have no bytes.
    virtual Tokens tokenize(std::string_view text) const = 0;
    // Words that the model does not know, and numbers of it that are none.
    virtual Notes notes_on(std::string_view text) const = 0;

    // Bytes that the layers of a text of so many tokens take, at most: what they leave for other layers and later
    // tokens, and the layer that is being computed. The numbers of the shown layer's attention do not count.
    virtual std::int64_t bytes_of_layers(const Inputs& inputs, int num_tokens) const = 0;

    // What inputs.layer has around its attention.
    virtual BlockParts block_of(const Inputs& inputs) const = 0;

    // The attention of inputs.layer on a sentence with at least one token. The inputs are legal and name this model.
    virtual std::shared_ptr<ModelLayerWork> begin_layer(const Inputs& inputs, int sentence) const = 0;

    // Whether work on it stands still until bytes of its files are brought.
    virtual bool is_waiting() const { return false; }
    // Why its files cannot be read any more: it is to be closed. Empty while they can.
    virtual std::string problem() const { return ""; }
};

// The model of this name; null where it is not open.
std::shared_ptr<const OpenModel> find_open_model(std::string_view name);
// That of a state: null without one, too.
inline std::shared_ptr<const OpenModel> open_model_of(const Inputs& inputs) {
    return inputs.model.empty() ? nullptr : find_open_model(inputs.model);
}

// Counts what was opened and closed: numbers that were computed at another count are out of date. States that name a
// model are to be made legal once it is open.
int num_model_changes();

// Keeps it open, in the place of one with the same name.
void keep_model_open(std::shared_ptr<const OpenModel> model);
void close_model(std::string_view name);

std::vector<std::shared_ptr<const OpenModel>> open_models();

// Whether work on any of them stands still until bytes are brought; on that of a state.
bool waits_for_models();
bool waits_for_model(const Inputs& inputs);

}  // namespace attn
