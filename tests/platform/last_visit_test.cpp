// What is remembered between two visits: the file's text, and files that are missing, spoilt or cannot be written.
#include "platform/last_visit_desktop.h"

#include <catch_amalgamated.hpp>
#include <cstdlib>

#include "platform/temporary_folder.h"

using namespace attn;

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

TEST_CASE("a spoilt file is refused with a sentence that names it", "[last-visit][bad-input]") {
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

TEST_CASE("a file in the folder's place is told in a sentence", "[last-visit][bad-input]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "not a folder", "");
    const std::string error = save_visit(folder.path() / "not a folder" / "last-visit", Visit{});
    CHECK(error.find("not a folder") != std::string::npos);
    CHECK(error.ends_with("."));
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
