// The widths of IBM Plex, and how text is cut and broken with a ruler.
#include "scene/kit/figure_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/words/tokens.h"

namespace attn {
namespace {

// Advance widths of U+0020 to U+007E in thousandths of an em.
using Widths = std::array<std::uint16_t, 95>;
constexpr Widths kSans = {236, 284, 419, 713, 598, 927, 694, 242, 335, 335, 450, 600, 272, 399, 272, 383,
                          600, 600, 600, 600, 600, 600, 600, 600, 600, 600, 292, 292, 600, 600, 600, 477,
                          891, 641, 653, 621, 671, 583, 559, 695, 707, 400, 510, 634, 501, 812, 707, 708,
                          606, 708, 640, 581, 572, 678, 609, 891, 613, 593, 580, 317, 383, 317, 600, 565,
                          600, 534, 580, 503, 580, 549, 324, 528, 568, 250, 250, 527, 272, 873, 568, 560,
                          580, 580, 367, 487, 351, 568, 492, 768, 507, 499, 464, 343, 314, 343, 600};
constexpr Widths kSansBold = {236, 309, 471, 656, 600, 960, 713, 260, 337, 337, 556, 600, 298, 402, 298, 437,
                              600, 600, 600, 600, 600, 600, 600, 600, 600, 600, 318, 318, 600, 600, 600, 493,
                              899, 672, 663, 642, 689, 600, 577, 712, 719, 423, 545, 678, 521, 816, 719, 712,
                              641, 712, 664, 611, 580, 690, 638, 949, 655, 632, 599, 329, 437, 329, 600, 559,
                              600, 559, 600, 513, 600, 558, 350, 545, 588, 276, 276, 562, 294, 888, 588, 563,
                              600, 600, 393, 499, 374, 588, 524, 819, 544, 524, 502, 363, 376, 363, 600};

struct Range {
    std::uint32_t first, last;
    int width;  // thousandths of an em
};

// What is not Latin, Greek or Cyrillic, sorted. Marks and joiners take no room; squares and pictures a whole em.
constexpr std::array kRanges = {
    Range{0x00B7, 0x00B7, 326},    Range{0x0300, 0x036F, 0},    Range{0x0483, 0x0489, 0},
    Range{0x0591, 0x05BD, 0},      Range{0x05BE, 0x05FF, 560},  Range{0x0600, 0x064A, 560},
    Range{0x064B, 0x065F, 0},      Range{0x0660, 0x08FF, 560},  Range{0x0900, 0x0DFF, 680},
    Range{0x0E00, 0x0FFF, 620},    Range{0x1000, 0x10FF, 700},  Range{0x1100, 0x11FF, 950},
    Range{0x1780, 0x17FF, 700},    Range{0x1AB0, 0x1AFF, 0},    Range{0x1DC0, 0x1DFF, 0},
    Range{0x200B, 0x200F, 0},      Range{0x2018, 0x2019, 275},  Range{0x201C, 0x201D, 517},
    Range{0x2022, 0x2022, 380},    Range{0x2026, 0x2026, 868},  Range{0x202A, 0x202E, 0},
    Range{0x2060, 0x206F, 0},      Range{0x20D0, 0x20FF, 0},    Range{0x2190, 0x21FF, 876},
    Range{0x221E, 0x221E, 776},    Range{0x2300, 0x23FF, 900},  Range{0x2500, 0x27BF, 900},
    Range{0x2E80, 0xA4CF, 1000},   Range{0xA960, 0xA97F, 1000}, Range{0xAC00, 0xD7FF, 950},
    Range{0xF900, 0xFAFF, 1000},   Range{0xFB1D, 0xFDFF, 560},  Range{0xFE00, 0xFE0F, 0},
    Range{0xFE20, 0xFE2F, 0},      Range{0xFE30, 0xFE4F, 1000}, Range{0xFE70, 0xFEFE, 560},
    Range{0xFEFF, 0xFEFF, 0},      Range{0xFF00, 0xFF60, 1000}, Range{0xFFFD, 0xFFFD, 900},
    Range{0x1F000, 0x1F3FA, 1250}, Range{0x1F3FB, 0x1F3FF, 0},  Range{0x1F400, 0x1FAFF, 1250},
    Range{0x20000, 0x3FFFF, 1000}, Range{0xE0000, 0xE0FFF, 0}};

// The first strong isolate and its end; before it stand those that say their direction.
constexpr std::uint32_t kSetApart = 0x2068, kSetApartEnd = 0x2069;

constexpr int kUsual = 600;
constexpr double kRoomForOthers = 1.05;  // fonts that stand in for Plex are a little wider

struct Character {
    std::uint32_t code;
    std::size_t size;  // bytes
};

// `text` is valid UTF-8 and not empty.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
    const std::uint32_t first = byte(0);
    if (first < 0x80 || text.size() < 2) return {first, 1};
    if (first < 0xE0) return {(first & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
    if (text.size() < 3) return {first, 1};
    if (first < 0xF0) return {(first & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
    if (text.size() < 4) return {first, 1};
    return {(first & 0x07U) << 18U | (byte(1) & 0x3FU) << 12U | (byte(2) & 0x3FU) << 6U | (byte(3) & 0x3FU), 4};
}

int width_of(std::uint32_t code, FigureFont font) {
    const bool is_mono = font == FigureFont::mono;
    if (code < 0x20) return 0;
    if (code < 0x7F && !is_mono) return (font == FigureFont::sans ? kSans : kSansBold)[code - 0x20];
    const auto* const range =
        std::find_if(kRanges.begin(), kRanges.end(), [&](const Range& each) { return code <= each.last; });
    const bool is_listed = range != kRanges.end() && code >= range->first;
    if (!is_listed) return is_mono || code >= 0x250 ? 620 : kUsual;
    return is_mono && range->width > 0 ? std::max(kUsual, range->width) : range->width;
}

bool is_written_from_right(std::uint32_t code) {
    return (code >= 0x0590 && code <= 0x08FF) || (code >= 0xFB1D && code <= 0xFDFF) ||
           (code >= 0xFE70 && code <= 0xFEFE) || (code >= 0x10800 && code <= 0x10FFF) ||
           (code >= 0x1E800 && code <= 0x1EFFF);
}

// Whether a character decides the direction of its line: roughly, what is not punctuation, a digit or a sign.
bool is_letter(std::uint32_t code) {
    const bool is_ascii_letter = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
    const bool is_sign = (code >= 0x2000 && code <= 0x2BFF) || (code >= 0x3000 && code <= 0x303F) || code >= 0x1F000;
    return is_ascii_letter || (code >= 0xC0 && !is_sign);
}

// The first bytes of a text, at most this many, without half a character at the end.
std::string_view first_bytes(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && continues_code_point(text[most])) --most;
    return text.substr(0, most);
}

// Where the longest beginning ends that is at most `width` wide, at the end of a character as people count it.
std::size_t end_within(std::string_view text, double width, double size, FigureFont font, const TextRuler& ruler) {
    constexpr std::size_t kMostBytes = 1200;  // no line is longer
    const Tokens characters = tokenize(first_bytes(text, kMostBytes), TokenKind::chars);
    std::size_t end = 0;
    double used = 0;
    for (const Token& character : characters.tokens) {
        used += ruler.width(text.substr(end, character.end - end), size, font);
        if (used > width) break;
        end = character.end;
    }
    return end;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

double text_width(std::string_view text, double size, FigureFont font) {
    std::int64_t width = 0;
    while (!text.empty()) {
        const Character next = first_character(text);
        width += width_of(next.code, font);
        text.remove_prefix(next.size);
    }
    return static_cast<double>(width) * size / 1000 * kRoomForOthers;
}

const TextRuler& paper_ruler() {
    class PaperRuler final : public TextRuler {
        double width(std::string_view text, double size, FigureFont font) const override {
            return text_width(text, size, font);
        }
    };
    static const PaperRuler ruler;
    return ruler;
}

std::string shortened_text(std::string_view text, double width, double size, FigureFont font, const TextRuler& ruler) {
    if (ruler.width(text, size, font) <= width) return std::string(text);
    const double room = width - ruler.width("…", size, font);
    return std::string(without_blanks(text.substr(0, end_within(text, room, size, font, ruler)))) + "…";
}

std::vector<std::string> wrapped_text(std::string_view text, double width, double size, FigureFont font,
                                      std::size_t most, const TextRuler& ruler) {
    std::vector<std::string> lines;
    text = without_blanks(text);
    while (!text.empty()) {
        if (lines.size() + 1 == most || ruler.width(first_bytes(text, 4000), size, font) <= width) {
            lines.push_back(shortened_text(text, width, size, font, ruler));
            break;
        }
        const std::size_t fitting =
            std::max<std::size_t>(end_within(text, width, size, font, ruler), first_character(text).size);
        const std::size_t blank = fitting < text.size() && text[fitting] == ' ' ? fitting : text.rfind(' ', fitting);
        const std::size_t end = blank == std::string_view::npos || blank == 0 ? fitting : blank;
        lines.emplace_back(without_blanks(text.substr(0, end)));
        text = without_blanks(text.substr(end));
    }
    return lines;
}

namespace {

// Not inlined: most texts have no letter of such a script.
[[gnu::noinline]] bool begins_from_right(std::string_view text) {
    int depth = 0;               // of words that are set apart
    std::optional<bool> quoted;  // as the words in quotes begin, which are only asked where there are no others
    bool is_quoted = false;
    while (!text.empty()) {
        const Character next = first_character(text);
        if (next.code >= 0x2066 && next.code <= kSetApart) ++depth;
        if (next.code == kSetApartEnd && depth > 0) --depth;
        if (next.code == '"') is_quoted = !is_quoted && text.find('"', 1) != std::string_view::npos;
        const bool is_from_right = is_written_from_right(next.code);
        if (depth == 0 && (is_from_right || is_letter(next.code))) {
            if (!is_quoted) return is_from_right;
            if (!quoted) quoted = is_from_right;
        }
        text.remove_prefix(next.size);
    }
    return quoted.value_or(false);
}

}  // namespace

bool is_right_to_left(std::string_view text) {
    constexpr unsigned char kFirst = 0xD6;  // of U+0590, where the first such script begins
    const auto may_be = [](char byte) { return static_cast<unsigned char>(byte) >= kFirst; };
    return std::any_of(text.begin(), text.end(), may_be) && begins_from_right(text);
}

std::string isolated(std::string word) {
    for (std::string_view rest = word; !rest.empty();) {
        const Character next = first_character(rest);
        if (next.code == kSetApart) return word;
        if (is_written_from_right(next.code)) return "\u2068" + word + "\u2069";
        rest.remove_prefix(next.size);
    }
    return word;
}

std::string from_to(std::string from, std::string to) {
    return isolated(std::move(from)) + " → " + isolated(std::move(to));
}

}  // namespace attn
