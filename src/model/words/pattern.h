// Regular expressions as tokenizers' files have them: what a text is cut by, or what is replaced in it. They mean what
// they mean in the Rust library that models are trained with (Oniguruma's syntax for Ruby): classes by Unicode,
// alternatives in their order, the longest repetition first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"
#include "model/words/unicode.h"

namespace attn {

// A set of characters: "[^\s\p{L}]".
struct CharacterSet {
    bool is_negated = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges = {};  // first and last
    unicode::Categories categories = 0;
    bool has_white_space = false, has_words = false;  // \s, \w
    bool ignores_case = false;
    std::vector<CharacterSet> sets = {};  // and what is in one of these

    bool contains(std::uint32_t code) const;

private:
    bool lists(std::uint32_t code) const;
};

class Pattern {
public:
    // A match is the characters [begin, end) of the text; never empty.
    struct Match {
        std::size_t begin = 0, end = 0;
        bool operator==(const Match&) const = default;
    };
    static constexpr std::size_t kMostSteps = 1024;  // of a program
    static constexpr std::size_t kMostDepth = 32;    // of groups

    // Fails with a sentence that quotes the expression where it has what this program does not do: references,
    // boundaries of words, looking back, looking ahead at more than one character.
    static Result<Pattern> read(std::string_view expression);
    // What matches this text alone.
    static Pattern of_text(std::string_view text);
    static Pattern of_set(CharacterSet set);

    // All matches, from left to right, none within another. Time: at most the size of the text times that of the
    // expression, whatever both are.
    std::vector<Match> matches(std::span<const unicode::Character> text) const;

private:
    friend class PatternReader;
    friend class PatternRun;
    enum class Step : std::uint8_t {
        one,        // a character of the set
        split,      // goes on at `next`, and where that fails at `other`
        jump,       // goes on at `next`
        ahead,      // the next character is of the set
        not_ahead,  // it is not, or there is none
        at_begin,   // nothing stands before
        at_end,     // or behind
        match
    };
    struct Instruction {
        Step step = Step::match;
        std::size_t set = 0;
        std::size_t next = 0, other = 0;
    };
    struct Set {
        CharacterSet set;
        std::array<bool, 128> ascii = {};
        bool contains(std::uint32_t code) const { return code < 128 ? ascii[code] : set.contains(code); }
    };

    std::size_t add_set(CharacterSet set);
    void add_one(CharacterSet set) { program_.push_back({.step = Step::one, .set = add_set(std::move(set))}); }

    std::vector<Instruction> program_;
    std::vector<Set> sets_;
};

}  // namespace attn
