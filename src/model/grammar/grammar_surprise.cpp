// A filter: which templates, begun where, could have made the text so far, and how likely each is.
#include <algorithm>
#include <limits>

#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/grammar/grammar.h"

namespace attn {
namespace {

// A sentence that may be under way: its first token's place in the text.
struct Guess {
    const SentenceTemplate* from;
    std::size_t begin;
    double share;
};

}  // namespace

std::vector<double> Grammar::surprise(std::span<const int> text) const {
    std::vector<double> surprises;
    std::vector<Guess> guesses, next;
    double begins = 1;  // the share of guesses whose sentence is over
    const auto probability = [&](const Guess& guess, std::size_t at) {
        const std::vector<GrammarSlot>& slots = guess.from->slots;
        const auto word_of = [&](int number) {  // that is kept: where it was drawn
            for (std::size_t k = 0; k < at - guess.begin; ++k) {
                if (slots[k].kind == GrammarSlot::Kind::draw && slots[k].number == number) return text[guess.begin + k];
            }
            return -1;
        };
        const GrammarSlot& slot = slots[at - guess.begin];
        if (slot.kind == GrammarSlot::Kind::word) return text[at] == slot.word ? 1.0 : 0.0;
        if (slot.kind == GrammarSlot::Kind::repeat) return text[at] == word_of(slot.number) ? 1.0 : 0.0;
        const std::vector<int>& words = classes_[static_cast<std::size_t>(slot.word_class)].words;
        std::vector<int> others;
        for (const int number : slot.unlike) {
            const int other = word_of(number);
            if (other == text[at]) return 0.0;
            const bool is_in_class = std::find(words.begin(), words.end(), other) != words.end();
            if (is_in_class && std::find(others.begin(), others.end(), other) == others.end()) others.push_back(other);
        }
        if (std::find(words.begin(), words.end(), text[at]) == words.end()) return 0.0;
        return 1.0 / static_cast<double>(words.size() - others.size());
    };
    for (std::size_t at = 1; at < text.size(); ++at) {
        for (const SentenceTemplate& one : templates_) {
            if (begins > 0 && !one.is_held_out) guesses.push_back({&one, at, begins * one.share});
        }
        next.clear();
        begins = 0;
        double sum = 0;
        for (const Guess& guess : guesses) {
            const double share = guess.share * probability(guess, at);
            if (share == 0) continue;
            sum += share;
            if (at - guess.begin + 1 == guess.from->slots.size()) {
                begins += share;
            } else {
                next.push_back({guess.from, guess.begin, share});
            }
        }
        surprises.push_back(sum > 0 ? -portable::log(sum) : std::numeric_limits<double>::infinity());
        if (sum == 0) break;
        for (Guess& guess : next) guess.share /= sum;
        begins /= sum;
        guesses.swap(next);
    }
    surprises.resize(text.empty() ? 0 : text.size() - 1, std::numeric_limits<double>::infinity());
    return surprises;
}

}  // namespace attn
