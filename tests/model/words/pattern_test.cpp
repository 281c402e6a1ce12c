// Regular expressions: what they match, against std::regex on expressions and texts at random; and that nothing takes
// long.
#include "model/words/pattern.h"

#include <catch_amalgamated.hpp>
#include <random>
#include <regex>
#include <string>

#include "core/ground/check.h"
#include "model/words/word_cuts.h"

using attn::concat;
using attn::CutBehavior;
using attn::Pattern;
using attn::unicode::characters_of;

namespace {

Pattern expression(std::string_view text) {
    attn::Result<Pattern> pattern = Pattern::read(text);
    INFO(text << ": " << pattern.error());
    REQUIRE(pattern);
    return std::move(*pattern);
}

// "[ab][c]": the words of a text.
std::string cut_by(const Pattern& pattern, std::string_view text, CutBehavior behavior = CutBehavior::isolated,
                   bool is_inverted = false) {
    std::string shown;
    for (const attn::Text& word : attn::cut(characters_of(text), pattern, behavior, is_inverted)) {
        shown += '[';
        for (const attn::unicode::Character& one : word) attn::unicode::append_utf8(shown, one.code);
        shown += ']';
    }
    return shown;
}

std::string refusal(std::string_view text) {
    const attn::Result<Pattern> pattern = Pattern::read(text);
    return pattern ? "" : pattern.error();
}

}  // namespace

constexpr std::string_view kLlama =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

TEST_CASE("texts are cut as the expressions say", "[pattern]") {
    const Pattern& gpt2 = attn::gpt2_words();
    CHECK(cut_by(gpt2, "Hello,  world  ") == "[Hello][,][ ][ world][  ]");
    CHECK(cut_by(gpt2, "it's we'll 'S !'s") == "[it]['s][ we]['ll][ '][S][ !'][s]");
    CHECK(cut_by(gpt2, "a1b 2c  \n d") == "[a][1][b][ 2][c][  \n][ d]");
    CHECK(cut_by(gpt2, "x \u0085 y\uFEFFz") == "[x][ \u0085][ y][\uFEFF][z]");
    CHECK(cut_by(gpt2, "").empty());
    CHECK(cut_by(expression(kLlama), "12345 IT'S\n\n x") == "[123][45][ IT]['S][\n\n][ x]");
    CHECK(cut_by(expression(kLlama), "it'\u017f") == "[it]['\u017f]");  // a long s is an s
    CHECK(cut_by(expression(kQwen), "12 \t\tab !?\nc") == "[1][2][ \t][\tab][ !?\n][c]");
    // DeepSeek's for Chinese and kana, and o200k's, which begins a word at a capital.
    CHECK(cut_by(expression("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"), "ab\u4f60\u597dc") ==
          "[ab][\u4f60\u597d][c]");
    CHECK(cut_by(expression(R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"), "camelCaseÉtéX") ==
          "[camel][Case][Été][X]");
}

TEST_CASE("parts of expressions mean what they mean to Oniguruma", "[pattern]") {
    const auto first = [](std::string_view pattern, std::string_view text) {
        const auto found = expression(pattern).matches(characters_of(text));
        return found.empty() ? std::string("none") : concat(found[0].begin, "-", found[0].end);
    };
    CHECK(first("a|ab", "ab") == "0-1");  // the first alternative, not the longest
    CHECK(first("(?:a|ab)c", "abc") == "0-3");
    CHECK(first("a+?b", "aaab") == "0-4");
    CHECK(first("a+?", "aaab") == "0-1");
    CHECK(first("a{2,3}", "aaaa") == "0-3");
    CHECK(first("a{2}", "aaaa") == "0-2");
    CHECK(first("a{2,}?", "aaaa") == "0-2");
    CHECK(first("a{,2}", "a{,2}") == "0-5");  // no number of times: letters
    CHECK(first("a++a", "aaa") == "none");    // gives nothing back
    CHECK(first("a?+a", "a") == "none");
    CHECK(first("a{1,2}+a", "aaa") == "0-3");
    CHECK(first("x*", "yyx") == "2-3");  // a match of nothing is none
    CHECK(first("^b", "ab") == "none");
    CHECK(first("b$", "ab") == "1-2");
    CHECK(first(R"(\s+(?!\S))", "  x") == "0-1");
    CHECK(first(R"(a(?=b))", "aab") == "1-2");
    CHECK(first(R"(\d)", "x\u0663") == "1-2");
    CHECK(first(R"(\w+)", "-\u00e9\u0301_9\u2167-") == "1-6");
    CHECK(first(R"([^\W\d])", "9a") == "1-2");
    CHECK(first(R"([\]\\-])", "a-") == "1-2");
    CHECK(first(R"([]a]+)", "]a]") == "0-3");
    CHECK(first(R"([^(\s|[.,!?])]+)", "ab.c") == "0-2");  // BLOOM's: a set within a set
    CHECK(first(R"(\x41\u0042\x{43})", "xABC") == "1-4");
    CHECK(first(R"(\P{L}\p{^N})", "a--") == "1-3");
    CHECK(first(R"(.+)", "ab\nc") == "0-2");
    CHECK(first(R"((?i:stra\u00dfe|[K-M]))", "STRA\u1e9eE") == "0-6");
    CHECK(first(R"((?i:k))", "\u212a") == "0-1");
    CHECK(first("", "a") == "none");
}

TEST_CASE("what becomes of a match", "[pattern]") {
    const Pattern dash = expression("-");
    CHECK(cut_by(dash, "the-final--countdown", CutBehavior::removed) == "[the][final][countdown]");
    CHECK(cut_by(dash, "the-final--countdown", CutBehavior::isolated) == "[the][-][final][-][-][countdown]");
    CHECK(cut_by(dash, "the-final--countdown", CutBehavior::with_before) == "[the-][final-][-][countdown]");
    CHECK(cut_by(dash, "the-final--countdown", CutBehavior::with_next) == "[the][-final][-][-countdown]");
    CHECK(cut_by(dash, "the-final--countdown", CutBehavior::contiguous) == "[the][-][final][--][countdown]");
    CHECK(cut_by(attn::whole_words(), "Hey, you! ", CutBehavior::removed, true) == "[Hey][,][you][!]");
    CHECK(cut_by(attn::numbers(), "in 19\u0664", CutBehavior::contiguous) == "[in ][19\u0664]");
    CHECK(cut_by(attn::punctuation(), "a$b\u2014c", CutBehavior::isolated) == "[a][$][b][\u2014][c]");
}

TEST_CASE("an expression that is not known is refused with its text", "[pattern][bad-input]") {
    for (const auto& [text, why] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"(a", "has a group without an end"},
             {"a)", "has a parenthesis too many"},
             {"[a", "has a set without an end"},
             {"[b-a]", "has a range of characters without an end"},
             {"*a", "repeats nothing"},
             {"a{3,2}", "repeats fewer times at most than at least"},
             {"(?<=a)b", "has a group of a kind"},
             {"(?>a)", "has a group of a kind"},
             {"(?!ab)c", "looks ahead at more than one character"},
             {"(?:ab)++", "repeats a group without giving back"},
             {R"(\bword)", "has a backslash before a letter or digit"},
             {R"(a\)", "ends with a backslash"},
             {R"(\p{Latin})", "names characters by something other than their general category"},
             {R"(\p{L)", "has a name of characters without an end"},
             {R"(\x4)", "has a number of a character that is none"},
             {"[a&&b]", "has an intersection of sets"},
             {"[[:alpha:]]", "has a set with a name in colons"},
             {"(?:a{1000}){1000}", "is too long"}}) {
        CHECK(refusal(text) == concat("The expression \"", text, "\" ", why, ": this program does not know it."));
    }
    CHECK(refusal(std::string(40, '(') + "a" + std::string(40, ')')).ends_with("does not know it."));
    CHECK(refusal(std::string(40, '[') + "a" + std::string(40, ']')).ends_with("does not know it."));
}

// std::regex looks for the same in its own way, and takes no \p. From each place of a text both find the same end.
TEST_CASE("expressions at random match as std::regex does", "[pattern][property]") {
    std::mt19937 dice(7);
    const auto below = [&](unsigned count) { return static_cast<int>(dice() % count); };
    // Groups begin with a character, because what a repetition of nothing means is not the same everywhere; and they
    // hold no groups, because std::regex takes very long then.
    const auto one = [&] {
        constexpr std::string_view kAtoms[] = {"a", "b", "c", ".", "[ab]", "[^a]", "[a-c]", R"(\w)", R"(\s)", " "};
        return std::string(kAtoms[below(10)]);
    };
    const auto atom = [&] {
        constexpr std::string_view kTimes[] = {"", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?"};
        if (below(12) == 0) return std::string(below(2) == 0 ? "(?!b)" : "(?=[ac])");
        return one() + std::string(kTimes[below(12)]);
    };
    const auto part = [&] {
        if (below(4) > 0) return atom();
        std::string group = "(?:";
        for (int parts = 1 + below(3); parts > 0; --parts) {
            group += one();
            for (int size = below(3); size > 0; --size) group += atom();
            if (parts > 1) group += "|";
        }
        constexpr std::string_view kTimes[] = {"", "+", "?", "{1,2}", "+?", "*"};
        return concat(group, ")", kTimes[below(6)]);
    };
    int num_matches = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string text, letters;
        for (int parts = 1 + below(3); parts > 0; --parts) {
            for (int size = 1 + below(4); size > 0; --size) text += part();
            if (parts > 1) text += "|";
        }
        for (int size = below(12); size > 0; --size) letters += "abc \n"[below(5)];
        CAPTURE(text, letters);
        const std::regex theirs(text);
        std::vector<Pattern::Match> wanted;
        for (std::size_t at = 0; at < letters.size();) {
            std::smatch match;
            const auto from = letters.cbegin() + static_cast<std::ptrdiff_t>(at);
            const auto flags = std::regex_constants::match_continuous | std::regex_constants::match_prev_avail;
            const bool is_there = std::regex_search(from, letters.cend(), match, theirs, flags);
            const std::size_t size = is_there ? static_cast<std::size_t>(match.length(0)) : 0;
            if (size > 0) wanted.push_back({.begin = at, .end = at + size});
            at += std::max<std::size_t>(size, 1);
        }
        CHECK(expression(text).matches(characters_of(letters)) == wanted);
        num_matches += static_cast<int>(wanted.size());
    }
    CHECK(num_matches > 2000);
}

TEST_CASE("no expression takes long on a long text", "[pattern][bad-input]") {
    const attn::Text text = characters_of(std::string(20'000, 'a'));
    for (const std::string_view evil :
         {"(?:a+)+b", "(?:a|a)*b", "(?:a*)*b", "(?:a|aa)+$b", "a*a*a*a*a*b", "a++b", ".*x"})
        CHECK(expression(evil).matches(text).empty());
}
