// The files that are named on the command line: read and written whole. Does not know what they contain.
#pragma once

#include <istream>
#include <string>

#include "core/ground/result.h"

namespace attn {

// All bytes of the file at `path`; "-" is `standard_input`. The error is a sentence: no such file, more than
// kMaxFileBytes (share/open_file.h).
Result<std::string> read_bytes(const std::string& path, std::istream& standard_input);

// Writes `bytes` to the file at `path`, over one that is there. Where `path` is a folder: to the file `name` in it.
// Returns a sentence that says why it was not written, or nothing.
std::string write_bytes(const std::string& path, const std::string& name, const std::string& bytes);

// Whether there is a file or a folder at `path`.
bool has_file(const std::string& path);

// Makes the folder at `path`, and those above it that are missing; one that is there stays as it is. Returns a sentence
// that says why there is none, or nothing.
std::string make_folder(const std::string& path);

}  // namespace attn
