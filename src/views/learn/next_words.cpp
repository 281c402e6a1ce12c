// The softmax of each position's logits, and its loss, in double from the floats that are shown.
#include "views/learn/next_words.h"

#include <algorithm>
#include <cmath>

#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

// The probabilities, and the loss if `wanted` follows. The loss is that of the logits: a probability may be too small
// for a double.
double put_probabilities(const Vector& logits, std::optional<int> wanted, std::vector<double>& numbers) {
    numbers.assign(logits.begin(), logits.end());
    const double largest = *std::ranges::max_element(numbers);
    const double below = wanted ? largest - numbers[static_cast<std::size_t>(*wanted)] : 0;
    double sum = 0;
    for (double& number : numbers) sum += number = portable::exp(number - largest);
    for (double& number : numbers) number /= sum;
    return wanted ? portable::log(sum) + below : 0;
}

// Sentences in which a word follows another.
int num_sentences_with_terms(const std::vector<AttentionProblem>& sentences) {
    return static_cast<int>(std::ranges::count_if(sentences, [](const AttentionProblem& sentence) {
        return std::ranges::any_of(sentence.goal.next, [](int next) { return next >= 0; });
    }));
}

}  // namespace

NextWords next_words(const Evaluation& evaluation) {
    const Goal& goal = evaluation.problem->goal;
    ATTN_CHECK(goal.kind == GoalKind::next && evaluation.run != nullptr, "the goal is not the next word");
    NextWords words{.vocabulary = evaluation.run->words(),
                    .num_positions = evaluation.num_tokens(),
                    .num_sentences = num_sentences_with_terms(evaluation.run->training().sentences())};
    const TensorId source = softmax_source_of_words(layer_parts(*evaluation.problem));
    double sum = 0;
    int num_terms = 0;
    for (int i = 0; i < evaluation.num_tokens(); ++i) {
        NextWord word{.position = i, .token = evaluation.tokens.tokens[static_cast<std::size_t>(i)].text};
        const int wanted = goal.next[static_cast<std::size_t>(i)];
        if (wanted >= 0) word.wanted = wanted;
        const Vector logits = stage_row(*evaluation.problem, evaluation.trace, source, 0, i);
        word.loss = put_probabilities(logits, word.wanted, word.probabilities);
        sum += word.loss;
        num_terms += wanted >= 0 ? 1 : 0;
        if ((words.positions.size() + 1) * words.vocabulary.size() <= kMostNextCells || words.positions.empty())
            words.positions.push_back(std::move(word));
    }
    words.mean_loss = num_terms > 0 ? sum / num_terms : 0;
    return words;
}

std::string mean_in_words(const NextWords& words, double loss) {
    const std::string mean = shown_number(words.mean_loss);
    const std::string trained = shown_number(loss);
    std::string text = concat("Their mean is the loss: ", mean, ".");
    if (words.num_sentences > 1) {
        text = concat("The mean loss of this sentence is ", mean, ", that of all positions of all ",
                      words.num_sentences, " sentences ", trained, ": the loss.");
    } else if (mean != trained) {
        text = concat("Their mean is the loss: ", mean, " worked out in doubles, ", trained,
                      " in the floats of training.");
    }
    const int num_shown = static_cast<int>(words.positions.size());
    if (num_shown < words.num_positions) {
        text += concat(" The first ", with_thousands(num_shown), " of ", with_thousands(words.num_positions),
                       " positions are listed.");
    }
    return text;
}

}  // namespace attn
