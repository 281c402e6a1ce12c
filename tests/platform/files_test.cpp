// Reading whole files, and the sentences for what cannot be.
#include "platform/files_desktop.h"

#include <sys/stat.h>

#include <array>
#include <catch_amalgamated.hpp>
#include <cstdint>
#include <vector>

#include "core/words/code_points.h"
#include "disk/replace_file.h"
#include "platform/temporary_folder.h"

using namespace attn;
namespace fs = std::filesystem;

TEST_CASE("what is written is read again, byte for byte", "[files][property]") {
    const TemporaryFolder folder;
    std::string bytes;
    for (int i = 0; i < 100000; ++i) bytes += static_cast<char>(i * 7919 >> 3);
    const std::string content = GENERATE_COPY(std::string(), std::string("\0\r\n\xff", 4), bytes);
    const fs::path file = folder.path() / "a b \u00e9.npy";
    CHECK(replace_file(file, content).empty());
    const Result<FileData> data = read_file(file);
    REQUIRE(data);
    CHECK(data->name == "a b \u00e9.npy");
    CHECK(data->bytes == content);
}

TEST_CASE("a file's name is one line, whatever the file is called", "[files][bad-input]") {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "two\nlines\r.csv";
    write_file(file, "1,2");
    const Result<FileData> data = read_file(file);
    REQUIRE(data);
    CHECK(data->name == "two lines .csv");
    CHECK(data->bytes == "1,2");
    CHECK(path_of("file:a\nb").error() ==
          "file:a b cannot be opened: it is not the address of a file on this machine.");
}

TEST_CASE("what cannot be read is told in a sentence that names it", "[files][bad-input]") {
    const TemporaryFolder folder;
    REQUIRE(mkfifo((folder.path() / "pipe.csv").c_str(), 0600) == 0);
    fs::create_directory(folder.path() / "folder.csv");
    write_file(folder.path() / "large.csv", "");
    fs::resize_file(folder.path() / "large.csv", (std::uintmax_t{64} << 20U) + 1);
    const auto [name, reason] = GENERATE(table<std::string, std::string>({
        {"missing.csv", "there is no file"},
        {"folder.csv", "it is a folder"},
        {"pipe.csv", "it is not an ordinary file"},
        {"large.csv", "it has 65 MiB, and at most 64"},
        {"two\nlines\t.csv", "there is no file"},
    }));
    const Result<FileData> data = read_file(folder.path() / name);
    REQUIRE_FALSE(data);
    CHECK(data.error().starts_with(one_line(name)));
    CHECK(one_line(data.error()) == data.error());
    CHECK(data.error().find(reason) != std::string::npos);
    CHECK(data.error().ends_with("."));
}

TEST_CASE("a model's numbers are read part by part, and a model's folder means its files", "[files][model]") {
    const TemporaryFolder folder;
    write_file(folder.path() / "model.safetensors", "0123456789");
    const Result<FileData> data = read_file(folder.path() / "model.safetensors");
    REQUIRE(data);
    CHECK(data->bytes.empty());
    CHECK(data->size == 10);
    std::array<std::uint8_t, 3> part = {};
    CHECK(data->read_part(4, part).empty());
    CHECK(part == std::array<std::uint8_t, 3>{'4', '5', '6'});
    CHECK(data->read_part(8, part) == "model.safetensors cannot be read: it has become shorter.");

    CHECK(files_meant(folder.path()) == std::vector<fs::path>{folder.path()});  // which is refused: it is a folder
    for (const char* name : {"config.json", "vocab.txt", "README.md", "pytorch_model.bin"})
        write_file(folder.path() / name, "");
    // Of two forms of the same numbers the engine takes one.
    CHECK(files_meant(folder.path()) ==
          std::vector<fs::path>{folder.path() / "config.json", folder.path() / "model.safetensors",
                                folder.path() / "pytorch_model.bin", folder.path() / "vocab.txt"});
}

TEST_CASE("a fresh name is one that nothing has", "[files]") {
    const TemporaryFolder folder;
    CHECK(fresh_file(folder.path(), "a.csv") == folder.path() / "a.csv");
    write_file(folder.path() / "a.csv", "");
    CHECK(fresh_file(folder.path(), "a.csv") == folder.path() / "a-2.csv");
    fs::create_symlink("nowhere", folder.path() / "a-2.csv");
    CHECK(fresh_file(folder.path(), "a.csv") == folder.path() / "a-3.csv");
}

TEST_CASE("addresses of files become paths, paths stay", "[files]") {
    CHECK(*path_of("lesson.attention") == "lesson.attention");
    CHECK(*path_of("/tmp/a%20b.csv") == "/tmp/a%20b.csv");
    CHECK(*path_of("file:///tmp/a%20b%C3%A9.csv") == "/tmp/a b\u00e9.csv");
    for (const char* address : {"file:", "file:///tmp/%zz", "file:///a%00b"}) {
        const Result<fs::path> path = path_of(address);
        CAPTURE(address);
        REQUIRE_FALSE(path);
        CHECK(path.error().find(address) != std::string::npos);
    }
}
