// Files in and out against a bus and a file chooser of the test's own, and without any. Needs dbus-daemon.
#include "platform/file_desk_desktop.h"

#include <atomic>
#include <catch_amalgamated.hpp>
#include <cstdlib>
#include <mutex>

#include "platform/private_bus.h"
#include "platform/temporary_folder.h"

using namespace attn;
namespace fs = std::filesystem;

namespace {

// A file chooser whose visitor does what the test says, when it says so.
class Chooser {
public:
    // The visitor closes the dialog that was opened first and is still open: response 0 chose `uris`, 1 is a change of
    // mind, 2 another end.
    void respond(guint32 response, const std::vector<std::string>& uris) {
        std::string handle;
        {
            const std::lock_guard lock(mutex_);
            REQUIRE_FALSE(handles_.empty());
            handle = handles_.front();
            handles_.erase(handles_.begin());
        }
        close_dialog(portal_, handle, response, uris);
    }

    std::size_t num_open() {
        const std::lock_guard lock(mutex_);
        return handles_.size();
    }

    // "SaveFile a.csv": what was asked last, with the name that was proposed.
    std::string last_question() {
        const std::lock_guard lock(mutex_);
        return question_;
    }

private:
    void answer(const std::string& method, GVariant* parameters, GDBusMethodInvocation* call) {
        const gchar* name = "";
        GVariant* options = g_variant_get_child_value(parameters, 2);
        g_variant_lookup(options, "current_name", "&s", &name);
        const std::lock_guard lock(mutex_);
        question_ = method + " " + name;
        handles_.push_back(accept_question(parameters, call));
        g_variant_unref(options);
    }

    std::mutex mutex_;
    std::vector<std::string> handles_;  // of open dialogs
    std::string question_;
    FakePortal portal_{kFileChooser, [this](const std::string& method, GVariant* parameters,
                                            GDBusMethodInvocation* call) { answer(method, parameters, call); }};
};

// Collects news until some has come.
FileNews next_news(FileDesk& desk) {
    FileNews news;
    REQUIRE(holds_soon([&] {
        news = desk.take_news();
        return !news.is_empty();
    }));
    return news;
}

std::string address_of(const fs::path& file) {
    return "file://" + file.string();
}

}  // namespace

TEST_CASE("files are read in a thread, and what cannot be is told", "[file-desk]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "a.csv", "1,2\n");
    std::atomic<int> num_wakes = 0;
    FileDesk desk([&num_wakes] { ++num_wakes; });
    desk.open({folder.path() / "a.csv", folder.path() / "b.csv"});
    const FileNews news = next_news(desk);
    REQUIRE(news.files.size() == 1);
    CHECK(news.files[0].name == "a.csv");
    CHECK(news.files[0].bytes == "1,2\n");
    CHECK(news.paths == std::vector{folder.path() / "a.csv"});
    CHECK(news.missed == std::vector{folder.path() / "b.csv"});
    REQUIRE(news.notes.size() == 1);
    CHECK(news.notes[0].starts_with("b.csv cannot be opened: "));
    CHECK(holds_soon([&] { return num_wakes == 1; }));
    CHECK(desk.take_news().is_empty());
}

TEST_CASE("chosen files are read", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    const TemporaryFolder folder;
    write_file(folder.path() / "a b.csv", "1");
    write_file(folder.path() / "c.csv", "2");
    FileDesk desk([] {});
    desk.choose();
    REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    CHECK(chooser.last_question() == "OpenFile ");
    CHECK(desk.take_news().is_empty());  // nobody waits for the visitor
    chooser.respond(0, {address_of(folder.path() / "a%20b.csv"), address_of(folder.path() / "c.csv"), "http://x/y"});
    FileNews news = next_news(desk);
    CHECK(news.notes.size() == 1);  // of the address that is no file
    if (news.files.empty()) news = next_news(desk);
    REQUIRE(news.files.size() == 2);
    CHECK(news.files[0].name == "a b.csv");
    CHECK(news.files[1].bytes == "2");
}

TEST_CASE("a file is saved where the visitor wants it", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    const TemporaryFolder folder;
    FileDesk desk([] {});
    desk.save({.name = "proposed.attention", .media_type = {}, .bytes = "{}"});
    REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    CHECK(chooser.last_question() == "SaveFile proposed.attention");
    chooser.respond(0, {address_of(folder.path() / "mine.attention")});
    const FileNews news = next_news(desk);
    CHECK(news.notes.empty());
    CHECK(news.paths == std::vector{folder.path() / "mine.attention"});
    CHECK(bytes_of(folder.path() / "mine.attention") == "{}");
}

TEST_CASE("a place where nothing can be written is told in a sentence", "[file-desk][bad-input]") {
    const PrivateBus bus;
    Chooser chooser;
    FileDesk desk([] {});
    desk.save({.name = "a.csv", .media_type = {}, .bytes = "1"});
    REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    chooser.respond(0, {"file:///no%20such%20folder/a.csv"});
    const FileNews news = next_news(desk);
    CHECK(news.paths.empty());
    REQUIRE(news.notes.size() == 1);
    CHECK(news.notes[0] == "/no such folder/a.csv cannot be written: No such file or directory.");
}

TEST_CASE("dialogs that are closed without an answer give no news", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    const TemporaryFolder folder;
    FileDesk desk([] {});
    desk.save({.name = "a.csv", .media_type = {}, .bytes = "1"});
    desk.choose();
    REQUIRE(holds_soon([&] { return chooser.num_open() == 2; }));
    chooser.respond(1, {});
    chooser.respond(1, {});
    // The answer to a third one comes after theirs, and is all that is told.
    desk.save({.name = "b.csv", .media_type = {}, .bytes = "2"});
    REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    chooser.respond(0, {address_of(folder.path() / "b.csv")});
    const FileNews news = next_news(desk);
    CHECK(news.paths == std::vector{folder.path() / "b.csv"});
    CHECK(news.files.empty());
    CHECK(news.missed.empty());
    CHECK(news.notes.empty());
    CHECK(desk.take_news().is_empty());
}

TEST_CASE("two dialogs at once are told apart, whichever is closed first", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    const TemporaryFolder folder;
    FileDesk desk([] {});
    desk.save({.name = "first.csv", .media_type = {}, .bytes = "1"});
    desk.save({.name = "second.csv", .media_type = {}, .bytes = "2"});
    REQUIRE(holds_soon([&] { return chooser.num_open() == 2; }));
    chooser.respond(0, {address_of(folder.path() / "a")});
    chooser.respond(0, {address_of(folder.path() / "b")});
    REQUIRE(holds_soon([&] { return fs::exists(folder.path() / "b"); }));
    CHECK(bytes_of(folder.path() / "a") == "1");
    CHECK(bytes_of(folder.path() / "b") == "2");
}

TEST_CASE("without dialogs files are saved under a fresh name that is told", "[file-desk]") {
    // The folder for downloads is asked of GLib, which reads the environment once: so the test takes what it says.
    const PrivateBus bus;  // with nobody on it
    const bool has_bus = GENERATE(true, false);
    if (!has_bus) REQUIRE(setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1) == 0);
    FileDesk desk([] {});
    const std::string name = "attention-test-" + std::to_string(getpid()) + ".csv";
    desk.save({.name = name, .media_type = {}, .bytes = "1"});
    std::vector<std::string> successes, notes;
    std::vector<fs::path> paths;
    REQUIRE(holds_soon([&] {
        const FileNews news = desk.take_news();
        successes.insert(successes.end(), news.successes.begin(), news.successes.end());
        notes.insert(notes.end(), news.notes.begin(), news.notes.end());
        paths.insert(paths.end(), news.paths.begin(), news.paths.end());
        return !successes.empty();
    }));
    CHECK(notes.empty());  // nothing went wrong
    REQUIRE(paths.size() == 1);
    CHECK(paths[0].filename() == name);
    CHECK(bytes_of(paths[0]) == "1");
    CHECK(successes[0].starts_with("Saved as " + paths[0].string()));
    fs::remove(paths[0]);

    desk.choose();
    const FileNews news = next_news(desk);
    REQUIRE(news.notes.size() == 1);
    CHECK(news.notes[0].find("drop") != std::string::npos);
}

TEST_CASE("a dialog that could not be shown counts as none", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    FileDesk desk([] {});
    desk.choose();
    REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    chooser.respond(2, {});
    CHECK(next_news(desk).notes.size() == 1);
}

TEST_CASE("the desk can be left while a dialog is open, and what is being written is finished", "[file-desk]") {
    const PrivateBus bus;
    Chooser chooser;
    const TemporaryFolder folder;
    {
        FileDesk desk([] {});
        desk.choose();
        REQUIRE(holds_soon([&] { return chooser.num_open() == 1; }));
    }
    {
        const FileDesk unused([] {});
    }
    FileDesk desk([] {});
    desk.choose();
    SUCCEED("nobody waits for an answer");
}
