// The desktop program's arguments: what they mean, and that every mistake gets a sentence.
#include "platform/command_line_desktop.h"

#include <catch_amalgamated.hpp>
#include <vector>

using namespace attn;

namespace {

Result<CommandLine> read(const std::vector<std::string_view>& arguments) {
    return read_command_line(arguments);
}

}  // namespace

TEST_CASE("no arguments leave every choice open", "[command-line]") {
    const Result<CommandLine> line = read({});
    REQUIRE(line);
    CHECK_FALSE(line->wants_help);
    CHECK_FALSE(line->wants_version);
    CHECK_FALSE(line->is_full_screen);
    CHECK_FALSE(line->reports_frames);
    CHECK(line->files.empty());
    CHECK_FALSE(line->link);
    CHECK_FALSE(line->size);
    CHECK_FALSE(line->is_dark);
    CHECK_FALSE(line->scale);
    CHECK_FALSE(line->screenshot);
}

TEST_CASE("every option is understood, in any order", "[command-line]") {
    const Result<CommandLine> line =
        read({"--scale", "1.25", "text=a+b&heads=2", "--theme", "dark", "--screenshot", "out.png", "--size", "360x480",
              "--frames-report", "--items-report", "--fullscreen", "--contrast"});
    REQUIRE(line);
    CHECK(line->scale == 1.25F);
    CHECK(line->link == "text=a+b&heads=2");
    CHECK(line->is_dark == true);
    CHECK(line->screenshot == "out.png");
    CHECK(line->size == WindowSize{360, 480});
    CHECK(line->reports_frames);
    CHECK(line->reports_items);
    CHECK(line->is_full_screen);
    CHECK(line->has_contrast);
    CHECK(read({"--theme", "light"})->is_dark == false);
    CHECK(read({"--help"})->wants_help);
    CHECK(read({"-h"})->wants_help);
    CHECK(read({"--version"})->wants_version);
}

TEST_CASE("files and a link are told apart by how they look", "[command-line]") {
    using Arguments = std::vector<std::string>;
    const Result<CommandLine> line = read({"lesson.attention", "heads=2", "/tmp/a=b.npy", "./c#.csv", "../d?.attention",
                                           "file:///tmp/e%20f.attention", "C:\\g.attention"});
    REQUIRE(line);
    CHECK(line->link == "heads=2");
    CHECK(line->files == Arguments{"lesson.attention", "/tmp/a=b.npy", "./c#.csv", "../d?.attention",
                                   "file:///tmp/e%20f.attention", "C:\\g.attention"});
    for (const std::string_view link : {"#v=1", "?text=a", "text=see+./x.csv", "https://example.org/playground/", ""}) {
        CAPTURE(link);
        const Result<CommandLine> read_link = read({link});
        REQUIRE(read_link);
        CHECK(read_link->link == link);
        CHECK(read_link->files.empty());
    }
}

TEST_CASE("a mistake in the arguments gets one sentence that names it", "[command-line][bad-input]") {
    const auto [arguments, named] = GENERATE(table<std::vector<std::string_view>, std::string>({
        {{"--frobnicate"}, "--frobnicate"},
        {{"-x"}, "-x"},
        {{"--size"}, "--size"},
        {{"--size", "10x10"}, "10x10"},
        {{"--size", "1280"}, "1280"},
        {{"--size", "1280x"}, "1280x"},
        {{"--size", "1280x800x2"}, "1280x800x2"},
        {{"--size", "99999999999x800"}, "99999999999x800"},
        {{"--size", "-400x800"}, "-400x800"},
        {{"--theme", "blue"}, "blue"},
        {{"--scale", "0"}, "'0'"},
        {{"--scale", "nan"}, "nan"},
        {{"--scale", "inf"}, "inf"},
        {{"--scale", "2x"}, "2x"},
        {{"--screenshot", "picture.jpg"}, "picture.jpg"},
        {{"--screenshot", ".png"}, ".png"},
        {{"heads=2", "heads=3"}, "heads=3"},
    }));
    const Result<CommandLine> line = read(arguments);
    REQUIRE_FALSE(line);
    CAPTURE(line.error());
    CHECK(line.error().find(named) != std::string::npos);
    CHECK((line.error().ends_with(".") || line.error().ends_with("?")));
    CHECK(line.error().find('\n') == std::string::npos);
}

TEST_CASE("--help names every option", "[command-line]") {
    for (const char* option : {"--size", "--theme", "--contrast", "--scale", "--screenshot", "--frames-report",
                               "--items-report", "--fullscreen", "--version", "--help"})
        CHECK(help_text().find(option) != std::string_view::npos);
}
