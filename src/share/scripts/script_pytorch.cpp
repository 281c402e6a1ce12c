// Writes the PyTorch script. The functions stand in the order of its lines; those that other files call, too, follow.
#include "share/scripts/script_pytorch.h"

#include <array>

#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_pytorch_parts.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

// `x` sent through a learned map.
std::string mapped(const Inputs& inputs, std::string_view x, std::string_view name, bool bias) {
    if (inputs.init == Init::none) return std::string(x);
    if (inputs.init == Init::torch_linear) return concat("W_", name, "(", x, ")");
    return concat(x, " @ W_", name, bias ? concat(" + b_", name) : "");
}

// queries, keys, values: projected, typed over, cut into heads.
void write_roles(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    struct Role {
        TensorId stage;
        std::string_view name;
    };
    constexpr std::array kRoles = {Role{TensorId::queries, "query"}, Role{TensorId::keys, "key"},
                                   Role{TensorId::values, "value"}};
    python.cell("query_latents latents queries keys values position_queries position_keys");
    python.line();
    for (const Role& role : kRoles) {
        const std::string_view stage = tensor_name(role.stage);
        const bool is_plain = inputs.init == Init::none;
        const std::string_view source = python_source(inputs, role.name);
        if (const std::string_view down = python_down(inputs, role.name); !down.empty())
            python.line(source, " = ", mapped(inputs, "x", down, false));
        python.line(stage, " = ", mapped(inputs, source, role.name, inputs.bias),
                    is_plain && has_edits(inputs, role.stage, sentences) ? ".clone()" : "");
        write_edits(python, inputs, role.stage, stage, sentences, kTorchList, ")");
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

// A notebook's one sentence of a batch draws after the sentences before it.
void write_dropout(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    python.line();
    python.line(
        "# Where PyTorch draws dropout with Intel's MKL, as builds for Intel's processors do, other weights are "
        "dropped.");
    python.line("torch.manual_seed(", inputs.dropout_seed, ")");
    python.line("dropout = nn.Dropout(", python_number(inputs.dropout), ")");
    if (!python.makes_cells() || sentences.size() == 1) return;
    python.line("for number, words in sentences.items():");
    python.line("    if number < s:  # what the sentences before it draw");
    python.line("        dropout(torch.ones(num_heads, len(words), len(words)))");
}

void write_weights(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norms(python, inputs, "torch.");
    write_rotation(python, inputs, "torch.");
    python.line();
    if (is_present(inputs, TensorId::absorbed_queries)) {
        const std::string_view w = inputs.init == Init::torch_linear ? "W_key.weight.T" : "W_key";
        const bool is_shared = inputs.num_kv_heads != 0;
        python.cell("absorbed_queries");
        write_absorbed_comment(python, inputs);
        python.line("up = ", w, ".reshape(latent, ", is_shared ? "kv_heads" : "num_heads",
                    ", head_dim).permute(1, 2, 0)", is_shared ? ".repeat_interleave(num_heads // kv_heads, 0)" : "");
        python.line("absorbed_queries = queries @ up");
    }
    python.cell("scores");
    python.line("scores = ", python_scored(inputs, TensorId::queries), " @ ", python_scored(inputs, TensorId::keys),
                inputs.num_kv_heads == 0 ? "" : ".repeat_interleave(num_heads // kv_heads, 0)", ".transpose(1, 2)");
    const std::string divisor = python_divisor(inputs);
    python.cell("scaled_scores");
    python.line("scaled_scores = scores", divisor.empty() ? "" : " / ", divisor);
    write_score_changes(python, inputs, "torch.");
    const bool has_mask = hides_keys(inputs, sentences);
    python.cell(inputs.mask_at == MaskAt::before ? "masked_scores" : "unmasked_weights");
    if (has_mask) {
        python.line("hidden = ", inputs.mask == Mask::causal
                                     ? "torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)"
                                     : "torch.zeros(T, T, dtype=torch.bool)");
        write_window(python, inputs, "torch.", "torch.ones(T, T, dtype=torch.bool)", "diagonal");
        write_edits(python, inputs, TensorId::mask, "hidden", sentences);
    }
    if (inputs.mask_at == MaskAt::before) {
        python.line("masked_scores = ", python_unmasked(inputs), has_mask ? ".masked_fill(hidden, -torch.inf)" : "");
        python.cell("weights sink_weights");
        if (inputs.has_sink()) {
            python.line("sinks = sink_logits.view(num_heads, 1, 1).expand(num_heads, T, 1)  # one more column");
            python.line("shares = torch.softmax(torch.cat([masked_scores, sinks], -1), dim=-1)");
            python.line("weights, sink_weights = shares[:, :, :-1], shares[:, :, -1:]");
        } else {
            python.line("weights = torch.softmax(masked_scores, dim=-1)");
        }
    } else {
        python.line("unmasked_weights = torch.softmax(", python_unmasked(inputs), ", dim=-1)");
        python.cell("weights");
        python.line("weights = unmasked_weights", has_mask ? ".masked_fill(hidden, 0)" : "");
    }
    if (inputs.mask_at == MaskAt::after) python.line("weights = weights / weights.sum(dim=-1, keepdim=True)");
    if (inputs.dropout == 0) return;
    python.cell("dropped_weights");
    if (python.makes_cells()) write_dropout(python, inputs, sentences);
    python.line("dropped_weights = dropout(weights)");
}

void write_context(PythonText& python, const Inputs& inputs) {
    python.cell("context mixed_latents");
    python.line();
    python.line("context = ", inputs.dropout > 0 ? "dropped_weights" : "weights", " @ values",
                inputs.num_kv_heads == 0 ? "" : ".repeat_interleave(num_heads // kv_heads, 0)");
    if (inputs.latent != 0)
        python.line("mixed_latents = ", inputs.dropout > 0 ? "dropped_weights" : "weights", " @ latents");
    python.cell("merged");
    python.line("merged = context.transpose(0, 1).contiguous().view(T, d_out)");
    if (inputs.out) python.cell("output");
    if (inputs.out) python.line("output = ", mapped(inputs, "merged", "out", true));
}

// With the goal `next`: which words may come.
void write_probabilities(PythonText& python, const Inputs& inputs) {
    if (inputs.goal != GoalKind::next) return;
    python.cell("logits");
    python.line();
    python.line("logits = ", inputs.out ? "output" : "merged", " @ word_vectors.T  # (T, V)");
    write_capped_logits(python, inputs, "torch.");
    python.cell("probabilities");
    python.line("probabilities = torch.softmax(", python_softmax_logits(inputs), ", dim=-1)");
}

// With a goal: from X to the output as a function, then loss, gradients and training.
void write_learning(PythonText& python, const PlaygroundState& state, const std::vector<ScriptSentence>& sentences,
                    int steps_taken) {
    const Inputs& inputs = state.inputs;
    const bool is_batch = sentences.size() > 1;
    python.cell("inputs");
    if (is_batch) python.line("xs = {}");
    open_sentences(python, sentences);
    write_pytorch_x(python, inputs, sentences);
    python.line(is_batch ? "xs[s] = " : "x = ", "x.detach().requires_grad_()");
    if (is_batch) python.back();
    if (inputs.goal == GoalKind::next && !python.makes_cells())  // a notebook has them for its first stages already
        write_word_vectors(python, inputs, sentences, Library::pytorch);
    if (inputs.goal == GoalKind::pattern) write_targets(python, inputs, sentences);
    python.cell("function");
    python.line("torch.set_grad_enabled(True)");
    python.line();
    python.line();
    python.line("def attention(x", is_batch ? ", s" : "", "):");
    python.deeper();
    python.line("T = len(x)");
    write_roles(python, inputs, sentences);
    write_weights(python, inputs, sentences);
    write_context(python, inputs);
    write_probabilities(python, inputs);
    write_stages(python, state, "return ");
    python.back();
    write_pytorch_training(python, inputs, sentences, steps_taken);
    python.cell("trained");
    if (is_batch) {
        python.line("for s, stages in all_stages.items():");
        python.deeper();
    }
    write_pytorch_stage_gradients(python, inputs);
}

// x, and all stages up to the output.
void write_forward(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_pytorch_x(python, inputs, sentences);
    write_roles(python, inputs, sentences);
    write_weights(python, inputs, sentences);
    write_context(python, inputs);
}

}  // namespace

void write_pytorch_x(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    python.line("T = len(tokens)");
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
    write_edits(python, inputs, TensorId::embeddings, "x", sentences, kTorchList, ")");
}

void write_pytorch_imports(PythonText& python, const PlaygroundState& state) {
    python.line("import torch");
    python.line("from torch import nn");
    python.line();
    python.line("torch.set_grad_enabled(False)", has_loss(state.inputs) ? "" : "  # nothing is trained here");
    python.line("torch.set_printoptions(precision=4, sci_mode=False, threshold=10_000, linewidth=120)");
    python.line();
    write_blanks(python, state, "torch.");
}

Result<std::string> script_pytorch(const PlaygroundState& state, int steps_taken) {
    const Inputs& inputs = state.inputs;
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(inputs);
    if (!sentences) return Result<std::string>::failure(sentences.error());
    const bool is_learning = has_loss(inputs);
    PythonText python;
    write_head(python, state, "Multi-head attention with PyTorch, every stage printed");
    write_pytorch_imports(python, state);
    write_pytorch_inputs(python, inputs, *sentences);
    if (inputs.dropout > 0) write_dropout(python, inputs, *sentences);
    python.line();
    if (is_learning) {
        write_learning(python, state, *sentences, steps_taken);
    } else {
        open_sentences(python, *sentences);
        write_forward(python, inputs, *sentences);
        write_stages(python, state, "stages = ");
    }
    write_printing(python, state, *sentences, is_learning);
    if (is_learning) write_last_gradients(python, state);
    return finished_script(python);
}

PythonText stages_pytorch(const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    PythonText python;
    python.cut_into_cells();
    python.cell("embeddings");
    write_forward(python, inputs, sentences);
    write_probabilities(python, inputs);
    return python;
}

PythonText cells_pytorch(const PlaygroundState& state, int steps_taken, const std::vector<ScriptSentence>& sentences,
                         const NotebookChecks& checks) {
    const Inputs& inputs = state.inputs;
    PythonText python;
    python.cut_into_cells();
    python.cell("setup");
    write_pytorch_imports(python, state);
    write_showing(python);
    write_pytorch_inputs(python, inputs, sentences);
    if (inputs.goal == GoalKind::next) {
        python.cell("words");
        write_word_vectors(python, inputs, sentences, Library::pytorch);
    }
    python.cell("embeddings");
    if (sentences.size() > 1) {
        python.line("s = ", checks.sentence, "  # the sentence of the stages below");
        python.line("tokens = sentences[s]");
    }
    write_forward(python, inputs, sentences);
    write_probabilities(python, inputs);
    python.cell("check");
    write_stages(python, state, "stages = ");
    python.block(checks.forward);
    if (!has_loss(inputs)) {
        if (state.view.cell && checks.sentence == state.view.sentence + 1) write_pinned(python, state, "stages");
        return python;
    }
    write_learning(python, state, sentences, steps_taken);
    write_printing(python, state, sentences, true);
    write_last_gradients(python, state);
    python.cell("check_trained");
    python.block(checks.trained);
    return python;
}

}  // namespace attn
