#include "model/words/word_cuts.h"

#include <utility>

#include "core/ground/check.h"

namespace attn {
namespace {

Pattern known(std::string_view expression) {
    Result<Pattern> pattern = Pattern::read(expression);
    ATTN_CHECK(static_cast<bool>(pattern), expression);
    return std::move(*pattern);
}

// A stretch of the text, from the end of the one before.
struct Stretch {
    std::size_t end = 0;
    bool is_match = false;
};

std::vector<Stretch> stretches_of(const Text& text, const Pattern& pattern, bool is_inverted) {
    std::vector<Stretch> stretches;
    std::size_t at = 0;
    const auto end_at = [&](std::size_t end, bool is_match) {
        if (end > at) stretches.push_back({.end = end, .is_match = is_match != is_inverted});
        at = end;
    };
    for (const Pattern::Match& match : pattern.matches(text)) {
        end_at(match.begin, false);
        end_at(match.end, true);
    }
    end_at(text.size(), false);
    return stretches;
}

// Whether the two are one word.
bool are_one(const Stretch& before, const Stretch& next, CutBehavior behavior) {
    switch (behavior) {
        case CutBehavior::with_before:
            return next.is_match && !before.is_match;
        case CutBehavior::with_next:
            return before.is_match && !next.is_match;
        case CutBehavior::contiguous:
            return before.is_match == next.is_match;
        case CutBehavior::removed:
        case CutBehavior::isolated:
            return false;
    }
    return false;
}

}  // namespace

std::vector<Text> cut(const Text& text, const Pattern& pattern, CutBehavior behavior, bool is_inverted) {
    std::vector<Text> words;
    const std::vector<Stretch> stretches = stretches_of(text, pattern, is_inverted);
    auto at = text.begin();
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(stretches[i].end);
        const bool goes_on = i > 0 && are_one(stretches[i - 1], stretches[i], behavior);
        if (goes_on)
            words.back().insert(words.back().end(), at, end);
        else if (behavior != CutBehavior::removed || !stretches[i].is_match)
            words.emplace_back(at, end);
        at = end;
    }
    return words;
}

const Pattern& gpt2_words() {
    static const Pattern pattern =
        known(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
    return pattern;
}

const Pattern& numbers() {
    static const Pattern pattern = known(R"(\p{N})");
    return pattern;
}

const Pattern& white_space() {
    static const Pattern pattern = known(R"(\s)");
    return pattern;
}

const Pattern& whole_words() {
    static const Pattern pattern = known(R"(\w+|[^\w\s]+)");
    return pattern;
}

const Pattern& punctuation() {
    static const Pattern pattern = known(R"([\p{P}!-/:-@\[-`{-~])");
    return pattern;
}

}  // namespace attn
