// Each function writes what core/attention/rotary.h and alibi.h compute.
#include "share/scripts/script_positions.h"

#include <cmath>
#include <string>

#include "core/attention/stages.h"
#include "playground/text/notes.h"

namespace attn {

std::string_view python_scored(const Inputs& inputs, TensorId role) {
    if (inputs.positions != Positions::rope) return tensor_name(role);
    return tensor_name(role == TensorId::queries ? TensorId::rotated_queries : TensorId::rotated_keys);
}

std::string_view python_unmasked(const Inputs& inputs) {
    return tensor_name(inputs.positions == Positions::alibi ? TensorId::biased_scores : TensorId::scaled_scores);
}

void write_rotation(PythonText& python, const Inputs& inputs, std::string_view library) {
    if (inputs.positions != Positions::rope) return;
    const bool is_numpy = library == "np.";
    const bool is_halves = inputs.rope_pairs == RotaryPairs::halves;
    const std::string_view type = is_numpy ? "" : ", dtype=torch.float64";
    const std::string_view to_float = is_numpy ? ".astype(np.float32)" : ".float()";
    const std::string shift =
        inputs.pos_shift == 0 ? "" : concat(inputs.pos_shift < 0 ? " - " : " + ", std::abs(inputs.pos_shift));
    python.line();
    python.line("# Rotary positions: each pair of channels is turned, the later the token the further.");
    python.line("position = ", library, "arange(T", type, ")", shift);
    python.line("angle = position[:, None] * ", python_number(inputs.rope_base), " ** (-", library,
                "arange(0, head_dim, 2", type, ") / head_dim)");
    python.line("cos, sin = ", library, "cos(angle)", to_float, ", ", library, "sin(angle)", to_float);
    python.line();
    python.line("def turned(x, cos, sin):");
    python.line(is_halves ? "    a, b = x[..., : head_dim // 2], x[..., head_dim // 2 :]"
                          : "    a, b = x[..., 0::2], x[..., 1::2]");
    const std::string_view both = "((a * cos - b * sin, b * cos + a * sin), ";
    if (is_numpy)
        python.line("    return np.", is_halves ? "concatenate" : "stack", both, "axis=-1)",
                    is_halves ? "" : ".reshape(x.shape)");
    else
        python.line("    return torch.", is_halves ? "cat" : "stack", both, "dim=-1)", is_halves ? "" : ".flatten(-2)");
    python.line();
    python.line("rotated_queries = turned(queries, cos, sin)");
    python.line("rotated_keys = turned(keys, cos, sin)");
}

void write_bias(PythonText& python, const Inputs& inputs, std::string_view library) {
    if (inputs.positions != Positions::alibi) return;
    const bool is_numpy = library == "np.";
    python.line("# ALiBi: a slope for each head; n is the largest power of two that is not above num_heads.");
    python.line("n = 1 << num_heads.bit_length() - 1");
    python.line("slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]");
    python.line("slopes += [2 ** (-4 * (2 * h + 1) / n) for h in range(num_heads - n)]");
    const std::string_view to_float = is_numpy ? ".astype(np.float32)" : ".float()";
    python.line("distance = ", library, "abs(", library, "arange(T)[:, None] - ", library, "arange(T))", to_float);
    python.line("biased_scores = scaled_scores - ",
                is_numpy ? "np.array(slopes, dtype=np.float32)" : "torch.tensor(slopes)", "[:, None, None] * distance");
}

}  // namespace attn
