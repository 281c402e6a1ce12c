// The numbers of view=lens beside its cells (model/roles/lens.h): which positions are looked at, and the sum behind one
// logit, as it is printed. Knows no screen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/roles/lens.h"
#include "model/words/model_tokenizer.h"
#include "views/model/vote_column.h"

namespace attn {

// Of a longer text the positions around the one that is looked at.
inline constexpr int kMostLensPositions = 32;
struct LensWindow {
    int first = 0, count = 0;
    bool operator==(const LensWindow&) const = default;
};
LensWindow lens_window(int row, int num_tokens, int most = kMostLensPositions);

// A line of the sum, in thousandths: what is printed, so that a reader who adds gets the logit to its last digit.
struct LensLine {
    std::string label;  // "channel 17", "the other 760 channels", "bias", "· 0.25", "soft cap"
    std::int64_t thousandths = 0;
    std::optional<int> channel = {};  // of a product,
    double x = 0, weight = 0;         // whose factors are these
};

// The logit of a token after a layer, at a position: what the unembedding's products add to it.
struct LensSum {
    int layer = 0, row = 0, token = 0;
    std::vector<LensLine> lines;    // the kShownProducts largest products first, of more the others together
    std::int64_t rounding = 0;      // what the rounded lines lack of the logit: a line of its own where it is not 0
    std::int64_t logit = 0;         // the sum of all of them
    float shown = 0;                // the logit as the model computes it
    std::string formula;            // "final_stream · lm_head.weight"
    int channel = 0;                // whose number is made below: one of those of `lines`
    std::vector<std::string> norm;  // a line for each step: the row's mean and scale, and the channel's number
};
inline constexpr int kShownProducts = 8;

// Whether the numbers of a token's column of the unembedding are in memory; they are asked for.
bool asks_for_lens_sum(const Model& model, int token);
// `channel`: of a product that is shown; otherwise the largest one's. Nothing where the logit is no number, or is too
// large to be printed like this. Asks for no number that asks_for_lens_sum() does not.
std::optional<LensSum> lens_sum(const ModelRun& run, int layer, int row, int token, std::optional<int> channel = {});

// What is drawn of a lens: `work` stays as it is. Cells may still be missing, and the sum is made apart.
struct LensDrawing {
    const LensWork& work;
    const std::vector<std::string>& words;  // of each token of the text
    const ModelTokenizer* tokenizer = nullptr;
    int layer = 0;                    // of the cell that is open, at work.row()
    std::optional<int> word = {};     // that the view chose; nothing: in each cell its own
    LensWindow shown = {};            // positions that are drawn, of those of `work`
    std::optional<LensSum> sum = {};  // of the open cell
    bool prints_values = true;

    const Model& model() const { return work.run().model(); }
    int num_layers() const { return model().config.num_layers; }
    int row() const { return work.row(); }
    const LensCell* open_cell() const { return work.cell(layer, row()); }
    // Whose logit is taken apart: the chosen word, or the open cell's own. Nothing where it is not there, or no number.
    std::optional<int> word_of_sum() const;
    const std::string& word_at(int position) const { return words[static_cast<std::size_t>(position)]; }
    std::string word_of(int token) const;
};

// "the embeddings", "layer 3", "layer 12 (the last)".
std::string lens_layer_name(int layer, int num_layers);
// What a lens is and is not, a sentence or two each; the last ones say what is particular to the model's kind.
std::vector<std::string> lens_in_words(const Model& model);
// "after “brush”", or "at “brush”" of a model that sees both sides.
std::string lens_place(const Model& model, std::string_view word);
// How a logit of the cell becomes its probability: "probability: e^(logit − 6.6202) / 21.5987".
std::string lens_softmax_in_words(const LensCell& cell);
// "0.5421, rank 1", "below 0.0001, rank 812".
std::string lens_rank_in_words(const LensRank& rank);

}  // namespace attn
