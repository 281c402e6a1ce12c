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

// The rest of a longer link is not read, with a note. The largest legal state fits.
inline constexpr std::size_t kMaxLinkBytes = 1 << 24;

enum class KeyKind { text, choice, whole_number, number, flag, list };

// One key of the link. `choices` are the legal words of a choice; low and high bound numbers.
struct KeyInfo {
    std::string_view key;    // "heads"
    std::string_view label;  // the field's word beside the control: "heads"
    KeyKind kind;
    std::vector<std::string_view> choices;  // empty unless kind is choice
    double low, high;                       // numbers only
    std::string_view legal;                 // in words: "a whole number that divides d_out"
    std::string_view help;                  // one line
    bool decides_numbers;                   // Inputs, else View
    bool repeats;                           // may stand more than once
    // Reads one decoded value into the state, which need not be legal afterwards. Unreadable values leave the field as
    // it was and add a note. A key that repeats adds to its list: empty the list first to replace it.
    void (*read)(PlaygroundState& state, std::string_view value, Notes& notes);
    // The field as decoded values, one an occurrence of the key, also when it holds its default. Empty for a choice
    // that was not made (no enlarged head, no edits).
    std::vector<std::string> (*write)(const PlaygroundState& state);
};

std::span<const KeyInfo> key_table();
const KeyInfo& key_info(std::string_view key);  // the key must exist

// Puts values that `write` gave into the state, in the place of what the key had.
void put_values(PlaygroundState& state, const KeyInfo& info, const std::vector<std::string>& values);

// What a link leaves out. Inside a lesson: the state of its step. Else all defaults, except that d_in is the width of
// the typed rows where they are in use.
PlaygroundState defaults_for(const PlaygroundState& state);

struct ReadLink {
    PlaygroundState state;  // legal
    Notes notes;
};

// Reads a link or its query string: everything up to and including the first '#' or, failing that, '?' is skipped when
// it looks like an address. Percent-encoding and '+' as in HTML forms. Any byte string gives a legal state. Unknown
// keys are ignored with a note; of a key that stands twice without being a list the last one counts. Many notes are
// shortened.
// A link with `lesson` (and `step`, else the first) begins as the state of that step, wherever in the link they stand,
// and its other keys are laid over it; a list such as `edit` then replaces the step's list. Lists and choices that may
// be absent are emptied by an empty value: "cell=".
ReadLink read_link(std::string_view link);

// The query string of a legal state, without '#': v=1, then in the table's order what differs from defaults_for. ASCII,
// and exactly what a browser's location.hash gives back. read_link(write_link(s)).state == s for every legal state, no
// notes.
std::string write_link(const PlaygroundState& state);

// The key table as JSON: [{key, label, kind, choices, low, high, legal, help, default, decides_numbers, repeats}].
std::string keys_as_json();

}  // namespace attn
