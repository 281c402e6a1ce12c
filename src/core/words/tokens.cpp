// Tokens from text. libunibreak (6.1, rules and tables of Unicode 15.1) finds the boundaries; this file decodes UTF-8,
// keeps white space out of tokens and mends what tokens.h lists. Small character tables are written out here
// because a library that knows every property of every character would be larger than all of core.
#include "core/words/tokens.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include <graphemebreak.h>
#include <wordbreak.h>

namespace attn {
namespace {

using CodePoint = utf32_t;  // libunibreak's type

constexpr CodePoint kSpace = 0x0A;  // stands for any white space: UAX #29 always cuts before and after a line feed
constexpr CodePoint kReplacement = 0xFFFD;
constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";
constexpr CodePoint kProlongedSound = 0x30FC;  // the long-vowel mark of kana

struct Range {
    CodePoint first, last;  // both included
};

// Property White_Space of PropList.txt.
constexpr Range kWhiteSpace[] = {{0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                                 {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                 {0x205F, 0x205F}, {0x3000, 0x3000}};

// Property Default_Ignorable_Code_Point of DerivedCoreProperties.txt: nothing is drawn for them.
constexpr Range kInvisible[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

constexpr Range kHiragana[] = {{0x3041, 0x3096}, {0x309D, 0x309F}};

// Word_Break=Hebrew_Letter.
constexpr Range kHebrew[] = {{0x5D0, 0x5EA}, {0x5EF, 0x5F2}, {0xFB1D, 0xFB1D}, {0xFB1F, 0xFB28}, {0xFB2A, 0xFB4F}};

// Marks whose runs are one token: ASCII punctuation without brackets and quotes, and the like in other scripts.
constexpr std::u32string_view kRepeatable =
    U"!#$%&*+,-./:;<=>?@\\^`|~\u2010\u2013\u2014\u2015\u2025\u2026\u2022\u00B7"
    U"\u060C\u061F\u0964\u0965\u3001\u3002\u301C\uFF01\uFF0C\uFF0E\uFF1F\uFF5E";

// Signs of scripts without spaces that put the letter after them below the letter before: Burmese, Khmer, Tai Tham.
// Unicode 16 keeps such stacks whole; 15.1, and so libunibreak, cuts them.
struct Stacking {
    CodePoint sign;
    Range letters;
};
constexpr Stacking kStackings[] = {{0x1039, {0x1000, 0x102A}}, {0x17D2, {0x1780, 0x17B3}}, {0x1A60, {0x1A20, 0x1A54}}};

// `ranges` is sorted. Most characters of most texts come before all of them.
bool is_in(std::span<const Range> ranges, CodePoint code) {
    if (code < ranges.front().first || code > ranges.back().last) return false;
    return std::any_of(ranges.begin(), ranges.end(), [&](const Range& r) { return r.first <= code && code <= r.last; });
}

bool is_white_space(CodePoint code) {
    const bool is_letter_or_mark = code > 0x20 && code < 0x7F;
    return !is_letter_or_mark && is_in(kWhiteSpace, code);
}

bool is_control(CodePoint code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool is_repeatable(CodePoint code) {
    return kRepeatable.find(static_cast<char32_t>(code)) != kRepeatable.npos;
}

bool is_stacked(CodePoint sign, CodePoint letter) {
    return std::any_of(std::begin(kStackings), std::end(kStackings), [&](const Stacking& stacking) {
        return stacking.sign == sign && is_in({&stacking.letters, 1}, letter);
    });
}

struct Decoded {
    CodePoint code;
    std::size_t length;  // in bytes; of the maximal invalid subpart when not valid
    bool is_valid;
};

// Decodes the first character of `bytes`, which is not empty. Byte ranges: The Unicode Standard 15, table 3-7.
Decoded decode_first(std::string_view bytes) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    const CodePoint lead = byte(0);
    if (lead < 0x80) return {lead, 1, true};
    if (lead < 0xC2 || lead > 0xF4) return {kReplacement, 1, false};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    CodePoint lowest = 0x80;  // what may come second
    CodePoint highest = 0xBF;
    if (lead == 0xE0) lowest = 0xA0;   // below: fits in two bytes
    if (lead == 0xED) highest = 0x9F;  // above: surrogates
    if (lead == 0xF0) lowest = 0x90;   // below: fits in three bytes
    if (lead == 0xF4) highest = 0x8F;  // above: more than 10FFFF
    CodePoint code = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i == bytes.size() || byte(i) < lowest || byte(i) > highest) return {kReplacement, i, false};
        code = (code << 6) | (byte(i) & 0x3Fu);
        lowest = 0x80;
        highest = 0xBF;
    }
    return {code, length, true};
}

struct Characters {
    std::vector<CodePoint> codes;     // white space as kSpace
    std::vector<std::size_t> begins;  // byte offset of each character, then the length of the text
};

Characters decode(std::string_view valid_utf8) {
    Characters characters;
    characters.codes.reserve(valid_utf8.size());
    characters.begins.reserve(valid_utf8.size() + 1);
    std::size_t position = 0;
    while (position < valid_utf8.size()) {
        const Decoded decoded = decode_first(valid_utf8.substr(position));
        characters.codes.push_back(is_white_space(decoded.code) ? kSpace : decoded.code);
        characters.begins.push_back(position);
        position += decoded.length;
    }
    characters.begins.push_back(position);
    return characters;
}

// Characters [begin, end) of the sentence.
struct Segment {
    std::size_t begin, end;
};

// True when nothing of the segment shows: white space and invisible characters only.
bool is_blank(std::span<const CodePoint> codes, const Segment& segment) {
    const auto text = codes.subspan(segment.begin, segment.end - segment.begin);
    return std::all_of(text.begin(), text.end(),
                       [](CodePoint code) { return code == kSpace || is_in(kInvisible, code); });
}

// Grapheme clusters, one after the other without gaps.
std::vector<Segment> find_clusters(std::span<const CodePoint> codes) {
    std::vector<Segment> clusters;
    clusters.reserve(codes.size());
    // Of characters before the first that joins others, each is a cluster but for a line feed after its carriage
    // return; and white space is a line feed here. A long text is cut at each keystroke, and most have no other
    // characters.
    constexpr CodePoint kFirstJoining = 0x300;
    if (std::all_of(codes.begin(), codes.end(), [](CodePoint code) { return code < kFirstJoining; })) {
        for (std::size_t k = 0; k < codes.size(); ++k) clusters.push_back({k, k + 1});
        return clusters;
    }
    std::vector<char> breaks(codes.size());
    set_graphemebreaks_utf32(codes.data(), codes.size(), "", breaks.data());
    std::size_t begin = 0;
    for (std::size_t k = 0; k < codes.size(); ++k) {
        const bool is_last = k + 1 == codes.size();
        if (breaks[k] != GRAPHEMEBREAK_BREAK || (!is_last && is_stacked(codes[k], codes[k + 1]))) continue;
        clusters.push_back({begin, k + 1});
        begin = k + 1;
    }
    return clusters;
}

// WORDBREAK_BREAK at each character that ends a word. libunibreak is shown two characters as others of nearly the same
// kind, because 6.1 departs from UAX #29 at them: with an ASCII apostrophe it cuts the Hebrew word ג'ירפה (here it gets
// the typographic one), and it cuts between a zero-width joiner and a digit (here it gets a combining mark; emoji
// sequences, for which the joiner is special, are whole clusters already).
std::vector<char> find_word_breaks(std::vector<CodePoint> codes) {
    std::replace(codes.begin(), codes.end(), CodePoint{0x27}, CodePoint{0x2019});
    std::replace(codes.begin(), codes.end(), CodePoint{0x200D}, CodePoint{0x34F});
    std::vector<char> breaks(codes.size());
    set_wordbreaks_utf32(codes.data(), codes.size(), "", breaks.data());
    return breaks;
}

// Words, without the white space and the invisible characters between them.
std::vector<Segment> find_words(const std::vector<CodePoint>& codes) {
    const std::vector<Segment> clusters = find_clusters(codes);
    const std::vector<char> breaks = find_word_breaks(codes);
    std::vector<Segment> words;
    bool continues = false;  // no boundary since the last cluster that shows
    CodePoint shown = 0;     // that cluster's first character
    bool in_hiragana = false;
    for (const Segment& cluster : clusters) {
        if (!is_blank(codes, cluster)) {
            if (continues) {
                words.back().end = cluster.end;
            } else {
                words.push_back(cluster);
            }
            continues = true;
            shown = codes[cluster.begin];
            in_hiragana = is_in(kHiragana, shown) || (in_hiragana && shown == kProlongedSound);
        }
        if (cluster.end == codes.size()) break;
        const CodePoint next = codes[cluster.end];
        const bool is_joined = (in_hiragana && (is_in(kHiragana, next) || next == kProlongedSound)) ||
                               (shown == next && is_repeatable(next)) ||
                               (is_in(kHebrew, shown) && next == '\'');  // rule WB7a, lost with the ASCII apostrophe
        if (breaks[cluster.end - 1] != WORDBREAK_BREAK || is_joined) continue;
        continues = false;
        in_hiragana = false;
    }
    return words;
}

}  // namespace

CleanText clean_utf8(std::string_view bytes) {
    const auto is_plain = [](char byte) { return byte >= 0x20 && byte < 0x7F; };
    CleanText clean;
    clean.text.reserve(bytes.size());
    while (!bytes.empty()) {
        // Most texts have only characters that need no check, and a long one is cleaned at each keystroke.
        const auto* const plain_end = std::find_if_not(bytes.begin(), bytes.end(), is_plain);
        const auto num_plain = static_cast<std::size_t>(plain_end - bytes.begin());
        clean.text += bytes.substr(0, num_plain);
        bytes.remove_prefix(num_plain);
        if (bytes.empty()) break;
        const Decoded decoded = decode_first(bytes);
        if (decoded.is_valid && (!is_control(decoded.code) || is_white_space(decoded.code))) {
            clean.text += bytes.substr(0, decoded.length);
        } else {
            clean.text += kReplacementUtf8;
            ++clean.num_replaced;
        }
        bytes.remove_prefix(decoded.length);
    }
    return clean;
}

Tokens tokenize(std::string_view sentence, TokenKind kind) {
    Tokens result;
    result.sentence = clean_utf8(sentence).text;
    const Characters characters = decode(result.sentence);
    if (characters.codes.empty()) return result;  // libunibreak would write before its buffer
    const std::vector<Segment> segments =
        kind == TokenKind::words ? find_words(characters.codes) : find_clusters(characters.codes);
    for (const Segment& segment : segments) {
        if (is_blank(characters.codes, segment)) continue;
        if (result.tokens.size() == kMaxTokens) {
            ++result.num_left_out;
            continue;
        }
        const std::size_t begin = characters.begins[segment.begin];
        const std::size_t end = characters.begins[segment.end];
        result.tokens.push_back({result.sentence.substr(begin, end - begin), begin, end});
    }
    return result;
}

}  // namespace attn
