// What the two scripts share: a state put into a form for scripts, and the lines that look alike in both. The
// functions of the libraries are in script_numpy.cpp and script_pytorch.cpp, which read like the scripts they write.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "share/scripts/python_text.h"

namespace attn {

// Nobody would read a longer script, and most of it would be pasted numbers.
inline constexpr std::size_t kMaxScriptBytes = 1 << 18;

// --- the state, put into a form for scripts
// ----------------------------------------------------------------------------

// A sentence that has tokens.
struct ScriptSentence {
    int number = 1;  // counted from 1, empty ones too
    std::vector<std::string> tokens;
    std::vector<std::vector<float>> typed;  // embed=typed: (T, d_in), missing numbers are 0; else empty

    int num_tokens() const { return static_cast<int>(tokens.size()); }
};

// The sentences of the script, at least one, or why no script can be written.
Result<std::vector<ScriptSentence>> script_sentences(const Inputs& inputs);

// A rectangle of numbers that somebody changed.
struct EditedBlock {
    int first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    std::vector<std::vector<float>> rows;

    bool is_uniform() const;  // one number throughout
};

// The edits of `tensor` that are in use in a sentence of so many tokens, as few rectangles: first runs of columns, then
// equal runs of neighbouring rows; the mask's are of one value each. `sentence` counts from 1; tensors that all
// sentences share have no use for it. The mask's are its cells that differ from the mask without edits, 1 where the key
// is hidden; a row that would hide every key shows its own.
std::vector<EditedBlock> edited_blocks(const Inputs& inputs, TensorId tensor, int sentence, int num_tokens);

// Whether any of `sentences` has edits of the tensor that are in use.
bool has_edits(const Inputs& inputs, TensorId tensor, const std::vector<ScriptSentence>& sentences);

// Whether the mask of any of `sentences` may hide a key.
bool hides_keys(const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// What both scripts call a stage.
std::string_view python_variable(TensorId stage);

// What the matrices of a role are wide, in Python: "d_out", or "kv_width" for keys and values that heads share; as they
// are drawn, if that is asked.
std::string_view python_width(const Inputs& inputs, std::string_view role, bool as_drawn = false);

// What a role ("query", "key", "value") is projected from, "x" or latents; the rows of its matrix, "d_in" or the width
// of the latents; and the name of what makes the latents, "down_kv", before the first role that is made of them: else
// empty.
std::string_view python_source(const Inputs& inputs, std::string_view role);
std::string_view python_rows(const Inputs& inputs, std::string_view role);
std::string_view python_down(const Inputs& inputs, std::string_view role);

// "num_heads" or, for keys and values that heads share, "kv_heads".
std::string_view python_heads(const Inputs& inputs, std::string_view role);

// --- lines that are the same in both scripts
// ---------------------------------------------------------------------------

// How the file is to be read and `what` the script is, in a few words: comment lines at its top.
void write_head(PythonText& python, const PlaygroundState& state, std::string_view what);
// As many empty lines as stand before a class or a function.
void write_gap(PythonText& python);

// Hides what lies outside the window from `hidden`, where there is one. `ones` is a (T, T) matrix of True in `library`
// ("np." or "torch."), `diagonal` its name for the argument of tril and triu.
void write_window(PythonText& python, const Inputs& inputs, std::string_view library, std::string_view ones,
                  std::string_view diagonal);

// tokens, or sentences where there are several; then the sizes.
void write_sentences(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// The typed rows of embed=typed as lists: `typed`, by sentence where there are several.
void write_typed(PythonText& python, const std::vector<ScriptSentence>& sentences);

// `vocabulary`, the sorted list of distinct tokens, of the whole batch.
void write_vocabulary(PythonText& python, const std::vector<ScriptSentence>& sentences);

// For a batch: "for s, tokens in sentences.items():", and what follows is inside of it.
void open_sentences(PythonText& python, const std::vector<ScriptSentence>& sentences);

// Whether tokens are embedded by hashing.
bool is_hashed(const Inputs& inputs);

// mix() and hashed_numbers(text), Python's own numbers: FNV-1a and SplitMix64; with n-grams also pieces_of(token).
void write_hashing(PythonText& python, const Inputs& inputs);

// The edits of a tensor as assignments to `target` (what Python calls it), "w_query[0, 1:3] = [0.5, 1.0]". Lists stand
// between `open` and `close`: "torch.tensor(" and ")".
void write_edits(PythonText& python, const Inputs& inputs, TensorId tensor, std::string_view target,
                 const std::vector<ScriptSentence>& sentences, std::string_view open = "", std::string_view close = "");

// The same places of `target`, which has the shape of the tensor, set to 0: no gradient goes behind what was typed
// over.
void write_zeros_at_edits(PythonText& python, const Inputs& inputs, TensorId tensor, std::string_view target,
                          const std::vector<ScriptSentence>& sentences);

// `opening`, then a dictionary of all stages of the forward pass: "stages = " or "return ".
void write_stages(PythonText& python, const PlaygroundState& state, std::string_view opening);

// Whether the stage is the gradient at a learned matrix or bias: `gradients` has it, and `stages` all others.
bool is_at_learned(TensorId stage);

// The pinned number, of the dictionary of this name; a blank one is not printed.
void write_pinned(PythonText& python, const PlaygroundState& state, std::string_view numbers);

// The printing of `stages`: the one on the screen is marked, the pinned number comes last. Closes the sentences.
void write_printing(PythonText& python, const PlaygroundState& state, const std::vector<ScriptSentence>& sentences,
                    bool has_gradients);

// A notebook's function show(name, numbers), which prints a stage as write_printing does.
void write_showing(PythonText& python);

// Where numbers are blank, the function without_blanks(name, numbers), which puts NaN in the place of those that
// with_withheld leaves out; else nothing. `library` is "torch." or "np.". Comes before all that prints.
void write_blanks(PythonText& python, const PlaygroundState& state, std::string_view library);

// The finished script, or why it is too long.
Result<std::string> finished_script(const PythonText& python);

// --- the cells of a notebook that compare (notebook_checks.cpp)
// ----------------------------------------------------------------------------

// Python, each a cell; empty: there is nothing to compare. Numbers that the state leaves blank, and those that would
// give one away (withheld_values), are in none of them.
struct NotebookChecks {
    int sentence = 1;     // whose stages are compared, counted from 1
    std::string forward;  // of `stages`, before training
    std::string trained;  // of the loss, `gradients` and `stages`, after it
};

// Of a state that has a script. `shown` are its numbers. The sentence on the screen is compared, or the first one with
// tokens where that has none. What training changes is computed again without its steps.
NotebookChecks notebook_checks(const PlaygroundState& state, const Evaluation& shown,
                               const std::vector<ScriptSentence>& sentences);

// The same of a state with an open model: of the stages that the script has, and of `logits` where it `has_logits`.
// `shown` has what stands around the attention, too.
std::string model_notebook_check(const PlaygroundState& state, const Evaluation& shown, bool has_logits);

}  // namespace attn
