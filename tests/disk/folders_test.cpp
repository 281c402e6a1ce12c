// Folders for one's own eyes: their rights, why they cannot be made, and their locks.
#include "disk/folders.h"

#include <sys/stat.h>

#include <atomic>
#include <catch_amalgamated.hpp>
#include <latch>
#include <thread>
#include <vector>

#include "disk/somebody.h"
#include "platform/temporary_folder.h"

using namespace attn;
namespace fs = std::filesystem;

namespace {

mode_t rights_of_folder(const fs::path& folder) {
    struct stat status = {};
    REQUIRE(stat(folder.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a private folder is made with those above it, and what was there above stays as it was", "[disk]") {
    const TemporaryFolder folder;
    const fs::path above = folder.path() / "above", inner = above / "missing" / "inner";
    fs::create_directory(above);
    REQUIRE(chmod(above.c_str(), 0755) == 0);
    CHECK(make_private_folder(inner).empty());
    CHECK(rights_of_folder(above) == 0755);
    CHECK(rights_of_folder(inner.parent_path()) == 0700);
    CHECK(rights_of_folder(inner) == 0700);
    REQUIRE(chmod(inner.c_str(), 0755) == 0);
    CHECK(make_private_folder(inner).empty());
    CHECK(rights_of_folder(inner) == 0700);
}

TEST_CASE("a folder that cannot be made has a reason", "[disk][bad-input]") {
    const TemporaryFolder folder;
    const fs::path home = folder.path() / "home";
    fs::create_directory(home);
    write_file(home / "file", "");
    CHECK(make_private_folder(home / "file") == "File exists");
    CHECK(make_private_folder(home / "file" / "inner") == "File exists");
    const Somebody somebody(home);
    fs::permissions(home, fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(make_private_folder(home / "a" / "b") == "Permission denied");
    fs::permissions(home, fs::perms::owner_all);
}

TEST_CASE("one holds the lock on a folder at a time", "[disk][property]") {
    const TemporaryFolder folder;
    std::atomic<int> num_holders = 0, most_holders = 0, num_rounds = 0;
    std::vector<std::thread> threads;
    constexpr int kThreads = 4;
    std::latch all_are_there(kThreads);
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            all_are_there.arrive_and_wait();
            for (int round = 0; round < 5; ++round) {
                const FolderLock lock(folder.path());
                ++num_rounds;
                if (!lock.is_held()) continue;  // where the machine is busy, another may have it for too long
                const int holders = ++num_holders;
                if (holders > most_holders) most_holders = holders;
                for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();  // the others have a go at it
                --num_holders;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(num_rounds == 20);
    CHECK(most_holders == 1);  // the first to come holds it
    CHECK(num_files_in(folder.path()) == 0);
}

TEST_CASE("a program that hangs with the lock does not stop others for ever, and a missing folder has no lock",
          "[disk]") {
    const TemporaryFolder folder;
    const FolderLock hangs(folder.path());
    const FolderLock next(folder.path());
    const FolderLock nowhere(folder.path() / "nowhere");
    CHECK(hangs.is_held());
    CHECK_FALSE(next.is_held());
    CHECK_FALSE(nowhere.is_held());
}
