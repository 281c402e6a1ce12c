// See files.h.
#include "cli/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/check.h"
#include "playground/notes.h"
#include "share/open_file.h"

namespace attn {
namespace {

// Why the last call on a file failed, in the system's words.
std::string reason() {
    return errno == 0 ? "the system does not say why" : std::strerror(errno);
}

std::string read_all(std::istream& in) {
    constexpr std::size_t kPiece = 1 << 16;
    std::string bytes;
    while (in && bytes.size() <= kMaxFileBytes) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kPiece);
        in.read(bytes.data() + size, kPiece);
        bytes.resize(size + static_cast<std::size_t>(in.gcount()));
    }
    return bytes;
}

}  // namespace

Result<std::string> read_bytes(const std::string& path, std::istream& standard_input) {
    if (path == "-") return read_all(standard_input);
    std::error_code no_file;
    if (std::filesystem::is_directory(path, no_file)) {
        return Result<std::string>::failure(concat('"', path, '"', " is a folder, not a file."));
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return Result<std::string>::failure(concat("Cannot read ", '"', path, '"', ": ", reason(), "."));
    return read_all(file);
}

std::string write_bytes(const std::string& path, const std::string& name, const std::string& bytes) {
    std::error_code no_file;
    const bool is_folder = std::filesystem::is_directory(path, no_file);
    const std::string target = is_folder ? (std::filesystem::path(path) / name).string() : path;
    errno = 0;
    std::ofstream file(target, std::ios::binary | std::ios::trunc);
    if (file) file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (file) file.close();
    return file ? "" : concat("Cannot write ", '"', target, '"', ": ", reason(), ".");
}

}  // namespace attn
