// Reads a file or standard input, and writes a file or standard output.
#include "cli/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "disk/replace_file.h"
#include "playground/text/notes.h"
#include "share/opening/open_file.h"

namespace attn {
namespace {

// Why the last call on a file failed, in the system's words.
std::string reason() {
    return errno == 0 ? "the system does not say why" : std::strerror(errno);
}

std::string in_quotes(const std::string& path) {
    return concat('"', one_line(path), '"');
}

constexpr std::uintmax_t kMaxMebibytes = kMaxFileBytes >> 20U;

Result<std::string> read_all(std::istream& in, const std::string& what) {
    constexpr std::size_t kPiece = 1 << 16;
    std::string bytes;
    while (in && bytes.size() <= kMaxFileBytes) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kPiece);
        in.read(bytes.data() + size, kPiece);
        bytes.resize(size + static_cast<std::size_t>(in.gcount()));
    }
    if (bytes.size() <= kMaxFileBytes) return bytes;
    return Result<std::string>::failure(
        concat(what, " has more than ", kMaxMebibytes, " MiB, the most that can be opened."));
}

}  // namespace

Result<std::string> read_bytes(const std::string& path, std::istream& standard_input) {
    const auto refuse = [](std::string sentence) { return Result<std::string>::failure(std::move(sentence)); };
    if (path == "-") return read_all(standard_input, "Standard input");
    std::error_code no_file, no_size;
    if (std::filesystem::is_directory(path, no_file))
        return refuse(concat(in_quotes(path), " is a folder, not a file."));
    const std::uintmax_t num_bytes = std::filesystem::file_size(path, no_size);  // a pipe has none
    if (!no_size && num_bytes > kMaxFileBytes) {
        const std::uintmax_t mebibytes = (num_bytes + ((1U << 20U) - 1)) >> 20U;
        return refuse(concat(in_quotes(path), " has ", with_thousands(static_cast<std::int64_t>(mebibytes)),
                             " MiB; at most ", kMaxMebibytes, " can be opened."));
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return refuse(concat("Cannot read ", in_quotes(path), ": ", reason(), "."));
    return read_all(file, in_quotes(path));
}

std::string write_bytes(const std::string& path, const std::string& name, const std::string& bytes) {
    std::error_code no_file;
    const bool is_folder = std::filesystem::is_directory(path, no_file);
    const std::string target = is_folder ? (std::filesystem::path(path) / name).string() : path;
    const std::string reason = replace_file(target, bytes);
    return reason.empty() ? "" : concat("Cannot write ", in_quotes(target), ": ", reason, ".");
}

bool has_file(const std::string& path) {
    std::error_code none;
    return std::filesystem::exists(path, none);
}

std::string make_folder(const std::string& path) {
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    std::error_code no_file;
    if (std::filesystem::is_directory(path, no_file)) return "";
    return concat("Cannot make the folder ", in_quotes(path), ": ",
                  failure ? failure.message() : std::string("a file has this name"), ".");
}

}  // namespace attn
