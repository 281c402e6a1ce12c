// Sets the sizes first, then makes the state legal, then writes the numbers: edits are differences from the tensors
// that the seed gives in the new sizes.
#include "share/opening/place_tensors.h"

#include <algorithm>
#include <optional>

#include "core/ground/check.h"
#include "playground/link/legal.h"
#include "playground/numbers/evaluation.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/state/state_edits.h"
#include "playground/state/words.h"
#include "views/edit/edit_table.h"

namespace attn {
namespace {

int num_rows(const NumberBlock& block) {
    return static_cast<int>(block.size());
}
int num_columns(const NumberBlock& block) {
    return static_cast<int>(block.front().size());
}

// A width that a matrix needs, and the first matrix that needed it.
struct Wanted {
    std::string_view name;  // "d_in"
    int value = 0;          // 0: not asked for
    const Placement* by = nullptr;

    // A sentence when it cannot be.
    std::string ask(int width, const Placement& placement) {
        const std::string who = concat(placed_name(placement.tensor), " is ", shape_of(placement.block));
        if (width > kMaxWidth) return concat(who, ": ", name, " is at most ", with_thousands(kMaxWidth), ".");
        if (by != nullptr && value != width) {
            return concat(who, " and ", placed_name(by->tensor), " is ", shape_of(by->block), ": ", name,
                          " cannot be both ", width, " and ", value, ".");
        }
        value = width;
        by = &placement;
        return "";
    }
};

// The sizes that the placements need, and what is wrong with them.
class Sizing {
public:
    explicit Sizing(const Inputs& inputs, const std::vector<Placement>& placements) : inputs_(inputs) {
        for (const Placement& placement : placements) {
            has_matrices_ = has_matrices_ || is_of_projections(placement.tensor);
            has_latent_ = has_latent_ || placement.tensor == TensorId::w_down_kv;
            has_query_latent_ = has_query_latent_ || placement.tensor == TensorId::w_down_query;
        }
        has_matrices_ = has_matrices_ || inputs.init != Init::none;
        has_latent_ = has_latent_ || inputs.latent != 0;
        has_query_latent_ = has_query_latent_ || inputs.query_latent != 0;
    }

    // A sentence when it cannot be.
    std::string ask(const Placement& placement) {
        const int rows = num_rows(placement.block), columns = num_columns(placement.block);
        const TensorId tensor = placement.tensor;
        const auto shape_is_wrong = [&](std::string_view wanted) {
            return concat(placed_name(tensor), " cannot be ", shape_of(placement.block), ": ", wanted, ".");
        };
        if (tensor == TensorId::embeddings) {
            if (rows > static_cast<int>(kMaxTokens))
                return shape_is_wrong(concat("a sentence has at most ", with_thousands(kMaxTokens), " tokens"));
            std::string refusal = d_in_.ask(columns, placement);
            return refusal.empty() && !has_matrices_ ? d_out_.ask(columns, placement) : refusal;
        }
        if (tensor == TensorId::mask || is_role(tensor)) {
            const int num_tokens = count_tokens(inputs_, static_cast<std::size_t>(placement.sentence));
            const bool is_mask = tensor == TensorId::mask;
            if (rows != num_tokens || (is_mask && columns != num_tokens)) {
                return shape_is_wrong(concat("it has a row ", is_mask ? "and a column " : "",
                                             "a token, and the sentence has ", counted(num_tokens, "token")));
            }
            if (is_mask) return "";
            std::string refusal = width_of(tensor).ask(columns, placement);
            return refusal.empty() && !has_matrices_ ? d_in_.ask(columns, placement) : refusal;
        }
        if (tensor == TensorId::q_norm || tensor == TensorId::k_norm) return ask_for_norm(placement);
        if (tensor == TensorId::sink_logits) {
            if (rows == 1 && columns == inputs_.num_heads) return "";
            return shape_is_wrong(concat("it has one number a head, and there are ", inputs_.num_heads));
        }
        if (is_bias(tensor))
            return rows == 1 ? width_of(tensor).ask(columns, placement) : shape_is_wrong("a bias is one row");
        if (tensor == TensorId::w_out)
            return rows == columns ? d_out_.ask(columns, placement) : shape_is_wrong("it is square, (d_out, d_out)");
        if (tensor == TensorId::w_down_query || tensor == TensorId::w_down_kv) {
            std::string refusal = d_in_.ask(rows, placement);
            return refusal.empty() ? latent_of(tensor).ask(columns, placement) : refusal;
        }
        if (has_rope_columns(tensor)) return ask_for_rope(placement);
        const bool is_query = tensor == TensorId::w_query;
        const bool is_of_latent = is_query ? has_query_latent_ : has_latent_;
        std::string refusal = (is_of_latent ? latent_of(tensor) : d_in_).ask(rows, placement);
        return refusal.empty() ? width_of(tensor).ask(columns, placement) : refusal;
    }

    // One number for each column of a head, and no latents.
    std::string ask_for_norm(const Placement& placement) {
        const auto refusal_of = [&](std::string_view reason) {
            return concat(placed_name(placement.tensor), " cannot be ", shape_of(placement.block), ": ", reason, ".");
        };
        if (has_latent_ || has_query_latent_) return refusal_of("what is made of a latent is not normed");
        if (num_rows(placement.block) != 1) return refusal_of("the weights of a norm are one row");
        return d_out_.ask(num_columns(placement.block) * inputs_.num_heads, placement);
    }

    // What is turned alone goes with a latent, in pairs, for each head of the queries.
    std::string ask_for_rope(const Placement& placement) {
        const bool is_query = placement.tensor == TensorId::w_query_rope;
        const int num_heads = is_query ? inputs_.num_heads : 1;
        const int columns = num_columns(placement.block);
        const auto refusal_of = [&](std::string_view reason) {
            return concat(placed_name(placement.tensor), " cannot be ", shape_of(placement.block), ": ", reason, ".");
        };
        if (!has_latent_) return refusal_of("without a latent queries and keys themselves are turned");
        if (columns % (2 * num_heads) != 0)
            return refusal_of(is_query ? "each head has an even number of columns, for they are turned in pairs"
                                       : "its columns are turned in pairs");
        std::string refusal =
            (is_query && has_query_latent_ ? query_latent_ : d_in_).ask(num_rows(placement.block), placement);
        return refusal.empty() ? rope_dim_.ask(columns / num_heads, placement) : refusal;
    }

    // A latent is at most d_out wide. A sentence when one is not.
    std::string ask_for_latents() const {
        const int d_out = d_out_.by != nullptr ? d_out_.value : inputs_.d_out;
        for (const Wanted* latent : {&latent_, &query_latent_}) {
            if (latent->by == nullptr || latent->value <= d_out) continue;
            return concat(placed_name(latent->by->tensor), " is ", shape_of(latent->by->block), ": ", latent->name,
                          " is at most d_out, which is ", d_out, ".");
        }
        return "";
    }

    // Keys and values narrower than queries: so many heads share them. A sentence when no number of heads does.
    std::string ask_for_sharing() {
        if (kv_width_.by == nullptr) return "";
        const int now = sizes_of(inputs_, 0).kv_width();
        if (d_out_.by == nullptr && has_matrices_ && inputs_.num_kv_heads != 0 && kv_width_.value == now) return "";
        num_kv_heads_ = 0;
        if (d_out_.by == nullptr) return d_out_.ask(kv_width_.value, *kv_width_.by);
        if (d_out_.value == kv_width_.value) return "";
        const int num_heads = inputs_.num_heads;
        const bool has_heads = d_out_.value % num_heads == 0;
        const int head_dim = has_heads ? d_out_.value / num_heads : 1;
        const int shared = kv_width_.value / head_dim;
        if (!has_heads || shared < 1 || kv_width_.value % head_dim != 0 || num_heads % shared != 0)
            return d_out_.ask(kv_width_.value, *kv_width_.by);
        num_kv_heads_ = shared;
        return "";
    }

    void apply(Inputs& inputs) const {
        if (num_kv_heads_) inputs.num_kv_heads = *num_kv_heads_;
        if (d_in_.by != nullptr) inputs.d_in = d_in_.value;
        if (d_out_.by != nullptr) inputs.d_out = d_out_.value;
        if (latent_.by != nullptr) inputs.latent = latent_.value;
        if (query_latent_.by != nullptr) inputs.query_latent = query_latent_.value;
        if (rope_dim_.by == nullptr) return;
        inputs.rope_dim = rope_dim_.value;
        inputs.positions = Positions::rope;
    }

private:
    Wanted& width_of(TensorId tensor) { return is_shared_by_heads(tensor) ? kv_width_ : d_out_; }

    Wanted& latent_of(TensorId tensor) {
        return tensor == TensorId::w_query || tensor == TensorId::w_down_query ? query_latent_ : latent_;
    }

    const Inputs& inputs_;
    bool has_matrices_ = false;
    bool has_latent_ = false, has_query_latent_ = false;  // the file brings what makes them, or they are there
    Wanted latent_{.name = "latent"}, query_latent_{.name = "latent_queries"}, rope_dim_{.name = "rope_dim"};
    Wanted d_in_{.name = "d_in"}, d_out_{.name = "d_out"};
    Wanted kv_width_{.name = "d_out"};  // of keys and values; unless heads share them that is d_out
    std::optional<int> num_kv_heads_;   // to be set
};

std::size_t count_numbers(const TypedRows& rows) {
    std::size_t count = 0;
    for (const std::vector<float>& row : rows) count += row.size();
    return count;
}

// How many typed numbers all sentences of the batch would have: known before they are made.
std::size_t count_typed_of_all(const Inputs& inputs, const std::vector<Placement>& placements) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        const auto is_placed = [&](const Placement& placement) {
            return placement.tensor == TensorId::embeddings && placement.sentence == static_cast<int>(s);
        };
        const auto placed = std::find_if(placements.begin(), placements.end(), is_placed);
        if (placed != placements.end()) {
            count += placed->block.size() * placed->block.front().size();
        } else if (inputs.embed == EmbeddingKind::typed && !inputs.typed.empty()) {
            count += count_numbers(inputs.typed[std::min(s, inputs.typed.size() - 1)]);
        } else {
            count += static_cast<std::size_t>(count_tokens(inputs, s)) * static_cast<std::size_t>(inputs.d_in);
        }
    }
    return count;
}

// What each sentence of the batch has for token vectors, as typed rows.
std::vector<TypedRows> typed_of_all(const Inputs& inputs) {
    std::vector<TypedRows> typed;
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        if (inputs.embed == EmbeddingKind::typed && !inputs.typed.empty()) {
            typed.push_back(inputs.typed[std::min(s, inputs.typed.size() - 1)]);
            continue;
        }
        TypedRows& rows = typed.emplace_back();
        const Tokens tokens = tokenize(inputs.texts[s], inputs.tokens);
        if (tokens.tokens.empty()) continue;
        Notes unused;
        const EmbeddingParts parts = make_embedding_parts(inputs, static_cast<int>(s), tokens, unused);
        for (int i = 0; i < length(parts.token_vectors, 0); ++i) {
            const std::span<const float> row = row_of(parts.token_vectors, i);
            rows.emplace_back(row.begin(), row.end());
        }
    }
    return typed;
}

// The settings without which the tensors would not be there.
void switch_on(Inputs& inputs, const std::vector<Placement>& placements) {
    for (const Placement& placement : placements) {
        const TensorId tensor = placement.tensor;
        if (is_of_projections(tensor) && inputs.init == Init::none) inputs.init = Init::torch_linear;
        if (is_learned(tensor) && flag_with(tensor) != nullptr) inputs.*flag_with(tensor) = true;
        if (tensor == TensorId::sink_logits) inputs.mask_at = MaskAt::before;
    }
}

// In words, what the settings were moved to.
std::vector<std::string> changes_between(const Inputs& before, const Inputs& after) {
    std::vector<std::string> changes;
    if (after.d_in != before.d_in) changes.push_back(concat("d_in becomes ", after.d_in));
    if (after.d_out != before.d_out) changes.push_back(concat("d_out becomes ", after.d_out));
    if (after.num_heads != before.num_heads) changes.push_back(concat("heads become ", after.num_heads));
    const int kv_heads = sizes_of(after, 0).kv_heads();
    if (kv_heads != sizes_of(before, 0).kv_heads() && after.num_kv_heads != before.num_kv_heads)
        changes.push_back(concat("key heads become ", kv_heads));
    if (after.latent != before.latent) changes.push_back(concat("latent becomes ", after.latent));
    if (after.rope_dim != before.rope_dim) changes.push_back(concat("rope_dim becomes ", after.rope_dim));
    if (after.query_latent != before.query_latent)
        changes.push_back(concat("latent_queries becomes ", after.query_latent));
    if (after.init != before.init) changes.push_back(concat("init becomes ", word_of(kInitWords, after.init)));
    if (after.mask_at != before.mask_at) changes.emplace_back("the mask comes before the softmax");
    if (after.has_qk_norm() && !before.has_qk_norm()) changes.emplace_back("norms of queries and keys are switched on");
    if (after.has_sink() && !before.has_sink()) changes.emplace_back("learned sinks are switched on");
    if (after.bias && !before.bias) changes.emplace_back("the biases are switched on");
    if (after.out && !before.out) changes.emplace_back("the output projection is switched on");
    return changes;
}

// Writes the placements that `is_meant` names against the numbers of `evaluation`; a sentence when one cannot be.
template <class IsMeant>
std::string write_edits(PlaygroundState& state, const Evaluation& evaluation, const std::vector<Placement>& placements,
                        IsMeant is_meant) {
    const int shown = state.view.sentence;
    for (const Placement& placement : placements) {
        if (!is_meant(placement)) continue;
        const Area area = {
            .row = 0, .column = 0, .rows = num_rows(placement.block), .columns = num_columns(placement.block)};
        state.view.sentence = placement.sentence;
        const Result<Area> written = write_over(state, evaluation, placement.tensor, area, placement.block);
        state.view.sentence = shown;
        if (!written) return concat(placed_name(placement.tensor), " cannot be taken over: ", written.error(), ".");
    }
    return "";
}

// All numbers but X.
std::string write_all_edits(PlaygroundState& state, const std::vector<Placement>& placements) {
    for (const Placement& placement : placements) {
        const bool is_own = is_of_sentence(placement.tensor);
        std::erase_if(state.inputs.edits, [&](const Edit& edit) {
            return edit.layer == state.inputs.layer && edit.tensor == placement.tensor &&
                   (!is_own || edit.sentence == placement.sentence);
        });
    }
    // The learned matrices are the same for every sentence: a short one is quick.
    Inputs short_inputs = state.inputs;
    short_inputs.texts = {"a"};
    short_inputs.goal = GoalKind::none;  // its targets are those of the longer texts
    std::string refusal = write_edits(state, evaluate(short_inputs, 0), placements,
                                      [](const Placement& placement) { return is_learned(placement.tensor); });
    for (int s = 0; s < static_cast<int>(state.inputs.texts.size()) && refusal.empty(); ++s) {
        const auto is_meant = [s](const Placement& placement) {
            return placement.sentence == s && (placement.tensor == TensorId::mask || is_role(placement.tensor));
        };
        if (std::none_of(placements.begin(), placements.end(), is_meant)) continue;
        refusal = write_edits(state, evaluate(state.inputs, s), placements, is_meant);
    }
    return refusal;
}

}  // namespace

std::string shape_of(const NumberBlock& block) {
    return concat("(", num_rows(block), ", ", num_columns(block), ")");
}

std::string_view placed_name(TensorId tensor) {
    return tensor == TensorId::embeddings ? "X" : tensor_name(tensor);
}

Result<Placed> place_tensors(const PlaygroundState& state, const std::vector<Placement>& placements,
                             bool keeps_positions) {
    const auto refuse = [](std::string sentence) { return Result<Placed>::failure(std::move(sentence)); };
    Placed placed = {.state = state, .changes = {}, .notes = {}};
    Inputs& inputs = placed.state.inputs;
    Sizing sizing(state.inputs, placements);
    for (const Placement& placement : placements) {
        std::string refusal = sizing.ask(placement);
        if (!refusal.empty()) return refuse(std::move(refusal));
    }
    if (std::string refusal = sizing.ask_for_sharing(); !refusal.empty()) return refuse(std::move(refusal));
    if (std::string refusal = sizing.ask_for_latents(); !refusal.empty()) return refuse(std::move(refusal));
    sizing.apply(inputs);
    switch_on(inputs, placements);
    const auto is_x = [](const Placement& placement) { return placement.tensor == TensorId::embeddings; };
    if (std::any_of(placements.begin(), placements.end(), is_x)) {
        const std::size_t count = count_typed_of_all(state.inputs, placements);
        if (count > kMaxTypedNumbers) {
            return refuse(concat("X would have ", with_thousands(static_cast<std::int64_t>(count)),
                                 " typed numbers in all sentences, and at most ", with_thousands(kMaxTypedNumbers),
                                 " can be kept."));
        }
        inputs.typed = typed_of_all(state.inputs);
        for (const Placement& placement : placements) {
            if (is_x(placement)) inputs.typed[static_cast<std::size_t>(placement.sentence)] = placement.block;
        }
        inputs.embed = EmbeddingKind::typed;
        if (adds_positions(inputs) && !keeps_positions) {
            inputs.positions = Positions::none;
            placed.notes.emplace_back("pos set to none: X is taken as it is");
        }
    }
    append_notes(placed.notes, clamp_to_legal(placed.state));
    placed.changes = changes_between(state.inputs, inputs);
    if (is_trained(inputs)) {
        inputs.steps = 0;
        placed.notes.emplace_back("steps set to 0: training would begin at the numbers of the file");
    }
    std::string refusal = write_all_edits(placed.state, placements);
    if (!refusal.empty()) return refuse(std::move(refusal));
    append_notes(placed.notes, clamp_to_legal(placed.state));  // typed rows that are all empty, and the like
    return placed;
}

std::string changes_in_words(const Placed& placed) {
    std::string text;
    for (const std::string& change : placed.changes) text += concat(text.empty() ? "" : ", ", change);
    return text;
}

}  // namespace attn
