// How rows of the key table (key_table.cpp) are written: what each kind of key reads and writes. Only that file needs
// it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "playground/link/key_info.h"
#include "playground/link/link_numbers.h"
#include "playground/state/words.h"
#include "playground/text/format.h"

namespace attn::key_rows {

using State = PlaygroundState;
using Texts = std::vector<std::string>;
using Value = std::string_view;

inline constexpr double kLargestSeed = 0x1p64 - 2048;  // the largest double below 2^64

inline Texts one(std::string_view word) {
    return {std::string(word)};
}

// The key of a row, as a template argument: a row's functions are plain pointers and cannot carry it.
template <std::size_t kSize>
struct KeyName {
    consteval KeyName(const char (&letters)[kSize]) { std::copy_n(letters, kSize, text); }
    constexpr operator Value() const { return {text, kSize - 1}; }

    char text[kSize];
};

// Words for people, who see them beside the settings and from `attn keys`: said<"...">.
template <KeyName kWords>
[[gnu::noinline]] Value spoken() {
    return kWords;
}
#ifdef ATTN_KEYS_WITHOUT_WORDS
template <KeyName kWords>
constexpr KeyWords said = {};
#else
template <KeyName kWords>
constexpr KeyWords said = spoken<kWords>;
#endif

template <auto kField>
constexpr bool is_input = requires(const Inputs& inputs) { inputs.*kField; };

template <auto kField>
auto& field_of(State& state) {
    if constexpr (is_input<kField>) {
        return state.inputs.*kField;
    } else {
        return state.view.*kField;
    }
}
template <auto kField>
const auto& field_of(const State& state) {
    return field_of<kField>(const_cast<State&>(state));
}

// What a row says to people, and the bounds of its numbers.
struct RowWords {
    Value label;
    double low = 0, high = 0;
    [[no_unique_address]] KeyWords legal = {};
    [[no_unique_address]] KeyWords help = {};
};

// A row whose value is one field. One function for all of them, and not inlined: each kind would bring its own copy
// into what is downloaded.
[[gnu::noinline]] inline KeyInfo row_of_field(Value key, KeyKind kind, bool decides_numbers, const RowWords& words,
                                              decltype(KeyInfo::read) read, decltype(KeyInfo::write) write) {
    return {.key = key,
            .label = words.label,
            .kind = kind,
            .low = words.low,
            .high = words.high,
            .legal = words.legal,
            .help = words.help,
            .decides_numbers = decides_numbers,
            .read = read,
            .write = write};
}

template <KeyName kKey, const auto& kWords, auto kField>
KeyInfo choice(const RowWords& words) {
    KeyInfo row = row_of_field(
        kKey, KeyKind::choice, is_input<kField>, words,
        [](State& s, Value v, Notes& n) { read_choice(kWords, v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(word_of(kWords, field_of<kField>(s))); });
    row.choices = words_in(kWords);
    return row;
}

template <KeyName kKey, auto kField>
KeyInfo whole_number(const RowWords& words) {
    return row_of_field(
        kKey, KeyKind::whole_number, is_input<kField>, words,
        [](State& s, Value v, Notes& n) { read_whole(v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(concat(field_of<kField>(s))); });
}

template <KeyName kKey, auto kField>
KeyInfo counted_from_one(const RowWords& words) {
    return row_of_field(
        kKey, KeyKind::whole_number, is_input<kField>, words,
        [](State& s, Value v, Notes& n) { read_from_one(v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(concat(field_of<kField>(s) + 1)); });
}

inline constexpr KeyName kSeedRange = "a whole number from 0 to 18446744073709551615";

template <KeyName kKey, auto kField>
KeyInfo seed(const RowWords& words) {
    const RowWords all = {.label = words.label, .high = kLargestSeed, .legal = said<kSeedRange>, .help = words.help};
    return row_of_field(
        kKey, KeyKind::whole_number, is_input<kField>, all,
        [](State& s, Value v, Notes& n) { read_seed(v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(concat(field_of<kField>(s))); });
}

template <KeyName kKey, auto kField>
KeyInfo number(const RowWords& words) {
    return row_of_field(
        kKey, KeyKind::number, is_input<kField>, words,
        [](State& s, Value v, Notes& n) { read_number(v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(exact_number(field_of<kField>(s))); });
}

template <KeyName kKey, auto kField>
KeyInfo flag(const RowWords& words) {
    const RowWords all = {.label = words.label, .high = 1, .legal = said<"0 or 1">, .help = words.help};
    return row_of_field(
        kKey, KeyKind::flag, is_input<kField>, all,
        [](State& s, Value v, Notes& n) { read_flag(v, kKey, field_of<kField>(s), n); },
        [](const State& s) { return one(field_of<kField>(s) ? "1" : "0"); });
}

}  // namespace attn::key_rows
