// From the last layer down: the fewer layers stand above a patch, the sooner its effect is there.
#include "model/roles/patch_effects.h"

#include <cmath>

#include "core/ground/check.h"

namespace attn {

PatchEffects::PatchEffects(std::shared_ptr<ModelRun> run, std::shared_ptr<ModelRun> other, int row,
                           std::optional<int> word, std::optional<int> against, int first, int count)
    : run_(std::move(run)),
      other_(std::move(other)),
      row_(row),
      first_(first),
      count_(count),
      word_(word),
      against_(against) {
    const ModelConfig& config = run_->model().config;
    const int num_tokens = run_->input().num_tokens();
    ATTN_CHECK(&run_->model() == &other_->model(), "two models");
    ATTN_CHECK(run_->input().patches.empty() && other_->input().patches.empty(), "texts that are patched already");
    ATTN_CHECK(row >= 0 && row < num_tokens, "row ", row);
    for (const std::optional<int>& one : {word, against})
        ATTN_CHECK(!one || (*one >= 0 && *one < config.vocabulary), "token ", one.value_or(-1));
    ATTN_CHECK(first >= 0 && count > 0 && first + count <= num_tokens, "positions ", first, " to ", first + count);
    here_.emplace(run_, row);
    there_.emplace(other_, row_of_other());
    for (int layer = config.num_layers - 1; layer >= 0; --layer) {
        for (int position = first; position < std::min(first + count, num_in_both()); ++position)
            places_.push_back({.of = PatchOf::stream, .layer = layer, .row = position});
        for (int head = 0; head < config.num_heads; ++head)
            places_.push_back({.of = PatchOf::head, .layer = layer, .head = head});
    }
    effects_.resize(static_cast<std::size_t>(config.num_layers) * static_cast<std::size_t>(count + config.num_heads));
}

std::size_t PatchEffects::index_of(const Patch& place) const {
    const ModelConfig& config = run_->model().config;
    const int column = place.of == PatchOf::stream ? place.row - first_ : count_ + place.head;
    return static_cast<std::size_t>(place.layer) * static_cast<std::size_t>(count_ + config.num_heads) +
           static_cast<std::size_t>(column);
}

bool PatchEffects::asks_for_words() const {
    const LinearWeights& head = run_->model().weights.unembedding;
    bool is_there = true;
    for (const int token : {words_->first, words_->second}) {
        const int column = head.first_output + token;
        is_there = head.weight->asks_for_columns(column, 1, column + 1) && is_there;
    }
    return is_there;
}

PatchedChoice PatchEffects::choice_of(const Matrix& row) const {
    const Model& model = run_->model();
    return {.word = logit_of(model, row, words_->first), .against = logit_of(model, row, words_->second)};
}

// Both texts as they are, and their most probable words.
bool PatchEffects::find_words(std::int64_t multiply_adds) {
    if (!here_->is_done()) {
        here_->advance(multiply_adds);
        return false;
    }
    if (!there_->is_done()) {
        there_->advance(multiply_adds);
        return false;
    }
    both_.emplace();
    both_->next_here = lens_cell(here_->logits(), -1);
    both_->next_there = lens_cell(there_->logits(), -1);
    const std::vector<LensWord>&here = both_->next_here.words, &there = both_->next_there.words;
    if (here.empty() || there.empty()) {
        num_done_ = num_effects();
        return true;
    }
    const int word = word_.value_or(here.front().token);
    int against = against_.value_or(there.front().token);
    if (!against_ && against == word) against = here[here.front().token == word && here.size() > 1 ? 1 : 0].token;
    if (word == against) {
        num_done_ = num_effects();
        return true;
    }
    words_.emplace(word, against);
    const auto choice = [&](const RowLogits& logits) {
        return PatchedChoice{.word = logits.logits()[static_cast<std::size_t>(word)],
                             .against = logits.logits()[static_cast<std::size_t>(against)]};
    };
    both_->here = choice(*here_);
    both_->there = choice(*there_);
    return true;
}

void PatchEffects::begin(const Patch& place) {
    ModelInput input = run_->input();
    input.other = {other_->input()};
    const bool is_causal = run_->model().config.mask == Mask::causal;
    // No later token changes a causal model's row.
    const int end = is_causal ? std::min(num_in_both(), row_ + 1) : num_in_both();
    if (place.of == PatchOf::head) {
        for (int row = 0; row < end; ++row)
            input.patches.push_back({.of = place.of, .layer = place.layer, .head = place.head, .row = row});
    } else if (place.row < end) {
        input.patches.push_back(place);
    }
    if (input.patches.empty()) {
        effects_[index_of(place)] = both_->here;
        ++num_done_;
        return;
    }
    patched_.emplace(*run_, std::move(input), place.layer, other_);
}

bool PatchEffects::advance(std::int64_t multiply_adds) {
    if (!both_ && !find_words(multiply_adds)) return false;
    if (is_done() || !asks_for_words()) return is_done();
    const Patch& place = places_[static_cast<std::size_t>(num_done_)];
    if (!patched_) begin(place);
    if (!patched_ || !patched_->advance(multiply_adds)) return is_done();
    effects_[index_of(place)] = choice_of(patched_->final_row(row_));
    patched_.reset();
    ++num_done_;
    return is_done();
}

const PatchedChoice* PatchEffects::of_stream(int layer, int position) const {
    const auto& effect = effects_[index_of({.of = PatchOf::stream, .layer = layer, .row = position})];
    return effect ? &*effect : nullptr;
}

const PatchedChoice* PatchEffects::of_head(int layer, int head) const {
    const auto& effect = effects_[index_of({.of = PatchOf::head, .layer = layer, .head = head})];
    return effect ? &*effect : nullptr;
}

std::optional<double> PatchEffects::share(const PatchedChoice& choice) const {
    if (!words_) return std::nullopt;
    const double here = both_->here.difference(), there = both_->there.difference();
    const double share = (static_cast<double>(choice.difference()) - here) / (there - here);
    return std::isfinite(share) ? std::optional(share) : std::nullopt;
}

ModelProgress PatchEffects::progress() const {
    ModelProgress progress = (here_->is_done() ? *there_ : *here_).progress();
    progress.num_logits_done = num_done_;
    progress.num_logits = num_effects();
    return progress;
}

}  // namespace attn
