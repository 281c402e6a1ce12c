// The arguments of the desktop program. Turns text into choices; opens nothing and prints nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

// In points: device pixels are points times the scale.
struct WindowSize {
    int width = 1280;
    int height = 800;

    bool operator==(const WindowSize&) const = default;
};

inline constexpr WindowSize kSmallestWindow{360, 480};
inline constexpr WindowSize kLargestWindow{16384, 16384};

struct CommandLine {
    bool wants_help = false;
    bool wants_version = false;
    bool is_full_screen = false;
    bool has_contrast = false;              // black and white, whatever the system says
    bool reports_frames = false;            // one line on standard error for each frame drawn
    bool reports_items = false;             // what stands where, on standard output at the end
    std::optional<std::string> link;        // what to show, in place of what the last visit left
    std::vector<std::string> files;         // to open on top of it: paths and addresses that begin with "file:"
    std::optional<WindowSize> size;         // in place of the last visit's
    std::optional<bool> is_dark;            // in place of the system's colour scheme
    std::optional<float> scale;             // device pixels a point, in place of the monitor's; 0.5 to 4
    std::optional<std::string> screenshot;  // a file to write the settled picture to, without a visible window
};

// Reads the arguments after the program's name. What is neither an option nor looks like a link is a file: it begins
// with "file:", "/", "./" or "../", or has none of the signs that a link has ("=", "#", "?", "://"). The error is a
// sentence.
Result<CommandLine> read_command_line(std::span<const std::string_view> arguments);

// What --help prints.
std::string_view help_text();

}  // namespace attn
