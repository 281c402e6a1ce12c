// What a frame may wish of the desktop, with a frame of the test's own in place of the program's. Needs a display.
#include "platform/platform.h"

#include <imgui.h>

#include <catch_amalgamated.hpp>
#include <cstdlib>

#include "platform/last_visit_desktop.h"
#include "platform/temporary_folder.h"

using namespace attn;

namespace {

constexpr int kMaxFrames = 500;  // where something never comes, the test ends all the same

// Opens a window that remembers its visits in `folder` and draws frames until one of them is the last: `frame` returns
// false. Such a window ends with a failure, which is the only way for a frame to end it.
void draw_frames(const std::filesystem::path& folder, std::vector<std::string> arguments,
                 const std::function<bool(const FrameInput&, FrameOutput&)>& frame) {
    REQUIRE(setenv("XDG_STATE_HOME", folder.c_str(), 1) == 0);
    REQUIRE(setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus", 1) == 0);
    arguments.insert(arguments.begin(), "attention-playground");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    Result<Platform> platform = Platform::open(static_cast<int>(pointers.size()), pointers.data());
    CAPTURE(platform.error());
    REQUIRE(platform);
    int num_frames = 0;
    const auto draw = [&](const FrameInput& input) {
        FrameOutput output;
        output.wants_another = true;
        if (!frame(input, output)) output.failure = "the test is over";
        if (++num_frames == kMaxFrames) output.failure = "the test waited in vain";
        return output;
    };
    const int code = platform->run(draw, [] { return WorkOutput(); });
    CHECK(code == 1);
    CHECK(num_frames < kMaxFrames);
    REQUIRE(unsetenv("DBUS_SESSION_BUS_ADDRESS") == 0);
}

}  // namespace

TEST_CASE("a copied text is in the clipboard at the next frame", "[platform]") {
    const TemporaryFolder folder;
    std::string pasted;
    draw_frames(folder.path(), {}, [&](const FrameInput&, FrameOutput& output) {
        if (ImGui::GetFrameCount() == 1) {
            output.copy = "v=1&text=\u00e9";
            return true;
        }
        if (const char* text = ImGui::GetClipboardText()) pasted = text;
        return false;
    });
    CHECK(pasted == "v=1&text=\u00e9");
}

TEST_CASE("a recent file is named, opened, and forgotten once it is gone", "[platform]") {
    const TemporaryFolder folder;
    const std::filesystem::path first = folder.path() / "first.attention", second = folder.path() / "second.attention";
    write_file(first, "1");
    write_file(second, "2");
    REQUIRE(save_visit(folder.path() / "attention-playground" / "last-visit", {{}, {}, "", {first, second}}).empty());
    std::vector<FileData> files;
    std::string note;
    std::vector<std::string> recent;
    draw_frames(folder.path(), {}, [&](const FrameInput& input, FrameOutput& output) {
        CHECK(input.can_open_recent);
        if (ImGui::GetFrameCount() == 1) {
            CHECK(input.recent == recent_names({first, second}));
            output.opens_recent = 1;
        }
        files.insert(files.end(), input.files.begin(), input.files.end());
        const bool has_file = !input.files.empty();
        if (has_file) CHECK(input.recent == recent_names({second, first}));
        if (has_file) {
            std::filesystem::remove(first);
            output.opens_recent = 1;
        }
        note = input.note;
        recent = input.recent;
        return note.empty();
    });
    REQUIRE(files.size() == 1);
    CHECK(files[0].name == "second.attention");
    CHECK(files[0].bytes == "2");
    CHECK(note.starts_with("first.attention cannot be opened: "));
    CHECK(recent == recent_names({second}));
}

TEST_CASE("what a frame wants saved is saved, and told where no dialog can be shown", "[platform]") {
    const TemporaryFolder folder;
    std::string note;
    draw_frames(folder.path(), {}, [&](const FrameInput& input, FrameOutput& output) {
        if (ImGui::GetFrameCount() == 1)
            output.save =
                FileData{.name = "attn-test-" + std::to_string(getpid()), .media_type = "text/csv", .bytes = "7"};
        note = input.success;
        CHECK(input.note.empty());
        return note.empty();
    });
    constexpr std::string_view kStart = "Saved as ";
    REQUIRE(note.starts_with(kStart));
    const std::filesystem::path file = note.substr(kStart.size(), note.find(", as ") - kStart.size());
    CHECK(bytes_of(file) == "7");
    CHECK(std::filesystem::remove(file));
}

TEST_CASE("files of the command line arrive with the first frame, the link with them", "[platform]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "a.csv", "1,2\n");
    draw_frames(folder.path(), {"heads=4", (folder.path() / "a.csv").string(), (folder.path() / "b.csv").string()},
                [&](const FrameInput& input, FrameOutput&) {
                    CHECK(input.link == "heads=4");
                    REQUIRE(input.files.size() == 1);
                    CHECK(input.files[0].bytes == "1,2\n");
                    CHECK(input.note.starts_with("b.csv cannot be opened: "));
                    CHECK(input.recent.empty());
                    return false;
                });
}

TEST_CASE("a model's folder is not opened with the sentence of the last visit", "[platform]") {
    const TemporaryFolder folder;
    const std::filesystem::path model = folder.path() / "model";
    std::filesystem::create_directory(model);
    const bool is_model = GENERATE(true, false);
    write_file(model / (is_model ? "config.json" : "notes.txt"), "{}");
    REQUIRE(save_visit(folder.path() / "attention-playground" / "last-visit", {{}, {}, "view=dots", {}}).empty());
    draw_frames(folder.path(), {model.string()}, [&](const FrameInput& input, FrameOutput&) {
        CHECK(input.link.has_value() == !is_model);
        return false;
    });
}
