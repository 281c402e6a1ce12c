// Numbers as people write them in links: read into a field, or the field stays and a note says so. clamp_to_legal
// decides whether a number is legal.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "playground/state/words.h"
#include "playground/text/notes.h"

namespace attn {

// parse_number, and what it rejects although it means something: "inf", "-infinity" and "nan" in any case, and numbers
// too large for a double, which become the largest one.
std::optional<double> read_double(std::string_view text);

// The float nearest to `number`; beyond the largest float the largest one. Infinity and NaN stay.
float nearest_float(double number);

// Whether a finite `number` is so large that the nearest float would be infinite: half a unit above the largest one.
bool is_too_large_for_float(double number);

// Each reads `value` of the link key `key` into `field`.
void read_number(std::string_view value, std::string_view key, double& field, Notes& notes);
// A fraction is rounded, with a note; very large numbers stop at +-1e9.
void read_whole(std::string_view value, std::string_view key, int& field, Notes& notes);
// The same for a field that counts from 0, and from 1 in links: heads and sentences.
void read_from_one(std::string_view value, std::string_view key, int& field, Notes& notes);
// 0 to 2^64 - 1; moved there with a note.
void read_seed(std::string_view value, std::string_view key, std::uint64_t& field, Notes& notes);
// 0 or 1; any other number is 1, with a note.
void read_flag(std::string_view value, std::string_view key, bool& field, Notes& notes);

// Notes that `value` is none of the words that the key knows, and that the field stays what it is.
void note_unknown_word(std::string_view value, std::string_view key, std::string_view stays,
                       std::span<const std::string_view> known, Notes& notes);

template <class Choice, std::size_t N>
void read_choice(const std::array<Word<Choice>, N>& words, std::string_view value, std::string_view key, Choice& field,
                 Notes& notes) {
    if (const std::optional<Choice> choice = choice_of(words, value)) {
        field = *choice;
        return;
    }
    note_unknown_word(value, key, word_of(words, field), words_in(words), notes);
}

}  // namespace attn
