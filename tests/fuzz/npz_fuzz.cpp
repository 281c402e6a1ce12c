// Any bytes as an archive of NumPy's, and as the arrays of one: a change inside an archive ends at its check sum
// mostly, so the arrays that the bytes hold are packed again, with names that mean something.
#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/opened_file.h"
#include "fuzz/target.h"
#include "share/exports/data_files.h"
#include "share/formats/zip_file.h"

namespace {

constexpr std::array kNames = {"x",      "w_query", "w_key", "w_value", "w_out", "mask",    "b_query",   "b_out",
                               "2/mask", "queries", "keys",  "values",  "other", "2/w_key", "W_q.weight"};
constexpr std::string_view kArray = "\x93NUMPY";
constexpr std::string_view kNext = "PK\x03\x04";

// Each array reaches to the next entry of the archive that the bytes once were.
std::vector<attn::ZipEntry> arrays_in(std::string_view bytes) {
    std::vector<attn::ZipEntry> arrays;
    std::size_t at = bytes.find(kArray);
    while (at != std::string_view::npos && arrays.size() < 20) {
        const std::size_t next = bytes.find(kArray, at + 1);
        const std::string_view array = bytes.substr(at, std::min(next, bytes.find(kNext, at)) - at);
        const std::size_t name = (at > 0 ? static_cast<unsigned char>(bytes[at - 1]) : 0U) + arrays.size();
        arrays.push_back({.name = std::string(kNames[name % kNames.size()]) + ".npy", .bytes = std::string(array)});
        at = next;
    }
    return arrays;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text = attn::test::text_of(bytes, size);
    attn::test::open_and_check("a.npz", text);
    attn::test::open_and_check("a.npz", attn::write_zip(arrays_in(text)));
    return 0;
}

std::string input_of_link(std::string_view link) {
    const attn::PlaygroundState state = attn::read_link(link).state;
    const attn::Result<std::string> file =
        attn::write_state_npz(state, attn::evaluate(state.inputs, state.view.sentence));
    return file ? *file : "";
}
