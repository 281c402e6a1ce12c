// The expression becomes a tree, the tree a program.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/words/pattern.h"

namespace attn {
namespace {

using unicode::Character;

constexpr std::size_t kNoEnd = std::numeric_limits<std::size_t>::max();

enum class Greed { greedy, lazy, possessive };

// A part of an expression.
struct Branch {
    enum class Kind { set, sequence, choice, repeat, ahead, not_ahead, at_begin, at_end };
    Kind kind = Kind::sequence;
    CharacterSet set = {};
    std::vector<Branch> parts = {};
    std::size_t least = 1, most = 1;
    Greed greed = Greed::greedy;
};

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
const Ranges kDigits = {{'0', '9'}};

CharacterSet negation_of(CharacterSet set) {
    set.is_negated = !set.is_negated;
    return set;
}

}  // namespace

// One reading; `problem` is what is wrong, after "which".
class PatternReader {
public:
    explicit PatternReader(std::string_view expression)
        : expression_(expression), text_(unicode::characters_of(expression)) {}

    Result<Pattern> read() {
        const Branch whole = read_choice(0, false);
        if (problem_.empty() && at_ < text_.size()) fail("has a parenthesis too many");
        if (problem_.empty()) emit(whole);
        if (problem_.empty() && pattern_.program_.size() >= Pattern::kMostSteps) fail("is too long");
        if (!problem_.empty())
            return Result<Pattern>::failure(concat("The expression ", attn::quoted(expression_), " ", problem_,
                                                   ": this program does not know it."));
        pattern_.program_.push_back({});
        return std::move(pattern_);
    }

private:
    void fail(std::string_view what) {
        if (problem_.empty()) problem_ = what;
        at_ = text_.size();
    }
    bool is_over() const { return at_ >= text_.size(); }
    std::uint32_t now() const { return is_over() ? 0 : text_[at_].code; }
    bool is_at(std::string_view ascii) const {
        if (text_.size() - std::min(at_, text_.size()) < ascii.size()) return false;
        for (std::size_t i = 0; i < ascii.size(); ++i)
            if (text_[at_ + i].code != static_cast<unsigned char>(ascii[i])) return false;
        return true;
    }
    bool take(std::string_view ascii) {
        if (is_over() || !is_at(ascii)) return false;
        at_ += ascii.size();
        return true;
    }

    Branch read_choice(std::size_t depth, bool ignores_case) {
        Branch choice = {.kind = Branch::Kind::choice};
        do {
            choice.parts.push_back(read_sequence(depth, ignores_case));
        } while (take("|"));
        return choice;
    }

    Branch read_sequence(std::size_t depth, bool ignores_case) {
        Branch sequence = {.kind = Branch::Kind::sequence};
        while (!is_over() && now() != '|' && now() != ')')
            sequence.parts.push_back(read_repeat(read_atom(depth, ignores_case)));
        return sequence;
    }

    // `{` begins a number of times only where one stands there: else it is a letter like others.
    std::optional<std::pair<std::size_t, std::size_t>> read_times() {
        const std::size_t before = at_;
        if (take("?")) return std::pair<std::size_t, std::size_t>(0, 1);
        if (take("*")) return std::pair<std::size_t, std::size_t>(0, kNoEnd);
        if (take("+")) return std::pair<std::size_t, std::size_t>(1, kNoEnd);
        if (!take("{")) return std::nullopt;
        const std::optional<std::size_t> least = read_number();
        std::optional<std::size_t> most = least;
        if (least && take(",")) most = now() == '}' ? kNoEnd : read_number();
        if (!most || !take("}")) {
            at_ = before;
            return std::nullopt;
        }
        return std::pair(*least, *most);
    }

    std::optional<std::size_t> read_number() {
        std::optional<std::size_t> number;
        while (now() >= '0' && now() <= '9' && number.value_or(0) < Pattern::kMostSteps)
            number = number.value_or(0) * 10 + (text_[at_++].code - '0');
        return number;
    }

    Branch read_repeat(Branch atom) {
        while (const auto times = read_times()) {
            Branch repeat = {.kind = Branch::Kind::repeat};
            std::tie(repeat.least, repeat.most) = *times;
            repeat.greed = take("?") ? Greed::lazy : take("+") ? Greed::possessive : Greed::greedy;
            if (repeat.greed == Greed::possessive && atom.kind != Branch::Kind::set)
                fail("repeats a group without giving back");
            if (repeat.most < repeat.least) fail("repeats fewer times at most than at least");
            repeat.parts.push_back(std::move(atom));
            atom = std::move(repeat);
        }
        return atom;
    }

    Branch read_atom(std::size_t depth, bool ignores_case) {
        if (take("(")) return read_group(depth, ignores_case);
        if (now() == '*' || now() == '+' || now() == '?') fail("repeats nothing");
        if (take("^") || take("\\A")) return {.kind = Branch::Kind::at_begin};
        if (take("$") || take("\\z")) return {.kind = Branch::Kind::at_end};
        Branch atom = {.kind = Branch::Kind::set};
        atom.set = take("[")   ? read_set(depth)
                   : take(".") ? CharacterSet{.is_negated = true, .ranges = {{'\n', '\n'}}}
                               : read_character();
        atom.set.ignores_case = ignores_case;
        return atom;
    }

    Branch read_group(std::size_t depth, bool ignores_case) {
        if (depth == Pattern::kMostDepth) fail("has groups too deep in groups");
        Branch group;
        const bool is_ahead = take("?="), is_not_ahead = !is_ahead && take("?!");
        if (take("?i:")) {
            group = read_choice(depth + 1, true);
        } else if (take("?:") || is_ahead || is_not_ahead || now() != '?') {
            group = read_choice(depth + 1, ignores_case);
        } else {
            fail("has a group of a kind");
        }
        if (!take(")")) fail("has a group without an end");
        if (!is_ahead && !is_not_ahead) return group;
        const bool is_one = group.parts.size() == 1 && group.parts[0].parts.size() == 1 &&
                            group.parts[0].parts[0].kind == Branch::Kind::set;
        if (!is_one) fail("looks ahead at more than one character");
        if (!problem_.empty()) return {};
        return {.kind = is_ahead ? Branch::Kind::ahead : Branch::Kind::not_ahead,
                .set = std::move(group.parts[0].parts[0].set)};
    }

    // After '[': a set within another one counts with it.
    CharacterSet read_set(std::size_t depth) {
        CharacterSet set = {.is_negated = take("^")};
        if (depth == Pattern::kMostDepth) fail("has sets too deep in sets");
        for (bool is_first = true; !is_over() && (is_first || now() != ']'); is_first = false) {
            if (is_at("&&")) fail("has an intersection of sets");
            if (is_at("[:")) fail("has a set with a name in colons");
            if (take("[")) {
                set.sets.push_back(read_set(depth + 1));
                continue;
            }
            CharacterSet one = read_character();
            const bool is_letter =
                one.ranges.size() == 1 && one.ranges[0].first == one.ranges[0].second && !one.is_negated;
            const bool is_range = is_letter && now() == '-' && at_ + 1 < text_.size() && text_[at_ + 1].code != ']';
            if (!is_range) {
                set.sets.push_back(std::move(one));
                continue;
            }
            ++at_;
            const CharacterSet last = read_character();
            const bool has_last = last.ranges.size() == 1 && !last.is_negated;
            if (!has_last || last.ranges[0].first < one.ranges[0].first)
                fail("has a range of characters without an end");
            else
                set.ranges.emplace_back(one.ranges[0].first, last.ranges[0].first);
        }
        if (!take("]")) fail("has a set without an end");
        return set;
    }

    // One character, or what stands for several after a backslash.
    CharacterSet read_character() {
        if (is_over()) {
            fail("ends too early");
            return {};
        }
        const std::uint32_t code = text_[at_++].code;
        if (code != '\\') return {.ranges = {{code, code}}};
        return read_escaped();
    }

    CharacterSet read_escaped() {
        if (is_over()) {
            fail("ends with a backslash");
            return {};
        }
        const std::uint32_t code = text_[at_++].code;
        const auto letter = [](std::uint32_t one) { return CharacterSet{.ranges = {{one, one}}}; };
        switch (code) {
            case 'n':
                return letter('\n');
            case 'r':
                return letter('\r');
            case 't':
                return letter('\t');
            case 'f':
                return letter('\f');
            case 'v':
                return letter('\v');
            case 's':
                return {.has_white_space = true};
            case 'S':
                return {.is_negated = true, .has_white_space = true};
            case 'w':
                return {.has_words = true};
            case 'W':
                return {.is_negated = true, .has_words = true};
            case 'd':
                return {.categories = unicode::categories_named("Nd")};
            case 'D':
                return {.is_negated = true, .categories = unicode::categories_named("Nd")};
            case 'p':
                return read_categories();
            case 'P':
                return negation_of(read_categories());
            case 'x':
                return read_hexadecimal(2);
            case 'u':
                return read_hexadecimal(4);
            default:
                break;
        }
        const bool is_sign = code < 128 && !(code >= '0' && code <= '9') && !(code >= 'a' && code <= 'z') &&
                             !(code >= 'A' && code <= 'Z');
        if (!is_sign && code < 128) fail("has a backslash before a letter or digit");
        return letter(code);
    }

    // \p{L}, \p{^L}, \pL
    CharacterSet read_categories() {
        std::string name;
        const bool has_braces = take("{");
        const bool is_negated = has_braces && take("^");
        while (!is_over() && now() != '}' && now() < 128 && (has_braces || name.empty()))
            name += static_cast<char>(text_[at_++].code);
        if (has_braces && !take("}")) fail("has a name of characters without an end");
        const CharacterSet set = {.is_negated = is_negated, .categories = unicode::categories_named(name)};
        if (set.categories == 0) fail("names characters by something other than their general category");
        return set;
    }

    // \x41, \x{1F600},
    CharacterSet read_hexadecimal(std::size_t num_digits) {
        const bool has_braces = take("{");
        std::uint32_t code = 0;
        std::size_t count = 0;
        for (; !is_over() && count < (has_braces ? 6 : num_digits); ++count, ++at_) {
            const std::uint32_t digit = now();
            const bool is_digit = digit >= '0' && digit <= '9';
            const std::uint32_t small = digit | 0x20U;
            if (!is_digit && !(small >= 'a' && small <= 'f')) break;
            code = code * 16 + (is_digit ? digit - '0' : small - 'a' + 10);
        }
        const bool is_whole = has_braces ? count > 0 && take("}") : count == num_digits;
        if (!is_whole || code > 0x10ffff) fail("has a number of a character that is none");
        return {.ranges = {{code, code}}};
    }

    // --- the program ---

    std::size_t size() const { return pattern_.program_.size(); }
    std::size_t add(Pattern::Step step, const CharacterSet& set = {}) {
        if (size() >= Pattern::kMostSteps) {
            fail("is too long");
            return 0;
        }
        const bool has_set =
            step == Pattern::Step::one || step == Pattern::Step::ahead || step == Pattern::Step::not_ahead;
        pattern_.program_.push_back({.step = step, .set = has_set ? pattern_.add_set(set) : 0});
        return size() - 1;
    }

    void emit(const Branch& branch) {
        if (!problem_.empty()) return;
        switch (branch.kind) {
            case Branch::Kind::set:
                add(Pattern::Step::one, branch.set);
                return;
            case Branch::Kind::sequence:
                for (const Branch& part : branch.parts) emit(part);
                return;
            case Branch::Kind::choice:
                return emit_choice(branch);
            case Branch::Kind::repeat:
                return emit_repeat(branch);
            case Branch::Kind::ahead:
                add(Pattern::Step::ahead, branch.set);
                return;
            case Branch::Kind::not_ahead:
                add(Pattern::Step::not_ahead, branch.set);
                return;
            case Branch::Kind::at_begin:
                add(Pattern::Step::at_begin);
                return;
            case Branch::Kind::at_end:
                add(Pattern::Step::at_end);
                return;
        }
    }

    void emit_choice(const Branch& branch) {
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < branch.parts.size(); ++i) {
            const bool is_last = i + 1 == branch.parts.size();
            const std::size_t split = is_last ? 0 : add(Pattern::Step::split);
            if (!is_last) pattern_.program_[split].next = size();
            emit(branch.parts[i]);
            if (!problem_.empty()) return;
            if (is_last) break;
            ends.push_back(add(Pattern::Step::jump));
            pattern_.program_[split].other = size();
        }
        for (const std::size_t end : ends) pattern_.program_[end].next = size();
    }

    // Where a repetition may go on or end. Goes on first, unless it is lazy.
    std::size_t emit_fork(const Branch& repeat) {
        const std::size_t fork = add(Pattern::Step::split);
        if (!problem_.empty()) return fork;
        (repeat.greed == Greed::lazy ? pattern_.program_[fork].other : pattern_.program_[fork].next) = size();
        return fork;
    }
    void end_fork(const Branch& repeat, std::size_t fork, std::size_t end) {
        (repeat.greed == Greed::lazy ? pattern_.program_[fork].next : pattern_.program_[fork].other) = end;
    }

    // What gives nothing back ends only where no further character is of the set.
    void emit_repeat(const Branch& repeat) {
        const Branch& part = repeat.parts.front();
        for (std::size_t i = 0; i < repeat.least && problem_.empty(); ++i) emit(part);
        if (!problem_.empty()) return;
        std::vector<std::size_t> forks;
        if (repeat.most == kNoEnd) {
            forks.push_back(emit_fork(repeat));
            emit(part);
            const std::size_t back = add(Pattern::Step::jump);
            if (!problem_.empty()) return;
            pattern_.program_[back].next = forks.front();
        }
        for (std::size_t i = repeat.least; repeat.most != kNoEnd && i < repeat.most && problem_.empty(); ++i) {
            forks.push_back(emit_fork(repeat));
            emit(part);
        }
        if (!problem_.empty() || forks.empty()) return;
        if (repeat.greed == Greed::possessive) {
            const std::size_t over = add(Pattern::Step::jump);  // all that may be there was
            for (const std::size_t fork : forks) end_fork(repeat, fork, size());
            add(Pattern::Step::not_ahead, part.set);
            pattern_.program_[over].next = size();
            return;
        }
        for (const std::size_t fork : forks) end_fork(repeat, fork, size());
    }

    std::string_view expression_;
    std::vector<Character> text_;
    std::size_t at_ = 0;
    std::string problem_;
    Pattern pattern_;
};

Result<Pattern> Pattern::read(std::string_view expression) {
    return PatternReader(expression).read();
}

}  // namespace attn
