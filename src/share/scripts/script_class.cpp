// The functions stand in the order of the script's lines.
#include "share/scripts/script_class.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/state/shapes.h"
#include "playground/state/state_edits.h"
#include "share/scripts/script_parts.h"
#include "share/scripts/script_positions.h"
#include "share/scripts/script_pytorch_parts.h"
#include "share/scripts/script_recipe.h"

namespace attn {
namespace {

// What the lectures' classes have not.
struct ClassLacks {
    bool (*has)(const Inputs& inputs);
    std::string_view what;
};
constexpr ClassLacks kLacks[] = {
    {[](const Inputs& inputs) { return inputs.positions == Positions::rope; }, "rotary positions"},
    {[](const Inputs& inputs) { return inputs.positions == Positions::alibi; }, "ALiBi's distances"},
    {[](const Inputs& inputs) { return inputs.latent != 0 || inputs.query_latent != 0; }, "latents"},
    {[](const Inputs& inputs) { return inputs.num_kv_heads != 0; }, "key heads that query heads share"},
    {[](const Inputs& inputs) { return inputs.has_qk_norm(); }, "norms of queries and keys"},
    {[](const Inputs& inputs) { return inputs.mask_window != 0; }, "windows"},
    {[](const Inputs& inputs) { return inputs.mask_at != MaskAt::before; }, "mask behind the softmax"},
    {[](const Inputs& inputs) { return inputs.has_sink(); }, "learned sinks"},
    {[](const Inputs& inputs) { return inputs.score_cap > 0; }, "capped scores"},
    {[](const Inputs& inputs) {
         const TensorId x = present_stages(inputs).front();
         const auto is_on_the_way = [&](const Edit& edit) { return edit.tensor != x && !is_learned(edit.tensor); };
         return std::ranges::any_of(inputs.edits, is_on_the_way);
     },
     "numbers typed over in queries, keys, values or the mask"},
    {[](const Inputs& inputs) { return inputs.steps > 0; }, "numbers that training made: set the steps to 0"},
};

// Of an attribute that is an nn.Parameter: "b_query" beside "W_query".
std::string bias_of(std::string_view name) {
    return name == "out_proj" ? std::string("out_bias") : concat("b_", name.substr(2));
}

enum class LectureClass { self_attention, causal, multi_head };

LectureClass class_of(const Inputs& inputs) {
    if (inputs.num_heads > 1 || inputs.out) return LectureClass::multi_head;
    const bool is_plain = inputs.mask == Mask::none && inputs.dropout == 0;
    return is_plain ? LectureClass::self_attention : LectureClass::causal;
}

std::string_view name_of_class(const Inputs& inputs) {
    switch (class_of(inputs)) {
        case LectureClass::self_attention:
            return inputs.init == Init::torch_linear ? "SelfAttention_v2" : "SelfAttention_v1";
        case LectureClass::causal:
            return "CausalAttention";
        case LectureClass::multi_head:
            return "MultiHeadAttention";
    }
    return {};
}

constexpr std::array<std::string_view, 3> kRolesOfClass = {"query", "key", "value"};

// What the constructor takes, and what it is given.
std::vector<std::string> parameters_of(const Inputs& inputs) {
    std::vector<std::string> all = {"d_in", "d_out"};
    if (class_of(inputs) == LectureClass::multi_head) all.emplace_back("num_heads");
    if (inputs.mask == Mask::causal) all.emplace_back("context_length");
    if (inputs.dropout > 0) all.emplace_back("dropout");
    return all;
}

std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += concat(text.empty() ? "" : ", ", one);
    return text;
}

void write_attribute(PythonText& python, const Inputs& inputs, std::string_view name, std::string_view n_in,
                     bool bias) {
    if (inputs.init == Init::torch_linear) {
        python.line("self.", name, " = nn.Linear(", n_in, ", d_out", bias ? ")" : ", bias=False)");
        return;
    }
    python.line("self.", name, " = ", python_parameter(inputs.init, n_in, "d_out"));
    if (bias) python.line("self.", bias_of(name), " = ", python_bias_parameter(inputs.init, "d_out"));
}

void write_constructor(PythonText& python, const Inputs& inputs) {
    python.line("def __init__(self, ", joined(parameters_of(inputs)), "):");
    python.deeper();
    python.line("super().__init__()");
    if (class_of(inputs) == LectureClass::multi_head) python.line("self.num_heads = num_heads");
    for (const std::string_view role : kRolesOfClass)
        write_attribute(python, inputs, concat("W_", role), "d_in", inputs.bias);
    if (inputs.out) write_attribute(python, inputs, "out_proj", "d_out", true);
    if (inputs.dropout > 0) python.line("self.dropout = nn.Dropout(dropout)");
    if (inputs.mask == Mask::causal) {
        python.line("later = torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), diagonal=1)");
        python.line("self.register_buffer(\"mask\", later)  # moves to a GPU with the module, and is not learned");
    }
    python.back();
}

// "self.W_query(x)" or "x @ self.W_query + self.b_query"
std::string mapped_by(const Inputs& inputs, std::string_view x, std::string_view name, bool bias) {
    if (inputs.init == Init::torch_linear) return concat("self.", name, "(", x, ")");
    return concat(x, " @ self.", name, bias ? concat(" + self.", bias_of(name)) : "");
}

void write_forward_of_class(PythonText& python, const Inputs& inputs) {
    const LectureClass kind = class_of(inputs);
    const bool is_batch = kind != LectureClass::self_attention, is_multi = kind == LectureClass::multi_head;
    python.line("def forward(self, x):  # ", is_batch ? "(b, T, d_in)" : "(T, d_in)");
    python.deeper();
    if (is_batch) python.line("b, T, d_in = x.shape");
    for (const std::string_view role : kRolesOfClass)
        python.line(role == "query" ? "queries" : concat(role, "s"), " = ",
                    mapped_by(inputs, "x", concat("W_", role), inputs.bias));
    if (is_multi) {
        python.line("head_dim = queries.shape[-1] // self.num_heads");
        python.line("# (b, T, d_out) cut into heads: (b, num_heads, T, head_dim)");
        for (const std::string_view name : {"queries", "keys", "values"})
            python.line(name, " = ", name, ".view(b, T, self.num_heads, head_dim).transpose(1, 2)");
    }
    python.line("scores = queries @ keys", is_multi ? ".transpose(2, 3)" : is_batch ? ".transpose(1, 2)" : ".T");
    const std::string divisor = python_divisor(inputs);
    if (!divisor.empty()) {
        if (!is_multi && divisor.find("head_dim") != std::string::npos) python.line("head_dim = keys.shape[-1]");
        python.line("scores = scores / ", divisor);
    }
    if (inputs.mask == Mask::causal) python.line("scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)");
    python.line("weights = torch.softmax(scores, dim=-1)");
    if (inputs.dropout > 0) python.line("weights = self.dropout(weights)");
    if (!is_multi) {
        python.line("return weights @ values");
    } else {
        python.line("context = (weights @ values).transpose(1, 2).reshape(b, T, -1)  # the heads side by side again");
        python.line("return ", inputs.out ? mapped_by(inputs, "context", "out_proj", true) : "context");
    }
    python.back();
}

// The object, with what was typed over its matrices.
void write_object(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    int longest = 0;
    for (const ScriptSentence& sentence : sentences) longest = std::max(longest, sentence.num_tokens());
    std::vector<std::string> given = parameters_of(inputs);
    for (std::string& one : given) {
        if (one == "context_length") one = concat("context_length=", longest);
        if (one == "dropout") one = concat("dropout=", python_number(inputs.dropout));
    }
    if (inputs.init != Init::identity) python.line("torch.manual_seed(", inputs.seed, ")");
    python.line("attention = ", name_of_class(inputs), "(", joined(given), ")");
    for (const TensorId tensor : present_learned(inputs)) {
        const bool is_linear = inputs.init == Init::torch_linear, is_weight = !is_bias(tensor);
        const std::string_view role = tensor_name(tensor).substr(2);
        const std::string of = role == "out" ? std::string("out_proj") : concat("W_", role);
        const std::string name = is_linear   ? concat(of, is_weight ? ".weight.T" : ".bias")
                                 : is_weight ? of
                                             : bias_of(of);
        write_edits(python, inputs, tensor, concat("attention.", name), sentences, kTorchList, ")");
    }
}

}  // namespace

std::string find_class_problem(const Inputs& inputs) {
    if (!inputs.model.empty()) return "A trained model has a script of its own: export the PyTorch script.";
    if (inputs.init == Init::none)
        return "Without learned matrices there is nothing that a class would keep: export the PyTorch script.";
    for (const ClassLacks& one : kLacks) {
        if (one.has(inputs))
            return concat("The lectures' classes have no ", one.what, ". The PyTorch script computes this state.");
    }
    return {};
}

Result<std::string> script_class(const PlaygroundState& state) {
    const Inputs& inputs = state.inputs;
    if (std::string problem = find_class_problem(inputs); !problem.empty())
        return Result<std::string>::failure(std::move(problem));
    const Result<std::vector<ScriptSentence>> sentences = script_sentences(inputs);
    if (!sentences) return Result<std::string>::failure(sentences.error());
    PythonText python;
    write_head(python, state, concat("The lectures' class ", name_of_class(inputs), " with PyTorch"));
    write_pytorch_imports(python, state);
    write_pytorch_vectors(python, inputs, *sentences);
    write_gap(python);
    python.line("class ", name_of_class(inputs), "(nn.Module):");
    python.deeper();
    write_constructor(python, inputs);
    python.line();
    write_forward_of_class(python, inputs);
    python.back();
    write_gap(python);
    write_object(python, inputs, *sentences);
    if (inputs.dropout > 0) python.line("torch.manual_seed(", inputs.dropout_seed, ")  # of dropout");
    open_sentences(python, *sentences);
    write_pytorch_x(python, inputs, *sentences);
    const bool is_batch = class_of(inputs) != LectureClass::self_attention;
    python.line("output = attention(", is_batch ? "x[None])[0]  # a batch of one sentence" : "x)");
    const std::string_view stage = inputs.out ? "output" : "merged";
    python.line("print(", sentences->size() > 1 ? "f\"sentence {s}:\", " : "", "\"", stage, "\", tuple(output.shape))");
    python.line("print(", python.printed(concat("\"", stage, "\""), "output"), ")");
    if (sentences->size() > 1) python.back();
    return finished_script(python);
}

}  // namespace attn
