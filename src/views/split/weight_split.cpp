// Where each number stands in each of the three shapes.
#include "views/split/weight_split.h"

#include <algorithm>

#include "core/ground/check.h"
#include "playground/link/blanks.h"
#include "playground/numbers/matrix_table.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

constexpr int kMostTokens = 24;  // that are drawn
constexpr int kMostHeads = 12;
constexpr int kMostChannels = 16;
constexpr int kMostColumns = 64;  // heads * channels

constexpr int kMaxTables = 16;  // blocks written as text

const Cube& cube_of(const AttentionTrace& trace, TensorId tensor) {
    if (tensor == TensorId::queries) return trace.query;
    if (tensor == TensorId::keys) return trace.key;
    if (tensor == TensorId::values) return trace.value;
    ATTN_CHECK(tensor == TensorId::context, tensor_name(tensor), " is not split into heads");
    return trace.context;
}

// The learned matrix of a role.
std::string_view matrix_of(TensorId role) {
    if (role == TensorId::keys) return "w_key";
    return role == TensorId::values ? "w_value" : "w_query";
}

std::string_view source_in_code(TensorId role, const Sizes& sizes) {
    if (role == TensorId::queries) return sizes.query_latent == 0 ? "X" : "query_latents";
    return sizes.latent == 0 ? "X" : "latents";
}

std::string block_title(const SplitPhase& phase, const Evaluation& evaluation, int block) {
    if (!phase.is_split) return "All heads side by side";
    if (phase.heads_first) return concat("Head ", block + 1);
    return token_labels(evaluation)(block);
}

}  // namespace

TensorId split_tensor(TensorId stage) {
    if (stage == TensorId::values) return stage;
    if (stage == TensorId::embeddings || is_query_stage(stage)) return TensorId::queries;
    return is_query_or_key_stage(stage) ? TensorId::keys : TensorId::context;
}

bool is_merge(TensorId tensor) {
    return tensor == TensorId::context;
}

Sizes split_sizes(Sizes sizes, TensorId tensor) {
    if (!has_kv_heads(tensor)) return sizes;
    sizes.d_out = sizes.kv_width();
    sizes.num_heads = sizes.kv_heads();
    sizes.num_kv_heads = 0;
    return sizes;
}

std::array<SplitPhase, kNumPhases> split_phases(TensorId tensor, int batch, const Sizes& sizes, bool has_matrices) {
    const int T = sizes.num_tokens;
    const int heads = sizes.num_heads;
    const int head_dim = sizes.head_dim();
    const std::string_view name = tensor_name(tensor);
    SplitPhase whole = {
        .letters = "(b, T, d_out)",
        .shape = concat("(", batch, ", ", T, ", ", sizes.d_out, ")"),
        .code = has_matrices ? concat(name, " = ", source_in_code(tensor, sizes), " @ ", matrix_of(tensor))
                             : concat(name, " = X"),
        .meaning = "One matrix for all heads: a row per token, d_out columns, the heads' columns side by side.",
        .is_split = false,
        .heads_first = false};
    SplitPhase cut = {.letters = "(b, T, num_heads, head_dim)",
                      .shape = concat("(", batch, ", ", T, ", ", heads, ", ", head_dim, ")"),
                      .code = ".view(b, T, num_heads, head_dim)",
                      .meaning = "Each token's row is cut into num_heads pieces. In memory no number has moved.",
                      .is_split = true,
                      .heads_first = false};
    SplitPhase heads_apart = {
        .letters = "(b, num_heads, T, head_dim)",
        .shape = concat("(", batch, ", ", heads, ", ", T, ", ", head_dim, ")"),
        .code = ".transpose(1, 2)",
        .meaning = "Heads and tokens change places: each head has a matrix of its own to work with.",
        .is_split = true,
        .heads_first = true};
    if (!is_merge(tensor)) return {whole, cut, heads_apart};
    heads_apart.code = concat(name, " = weights @ values");
    heads_apart.meaning = "Each head has made a context of its own: one matrix a head.";
    cut.code = ".transpose(1, 2)";
    cut.meaning = "Tokens and heads change places: for each token the pieces of all heads.";
    whole.code = ".contiguous().view(b, T, d_out)";
    whole.meaning = "The pieces of a token joined to one row: all heads side by side, the stage merged.";
    return {heads_apart, cut, whole};
}

std::array<SplitPhase, kNumPhases> split_phases(TensorId tensor, int batch, const Evaluation& evaluation) {
    return split_phases(tensor, batch, split_sizes(evaluation.sizes, tensor),
                        evaluation.problem->projections->w_query.size() > 0);
}

std::string_view memory_in_words(const SplitPhase& phase) {
    return phase.heads_first ? "In memory, once it is written row by row: head after head"
                             : "In memory, row by row: token after token, and in each the heads in turn";
}

int batch_size(const Inputs& inputs) {
    const int num_tokens = count_tokens(inputs, 0);
    for (std::size_t s = 1; s < inputs.texts.size(); ++s) {
        if (count_tokens(inputs, s) != num_tokens) return 1;
    }
    return static_cast<int>(inputs.texts.size());
}

SplitBlocks blocks_of(const SplitPhase& phase, const Sizes& sizes) {
    if (!phase.is_split) return {.count = 1, .rows = sizes.num_tokens, .columns = sizes.d_out};
    if (phase.heads_first) return {.count = sizes.num_heads, .rows = sizes.num_tokens, .columns = sizes.head_dim()};
    return {.count = sizes.num_tokens, .rows = sizes.num_heads, .columns = sizes.head_dim()};
}

SplitPlace place_of(const SplitPhase& phase, const Sizes& sizes, const SplitElement& element) {
    if (!phase.is_split) {
        return {.block = 0, .row = element.token, .column = element.head * sizes.head_dim() + element.channel};
    }
    if (phase.heads_first) return {.block = element.head, .row = element.token, .column = element.channel};
    return {.block = element.token, .row = element.head, .column = element.channel};
}

std::int64_t order_of(const SplitPhase& phase, const Sizes& sizes, const SplitElement& element) {
    const SplitBlocks blocks = blocks_of(phase, sizes);
    const SplitPlace place = place_of(phase, sizes, element);
    return (static_cast<std::int64_t>(place.block) * blocks.rows + place.row) * blocks.columns + place.column;
}

SplitElement element_at(const SplitPhase& phase, const Sizes& sizes, std::int64_t order) {
    const int head_dim = sizes.head_dim();
    const auto channel = static_cast<int>(order % head_dim);
    const std::int64_t piece = order / head_dim;  // head_dim numbers that always stay together
    if (phase.heads_first) {
        return {.token = static_cast<int>(piece % sizes.num_tokens),
                .head = static_cast<int>(piece / sizes.num_tokens),
                .channel = channel};
    }
    return {.token = static_cast<int>(piece / sizes.num_heads),
            .head = static_cast<int>(piece % sizes.num_heads),
            .channel = channel};
}

float split_number(const Evaluation& evaluation, TensorId tensor, const SplitElement& element) {
    return cube_of(evaluation.trace, tensor)(element.head, element.token, element.channel);
}

SplitCut cut_for(const Sizes& sizes) {
    SplitCut cut;
    cut.tokens = std::min(sizes.num_tokens, kMostTokens);
    cut.heads = std::min(sizes.num_heads, kMostHeads);
    cut.channels = std::min({sizes.head_dim(), kMostChannels, std::max(1, kMostColumns / cut.heads)});
    return cut;
}

std::string cut_in_words(const SplitCut& cut, const Sizes& sizes) {
    NameList parts;
    const auto add = [&](int shown, int all, std::string_view what) {
        if (shown < all) parts.add(concat(shown, " of ", with_thousands(all), " ", what));
    };
    add(cut.tokens, sizes.num_tokens, "tokens");
    add(cut.heads, sizes.num_heads, "heads");
    add(cut.channels, sizes.head_dim(), "channels of each head");
    return parts.empty() ? std::string() : concat("Only the first ", parts.text(), " are drawn.");
}

std::vector<TextTable> tables_of_split(const PlaygroundState& state, const Evaluator& evaluator) {
    const Evaluation& evaluation = evaluator.shown();
    const TensorId tensor = split_tensor(state.view.stage);
    const Sizes& sizes = evaluation.sizes;
    const auto phases = split_phases(tensor, batch_size(state.inputs), evaluation);
    const SplitPhase& phase = phases[static_cast<std::size_t>(state.view.phase)];
    const SplitBlocks blocks = blocks_of(phase, sizes);
    const Blanks blanks(state);
    const Label tokens = token_labels(evaluation);
    const Label heads = [](int head) { return concat("head ", head + 1); };
    const Label row_labels = phase.is_split && !phase.heads_first ? heads : tokens;
    const int num_shown = std::min(blocks.count, kMaxTables);
    std::vector<TextTable> tables;
    for (int block = 0; block < num_shown; ++block) {
        const auto element = [&, block](int i, int c) {
            return element_at(phase, sizes, (static_cast<std::int64_t>(block) * blocks.rows + i) * blocks.columns + c);
        };
        const auto is_blank = [&](int i, int c) {
            const SplitElement here = element(i, c);
            return blanks.has(tensor, here.head, here.token, here.channel);
        };
        Matrix matrix = zeros<Matrix>(blocks.rows, blocks.columns);
        for (int i = 0; i < blocks.rows; ++i) {
            for (int c = 0; c < blocks.columns; ++c) matrix(i, c) = split_number(evaluation, tensor, element(i, c));
        }
        std::string title = block_title(phase, evaluation, block);
        if (block == 0) title = concat(tensor_name(tensor), " ", phase.letters, " = ", phase.shape, ": ", title);
        if (block == 0 && num_shown < blocks.count)
            title += concat(" (the first ", num_shown, " of ", blocks.count, ")");
        tables.push_back(matrix_table(std::move(title), matrix, row_labels, channel_label, is_blank));
    }
    return tables;
}

}  // namespace attn
