// Which lines there are follows from the model's config, and which tensor is read where from the roles of its loader.
#include "share/scripts/script_model.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/state_url.h"
#include "share/scripts/python_text.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_patches.h"
#include "share/scripts/script_tensors.h"

namespace attn {
namespace {

// Of the shown layer, in the order of their making.
struct PrintedStage {
    TensorId stage;
    std::string text;  // "embeddings=y"
};

class ModelScript {
public:
    ModelScript(const Model& model, const ModelInput& input, const ModelScriptHead& head)
        : head_(head), input_(input), config_(model.config), weights_(model.weights) {
        if (head.is_notebook) python_.cut_into_cells();
    }

    PythonText write() {
        write_head();
        write_functions();
        write_layers();
        write_logits();
        write_prints();
        python_.cell("check");
        python_.block(head_.check);
        python_.cell("transformers");
        write_with_transformers(python_, config_, weights_, input_);
        return python_;
    }

private:
    // Whether a number of this tensor was typed over, in any layer of one of the texts.
    bool is_edited(TensorId tensor) const {
        const auto is_of = [&](const LayerEdit& edit) { return edit.tensor == tensor; };
        return std::ranges::any_of(input_.edits, is_of) ||
               (!input_.other.empty() && std::ranges::any_of(input_.other.front().edits, is_of));
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

    // The lines from here on make the stage.
    void begin(TensorId stage) { python_.place(tensor_name(stage)); }
    // `name = value`, and the stage is printed; where a variable of another name has it, that alone.
    void make(TensorId stage, std::string_view value) {
        if (python_.places().back().name != tensor_name(stage)) begin(stage);
        python_.line(tensor_name(stage), " = ", value);
        keep(stage, tensor_name(stage));
    }
    void keep(TensorId stage, std::string_view name) {
        stages_.push_back({stage, concat(tensor_name(stage), "=", name)});
    }
    void write_head();
    void write_usage();
    void write_functions();
    void write_layers();
    void write_attention();
    void write_mlp();
    void write_stages();
    void write_logits();
    void write_prints();

    const ModelScriptHead& head_;
    const ModelInput& input_;
    const ModelConfig& config_;
    const ModelWeights& weights_;
    PythonText python_;
    std::vector<PrintedStage> stages_;
};

// The script's alone: a notebook says it in words.
void ModelScript::write_usage() {
    if (!head_.link.empty()) python_.line("# Link: #", python_comment_link(head_.link));
    python_.line("#");
    python_.line(
        "#   python model.py FOLDER                  with the folder of the model's files; without one, this folder");
    python_.line("#   python model.py FOLDER --transformers   the same with transformers, to compare");
}

void ModelScript::write_head() {
    std::string words;
    for (const std::string& word : head_.words) words += concat(words.empty() ? "" : ", ", python_string(word));
    python_.cell("setup");
    python_.line("# The model ", python_comment_link(head_.name), ", layer ", head_.layer + 1, " of ",
                 config_.num_layers, ", on ", counted(input_.num_tokens(), "token"), ", with PyTorch alone.");
    if (!head_.is_notebook) write_usage();
    python_.line("import json");
    python_.line("import math");
    if (!head_.is_notebook) python_.line("import sys");
    python_.line("from pathlib import Path");
    python_.line();
    python_.line("import torch");
    python_.line("import torch.nn.functional as F");
    python_.line();
    python_.line("torch.set_printoptions(precision=4, sci_mode=False)");
    python_.line("folder = ", head_.is_notebook
                                  ? "Path(\".\")  # of the model's files"
                                  : "Path(next((word for word in sys.argv[1:] if not word.startswith(\"-\")), \".\"))");
    python_.cell("tokens");
    python_.line("words = [", words, "]");
    python_.line("ids = torch.tensor(", list_of(input_.ids), ")");
    python_.line("T, num_heads, kv_heads, head_dim = ", input_.num_tokens(), ", ", config_.num_heads, ", ",
                 config_.num_kv_heads, ", ", config_.head_dim);
    python_.line("shown = ", head_.layer, "  # the layer whose stages are printed, counted from 0");
    python_.line();
    python_.line();
    python_.cell("files");
    write_blanks(python_, head_.state, "torch.");
    python_.block(read_tensors_text());
}

void ModelScript::write_functions() {
    write_norm(python_, config_);
    write_turned(python_, config_, input_.num_tokens());
    write_typed(python_, input_);
    write_patch_functions(python_, input_);
    python_.line();
    python_.line();
    python_.block(R"py(def heads_of(x, number):  # (number, T, head_dim)
    return x.reshape(T, number, head_dim).transpose(0, 1)


tensors = read_tensors(folder))py");
}

void ModelScript::write_attention() {
    const bool has_own_places = config_.positions == PositionKind::queries_and_keys;
    const bool has_other = !input_.other.empty();
    make(TensorId::before, has_other ? "taken_rows(\"stream\", n, x)" : "x");
    if (has_other) python_.line("x = before");
    begin(TensorId::embeddings);
    assign(TensorId::embeddings, "y", config_.norms_inputs() ? normed("x", &LayerWeights::norm_1) : std::string("x"));
    keep(TensorId::embeddings, "y");
    python_.place("queries keys values");
    if (has_own_places)
        python_.line("placed = y + ", rows_text(*weights_.position_embedding), "[:T]  # not in the values");
    const std::string_view placed = has_own_places ? "placed" : "y";
    const std::string query = product(placed, &LayerWeights::query, "query", TensorId::w_query, TensorId::b_query);
    const std::string key = product(placed, &LayerWeights::key, "key", TensorId::w_key, TensorId::b_key);
    const std::string value = product("y", &LayerWeights::value, "value", TensorId::w_value, TensorId::b_value);
    const bool norms_whole = config_.query_key_norm == QueryKeyNorm::whole;
    const auto cut = [&](const std::string& made, NormOfLayer norm) { return norms_whole ? normed(made, norm) : made; };
    python_.line("queries = heads_of(", cut(query, &LayerWeights::query_norm), ", num_heads)");
    python_.line("keys = heads_of(", cut(key, &LayerWeights::key_norm), ", kv_heads)");
    python_.line("values = heads_of(", value, ", kv_heads)");
    if (config_.query_key_norm == QueryKeyNorm::heads)
        python_.line("queries, keys = ", normed("queries", &LayerWeights::query_norm), ", ",
                     normed("keys", &LayerWeights::key_norm));
    if (turns()) {
        const std::string condition = turning_layers_text(config_);
        if (!condition.empty()) python_.line(condition);
        if (!condition.empty()) python_.deeper();
        const std::string_view layer = config_.window_rope.dim == 0 ? "" : ", n";
        python_.line("queries, keys = turned(queries", layer, "), turned(keys", layer, ")");
        if (!condition.empty()) python_.back();
    }
    for (const TensorId role : {TensorId::queries, TensorId::keys, TensorId::values}) {
        if (is_edited(role)) assign(role, tensor_name(role), tensor_name(role));
        keep(role, tensor_name(role));
    }
    const bool shares = config_.num_kv_heads != config_.num_heads;
    const std::string_view group = shares ? ".repeat_interleave(num_heads // kv_heads, 0)" : "";
    make(TensorId::scores, concat("queries @ keys", group, ".transpose(1, 2)"));
    make(TensorId::scaled_scores,
         concat("scores", config_.scale == Scale::none ? "" : " / math.sqrt(head_dim)",
                config_.temperature == 1 ? "" : concat(" / ", python_number(config_.temperature))));
    const bool has_alibi = config_.positions == PositionKind::alibi;
    const std::string_view weighed = has_alibi               ? "biased_scores"
                                     : config_.score_cap > 0 ? "capped_scores"
                                                             : "scaled_scores";
    if (config_.score_cap > 0) make(TensorId::capped_scores, capped_text("scaled_scores", config_.score_cap));
    if (has_alibi) {
        begin(TensorId::biased_scores);
        write_slopes(python_, config_);
        make(TensorId::biased_scores, "scaled_scores - slopes[:, None, None] * apart  # ALiBi");
    }
    if (has_hidden()) {
        begin(TensorId::masked_scores);
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
        make(TensorId::masked_scores, concat(weighed, ".masked_fill(hidden.bool(), -torch.inf)"));
        make(TensorId::weights, "masked_scores.softmax(-1)");
    } else {
        make(TensorId::weights, concat(weighed, ".softmax(-1)"));
    }
    make(TensorId::context, concat("weights @ values", group));
    // Where heads are off or patched, the stages `merged` and `output` are those of the heads themselves: what is
    // handed on and projected here is what the attention adds.
    const bool replaces = input_.replaces_heads(head_.layer);
    const TensorId added = config_.norms_outputs() ? TensorId::attention_out : TensorId::attention_added;
    begin(replaces ? added : TensorId::merged);
    const bool has_off = !input_.off.empty() || (has_other && !input_.other[0].off.empty());
    if (has_off) {
        const auto off = [&](const ModelInput& of) {
            std::vector<std::string> heads;
            for (const HeadOff& one : of.off) heads.push_back(concat("(", one.layer, ", ", one.head, ")"));
            return python_list(heads, python_.indent() + "    ");
        };
        python_.line("handed_on = context.clone()");
        python_.line("for layer, head in ", text_of_each(input_, off), ":  # switched off");
        python_.line("    if layer == n:");
        python_.line("        handed_on[head] = ", text_of_each(input_, [](const ModelInput& of) {
                         return std::string(of.off_by == OffBy::mean ? "context[head].mean(0)" : "0");
                     }));
    }
    if (has_other)
        python_.line("handed_on = taken_heads(n, ", has_off ? "handed_on" : "context", ", values", group, ")");
    python_.line("merged = ", has_off || has_other ? "handed_on" : "context", ".transpose(0, 1).reshape(T, -1)");
    keep(TensorId::merged, "merged");
    if (!replaces) begin(TensorId::output);
    python_.line("output = ", product("merged", &LayerWeights::out, "out", TensorId::w_out, TensorId::b_out));
    keep(replaces ? added : TensorId::output, "output");
    if (config_.norms_outputs()) make(TensorId::attention_added, normed("output", &LayerWeights::out_norm_1));
    const std::string sum = concat("x + ", config_.norms_outputs() ? "attention_added" : "output");
    make(TensorId::middle, config_.norms_sums() ? normed(sum, &LayerWeights::norm_1) : sum);
}

void ModelScript::write_mlp() {
    if (config_.mlp_width == 0) {
        begin(TensorId::after);
        return python_.line("x = middle");
    }
    const std::string_view stream = config_.is_parallel ? "x" : "middle";
    make(TensorId::mlp_input,
         concat(config_.norms_inputs() ? normed(stream, &LayerWeights::norm_2) : std::string(stream),
                config_.is_parallel ? "  # the MLP does not wait for the attention" : ""));
    if (config_.is_gated) make(TensorId::mlp_gate, product("mlp_input", &LayerWeights::mlp_gate));
    make(TensorId::mlp_sums, product("mlp_input", &LayerWeights::mlp_in));
    make(TensorId::mlp_hidden, config_.is_gated ? concat(activated_text(config_.activation, "mlp_gate"), " * mlp_sums")
                                                : activated_text(config_.activation, "mlp_sums"));
    const std::string made = product("mlp_hidden", &LayerWeights::mlp_out);
    if (config_.norms_outputs()) make(TensorId::mlp_out, made);
    const std::string of_mlp = config_.norms_outputs() ? normed("mlp_out", &LayerWeights::out_norm_2) : made;
    make(TensorId::mlp_added, input_.other.empty() ? of_mlp : concat("taken_rows(\"mlp\", n, ", of_mlp, ")"));
    begin(TensorId::after);
    const std::string sum = "middle + mlp_added";
    python_.line("x = ", config_.norms_sums() ? normed(sum, &LayerWeights::norm_2) : sum);
}

void ModelScript::write_stages() {
    keep(TensorId::after, "x");
    python_.place("");
    python_.line("if n == shown:");
    std::vector<std::string> texts;
    for (const PrintedStage& one : stages_) texts.push_back(one.text);
    const std::string list = python_list(texts, python_.indent() + "    ");
    python_.line("    stages = dict(", list.substr(1, list.size() - 2), ")");
}

void ModelScript::write_layers() {
    std::string embedded = concat(tensor_text(*weights_.token_embedding), "[ids]");
    if (config_.embedding_scale != 1) embedded += concat(" * ", python_number(config_.embedding_scale));
    if (config_.positions == PositionKind::learned) {
        const int first = config_.first_position;
        const auto places = [&](const ModelInput& of) { return list_of(position_rows_of(config_, of)); };
        const std::string one_by_one = text_of_each(input_, places);
        embedded += concat(" + ", rows_text(*weights_.position_embedding),
                           has_padding(input_, config_.padding_token) ? concat("[", one_by_one, "]")
                           : first == 0                               ? "[:T]"
                                                                      : concat("[", first, ":T + ", first, "]"));
    }
    if (weights_.type_embedding != nullptr) {
        embedded += concat(" + ", tensor_text(*weights_.type_embedding), "[",
                           input_.types.empty() ? "0" : list_of(input_.types), "]");
    }
    python_.cell("layers");
    begin_texts(python_, input_);
    python_.line("x = ",
                 weights_.embedding_norm.weight == nullptr ? embedded : normed(embedded, weights_.embedding_norm));
    python_.line("for n in range(", config_.num_layers, "):");
    python_.deeper();
    write_attention();
    write_mlp();
    write_stages();
    write_theirs(python_, input_, config_.mlp_width > 0);
    python_.back();
    if (!input_.other.empty()) python_.back();
}

void ModelScript::write_logits() {
    python_.cell("predictions");
    const bool is_last = head_.layer + 1 == config_.num_layers, has_own_head = weights_.head_dense.is_there();
    const auto made_behind = [&](TensorId stage, const std::string& value) {
        make(stage, value);
        if (is_last) python_.line("stages[\"", tensor_name(stage), "\"] = ", tensor_name(stage));
    };
    made_behind(TensorId::final_stream,
                weights_.final_norm.weight == nullptr ? std::string("x") : normed("x", weights_.final_norm));
    if (!weights_.unembedding.is_there()) return python_.line("logits = None  # the files have no head for them");
    if (has_own_head)
        made_behind(TensorId::logit_input,
                    normed(activated_text(config_.head_activation, product("final_stream", weights_.head_dense)),
                           weights_.head_norm));
    std::string logits = product(has_own_head ? "logit_input" : "final_stream", weights_.unembedding);
    if (config_.logit_scale != 1) logits = concat("(", logits, ") * ", python_number(config_.logit_scale));
    if (config_.logit_cap > 0) logits = capped_text(logits, config_.logit_cap);
    begin(TensorId::logits);
    python_.line("logits = ", logits);
}

void ModelScript::write_prints() {
    python_.cell("prints");
    python_.line();
    python_.line("for name, numbers in stages.items():");
    const std::string mark =
        concat(", \"<- on the screen\" if name == \"", tensor_name(head_.state.view.stage), "\" else \"\"");
    python_.line("    print(name, tuple(numbers.shape)", head_.link.empty() ? "" : mark, ")");
    python_.line("    print(", python_.printed("name", "numbers"), ")");
    if (weights_.unembedding.is_there() && !python_.leaves_blanks()) {
        python_.line("print(\"logits of the last token, the six largest\")");
        python_.line("print(logits[-1].topk(min(6, len(logits[-1]))))");
    }
    const bool is_printed = std::ranges::find(stages_, head_.state.view.stage, &PrintedStage::stage) != stages_.end();
    if (head_.state.view.cell && is_printed) write_pinned(python_, head_.state, "stages");
}

}  // namespace

PythonText python_of_model(const Model& model, const ModelInput& input, const ModelScriptHead& head) {
    return ModelScript(model, input, head).write();
}

}  // namespace attn
