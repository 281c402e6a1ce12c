// Reads whole files, and finds names for new ones.
#include "platform/files_desktop.h"

#include <glib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/ground/memory_room.h"
#include "core/words/code_points.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// The system's words for what went wrong last; 0 says nothing.
std::string reason_of(int error_number) {
    if (error_number == 0) return "the disk is full or the folder is read-only";
    return std::generic_category().message(error_number);
}

// Rounded up: a file of a byte more than 64 MiB has 65, else "it has 64 MiB, and at most 64" would be said.
std::string mebibytes(std::uintmax_t num_bytes) {
    constexpr std::uintmax_t kMebi = 1 << 20;
    return std::to_string(num_bytes / kMebi + (num_bytes % kMebi == 0 ? 0 : 1));
}

// A file that is read where it is, part by part.
FileData parts_of(const fs::path& file, const std::string& name, std::uintmax_t num_bytes) {
    const auto stream = std::make_shared<std::ifstream>(file, std::ios::binary);
    const auto read_part = [stream, name](std::uint64_t begin, std::span<std::uint8_t> into) -> std::string {
        errno = 0;
        stream->clear();
        stream->seekg(static_cast<std::streamoff>(begin));
        stream->read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
        if (*stream) return "";
        return name + " cannot be read: " + (errno == 0 ? "it has become shorter" : reason_of(errno)) + ".";
    };
    return {.name = name, .media_type = {}, .bytes = {}, .size = num_bytes, .read_part = read_part};
}

// The endings of a model's files. Those of tensors are large and come by parts (playground/models/model_opening.h).
constexpr std::array<std::string_view, 5> kOfTensors = {".safetensors", ".bin", ".pt", ".pth", ".gguf"};
constexpr std::array<std::string_view, 9> kOfModels = {".safetensors", ".bin",   ".pt",  ".pth",     ".json",
                                                       ".txt",         ".model", ".bpe", ".tiktoken"};

bool ends_with_one_of(const fs::path& path, std::span<const std::string_view> endings) {
    return std::ranges::find(endings, path.extension().string()) != endings.end();
}

}  // namespace

std::vector<fs::path> files_meant(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path / "config.json", error)) return {path};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
        if (ends_with_one_of(entry.path(), kOfModels) && entry.is_regular_file(error)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<FileData> read_file(const fs::path& file) {
    const std::string name = one_line(file.filename().string());
    const auto failure = [&name](const std::string& reason) {
        return Result<FileData>::failure(name + " cannot be opened: " + reason + ".");
    };
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) return failure("there is no file " + one_line(file.string()));
    if (status.type() == fs::file_type::directory) return failure("it is a folder");
    if (error) return failure(error.message());
    if (status.type() != fs::file_type::regular) return failure("it is not an ordinary file");
    const std::uintmax_t num_bytes = fs::file_size(file, error);
    if (error) return failure(error.message());
    if (ends_with_one_of(file, kOfTensors)) return parts_of(file, name, num_bytes);
    if (num_bytes > kMaxReadBytes)
        return failure("it has " + mebibytes(num_bytes) + " MiB, and at most " + mebibytes(kMaxReadBytes) +
                       " can be opened");
    if (!has_room_for(static_cast<std::int64_t>(num_bytes)))
        return failure("there is not enough memory for its " + mebibytes(num_bytes) + " MiB");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return failure(reason_of(errno));
    std::string bytes(static_cast<std::size_t>(num_bytes), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (stream.bad()) return failure(reason_of(errno));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));  // it may have become shorter meanwhile
    return FileData{.name = name, .media_type = {}, .bytes = std::move(bytes)};
}

fs::path fresh_file(const fs::path& folder, const std::string& name) {
    const fs::path plain = name;
    fs::path file = folder / plain;
    std::error_code error;
    for (int number = 2; fs::exists(fs::symlink_status(file, error)); ++number)
        file = folder / (plain.stem().string() + "-" + std::to_string(number) + plain.extension().string());
    return file;
}

fs::path download_folder() {
    std::error_code error;
    for (const GUserDirectory purpose : {G_USER_DIRECTORY_DOWNLOAD, G_USER_DIRECTORY_DOCUMENTS}) {
        const char* folder = g_get_user_special_dir(purpose);
        if (folder && fs::is_directory(folder, error)) return folder;
    }
    return g_get_home_dir();
}

Result<fs::path> path_of(const std::string& path_or_address) {
    if (!path_or_address.starts_with("file:")) return fs::path(path_or_address);
    gchar* path = g_filename_from_uri(path_or_address.c_str(), nullptr, nullptr);
    if (!path) {
        return Result<fs::path>::failure(one_line(path_or_address) +
                                         " cannot be opened: it is not the address of a file on this machine.");
    }
    fs::path file = path;
    g_free(path);
    return file;
}

}  // namespace attn
