// See files_desktop.h.
#include "platform/files_desktop.h"

#include <glib.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

namespace attn {
namespace {

namespace fs = std::filesystem;

// The system's words for what went wrong last; 0 says nothing.
std::string reason_of(int error_number) {
    if (error_number == 0) return "the disk is full or the folder is read-only";
    return std::generic_category().message(error_number);
}

}  // namespace

Result<FileData> read_file(const fs::path& file) {
    const auto failure = [&file](const std::string& reason) {
        return Result<FileData>::failure(file.filename().string() + " cannot be opened: " + reason + ".");
    };
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) return failure("there is no file " + file.string());
    if (status.type() == fs::file_type::directory) return failure("it is a folder");
    if (error) return failure(error.message());
    if (status.type() != fs::file_type::regular) return failure("it is no ordinary file");
    const std::uintmax_t num_bytes = fs::file_size(file, error);
    if (error) return failure(error.message());
    if (num_bytes > kMaxReadBytes)
        return failure("it has " + std::to_string(num_bytes >> 20U) + " MiB, and at most " +
                       std::to_string(kMaxReadBytes >> 20U) + " can be opened");
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return failure(reason_of(errno));
    std::string bytes(static_cast<std::size_t>(num_bytes), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (stream.bad()) return failure(reason_of(errno));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));  // it may have become shorter meanwhile
    return FileData{.name = file.filename().string(), .media_type = {}, .bytes = std::move(bytes)};
}

std::string replace_file(const fs::path& file, std::string_view bytes) {
    std::error_code error;
    const fs::path followed = fs::canonical(file, error);
    const fs::path target = error ? file : followed;
    // Another program of the same kind may be writing at this moment: each writes a file of its own.
    const fs::path fresh =
        target.parent_path() /
        (".attention-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    errno = 0;
    std::ofstream stream(fresh, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
        const std::string reason = reason_of(errno);
        fs::remove(fresh, error);
        return reason;
    }
    const fs::file_status before = fs::status(target, error);
    if (fs::is_regular_file(before)) fs::permissions(fresh, before.permissions(), error);
    fs::rename(fresh, target, error);
    if (!error) return {};
    std::string reason = error.message();
    fs::remove(fresh, error);
    return reason;
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
        return Result<fs::path>::failure(path_or_address +
                                         " cannot be opened: it is no address of a file on this machine.");
    }
    fs::path file = path;
    g_free(path);
    return file;
}

}  // namespace attn
