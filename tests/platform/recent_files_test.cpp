// The list of session files used lately: order, length, what is left out, how it reads.
#include "platform/recent_files_desktop.h"

#include <catch_amalgamated.hpp>
#include <cstdlib>

#include "platform/temporary_folder.h"
#include "share/formats/session_file.h"

using namespace attn;

TEST_CASE("session files are kept, newest first and each once", "[recent-files]") {
    RecentFiles recent;
    for (const char* name : {"/a.attention", "/b.attention", "/x/../a.attention"}) add_recent(recent, name);
    CHECK(recent == RecentFiles{"/a.attention", "/b.attention"});
}

TEST_CASE("other files are not kept, nor names that a line cannot hold", "[recent-files][bad-input]") {
    RecentFiles recent;
    for (const char* name : {"/a.csv", "/attention", "/a\nb.attention", ""}) add_recent(recent, name);
    CHECK(recent.empty());
}

TEST_CASE("the ten files used last are kept", "[recent-files]") {
    RecentFiles recent;
    for (int i = 0; i < 25; ++i) add_recent(recent, "/" + std::to_string(i) + ".attention");
    REQUIRE(recent.size() == kMaxRecent);
    CHECK(recent.front() == "/24.attention");
    CHECK(recent.back() == "/15.attention");
}

TEST_CASE("a name without a folder is kept with the folder it stands in", "[recent-files]") {
    RecentFiles recent;
    add_recent(recent, "a.attention");
    REQUIRE(recent.size() == 1);
    CHECK(recent[0] == std::filesystem::current_path() / "a.attention");
}

TEST_CASE("what is gone is dropped, and folders with it", "[recent-files]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "there.attention", "{}");
    std::filesystem::create_directory(folder.path() / "folder.attention");
    RecentFiles recent{folder.path() / "gone.attention", folder.path() / "there.attention",
                       folder.path() / "folder.attention"};
    for (const RecentChange& change : missing_files(recent)) apply_change(recent, change);
    CHECK(recent == RecentFiles{folder.path() / "there.attention"});
}

TEST_CASE("people read the name first, and their home as ~", "[recent-files]") {
    REQUIRE(setenv("HOME", "/people/ada", 1) == 0);
    const RecentFiles recent{"/people/ada/a.attention", "/people/ada/x y/b.attention", "/people/adam/c.attention"};
    CHECK(recent_names(recent) ==
          std::vector<std::string>{"a.attention (~)", "b.attention (~/x y)", "c.attention (/people/adam)"});
}

TEST_CASE("the extension is that of session files", "[recent-files]") {
    CHECK(kRecentExtension == kSessionExtension);
}
