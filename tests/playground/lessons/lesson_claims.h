// What the lessons' texts claim of numbers, and the numbers they claim it of: each claim is computed from the link of
// its step, so that a text cannot drift from its picture. lesson_claims_test.cpp holds the texts to it.
#pragma once

#include <catch_amalgamated.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/stages.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn::test {

using Numbers = std::vector<double>;

// The stages that claims name, short enough for a line of a table.
inline constexpr TensorId kX = TensorId::embeddings;
inline constexpr TensorId kScores = TensorId::scores;
inline constexpr TensorId kScaled = TensorId::scaled_scores;
inline constexpr TensorId kWeights = TensorId::weights;
inline constexpr TensorId kContext = TensorId::context;
inline constexpr TensorId kMerged = TensorId::merged;
inline constexpr TensorId kOutput = TensorId::output;
inline constexpr TensorId kDropped = TensorId::dropped_weights;
inline constexpr TensorId kQ = TensorId::queries;
inline constexpr TensorId kK = TensorId::keys;
inline constexpr TensorId kV = TensorId::values;
inline constexpr TensorId kGradWeights = TensorId::grad_weights;
inline constexpr TensorId kGradMasked = TensorId::grad_masked_scores;
inline constexpr TensorId kGradScores = TensorId::grad_scores;
inline constexpr TensorId kGradQ = TensorId::grad_queries;
inline constexpr TensorId kGradK = TensorId::grad_keys;
inline constexpr TensorId kGradV = TensorId::grad_values;
inline constexpr TensorId kGradX = TensorId::grad_embeddings;

// A step as it opens, with all its numbers.
class Seen {
public:
    explicit Seen(std::string link);

    // The same with other keys laid over it: "scale=none&heads=1". Or another step of the lesson: "step=4&gain=1".
    Seen with(std::string_view keys) const;

    const PlaygroundState& state() const { return state_; }
    const Evaluation& evaluation() const { return evaluator_.shown(); }
    const Evaluator& evaluator() const { return evaluator_; }
    const std::string& link() const { return link_; }

    // Heads from 1, tokens and channels from 0, as links have them.
    Matrix matrix(TensorId stage, int head = 1) const;
    double at(TensorId stage, int row, int column, int head = 1) const;
    Numbers row(TensorId stage, int row, int head = 1) const;
    // Of each row: the largest number, the sum. Hidden keys do not count.
    Numbers largest(TensorId stage, int head = 1) const;
    Numbers sums(TensorId stage, int head = 1) const;
    // Of a step with a goal: after its steps of training, and what that is above what no weights can go below.
    double loss() const;
    double above_bound() const;
    // A learned matrix, as edited and trained.
    const Matrix& learned(TensorId tensor) const;

private:
    std::string link_;
    PlaygroundState state_;
    Evaluator evaluator_;
};

double length_of(const Numbers& vector);
double dot_of(const Numbers& a, const Numbers& b);
double degrees_between(const Numbers& a, const Numbers& b);
double largest_of(const Numbers& numbers);
double smallest_of(const Numbers& numbers);
int place_of_largest(const Numbers& numbers);
int place_of_smallest(const Numbers& numbers);
Numbers all_of(const Matrix& matrix);  // that are finite

struct Claim {
    std::string_view lesson;
    int step;                // from 1
    std::string_view words;  // of the step's title or text; each number in them is, in order, one of `numbers`
    // What the words claim. Claims that are no number are checked on the way.
    Numbers (*numbers)(const Seen& step);
};

std::vector<Claim> claims_of_one_head();       // no-weights, trainable
std::vector<Claim> claims_of_softmax();        // why-softmax, dictionary
std::vector<Claim> claims_of_order();          // dog-bites-man, masks
std::vector<Claim> claims_inside_one_head();   // scaling, causal, dropout
std::vector<Claim> claims_of_several_heads();  // heads, stacked, cost, sentences
std::vector<Claim> claims_of_the_split();      // split, batch
std::vector<Claim> claims_of_the_cache();      // twice, cache
std::vector<Claim> claims_of_saving();         // groups, latent
std::vector<Claim> claims_of_positions();      // turning, fainter
std::vector<Claim> claims_of_ideas();          // linear, shares, one-row
std::vector<Claim> claims_of_learning();       // one-step, way-back, saturated
std::vector<Claim> claims_of_targets();        // readings, head-dim
std::vector<Claim> claims_of_a_model();        // learned, votes, off, copying, layers, bertviz
std::vector<Claim> claims_of_a_block();        // block
std::vector<Claim> claims_of_the_next_word();  // next-word
std::vector<Claim> claims_of_the_stream();     // stream-sum
std::vector<Claim> claims_of_the_depths();     // depths
std::vector<Claim> claims_of_patching();       // patching
std::vector<Claim> claims_of_a_circuit();      // circuit
std::vector<Claim> claims_of_own_words();      // byte-pairs, own-sentence
std::vector<Claim> claims_of_exercises();      // the last steps of the other lessons, which ask for a number

}  // namespace attn::test
