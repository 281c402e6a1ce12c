// Files of the desktop read where memory is short: room is asked for before anything is read, and without it there is a
// sentence.
#include <catch_amalgamated.hpp>
#include <filesystem>
#include <new>
#include <string>

#include "platform/files_desktop.h"
#include "platform/temporary_folder.h"
#include "share/memory/counted_memory.h"

namespace attn {
namespace {

TEST_CASE("a file for which there is no memory is not read, and told in a sentence", "[memory][bad-input]") {
    constexpr std::int64_t kMebi = 1 << 20;
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "large.npy";
    write_file(file, "");
    std::filesystem::resize_file(file, 48 * kMebi + 1);
    REQUIRE(read_file(file));  // what is made once and stays is there
    for (const std::int64_t mebibytes : {1, 12, 47, 48}) {
        INFO(mebibytes << " MiB of memory");
        bool was_read = true, is_out_of_memory = false;
        std::string error;
        test::begin_counting({.most_bytes = mebibytes * kMebi});
        try {
            const Result<FileData> data = read_file(file);
            was_read = static_cast<bool>(data);
            if (!was_read) error = data.error();
        } catch (const std::bad_alloc&) {
            is_out_of_memory = true;
        }
        const test::MemoryCount count = test::end_counting();
        CHECK_FALSE(is_out_of_memory);
        CHECK_FALSE(count.was_new_refused);
        CHECK(count.num_refused == 1);  // the question, and no other request
        CHECK(count.most_bytes < kMebi);
        CHECK_FALSE(was_read);
        CHECK(error == "large.npy cannot be opened: there is not enough memory for its 49 MiB.");
    }
    const Result<FileData> data = read_file(file);  // the memory is back
    REQUIRE(data);
    CHECK(data->bytes.size() == 48 * kMebi + 1);
}

}  // namespace
}  // namespace attn
