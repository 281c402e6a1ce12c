// The functions stand in the order of the script's lines.
#include "share/scripts/script_pytorch_parts.h"

#include <set>

#include "core/ground/check.h"
#include "playground/link/recipe_keys.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

// nn.Parameter itself, which has the gradient.
std::string parameter_of(Init init, TensorId tensor) {
    std::string name = variable_of_learned(init, tensor);
    if (name.ends_with(".T")) name.resize(name.size() - 2);
    return name;
}

// loss_of(stages): of all sentences together.
void write_loss(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const bool is_batch = sentences.size() > 1;
    python.cell("loss");
    python.line();
    python.line();
    python.line("def loss_of(", is_batch ? "all_stages" : "stages", "):");
    python.deeper();
    python.line("total, num_terms = 0, 0");
    if (is_batch) {
        python.line("for s, tokens in sentences.items():");
        python.deeper();
        python.line("stages = all_stages[s]");
    }
    if (inputs.goal == GoalKind::next) {
        python.line("wanted = torch.tensor([vocabulary.index(token) for token in tokens[1:]], dtype=torch.long)");
        python.line("logits = stages[\"", python_softmax_logits(inputs), "\"][:-1]");
        python.line("if len(wanted):");
        python.line("    total = total + nn.functional.cross_entropy(logits, wanted, reduction=\"sum\")");
        python.line("num_terms += len(wanted)");
    } else {
        python.line("for head, query, shares in targets", is_batch ? "[s]" : "", ":");
        python.line("    for key, share in shares.items():");
        python.line("        total = total - share * stages[\"weights\"][head, query, key].log()");
        python.line("    num_terms += 1");
    }
    if (is_batch) python.back();
    python.line("return total / num_terms");
    python.back();
}

// "Adam(learned, lr=0.05)"
std::string optimizer_call(const Inputs& inputs) {
    const std::string rate = python_number(inputs.rate);
    switch (inputs.optimizer) {
        case OptimizerKind::sgd:
            return concat("SGD(learned, lr=", rate, ")");
        case OptimizerKind::momentum:
            return concat("SGD(learned, lr=", rate, ", momentum=0.9)");
        case OptimizerKind::adam:
            return concat("Adam(learned, lr=", rate, ")");
        case OptimizerKind::adamw:
            return concat("AdamW(learned, lr=", rate, ")");
    }
    return {};
}

// What can learn, what does, and with which optimizer. Returns whether anything learns.
bool write_learned(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    const std::set<TensorId> trained = trained_tensors(inputs);
    std::vector<std::string> all, learned;
    for (const TensorId tensor : present_learned(inputs)) {
        all.push_back(parameter_of(inputs.init, tensor));
        if (trained.contains(tensor)) learned.push_back(all.back());
    }
    const bool is_batch = sentences.size() > 1;
    const bool learns_x = trained.contains(TensorId::embeddings);
    if (!is_batch) all.emplace_back("x");
    if (!is_batch && learns_x) learned.emplace_back("x");
    const std::string_view xs = " + list(xs.values())";
    python.line("leaves = ", python_list(all, ""), is_batch ? xs : "", "  # each has a gradient");
    if (trained.empty() || inputs.steps == 0) return false;
    python.line("learned = ", python_list(learned, ""), is_batch && learns_x ? xs : "");
    python.line("optimizer = torch.optim.", optimizer_call(inputs));
    return true;
}

// The gradient at a matrix or bias, behind loss.backward().
std::string gradient_of_learned(Init init, TensorId tensor) {
    const bool is_turned = variable_of_learned(init, tensor).ends_with(".T");
    return concat("gradient(", parameter_of(init, tensor), ")", is_turned ? ".T" : "");
}

// The gradient at a stage, likewise.
std::string gradient_of_stage(TensorId stage) {
    return concat("gradient(stages[\"", tensor_name(stage), "\"])");
}

// `gradients`: at the matrices and biases.
void write_gradients(PythonText& python, const Inputs& inputs) {
    python.line("gradients = {");
    for (const TensorId tensor : present_learned(inputs))
        python.line("    \"grad_", tensor_name(tensor), "\": ", gradient_of_learned(inputs.init, tensor), ",");
    python.line("}");
}

}  // namespace

std::string variable_of_learned(Init init, TensorId tensor) {
    const std::string_view name = tensor_name(tensor);  // "w_query", "b_query"
    if (!is_of_projections(tensor)) return std::string(name);
    const std::string_view role = name.substr(2);
    const bool is_weight = name.starts_with('w');
    if (init == Init::torch_linear) return concat("W_", role, is_weight ? ".weight.T" : ".bias");
    return concat(is_weight ? "W_" : "b_", role);
}

void write_pytorch_training(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                            int steps_taken) {
    const bool is_batch = sentences.size() > 1;
    const std::string_view each = is_batch ? "all_stages[s].values()" : "stages.values()";
    write_loss(python, inputs, sentences);
    python.line();
    python.line();
    python.line("def gradient(tensor):  # 0 where the loss does not depend on it");
    python.line("    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad");
    python.line();
    python.line();
    python.cell("training");
    const bool learns = write_learned(python, inputs, sentences);
    open_steps(python, inputs, steps_taken);
    if (inputs.dropout > 0)
        python.line("torch.manual_seed(", inputs.dropout_seed, ")",
                    inputs.steps > 0 ? "  # the same weights in each step" : "");
    python.line(is_batch ? "all_stages = {s: attention(xs[s], s) for s in sentences}" : "stages = attention(x)");
    python.line("loss = loss_of(", is_batch ? "all_stages" : "stages", ")");
    if (inputs.steps > 0) {
        python.line("for tensor in leaves:");
        python.line("    tensor.grad = None  # else PyTorch adds to the one of the step before");
    }
    if (is_batch) python.line("for s in sentences:");
    if (is_batch) python.deeper();
    python.line("for tensor in ", each, ":");
    python.line("    tensor.retain_grad()  # of what it computes on the way, PyTorch keeps no gradient by itself");
    if (is_batch) python.back();
    python.line("loss.backward()");
    write_gradients(python, inputs);
    write_step_printing(python, inputs, sentences, "loss.item()", is_batch ? "gradient(xs[s])" : "gradient(x)");
    if (learns && steps_taken > 0) {
        python.line("if step < ", steps_taken, ":");
        python.line("    optimizer.step()");
    }
    if (inputs.steps > 0) python.back();
    python.line();
}

std::string gradient_line(const Inputs& inputs, TensorId stage) {
    const TensorId of = tensor_of_gradient(stage);
    return concat(tensor_name(stage), " = ",
                  is_at_learned(stage) ? gradient_of_learned(inputs.init, of) : gradient_of_stage(of));
}

void write_pytorch_stage_gradients(PythonText& python, const Inputs& inputs) {
    python.line("gradients_of_stages = {  # back the way it came");
    for (const TensorId stage : stages_with_gradient(inputs)) {
        python.line("    \"grad_", tensor_name(stage), "\": ", gradient_of_stage(stage), ",  # ",
                    shape_letters(sizes_of(inputs, 0), stage));
    }
    python.line("}");
    python.line("stages = {name: numbers.detach() for name, numbers in {**stages, **gradients_of_stages}.items()}");
}

}  // namespace attn
