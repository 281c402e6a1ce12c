// Logits of the last token, their softmax in double, and a tokenizer that has to agree.
#include "playground/cache/next_word.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/words/tokens.h"
#include "playground/numbers/keep_training.h"
#include "playground/numbers/recipe.h"

namespace attn {
namespace {

// The sentence with that token, and nothing else, after its tokens. Empty where no way to write it does that.
std::string sentence_with(const std::string& sentence, const std::vector<Token>& tokens, const std::string& word,
                          TokenKind kind) {
    for (const std::string_view between : {" ", ""}) {
        std::string longer = concat(sentence, between, word);
        if (longer.size() > kMaxTextBytes) return {};
        const std::vector<Token> cut = tokenize(longer, kind).tokens;
        const auto is_same = [](const Token& a, const Token& b) { return a.text == b.text; };
        if (cut.size() == tokens.size() + 1 && cut.back().text == word &&
            std::equal(tokens.begin(), tokens.end(), cut.begin(), is_same))
            return longer;
    }
    return {};
}

}  // namespace

std::optional<SaidWord> say_next_word(const Inputs& inputs, const Evaluation& evaluation, int shown) {
    if (inputs.goal != GoalKind::next || evaluation.is_empty() || evaluation.run == nullptr) return std::nullopt;
    const TensorId source = softmax_source_of_words(layer_parts(inputs));
    const Vector logits = stage_row(*evaluation.problem, evaluation.trace, source, 0, evaluation.num_tokens() - 1);
    const auto best = std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits) sum += portable::exp(static_cast<double>(logit) - static_cast<double>(*best));
    SaidWord said = {.word = evaluation.run->words()[static_cast<std::size_t>(best - logits.begin())],
                     .probability = 1 / sum,
                     .inputs = inputs};
    if (inputs.steps > 0) {
        std::optional<Inputs> kept = keep_training(inputs, *evaluation.run);
        if (!kept) return std::nullopt;
        said.inputs = std::move(*kept);
    }
    std::string& sentence = said.inputs.texts[static_cast<std::size_t>(shown)];
    sentence = sentence_with(sentence, evaluation.tokens.tokens, said.word, inputs.tokens);
    return sentence.empty() ? std::nullopt : std::optional(std::move(said));
}

}  // namespace attn
