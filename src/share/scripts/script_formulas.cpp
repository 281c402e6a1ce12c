// Each as its paper writes it, where one line of PyTorch does.
#include "core/attention/score_changes.h"
#include "core/ground/check.h"
#include "share/scripts/script_tensors.h"

namespace attn {
namespace {

// The line of a rope's frequencies.
std::string frequencies_text(const RopeScaling& rope, int num_tokens) {
    if (rope.type == RopeType::plain)
        return concat(python_number(rope.base), " ** (-torch.arange(0, ", rope.dim, ", 2, dtype=torch.float64) / ",
                      rope.dim, ")");
    std::vector<std::string> frequencies;
    for (const double one : rope_frequencies(rope, num_tokens)) frequencies.push_back(python_number(one));
    return concat("torch.tensor(", python_list(frequencies, "        "), ", dtype=torch.float64)");
}

}  // namespace

std::string list_of(const std::vector<int>& numbers) {
    std::vector<std::string> items;
    for (const int number : numbers) items.push_back(concat(number));
    return python_list(items, "        ");
}

void write_slopes(PythonText& python, const ModelConfig& config) {
    std::vector<std::string> slopes;
    for (int h = 0; h < config.num_heads; ++h) slopes.push_back(python_number(alibi_slope(h, config.num_heads)));
    python.line("slopes = torch.tensor(", python_list(slopes, "        "), ", dtype=torch.float64)");
    python.line("apart = (torch.arange(T)[:, None] - torch.arange(T)).abs()");
}

std::string turning_layers_text(const ModelConfig& config) {
    if (config.turned.empty()) return "";
    std::vector<int> layers;
    for (int n = 0; n < config.num_layers; ++n)
        if (config.turns(n)) layers.push_back(n);
    return concat("if n in ", list_of(layers), ":  # others have no positions");
}

std::string activated_text(Activation activation, std::string_view x) {
    switch (activation) {
        case Activation::gelu_tanh:
            return concat("F.gelu(", x, ", approximate=\"tanh\")");
        case Activation::gelu_exact:
            return concat("F.gelu(", x, ")");
        case Activation::relu:
            return concat("F.relu(", x, ")");
        case Activation::silu:
            return concat("F.silu(", x, ")");
    }
    return "";
}
std::string capped_text(std::string_view x, float cap) {
    return concat(python_number(cap), " * torch.tanh((", x, ") / ", python_number(cap), ")");
}

void write_norm(PythonText& python, const ModelConfig& config) {
    if (config.norm == NormKind::none) return;
    python.line();
    python.line();
    if (config.norm == NormKind::layer) {
        python.line("def norm(x, weight=None, bias=None):");
        python.line("    return F.layer_norm(x, x.shape[-1:], weight, bias, eps=", python_number(config.norm_eps), ")");
        return;
    }
    python.line("def norm(x, weight):  # RMS norm");
    python.line("    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + ", python_number(config.norm_eps), ") * ",
                config.norm_offset == 0 ? "weight" : concat("(", python_number(config.norm_offset), " + weight)"));
}

void write_turned(PythonText& python, const ModelConfig& config, int num_tokens) {
    if (config.positions != PositionKind::rotary) return;
    const RopeScaling& rope = config.rope;
    const bool has_two = config.window_rope.dim != 0;
    python.line();
    python.line();
    python.line("def turned(heads", has_two ? ", n" : "",
                "):  # by its position: pairs of a head's numbers, rotary positions");
    python.deeper();
    if (rope.type != RopeType::plain) python.line("# As the scaling in config.json makes them.");
    python.line("frequencies = ", frequencies_text(rope, num_tokens));
    if (has_two) {
        python.line("if ", list_of(config.windows), "[n]:  # a layer with a window");
        python.line("    frequencies = ", frequencies_text(config.window_rope, num_tokens));
    }
    python.line("angles = torch.arange(T, dtype=torch.float64)[:, None] * frequencies");
    const std::string stretch = rope.length == 1 ? "" : concat(" * ", python_number(rope.length));
    python.line("cos, sin = angles.cos()", stretch, ", angles.sin()", stretch);
    if (config.pairs == RotaryPairs::neighbours) {
        python.line("a, b, rest = heads[..., 0:", rope.dim, ":2], heads[..., 1:", rope.dim, ":2], heads[..., ",
                    rope.dim, ":]");
        python.line("pairs = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)");
        python.line("return torch.cat((pairs.flatten(-2), rest), dim=-1)");
    } else {
        const int half = rope.dim / 2;
        python.line("a, b, rest = heads.split([", half, ", ", half, ", ", config.head_dim - rope.dim, "], dim=-1)");
        python.line("return torch.cat((a * cos - b * sin, a * sin + b * cos, rest), dim=-1)");
    }
    python.back();
}

}  // namespace attn
