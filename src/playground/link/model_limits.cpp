#include "playground/link/model_limits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/key_table.h"
#include "playground/link/model_keys.h"
#include "playground/state/open_models.h"

namespace attn {
namespace {

// Keys of numbers that stay the visitor's choice; a model decides all others.
constexpr std::array<std::string_view, 8> kChosen = {"text",  "edit", "target", "model",
                                                     "layer", "off",  "off_by", "patch"};

// Sorted, each once; where all heads of a layer are off no single one of it needs to be named.
void put_in_order(std::vector<HeadOff>& off) {
    std::sort(off.begin(), off.end());
    off.erase(std::unique(off.begin(), off.end()), off.end());
    int all_of = -1;  // the layer whose heads are all off: kEveryHead comes before its heads
    std::erase_if(off, [&](const HeadOff& one) {
        if (one.head == kEveryHead) all_of = one.layer;
        return one.head != kEveryHead && one.layer == all_of;
    });
}

// Apart, as what follows: most states have no model, and a first visit need not load this (tools/split.mjs).
[[gnu::noinline]] void clamp_without_model(Inputs& inputs, Notes& notes) {
    if (inputs.layer != 0) notes.push_back("layer set to 1: without a model there is one layer");
    if (!inputs.off.empty()) notes.push_back("off left out: heads are switched off in a model");
    if (std::erase_if(inputs.edits, [](const Edit& edit) { return edit.layer > 0; }) > 0)
        notes.push_back("edits of other layers left out: without a model there is one layer");
    inputs.layer = 0;
    inputs.off.clear();
}

// The inputs with what the model decides; what it has no word for is as by default.
Inputs with_fixed(const ModelShape& shape, const Inputs& inputs) {
    Inputs fixed;
    fixed.texts = inputs.texts;
    fixed.edits = inputs.edits;
    fixed.targets = inputs.targets;
    fixed.model = inputs.model;
    fixed.layer = inputs.layer;
    fixed.off = inputs.off;
    fixed.off_by = inputs.off_by;
    fixed.patches = inputs.patches;
    fixed.patched_from = inputs.patched_from;
    fixed.positions = shape.has_alibi ? Positions::alibi : Positions::none;
    fixed.d_in = shape.width;
    fixed.d_out = shape.num_heads * shape.head_dim;
    fixed.num_heads = shape.num_heads;
    fixed.num_kv_heads = shape.num_kv_heads == shape.num_heads ? 0 : shape.num_kv_heads;
    fixed.mask = shape.mask;
    fixed.mask_window = shape.windows[static_cast<std::size_t>(inputs.layer)];
    fixed.scale = shape.scale;
    fixed.temperature = shape.temperature;
    fixed.score_cap = shape.score_cap;
    fixed.bias = shape.has_bias;
    fixed.out = shape.has_out;
    return fixed;
}

// Where somebody had chosen another value, its key is named.
void clamp_fixed(const OpenModel& model, Inputs& inputs, Notes& notes) {
    const Inputs fixed = with_fixed(model.shape(), inputs);
    if (fixed == inputs) return;
    const PlaygroundState before = {.inputs = inputs, .view = {}}, after = {.inputs = fixed, .view = {}};
    NameList moved;
    for (const KeyInfo& info : key_table()) {
        const std::vector<std::string> chosen = info.write(before);
        if (info.decides_numbers && chosen != info.write(after) && chosen != info.write(PlaygroundState()))
            moved.add(info.key);
    }
    inputs = fixed;
    if (!moved.empty()) notes.push_back(concat(moved.text(), ": the model ", quoted(inputs.model), " decides"));
}

void clamp_layer(const ModelShape& shape, Inputs& inputs, Notes& notes) {
    const int layer = std::clamp(inputs.layer, 0, shape.num_layers - 1);
    if (layer != inputs.layer)
        notes.push_back(concat("layer set to ", layer + 1, ": the model ", quoted(inputs.model), " has ",
                               counted(shape.num_layers, "layer")));
    inputs.layer = layer;
    const auto num_edits =
        std::erase_if(inputs.edits, [&](const Edit& edit) { return edit.layer >= shape.num_layers; });
    if (num_edits > 0)
        notes.push_back(concat(counted(static_cast<std::int64_t>(num_edits), "edit"), " left out: the model ",
                               quoted(inputs.model), " has ", counted(shape.num_layers, "layer")));
    NameList absent;
    std::erase_if(inputs.off, [&](const HeadOff& off) {
        const bool is_there = off.layer < shape.num_layers && off.head < shape.num_heads;
        if (!is_there) absent.add(write_off({off}));
        return !is_there;
    });
    if (!absent.empty())
        notes.push_back(concat("off: ", absent.text(), " left out, the model ", quoted(inputs.model), " has ",
                               counted(shape.num_layers, "layer"), " of ", counted(shape.num_heads, "head")));
}

[[gnu::noinline]] void clamp_with_model(Inputs& inputs, Notes& notes) {
    if (inputs.model.size() > kMaxModelName || one_line(inputs.model) != inputs.model) {
        notes.push_back(concat("model left out: a model's name is one line of at most ", kMaxModelName, " bytes"));
        inputs.model.clear();
    }
    if (inputs.model.empty()) return clamp_without_model(inputs, notes);
    inputs.layer = std::clamp(inputs.layer, 0, kMaxLayers - 1);
    put_in_order(inputs.off);
    const std::shared_ptr<const OpenModel> model = find_open_model(inputs.model);
    if (!model) return;
    clamp_layer(model->shape(), inputs, notes);
    clamp_fixed(*model, inputs, notes);
}

}  // namespace

void clamp_model(Inputs& inputs, Notes& notes) {
    if (!inputs.model.empty()) return clamp_with_model(inputs, notes);
    const bool has_layers =
        std::any_of(inputs.edits.begin(), inputs.edits.end(), [](const Edit& e) { return e.layer > 0; });
    if (inputs.layer != 0 || !inputs.off.empty() || has_layers) clamp_without_model(inputs, notes);
}

bool is_fixed_by_model(const Inputs& inputs, std::string_view key) {
    if (!open_model_of(inputs) || !key_info(key).decides_numbers) return false;
    return std::find(kChosen.begin(), kChosen.end(), key) == kChosen.end();
}

}  // namespace attn
