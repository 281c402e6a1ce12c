// See npz.h.
#include "share/npz.h"

#include "core/check.h"
#include "playground/notes.h"
#include "share/zip_file.h"

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

Result<NpzContents> read_npz(std::string_view bytes, const std::function<bool(std::string_view)>& is_wanted) {
    using Contents = Result<NpzContents>;
    Result<ZipContents> zip = read_zip(
        bytes, [&](std::string_view name) { return name.ends_with(kExtension) && is_wanted(without_extension(name)); });
    if (!zip) return Contents::failure(zip.error());
    NpzContents contents;
    for (const std::string& name : zip->others) {
        const bool is_array = name.ends_with(kExtension);
        (is_array ? contents.others : contents.files).emplace_back(without_extension(name));
    }
    std::size_t num_numbers = 0;
    for (ZipEntry& entry : zip->entries) {
        const std::string name(without_extension(entry.name));
        Result<NumberArray> array = read_npy(entry.bytes);
        if (!array) return Contents::failure(concat(quoted(name), ": ", array.error()));
        num_numbers += array->numbers.size();
        if (num_numbers > static_cast<std::size_t>(kMaxArrayNumbers)) {
            return Contents::failure(concat("The arrays have more than ", with_thousands(kMaxArrayNumbers),
                                            " numbers together, up to ", quoted(name), "."));
        }
        contents.arrays.push_back({.name = name, .array = std::move(*array)});
        entry.bytes = {};  // one array at a time is in memory twice
    }
    return contents;
}

}  // namespace attn
