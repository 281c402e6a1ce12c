// Adds up the bytes of an evaluation, and says when they are too many.
#include "playground/numbers/memory_needs.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/kernels/packed_matrix.h"
#include "playground/link/state_url.h"
#include "playground/numbers/recipe.h"
#include "playground/state/open_models.h"
#include "playground/state/shapes.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr auto kRowsAtOnce = static_cast<std::int64_t>(PackedMatrix::kRowsAtOnce);
constexpr int kRowStep = 64;  // the weights grow in steps of so many tokens, see WeightRows

std::int64_t whole_steps(int num_tokens) {
    return (num_tokens + kRowStep - 1) / kRowStep * kRowStep;
}

// Numbers of all learned matrices, at most.
std::int64_t numbers_of_matrices(const Inputs& inputs) {
    const std::int64_t d_in = inputs.d_in, d_out = inputs.d_out;
    const std::int64_t latents = inputs.latent + inputs.query_latent;
    return 3 * d_in * d_out + d_out * d_out + latents * (d_in + 2 * d_out) +
           inputs.rope_dim * (d_in + inputs.num_heads * std::max(d_in, d_out));
}

// Of a token beside its embedding and its heads: latents, numbers that are turned alone, which stand behind those of
// each query and key once more, normed queries and keys.
std::int64_t numbers_of_variants(const Inputs& inputs) {
    const std::int64_t own = inputs.rope_dim == 0 ? 0 : 2 * inputs.d_out + inputs.rope_dim * (3 * inputs.num_heads + 1);
    const std::int64_t normed = inputs.has_qk_norm() ? 2 * inputs.d_out : 0;
    return inputs.latent + inputs.query_latent + own + normed + (inputs.has_sink() ? inputs.num_heads : 0);
}

// The gradients of a sentence of T tokens: at the scores, three roles, merged and output, X, the matrices; and the
// logits and probabilities of each word.
std::int64_t numbers_of_gradients(const Inputs& inputs, std::int64_t T, std::int64_t num_words) {
    const std::int64_t d_in = inputs.d_in, d_out = inputs.d_out;
    return inputs.num_heads * T * T + 5 * T * d_out + T * (d_in + numbers_of_variants(inputs)) +
           numbers_of_matrices(inputs) + 2 * T * num_words;
}

// What training keeps beside the evaluation: of each sentence a forward pass and the gradients of everything in it; and
// the evaluation those of the shown one, of `num_tokens` tokens.
std::int64_t bytes_of_training(const Inputs& inputs, int num_tokens) {
    if (!has_goal(inputs)) return 0;
    const std::int64_t d_in = inputs.d_in, d_out = inputs.d_out;
    const std::int64_t num_words = sizes_of(inputs, num_tokens).num_words;
    const std::int64_t shown = numbers_of_gradients(inputs, whole_steps(num_tokens), num_words) +
                               numbers_of_matrices(inputs) + num_words * d_out;
    std::int64_t bytes = bytes_of_checkpoints(inputs) + shown * static_cast<std::int64_t>(sizeof(float));
    for (std::size_t s = 0; s < inputs.texts.size(); ++s) {
        const std::int64_t T = whole_steps(count_tokens(inputs, s));
        const std::int64_t num_scores = inputs.num_heads * T * T;
        // The weights; X and the tokens' vectors; five tensors of heads, merged and output, and what is worked on; the
        // matrices, drawn and learned; the words' vectors; the gradients.
        const std::int64_t num_floats = num_scores + 3 * T * d_in + 9 * T * d_out + T * numbers_of_variants(inputs) +
                                        2 * numbers_of_matrices(inputs) + num_words * d_out +
                                        numbers_of_gradients(inputs, T, num_words);
        bytes += num_floats * static_cast<std::int64_t>(sizeof(float)) + T * T + (inputs.dropout > 0 ? num_scores : 0);
    }
    return bytes;
}

int num_tokens_shown(const PlaygroundState& state) {
    return count_tokens(state.inputs, static_cast<std::size_t>(state.view.sentence));
}

}  // namespace

std::int64_t bytes_needed(const Inputs& inputs, int num_tokens) {
    const std::int64_t d_in = inputs.d_in, d_out = inputs.d_out;
    const std::int64_t T = whole_steps(num_tokens);
    const std::int64_t num_scores = inputs.num_heads * T * T;
    // Edited matrices are kept as they were drawn, too.
    const std::int64_t num_matrix_numbers = (inputs.edits.empty() ? 1 : 2) * numbers_of_matrices(inputs);
    // What is worked on: a matrix, the rows that meet it, a head's keys and values.
    const std::int64_t num_worked_on = std::max<std::int64_t>({d_in, inputs.latent, inputs.query_latent}) * d_out +
                                       kRowsAtOnce * std::max(d_in, d_out) +
                                       4 * T * (d_out / inputs.num_heads + inputs.rope_dim);
    // X and the two parts it is the sum of; query, key, value, context, merged, output; the matrices; the weights.
    const std::int64_t num_floats = 3 * T * d_in + T * numbers_of_variants(inputs) + 6 * T * d_out +
                                    num_matrix_numbers + num_scores + num_worked_on;
    // The mask, and what dropout keeps.
    const std::int64_t num_flags = T * T + (inputs.dropout > 0 ? num_scores : 0);
    const std::shared_ptr<const OpenModel> model = kOpensModels ? open_model_of(inputs) : nullptr;
    const std::int64_t other_layers = model ? model->bytes_of_layers(inputs, num_tokens) : 0;
    return num_floats * static_cast<std::int64_t>(sizeof(float)) + num_flags + bytes_of_training(inputs, num_tokens) +
           other_layers;
}

std::int64_t bytes_needed(const PlaygroundState& state) {
    std::int64_t bytes = bytes_needed(state.inputs, num_tokens_shown(state));
    if (state.view.view == ViewKind::compare && !state.view.compare.empty()) {
        const PlaygroundState other = read_link(state.view.compare).state;
        bytes += bytes_needed(other.inputs, num_tokens_shown(other));
    }
    return bytes;
}

std::int64_t bytes_needed_again(const PlaygroundState& state) {
    Inputs without_scores = state.inputs;
    without_scores.dropout = 0;
    const int num_tokens = num_tokens_shown(state);
    const std::int64_t T = whole_steps(num_tokens);
    return bytes_needed(without_scores, num_tokens) -
           state.inputs.num_heads * T * T * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t bytes_needed_at_most(const PlaygroundState& state) {
    const std::string& text = shown_sentence(state);
    const auto num_tokens = static_cast<int>(std::min(text.size(), kMaxTokens));  // a token has a byte at least
    std::int64_t bytes = bytes_needed(state.inputs, num_tokens);
    if (state.view.view == ViewKind::compare && !state.view.compare.empty()) {
        constexpr auto kMostTokens = static_cast<std::int64_t>(kMaxTokens);
        Inputs largest;
        largest.d_in = largest.d_out = kMaxWidth;
        largest.num_heads = static_cast<int>(kMaxScoreElements / (kMostTokens * kMostTokens));
        largest.dropout = kMaxDropout;
        bytes += bytes_needed(largest, kMostTokens);
    }
    return bytes;
}

std::string megabytes(std::int64_t bytes) {
    return concat(with_thousands((bytes + 999'999) / 1'000'000), " MB");
}

bool has_room_for(const PlaygroundState& state) {
    const std::int64_t at_most = bytes_needed_at_most(state);
    return (at_most <= kLittleMemory && has_room_for(at_most)) || has_room_for(bytes_needed(state));
}

std::string no_room_text(const PlaygroundState& state) {
    constexpr int kParts = 16;
    const std::int64_t needed = bytes_needed(state);
    int part = kParts - 1;
    while (part > 0 && !has_room_for(needed / kParts * part)) --part;
    const std::string room = part == 0 ? "hardly any" : concat("about ", megabytes(needed / kParts * part));
    return concat(counted(state.inputs.num_heads, "head"), " of ", counted(num_tokens_shown(state), "token"), " need ",
                  megabytes(needed), " of memory, and the limit here is ", room);
}

std::string no_room_note(const PlaygroundState& state) {
    return concat(no_room_text(state), ": the state before is shown");
}

}  // namespace attn
