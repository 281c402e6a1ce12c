// A model in memory as the playground shows it: its shape for the state, its tokens for the text, and a layer's
// attention as the problem that everything else works on. Knows numbers and words, no files.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "core/ground/shared.h"
#include "model/layers/model_run.h"
#include "model/words/model_tokenizer.h"
#include "playground/state/open_models.h"

namespace attn {

// The edits of all layers that concern a sentence, as a model takes them.
std::vector<LayerEdit> layer_edits(const std::vector<Edit>& edits, int sentence);

class LoadedModel : public OpenModel, public std::enable_shared_from_this<LoadedModel> {
public:
    // Fails with a sentence where the playground cannot show the model: vectors or layers beyond its limits, or a
    // tokenizer that does not belong to it. `notes`: what is to be told with every text, such as numbers that are none.
    static Result<std::shared_ptr<const LoadedModel>> make(std::string name, Model model, ModelTokenizer tokenizer,
                                                           Notes notes = {});

    const std::string& name() const override { return name_; }
    const ModelShape& shape() const override { return shape_; }
    Tokens tokenize(std::string_view text) const override;
    Notes notes_on(std::string_view text) const override;
    std::int64_t bytes_of_layers(const Inputs& inputs, int num_tokens) const override;
    BlockParts block_of(const Inputs& inputs) const override;
    std::shared_ptr<ModelLayerWork> begin_layer(const Inputs& inputs, int sentence) const override;
    bool is_waiting() const override { return model_.store != nullptr && model_.store->is_waiting(); }
    std::string problem() const override { return model_.store == nullptr ? "" : model_.store->problem(); }

    const Model& model() const { return model_; }
    ModelStore* store() const { return model_.store.get(); }  // null: all of it is in memory
    const ModelTokenizer& tokenizer() const { return tokenizer_; }
    // The text as the model's tokens, those of tokenize() in the same order.
    std::vector<int> ids_of(std::string_view text) const;
    // That of a sentence, with the heads that are off one by one and the edits that lie inside.
    ModelInput input_of(const Inputs& inputs, int sentence) const;
    // The layers of an input as far as somebody computed them: kept for the last few inputs, so that another layer of
    // the same text begins where this one ends, and a text that goes on takes over what its beginning left.
    std::shared_ptr<ModelRun> run_of(const ModelInput& input) const;
    // A layer's matrices and biases with these edits, which may be of all layers: those of the layer that was shown
    // last are kept, and while a text is typed its problems share them. Nothing: they were others, and are given up.
    std::optional<Shared<Projections>> projections_shown(int layer, std::span<const LayerEdit> edits) const;
    // Keeps them, with a bias of 0 for each that the file does not have but the model's stages do.
    Shared<Projections> show_projections(int layer, std::span<const LayerEdit> edits,
                                         Shared<Projections> projections) const;

private:
    struct KnownTokens;
    struct LayerShown {
        int layer = 0;
        std::vector<LayerEdit> edits;
        Shared<Projections> projections;
    };
    LoadedModel(std::string name, Model model, ModelTokenizer tokenizer, Notes notes);
    KnownTokens known_tokens(std::string_view text) const;
    ModelInput input_of_text(const OtherText& text, const Inputs& inputs) const;

    std::string name_;
    Model model_;
    ModelTokenizer tokenizer_;
    Notes notes_;
    ModelShape shape_;
    mutable std::vector<std::shared_ptr<ModelRun>> runs_;  // the last one first
    mutable std::optional<LayerShown> shown_;
};

}  // namespace attn
