// Writes the NumPy script; the functions stand in the order of its lines.
#include "share/scripts/script_numpy.h"

#include "core/ground/check.h"
#include "core/words/embeddings.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_numpy_random.h"
#include "share/scripts/script_numpy_training.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

// hashed(text) and, with n-grams, embed(token): rows of X.
void write_hashed_embedding(PythonText& python, const Inputs& inputs) {
    write_hashing(python, inputs);
    python.block(R"py(

def hashed(text):  # mean 0, variance 1
    u = np.array(hashed_numbers(text)) / 2**24
    return (2 * u - 1).astype(np.float32) * np.sqrt(np.float32(3))
)py");
    if (inputs.embed != EmbeddingKind::ngrams) return;
    python.block(R"py(

def embed(token):
    pieces = pieces_of(token)
    return sum(hashed(piece) * np.float32(len(pieces) ** -0.5) for piece in pieces)
)py");
}

// What the rows of X are looked up in.
void write_tables(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const bool has_table = inputs.positions == Positions::learned;
    const std::string table_draws =
        has_table && inputs.embed == EmbeddingKind::torch ? "tables" : concat("TorchRandom(", inputs.embed_seed, ")");
    if (inputs.embed == EmbeddingKind::torch) {
        python.line();
        python.line("# nn.Embedding: a token's row is its place in the sorted list of distinct tokens.");
        write_vocabulary(python, sentences);
        if (has_table) python.line("tables = TorchRandom(", inputs.embed_seed, ")");
        python.line("embedding = ", table_draws, ".randn(len(vocabulary), d_in)");
    }
    if (has_table) {
        if (inputs.embed != EmbeddingKind::torch) python.line();
        python.line("# A learned vector for each position that a sentence may have, nn.Embedding, too.");
        python.line("position_embedding = ", table_draws, ".randn(", kNumLearnedPositions, ", d_in)");
    }
    if (inputs.embed == EmbeddingKind::typed) write_typed(python, sentences);
}

// "random.rand(d_in, d_out)": the weight of a linear map, and its bias.
std::string weight_call(Init init, std::string_view n_in, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("random.rand(", n_in, ", ", n_out, ")");
    if (init == Init::torch_randn) return concat("random.randn(", n_in, ", ", n_out, ")");
    if (init == Init::torch_linear) return concat("random.linear_weight(", n_in, ", ", n_out, ")");
    return concat("np.eye(", n_in, ", ", n_out, ", dtype=np.float32)");
}

std::string bias_call(Init init, std::string_view n_in, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("random.rand(", n_out, ")");
    if (init == Init::torch_randn) return concat("random.randn(", n_out, ")");
    if (init == Init::torch_linear) return concat("random.linear_bias(", n_in, ", ", n_out, ")");
    return concat("np.zeros(", n_out, ", dtype=np.float32)");
}

// Each group of heads of keys and values becomes the mean of their columns.
void write_means(PythonText& python, const Inputs& inputs) {
    if (inputs.num_kv_heads == 0 || inputs.kv_from != KvFrom::mean) return;
    python.block(R"py(

def mean_of_groups(w):  # neighbouring heads that will share keys and values, as models are converted to GQA
    heads = w.reshape(-1, kv_heads, num_heads // kv_heads, head_dim)
    means = sum(heads[:, :, n] for n in range(heads.shape[2])) / np.float32(heads.shape[2])
    return means.reshape(*w.shape[:-1], kv_width)

)py");
    for (const std::string_view role : {"key", "value"}) {
        python.line("w_", role, " = mean_of_groups(w_", role, ")");
        if (inputs.bias) python.line("b_", role, " = mean_of_groups(b_", role, ")");
    }
}

void write_projections(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    if (inputs.init == Init::none) return;
    python.line();
    python.line("# The learned matrices, in the order in which a notebook creates them.");
    if (inputs.init != Init::identity) python.line("random = TorchRandom(", inputs.seed, ")");
    for (const std::string_view role : {"query", "key", "value"}) {
        const std::string_view width = python_width(inputs, role, true);
        const std::string_view rows = python_rows(inputs, role);
        if (const std::string_view down = python_down(inputs, role); !down.empty())
            python.line("w_", down, " = ", weight_call(inputs.init, "d_in", rows));
        python.line("w_", role, " = ", weight_call(inputs.init, rows, width));
        if (inputs.bias) python.line("b_", role, " = ", bias_call(inputs.init, rows, width));
    }
    if (inputs.out) {
        python.line("w_out = ", weight_call(inputs.init, "d_out", "d_out"));
        python.line("b_out = ", bias_call(inputs.init, "d_out", "d_out"));
    }
    if (inputs.rope_dim != 0) {
        python.line("w_query_rope = ", weight_call(inputs.init, python_rows(inputs, "query"), "num_heads * rope_dim"));
        python.line("w_key_rope = ", weight_call(inputs.init, "d_in", "rope_dim"));
    }
    write_means(python, inputs);
    for (const TensorId tensor : kLearnedTensors) {
        if (is_of_projections(tensor)) write_edits(python, inputs, tensor, tensor_name(tensor), sentences);
    }
}

// What is learned beside the projections: weights of norms, sinks.
void write_more_learned(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norm_weights(python, inputs, "np.");
    if (inputs.has_sink()) {
        python.line();
        python.line("# A sink a head: a number beside the masked scores of each row, without a key. It starts at 0.");
        python.line("sink_logits = np.zeros(num_heads, dtype=np.float32)");
    }
    for (const TensorId tensor : kLearnedTensors) {
        if (!is_of_projections(tensor)) write_edits(python, inputs, tensor, tensor_name(tensor), sentences);
    }
}

void write_x(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    switch (inputs.embed) {
        case EmbeddingKind::hash:
            python.line("x = np.stack([hashed(token) for token in tokens])");
            break;
        case EmbeddingKind::ngrams:
            python.line("x = np.stack([embed(token) for token in tokens])");
            break;
        case EmbeddingKind::torch:
            python.line("x = embedding[[vocabulary.index(token) for token in tokens]]");
            break;
        case EmbeddingKind::typed:
            python.line("x = np.array(typed", sentences.size() > 1 ? "[s]" : "", ", dtype=np.float32)");
            break;
    }
    write_added_positions(python, inputs, "np.");
    write_edits(python, inputs, TensorId::embeddings, "x", sentences);
}

// queries, keys, values: projected, typed over, cut into heads.
void write_roles(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    struct Role {
        TensorId stage;
        std::string_view name, word;
    };
    constexpr std::array kRoles = {Role{TensorId::queries, "queries", "query"}, Role{TensorId::keys, "keys", "key"},
                                   Role{TensorId::values, "values", "value"}};
    python.line();
    for (const Role& role : kRoles) {
        std::string product(python_source(inputs, role.word));
        if (const std::string_view down = python_down(inputs, role.word); !down.empty())
            python.line(product, " = x @ w_", down);
        if (inputs.init != Init::none) product += concat(" @ w_", role.word);
        if (inputs.bias) product += concat(" + b_", role.word);
        const bool is_sum = inputs.bias;
        if (has_edits(inputs, role.stage, sentences)) {
            python.line(role.name, " = ", inputs.init == Init::none ? "x.copy()" : product);
            write_edits(python, inputs, role.stage, role.name, sentences);
            product = role.name;
        } else if (is_sum || inputs.init != Init::none) {
            product = concat("(", product, ")");
        }
        python.line(role.name, " = ", product, ".reshape(T, ", python_heads(inputs, role.word),
                    ", head_dim).transpose(1, 0, 2)");
    }
    if (inputs.rope_dim == 0) return;
    python.line("# What is turned alone: some numbers for each head, and one row a token for all heads' keys.");
    python.line("position_queries = (", python_source(inputs, "query"),
                " @ w_query_rope).reshape(T, num_heads, rope_dim).transpose(1, 0, 2)");
    python.line("position_keys = x @ w_key_rope");
}

void write_weights(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norms(python, inputs, "np.");
    write_rotation(python, inputs, "np.");
    const std::string_view queries = python_scored(inputs, TensorId::queries);
    const std::string_view keys = python_scored(inputs, TensorId::keys);
    python.line();
    if (is_present(inputs, TensorId::absorbed_queries)) {
        const bool is_shared = inputs.num_kv_heads != 0;
        write_absorbed_comment(python, inputs);
        python.line("up = w_key.reshape(latent, ", is_shared ? "kv_heads" : "num_heads",
                    ", head_dim).transpose(1, 2, 0)", is_shared ? ".repeat(num_heads // kv_heads, axis=0)" : "");
        python.line("absorbed_queries = queries @ up");
    }
    if (inputs.num_kv_heads == 0) {
        python.line("scores = ", queries, " @ ", keys, ".transpose(0, 2, 1)");
    } else {  // each head with the keys and values that it reads
        python.line("read_keys = ", keys, ".repeat(num_heads // kv_heads, axis=0)");
        python.line("read_values = values.repeat(num_heads // kv_heads, axis=0)");
        python.line("scores = ", queries, " @ read_keys.transpose(0, 2, 1)");
    }
    const std::string divisor = python_divisor(inputs);
    python.line("scaled_scores = scores", divisor.empty() ? "" : " / ", divisor);
    write_score_changes(python, inputs, "np.");
    const bool has_mask = hides_keys(inputs, sentences);
    if (has_mask) {
        python.line("hidden = ", inputs.mask == Mask::causal ? "np.triu(np.ones((T, T), dtype=bool), k=1)"
                                                             : "np.zeros((T, T), dtype=bool)");
        write_window(python, inputs, "np.", "np.ones((T, T), dtype=bool)", "k");
        write_edits(python, inputs, TensorId::mask, "hidden", sentences);
    }
    const bool is_before = inputs.mask_at == MaskAt::before;
    const std::string_view unmasked = python_unmasked(inputs);
    const std::string_view source = is_before ? "masked_scores" : unmasked;
    const std::string_view softmax = is_before ? "weights" : "unmasked_weights";
    if (is_before)
        python.line("masked_scores = ",
                    has_mask ? concat("np.where(hidden, -np.inf, ", unmasked, ")") : std::string(unmasked));
    if (inputs.has_sink()) {
        python.line("sinks = sink_logits[:, None, None]");
        python.line("row_max = np.maximum(masked_scores.max(axis=-1, keepdims=True), sinks)");
        python.line("exps, sink_exps = np.exp(masked_scores - row_max), np.exp(sinks - row_max)");
        python.line("row_sums = exps.sum(axis=-1, keepdims=True) + sink_exps");
        python.line("weights, sink_weights = exps / row_sums, sink_exps / row_sums");
    } else {
        python.line("exps = np.exp(", source, " - ", source, ".max(axis=-1, keepdims=True))");
        python.line(softmax, " = exps / exps.sum(axis=-1, keepdims=True)");
    }
    if (!is_before) python.line("weights = ", has_mask ? "np.where(hidden, 0, unmasked_weights)" : "unmasked_weights");
    if (inputs.mask_at == MaskAt::after) python.line("weights = weights / weights.sum(axis=-1, keepdims=True)");
    if (inputs.dropout > 0) {
        const std::string p = python_number(inputs.dropout);
        python.line("keep = dropout_random.uniform53(weights.size).reshape(weights.shape) < 1 - ", p);
        python.line("dropped_weights = weights * (keep / np.float32(1 - ", p, "))");
    }
}

void write_context(PythonText& python, const Inputs& inputs) {
    python.line();
    python.line("context = ", inputs.dropout > 0 ? "dropped_weights" : "weights",
                inputs.num_kv_heads == 0 ? " @ values" : " @ read_values");
    if (inputs.latent != 0)
        python.line("mixed_latents = ", inputs.dropout > 0 ? "dropped_weights" : "weights", " @ latents");
    python.line("merged = context.transpose(1, 0, 2).reshape(T, d_out)");
    if (inputs.out) python.line("output = merged @ w_out + b_out");
}

// With a goal: forward and backward pass as one function of X, then training.
void write_learning(PythonText& python, const PlaygroundState& state, const std::vector<ScriptSentence>& sentences,
                    int steps_taken) {
    const Inputs& inputs = state.inputs;
    const bool is_batch = sentences.size() > 1;
    if (is_batch) python.line("xs = {}");
    open_sentences(python, sentences);
    python.line("T = len(tokens)");
    write_x(python, inputs, sentences);
    if (is_batch) python.line("xs[s] = x");
    if (is_batch) python.back();
    if (inputs.goal == GoalKind::next) write_word_vectors(python, inputs, sentences, Library::numpy);
    if (inputs.goal == GoalKind::pattern) write_targets(python, inputs, sentences);
    write_num_terms(python, inputs, sentences);
    python.line();
    python.line();
    python.line("def attention(x", is_batch ? ", s" : "", "):  # forward, then back from the loss to every tensor");
    python.deeper();
    python.line("T = len(x)");
    write_roles(python, inputs, sentences);
    write_weights(python, inputs, sentences);
    write_context(python, inputs);
    write_backward_pass(python, state, sentences);
    python.back();
    write_numpy_training(python, inputs, sentences, steps_taken);
    if (is_batch) {
        python.line("for s, stages in all_stages.items():");
        python.deeper();
    }
}

}  // namespace

Result<std::string> script_numpy(const PlaygroundState& state, int steps_taken) {
    const Inputs& inputs = state.inputs;
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(inputs);
    if (!sentences) return Result<std::string>::failure(sentences.error());
    const Draws draws = draws_of(inputs, *sentences);
    PythonText python;
    write_head(python, state, "Multi-head attention with NumPy, every stage printed");
    if (draws.any()) python.line("import math");
    if (draws.any()) python.line();
    python.line("import numpy as np");
    python.line();
    python.line(
        "np.set_printoptions(precision=4, suppress=True, floatmode=\"fixed\", threshold=10_000, linewidth=120)");
    python.line();
    write_blanks(python, state, "np.");
    write_sentences(python, inputs, *sentences);
    write_random(python, draws);
    if (is_hashed(inputs)) write_hashed_embedding(python, inputs);
    if (draws.any() || is_hashed(inputs)) python.line();
    write_tables(python, inputs, *sentences);
    write_projections(python, inputs, *sentences);
    write_more_learned(python, inputs, *sentences);
    const bool is_learning = has_loss(inputs);
    if (draws.dropout && !is_learning) python.line("dropout_random = TorchRandom(", inputs.dropout_seed, ")");
    python.line();
    if (is_learning) {
        write_learning(python, state, *sentences, steps_taken);
    } else {
        open_sentences(python, *sentences);
        python.line("T = len(tokens)");
        write_x(python, inputs, *sentences);
        write_roles(python, inputs, *sentences);
        write_weights(python, inputs, *sentences);
        write_context(python, inputs);
        write_stages(python, state, "stages = ");
    }
    write_printing(python, state, *sentences, is_learning);
    if (is_learning) write_last_gradients(python, state);
    return finished_script(python);
}

}  // namespace attn
