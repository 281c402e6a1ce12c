// Decomposition, order of marks, composition: the Unicode Standard, section 3.11, and 3.12 for Hangul.
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/ground/check.h"
#include "model/words/unicode.h"
#include "model/words/unicode_data.h"
#include "model/words/unicode_tables.h"

namespace attn::unicode {
namespace {

// Marks by code point, with the rank of their class.
using MarkOrder = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

MarkOrder order_of(std::string_view table) {
    MarkOrder order;
    std::uint32_t code = 0;
    while (!table.empty()) {
        code += take_number(table);
        order.emplace_back(code, take_number(table));
    }
    return order;
}

// 0 for letters, and for marks that keep their place.
std::uint32_t rank_of(std::uint32_t code) {
    static const MarkOrder order = order_of(mark_order);
    const auto found = std::lower_bound(order.begin(), order.end(), std::pair{code, std::uint32_t{0}});
    return found != order.end() && found->first == code ? found->second : 0;
}

// Two code points and what they become together.
struct Composition {
    std::uint32_t first, second, made;
    std::pair<std::uint32_t, std::uint32_t> both() const { return {first, second}; }
};

// Each code point of several parts is made of the last one and of what those before it become.
std::vector<Composition> all_compositions() {
    std::vector<std::uint32_t> never;
    std::uint32_t code = 0;
    for (std::string_view table = never_composed; !table.empty();) never.push_back(code += take_number(table));
    std::map<std::vector<std::uint32_t>, std::uint32_t> made_of;
    const Changes changes = changes_of(parts);
    for (const std::uint32_t made : changes.from) {
        std::vector<std::uint32_t> own = changes.of(made);
        if (own.size() > 1 && !std::ranges::binary_search(never, made)) made_of.emplace(std::move(own), made);
    }
    std::vector<Composition> compositions;
    for (const auto& [own, made] : made_of) {
        const std::vector<std::uint32_t> before(own.begin(), own.end() - 1);
        const auto found = made_of.find(before);
        ATTN_CHECK(before.size() == 1 || found != made_of.end(), "nothing is made of the first parts of ", made);
        const std::uint32_t first = before.size() == 1 ? before.front() : found->second;
        compositions.push_back({.first = first, .second = own.back(), .made = made});
    }
    std::ranges::sort(compositions, {}, &Composition::both);
    return compositions;
}

constexpr std::uint32_t kLead = 0x1100, kVowel = 0x1161, kTail = 0x11a7;
constexpr std::uint32_t kNumLeads = 19, kNumVowels = 21, kNumTails = 28;

// What the two become together; 0 where they stay apart.
std::uint32_t together(std::uint32_t first, std::uint32_t second) {
    if (first - kLead < kNumLeads && second - kVowel < kNumVowels)
        return kFirstSyllable + ((first - kLead) * kNumVowels + (second - kVowel)) * kNumTails;
    const bool has_no_tail = is_syllable(first) && (first - kFirstSyllable) % kNumTails == 0;
    if (has_no_tail && second > kTail && second < kTail + kNumTails) return first + (second - kTail);
    static const std::vector<Composition> made = all_compositions();
    const auto found = std::ranges::lower_bound(made, std::pair{first, second}, {}, &Composition::both);
    return found != made.end() && found->both() == std::pair{first, second} ? found->made : 0;
}

void put_together(std::vector<Character>& text) {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t starter = kNone, size = 0;
    std::uint32_t before = 0;  // the rank of what stands before, since the starter
    for (const Character& one : text) {
        const std::uint32_t rank = rank_of(one.code);
        const bool is_blocked = starter == kNone || (size > starter + 1 && before >= rank);
        const std::uint32_t made = is_blocked ? 0 : together(text[starter].code, one.code);
        if (made != 0) {
            text[starter].code = made;
            text[starter].is_typed = false;
            text[starter].begin = std::min(text[starter].begin, one.begin);
            text[starter].end = std::max(text[starter].end, one.end);
            continue;
        }
        if (rank == 0) starter = size;
        before = rank;
        text[size++] = one;
    }
    text.resize(size);
}

}  // namespace

std::vector<Character> normalized(std::vector<Character> text, NormalForm form) {
    constexpr std::uint32_t kFirstThatChanges = 0xa0;
    const bool is_wide = form == NormalForm::nfkc || form == NormalForm::nfkd;
    if (std::ranges::all_of(text, [](const Character& one) { return one.code < kFirstThatChanges; })) return text;
    std::vector<Character> result;
    for (const Character& one : text) {
        for (const std::uint32_t code : is_wide ? compatible_parts_of(one.code) : parts_of(one.code))
            result.push_back(
                {.code = code, .begin = one.begin, .end = one.end, .is_typed = one.is_typed && code == one.code});
    }
    for (auto first = result.begin(); first != result.end();) {
        const auto is_letter_again = [](const Character& one) { return rank_of(one.code) == 0; };
        const auto last = std::find_if(first, result.end(), is_letter_again);
        std::stable_sort(first, last,
                         [](const Character& a, const Character& b) { return rank_of(a.code) < rank_of(b.code); });
        first = last == result.end() ? last : last + 1;
    }
    if (form == NormalForm::nfc || form == NormalForm::nfkc) put_together(result);
    const auto widen = [](Character& one, std::size_t begin, std::size_t end) {
        one.is_typed = one.is_typed && begin == one.begin && end == one.end;
        one.begin = begin;
        one.end = end;
    };
    for (std::size_t i = 1; i < result.size(); ++i)
        widen(result[i], result[i].begin, std::max(result[i].end, result[i - 1].end));
    for (std::size_t i = result.size(); i-- > 1;)
        widen(result[i - 1], std::min(result[i - 1].begin, result[i].begin), result[i - 1].end);
    return result;
}

}  // namespace attn::unicode
