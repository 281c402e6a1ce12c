// The functions stand in the order of the script's lines.
#include "share/scripts/script_pytorch_parts.h"

#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_positions.h"

namespace attn {
namespace {

// hashed(text) and, with n-grams, embed(token): rows of X.
void write_torch_hashed(PythonText& python, const Inputs& inputs) {
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
void write_torch_tables(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
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

// A learned map: "query" is W_query, and b_query unless it is an nn.Linear, which has its bias inside.
void write_map(PythonText& python, Init init, std::string_view name, std::string_view n_in, std::string_view n_out,
               bool bias) {
    if (init == Init::torch_linear) {
        python.line("W_", name, " = nn.Linear(", n_in, ", ", n_out, bias ? ")" : ", bias=False)");
        return;
    }
    python.line("W_", name, " = ", python_parameter(init, n_in, n_out));
    if (bias) python.line("b_", name, " = ", python_bias_parameter(init, n_out));
}

// Each group of heads of keys and values becomes the mean of their columns.
void write_torch_means(PythonText& python, const Inputs& inputs) {
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

void write_torch_projections(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
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
    write_torch_means(python, inputs);
    for (const TensorId tensor : kLearnedTensors) {
        if (is_of_projections(tensor))
            write_edits(python, inputs, tensor, variable_of_learned(inputs.init, tensor), sentences, kTorchList, ")");
    }
}

// What is learned beside the projections: weights of norms, sinks.
void write_torch_learned(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_norm_weights(python, inputs, "torch.");
    if (inputs.has_sink()) {
        python.line();
        python.line("# A sink a head: a number beside the masked scores of each row, without a key. It starts at 0.");
        python.line("sink_logits = nn.Parameter(torch.zeros(num_heads))");
    }
    for (const TensorId tensor : kLearnedTensors) {
        if (!is_of_projections(tensor))
            write_edits(python, inputs, tensor, tensor_name(tensor), sentences, kTorchList, ")");
    }
}

}  // namespace

std::string python_parameter(Init init, std::string_view n_in, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("nn.Parameter(torch.rand(", n_in, ", ", n_out, "))");
    if (init == Init::torch_randn) return concat("nn.Parameter(torch.randn(", n_in, ", ", n_out, "))");
    return concat("nn.Parameter(torch.eye(", n_in, ", ", n_out, "))");
}

std::string python_bias_parameter(Init init, std::string_view n_out) {
    if (init == Init::torch_rand) return concat("nn.Parameter(torch.rand(", n_out, "))");
    if (init == Init::torch_randn) return concat("nn.Parameter(torch.randn(", n_out, "))");
    return concat("nn.Parameter(torch.zeros(", n_out, "))");
}

void write_pytorch_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    python.cell("tokens");
    write_sentences(python, inputs, sentences);
    python.cell("vectors");
    if (is_hashed(inputs)) {
        write_torch_hashed(python, inputs);
        python.line();
    }
    write_torch_tables(python, inputs, sentences);
}

void write_pytorch_inputs(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    write_pytorch_vectors(python, inputs, sentences);
    python.cell("learned");
    write_torch_projections(python, inputs, sentences);
    write_torch_learned(python, inputs, sentences);
}

}  // namespace attn
