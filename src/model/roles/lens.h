// The logit lens: what the last norm and the unembedding make of the stream after each layer, at each position
// (nostalgebraist 2020, "interpreting GPT: the logit lens"). They were trained for the stream after the last layer
// alone: there the lens is the model's own answer, to the last bit; of an earlier stream it is what they would say of
// it. A model whose layers end in a norm of their own (BERT) has no last norm, and its streams go into its head as they
// are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/model_run.h"

namespace attn {

struct LensWord {
    int token = 0;
    float logit = 0, probability = 0;
};

// A word that is asked for: where it stands among all of them.
struct LensRank {
    LensWord word;
    int rank = 0;  // 1: the most probable one; of equals the first token counts as the more probable one
};

inline constexpr std::size_t kLensWords = 5;

// What is kept of a stream: not its logits, which are as many as the vocabulary has tokens.
struct LensCell {
    std::vector<LensWord> words;     // the most probable ones, at most kLensWords; none where the logits are no numbers
    SoftmaxOfRow softmax;            // by which all logits become probabilities; NaN likewise
    std::optional<LensRank> chosen;  // of the word that is asked for; nothing where there are no numbers
    int asked = -1;                  // the token that `chosen` is about
    bool is_number() const { return !words.empty(); }
};

// Logits that are in memory at a time, a row at least: 16 MB.
inline constexpr std::int64_t kMostLensLogits = std::int64_t{1} << 22;
// Rows that go through the unembedding together, so that a block of it is some milliseconds.
inline constexpr std::int64_t kMostLensRows = 128;
constexpr std::int64_t lens_rows_together(std::int64_t vocabulary) {
    return std::clamp<std::int64_t>(kMostLensLogits / vocabulary, 1, kMostLensRows);
}

// Why a model has no lens, in a sentence; empty where it has one.
std::string find_lens_problem(const ModelWeights& weights);

// The cells of some positions, in slices. The layers of the run come first, then the position that is looked at, then
// the others from the first one on.
class LensWork {
public:
    // Positions `first` to `first + count` of the run's text; `row` is one of them. Without a word the one that the
    // model itself finds most probable at `row` is asked for. The model has a lens.
    LensWork(std::shared_ptr<ModelRun> run, int first, int count, int row, std::optional<int> word);

    // Goes on for about `multiply_adds`, of which a logit's exponential counts as many as takes its time. Returns
    // is_done().
    bool advance(std::int64_t multiply_adds);
    bool is_done() const;

    // Another position of these, another word: what is there stays, and only the ranks are found again.
    void look_at(int row, std::optional<int> word);

    int first() const { return first_; }
    int count() const { return count_; }
    int row() const { return row_; }
    // The token that is asked for; nothing until it is known, or where the model's answer is no number.
    std::optional<int> word() const;
    // After layer `layer`, 0 being before the first one, up to num_layers; null until it is there.
    const LensCell* cell(int layer, int position) const;
    int num_cells() const { return static_cast<int>(cells_.size()); }
    int num_cells_done() const { return num_done_; }
    // Counts what was found: a cell, and once more the rank of another word in it.
    std::int64_t num_found() const { return num_found_; }
    // The run's, and how many cells are there, as logits.
    ModelProgress progress() const;
    const ModelRun& run() const { return *run_; }

private:
    // After which layer, at which position.
    struct Place {
        int layer = 0, position = 0;
    };
    std::size_t index_of(const Place& place) const {
        return static_cast<std::size_t>(place.layer) * static_cast<std::size_t>(count_) +
               static_cast<std::size_t>(place.position - first_);
    }
    bool wants(const Place& place) const;
    void begin_batch();
    void finish_place();

    std::shared_ptr<ModelRun> run_;
    int first_, count_, row_;
    std::optional<int> word_;  // that was given
    std::vector<std::optional<LensCell>> cells_;
    int num_done_ = 0;
    std::int64_t num_found_ = 0;
    std::vector<Place> batch_;  // places whose logits are computed now
    std::size_t num_finished_ = 0;
    int batch_word_ = -1;  // asked for when the batch began
    std::optional<LogitsWork> logits_;
};

// One cell of a row of logits, about a token that is asked for; -1: about none.
LensCell lens_cell(std::span<const float> logits, int asked);

}  // namespace attn
