// Reads and writes the NPY files of an archive, one after the other.
#include "share/formats/npz.h"

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/text/notes.h"
#include "share/formats/zip_file.h"

namespace attn {
namespace {

constexpr std::string_view kExtension = ".npy";

std::string_view without_extension(std::string_view name) {
    return name.ends_with(kExtension) ? name.substr(0, name.size() - kExtension.size()) : name;
}

}  // namespace

std::string write_npz(std::span<const NpzArray> arrays) {
    std::vector<ZipEntry> entries;
    for (const NpzArray& array : arrays) {
        entries.push_back({.name = concat(array.name, kExtension), .bytes = write_npy(array.shape, array.numbers)});
    }
    return write_zip(entries);
}

Result<NpzContents> read_npz(std::string_view bytes, const std::function<bool(std::string_view)>& is_wanted,
                             const WhyNoArray& why_not) {
    using Contents = Result<NpzContents>;
    std::int64_t num_numbers = 0;
    // An archive of a few kilobytes may unpack to gigabytes: each array is accepted or refused by its header.
    const auto why_no_entry = [&](std::string_view file, std::string_view begin, std::uint64_t num_bytes) {
        const std::string_view name = without_extension(file);
        const Result<NpyHeader> header = read_npy_header(begin, num_bytes);
        if (!header) return concat(quoted(name), ": ", header.error());
        num_numbers += header->num_numbers;
        if (num_numbers <= kMaxArrayNumbers) return why_not ? why_not(name, *header) : std::string();
        return concat("The arrays have more than ", with_thousands(kMaxArrayNumbers), " numbers together, up to ",
                      quoted(name), ".");
    };
    const auto is_wanted_array = [&](std::string_view file) {
        return file.ends_with(kExtension) && is_wanted(without_extension(file));
    };
    Result<ZipContents> zip = read_zip(bytes, is_wanted_array, why_no_entry);
    if (!zip) return Contents::failure(zip.error());
    NpzContents contents;
    for (const std::string& name : zip->others) {
        const bool is_array = name.ends_with(kExtension);
        (is_array ? contents.others : contents.files).emplace_back(without_extension(name));
    }
    for (ZipEntry& entry : zip->entries) {
        const std::string name(without_extension(entry.name));
        Result<NumberArray> array = read_npy(entry.bytes);
        if (!array) return Contents::failure(concat(quoted(name), ": ", array.error()));
        contents.arrays.push_back({.name = name, .array = std::move(*array)});
        entry.bytes = {};  // one array at a time is in memory twice
    }
    return contents;
}

}  // namespace attn
