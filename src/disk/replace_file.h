// Writes whole files so that neither a full disk nor a power cut leaves half of one. Knows no window, no console and
// no file format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attn {

// Who may read a file once it is written.
enum class Readers {
    as_usual,   // a new file: whoever the umask allows; an old one: the same people as before
    owner_only  // even if an old file let others
};

// Writes a new file beside the old one, waits until the disk has it, and puts it in the old one's place: any reader, at
// any time, finds the old bytes or the new ones. A symbolic link stays one; the file it names is written, or made if
// there is none yet.
// An old file is written in place if it has a second hard link, or if its folder lets nobody put another file there: a
// power cut in that moment loses it. A pipe or device takes the bytes as they are.
// New files that a program which died while saving has left in the folder (".attention-PID-N") are removed.
// Returns an empty string, or the reason why the file could not be written, in words that follow a colon.
std::string replace_file(const std::filesystem::path& file, std::string_view bytes,
                         Readers readers = Readers::as_usual);

}  // namespace attn
