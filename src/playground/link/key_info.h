// One key of a link: its words, its bounds, and how its value is read and written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/state.h"
#include "playground/text/notes.h"

namespace attn {

enum class KeyKind { text, choice, whole_number, number, flag, list };

// Words that are made when somebody reads them: the first picture shows none, and what nobody calls need not be
// downloaded for it.
#ifdef ATTN_KEYS_WITHOUT_WORDS  // the engine modules show none
struct KeyWords {
    constexpr std::string_view operator()() const { return {}; }
};
#else
using KeyWords = std::string_view (*)();
#endif

// One key of the link. `choices` are the legal words of a choice; low and high bound numbers.
struct KeyInfo {
    std::string_view key;    // "heads"
    std::string_view label;  // the field's word beside the control: "heads"
    KeyKind kind;
    std::vector<std::string_view> choices = {};  // empty unless kind is choice
    double low = 0, high = 0;                    // numbers only
    [[no_unique_address]] KeyWords legal = {};   // in words: "a whole number that divides d_out"
    [[no_unique_address]] KeyWords help = {};    // one line
    bool decides_numbers = false;                // Inputs, else View
    bool repeats = false;                        // may stand more than once
    // Reads one decoded value into the state, which need not be legal afterwards. Unreadable values leave the field as
    // it was and add a note. A key that repeats adds to its list: empty the list first to replace it.
    void (*read)(PlaygroundState& state, std::string_view value, Notes& notes);
    // The field as decoded values, one an occurrence of the key, also when it holds its default. Empty for a choice
    // that was not made (no enlarged head, no edits).
    std::vector<std::string> (*write)(const PlaygroundState& state);
};

}  // namespace attn
