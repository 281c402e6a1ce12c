// A trained model on a sentence as a PyTorch script, from the files that people have: the shown layer's stages and the
// logits. Below it the same with transformers, for kinds that it has.
#pragma once

#include <string>
#include <vector>

#include "core/ground/result.h"
#include "model/layers/model_input.h"
#include "model/layers/model_weights.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "share/scripts/python_text.h"

namespace attn {

// What a script says of the model and the text beside their numbers.
struct ModelScriptHead {
    std::string name;                // of the model
    std::string link;                // of the state; may be empty
    std::vector<std::string> words;  // of each token, as people see it
    int layer = 0;                   // whose stages it keeps
    PlaygroundState state = {};      // whose stage is on the screen, with the pinned cell and the blanks
    bool is_notebook = false;        // cut into cells
    std::string check = {};          // Python: a cell behind the logits
};

// The script's lines, with a place before those of each stage of the head's layer. Whether there is such a script:
// find_patch_script_problem.
PythonText python_of_model(const Model& model, const ModelInput& input, const ModelScriptHead& head);

// The script reads the model's tensors from the folder that it is given, by the names that they have in the files;
// heads that are off and numbers that were typed over are those of the legal `input`. It computes in double, as the
// textbook's code here does, and leaves `stages` (by their names here) and `logits`. The part with transformers runs
// only when it is asked for. The error is a sentence: a script beyond kMaxScriptBytes.
Result<std::string> script_model(const Model& model, const ModelInput& input, const ModelScriptHead& head);

// The same as the cells of a notebook, of a state whose model is open. The folder is a line to be changed. `shown` are
// the numbers of its sentence, with what stands around the attention. The error is that of a sentence without tokens.
Result<PythonText> cells_model(const PlaygroundState& state, const Evaluation& shown);

// The script of a state whose model is open; the error is also that of a sentence without tokens.
Result<std::string> script_model(const PlaygroundState& state);

// The lines of that script, each stage's behind a place with its name.
Result<PythonText> lines_model(const PlaygroundState& state);

}  // namespace attn
