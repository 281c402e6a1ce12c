// Reads whole files, with a sentence for everything that can go wrong, and finds the folders for new ones. Knows no
// window and no file format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "platform/platform.h"

namespace attn {

// Nothing larger is read: it would be refused anyway.
inline constexpr std::size_t kMaxReadBytes = 64 << 20;

// What the file holds, and its name in one line; of a model's numbers (.safetensors) what reads them part by part. The
// error is a sentence that begins with that name; where there is no memory for the file, nothing is read.
Result<FileData> read_file(const std::filesystem::path& file);

// What a visitor means by a path: the file, or in a model's folder (one with a config.json) the files of the model.
std::vector<std::filesystem::path> files_meant(const std::filesystem::path& path);

// `name` in `folder`, or with the first number from 2 that gives a file not there yet: "a.csv", "a-2.csv".
std::filesystem::path fresh_file(const std::filesystem::path& folder, const std::string& name);

// Where files go when nobody can be asked: the visitor's folder for downloads, or documents, or everything.
std::filesystem::path download_folder();

// What the system, a dialog or a command line calls a file: a path, or an address that begins with "file:". The error
// is a sentence.
Result<std::filesystem::path> path_of(const std::string& path_or_address);

}  // namespace attn
