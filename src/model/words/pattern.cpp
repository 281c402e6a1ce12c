// What has failed once at a place of the text fails there again, wherever the match began: nothing is tried twice.
#include "model/words/pattern.h"

#include <algorithm>

namespace attn {

using unicode::Character;

bool CharacterSet::lists(std::uint32_t code) const {
    const auto has = [&](const auto& range) { return code >= range.first && code <= range.second; };
    return std::ranges::any_of(ranges, has) || (categories != 0 && unicode::is_any_of(categories, code)) ||
           (has_white_space && unicode::is_white_space(code)) || (has_words && unicode::is_of_word(code)) ||
           std::ranges::any_of(sets, [&](const CharacterSet& set) { return set.contains(code); });
}

// Without a case a letter is each one that has the same small letter; a long s, which has none, is an s.
bool CharacterSet::contains(std::uint32_t code) const {
    bool is_listed = lists(code);
    if (ignores_case && !is_listed) {
        constexpr std::uint32_t kLongS = 0x17f, kKelvin = 0x212a;
        const std::vector<std::uint32_t> small = unicode::lower_case_of(code == kLongS ? 's' : code);
        is_listed = small.size() == 1 && lists(small.front());
        for (std::uint32_t capital = 'A'; capital <= 'Z' && !is_listed; ++capital)
            is_listed = small.size() == 1 && small.front() == capital + 32 && lists(capital);
        is_listed = is_listed || (code == 's' && lists(kLongS)) || (code == 'k' && lists(kKelvin));
    }
    return is_listed != is_negated;
}

std::size_t Pattern::add_set(CharacterSet set) {
    Set made = {.set = std::move(set), .ascii = {}};
    for (std::uint32_t code = 0; code < made.ascii.size(); ++code) made.ascii[code] = made.set.contains(code);
    sets_.push_back(std::move(made));
    return sets_.size() - 1;
}

Pattern Pattern::of_text(std::string_view text) {
    Pattern pattern;
    for (const Character& one : unicode::characters_of(text)) pattern.add_one({.ranges = {{one.code, one.code}}});
    pattern.program_.push_back({});
    return pattern;
}

Pattern Pattern::of_set(CharacterSet set) {
    Pattern pattern;
    pattern.add_one(std::move(set));
    pattern.program_.push_back({});
    return pattern;
}

// One text.
class PatternRun {
public:
    PatternRun(const Pattern& pattern, std::span<const Character> text)
        : pattern_(pattern), text_(text), words_((pattern.program_.size() + 63) / 64) {
        tried_.assign(words_ * (text.size() + 1), 0);
    }

    // The end of the match that begins at `begin`; `begin` itself where there is none.
    std::size_t end_of(std::size_t begin) {
        const auto program = std::span(pattern_.program_);
        waiting_.assign(1, {0, begin});
        while (!waiting_.empty()) {
            auto [at, place] = waiting_.back();
            waiting_.pop_back();
            while (is_first_try(at, place)) {
                const Pattern::Instruction& now = program[at];
                if (now.step == Pattern::Step::match) {
                    forget(place);
                    return place;
                }
                if (now.step == Pattern::Step::split) waiting_.emplace_back(now.other, place);
                if (!take(now, at, place)) break;
            }
        }
        return begin;
    }

private:
    bool is_first_try(std::size_t at, std::size_t place) {
        std::uint64_t& word = tried_[place * words_ + at / 64];
        const std::uint64_t bit = std::uint64_t{1} << at % 64;
        const bool is_first = (word & bit) == 0;
        word |= bit;
        return is_first;
    }

    // The next match begins where this one ended: what was passed there has not failed.
    void forget(std::size_t place) {
        const auto first = tried_.begin() + static_cast<std::ptrdiff_t>(place * words_);
        std::fill(first, first + static_cast<std::ptrdiff_t>(words_), 0);
    }

    bool is_in(const Pattern::Instruction& now, std::size_t place) const {
        return place < text_.size() && pattern_.sets_[now.set].contains(text_[place].code);
    }

    // Goes on by one instruction; false where it fails.
    bool take(const Pattern::Instruction& now, std::size_t& at, std::size_t& place) const {
        using Step = Pattern::Step;
        if (now.step == Step::split || now.step == Step::jump) {
            at = now.next;
            return true;
        }
        ++at;
        switch (now.step) {
            case Step::one:
                return is_in(now, place++);
            case Step::ahead:
                return is_in(now, place);
            case Step::not_ahead:
                return !is_in(now, place);
            case Step::at_begin:
                return place == 0;
            case Step::at_end:
                return place == text_.size();
            default:
                return false;
        }
    }

    const Pattern& pattern_;
    std::span<const Character> text_;
    std::size_t words_;                 // of 64 instructions
    std::vector<std::uint64_t> tried_;  // a bit for each instruction at each place
    std::vector<std::pair<std::size_t, std::size_t>> waiting_;
};

std::vector<Pattern::Match> Pattern::matches(std::span<const Character> text) const {
    std::vector<Match> found;
    PatternRun run(*this, text);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = run.end_of(at);
        if (end > at) found.push_back({.begin = at, .end = end});
        at = std::max(end, at + 1);
    }
    return found;
}

}  // namespace attn
