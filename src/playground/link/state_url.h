// The one outside interface: a state as a query string, "text=...&heads=2". Defaults are not written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/link/key_table.h"

namespace attn {

// The rest of a longer link is not read, with a note. The largest legal state fits.
inline constexpr std::size_t kMaxLinkBytes = 1 << 24;

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

// What the steps of a lesson, ours or a legal task (own_task.h), begin with, in the order of its links. Holds until a
// model is opened or closed, of a task also until eight others were asked for.
std::span<const PlaygroundState> step_states(std::string_view lesson);
// What the step that the view says is on begins with; null when no lesson is on. The view is legal.
const PlaygroundState* step_state(const View& view);

// The state B that stands beside the shown state A: what a link keeps of it, its inputs, its sentence and its head, as
// write_link gives them. A says how both are looked at, so the other keys are left out; whatever else had to
// be changed is noted, "B: " in front. Empty for an empty link, and for one beyond kMaxCompareBytes (with a note). What
// it returns it would return again, without notes.
std::string legal_compare(std::string_view link, Notes& notes);
// The same in its place, and what patches take over from it (patch_keys.h).
void clamp_other(PlaygroundState& state, Notes& notes);
// The link of `state` as B, which has no patches of its own.
std::string link_as_other(const PlaygroundState& state);
// Whether B has this key; the others say how a state is looked at.
bool is_key_of_other(const KeyInfo& info);

// The key table as JSON: [{key, label, kind, choices, low, high, legal, help, default, group, decides_numbers,
// repeats}].
std::string keys_as_json();

}  // namespace attn
