// What each part of a model carries of the difference between two texts: one patch after the other
// (model/layers/patch.h) from the second text into the first, and what becomes of the choice between two words (Wang et
// al. 2022, 2211.00593, call that the logit difference).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/layers/model_run.h"
#include "model/roles/lens.h"

namespace attn {

// The choice: logit of `word` − logit of `against`, after one row of a text.
struct PatchedChoice {
    float word = 0, against = 0;  // the two logits
    float difference() const { return word - against; }
    bool operator==(const PatchedChoice&) const = default;
};

// The patches of a map: the stream before each layer at each of some positions, and each head at every position that
// both texts have.
class PatchEffects {
public:
    // `run`: the first text, without patches; `other`: the second one, of the same model. `row`: whose next word is
    // chosen, of both texts, in the second one its last row where that is shorter. Without a word the first text's most
    // probable one is asked for; against it the second text's, and where that is the same one, the next of the first.
    // Positions `first` to `first + count` of the first text. The model has an unembedding.
    PatchEffects(std::shared_ptr<ModelRun> run, std::shared_ptr<ModelRun> other, int row, std::optional<int> word,
                 std::optional<int> against, int first, int count);

    // Goes on for about `multiply_adds`. Returns is_done().
    bool advance(std::int64_t multiply_adds);
    bool is_done() const { return both_ && num_done_ == num_effects(); }

    int first() const { return first_; }
    int count() const { return count_; }
    int row() const { return row_; }
    int row_of_other() const { return std::min(row_, other_->input().num_tokens() - 1); }
    int num_in_both() const { return std::min(run_->input().num_tokens(), other_->input().num_tokens()); }
    // The two words; nothing until they are known, or where logits are no numbers.
    std::optional<std::pair<int, int>> words() const { return words_; }
    // Whether there are no words to choose between: NaN, or a vocabulary of one.
    bool has_no_choice() const { return both_ && !words_; }
    // The choice in each of the texts as they are; nothing until both are there.
    struct Both {
        PatchedChoice here, there;
        LensCell next_here, next_there;  // their most probable next words
    };
    const std::optional<Both>& both() const { return both_; }

    // The first text's choice once one patch is in it; null until it is there, and where the second text has no such
    // position.
    const PatchedChoice* of_stream(int layer, int position) const;
    const PatchedChoice* of_head(int layer, int head) const;
    // Where 0 is the first text's own choice and 1 is the second text's; nothing where those are the same.
    std::optional<double> share(const PatchedChoice& choice) const;

    int num_effects() const { return static_cast<int>(places_.size()); }
    int num_effects_done() const { return num_done_; }
    // The two runs', and how many effects are there, as logits.
    ModelProgress progress() const;
    const ModelRun& run() const { return *run_; }
    const ModelRun& other() const { return *other_; }

private:
    bool find_words(std::int64_t multiply_adds);  // whether both texts are there
    bool asks_for_words() const;
    PatchedChoice choice_of(const Matrix& row) const;
    void begin(const Patch& place);
    std::size_t index_of(const Patch& place) const;

    std::shared_ptr<ModelRun> run_, other_;
    int row_, first_, count_;
    std::optional<int> word_, against_;  // that were given
    std::optional<RowLogits> here_, there_;
    std::optional<std::pair<int, int>> words_;
    std::optional<Both> both_;
    std::vector<Patch> places_;  // in the order they are computed; of heads the row counts for nothing
    std::vector<std::optional<PatchedChoice>> effects_;  // by index_of
    int num_done_ = 0;
    std::optional<ModelRun> patched_;
};

}  // namespace attn
