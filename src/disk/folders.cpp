// Uses the system's permissions, and locks the folder itself: that leaves no lock file behind and ends with the
// program.
#include "disk/folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kForUser = S_IRWXU;
constexpr mode_t kForOthers = S_IRWXG | S_IRWXO;
constexpr std::chrono::seconds kPatience{2};

// Returns 0 or the system's error number.
int make_missing(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return 0;
    if (const fs::path above = folder.parent_path(); !above.empty() && above != folder) {
        if (const int number = make_missing(above); number != 0) return number;
    }
    if (::mkdir(folder.c_str(), kForUser) == 0) return 0;
    const int number = errno;
    return fs::is_directory(folder, error) ? 0 : number;  // another program has made it at this moment
}

}  // namespace

std::string make_private_folder(const fs::path& folder) {
    if (const int number = make_missing(folder); number != 0) return std::generic_category().message(number);
    struct stat status = {};
    // A file system without rights refuses; the files in the folder have their own.
    if (::stat(folder.c_str(), &status) == 0 && (status.st_mode & kForOthers) != 0)
        static_cast<void>(::chmod(folder.c_str(), kForUser));
    return {};
}

FolderLock::FolderLock(const fs::path& folder) : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (folder_ >= 0 && ::flock(folder_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) return;
        if (std::chrono::steady_clock::now() >= end) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    is_held_ = folder_ >= 0;
}

FolderLock::~FolderLock() {
    if (folder_ >= 0) ::close(folder_);
}

}  // namespace attn
