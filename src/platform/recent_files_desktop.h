// The session files that were opened or saved lately. Keeps no list: it is a part of the last visit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::size_t kMaxRecent = 10;
inline constexpr std::string_view kRecentExtension = ".attention";  // session files; share/session_file.h

// Absolute paths, newest first.
using RecentFiles = std::vector<std::filesystem::path>;

// Puts `file` in front, if it is a session file and has a name that fits on one line. The oldest beyond kMaxRecent is
// dropped.
void add_recent(RecentFiles& recent, const std::filesystem::path& file);

// What became of a file.
struct RecentChange {
    std::filesystem::path file;
    bool is_gone = false;  // else it was used
};

// Adds or drops the file.
void apply_change(RecentFiles& recent, const RecentChange& change);

// A change for each file that no longer exists.
std::vector<RecentChange> missing_files(const RecentFiles& recent);

// As people know them: "lesson.attention (~/Documents)".
std::vector<std::string> recent_names(const RecentFiles& recent);

}  // namespace attn
