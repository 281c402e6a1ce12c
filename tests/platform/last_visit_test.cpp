// What is remembered between two visits: the file's text, and files that are missing, spoilt or cannot be written.
#include "platform/last_visit_desktop.h"

#include <sys/stat.h>

#include <atomic>
#include <catch_amalgamated.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>

#include "platform/temporary_folder.h"
#include "platform/visit_keeper_desktop.h"

using namespace attn;

namespace {

int rights(const std::filesystem::path& file) {
    struct stat status = {};
    REQUIRE(stat(file.c_str(), &status) == 0);
    return static_cast<int>(status.st_mode & 07777);
}

void wait_until(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!is_so()) {
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

RecentFiles recent_in(const std::filesystem::path& file) {
    const Result<std::optional<Visit>> visit = load_visit(file);
    REQUIRE(visit);
    REQUIRE(visit->has_value());
    return (*visit)->recent;
}

}  // namespace

TEST_CASE("a visit survives its file", "[last-visit][property]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "new folder" / "last-visit";
    const Visit visit = GENERATE(Visit{}, Visit{{360, 480}, WindowPosition{-1920, 0}, "v=1&text=a+b&heads=4", {}},
                                 Visit{{1920, 1200}, std::nullopt, "text=%F0%9F%98%80 link size 3", {}},
                                 Visit{{800, 600}, {}, "", {"/a b/c.attention", "/d/\u00e9 link.attention"}});
    CHECK(save_visit(file, visit).empty());
    const Result<std::optional<Visit>> loaded = load_visit(file);
    REQUIRE(loaded);
    REQUIRE(loaded->has_value());
    CHECK(**loaded == visit);
}

TEST_CASE("a line break in a link cannot break the file", "[last-visit][bad-input]") {
    const Result<Visit> visit = read_visit(write_visit(Visit{{}, {}, "text=a\nsize 1 2\n", {}}));
    REQUIRE(visit);
    CHECK(visit->link == "text=a%0Asize 1 2%0A");
    CHECK(visit->size == WindowSize{});
}

TEST_CASE("saving leaves one file, however often", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    for (int i = 0; i < 3; ++i) CHECK(save_visit(file, Visit{{}, {}, "seed=" + std::to_string(i), {}}).empty());
    CHECK(num_files_in(folder.path()) == 1);
    CHECK((**load_visit(file)).link == "seed=2");
}

TEST_CASE("without a file there is no visit and no complaint", "[last-visit]") {
    const TemporaryFolder folder;
    const Result<std::optional<Visit>> loaded = load_visit(folder.path() / "nothing" / "here");
    REQUIRE(loaded);
    CHECK_FALSE(loaded->has_value());
}

TEST_CASE("a damaged file is refused with a sentence that names it", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    const std::string good = write_visit(Visit{{}, WindowPosition{1, 2}, "heads=4", {}});
    const std::string text =
        GENERATE_COPY(std::string(), std::string("\n"), std::string("\0\xff\x01 noise\n", 10),
                      std::string("attention-playground 2\n"), good + "colour blue\n", good + "size 3\n",
                      good + "size 1 2 3\n", good + "size 99999999999 3\n", good + "position a b\n",
                      good + "position 1\n", good + "nonsense\n", good.substr(0, good.size() - 1));
    write_file(file, text);
    const Result<std::optional<Visit>> loaded = load_visit(file);
    CAPTURE(text);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().find(file.string()) != std::string::npos);
    CHECK(loaded.error().ends_with("."));
}

TEST_CASE("sizes nobody can use are moved to the nearest usable one", "[last-visit][bad-input]") {
    const Result<Visit> visit = read_visit("attention-playground 1\nsize -5 1000000\nlink \n");
    REQUIRE(visit);
    CHECK(visit->size == WindowSize{kSmallestWindow.width, kLargestWindow.height});
}

TEST_CASE("a file of a program that knew no recent files is read, and no more are kept than ten", "[last-visit]") {
    const Result<Visit> old = read_visit("attention-playground 1\nsize 800 600\nlink heads=4\n");
    REQUIRE(old);
    CHECK(old->recent.empty());
    std::string text = "attention-playground 1\n";
    for (int i = 0; i < 20; ++i) text += "recent /" + std::to_string(i) + ".attention\n";
    const Result<Visit> visit = read_visit(text);
    REQUIRE(visit);
    CHECK(visit->recent.size() == kMaxRecent);
    CHECK(visit->recent.front() == "/0.attention");
}

TEST_CASE("a folder in the file's place is refused both ways with a sentence", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    std::filesystem::create_directories(file / "inside");
    CHECK_FALSE(load_visit(file));
    CHECK_FALSE(save_visit(file, Visit{}).empty());
    CHECK(num_files_in(folder.path()) == 1);
}

TEST_CASE("a file in the folder's place gives a sentence", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "not a folder", "");
    const std::string error = save_visit(folder.path() / "not a folder" / "last-visit", Visit{});
    CHECK(error.find("not a folder") != std::string::npos);
    CHECK(error.ends_with("."));
}

TEST_CASE("what was typed is the user's alone: the file, its folder, and folders made for it", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path own = folder.path() / "state" / "attention-playground", file = own / "last-visit";
    const mode_t before = umask(0);
    CHECK(save_visit(file, Visit{}).empty());
    umask(before);
    CHECK(rights(file) == 0600);
    CHECK(rights(own) == 0700);
    CHECK(rights(own.parent_path()) == 0700);
}

TEST_CASE("a file that an earlier version let others read is theirs no longer", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path above = folder.path() / "state", own = above / "attention-playground";
    const std::filesystem::path file = own / "last-visit";
    std::filesystem::create_directories(own);
    write_file(file, write_visit(Visit{}));
    for (const std::filesystem::path& folder_of_others : {above, own})
        REQUIRE(chmod(folder_of_others.c_str(), 0755) == 0);
    REQUIRE(chmod(file.c_str(), 0644) == 0);
    CHECK(load_visit(file));
    CHECK(rights(file) == 0600);
    REQUIRE(chmod(file.c_str(), 0644) == 0);
    CHECK(save_visit(file, Visit{}).empty());
    CHECK(rights(file) == 0600);
    CHECK(rights(own) == 0700);
    CHECK(rights(above) == 0755);  // others have their folders there
}

TEST_CASE("a link to a file that is not there yet stays a link", "[last-visit]") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "kept");
    std::filesystem::create_symlink("kept/visit", folder.path() / "last-visit");
    CHECK(save_visit(folder.path() / "last-visit", Visit{{}, {}, "seed=1", {}}).empty());
    CHECK(std::filesystem::is_symlink(folder.path() / "last-visit"));
    CHECK(bytes_of(folder.path() / "kept" / "visit").find("link seed=1\n") != std::string::npos);
    CHECK(rights(folder.path() / "kept" / "visit") == 0600);
}

TEST_CASE("two windows keep each other's recent files, and what is gone stays gone", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    Visit one{{}, {}, "seed=1", {"/common.attention", "/gone.attention"}}, two = one;
    CHECK(save_visit(file, one).empty());
    CHECK(merge_visit(file, one, {{.file = "/one.attention"}, {.file = "/gone.attention", .is_gone = true}}).empty());
    two.link = "seed=2";
    CHECK(merge_visit(file, two, {{.file = "/two.attention"}}).empty());
    const RecentFiles all{"/two.attention", "/one.attention", "/common.attention"};
    CHECK(two.recent == all);
    CHECK(recent_in(file) == all);
    CHECK(merge_visit(file, one, {}).empty());  // it has nothing new
    CHECK(one.recent == all);
    CHECK(recent_in(file) == all);
    CHECK((**load_visit(file)).link == "seed=1");
}

TEST_CASE("where the list cannot be read, the window's own is written", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    if (GENERATE(false, true)) write_file(file, "nonsense");
    Visit visit{{}, {}, "", {"/mine.attention", "/old.attention"}};
    CHECK(merge_visit(file, visit, {{.file = "/mine.attention"}, {.file = "/new.attention"}}).empty());
    CHECK(recent_in(file) == RecentFiles{"/new.attention", "/mine.attention", "/old.attention"});
}

TEST_CASE("windows that use files at the same moment lose none of them", "[last-visit][property]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "own" / "last-visit";
    for (int round = 0; round < 5; ++round) {
        std::filesystem::remove(file);
        CHECK(save_visit(file, Visit{}).empty());
        {
            std::vector<std::unique_ptr<VisitKeeper>> windows;
            for (std::size_t i = 0; i < kMaxRecent; ++i)
                windows.push_back(std::make_unique<VisitKeeper>(file, [](const std::string&) {}));
            for (std::size_t i = 0; i < kMaxRecent; ++i)
                windows[i]->keep(Visit{}, {{.file = "/" + std::to_string(i) + ".attention"}});
        }
        CHECK(recent_in(file).size() == kMaxRecent);
    }
}

TEST_CASE("what was to be kept is on the disk when its keeper is gone, the last of several visits", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    {
        VisitKeeper keeper(file, [](const std::string& failure) { FAIL_CHECK(failure); });
        for (int i = 0; i < 100; ++i) {
            keeper.keep(Visit{{}, {}, "seed=" + std::to_string(i), {}},
                        {{.file = "/" + std::to_string(i) + ".attention"}});
        }
    }
    CHECK((**load_visit(file)).link == "seed=99");
    const RecentFiles recent = recent_in(file);
    REQUIRE(recent.size() == kMaxRecent);
    CHECK(recent.front() == "/99.attention");
}

TEST_CASE("a keeper hands back what other windows have used", "[last-visit]") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "last-visit";
    CHECK(save_visit(file, Visit{{}, {}, "", {"/other.attention"}}).empty());
    VisitKeeper keeper(file, [](const std::string& failure) { FAIL_CHECK(failure); });
    CHECK_FALSE(keeper.take_recent());
    keeper.keep(Visit{}, {{.file = "/own.attention"}});
    std::optional<RecentFiles> recent;
    wait_until([&] { return (recent = keeper.take_recent()).has_value(); });
    CHECK(*recent == RecentFiles{"/own.attention", "/other.attention"});
    CHECK_FALSE(keeper.take_recent());
}

TEST_CASE("a keeper that cannot write says so once, and loses nothing when it can again", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    const std::filesystem::path own = folder.path() / "own", file = own / "last-visit";
    write_file(own, "no folder");
    std::string failure;
    std::atomic<int> num_failures = 0;
    const auto on_failure = [&](const std::string& sentence) {
        failure = sentence;
        ++num_failures;
    };
    std::optional<RecentFiles> recent;
    {
        VisitKeeper keeper(file, on_failure);
        keeper.keep(Visit{}, {{.file = "/first.attention"}});
        wait_until([&] { return num_failures > 0; });
        const bool is_mended = GENERATE(false, true);
        if (is_mended) {
            std::filesystem::remove(own);
            CHECK(save_visit(file, Visit{{}, {}, "", {"/other.attention"}}).empty());
        }
        keeper.keep(Visit{}, {{.file = "/second.attention"}});
        if (is_mended) {
            wait_until([&] { return (recent = keeper.take_recent()).has_value(); });
            CHECK(*recent == RecentFiles{"/second.attention", "/first.attention", "/other.attention"});
        }
    }
    CHECK(num_failures == 1);
    CHECK(failure.starts_with("This visit cannot be remembered in " + file.string() + ": "));
}

#if !defined(_WIN32) && !defined(__APPLE__)
TEST_CASE("the file stands in the state folder, or nowhere", "[last-visit]") {
    REQUIRE(setenv("HOME", "/people/ada", 1) == 0);
    REQUIRE(setenv("XDG_STATE_HOME", "/states", 1) == 0);
    CHECK(visit_file() == "/states/attention-playground/last-visit");
    REQUIRE(setenv("XDG_STATE_HOME", "not/absolute", 1) == 0);
    CHECK(visit_file() == "/people/ada/.local/state/attention-playground/last-visit");
    REQUIRE(unsetenv("XDG_STATE_HOME") == 0);
    CHECK(visit_file() == "/people/ada/.local/state/attention-playground/last-visit");
    REQUIRE(unsetenv("HOME") == 0);
    CHECK_FALSE(visit_file().has_value());
}
#endif

TEST_CASE("the steps of lessons that were seen outlast the visit", "[last-visit]") {
    Visit visit;
    visit.link = "lesson=causal&step=2";
    visit.visited = "causal=1 causal=2";
    const Result<Visit> again = read_visit(write_visit(visit));
    REQUIRE(again);
    CHECK(*again == visit);
    const Result<Visit> old = read_visit("attention-playground 1\nsize 800 600\nlink heads=4\n");
    REQUIRE(old);
    CHECK(old->visited.empty());
}
