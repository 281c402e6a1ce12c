// What a PyTorch script of a model with patches has beside the rest: the other text, which runs first, and what is
// taken over from it.
#pragma once

#include <string>

#include "core/ground/check.h"
#include "model/layers/model_input.h"
#include "model/layers/model_weights.h"
#include "share/scripts/python_text.h"

namespace attn {

// Why there is no script of these patches, in a sentence; empty where there is one.
std::string find_patch_script_problem(const ModelConfig& config, const ModelInput& input);

// The text of a value of each of the two texts; without patches that of `input` alone. `text(of)` is Python.
template <typename Text>
std::string text_of_each(const ModelInput& input, const Text& text) {
    const std::string here = text(input);
    if (input.other.empty()) return here;
    const std::string there = text(input.other.front());
    return here == there ? here : concat("(", here, ", ", there, ")[is_other]");
}

// Whether one of the texts has this token.
bool has_padding(const ModelInput& input, int token);
// The list `typed` of a text, and the function that types over. Nothing where no number was.
void write_typed(PythonText& python, const ModelInput& input);

// taken, theirs, and the functions that take over. Nothing without patches.
void write_patch_functions(PythonText& python, const ModelInput& input);
// "for is_other in (1, 0):" with its tokens; what follows is deeper. Nothing without patches.
void begin_texts(PythonText& python, const ModelInput& input);
// At the end of a layer, what the other text leaves for this one. Nothing without patches.
void write_theirs(PythonText& python, const ModelInput& input, bool has_mlp);

}  // namespace attn
