// Each function writes one of the script's paragraphs, or a call in one.
#include "share/scripts/script_recipe.h"

#include "core/ground/check.h"

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

void write_word_vectors(PythonText& python, const Inputs& inputs, const std::vector<ScriptSentence>& sentences) {
    python.line();
    if (inputs.embed != EmbeddingKind::torch) write_vocabulary(python, sentences);
    switch (inputs.embed) {
        case EmbeddingKind::hash:
            python.line("word_vectors = torch.stack([hashed(word) for word in vocabulary])  # they do not learn");
            return;
        case EmbeddingKind::ngrams:
            python.line("word_vectors = torch.stack([embed(word) for word in vocabulary])  # they do not learn");
            return;
        case EmbeddingKind::torch:
            python.line("word_vectors = embedding.weight.detach().clone()  # they do not learn");
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
            python.line("word_vectors = torch.tensor([first[word] for word in vocabulary])  # they do not learn");
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

}  // namespace attn
