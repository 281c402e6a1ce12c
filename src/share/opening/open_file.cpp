// Finds out of which kind a file is, and calls the reader of that kind.
#include "share/opening/open_file.h"

#include <algorithm>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/lessons/lessons.h"
#include "playground/text/notes.h"
#include "share/formats/npy.h"
#include "share/formats/npz.h"
#include "share/formats/number_table.h"
#include "share/formats/session_file.h"
#include "share/formats/task_file.h"
#include "share/formats/zip_file.h"
#include "share/opening/array_block.h"
#include "share/opening/file_memory.h"
#include "share/opening/import_tensor.h"
#include "share/opening/open_archive.h"
#include "share/opening/tensor_arrays.h"
#include "share/opening/tensor_names.h"

namespace attn {
namespace {

Result<FileOffer> refuse(std::string sentence) {
    return Result<FileOffer>::failure(std::move(sentence));
}

// The first byte that is no white space and no byte order mark, as far as a session may reach; 0 where there is none.
char first_sign(std::string_view bytes) {
    bytes = bytes.substr(0, kMaxSessionBytes);
    const std::size_t at = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return at == std::string_view::npos ? '\0' : bytes[at];
}

Result<FileOffer> open_session(const NamedFile& file) {
    std::string refusal =
        file.bytes.size() > kMaxSessionBytes ? "" : why_no_room(bytes_to_read_session(file.bytes.size()));
    if (!refusal.empty()) return refuse(std::move(refusal));
    Result<ReadLink> read = read_session(file.bytes);
    if (!read) return refuse(read.error());
    FileOffer offer;
    offer.question = concat(quoted(file.name), " is a session.");
    offer.choices.push_back({.label = "open it", .state = std::move(read->state), .notes = std::move(read->notes)});
    offer.is_certain = true;
    return offer;
}

// The task at its first step; how the page looks stays.
Result<FileOffer> open_task(const NamedFile& file, const PlaygroundState& state) {
    Result<TaskFile> read = read_task_file(file.bytes);
    if (!read) return refuse(read.error());
    const std::string name = write_task(read->task);
    const Lesson* lesson = find_lesson(name);
    ATTN_CHECK(lesson != nullptr, "a task that was read cannot be read");
    FileOffer offer;
    offer.question = concat(quoted(file.name), " is a task.");
    FileChoice choice = {.label = "open it", .state = state, .notes = std::move(read->notes)};
    go_to_step(choice.state, *lesson, 0);
    append_notes(choice.notes, problems_of_task(read->task));
    offer.choices.push_back(std::move(choice));
    offer.is_certain = true;
    return offer;
}

Result<FileOffer> open_npy(const NamedFile& file, const PlaygroundState& state) {
    const Result<NpyHeader> header = read_npy_header(file.bytes, file.bytes.size());
    if (!header) return refuse(header.error());
    std::string refusal = why_no_tensor(file.name, header->shape);
    if (!refusal.empty()) return refuse(std::move(refusal));
    OfferMemory memory(state);
    memory.add(header->shape);
    refusal = why_no_room(memory.bytes());
    if (!refusal.empty()) return refuse(std::move(refusal));
    const Result<NumberArray> array = read_npy(file.bytes);
    if (!array) return refuse(array.error());
    return offer_array(file.name, *array, state);
}

// Other programs' files are ZIP archives, too. A sentence for those that are known; else empty.
std::string why_no_npz(const std::vector<std::string>& names) {
    const auto has_end = [&](std::string_view end) {
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.ends_with(end); });
    };
    if (has_end("xl/workbook.xml") || has_end("content.xml"))
        return "This is a spreadsheet's own file: save the table as CSV and open that.";
    return "The archive holds no NumPy arrays: no name in it ends with \".npy\".";
}

Result<FileOffer> open_module(const NamedFile& file, const PlaygroundState& state) {
    const Result<TensorFiles> tensors = open_tensors(file.name, file.bytes);
    if (!tensors) return refuse(tensors.error());
    if (tensors->tensors().empty()) return refuse("The file holds no tensors.");
    return open_archive(file.name, state, [&](const auto& is_wanted, const auto& why_not) {
        return read_tensors(*tensors, is_wanted, why_not);
    });
}

Result<FileOffer> open_zip(const NamedFile& file, const PlaygroundState& state) {
    const Result<NpzContents> listed = read_npz(file.bytes, [](std::string_view) { return false; });
    if (!listed) return refuse(listed.error());
    const auto is_pickle = [](const std::string& name) { return name.ends_with("/data.pkl"); };
    if (listed->others.empty() && std::ranges::any_of(listed->files, is_pickle)) return open_module(file, state);
    if (listed->others.empty()) return refuse(why_no_npz(listed->files));
    return open_archive(file.name, state, [&](const auto& is_wanted, const auto& why_not) {
        return read_npz(file.bytes, is_wanted, why_not);
    });
}

// One offer of a table's two readings: commas between numbers, and decimal commas. Where one of them is certain and the
// other is not, there is nothing to ask.
Result<FileOffer> offer_readings(std::string_view name, const std::vector<NumberReading>& readings,
                                 std::vector<Result<FileOffer>> offers) {
    const auto is_usable = [](const Result<FileOffer>& offer) { return static_cast<bool>(offer); };
    const auto is_certain = [](const Result<FileOffer>& offer) { return offer && offer->is_certain; };
    if (std::ranges::none_of(offers, is_usable)) return std::move(offers.front());
    if (std::ranges::count_if(offers, is_usable) == 1) return std::move(*std::ranges::find_if(offers, is_usable));
    if (role_of_file(name) && std::ranges::count_if(offers, is_certain) == 1)
        return std::move(*std::ranges::find_if(offers, is_certain));
    FileOffer all;
    all.question = concat(quoted(name), " has commas between digits: they may part numbers, or be decimal points.");
    for (std::size_t i = 0; i < offers.size(); ++i) {
        const NumberBlock& block = readings[i].block;
        for (FileChoice& choice : offers[i]->choices) {
            choice.label =
                concat("(", block.size(), ", ", block.front().size(), ") numbers, the commas ",
                       readings[i].has_decimal_commas ? "decimal points" : "between them", ", ", choice.label);
            all.choices.push_back(std::move(choice));
        }
    }
    return all;
}

Result<FileOffer> open_table(const NamedFile& file, const PlaygroundState& state) {
    std::string refusal = why_no_room(bytes_to_read_table(std::min(file.bytes.size(), kMaxTableBytes)));
    if (!refusal.empty()) return refuse(std::move(refusal));
    const Result<NumberTable> table = read_number_table(file.bytes);
    if (!table) return refuse(table.error());
    std::vector<Result<FileOffer>> offers;
    OfferMemory memory(state);
    for (const NumberReading& reading : table->readings) {
        const std::size_t rows = reading.block.size(), columns = reading.block.front().size();
        NumberArray array = {.shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)},
                             .numbers = {}};
        memory.add(array.shape);
        refusal = why_no_room(memory.bytes());
        if (!refusal.empty()) return refuse(std::move(refusal));
        array.numbers.reserve(rows * columns);
        for (const std::vector<float>& row : reading.block)
            array.numbers.insert(array.numbers.end(), row.begin(), row.end());
        Notes notes = table->notes;
        if (reading.has_decimal_commas)
            notes.push_back("its commas were read as decimal points");
        else if (table->readings.size() > 1)
            notes.push_back("its commas were read as parting numbers");
        offers.push_back(offer_array(file.name, array, state, notes));
    }
    if (offers.size() == 1) return std::move(offers.front());
    return offer_readings(file.name, table->readings, std::move(offers));
}

}  // namespace

Result<FileOffer> open_file(const NamedFile& file, const PlaygroundState& state) {
    const std::string_view& bytes = file.bytes;
    if (bytes.size() > kMaxFileBytes) {
        const std::size_t mebibytes = (bytes.size() + ((1U << 20U) - 1)) >> 20U;
        return refuse(concat("The file has ", with_thousands(static_cast<std::int64_t>(mebibytes)), " MiB; at most ",
                             kMaxFileBytes >> 20U, " can be opened."));
    }
    if (bytes.empty()) return refuse("The file is empty.");
    std::string refusal = why_no_room(bytes_to_look(state));
    if (!refusal.empty()) return refuse(std::move(refusal));
    if (looks_like_npy(bytes)) return open_npy(file, state);
    if (looks_like_zip(bytes)) return open_zip(file, state);
    if (looks_like_safetensors(bytes)) return open_module(file, state);
    if (first_sign(bytes) == '{') return looks_like_task_file(bytes) ? open_task(file, state) : open_session(file);
    const bool is_utf16 = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
    if (!is_utf16 && bytes.find('\0') != std::string_view::npos) {
        return refuse(
            "This file cannot be opened here. Session files, tasks, NumPy's NPY and NPZ, the state_dict of an "
            "attention "
            "module "
            "(.pt, .safetensors), and tables of numbers (CSV, TSV) can.");
    }
    return open_table(file, state);
}

}  // namespace attn
