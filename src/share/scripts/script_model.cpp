// Which lines there are follows from the model's config, and which tensor is read where from the roles of its loader.
#include "share/scripts/script_model.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "playground/models/model_numbers.h"
#include "share/scripts/python_text.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_tensors.h"

namespace attn {
namespace {

// Of the shown layer, in the order of their making.
constexpr std::array kStages = {TensorId::embeddings,    TensorId::queries, TensorId::keys,
                                TensorId::values,        TensorId::scores,  TensorId::scaled_scores,
                                TensorId::masked_scores, TensorId::weights, TensorId::context,
                                TensorId::merged,        TensorId::output};

std::string list_of(const std::vector<int>& numbers) {
    std::vector<std::string> items;
    for (const int number : numbers) items.push_back(concat(number));
    return python_list(items, "        ");
}

class ModelScript {
public:
    ModelScript(const Model& model, const ModelInput& input, const ModelScriptHead& head)
        : head_(head), input_(input), config_(model.config), weights_(model.weights) {}

    PythonText write() {
        write_head();
        write_functions();
        write_layers();
        write_logits();
        write_prints();
        write_transformers();
        return python_;
    }

private:
    // Whether a number of this tensor was typed over, in any layer.
    bool is_edited(TensorId tensor) const {
        return std::ranges::any_of(input_.edits, [&](const LayerEdit& edit) { return edit.tensor == tensor; });
    }
    // `name = value`, with what was typed over it.
    void assign(TensorId tensor, std::string_view name, std::string_view value) {
        const bool is_typed = is_edited(tensor);
        python_.line(
            name, " = ",
            is_typed ? concat("typed_over(n, \"", tensor_name(tensor), "\", ", value, ")") : std::string(value));
    }
    // "x @ w_query + b_query", after lines for the two.
    std::string product(std::string_view x, LinearOfLayer of, std::string_view role, TensorId matrix, TensorId bias) {
        const LinearWeights& first = weights_.layers.front().*of;
        const bool has_bias = first.bias != nullptr;
        assign(matrix, concat("w_", role), matrix_text(weights_, of));
        if (has_bias) assign(bias, concat("b_", role), bias_text(weights_, of));
        if (!has_bias && is_edited(bias))
            assign(bias, concat("b_", role), concat("torch.zeros(", first.outputs, ", dtype=torch.float64)"));
        return concat(x, " @ w_", role, has_bias || is_edited(bias) ? concat(" + b_", role) : std::string());
    }
    // The same of a matrix that cannot be typed over.
    std::string product(std::string_view x, LinearOfLayer of) const {
        const bool has_bias = (weights_.layers.front().*of).bias != nullptr;
        return concat(x, " @ ", matrix_text(weights_, of), has_bias ? concat(" + ", bias_text(weights_, of)) : "");
    }
    static std::string product(std::string_view x, const LinearWeights& linear) {
        return concat(x, " @ ", matrix_text(linear),
                      linear.bias == nullptr ? std::string() : concat(" + ", bias_text(linear)));
    }

    std::string normed(std::string_view x, NormOfLayer of) const {
        if (config_.norm == NormKind::none) return std::string(x);
        return concat("norm(", x, norm_text(weights_, of), ")");
    }
    std::string normed(std::string_view x, const NormWeights& norm) const {
        if (config_.norm == NormKind::none) return std::string(x);
        return concat("norm(", x, norm_text(norm), ")");
    }

    bool turns() const { return config_.positions == PositionKind::rotary; }
    bool has_windows() const {
        return std::ranges::any_of(config_.windows, [](int keys) { return keys != 0; });
    }
    bool has_hidden() const { return config_.mask == Mask::causal || has_windows() || is_edited(TensorId::mask); }
    bool is_stage(TensorId stage) const {
        return std::ranges::find(kStages, stage) != kStages.end() && (stage != TensorId::masked_scores || has_hidden());
    }

    void write_head();
    void write_functions();
    void write_edits();
    void write_norm();
    void write_positions();
    void write_layers();
    void write_attention();
    void write_mlp();
    void write_logits();
    void write_prints();
    void write_transformers();
    std::string why_no_transformers() const;

    const ModelScriptHead& head_;
    const ModelInput& input_;
    const ModelConfig& config_;
    const ModelWeights& weights_;
    PythonText python_;
};

void ModelScript::write_head() {
    std::string words;
    for (const std::string& word : head_.words) words += concat(words.empty() ? "" : ", ", python_string(word));
    python_.line("# The model ", python_comment_link(head_.name), ", layer ", head_.layer + 1, " of ",
                 config_.num_layers, ", on ", counted(input_.num_tokens(), "token"), ", with PyTorch alone.");
    if (!head_.link.empty()) python_.line("# Link: #", python_comment_link(head_.link));
    python_.line("#");
    python_.line(
        "#   python model.py FOLDER                  with the folder of the model's files; without one, this folder");
    python_.line("#   python model.py FOLDER --transformers   the same with transformers, to compare");
    python_.line("import json");
    python_.line("import math");
    python_.line("import sys");
    python_.line("from pathlib import Path");
    python_.line();
    python_.line("import torch");
    python_.line("import torch.nn.functional as F");
    python_.line();
    python_.line("torch.set_printoptions(precision=4, sci_mode=False)");
    python_.line("folder = Path(next((word for word in sys.argv[1:] if not word.startswith(\"-\")), \".\"))");
    python_.line("words = [", words, "]");
    python_.line("ids = torch.tensor(", list_of(input_.ids), ")");
    python_.line("T, num_heads, kv_heads, head_dim = ", input_.num_tokens(), ", ", config_.num_heads, ", ",
                 config_.num_kv_heads, ", ", config_.head_dim);
    python_.line("shown = ", head_.layer, "  # the layer whose stages are printed, counted from 0");
    python_.line();
    python_.line();
    python_.block(read_tensors_text());
}

void ModelScript::write_norm() {
    if (config_.norm == NormKind::none) return;
    python_.line();
    python_.line();
    if (config_.norm == NormKind::layer) {
        python_.line("def norm(x, weight=None, bias=None):");
        python_.line("    return F.layer_norm(x, x.shape[-1:], weight, bias, eps=", python_number(config_.norm_eps),
                     ")");
        return;
    }
    python_.line("def norm(x, weight):  # RMS norm");
    python_.line("    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + ", python_number(config_.norm_eps),
                 ") * weight");
}

void ModelScript::write_positions() {
    if (!turns()) return;
    const RopeScaling& rope = config_.rope;
    python_.line();
    python_.line();
    python_.line("def turned(heads):  # by its position: pairs of a head's numbers, rotary positions");
    python_.deeper();
    if (rope.type == RopeType::plain) {
        python_.line("frequencies = ", python_number(rope.base), " ** (-torch.arange(0, ", rope.dim,
                     ", 2, dtype=torch.float64) / ", rope.dim, ")");
    } else {
        std::vector<std::string> frequencies;
        for (const double one : rope_frequencies(rope, input_.num_tokens())) frequencies.push_back(python_number(one));
        python_.line("# As the scaling in config.json makes them.");
        python_.line("frequencies = torch.tensor(", python_list(frequencies, "        "), ", dtype=torch.float64)");
    }
    python_.line("angles = torch.arange(T, dtype=torch.float64)[:, None] * frequencies");
    const std::string stretch = rope.length == 1 ? "" : concat(" * ", python_number(rope.length));
    python_.line("cos, sin = angles.cos()", stretch, ", angles.sin()", stretch);
    const int half = rope.dim / 2;
    python_.line("a, b, rest = heads.split([", half, ", ", half, ", ", config_.head_dim - rope.dim, "], dim=-1)");
    python_.line("return torch.cat((a * cos - b * sin, a * sin + b * cos, rest), dim=-1)");
    python_.back();
}

void ModelScript::write_edits() {
    if (input_.edits.empty()) return;
    python_.line();
    python_.line();
    python_.line("typed = [  # layer, tensor, row, column, number");
    for (const LayerEdit& edit : input_.edits)
        python_.line("    (", edit.layer, ", \"", tensor_name(edit.tensor), "\", ", edit.row, ", ", edit.column, ", ",
                     python_number(edit.value), "),");
    python_.line("]");
    python_.line();
    python_.line();
    python_.block(typed_over_text());
}

void ModelScript::write_functions() {
    write_norm();
    write_positions();
    write_edits();
    python_.line();
    python_.line();
    python_.block(R"py(def heads_of(x, number):  # (number, T, head_dim)
    return x.reshape(T, number, head_dim).transpose(0, 1)


tensors = read_tensors(folder))py");
}

void ModelScript::write_attention() {
    const LayerWeights& first = weights_.layers.front();
    const bool has_own_places = config_.positions == PositionKind::queries_and_keys;
    assign(TensorId::embeddings, "y", config_.norms_after ? std::string("x") : normed("x", &LayerWeights::norm_1));
    if (has_own_places)
        python_.line("placed = y + ", rows_text(*weights_.position_embedding), "[:T]  # not in the values");
    const std::string_view placed = has_own_places ? "placed" : "y";
    const std::string query = product(placed, &LayerWeights::query, "query", TensorId::w_query, TensorId::b_query);
    const std::string key = product(placed, &LayerWeights::key, "key", TensorId::w_key, TensorId::b_key);
    const std::string value = product("y", &LayerWeights::value, "value", TensorId::w_value, TensorId::b_value);
    python_.line("queries, keys = heads_of(", query, ", num_heads), heads_of(", key, ", kv_heads)");
    python_.line("values = heads_of(", value, ", kv_heads)");
    if (first.query_norm.weight != nullptr)
        python_.line("queries, keys = ", normed("queries", &LayerWeights::query_norm), ", ",
                     normed("keys", &LayerWeights::key_norm));
    if (turns()) {
        std::string condition;
        if (!config_.turned.empty()) {
            std::vector<int> layers;
            for (int n = 0; n < config_.num_layers; ++n)
                if (config_.turns(n)) layers.push_back(n);
            condition = concat("if n in ", list_of(layers), ":  # others have no positions");
        }
        if (!condition.empty()) python_.line(condition);
        if (!condition.empty()) python_.deeper();
        python_.line("queries, keys = turned(queries), turned(keys)");
        if (!condition.empty()) python_.back();
    }
    for (const auto& [tensor, name] : {std::pair(TensorId::queries, "queries"), std::pair(TensorId::keys, "keys"),
                                       std::pair(TensorId::values, "values")})
        if (is_edited(tensor)) assign(tensor, name, name);
    const bool shares = config_.num_kv_heads != config_.num_heads;
    const std::string_view group = shares ? ".repeat_interleave(num_heads // kv_heads, 0)" : "";
    python_.line("scores = queries @ keys", group, ".transpose(1, 2)");
    python_.line("scaled_scores = scores", config_.scale == Scale::none ? "" : " / math.sqrt(head_dim)");
    if (has_hidden()) {
        python_.line(config_.mask == Mask::causal ? "hidden = torch.triu(torch.ones(T, T), diagonal=1)"
                                                  : "hidden = torch.zeros(T, T)");
        if (has_windows()) {
            python_.line("window = ", list_of(config_.windows),
                         "[n]  # keys that a query sees, its own the last; 0: all");
            python_.line("apart = torch.arange(T)[:, None] - torch.arange(T)");
            python_.line("hidden[apart.abs() >= (window or T)] = 1");
        }
        if (is_edited(TensorId::mask)) {
            assign(TensorId::mask, "hidden", "hidden");
            python_.line("hidden.diagonal()[hidden.sum(1) == T] = 0  # a query that sees no key sees its own");
        }
        python_.line("masked_scores = scaled_scores.masked_fill(hidden.bool(), -torch.inf)");
        python_.line("weights = masked_scores.softmax(-1)");
    } else {
        python_.line("weights = scaled_scores.softmax(-1)");
    }
    python_.line("context = weights @ values", group);
    if (!input_.off.empty()) {
        std::vector<std::string> off;
        for (const HeadOff& one : input_.off) off.push_back(concat("(", one.layer, ", ", one.head, ")"));
        python_.line("handed_on = context.clone()");
        python_.line("for layer, head in ", python_list(off, python_.indent() + "    "), ":  # switched off");
        python_.line("    if layer == n:");
        python_.line("        handed_on[head] = ", input_.off_by == OffBy::mean ? "context[head].mean(0)" : "0");
    }
    python_.line("merged = ", input_.off.empty() ? "context" : "handed_on", ".transpose(0, 1).reshape(T, -1)");
    python_.line("output = ", product("merged", &LayerWeights::out, "out", TensorId::w_out, TensorId::b_out));
    std::string kept;  // each variable is called as its stage, but what goes into the attention
    for (const TensorId stage : kStages) {
        if (!is_stage(stage)) continue;
        const std::string_view name = tensor_name(stage);
        kept += concat(kept.empty() ? "" : ", ", name, "=", stage == TensorId::embeddings ? "y" : name);
    }
    python_.line("if n == shown:");
    python_.line("    stages = dict(", kept, ")");
}

void ModelScript::write_mlp() {
    const bool is_after = config_.norms_after;
    python_.line("x = ", is_after ? normed("x + output", &LayerWeights::norm_1) : std::string("x + output"));
    if (config_.mlp_width == 0) return;
    python_.line("y = ", is_after ? std::string("x") : normed("x", &LayerWeights::norm_2));
    const std::string in = product("y", &LayerWeights::mlp_in);
    const bool is_tanh = config_.activation == Activation::gelu_tanh;
    if (config_.activation == Activation::silu_gated)
        python_.line("mlp_hidden = F.silu(", product("y", &LayerWeights::mlp_gate), ") * (", in, ")");
    else
        python_.line("mlp_hidden = F.", config_.activation == Activation::relu ? "relu(" : "gelu(", in,
                     is_tanh ? ", approximate=\"tanh\")" : ")");
    const std::string out = concat("x + ", product("mlp_hidden", &LayerWeights::mlp_out));
    python_.line("x = ", is_after ? normed(out, &LayerWeights::norm_2) : out);
}

void ModelScript::write_layers() {
    std::string embedded = concat(tensor_text(*weights_.token_embedding), "[ids]");
    if (config_.positions == PositionKind::learned)
        embedded += concat(" + ", rows_text(*weights_.position_embedding), "[:T]");
    if (weights_.type_embedding != nullptr) {
        embedded += concat(" + ", tensor_text(*weights_.type_embedding), "[",
                           input_.types.empty() ? "0" : list_of(input_.types), "]");
    }
    python_.line("x = ",
                 weights_.embedding_norm.weight == nullptr ? embedded : normed(embedded, weights_.embedding_norm));
    python_.line("for n in range(", config_.num_layers, "):");
    python_.deeper();
    write_attention();
    write_mlp();
    python_.back();
}

void ModelScript::write_logits() {
    if (!weights_.unembedding.is_there()) {
        python_.line("logits = None  # the files have no head for them");
        return;
    }
    if (weights_.final_norm.weight != nullptr) python_.line("x = ", normed("x", weights_.final_norm));
    if (weights_.head_dense.is_there())
        python_.line("x = ", normed(concat("F.gelu(", product("x", weights_.head_dense), ")"), weights_.head_norm));
    python_.line("logits = ", product("x", weights_.unembedding));
}

void ModelScript::write_prints() {
    python_.line();
    python_.line("for name, numbers in stages.items():");
    const std::string mark =
        concat(", \"<- on the screen\" if name == \"", tensor_name(head_.view.stage), "\" else \"\"");
    python_.line("    print(name, tuple(numbers.shape)", head_.link.empty() ? "" : mark, ")");
    python_.line("    print(numbers)");
    if (weights_.unembedding.is_there()) {
        python_.line("print(\"logits of the last token, the six largest\")");
        python_.line("print(logits[-1].topk(min(6, len(logits[-1]))))");
    }
    if (head_.view.cell && is_stage(head_.view.stage)) write_pinned(python_, head_.view, "stages");
}

// A sentence; empty where transformers computes the same from the same files.
std::string ModelScript::why_no_transformers() const {
    const ModelTensor& query = *weights_.layers.front().query.weight;
    if (config_.kind == ModelKind::attention_only) return "transformers has no models of this kind.";
    if (config_.kind == ModelKind::gpt2 && query.matrix().layout != MatrixLayout::as_used)
        return "transformers reads GPT-2 by other names or with turned matrices, so not these files.";
    if (!input_.off.empty() || !input_.edits.empty())
        return "transformers computes the files as they are, without heads that are off and numbers typed over.";
    return "";
}

void ModelScript::write_transformers() {
    python_.line();
    python_.line();
    const std::string why_not = why_no_transformers();
    if (!why_not.empty()) return python_.line("# ", why_not);
    python_.line(
        "# The same with transformers, which reads config.json, too. It was not run where this script was written.");
    python_.line("if \"--transformers\" in sys.argv:");
    python_.deeper();
    const std::string_view of = !weights_.unembedding.is_there()  ? "AutoModel"
                                : config_.kind == ModelKind::bert ? "AutoModelForMaskedLM"
                                                                  : "AutoModelForCausalLM";
    python_.line("from transformers import ", of);
    python_.line();
    python_.line("model = ", of, ".from_pretrained(folder, attn_implementation=\"eager\").double().eval()");
    python_.line("with torch.no_grad():");
    python_.line("    answer = model(ids[None], output_attentions=True)");
    python_.line(
        "print(\"weights differ by at most\", (answer.attentions[shown][0] - stages[\"weights\"]).abs().max().item())");
    if (weights_.unembedding.is_there())
        python_.line("print(\"logits differ by at most\", (answer.logits[0] - logits).abs().max().item())");
    python_.back();
}

}  // namespace

Result<std::string> script_model(const Model& model, const ModelInput& input, const ModelScriptHead& head) {
    return finished_script(ModelScript(model, input, head).write());
}

Result<std::string> script_model(const PlaygroundState& state) {
    const std::optional<ModelText> text = model_text(state.inputs, state.view.sentence);
    if (!text)
        return Result<std::string>::failure("The sentence is empty, so there is nothing that a script could compute.");
    return script_model(*text->model, text->input,
                        {.name = text->name,
                         .link = write_link(state),
                         .words = text->words,
                         .layer = state.inputs.layer,
                         .view = state.view});
}

}  // namespace attn
