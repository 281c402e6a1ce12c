// Each function writes one of the script's paragraphs, or a call in one.
#include "share/scripts/script_recipe.h"

#include <algorithm>
#include <iterator>

#include "core/ground/check.h"
#include "playground/numbers/recipe.h"
#include "playground/state/shapes.h"

namespace attn {
namespace {

// The rows of `targets` that belong to one sentence, with shares that sum to 1: "(0, 10, {1: 0.5, 6: 0.5})".
std::vector<std::string> target_rows(const Inputs& inputs, int sentence) {
    std::vector<std::string> rows;
    for (std::size_t first = 0, end = 0; first < inputs.targets.size(); first = end) {
        const TargetCell& target = inputs.targets[first];
        double sum = 0;
        for (end = first; end < inputs.targets.size(); ++end) {
            const TargetCell& next = inputs.targets[end];
            if (next.sentence != target.sentence || next.head != target.head || next.query != target.query) break;
            sum += next.share;
        }
        if (target.sentence != sentence) continue;
        std::string shares;
        for (std::size_t n = first; n < end; ++n) {
            shares += concat(n > first ? ", " : "", inputs.targets[n].key, ": ",
                             python_number(static_cast<float>(inputs.targets[n].share / sum)));
        }
        rows.push_back(concat("(", target.head, ", ", target.query, ", {", shares, "})"));
    }
    return rows;
}

}  // namespace

bool has_loss(const Inputs& inputs) {
    return has_goal(inputs) && (inputs.goal == GoalKind::next || !inputs.targets.empty());
}

bool has_terms(const Inputs& inputs, const ScriptSentence& sentence) {
    if (inputs.goal == GoalKind::next) return sentence.num_tokens() > 1;
    return std::ranges::any_of(inputs.targets,
                               [&](const TargetCell& target) { return target.sentence == sentence.number - 1; });
}

std::vector<TensorId> present_learned(const Inputs& inputs) {
    std::vector<TensorId> present;
    std::ranges::copy_if(kLearnedTensors, std::back_inserter(present),
                         [&](TensorId tensor) { return has_learned(tensor, layer_parts(inputs)); });
    return present;
}

void write_word_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                        Library library) {
    const bool is_torch = library == Library::pytorch;
    const std::string_view stack = is_torch ? "torch.stack" : "np.stack";
    const std::string_view fixed = "  # they do not learn";
    python.line();
    if (inputs.embed != EmbeddingKind::torch) write_vocabulary(python, sentences);
    switch (inputs.embed) {
        case EmbeddingKind::hash:
            python.line("word_vectors = ", stack, "([hashed(word) for word in vocabulary])", fixed);
            return;
        case EmbeddingKind::ngrams:
            python.line("word_vectors = ", stack, "([embed(word) for word in vocabulary])", fixed);
            return;
        case EmbeddingKind::torch:
            python.line("word_vectors = ", is_torch ? "embedding.weight.detach().clone()" : "embedding", fixed);
            return;
        case EmbeddingKind::typed:
            python.line("first = {}  # the row of a word is the one typed where it stands first");
            if (sentences.size() > 1) {
                python.line("for s, words in sentences.items():");
                python.line("    for word, row in zip(words, typed[s]):");
                python.line("        first.setdefault(word, row)");
            } else {
                python.line("for word, row in zip(tokens, typed):");
                python.line("    first.setdefault(word, row)");
            }
            python.line("word_vectors = ", is_torch ? "torch.tensor" : "np.array",
                        "([first[word] for word in vocabulary]", is_torch ? ")" : ", dtype=np.float32)", fixed);
    }
}

void write_targets(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    python.line();
    python.line("# Where heads should look: (head, query, {key: share}), all from 0.");
    if (sentences.size() == 1) {
        python.line("targets = ", python_list(target_rows(inputs, sentences[0].number - 1), ""));
        return;
    }
    python.line("targets = {");
    for (const ScriptSentence& sentence : sentences)
        python.line("    ", sentence.number, ": ", python_list(target_rows(inputs, sentence.number - 1), "    "), ",");
    python.line("}");
}

std::vector<TensorId> stages_with_gradient(const Inputs& inputs) {
    std::vector<TensorId> stages;
    for (const StageInfo& info : stage_table()) {
        if (!needs_goal(info.id) || !is_gradient(info.id)) continue;
        const TensorId of = tensor_of_gradient(info.id);
        if (is_stage(of) && of != TensorId::unmasked_weights && is_present(inputs, of)) stages.push_back(of);
    }
    return stages;
}

void open_steps(PythonText& python, const Inputs& inputs, int steps_taken) {
    if (inputs.steps == 0) return;
    if (steps_taken < inputs.steps) python.line("# One more step, and the loss or a number would not be finite.");
    python.line("for step in range(", steps_taken + 1, "):");
    python.deeper();
}

void write_step_printing(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences,
                         std::string_view loss, std::string_view at_x) {
    if (inputs.steps == 0) {
        python.line("print(f\"step 0: loss {", loss, ":.6f}\")");
        return;
    }
    python.line("print(f\"step {step}: loss {", loss, ":.6f}\")");
    python.line("if step == 0:  # the gradients before the first step");
    python.deeper();
    if (sentences.size() > 1) python.line("for s in sentences:");
    if (sentences.size() > 1) python.deeper();
    python.line("print(", sentences.size() > 1 ? "f\"sentence {s}:\", " : "", "\"grad_embeddings\", tuple(", at_x,
                ".shape))");
    python.line("print(", python.printed("\"grad_embeddings\"", at_x), ")");
    if (sentences.size() > 1) python.back();
    write_gradients_printing(python);
    python.back();
}

void write_gradients_printing(PythonText& python) {
    python.line("for name, numbers in gradients.items():");
    python.line("    print(name, tuple(numbers.shape))");
    python.line("    print(", python.printed("name", "numbers"), ")");
}

void write_last_gradients(PythonText& python, const PlaygroundState& state) {
    const View& view = state.view;
    if (!is_at_learned(view.stage)) return write_gradients_printing(python);
    python.line("for name, numbers in gradients.items():");
    python.line("    print(name, tuple(numbers.shape), \"<- on the screen\" if name == \"", tensor_name(view.stage),
                "\" else \"\")");
    python.line("    print(", python.printed("name", "numbers"), ")");
    if (view.cell) write_pinned(python, state, "gradients");
}

}  // namespace attn
