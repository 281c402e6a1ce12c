// The classes and members are those of the documentation of transformers.
#include "share/scripts/script_tensors.h"

#include <string>
#include <string_view>

#include "core/ground/check.h"

namespace attn {
namespace {

// A sentence; empty where transformers computes the same from the same files.
std::string why_no_transformers(const ModelConfig& config, const ModelWeights& weights, const ModelInput& input) {
    const ModelTensor& query = *weights.layers.front().query.weight;
    if (config.kind == ModelKind::attention_only) return "transformers has no models of this kind.";
    if (config.kind == ModelKind::gpt2 && query.matrix().layout != MatrixLayout::as_used)
        return "transformers reads GPT-2 by other names or with turned matrices, so not these files.";
    if (!input.off.empty() || !input.edits.empty() || !input.other.empty())
        return "transformers computes the files as they are: no head off, no number typed over, no patch.";
    return "";
}

}  // namespace

void write_with_transformers(PythonText& python, const ModelConfig& config, const ModelWeights& weights,
                             const ModelInput& input) {
    python.line();
    python.line();
    const std::string why_not = why_no_transformers(config, weights, input);
    if (!why_not.empty()) return python.line("# ", why_not);
    python.line(
        "# The same with transformers, which reads config.json, too. It was not run where this script was written.");
    const bool is_notebook = python.makes_cells();
    if (is_notebook) python.line("compares = False  # True: transformers is installed");
    python.line(is_notebook ? "if compares:" : "if \"--transformers\" in sys.argv:");
    python.deeper();
    const std::string_view of = !weights.unembedding.is_there() ? "AutoModel"
                                : config.mask == Mask::none     ? "AutoModelForMaskedLM"
                                                                : "AutoModelForCausalLM";
    python.line("from transformers import ", of);
    python.line();
    python.line("model = ", of, ".from_pretrained(folder, attn_implementation=\"eager\").double().eval()");
    python.line("with torch.no_grad():");
    python.line("    answer = model(ids[None], output_attentions=True)");
    python.line(
        "print(\"weights differ by at most\", (answer.attentions[shown][0] - stages[\"weights\"]).abs().max().item())");
    if (weights.unembedding.is_there())
        python.line("print(\"logits differ by at most\", (answer.logits[0] - logits).abs().max().item())");
    python.back();
}

}  // namespace attn
