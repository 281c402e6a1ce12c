// Whole files in and out, with a sentence for everything that can go wrong. Knows no window, and not what a file means.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"
#include "platform/platform.h"

namespace attn {

// Nothing larger is read: it would be refused anyway.
inline constexpr std::size_t kMaxReadBytes = 64 << 20;

// What the file holds. The error is a sentence that begins with the file's name.
Result<FileData> read_file(const std::filesystem::path& file);

// Writes a new file beside the old one and puts it in its place, so that no reader ever sees half of it; a link goes on
// pointing where it did, and who may read the file stays as it was. Returns an empty string, or the reason why it could
// not be written, in words that follow a colon.
std::string replace_file(const std::filesystem::path& file, std::string_view bytes);

// `name` in `folder`, or with the first number from 2 that gives a file not there yet: "a.csv", "a-2.csv".
std::filesystem::path fresh_file(const std::filesystem::path& folder, const std::string& name);

// Where files go when nobody can be asked: the visitor's folder for downloads, or documents, or everything.
std::filesystem::path download_folder();

// What the system, a dialog or a command line calls a file: a path, or an address that begins with "file:". The error
// is a sentence.
Result<std::filesystem::path> path_of(const std::string& path_or_address);

}  // namespace attn
