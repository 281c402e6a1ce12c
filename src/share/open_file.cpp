// See open_file.h. What a file is, is told here; each kind is read by a file of its own.
#include "share/open_file.h"

#include <algorithm>

#include "core/check.h"
#include "playground/notes.h"
#include "share/import_tensor.h"
#include "share/npy.h"
#include "share/npz.h"
#include "share/number_table.h"
#include "share/session_file.h"
#include "share/zip_file.h"

namespace attn {
namespace {

Result<FileOffer> refuse(std::string sentence) {
    return Result<FileOffer>::failure(std::move(sentence));
}

// The first byte that is no white space and no byte order mark; 0 in an empty file.
char first_sign(std::string_view bytes) {
    const std::size_t at = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return at == std::string_view::npos ? '\0' : bytes[at];
}

Result<FileOffer> open_session(const NamedFile& file) {
    Result<ReadLink> read = read_session(file.bytes);
    if (!read) return refuse(read.error());
    FileOffer offer;
    offer.question = concat(quoted(file.name), " is a session.");
    offer.choices.push_back({.label = "open it", .state = std::move(read->state), .notes = std::move(read->notes)});
    offer.is_certain = true;
    return offer;
}

Result<FileOffer> open_npy(const NamedFile& file, const PlaygroundState& state) {
    const Result<NumberArray> array = read_npy(file.bytes);
    if (!array) return refuse(array.error());
    return offer_array(file.name, *array, state);
}

// Other programs' files are ZIP archives too. A sentence when it is one of those that are known.
std::string why_no_npz(const std::vector<std::string>& names) {
    const auto has_end = [&](std::string_view end) {
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.ends_with(end); });
    };
    if (has_end("xl/workbook.xml") || has_end("content.xml"))
        return "This is a spreadsheet's own file: save the table as CSV and open that.";
    if (has_end("data.pkl"))
        return "This is PyTorch's own file: save the tensors for NumPy, numpy.savez(\"w.npz\", **{name: tensor.numpy() "
               "for "
               "name, tensor in state_dict.items()}), and open that.";
    return "The archive holds no arrays of NumPy's: no name in it ends with \".npy\".";
}

Result<FileOffer> open_npz(const NamedFile& file, const PlaygroundState& state) {
    const Result<NpzContents> listed = read_npz(file.bytes, [](std::string_view) { return false; });
    if (!listed) return refuse(listed.error());
    const std::vector<std::string>& names = listed->others;
    if (names.empty()) return refuse(why_no_npz(listed->files));
    std::vector<bool> usable = usable_arrays(names);
    if (names.size() == 1) usable[0] = true;  // whatever its name: there is no other
    const auto is_wanted = [&](std::string_view name) {
        const auto place = std::find(names.begin(), names.end(), name);
        return usable[static_cast<std::size_t>(place - names.begin())];
    };
    const Result<NpzContents> contents = read_npz(file.bytes, is_wanted);
    if (!contents) return refuse(contents.error());
    NameList left_out;
    for (const std::string& name : contents->others) left_out.add(quoted(name));
    for (const std::string& name : contents->files) left_out.add(quoted(name));
    if (contents->arrays.empty()) {
        return refuse(concat("No name in the archive says what the numbers are: ", left_out.text(),
                             ". Names like x, w_query, w_key, w_value, w_out and mask do; or save one array as NPY."));
    }
    Notes notes;
    if (!left_out.empty())
        notes.push_back(concat("left out, as they follow from the rest or are not known: ", left_out.text()));
    if (contents->arrays.size() > 1) return offer_arrays(file.name, contents->arrays, state, notes);
    return offer_array(contents->arrays[0].name, contents->arrays[0].array, state, notes);
}

Result<FileOffer> open_table(const NamedFile& file, const PlaygroundState& state) {
    const Result<NumberTable> table = read_number_table(file.bytes);
    if (!table) return refuse(table.error());
    NumberArray array = {
        .shape = {static_cast<std::int64_t>(table->rows.size()), static_cast<std::int64_t>(table->rows.front().size())},
        .numbers = {}};
    for (const std::vector<float>& row : table->rows) array.numbers.insert(array.numbers.end(), row.begin(), row.end());
    return offer_array(file.name, array, state, table->notes);
}

}  // namespace

Result<FileOffer> open_file(const NamedFile& file, const PlaygroundState& state) {
    const std::string_view bytes = file.bytes;
    if (bytes.size() > kMaxFileBytes) {
        return refuse(concat("The file has ", with_thousands(static_cast<std::int64_t>(bytes.size() >> 20U)),
                             " MiB; at most ", kMaxFileBytes >> 20U, " can be opened."));
    }
    if (bytes.empty()) return refuse("The file is empty.");
    if (looks_like_npy(bytes)) return open_npy(file, state);
    if (looks_like_zip(bytes)) return open_npz(file, state);
    if (first_sign(bytes) == '{') return open_session(file);
    const bool is_utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    if (!is_utf16 && bytes.find('\0') != std::string_view::npos) {
        return refuse(
            "This is no file that can be opened here: session files, NumPy's NPY and NPZ, and tables of numbers "
            "(CSV, TSV) can.");
    }
    return open_table(file, state);
}

}  // namespace attn
