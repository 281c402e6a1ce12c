// The one outside interface: a state as a query string, "text=...&heads=2". One table lists every key; the reader, the
// writer, `attn keys`, the settings of the page and the documentation walk it. Defaults are not written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/legal.h"
#include "playground/state.h"

namespace attn {

inline constexpr std::size_t kMaxLinkBytes = 1 << 20;  // the rest is not read, with a note

enum class KeyKind { text, choice, whole_number, number, flag, list };

// One key of the link. `choices` are the legal words of a choice; low and high bound numbers.
struct KeyInfo {
    std::string_view key;                   // "heads"
    std::string_view label;                 // the field's word beside the control: "heads"
    KeyKind kind;
    std::vector<std::string_view> choices;  // empty unless kind is choice
    double low, high;                       // numbers only
    std::string_view legal;                 // in words: "a whole number that divides d_out"
    std::string_view help;                  // one line
    bool decides_numbers;                   // Inputs, else View
    bool repeats;                           // may stand more than once
    // Reads one value into the state; unreadable values leave the field as it was and add a note.
    void (*read)(PlaygroundState& state, std::string_view value, Notes& notes);
    // The values to write, one an occurrence of the key; empty when the field has its default.
    std::vector<std::string> (*write)(const PlaygroundState& state);
};

std::span<const KeyInfo> key_table();
const KeyInfo& key_info(std::string_view key);  // the key must exist

struct ReadLink {
    PlaygroundState state;  // legal
    Notes notes;
};

// Reads a link or its query string: everything up to and including the first '#' or, failing that, '?' is skipped when it
// looks like an address. Percent-encoding and '+' as in HTML forms. Any byte string gives a legal state. Unknown keys are
// ignored with a note.
ReadLink read_link(std::string_view link);

// The query string of a legal state, without '#'. read_link(write_link(s)).state == s for every legal state.
std::string write_link(const PlaygroundState& state);

// The key table as JSON: [{key, label, kind, choices, low, high, legal, help, default, decides_numbers, repeats}].
std::string keys_as_json();

}  // namespace attn
