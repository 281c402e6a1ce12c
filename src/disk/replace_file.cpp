// The steps of replace_file, each of which returns 0 or the system's error number.
#include "disk/replace_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kForOwner = S_IRUSR | S_IWUSR;
constexpr mode_t kForUmask = 0666;  // the system takes away what the umask forbids
constexpr mode_t kAllRights = 07777;

class Descriptor {
public:
    Descriptor(const fs::path& file, int flags, mode_t mode = 0) {
        do {
            number_ = ::open(file.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
        } while (number_ < 0 && errno == EINTR);
    }
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    explicit operator bool() const { return number_ >= 0; }
    int operator*() const { return number_; }

    // Some file systems say only now that the bytes did not fit.
    int close() {
        if (number_ < 0) return 0;
        return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
    }

private:
    int number_ = -1;
};

int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t num_written = ::write(file, bytes.data(), bytes.size());
        if (num_written < 0 && errno != EINTR) return errno;
        if (num_written > 0) bytes.remove_prefix(static_cast<std::size_t>(num_written));
    }
    return 0;
}

// Waits until the disk has what was written. A file system that cannot tell does what it can.
int sync(int file) {
#ifdef F_FULLFSYNC  // macOS, whose fsync does not wait for the disk's own cache
    if (::fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
    while (::fsync(file) != 0) {
        if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return 0;
        if (errno != EINTR) return errno;
    }
    return 0;
}

// The same for the names in a folder.
int sync_folder(const fs::path& folder) {
    const Descriptor descriptor(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
    if (!descriptor) return errno == EACCES ? 0 : errno;  // one may write into a folder that one may not list
    return sync(*descriptor);
}

// Follows symbolic links to the name of the file itself, which need not be there yet. Returns false if there is no such
// name: the links below /proc, where /dev/stdout leads, stand for files that are open already.
bool follow_links(fs::path& file) {
    std::error_code error;
    while (fs::is_symlink(fs::symlink_status(file, error))) {
        if (fs::canonical(file.parent_path(), error).native().starts_with("/proc/")) return false;
        const fs::path next = fs::read_symlink(file, error);
        if (error) return false;
        file = file.parent_path() / next;
    }
    return true;
}

// Gives a new file the owner and the rights of the old one. Some file systems know no rights, and refuse: then the new
// file keeps those it was made with, which let nobody else read it.
int take_over(const struct stat& old, int file, Readers readers) {
    struct stat now = {};
    if (::fstat(file, &now) != 0) return errno;
    const bool has_owner = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
    if (!has_owner && ::fchown(file, old.st_uid, old.st_gid) != 0) return errno;
    const mode_t rights = readers == Readers::owner_only ? kForOwner : old.st_mode & kAllRights;
    if ((now.st_mode & kAllRights) != rights || !has_owner) static_cast<void>(::fchmod(file, rights));
    return 0;
}

constexpr std::string_view kFreshName = ".attention-";  // then the process, a hyphen and a number

bool is_fresh_name(std::string_view name) {
    if (!name.starts_with(kFreshName)) return false;
    name.remove_prefix(kFreshName.size());
    return !name.empty() && name.front() != '-' && name.back() != '-' && std::ranges::count(name, '-') == 1 &&
           std::ranges::all_of(name, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

// Removes what programs that died while saving have left in the folder. Who is saving holds a lock on the new file.
void remove_left_files(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
         at.increment(error)) {
        if (!is_fresh_name(at->path().filename().native())) continue;
        const Descriptor left(at->path(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        struct stat status = {};
        if (!left || ::fstat(*left, &status) != 0 || !S_ISREG(status.st_mode)) continue;
        if (::flock(*left, LOCK_EX | LOCK_NB) != 0) continue;
        // A save may have given it its own name meanwhile, and the next save taken this one for another file.
        struct stat named = {};
        const bool has_name =
            ::lstat(at->path().c_str(), &named) == 0 && named.st_dev == status.st_dev && named.st_ino == status.st_ino;
        if (has_name) ::unlink(at->path().c_str());
    }
}

// A new file beside the target, locked. Somebody who cleans up may have taken it away before it was: then it has no
// name, and the next one is made.
int open_fresh(const fs::path& target, mode_t rights, fs::path& fresh, std::optional<Descriptor>& file) {
    const std::string name = std::string(kFreshName) + std::to_string(::getpid()) + "-";
    struct stat status = {};
    for (int n = 0; status.st_nlink == 0; ++n) {
        fresh = target.parent_path() / (name + std::to_string(n));
        file.emplace(fresh, O_WRONLY | O_CREAT | O_EXCL, rights);
        if (!*file && errno != EEXIST) return errno;
        if (!*file) continue;                         // another save of this process
        static_cast<void>(::flock(**file, LOCK_EX));  // some file systems have none: there nobody cleans up
        if (::fstat(**file, &status) != 0) return errno;
    }
    return 0;
}

// `old` is null if there is no file at `target`.
int write_beside_and_rename(const fs::path& target, std::string_view bytes, Readers readers, const struct stat* old) {
    remove_left_files(target.parent_path());
    fs::path fresh;
    std::optional<Descriptor> file;
    const mode_t rights = old || readers == Readers::owner_only ? kForOwner : kForUmask;
    int error = open_fresh(target, rights, fresh, file);
    if (error != 0) return error;
    const Descriptor lock(::fcntl(**file, F_DUPFD_CLOEXEC, 0));  // kept until the file has its name
    if (old) error = take_over(*old, **file, readers);
    if (error == 0) error = write_all(**file, bytes);
    if (error == 0) error = sync(**file);
    const int close_error = file->close();
    if (error == 0) error = close_error;
    if (error == 0 && std::rename(fresh.c_str(), target.c_str()) != 0) error = errno;
    if (error == 0) return sync_folder(target.parent_path());
    ::unlink(fresh.c_str());
    return error;
}

int write_in_place(int file, std::string_view bytes, Readers readers) {
    if (readers == Readers::owner_only && ::fchmod(file, kForOwner) != 0) return errno;
    if (const int error = write_all(file, bytes); error != 0) return error;
    if (::ftruncate(file, static_cast<off_t>(bytes.size())) != 0) return errno;
    return sync(file);
}

// The folder takes no new file, or the old one cannot be replaced: another owner's, or mounted there by itself.
bool must_stay_in_place(int error) {
    return error == EACCES || error == EPERM || error == EROFS || error == EBUSY || error == EXDEV;
}

int write_file(const fs::path& file, std::string_view bytes, Readers readers) {
    Descriptor old(file, O_WRONLY);  // the system's own rules say whether this file, and this link, may be used
    if (!old && errno != ENOENT) return errno;
    fs::path target = file;
    const bool has_name = follow_links(target);
    if (!old) return has_name ? write_beside_and_rename(target, bytes, readers, nullptr) : ENOENT;

    struct stat before = {};
    if (::fstat(*old, &before) != 0) return errno;
    if (!S_ISREG(before.st_mode)) {
        const int error = write_all(*old, bytes);
        const int close_error = old.close();
        return error != 0 ? error : close_error;
    }
    if (has_name && before.st_nlink < 2) {
        const int error = write_beside_and_rename(target, bytes, readers, &before);
        if (!must_stay_in_place(error)) return error;
    }
    return write_in_place(*old, bytes, readers);
}

}  // namespace

std::string replace_file(const fs::path& file, std::string_view bytes, Readers readers) {
    const int error = write_file(file, bytes, readers);
    return error == 0 ? std::string() : std::generic_category().message(error);
}

}  // namespace attn
