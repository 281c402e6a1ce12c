// Reads each table once, at its first use, into sorted lists.
#include "model/words/unicode.h"

#include <algorithm>
#include <array>

#include "model/words/unicode_data.h"
#include "model/words/unicode_tables.h"

namespace attn::unicode {
namespace {

// As in tools/unicode_tables.mjs.
constexpr std::array<std::string_view, 30> kCategories = {"Cn", "Cc", "Cf", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu",
                                                          "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc", "Pd", "Pe", "Pf",
                                                          "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs"};

// Where runs of one category end, and which one.
struct Runs {
    std::vector<std::uint32_t> ends;
    std::vector<std::uint8_t> categories;
};

const Runs& runs() {
    static const Runs all = [] {
        Runs made;
        std::uint32_t at = 0;
        for (std::string_view table = categories; !table.empty();) {
            made.ends.push_back(at += take_number(table));
            made.categories.push_back(static_cast<std::uint8_t>(take_number(table)));
        }
        return made;
    }();
    return all;
}

Categories category_of(std::uint32_t code) {
    const auto run = std::upper_bound(runs().ends.begin(), runs().ends.end(), code);
    if (run == runs().ends.end()) return 0;
    return Categories{1} << runs().categories[static_cast<std::size_t>(run - runs().ends.begin())];
}

// Where a set begins and ends, in turns.
using Borders = std::vector<std::uint32_t>;

Borders borders_of(std::string_view table) {
    Borders borders;
    std::uint32_t at = 0;
    while (!table.empty()) borders.push_back(at += take_number(table));
    return borders;
}

bool is_inside(const Borders& borders, std::uint32_t code) {
    const auto above = std::upper_bound(borders.begin(), borders.end(), code);
    return (above - borders.begin()) % 2 == 1;
}

}  // namespace

Categories categories_named(std::string_view name) {
    Categories found = 0;
    if (name.empty() || name.size() > 2) return found;
    for (std::size_t i = 0; i < kCategories.size(); ++i)
        if (kCategories[i].starts_with(name)) found |= Categories{1} << i;
    return found;
}

bool is_any_of(Categories wanted, std::uint32_t code) {
    return (category_of(code) & wanted) != 0;
}

bool is_letter(std::uint32_t code) {
    static const Categories letters = categories_named("L");
    return is_any_of(letters, code);
}
bool is_number(std::uint32_t code) {
    static const Categories numbers = categories_named("N");
    return is_any_of(numbers, code);
}
bool is_punctuation(std::uint32_t code) {
    static const Categories punctuation = categories_named("P");
    return is_any_of(punctuation, code);
}
bool is_mark(std::uint32_t code) {
    static const Categories marks = categories_named("Mn");
    return is_any_of(marks, code);
}
bool is_other(std::uint32_t code) {
    static const Categories others = categories_named("Cc") | categories_named("Cf") | categories_named("Co");
    return is_any_of(others, code);
}
bool is_white_space(std::uint32_t code) {
    static const Borders borders = borders_of(white_space);
    return is_inside(borders, code);
}
bool is_of_word(std::uint32_t code) {
    static const Categories of_words = categories_named("L") | categories_named("M") | categories_named("Nd") |
                                       categories_named("Nl") | categories_named("Pc");
    const bool is_circled = (code >= 0x24b6 && code <= 0x24e9) || (code >= 0x1f130 && code <= 0x1f149) ||
                            (code >= 0x1f150 && code <= 0x1f169) || (code >= 0x1f170 && code <= 0x1f189);
    return is_circled || code == 0x200c || code == 0x200d || is_any_of(of_words, code);
}

std::vector<std::uint32_t> lower_case_of(std::uint32_t code) {
    static const Changes changes = changes_of(lower_case);
    return changes.of(code);
}

std::vector<std::uint32_t> parts_of(std::uint32_t code) {
    static const Changes changes = changes_of(parts);
    return is_syllable(code) ? letters_of_syllable(code) : changes.of(code);
}

std::vector<std::uint32_t> compatible_parts_of(std::uint32_t code) {
    static const Changes changes = changes_of(compatible_parts);
    std::vector<std::uint32_t> found = changes.of(code);
    return found.size() == 1 && found.front() == code ? parts_of(code) : found;
}

std::vector<std::uint32_t> without_accents_of(std::uint32_t code) {
    if (is_mark(code)) return {};
    std::vector<std::uint32_t> found = parts_of(code);
    std::erase_if(found, is_mark);
    return found;
}

std::vector<Character> changed(const std::vector<Character>& text,
                               std::vector<std::uint32_t> (*change)(std::uint32_t)) {
    std::vector<Character> result;
    for (const Character& one : text) {
        for (const std::uint32_t code : change(one.code))
            result.push_back(
                {.code = code, .begin = one.begin, .end = one.end, .is_typed = one.is_typed && code == one.code});
    }
    return result;
}

std::vector<Character> characters_of(std::string_view bytes) {
    std::vector<Character> characters;
    const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at])); };
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint32_t first = byte(at);
        const std::size_t length = first < 0x80   ? 1
                                   : first < 0xc2 ? 0
                                   : first < 0xe0 ? 2
                                   : first < 0xf0 ? 3
                                   : first < 0xf5 ? 4
                                                  : 0;
        // What the second byte may be, so that nothing is overlong, a surrogate or beyond 10FFFF.
        const std::uint32_t lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        const std::uint32_t highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        std::uint32_t code = length < 2 ? first : first & (0x7fU >> length);
        std::size_t size = 1;
        while (size < length && at + size < bytes.size()) {
            const std::uint32_t next = byte(at + size);
            if (next < (size == 1 ? lowest : 0x80) || next > (size == 1 ? highest : 0xbf)) break;
            code = code << 6U | (next & 0x3fU);
            ++size;
        }
        characters.push_back(
            {.code = size == length ? code : 0xfffd, .begin = at, .end = at + size, .is_typed = size == length});
        at += size;
    }
    return characters;
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    const auto add_tail = [&](unsigned shift) { add(0x80 | (code >> shift & 0x3fU)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6U);
        add_tail(0);
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12U);
        add_tail(6);
        add_tail(0);
    } else {
        add(0xf0 | code >> 18U);
        add_tail(12);
        add_tail(6);
        add_tail(0);
    }
}

Utf8 utf8_of(std::span<const Character> text) {
    Utf8 made;
    for (const Character& one : text) {
        made.places.push_back(made.bytes.size());
        append_utf8(made.bytes, one.code);
    }
    made.places.push_back(made.bytes.size());
    return made;
}

}  // namespace attn::unicode
