// What a model is computed for: tokens by number, heads that are switched off, numbers that were changed by hand.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/layers/head_off.h"
#include "model/layers/layer_edit.h"
#include "model/layers/model_weights.h"
#include "model/layers/patch.h"

namespace attn {

// Whether a layer hands on anything but what its heads make: one is off, or is patched.
bool replaces_heads(std::span<const HeadOff> off, std::span<const Patch> patches, int layer);

struct ModelInput {
    std::vector<int> ids;         // tokens, from 0 to vocabulary - 1
    std::vector<int> types = {};  // BERT's token types, as many as ids; empty: all 0
    std::vector<HeadOff> off = {};
    OffBy off_by = OffBy::zero;
    std::vector<LayerEdit> edits = {};   // of a cell the last one counts
    std::vector<Patch> patches = {};     // what is taken over from another text; sorted, each once
    std::vector<ModelInput> other = {};  // that text: one where there are patches, else none

    int num_tokens() const { return static_cast<int>(ids.size()); }
    bool is_off(int layer, int head) const;
    bool replaces_heads(int layer) const { return attn::replaces_heads(off, patches, layer); }
    bool operator==(const ModelInput&) const = default;
};

// Puts patches from `other` on the input, those of every token one by one, in order.
void take_over(ModelInput& input, ModelInput other, std::span<const Patch> patches);

// The row of the table of learned positions for each token.
std::vector<int> position_rows_of(const ModelConfig& config, const ModelInput& input);

// A sentence that says why the model cannot be computed for this: no token, more tokens than it has positions or than
// kMaxTokens, a token or a type that it does not have, a head, a layer or an edited number that is not there, a
// patch of what one of the two texts does not have. Empty where it can.
std::string find_input_problem(const ModelConfig& config, const ModelInput& input);

}  // namespace attn
