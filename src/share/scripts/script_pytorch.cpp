// Writes the PyTorch script; the functions stand in the order of its lines.
#include "share/scripts/script_pytorch.h"

#include <array>

#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_pytorch_training.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

constexpr std::string_view kTensor = "torch.tensor(";

// hashed(text) and, with n-grams, embed(token): rows of X.
void write_hashed_embedding(PythonText& python, const Inputs& inputs) {
    write_hashing(python, inputs);
    python.block(R"py(

def hashed(text):  # mean 0, variance 1
    return (2 * torch.tensor(hashed_numbers(text)) / 2**24 - 1) * torch.tensor(3.0).sqrt()
)py");
    if (inputs.embed != EmbeddingKind::ngrams) return;
    python.block(R"py(

def embed(token):
    pieces = pieces_of(token)
    return sum(hashed(piece) * len(pieces) ** -0.5 for piece in pieces)
)py");
}

// What the rows of X are looked up in.
void write_tables(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    if (inputs.embed == EmbeddingKind::torch) {
        python.line();
        write_vocabulary(python, sentences);
        python.line("torch.manual_seed(", inputs.embed_seed, ")");
        python.line("embedding = nn.Embedding(len(vocabulary), d_in)");
    }
    if (inputs.positions == Positions::learned) {
        if (inputs.embed != EmbeddingKind::torch) {
            python.line();
            python.line("torch.manual_seed(", inputs.embed_seed, ")");
        }
        python.line("position_embedding = nn.Embedding(", kNumLearnedPositions,
                    ", d_in)  # a vector for each position that a sentence may have");
    }
    if (inputs.embed == EmbeddingKind::typed) write_typed(python, sentences);
}

// "nn.Parameter(torch.rand(d_in, d_out))"
std::string parameter(Init init, std::string_view n_in, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("nn.Parameter(torch.rand(", n_in, ", ", n_out, "))");
    if (init == Init::torch_randn) return concat("nn.Parameter(torch.randn(", n_in, ", ", n_out, "))");
    return concat("nn.Parameter(torch.eye(", n_in, ", ", n_out, "))");
}

std::string bias_parameter(Init init, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("nn.Parameter(torch.rand(", n_out, "))");
    if (init == Init::torch_randn) return concat("nn.Parameter(torch.randn(", n_out, "))");
    return concat("nn.Parameter(torch.zeros(", n_out, "))");
}

// A learned map: "query" is W_query, and b_query unless it is an nn.Linear, which has its bias inside.
void write_map(PythonText& python, Init init, std::string_view name, std::string_view n_in, std::string_view n_out,
               bool bias) {
    if (init == Init::torch_linear) {
        python.line("W_", name, " = nn.Linear(", n_in, ", ", n_out, bias ? ")" : ", bias=False)");
        return;
    }
    python.line("W_", name, " = ", parameter(init, n_in, n_out));
    if (bias) python.line("b_", name, " = ", bias_parameter(init, n_out));
}

// Each group of heads of keys and values becomes the mean of their columns.
void write_means(PythonText& python, const Inputs& inputs) {
    if (inputs.num_kv_heads == 0 || inputs.kv_from != KvFrom::mean) return;
    const bool is_linear = inputs.init == Init::torch_linear;
    python.block(R"py(

def mean_of_groups(w, dim):  # neighbouring heads that will share keys and values, as models are converted to GQA
    groups = [heads.split(head_dim, dim) for heads in w.data.split(d_out // kv_heads, dim)]
    return nn.Parameter(torch.cat([sum(heads) / len(heads) for heads in groups], dim))

)py");
    for (const std::string_view role : {"key", "value"}) {
        if (is_linear) {
            python.line("W_", role, ".weight = mean_of_groups(W_", role, ".weight, 0)");
            if (inputs.bias) python.line("W_", role, ".bias = mean_of_groups(W_", role, ".bias, 0)");
        } else {
            python.line("W_", role, " = mean_of_groups(W_", role, ", 1)");
            if (inputs.bias) python.line("b_", role, " = mean_of_groups(b_", role, ", 0)");
        }
    }
}

void write_projections(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    if (inputs.init == Init::none) return;
    python.line();
    if (inputs.init != Init::identity) python.line("torch.manual_seed(", inputs.seed, ")");
    for (const std::string_view role : {"query", "key", "value"}) {
        if (const std::string_view down = python_down(inputs, role); !down.empty())
            write_map(python, inputs.init, down, "d_in", python_rows(inputs, role), false);
        write_map(python, inputs.init, role, python_rows(inputs, role), python_width(inputs, role, true), inputs.bias);
    }
    if (inputs.out) write_map(python, inputs.init, "out", "d_out", "d_out", true);
    if (inputs.rope_dim != 0) {
        write_map(python, inputs.init, "query_rope", python_rows(inputs, "query"), "num_heads * rope_dim", false);
        write_map(python, inputs.init, "key_rope", "d_in", "rope_dim", false);
    }
    write_means(python, inputs);
    for (const TensorId tensor : kLearnedTensors) {
        if (is_of_projections(tensor))
            write_edits(python, inputs, tensor, variable_of_learned(inputs.init, tensor), sentences, kTensor, ")");
    }
}

// What is learned beside the projections: weights of norms, sinks.
void write_more_learned(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norm_weights(python, inputs, "torch.");
    if (inputs.has_sink()) {
        python.line();
        python.line("# A sink a head: a number beside the masked scores of each row, without a key. It starts at 0.");
        python.line("sink_logits = nn.Parameter(torch.zeros(num_heads))");
    }
    for (const TensorId tensor : kLearnedTensors) {
        if (!is_of_projections(tensor))
            write_edits(python, inputs, tensor, tensor_name(tensor), sentences, kTensor, ")");
    }
}

// `x` sent through a learned map.
std::string mapped(const Inputs& inputs, std::string_view x, std::string_view name, bool bias) {
    if (inputs.init == Init::none) return std::string(x);
    if (inputs.init == Init::torch_linear) return concat("W_", name, "(", x, ")");
    return concat(x, " @ W_", name, bias ? concat(" + b_", name) : "");
}

void write_x(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    switch (inputs.embed) {
        case EmbeddingKind::hash:
            python.line("x = torch.stack([hashed(token) for token in tokens])");
            break;
        case EmbeddingKind::ngrams:
            python.line("x = torch.stack([embed(token) for token in tokens])");
            break;
        case EmbeddingKind::torch:
            python.line("x = embedding(torch.tensor([vocabulary.index(token) for token in tokens]))");
            break;
        case EmbeddingKind::typed:
            python.line("x = torch.tensor(typed", sentences.size() > 1 ? "[s]" : "", ")");
            break;
    }
    write_added_positions(python, inputs, "torch.");
    write_edits(python, inputs, TensorId::embeddings, "x", sentences, kTensor, ")");
}

// queries, keys, values: projected, typed over, cut into heads.
void write_roles(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    struct Role {
        TensorId stage;
        std::string_view name;
    };
    constexpr std::array kRoles = {Role{TensorId::queries, "query"}, Role{TensorId::keys, "key"},
                                   Role{TensorId::values, "value"}};
    python.line();
    for (const Role& role : kRoles) {
        const std::string_view stage = tensor_name(role.stage);
        const bool is_plain = inputs.init == Init::none;
        const std::string_view source = python_source(inputs, role.name);
        if (const std::string_view down = python_down(inputs, role.name); !down.empty())
            python.line(source, " = ", mapped(inputs, "x", down, false));
        python.line(stage, " = ", mapped(inputs, source, role.name, inputs.bias),
                    is_plain && has_edits(inputs, role.stage, sentences) ? ".clone()" : "");
        write_edits(python, inputs, role.stage, stage, sentences, kTensor, ")");
    }
    python.line();
    const bool is_shared = inputs.num_kv_heads != 0;
    python.line("# (T, d_out) cut into heads: (num_heads, T, head_dim)",
                is_shared ? "; keys and values have kv_heads heads" : "");
    for (const Role& role : kRoles) {
        const std::string_view stage = tensor_name(role.stage);
        python.line(stage, " = ", stage, ".view(T, ", python_heads(inputs, role.name), ", head_dim).transpose(0, 1)");
    }
    if (inputs.rope_dim == 0) return;
    python.line("# What is turned alone: some numbers for each head, and one row a token for all heads' keys.");
    python.line("position_queries = ", mapped(inputs, python_source(inputs, "query"), "query_rope", false));
    python.line("position_queries = position_queries.view(T, num_heads, rope_dim).transpose(0, 1)");
    python.line("position_keys = ", mapped(inputs, "x", "key_rope", false));
}

void write_weights(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norms(python, inputs, "torch.");
    write_rotation(python, inputs, "torch.");
    python.line();
    if (is_present(inputs, TensorId::absorbed_queries)) {
        const std::string_view w = inputs.init == Init::torch_linear ? "W_key.weight.T" : "W_key";
        const bool is_shared = inputs.num_kv_heads != 0;
        write_absorbed_comment(python, inputs);
        python.line("up = ", w, ".reshape(latent, ", is_shared ? "kv_heads" : "num_heads",
                    ", head_dim).permute(1, 2, 0)", is_shared ? ".repeat_interleave(num_heads // kv_heads, 0)" : "");
        python.line("absorbed_queries = queries @ up");
    }
    python.line("scores = ", python_scored(inputs, TensorId::queries), " @ ", python_scored(inputs, TensorId::keys),
                inputs.num_kv_heads == 0 ? "" : ".repeat_interleave(num_heads // kv_heads, 0)", ".transpose(1, 2)");
    const std::string divisor = python_divisor(inputs);
    python.line("scaled_scores = scores", divisor.empty() ? "" : " / ", divisor);
    write_score_changes(python, inputs, "torch.");
    const bool has_mask = hides_keys(inputs, sentences);
    if (has_mask) {
        python.line("hidden = ", inputs.mask == Mask::causal
                                     ? "torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)"
                                     : "torch.zeros(T, T, dtype=torch.bool)");
        write_window(python, inputs, "torch.", "torch.ones(T, T, dtype=torch.bool)", "diagonal");
        write_edits(python, inputs, TensorId::mask, "hidden", sentences);
    }
    if (inputs.mask_at == MaskAt::before) {
        python.line("masked_scores = ", python_unmasked(inputs), has_mask ? ".masked_fill(hidden, -torch.inf)" : "");
        if (inputs.has_sink()) {
            python.line("sinks = sink_logits.view(num_heads, 1, 1).expand(num_heads, T, 1)  # one more column");
            python.line("shares = torch.softmax(torch.cat([masked_scores, sinks], -1), dim=-1)");
            python.line("weights, sink_weights = shares[:, :, :-1], shares[:, :, -1:]");
        } else {
            python.line("weights = torch.softmax(masked_scores, dim=-1)");
        }
    } else {
        python.line("unmasked_weights = torch.softmax(", python_unmasked(inputs), ", dim=-1)");
        python.line("weights = unmasked_weights", has_mask ? ".masked_fill(hidden, 0)" : "");
    }
    if (inputs.mask_at == MaskAt::after) python.line("weights = weights / weights.sum(dim=-1, keepdim=True)");
    if (inputs.dropout > 0) python.line("dropped_weights = dropout(weights)");
}

void write_context(PythonText& python, const Inputs& inputs) {
    python.line();
    python.line("context = ", inputs.dropout > 0 ? "dropped_weights" : "weights", " @ values",
                inputs.num_kv_heads == 0 ? "" : ".repeat_interleave(num_heads // kv_heads, 0)");
    if (inputs.latent != 0)
        python.line("mixed_latents = ", inputs.dropout > 0 ? "dropped_weights" : "weights", " @ latents");
    python.line("merged = context.transpose(0, 1).contiguous().view(T, d_out)");
    if (inputs.out) python.line("output = ", mapped(inputs, "merged", "out", true));
}

// With a goal: from X to the output as a function, then loss, gradients and training.
void write_learning(PythonText& python, const PlaygroundState& state, const std::vector<ScriptSentence>& sentences,
                    int steps_taken) {
    const Inputs& inputs = state.inputs;
    const bool is_batch = sentences.size() > 1;
    if (is_batch) python.line("xs = {}");
    open_sentences(python, sentences);
    python.line("T = len(tokens)");
    write_x(python, inputs, sentences);
    python.line(is_batch ? "xs[s] = " : "x = ", "x.detach().requires_grad_()");
    if (is_batch) python.back();
    if (inputs.goal == GoalKind::next) write_word_vectors(python, inputs, sentences, Library::pytorch);
    if (inputs.goal == GoalKind::pattern) write_targets(python, inputs, sentences);
    python.line("torch.set_grad_enabled(True)");
    python.line();
    python.line();
    python.line("def attention(x", is_batch ? ", s" : "", "):");
    python.deeper();
    python.line("T = len(x)");
    write_roles(python, inputs, sentences);
    write_weights(python, inputs, sentences);
    write_context(python, inputs);
    if (inputs.goal == GoalKind::next) {
        python.line();
        python.line("logits = ", inputs.out ? "output" : "merged", " @ word_vectors.T  # (T, V)");
        write_capped_logits(python, inputs, "torch.");
        python.line("probabilities = torch.softmax(", python_softmax_logits(inputs), ", dim=-1)");
    }
    write_stages(python, state, "return ");
    python.back();
    write_pytorch_training(python, inputs, sentences, steps_taken);
    if (is_batch) {
        python.line("for s, stages in all_stages.items():");
        python.deeper();
    }
    write_pytorch_stage_gradients(python, inputs);
}

}  // namespace

Result<std::string> script_pytorch(const PlaygroundState& state, int steps_taken) {
    const Inputs& inputs = state.inputs;
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(inputs);
    if (!sentences) return Result<std::string>::failure(sentences.error());
    PythonText python;
    write_head(python, state, "PyTorch");
    python.line("import torch");
    python.line("from torch import nn");
    python.line();
    const bool is_learning = has_loss(inputs);
    python.line("torch.set_grad_enabled(False)", is_learning ? "" : "  # nothing is trained here");
    python.line("torch.set_printoptions(precision=4, sci_mode=False, threshold=10_000, linewidth=120)");
    python.line();
    write_blanks(python, state, "torch.");
    write_sentences(python, inputs, *sentences);
    if (is_hashed(inputs)) {
        write_hashed_embedding(python, inputs);
        python.line();
    }
    write_tables(python, inputs, *sentences);
    write_projections(python, inputs, *sentences);
    write_more_learned(python, inputs, *sentences);
    if (inputs.dropout > 0) {
        python.line();
        python.line(
            "# Where PyTorch draws dropout with Intel's MKL, as builds for Intel's processors do, other weights are "
            "dropped.");
        python.line("torch.manual_seed(", inputs.dropout_seed, ")");
        python.line("dropout = nn.Dropout(", python_number(inputs.dropout), ")");
    }
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
