// Session files: a state in a JSON file, for what is too long for a link. The keys are the link's; docs/files.md has
// the schema.
//   {"format": "attention-playground session", "version": 1, "state": {"text": ["A small step"], "heads": 2}}
#pragma once

#include <string>
#include <string_view>

#include "core/ground/result.h"
#include "playground/link/state_url.h"

namespace attn {

inline constexpr int kSessionVersion = 1;
inline constexpr std::string_view kSessionFormat = "attention-playground session";
inline constexpr std::string_view kSessionExtension = ".attention";
// A link beyond this is better kept as a file: chats and mail programs cut longer ones.
inline constexpr std::size_t kLongLink = 1500;

// A file beyond this is refused before it is read. The largest state there can be writes less: texts of 4 MiB in JSON,
// typed numbers of 4 MiB, edits and B's link.
inline constexpr std::size_t kMaxSessionBytes = 10U << 20U;

// What write_link says, key by key; ends with a line break. read_session gives the same state again, without notes.
std::string write_session(const PlaygroundState& state);

// The state of a file. A newer version is read as far as it is understood; what was ignored is in the notes. The error
// is a sentence that says what is wrong and at which line and column.
Result<ReadLink> read_session(std::string_view json);

}  // namespace attn
