// Each function writes what core/attention/rotary.h and score_changes.h compute.
#include "share/scripts/script_positions.h"

#include <cmath>
#include <string>

#include "core/attention/rms_norm.h"
#include "core/attention/stages.h"
#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/text/notes.h"

namespace attn {

std::string_view python_scored(const Inputs& inputs, TensorId role) {
    const LayerParts parts = layer_parts(inputs);
    return tensor_name(role == TensorId::queries ? scored_queries(parts) : scored_keys(parts));
}

std::string_view python_unmasked(const Inputs& inputs) {
    return tensor_name(scores_before_mask(layer_parts(inputs)));
}

std::string_view python_softmax_logits(const Inputs& inputs) {
    return tensor_name(softmax_source_of_words(layer_parts(inputs)));
}

void write_capped_logits(PythonText& python, const Inputs& inputs, std::string_view library) {
    const std::string cap = python_number(static_cast<float>(inputs.logit_cap));
    if (inputs.logit_cap > 0) python.cell("capped_logits");
    if (inputs.logit_cap > 0) python.line("capped_logits = ", cap, " * ", library, "tanh(logits / ", cap, ")");
}

void write_added_positions(PythonText& python, const Inputs& inputs, std::string_view library) {
    const bool is_numpy = library == "np.";
    if (inputs.positions == Positions::learned)
        python.line("x = x + position_embedding", is_numpy ? "[:T]" : "(torch.arange(T))");
    if (inputs.positions != Positions::sin) return;
    if (is_numpy) {
        python.line("channel = np.arange(d_in)  # sines and cosines of the positions, longer and longer waves");
        python.line("angle = np.arange(T)[:, None] / 10000 ** (channel // 2 * 2 / d_in)");
        python.line("x = x + np.where(channel % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)");
        return;
    }
    python.line("channel = torch.arange(d_in, dtype=torch.float64)  # sines and cosines of the positions");
    python.line("angle = torch.arange(T, dtype=torch.float64)[:, None] / 10000 ** (channel // 2 * 2 / d_in)");
    python.line("x = x + torch.where(channel % 2 == 0, angle.sin(), angle.cos()).float()");
}

void write_norm_weights(PythonText& python, const Inputs& inputs, std::string_view library) {
    if (!inputs.has_qk_norm()) return;
    const bool is_numpy = library == "np.";
    const std::string ones = is_numpy ? "np.ones(head_dim, dtype=np.float32)" : "nn.Parameter(torch.ones(head_dim))";
    python.line();
    python.line("# Each head's queries and keys are normed, with weights that all heads share and that start at 1.");
    python.line("q_norm = ", ones);
    python.line("k_norm = ", ones);
}

void write_norms(PythonText& python, const Inputs& inputs, std::string_view library) {
    if (!inputs.has_qk_norm()) return;
    const std::string eps = python_number(kQueryKeyNormEps);
    python.cell("normed_queries normed_keys");
    python.line();
    if (library == "np.") {
        python.line("def rms_of(x):  # of each row");
        python.line("    return np.sqrt((x**2).mean(axis=-1, keepdims=True) + np.float32(", eps, "))");
    } else {
        python.line("def rms_of(x):  # the root mean square of each row");
        python.line("    return (x.pow(2).mean(dim=-1, keepdim=True) + ", eps, ").sqrt()");
    }
    python.line();
    python.line("normed_queries = queries / rms_of(queries) * q_norm");
    python.line("normed_keys = keys / rms_of(keys) * k_norm");
}

void write_rotation(PythonText& python, const Inputs& inputs, std::string_view library) {
    if (inputs.positions != Positions::rope) return;
    const bool is_numpy = library == "np.";
    const bool is_halves = inputs.rope_pairs == RotaryPairs::halves;
    const std::string_view type = is_numpy ? "" : ", dtype=torch.float64";
    const std::string_view to_float = is_numpy ? ".astype(np.float32)" : ".float()";
    const std::string shift =
        inputs.pos_shift == 0 ? "" : concat(inputs.pos_shift < 0 ? " - " : " + ", std::abs(inputs.pos_shift));
    python.cell("rotated_queries rotated_keys");
    python.line();
    const bool has_own = inputs.rope_dim != 0;
    const std::string_view width = has_own ? "rope_dim" : "head_dim";  // of what is turned
    python.line("# Rotary positions: each pair of channels is turned, the later the token the further.");
    python.line("position = ", library, "arange(T", type, ")", shift);
    python.line("angle = position[:, None] * ", python_number(inputs.rope_base), " ** (-", library, "arange(0, ", width,
                ", 2", type, ") / ", width, ")");
    python.line("cos, sin = ", library, "cos(angle)", to_float, ", ", library, "sin(angle)", to_float);
    python.line();
    python.line("def turned(x, cos, sin):");
    if (is_halves)
        python.line("    a, b = x[..., : ", width, " // 2], x[..., ", width, " // 2 :]");
    else
        python.line("    a, b = x[..., 0::2], x[..., 1::2]");
    const std::string_view both = "((a * cos - b * sin, b * cos + a * sin), ";
    if (is_numpy)
        python.line("    return np.", is_halves ? "concatenate" : "stack", both, "axis=-1)",
                    is_halves ? "" : ".reshape(x.shape)");
    else
        python.line("    return torch.", is_halves ? "cat" : "stack", both, "dim=-1)", is_halves ? "" : ".flatten(-2)");
    python.line();
    if (!has_own) {
        const std::string_view normed = inputs.has_qk_norm() ? "normed_" : "";
        python.line("rotated_queries = turned(", normed, "queries, cos, sin)");
        python.line("rotated_keys = turned(", normed, "keys, cos, sin)");
        return;
    }
    const std::string_view join = is_numpy ? "np.concatenate((" : "torch.cat((";
    const std::string_view last = is_numpy ? "), axis=-1)" : "), dim=-1)";
    python.line(
        "# Queries and keys stay as they are; what is turned stands behind them, the same for all heads of keys.");
    python.line("rotated_queries = ", join, "queries, turned(position_queries, cos, sin)", last);
    python.line("turned_keys = ", is_numpy
                                      ? "np.broadcast_to(turned(position_keys, cos, sin), (len(keys), T, rope_dim))"
                                      : "turned(position_keys, cos, sin).expand(len(keys), T, rope_dim)");
    python.line("rotated_keys = ", join, "keys, turned_keys", last);
}

std::string python_divisor(const Inputs& inputs) {
    const bool is_root = inputs.scale == Scale::sqrt;
    const std::string_view scale = inputs.rope_dim != 0
                                       ? (is_root ? "(head_dim + rope_dim) ** 0.5" : "(head_dim + rope_dim)")
                                   : is_root ? "head_dim**0.5"
                                             : "head_dim";
    const std::string temperature = python_number(static_cast<float>(inputs.temperature));
    if (inputs.temperature == 1) return inputs.scale == Scale::none ? "" : std::string(scale);
    return inputs.scale == Scale::none ? temperature : concat("(", scale, " * ", temperature, ")");
}

void write_absorbed_comment(PythonText& python, const Inputs& inputs) {
    python.line("# The other order of the products: these times the latents give the scores, but for typed keys",
                inputs.bias ? " and b_key" : "",
                inputs.rope_dim == 0 ? "." : "; the products of what is turned are added.");
}

void write_score_changes(PythonText& python, const Inputs& inputs, std::string_view library) {
    const std::string cap = python_number(static_cast<float>(inputs.score_cap));
    if (inputs.score_cap > 0) python.cell("capped_scores");
    if (inputs.score_cap > 0) python.line("capped_scores = ", cap, " * ", library, "tanh(scaled_scores / ", cap, ")");
    if (inputs.positions != Positions::alibi) return;
    const bool is_numpy = library == "np.";
    python.cell("biased_scores");
    python.line("# ALiBi: a slope for each head; n is the largest power of two that is not above num_heads.");
    python.line("n = 1 << num_heads.bit_length() - 1");
    python.line("slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]");
    python.line("slopes += [2 ** (-4 * (2 * h + 1) / n) for h in range(num_heads - n)]");
    const std::string_view to_float = is_numpy ? ".astype(np.float32)" : ".float()";
    python.line("distance = ", library, "abs(", library, "arange(T)[:, None] - ", library, "arange(T))", to_float);
    python.line("biased_scores = ", inputs.score_cap > 0 ? "capped_scores" : "scaled_scores", " - ",
                is_numpy ? "np.array(slopes, dtype=np.float32)" : "torch.tensor(slopes)", "[:, None, None] * distance");
}

}  // namespace attn
