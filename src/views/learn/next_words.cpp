// Logits, their softmax, and the loss of each position, in double from the floats that are shown.
#include "views/learn/next_words.h"

#include <algorithm>
#include <cmath>

#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/words/embeddings.h"
#include "core/words/tokens.h"
#include "playground/numbers/sentence_embeddings.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

struct Batch {
    std::vector<std::string> vocabulary;
    int place = 0;  // of the sentence among those that have tokens
    int count = 0;  // that have two tokens and more
};

Batch batch_of(const Inputs& inputs, int sentence) {
    Batch batch;
    std::vector<std::string> all;
    for (int s = 0; s < static_cast<int>(inputs.texts.size()); ++s) {
        const std::vector<std::string> tokens =
            texts_of(tokenize(inputs.texts[static_cast<std::size_t>(s)], inputs.tokens));
        if (s < sentence && !tokens.empty()) ++batch.place;
        if (tokens.size() > 1) ++batch.count;
        all.insert(all.end(), tokens.begin(), tokens.end());
    }
    batch.vocabulary = vocabulary_of(all);
    return batch;
}

// The probabilities, and the loss if `wanted` follows. The loss is that of the logits: a probability may be too small
// for a double.
double put_probabilities(std::span<const float> output, const Matrix& vocabulary, std::optional<int> wanted,
                         std::vector<double>& numbers) {
    numbers.assign(vocabulary.shape(0), 0);
    for (std::size_t v = 0; v < numbers.size(); ++v) {
        for (std::size_t c = 0; c < output.size(); ++c)
            numbers[v] += static_cast<double>(output[c]) * static_cast<double>(vocabulary(v, c));
    }
    const double largest = *std::ranges::max_element(numbers);
    const double below = wanted ? largest - numbers[static_cast<std::size_t>(*wanted)] : 0;
    double sum = 0;
    for (double& number : numbers) sum += number = portable::exp(number - largest);
    for (double& number : numbers) number /= sum;
    return wanted ? portable::log(sum) + below : 0;
}

}  // namespace

NextWords next_words(const Inputs& inputs, int sentence, const Evaluation& evaluation) {
    ATTN_CHECK(inputs.goal == GoalKind::next && evaluation.run != nullptr, "the goal is not the next word");
    const Batch batch = batch_of(inputs, sentence);
    const Goal& goal = evaluation.run->training().goals()[static_cast<std::size_t>(batch.place)];
    const AttentionProblem& problem = *evaluation.problem;
    const bool has_projection = problem.projections.w_out.size() != 0;
    const Matrix output =
        stage_matrix(problem, evaluation.trace, has_projection ? TensorId::output : TensorId::merged, 0);
    NextWords words{
        .vocabulary = batch.vocabulary, .num_positions = evaluation.num_tokens(), .num_sentences = batch.count};
    double sum = 0;
    int num_terms = 0;
    for (int i = 0; i < evaluation.num_tokens(); ++i) {
        NextWord word{.position = i, .token = evaluation.tokens.tokens[static_cast<std::size_t>(i)].text};
        const int wanted = goal.next[static_cast<std::size_t>(i)];
        if (wanted >= 0) word.wanted = wanted;
        word.loss = put_probabilities(row_of(output, i), goal.vocabulary, word.wanted, word.probabilities);
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
