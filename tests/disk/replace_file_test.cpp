// Files that are written anew: what a reader, a power cut, a full disk and the system's rights leave of the old one.
// This program's own fsync and rename stand before the system's, note each call, and fail when they are told to.
#include "disk/replace_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch_amalgamated.hpp>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "disk/somebody.h"
#include "platform/temporary_folder.h"

using namespace attn;
namespace fs = std::filesystem;

namespace {

struct Calls {
    std::vector<std::string> notes;  // "sync NAME", "rename NAME NAME"; the new file's name is "new"
    int num_syncs = 0;
    int failing_sync = 0;  // its number, from 1
    int sync_error = 0;
    int rename_error = 0;
};
Calls calls;
std::mutex calls_guard;

std::string short_name(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with(".attention-") ? "new" : name;
}

}  // namespace

extern "C" int fsync(int file) {
    std::error_code error;
    const fs::path name = fs::read_symlink("/proc/self/fd/" + std::to_string(file), error);
    const std::lock_guard guard(calls_guard);
    calls.notes.push_back("sync " + short_name(name));
    if (++calls.num_syncs == calls.failing_sync) {
        errno = calls.sync_error;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int rename(const char* from, const char* to) noexcept {
    const std::lock_guard guard(calls_guard);
    calls.notes.push_back("rename " + short_name(from) + " " + short_name(to));
    if (calls.rename_error != 0) {
        errno = calls.rename_error;
        return -1;
    }
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace {

// A folder "home" for a test, and the calls noted from now on.
struct Home {
    Home() {
        fs::create_directory(path);
        calls = {};
    }
    TemporaryFolder folder;
    const fs::path path = folder.path() / "home";
};

mode_t rights_of(const fs::path& file) {
    struct stat status = {};
    REQUIRE(stat(file.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

// No file of this process may grow beyond so many bytes.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t num_bytes) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit small = before_;
        small.rlim_cur = num_bytes;
        REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    }
    ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_ = {};
};

}  // namespace

TEST_CASE("the disk has the new file before the name is its own, and the name before all is said to be well",
          "[disk]") {
    const Home home;
    const fs::path file = home.path / "a.csv";
    const bool is_old = GENERATE(false, true);
    if (is_old) write_file(file, "old");
    CHECK(replace_file(file, "new").empty());
    CHECK(calls.notes == std::vector<std::string>{"sync new", "rename new a.csv", "sync home"});
    CHECK(bytes_of(file) == "new");
    CHECK(num_files_in(home.path) == 1);
}

TEST_CASE("a disk that fails to keep the new file leaves the old one, and a reason", "[disk][bad-input]") {
    const Home home;
    const fs::path file = home.path / "a.csv";
    write_file(file, "old");
    SECTION("when it is asked to keep it") {
        calls.failing_sync = 1;
        calls.sync_error = EIO;
        CHECK(replace_file(file, "new") == "Input/output error");
    }
    SECTION("when there is no room for it") {
        const SmallDisk disk(1000);
        CHECK(replace_file(file, std::string(1001, 'x')) == "File too large");
    }
    SECTION("when it is to be put in its place") {
        calls.rename_error = EIO;
        CHECK(replace_file(file, "new") == "Input/output error");
    }
    CHECK(bytes_of(file) == "old");
    CHECK(num_files_in(home.path) == 1);
}

TEST_CASE("a disk that fails to keep the new name is told", "[disk][bad-input]") {
    const Home home;
    calls.failing_sync = 2;
    calls.sync_error = EIO;
    CHECK(replace_file(home.path / "a.csv", "new") == "Input/output error");
    CHECK(num_files_in(home.path) == 1);
}

TEST_CASE("a file system that cannot wait for its disk is no failure", "[disk]") {
    const Home home;
    calls.failing_sync = GENERATE(1, 2);
    calls.sync_error = GENERATE(EINVAL, ENOTSUP);
    CHECK(replace_file(home.path / "a.csv", "new").empty());
    CHECK(bytes_of(home.path / "a.csv") == "new");
}

TEST_CASE("a symbolic link goes on pointing where it did, whether a file is there already or not", "[disk]") {
    const Home home;
    fs::create_directory(home.path / "far");
    const fs::path file = home.path / "far" / "real.attention";
    if (GENERATE(false, true)) write_file(file, "old");
    fs::create_symlink("far/real.attention", home.path / "first");
    fs::create_symlink(home.path / "first", home.path / "second");
    CHECK(replace_file(home.path / "second", "new").empty());
    CHECK(fs::is_symlink(home.path / "first"));
    CHECK(fs::is_symlink(home.path / "second"));
    CHECK(fs::is_regular_file(fs::symlink_status(file)));
    CHECK(bytes_of(file) == "new");
    CHECK(num_files_in(home.path) == 3);
    CHECK(num_files_in(home.path / "far") == 1);
    CHECK(calls.notes == std::vector<std::string>{"sync new", "rename new real.attention", "sync far"});
}

TEST_CASE("links that lead nowhere have a reason, and stay", "[disk][bad-input]") {
    const Home home;
    fs::create_symlink("circle", home.path / "circle");
    fs::create_symlink("no such folder/a.csv", home.path / "nowhere");
    CHECK(replace_file(home.path / "circle", "new") == "Too many levels of symbolic links");
    CHECK(replace_file(home.path / "nowhere", "new") == "No such file or directory");
    CHECK(num_files_in(home.path) == 2);
}

TEST_CASE("who may read a file stays as it was, and the umask decides for a new one", "[disk]") {
    const Home home;
    const fs::path file = home.path / "a.csv";
    const mode_t before = umask(027);
    CHECK(replace_file(file, "1").empty());
    CHECK(rights_of(file) == 0640);
    umask(before);
    const mode_t rights = GENERATE(0600, 0644, 0666, 0755);
    REQUIRE(chmod(file.c_str(), rights) == 0);
    CHECK(replace_file(file, "2").empty());
    CHECK(rights_of(file) == rights);
}

TEST_CASE("what is for its owner alone is so from the start, and an old file becomes so", "[disk]") {
    const Home home;
    const fs::path file = home.path / "last-visit";
    if (GENERATE(false, true)) {
        write_file(file, "old");
        REQUIRE(chmod(file.c_str(), 0666) == 0);
        if (GENERATE(false, true)) fs::create_hard_link(file, home.path / "second name");
    }
    CHECK(replace_file(file, "new", Readers::owner_only).empty());
    CHECK(rights_of(file) == 0600);
    CHECK(bytes_of(file) == "new");
}

TEST_CASE("a file with two names keeps both, and is written in place", "[disk]") {
    const Home home;
    const fs::path file = home.path / "a.csv", other = home.path / "b.csv";
    write_file(file, "old and long");
    fs::create_hard_link(file, other);
    CHECK(replace_file(file, "new").empty());
    CHECK(bytes_of(file) == "new");
    CHECK(bytes_of(other) == "new");
    CHECK(calls.notes == std::vector<std::string>{"sync a.csv"});
}

TEST_CASE("where the old file cannot be replaced it is written in place", "[disk]") {
    const Home home;
    const fs::path file = home.path / "a.csv";
    SECTION("in a folder that takes no new file") {
        const Somebody somebody(home.path);
        write_file(file, "old and long");
        fs::permissions(home.path, fs::perms::owner_read | fs::perms::owner_exec);
        CHECK(replace_file(file, "new").empty());
        CHECK(bytes_of(file) == "new");
        CHECK(replace_file(home.path / "b.csv", "new") == "Permission denied");
        CHECK(num_files_in(home.path) == 1);
        fs::permissions(home.path, fs::perms::owner_all);
    }
    SECTION("where something is mounted on it") {
        write_file(file, "old and long");
        calls.rename_error = EBUSY;
        CHECK(replace_file(file, "new").empty());
        CHECK(bytes_of(file) == "new");
        CHECK(num_files_in(home.path) == 1);
    }
    SECTION("of another owner, whom the new file cannot have") {
        write_file(file, "old and long");
        REQUIRE(chmod(file.c_str(), 0666) == 0);
        struct stat before = {}, after = {};
        REQUIRE(stat(file.c_str(), &before) == 0);
        const Somebody somebody(home.path);
        CHECK(replace_file(file, "new").empty());
        REQUIRE(stat(file.c_str(), &after) == 0);
        CHECK(after.st_uid == before.st_uid);
        if (somebody.was_root()) CHECK(after.st_ino == before.st_ino);
        CHECK(bytes_of(file) == "new");
        CHECK(num_files_in(home.path) == 1);
    }
}

TEST_CASE("a file that nobody may write is not replaced", "[disk][bad-input]") {
    const Home home;
    const Somebody somebody(home.path);
    const fs::path file = home.path / "a.csv";
    write_file(file, "old");
    fs::permissions(file, fs::perms::owner_read);
    CHECK(replace_file(file, "new") == "Permission denied");
    CHECK(bytes_of(file) == "old");
    CHECK(num_files_in(home.path) == 1);
}

TEST_CASE("a folder that may be written but not listed takes a file", "[disk]") {
    const Home home;
    const Somebody somebody(home.path);
    fs::permissions(home.path, fs::perms::owner_write | fs::perms::owner_exec);
    CHECK(replace_file(home.path / "a.csv", "new").empty());
    CHECK(bytes_of(home.path / "a.csv") == "new");
    fs::permissions(home.path, fs::perms::owner_all);
}

TEST_CASE("pipes and devices take the bytes as they are, and stay what they are", "[disk]") {
    const Home home;
    const fs::path pipe = home.path / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::string read;
    std::thread reader([&] { read = bytes_of(pipe); });
    CHECK(replace_file(pipe, "new").empty());
    reader.join();
    CHECK(read == "new");
    CHECK(fs::is_fifo(pipe));
    fs::create_symlink("/dev/full", home.path / "full");
    const Somebody somebody(home.path);  // root could do away with the machine's devices
    CHECK(replace_file(home.path / "full", "new") == "No space left on device");
    CHECK(replace_file("/dev/null", "new").empty());
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(num_files_in(home.path) == 2);
}

TEST_CASE("an open file that /proc names is written in place", "[disk]") {
    const Home home;
    const fs::path file = home.path / "a.csv";
    write_file(file, "old and long");
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
    CHECK(replace_file("/dev/fd/" + std::to_string(descriptor), "new").empty());
    close(descriptor);
    CHECK(bytes_of(file) == "new");
    CHECK(calls.notes == std::vector<std::string>{"sync a.csv"});
}

TEST_CASE("what cannot be written has a reason and leaves nothing behind", "[disk][bad-input]") {
    const Home home;
    fs::create_directories(home.path / "folder" / "inside");
    write_file(home.path / "file", "");
    CHECK_FALSE(replace_file(home.path / "no such folder" / "a.csv", "1").empty());
    CHECK_FALSE(replace_file(home.path / "folder", "1").empty());
    CHECK(replace_file(home.path / "file" / "a.csv", "1") == "Not a directory");
    CHECK(num_files_in(home.path) == 2);
    // A device that is always full.
    CHECK(replace_file("/dev/full/a.csv", "1") == "Not a directory");
}

TEST_CASE("a name without a folder stands in the folder one is in", "[disk]") {
    const Home home;
    const fs::path before = fs::current_path();
    fs::current_path(home.path);
    const std::string reason = replace_file("a.csv", "new");
    fs::current_path(before);
    CHECK(reason.empty());
    CHECK(bytes_of(home.path / "a.csv") == "new");
}

TEST_CASE("what a killed program left of a save goes at the next one, what somebody is writing stays",
          "[disk][bad-input]") {
    const Home home;
    const fs::path own = home.path / (".attention-" + std::to_string(getpid()) + "-0");
    write_file(own, "half");
    write_file(home.path / ".attention-99999999-12", "half");
    const fs::path busy = home.path / ".attention-2-0";
    write_file(busy, "half");
    for (const char* other : {".attention-", ".attention-1", ".attention-1-", ".attention-1-2-3", ".attention-a-1",
                              ".attention--1", "attention-1-1"})
        write_file(home.path / other, "kept");
    fs::create_directory(home.path / ".attention-3-0");
    REQUIRE(mkfifo((home.path / ".attention-4-0").c_str(), 0600) == 0);
    fs::create_symlink("attention-1-1", home.path / ".attention-5-0");
    const int file = open(busy.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(flock(file, LOCK_EX) == 0);
    CHECK(replace_file(home.path / "a.csv", "new").empty());
    CHECK(fs::exists(busy));
    CHECK_FALSE(fs::exists(own));
    CHECK_FALSE(fs::exists(home.path / ".attention-99999999-12"));
    CHECK(std::distance(fs::directory_iterator(home.path), {}) == 1 + 1 + 7 + 3);
    close(file);
    CHECK(replace_file(home.path / "a.csv", "newer").empty());
    CHECK_FALSE(fs::exists(busy));
    CHECK(bytes_of(home.path / "a.csv") == "newer");
}

TEST_CASE("saves at the same time do not take each other's new files away", "[disk]") {
    const Home home;
    std::vector<std::string> reasons(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        threads.emplace_back([&, i] {
            for (int n = 0; n < 250 && reasons[i].empty(); ++n)
                reasons[i] = replace_file(home.path / std::to_string(i), std::to_string(n));
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        CHECK(reasons[i].empty());
        CHECK(bytes_of(home.path / std::to_string(i)) == "249");
    }
    CHECK(num_files_in(home.path) == 8);
}
