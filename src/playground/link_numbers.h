// Numbers as people write them in links: read into a field, or left as the field was, with a note. Whether a number is
// legal is clamp_to_legal's business.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "playground/notes.h"
#include "playground/words.h"

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
// 0 to 2^64 - 1; moved there with a note.
void read_seed(std::string_view value, std::string_view key, std::uint64_t& field, Notes& notes);
// 0 or 1; any other number is 1, with a note.
void read_flag(std::string_view value, std::string_view key, bool& field, Notes& notes);

template <class Choice, std::size_t N>
void read_choice(const std::array<Word<Choice>, N>& words, std::string_view value, std::string_view key, Choice& field,
                 Notes& notes) {
    if (const std::optional<Choice> choice = choice_of(words, value)) {
        field = *choice;
        return;
    }
    std::string known;
    for (const Word<Choice>& entry : words) known += concat(known.empty() ? "" : ", ", entry.word);
    notes.push_back(concat(key, " stays ", word_of(words, field), ": ", quoted(value), " is none of ", known));
}

}  // namespace attn
