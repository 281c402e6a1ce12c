// The functions stand in the order of the script's lines.
#include "share/scripts/script_numpy_training.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/ground/check.h"
#include "core/learn/optimizer.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/shapes.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

struct Role {
    TensorId stage;
    std::string_view name, word;
};
constexpr std::array kRoles = {Role{TensorId::queries, "queries", "query"}, Role{TensorId::keys, "keys", "key"},
                               Role{TensorId::values, "values", "value"}};

// From the loss to the output, and through the output projection.
void write_from_output(PythonText& python, const Inputs& inputs, bool is_batch) {
    const std::string_view last = inputs.out ? "output" : "merged";
    python.line();
    python.line("# The loss: of each token that a word follows, -ln of that word's share.");
    python.line("logits = ", last, " @ word_vectors.T  # (T, V)");
    write_capped_logits(python, inputs, "np.");
    const std::string_view logits = python_softmax_logits(inputs);
    python.line("below_max = ", logits, " - ", logits, ".max(axis=-1, keepdims=True)");
    python.line("exps = np.exp(below_max)");
    python.line("sums = exps.sum(axis=-1, keepdims=True)");
    python.line("probabilities = exps / sums");
    python.line("wanted = np.array([vocabulary.index(token) for token in ", is_batch ? "sentences[s]" : "tokens",
                "[1:]], dtype=int)");
    python.line("loss = (np.log(sums[:-1, 0]) - below_max[np.arange(T - 1), wanted]).sum() / num_terms");
    python.line();
    python.line("# Back through the softmax: what there is minus what is wanted.");
    python.line("grad_", logits, " = np.zeros_like(logits)  # after the last token comes no word");
    python.line("words = np.eye(len(vocabulary), dtype=np.float32)");
    python.line("grad_", logits, "[:-1] = (probabilities[:-1] - words[wanted]) / num_terms");
    if (inputs.logit_cap > 0)
        python.line("grad_logits = grad_capped_logits * (1 - (capped_logits / ",
                    python_number(static_cast<float>(inputs.logit_cap)), ") ** 2)  # the slope of the cap");
    python.line("grad_", last, " = grad_logits @ word_vectors");
    if (!inputs.out) return;
    python.line();
    python.line("# Back through output = merged @ w_out + b_out.");
    python.line("grad_w_out = merged.T @ grad_output");
    python.line("grad_b_out = grad_output.sum(axis=0)");
    python.line("grad_merged = grad_output @ w_out.T");
}

// Of keys and values that heads share: the sum over the heads that read them.
std::string sum_over_readers(const Inputs& inputs, std::string_view width) {
    return inputs.num_kv_heads == 0 ? "" : concat(".reshape(kv_heads, -1, T, ", width, ").sum(axis=1)");
}

// From `merged` to the values and to the weights.
void write_through_mixing(PythonText& python, const Inputs& inputs) {
    const bool drops = inputs.dropout > 0;
    const std::string_view mix = drops ? "dropped_weights" : "weights";
    python.line();
    python.line("# Back through context = ", mix, " @ values, each head by itself.");
    python.line("grad_context = grad_merged.reshape(T, num_heads, head_dim).transpose(1, 0, 2)");
    const bool is_shared = inputs.num_kv_heads != 0;
    python.line("grad_values = ", is_shared ? "(" : "", mix, ".transpose(0, 2, 1) @ grad_context", is_shared ? ")" : "",
                sum_over_readers(inputs, "head_dim"));
    python.line("grad_", mix, " = grad_context @ ", is_shared ? "read_values" : "values", ".transpose(0, 2, 1)");
    if (drops) {
        python.line("grad_weights = grad_dropped_weights * (keep / np.float32(1 - ", python_number(inputs.dropout),
                    "))  # as the weights were");
    }
}

// A pattern's loss is about the weights: behind them there is no gradient.
void write_from_targets(PythonText& python, const Inputs& inputs, bool is_batch) {
    python.line();
    python.line("# The loss is about the weights: what comes behind them has no part in it.");
    if (inputs.out) {
        python.line(
            "grad_output, grad_w_out, grad_b_out = np.zeros_like(output), np.zeros_like(w_out), "
            "np.zeros_like(b_out)");
    }
    python.line(
        "grad_merged, grad_context, grad_values = np.zeros_like(merged), np.zeros_like(context), "
        "np.zeros_like(values)");
    if (inputs.dropout > 0) python.line("grad_dropped_weights = np.zeros_like(weights)");
    python.line("loss, grad_weights = 0, np.zeros_like(weights)");
    python.line("for head, query, shares in targets", is_batch ? "[s]" : "", ":");
    python.line("    for key, share in shares.items():");
    python.line("        loss -= share * np.log(weights[head, query, key]) / num_terms");
    python.line("        grad_weights[head, query, key] = -share / weights[head, query, key] / num_terms");
}

// "(a * b).sum(axis=-1, keepdims=True)"
std::string row_sum(std::string_view a, std::string_view b) {
    return concat("(", a, " * ", b, ").sum(axis=-1, keepdims=True)");
}

// From normed queries and keys to those before, and to the weights of the norms.
void write_through_norms(PythonText& python) {
    python.line();
    python.line(
        "def back_through_norm(x, weight, grad):  # a row that grows is divided by more: its average comes off");
    python.line("    normed, at_normed = x / rms_of(x), grad * weight");
    python.line("    average = (at_normed * normed).mean(axis=-1, keepdims=True)");
    python.line("    return (at_normed - normed * average) / rms_of(x), (grad * normed).sum(axis=(0, 1))");
    python.line();
    python.line("grad_queries, grad_q_norm = back_through_norm(queries, q_norm, grad_normed_queries)");
    python.line("grad_keys, grad_k_norm = back_through_norm(keys, k_norm, grad_normed_keys)");
}

// From the weights to the scores.
void write_through_softmax(PythonText& python, const Inputs& inputs, bool has_mask) {
    python.line();
    if (inputs.mask_at == MaskAt::before) {
        python.line("# Back through the softmax: each row less its average",
                    inputs.has_sink() ? "; nothing reads the sink's share." : ", so that it sums to 0.");
        if (inputs.has_sink())
            python.line("grad_sink_logits = -(sink_weights * ", row_sum("grad_weights", "weights"),
                        ").sum(axis=(1, 2))");
        python.line("grad_masked_scores = weights * (grad_weights - ", row_sum("grad_weights", "weights"), ")");
        python.line("grad_", python_unmasked(inputs), " = grad_masked_scores",
                    has_mask ? "  # 0 where the key is hidden" : "");
    } else {
        std::string at = "grad_weights";
        if (inputs.mask_at == MaskAt::after) {
            const std::string visible = has_mask ? "np.where(hidden, 0, unmasked_weights)" : "unmasked_weights";
            python.line("# Back through the division of each row by its sum.");
            python.line("row_sums = ", visible, ".sum(axis=-1, keepdims=True)");
            python.line("grad_unmasked_weights = (grad_weights - ", row_sum("grad_weights", "weights"), ") / row_sums");
            at = "grad_unmasked_weights";
        }
        if (has_mask) python.line("grad_unmasked_weights = np.where(hidden, 0, ", at, ")");
        if (has_mask) at = "grad_unmasked_weights";
        python.line("# Back through the softmax: each row less its average, so that it sums to 0.");
        python.line("grad_", python_unmasked(inputs), " = unmasked_weights * (", at, " - ",
                    row_sum(at, "unmasked_weights"), ")");
    }
    if (inputs.positions == Positions::alibi)
        python.line("grad_", inputs.score_cap > 0 ? "capped" : "scaled",
                    "_scores = grad_biased_scores  # the bias is a constant");
    if (inputs.score_cap > 0)
        python.line("grad_scaled_scores = grad_capped_scores * (1 - (capped_scores / ",
                    python_number(static_cast<float>(inputs.score_cap)), ") ** 2)  # the slope of the cap");
    const std::string divisor = python_divisor(inputs);
    python.line("grad_scores = grad_scaled_scores", divisor.empty() ? "" : " / ", divisor);
    python.line();
    const std::string_view queries = python_scored(inputs, TensorId::queries);
    const std::string_view keys = python_scored(inputs, TensorId::keys);
    python.line("# Back through scores = ", queries, " @ ", keys, "^T.");
    const bool is_shared = inputs.num_kv_heads != 0;
    python.line("grad_", queries, " = grad_scores @ ", is_shared ? "read_keys" : keys);
    python.line("grad_", keys, " = ", is_shared ? "(" : "", "grad_scores.transpose(0, 2, 1) @ ", queries,
                is_shared ? ")" : "",
                sum_over_readers(inputs, inputs.rope_dim == 0 ? "head_dim" : "head_dim + rope_dim"));
    if (inputs.rope_dim != 0) {
        python.line(
            "grad_queries, grad_keys = grad_rotated_queries[..., :head_dim], grad_rotated_keys[..., :head_dim]");
        python.line("grad_position_queries = turned(grad_rotated_queries[..., head_dim:], cos, -sin)  # turned back");
        python.line("grad_position_keys = turned(grad_rotated_keys[..., head_dim:], cos, -sin).sum(axis=0)");
        return;
    }
    const std::string_view normed = inputs.has_qk_norm() ? "normed_" : "";
    if (inputs.positions == Positions::rope) {
        python.line("grad_", normed, "queries = turned(grad_rotated_queries, cos, -sin)  # by the opposite angle");
        python.line("grad_", normed, "keys = turned(grad_rotated_keys, cos, -sin)");
    }
    if (inputs.has_qk_norm()) write_through_norms(python);
}

// From queries, keys and values to their matrices, and three ways to X.
void write_through_projections(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const bool has_matrices = inputs.init != Init::none;
    const bool has_latents = inputs.latent != 0 || inputs.query_latent != 0;
    python.line();
    python.line("# Heads side by side again, and back through ",
                has_latents
                    ? "what made them: ways back that meet are added."
                    : concat(has_matrices ? "x @ w: x was used three times" : "x", ", so its gradient is a sum."));
    std::string at_x, at_latents, at_query_latents;
    for (const Role& role : kRoles) {
        const std::string at = concat("at_", role.word);
        const std::string_view source = python_source(inputs, role.word);
        python.line(at, " = grad_", role.name, ".transpose(1, 0, 2).reshape(T, ", python_width(inputs, role.word), ")",
                    has_edits(inputs, role.stage, sentences) ? ".copy()" : "");
        write_zeros_at_edits(python, inputs, role.stage, at, sentences);
        if (has_matrices) python.line("grad_w_", role.word, " = ", source, ".T @ ", at);
        if (has_matrices && inputs.bias) python.line("grad_b_", role.word, " = ", at, ".sum(axis=0)");
        std::string& sum = source == "x" ? at_x : source == "latents" ? at_latents : at_query_latents;
        sum += concat(sum.empty() ? "" : " + ", at, has_matrices ? concat(" @ w_", role.word, ".T") : "");
    }
    if (inputs.rope_dim != 0) {
        const std::string_view source = python_source(inputs, "query");
        python.line("at_position_queries = grad_position_queries.transpose(1, 0, 2).reshape(T, num_heads * rope_dim)");
        python.line("grad_w_query_rope = ", source, ".T @ at_position_queries");
        python.line("grad_w_key_rope = x.T @ grad_position_keys");
        (source == "x" ? at_x : at_query_latents) += " + at_position_queries @ w_query_rope.T";
        at_x += concat(at_x.empty() ? "" : " + ", "grad_position_keys @ w_key_rope.T");
    }
    const auto write_down = [&](std::string_view stage, std::string_view down, const std::string& sum) {
        if (sum.empty()) return;
        python.line("grad_", stage, " = ", sum);
        python.line("grad_w_", down, " = x.T @ grad_", stage);
        at_x += concat(at_x.empty() ? "" : " + ", "grad_", stage, " @ w_", down, ".T");
    };
    write_down("query_latents", "down_query", at_query_latents);
    write_down("latents", "down_kv", at_latents);
    python.line("grad_embeddings = ", at_x);
}

// "x", and in a batch one for each sentence that has a part in the loss.
std::string python_learned(const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const std::set<TensorId> trained = trained_tensors(inputs);
    std::vector<std::string> items;
    for (const TensorId tensor : present_learned(inputs)) {
        if (trained.contains(tensor))
            items.push_back(concat("\"grad_", tensor_name(tensor), "\": ", tensor_name(tensor)));
    }
    for (const ScriptSentence& sentence : sentences) {
        if (!trained.contains(TensorId::embeddings) || !has_terms(inputs, sentence)) continue;
        const bool is_one = sentences.size() == 1;
        items.push_back(is_one ? "\"grad_x\": x"
                               : concat("\"grad_x", sentence.number, "\": xs[", sentence.number, "]"));
    }
    std::string text = python_list(items, "");
    if (!text.empty()) text.front() = '{';
    if (!text.empty()) text.back() = '}';
    return text;
}

// How a gradient changes the numbers, with the names and settings of torch.optim.
void write_optimizer_step(PythonText& python, const Inputs& inputs) {
    const std::string rate = python_number(inputs.rate);
    switch (inputs.optimizer) {
        case OptimizerKind::sgd:
            python.line("tensor -= ", rate, " * at");
            return;
        case OptimizerKind::momentum:
            python.line("mean[name] = ", python_number(kMomentum), " * mean[name] + at if step else at");
            python.line("tensor -= ", rate, " * mean[name]");
            return;
        case OptimizerKind::adamw:
            python.line("tensor *= 1 - ", rate, " * ", python_number(kWeightDecay), "  # weight decay");
            [[fallthrough]];
        case OptimizerKind::adam:
            python.line("mean[name] = ", python_number(kBeta1), " * mean.get(name, 0) + (1 - ", python_number(kBeta1),
                        ") * at");
            python.line("square[name] = ", python_number(kBeta2), " * square.get(name, 0) + (1 - ",
                        python_number(kBeta2), ") * at**2");
            python.line("corrected = mean[name] / (1 - ", python_number(kBeta1), " ** (step + 1))");
            python.line("size = np.sqrt(square[name] / (1 - ", python_number(kBeta2), " ** (step + 1))) + ",
                        python_number(kEpsilon));
            python.line("tensor -= ", rate, " * corrected / size");
            return;
    }
}

std::string_view optimizer_name(OptimizerKind optimizer) {
    switch (optimizer) {
        case OptimizerKind::sgd:
            return "SGD";
        case OptimizerKind::momentum:
            return "SGD with momentum";
        case OptimizerKind::adam:
            return "Adam";
        case OptimizerKind::adamw:
            return "AdamW";
    }
    return {};
}

}  // namespace

void write_backward_pass(PythonText& python, const PlaygroundState& state,
                         const std::vector<ScriptSentence>& sentences) {
    const Inputs& inputs = state.inputs;
    const bool is_batch = sentences.size() > 1;
    const bool has_mask = hides_keys(inputs, sentences);
    if (inputs.goal == GoalKind::next) {
        write_from_output(python, inputs, is_batch);
        write_through_mixing(python, inputs);
    } else {
        write_from_targets(python, inputs, is_batch);
    }
    write_through_softmax(python, inputs, has_mask);
    write_through_projections(python, inputs, sentences);
    write_stages(python, state, "stages = ");
    python.line("stages.update({  # the gradients, back the way it came");
    for (const TensorId stage : stages_with_gradient(inputs)) {
        const std::string_view name = tensor_name(stage);
        python.line("    \"grad_", name, "\": grad_", name, ",  # ", shape_letters(sizes_of(inputs, 0), stage));
    }
    python.line("})");
    python.line("gradients = {");
    for (const TensorId tensor : present_learned(inputs))
        python.line("    \"grad_", tensor_name(tensor), "\": grad_", tensor_name(tensor), ",");
    python.line("}");
    python.line("return loss, stages, gradients");
}

void write_num_terms(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const bool is_batch = sentences.size() > 1;
    if (inputs.goal == GoalKind::next)
        python.line(
            "num_terms = ", is_batch ? "sum(len(tokens) - 1 for tokens in sentences.values())" : "len(tokens) - 1",
            "  # the loss is a mean");
    else
        python.line("num_terms = ", is_batch ? "sum(len(rows) for rows in targets.values())" : "len(targets)",
                    "  # the loss is a mean");
}

void write_numpy_training(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                          int steps_taken) {
    const bool is_batch = sentences.size() > 1;
    const bool learns = steps_taken > 0 && !trained_tensors(inputs).empty();
    const bool learns_x = trained_tensors(inputs).contains(TensorId::embeddings);
    python.line();
    python.line();
    if (learns) {
        python.line("learned = ", python_learned(inputs, sentences), "  # by the names of their gradients");
        if (inputs.optimizer == OptimizerKind::momentum) python.line("mean = {}  # of the gradients, running");
        if (inputs.optimizer == OptimizerKind::adam || inputs.optimizer == OptimizerKind::adamw)
            python.line("mean, square = {}, {}  # of the gradients and of their squares, running");
    }
    open_steps(python, inputs, steps_taken);
    if (inputs.dropout > 0) {
        python.line("dropout_random = TorchRandom(", inputs.dropout_seed, ")",
                    inputs.steps > 0 ? "  # the same weights in each step" : "");
    }
    if (is_batch) {
        python.line("loss, all_stages, gradients = 0, {}, {}");
        python.line("for s in sentences:");
        python.line("    part, all_stages[s], of_sentence = attention(xs[s], s)");
        python.line("    loss += part");
        python.line("    for name, at in of_sentence.items():");
        python.line("        gradients[name] = gradients.get(name, 0) + at");
    } else {
        python.line("loss, stages, gradients = attention(x)");
    }
    const std::string_view at_x = is_batch ? "all_stages[s][\"grad_embeddings\"]" : "stages[\"grad_embeddings\"]";
    write_step_printing(python, inputs, sentences, "loss", at_x);
    if (learns) {
        python.line("if step == ", steps_taken, ":");
        python.line("    break");
        if (learns_x && is_batch)
            python.line(
                "at_all = {**gradients, **{f\"grad_x{s}\": all_stages[s][\"grad_embeddings\"] for s in sentences}}");
        else if (learns_x)
            python.line("at_all = {**gradients, \"grad_x\": stages[\"grad_embeddings\"]}");
        python.line("for name, tensor in learned.items():  # a step of ", optimizer_name(inputs.optimizer));
        python.deeper();
        python.line("at = ", learns_x ? "at_all" : "gradients", "[name]");
        write_optimizer_step(python, inputs);
        python.back();
    }
    if (inputs.steps > 0) python.back();
    python.line();
}

}  // namespace attn
