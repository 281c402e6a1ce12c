// What the desktop program remembers between two visits: the window, the link and the session files that were used
// lately, in one small text file that only the user may read. The file is never needed: where it is missing, unreadable
// or unwritable the program starts as if for the first time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "platform/command_line_desktop.h"
#include "platform/recent_files_desktop.h"

namespace attn {

// The top left corner of the window's content, in the window system's units.
struct WindowPosition {
    int x = 0;
    int y = 0;

    bool operator==(const WindowPosition&) const = default;
};

struct Visit {
    WindowSize size;
    std::optional<WindowPosition> position;  // nothing: the window system chooses
    std::string link;                        // empty: the default state
    RecentFiles recent;
    std::string visited = {};  // steps of lessons that were seen: FrameOutput::visited

    bool operator==(const Visit&) const = default;
};

// The file's text, and back. The error is a sentence. read_visit(write_visit(v)) == v for sizes within the legal ones
// and links without line breaks; those come back as %0A.
std::string write_visit(const Visit& visit);
Result<Visit> read_visit(std::string_view text);

// Where the file belongs: $XDG_STATE_HOME, or ~/.local/state without it; %APPDATA%; ~/Library/Application Support.
// Nothing when the environment names no such folder.
std::optional<std::filesystem::path> visit_file();

// The visit in the file. No file, no visit and no error; the error is a sentence that names the file. Earlier versions
// let others read the file; this call makes it private.
Result<std::optional<Visit>> load_visit(const std::filesystem::path& file);

// Writes the file as replace_file does. Makes the folder; both are the user's alone. Returns an empty string, or a
// sentence that says why it could not be written.
std::string save_visit(const std::filesystem::path& file, const Visit& visit);

// The same where several windows of the program share the file: it keeps the recent files that it holds (or those of
// `visit`, if it cannot be read) and makes `changes` to them, oldest first; `visit.recent` becomes that list.
std::string merge_visit(const std::filesystem::path& file, Visit& visit, const std::vector<RecentChange>& changes);

}  // namespace attn
