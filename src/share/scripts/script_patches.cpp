// The layers of a script run twice where there are patches: the same lines for both texts.
#include "share/scripts/script_patches.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/attention/stages.h"
#include "model/layers/rope_scaling.h"
#include "share/scripts/script_tensors.h"

namespace attn {
namespace {

std::string_view part_in_python(PatchOf of) {
    switch (of) {
        case PatchOf::stream:
            return "stream";
        case PatchOf::mlp:
            return "mlp";
        case PatchOf::head:
            return "head";
        case PatchOf::weights:
            return "weights";
    }
    return "";
}

bool has_typed(const ModelInput& input) {
    return !input.edits.empty() || (!input.other.empty() && !input.other.front().edits.empty());
}

void write_typed_list(PythonText& python, std::string_view name, const ModelInput& input) {
    python.line(name, " = [  # layer, tensor, row, column, number");
    for (const LayerEdit& edit : input.edits)
        python.line("    (", edit.layer, ", \"", tensor_name(edit.tensor), "\", ", edit.row, ", ", edit.column, ", ",
                    python_number(edit.value), "),");
    python.line("]");
}

}  // namespace

std::string find_patch_script_problem(const ModelConfig& config, const ModelInput& input) {
    if (input.other.empty()) return "";
    for (const RopeScaling* rope : {&config.rope, &config.window_rope})
        if (turns_otherwise(*rope, input.num_tokens(), input.other.front().num_tokens()))
            return "This model turns queries and keys of a longer text otherwise, and the two texts of the patches are "
                   "on both sides of that length: there is no script of them.";
    return "";
}

bool has_padding(const ModelInput& input, int token) {
    const auto has = [&](const ModelInput& of) { return std::ranges::find(of.ids, token) != of.ids.end(); };
    return has(input) || (!input.other.empty() && has(input.other.front()));
}

void write_typed(PythonText& python, const ModelInput& input) {
    if (!has_typed(input)) return;
    python.line();
    python.line();
    write_typed_list(python, input.other.empty() ? "typed" : "typed_here", input);
    if (!input.other.empty()) write_typed_list(python, "typed_there", input.other.front());
    python.line();
    python.line();
    python.block(typed_over_text());
}

void write_patch_functions(PythonText& python, const ModelInput& input) {
    if (input.other.empty()) return;
    std::vector<std::string> taken;
    for (const Patch& patch : input.patches)
        taken.push_back(
            concat("(\"", part_in_python(patch.of), "\", ", patch.layer, ", ", patch.head, ", ", patch.row, ")"));
    python.line();
    python.line();
    python.line("# Patches: the part, its layer, its head, the token; all counted from 0.");
    python.line("taken = ", python_list(taken, "    "));
    python.line("theirs = []  # of the other text, for each layer");
    python.line();
    python.line();
    python.block(R"py(def taken_rows(part, n, rows):  # with those of the other text
    rows = rows.clone()
    for of, layer, head, token in taken:
        if not is_other and (of, layer) == (part, n):
            rows[token] = theirs[n][part][token]
    return rows


def taken_heads(n, handed_on, values):  # of weights that are taken over: times this text's values
    handed_on = handed_on.clone()
    for of, layer, head, token in taken:
        if is_other or layer != n:
            continue
        if of == "head":
            handed_on[head, token] = theirs[n]["head"][head, token]
        if of == "weights":
            row = theirs[n]["weights"][head, token][:T]
            handed_on[head, token] = row @ values[head, : len(row)]
    return handed_on)py");
}

void begin_texts(PythonText& python, const ModelInput& input) {
    if (input.other.empty()) return;
    python.line("for is_other in (1, 0):  # first the text that numbers are taken over from");
    python.deeper();
    python.line("ids = torch.tensor(", text_of_each(input, [](const ModelInput& of) { return list_of(of.ids); }), ")");
    python.line("T = len(ids)");
    if (has_typed(input)) python.line("typed = (typed_here, typed_there)[is_other]");
}

void write_theirs(PythonText& python, const ModelInput& input, bool has_mlp) {
    if (input.other.empty()) return;
    python.line("if is_other:");
    python.line("    theirs.append(dict(stream=before, head=handed_on, weights=weights",
                has_mlp ? ", mlp=mlp_added" : "", "))");
}

}  // namespace attn
