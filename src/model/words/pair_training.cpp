// Pairs are counted once; a merge changes the counts of what it touches alone.
#include "model/words/pair_training.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>

#include "core/ground/check.h"
#include "model/words/word_cuts.h"

namespace attn {
namespace {

using Pair = std::pair<int, int>;

struct CountedWord {
    std::vector<int> ids;
    std::int64_t count = 0;
};

// A pair as it stood when it was put on the heap; it may stand less often now.
struct Candidate {
    std::int64_t count = 0;
    Pair pair;
    bool operator<(const Candidate& other) const {  // the heap's top is the largest
        return count != other.count ? count < other.count : pair > other.pair;
    }
};

class PairMerger {
public:
    explicit PairMerger(std::vector<CountedWord> words) : words_(std::move(words)) {
        std::set<Pair> all;
        for (std::size_t word = 0; word < words_.size(); ++word) count_pairs(word, 1, all);
        for (const Pair& pair : all) heap_.push({.count = counts_[key(pair)], .pair = pair});
    }

    // The pair that stands most often, and how often; a count of 0 where there is none.
    Candidate best() {
        while (!heap_.empty()) {
            Candidate top = heap_.top();
            heap_.pop();
            const std::int64_t now = counts_[key(top.pair)];
            if (now == top.count) return top;
            if (now > 0) heap_.push({.count = now, .pair = top.pair});
        }
        return {};
    }

    // Puts the token `made` in the place of the pair, from left to right in each word.
    void merge(Pair pair, int made) {
        std::set<Pair> changed;
        std::vector<std::size_t> places = std::move(where_[key(pair)]);
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
        for (const std::size_t word : places) {
            std::vector<int>& ids = words_[word].ids;
            std::set<Pair> before;
            count_pairs(word, -1, before);
            if (before.contains(pair)) {
                std::size_t kept = 0;
                for (std::size_t at = 0; at < ids.size(); ++at) {
                    const bool is_pair = at + 1 < ids.size() && Pair(ids[at], ids[at + 1]) == pair;
                    ids[kept++] = is_pair ? made : ids[at];
                    if (is_pair) ++at;
                }
                ids.resize(kept);
            }
            count_pairs(word, 1, changed);
        }
        for (const Pair& one : changed) heap_.push({.count = counts_[key(one)], .pair = one});
    }

private:
    static std::uint64_t key(Pair pair) {
        return static_cast<std::uint64_t>(pair.first) << 32 | static_cast<std::uint32_t>(pair.second);
    }
    // Adds the word's pairs to the counts, or takes them away (`sign` -1), and notes which these are.
    void count_pairs(std::size_t word, int sign, std::set<Pair>& seen) {
        const CountedWord& one = words_[word];
        for (std::size_t at = 0; at + 1 < one.ids.size(); ++at) {
            const Pair pair = {one.ids[at], one.ids[at + 1]};
            counts_[key(pair)] += sign * one.count;
            if (sign > 0) where_[key(pair)].push_back(word);
            seen.insert(pair);
        }
    }

    std::vector<CountedWord> words_;
    std::unordered_map<std::uint64_t, std::int64_t> counts_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> where_;  // words that have, or had, the pair
    std::priority_queue<Candidate> heap_;
};

bool is_plain_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Where a part of the text ends that is cut into words by itself: a long one before a blank between two letters, where
// each way of cutting begins a word.
std::size_t part_end(std::string_view text) {
    constexpr std::size_t kLongPart = 1 << 16;  // bytes: characters take some twenty times as much
    for (std::size_t at = kLongPart; at + 1 < text.size(); ++at)
        if (text[at] == ' ' && is_plain_letter(text[at - 1]) && is_plain_letter(text[at + 1])) return at;
    return text.size();
}

}  // namespace

void PairTraining::add(std::string_view text) {
    while (!text.empty()) {
        const std::string_view part = text.substr(0, part_end(text));
        const std::vector<unicode::Character> characters = unicode::characters_of(part);
        for (const Text& word : cut(characters, gpt2_words(), CutBehavior::isolated))
            count(part.substr(word.front().begin, word.back().end - word.front().begin));
        text.remove_prefix(part.size());
    }
}

void PairTraining::count(std::string_view word) {
    const auto found = counts_.find(word);
    if (found == counts_.end())
        counts_.emplace(word, 1);
    else
        ++found->second;
    ++num_words_;
}

LearnedPairs PairTraining::learn(int num_tokens) const {
    ATTN_CHECK(num_tokens >= 256, num_tokens, " tokens are fewer than there are bytes");
    LearnedPairs learned;
    for (int byte = 0; byte < 256; ++byte) learned.tokens.emplace_back(1, static_cast<char>(byte));
    std::vector<CountedWord> words;
    for (const auto& [bytes, count] : counts_) {
        words.push_back({.ids = {}, .count = count});
        for (const char byte : bytes) words.back().ids.push_back(static_cast<std::uint8_t>(byte));
    }
    PairMerger merger(std::move(words));
    while (static_cast<int>(learned.tokens.size()) < num_tokens) {
        const Candidate best = merger.best();
        if (best.count < 2) break;
        const auto made = static_cast<int>(learned.tokens.size());
        learned.tokens.push_back(learned.tokens[static_cast<std::size_t>(best.pair.first)] +
                                 learned.tokens[static_cast<std::size_t>(best.pair.second)]);
        learned.merges.push_back(best.pair);
        merger.merge(best.pair, made);
    }
    return learned;
}

}  // namespace attn
