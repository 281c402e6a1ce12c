// An archive's entries, or the storages of the old form, and the dictionary that names their tensors.
#include "model/files/torch_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/pickle.h"
#include "model/files/zip_source.h"

namespace attn {
namespace {

constexpr std::size_t kMostEntries = 100'000;
// How a file of before PyTorch 1.6 begins: the number 0x1950a86a20f9469cfc6c in a pickle (torch/serialization.py).
constexpr std::string_view kOldForm = "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
constexpr std::string_view kBigEndian = "has its numbers' bytes in the order of other machines (big-endian).";

// An entry's bytes in the file, [begin, end).
struct Entry {
    std::uint64_t begin = 0, end = 0;
};

class TorchFileReader {
public:
    explicit TorchFileReader(ByteSource& source)
        : file_{.source = source}, what_(concat("The file ", attn::quoted(source.name()))) {}

    Result<TensorsOfFile> read() {
        std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(file_.source.size(), kOldForm.size())), 0);
        file_.problem = file_.source.read(0, bytes_of(first));
        if (file_.problem.empty() && first == kOldForm)
            read_old_form();
        else if (file_.problem.empty())
            read_archive();
        if (problem_.empty() && file_.problem.empty()) {
            const std::optional<PickleRef> dictionary = find_dictionary();
            if (dictionary) read_tensors(*dictionary);
        }
        if (!file_.problem.empty()) return Result<TensorsOfFile>::failure(file_.problem);
        if (!problem_.empty()) return Result<TensorsOfFile>::failure(concat(what_, " ", problem_));
        return TensorsOfFile{.tensors = std::move(tensors_), .settings = settings()};
    }

private:
    void fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
    }

    static std::span<std::uint8_t> bytes_of(std::string& text) {
        return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
    }

    // A sentence of the pickle's begins with what_, which read() puts before each.
    void fail_as(const std::string& sentence) { fail(sentence.substr(what_.size() + 1)); }

    void read_archive() {
        read_entries();
        if (!problem_.empty() || !file_.problem.empty()) return;
        const auto list =
            std::ranges::find_if(entries_, [](const auto& one) { return one.first.ends_with("data.pkl"); });
        if (list == entries_.end())
            return fail("is a ZIP archive without tensors: unpack it, and open the files in it.");
        prefix_ = list->first.substr(0, list->first.size() - std::string_view("data.pkl").size());
        const std::string bytes = contents_of(list->second);
        if (!file_.problem.empty()) return;
        Result<Pickle> pickle = Pickle::read(bytes, what_);
        if (!pickle) return fail_as(pickle.error());
        pickle_ = std::move(*pickle);
        const auto order = entries_.find(prefix_ + "byteorder");
        if (order != entries_.end() && contents_of(order->second) == "big") fail(std::string(kBigEndian));
    }

    // Five pickles: what kOldForm says, a version, the machine, the tensors, the names of their storages.
    void read_old_form() {
        const std::uint64_t size = file_.source.size();
        std::string bytes;
        std::string_view rest;
        Pickle machine, names;
        for (std::uint64_t tried = 1U << 20U;; tried *= 8) {  // a list of tensors is seldom longer
            bytes = contents_of({.begin = 0, .end = std::min(size, tried)});
            if (!file_.problem.empty()) return;
            rest = std::string_view(bytes).substr(kOldForm.size());
            Pickle version;
            std::string problem;
            for (Pickle* part : {&version, &machine, &pickle_, &names}) {
                Result<Pickle> pickle = Pickle::read_first(rest, what_);
                if (!pickle && problem.empty()) problem = pickle.error();
                if (!problem.empty()) break;
                *part = std::move(*pickle);
            }
            if (problem.empty()) break;
            if (tried >= std::min<std::uint64_t>(size, Pickle::kMaxBytes)) return fail_as(problem);
        }
        const auto is_little = machine.find(machine.root(), "little_endian");
        if (is_little && machine.at(*is_little).whole == 0) return fail(std::string(kBigEndian));
        place_storages(names, bytes.size() - rest.size());
    }

    // They follow each other from `at` on, each behind the count of its numbers.
    void place_storages(const Pickle& names, std::uint64_t at) {
        const PickleNode& list = names.at(names.root());
        if (list.kind != PickleKind::list) return fail("is cut or damaged: its list of storages cannot be read.");
        std::map<std::string_view, std::int64_t> bytes_of_numbers;
        for (const PickleNode& node : pickle_.all()) {
            if (node.kind != PickleKind::storage) continue;
            const NumberType* const type = type_of_storage(node);
            if (type != nullptr) bytes_of_numbers.emplace(pickle_.at(node.items[2]).text, type->bits / 8);
            if (node.items.size() > 5 && pickle_.at(node.items[5]).kind != PickleKind::none)
                return fail("has storages that are parts of others: load it with PyTorch, and save its state_dict().");
        }
        for (const PickleRef ref : list.items) {
            const std::string& name = names.at(ref).text;
            const auto known = bytes_of_numbers.find(name);
            std::string count(8, 0);
            if (known == bytes_of_numbers.end() || at > file_.source.size() || file_.source.size() - at < count.size())
                return fail("is cut or damaged: the numbers of its tensors are not where they should be.");
            file_.problem = file_.source.read(at, bytes_of(count));
            if (!file_.problem.empty()) return;
            std::uint64_t numbers = 0;
            for (std::size_t i = count.size(); i-- > 0;) numbers = numbers << 8U | static_cast<unsigned char>(count[i]);
            at += count.size();
            const std::uint64_t left = file_.source.size() - at;
            if (numbers > left / static_cast<std::uint64_t>(known->second))
                return fail("is cut: the numbers of its tensors reach beyond its end.");
            const std::uint64_t end = at + numbers * static_cast<std::uint64_t>(known->second);
            if (!entries_.emplace(concat("data/", name), Entry{.begin = at, .end = end}).second)
                return fail(concat("has two storages of the name ", attn::quoted(name), "."));
            at = end;
        }
    }

    void read_entries() {
        unzFile zip = open_zip(file_);
        if (zip == nullptr) return fail("is an incomplete archive: its list of contents, at the end, is missing.");
        unz_global_info64 archive = {};
        unzGetGlobalInfo64(zip, &archive);
        if (archive.number_entry > kMostEntries) fail(concat("has more than ", kMostEntries, " entries."));
        for (std::uint64_t i = 0; i < archive.number_entry && problem_.empty() && file_.problem.empty(); ++i) {
            std::array<char, 1024> name = {};
            unz_file_info64 info = {};
            const bool is_there =
                (i == 0 ? unzGoToFirstFile(zip) : unzGoToNextFile(zip)) == UNZ_OK &&
                unzGetCurrentFileInfo64(zip, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) == UNZ_OK;
            if (!is_there)
                fail("is a damaged archive: its list of contents breaks off.");
            else
                read_entry(zip, name.data(), info);
        }
        unzClose(zip);
    }

    void read_entry(unzFile zip, const std::string& name, const unz_file_info64& info) {
        const bool is_wanted =
            name.ends_with("data.pkl") || name.ends_with("byteorder") || name.find("/data/") != std::string::npos;
        if (!is_wanted) return;
        if (info.compression_method != 0 || (info.flag & 1U) != 0)
            return fail(concat("is an archive that packs its entry ", attn::quoted(name),
                               ": torch.save stores numbers as they are. Unpack it, and open the files in it."));
        int method = 0, level = 0;
        if (unzOpenCurrentFile2(zip, &method, &level, 1) != UNZ_OK)
            return fail(concat("is a damaged archive: its entry ", attn::quoted(name), " is not where its list says."));
        const std::uint64_t begin = unzGetCurrentFileZStreamPos64(zip);
        unzCloseCurrentFile(zip);
        const std::uint64_t size = file_.source.size();
        if (begin > size || info.uncompressed_size > size - begin)
            return fail(concat("is cut: its entry ", attn::quoted(name), " reaches beyond its end."));
        if (!entries_.emplace(name, Entry{.begin = begin, .end = begin + info.uncompressed_size}).second)
            fail(concat("has two entries of the name ", attn::quoted(name), "."));
    }

    std::string contents_of(const Entry& entry) {
        std::string bytes(
            static_cast<std::size_t>(std::min<std::uint64_t>(entry.end - entry.begin, Pickle::kMaxBytes + 1)), '\0');
        file_.problem = file_.source.read(entry.begin, bytes_of(bytes));
        return bytes;
    }

    bool has_tensors(PickleRef ref) const {
        const PickleNode& node = pickle_.at(ref);
        if (node.kind != PickleKind::dictionary) return false;
        for (std::size_t i = 1; i < node.items.size(); i += 2)
            if (pickle_.at(node.items[i]).kind == PickleKind::tensor) return true;
        return false;
    }

    // The dictionary of the model's tensors. A training program keeps it beside its own numbers.
    std::optional<PickleRef> find_dictionary() {
        const PickleRef root = pickle_.root();
        for (const std::string_view name :
             {"model_state_dict", "state_dict", "model_state", "model", "module", "net", "network", "weights"}) {
            const std::optional<PickleRef> found = pickle_.find(root, name);
            if (found && has_tensors(*found)) return found;
        }
        if (has_tensors(root)) return root;
        std::vector<PickleRef> found;
        const PickleNode& node = pickle_.at(root);
        for (std::size_t i = 1; node.kind == PickleKind::dictionary && i < node.items.size(); i += 2)
            if (has_tensors(node.items[i])) found.push_back(node.items[i]);
        if (found.size() == 1) return found.front();
        fail(found.empty() ? "has no tensors with names: save the model's state_dict()."
                           : "has several dictionaries of tensors: save the model's state_dict() alone.");
        return std::nullopt;
    }

    // nanoGPT's "model_args", the book's "config": whole numbers, true and false.
    std::string settings() const {
        for (const std::string_view key : {"model_args", "config", "model_config"}) {
            const std::optional<PickleRef> found = pickle_.find(pickle_.root(), key);
            if (!found || pickle_.at(*found).kind != PickleKind::dictionary) continue;
            std::string json;
            const std::vector<PickleRef>& items = pickle_.at(*found).items;
            for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
                const PickleNode &name = pickle_.at(items[i]), &value = pickle_.at(items[i + 1]);
                const bool is_name =
                    name.kind == PickleKind::text && !name.text.empty() &&
                    std::ranges::all_of(name.text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
                const bool is_boolean = value.kind == PickleKind::boolean;
                if (!is_name || (!is_boolean && value.kind != PickleKind::whole)) continue;
                const std::string member = concat('"', name.text, "\":");
                if (json.find(member) != std::string::npos) continue;
                json += concat(json.empty() ? "{" : ",", member);
                json += is_boolean ? (value.whole != 0 ? "true" : "false") : concat(value.whole);
            }
            if (!json.empty()) return json + "}";
        }
        return "";
    }

    void read_tensors(PickleRef dictionary) {
        const std::vector<PickleRef>& items = pickle_.at(dictionary).items;
        for (std::size_t i = 0; i + 1 < items.size() && problem_.empty(); i += 2) {
            if (pickle_.at(items[i + 1]).kind != PickleKind::tensor) continue;
            if (pickle_.at(items[i]).kind != PickleKind::text) return fail("has a tensor without a name.");
            read_tensor(pickle_.at(items[i]).text, pickle_.at(items[i + 1]));
        }
        std::ranges::sort(tensors_, {}, &StoredTensor::name);
        const auto twice = std::ranges::adjacent_find(tensors_, {}, &StoredTensor::name);
        if (twice != tensors_.end()) fail(concat("has two tensors of the name ", attn::quoted(twice->name), "."));
        std::ranges::stable_sort(tensors_, {}, &StoredTensor::begin);
    }

    // Whole numbers of a list; nothing where it is none.
    std::optional<std::vector<std::int64_t>> wholes(PickleRef list) const {
        std::vector<std::int64_t> numbers;
        if (pickle_.at(list).kind != PickleKind::list) return std::nullopt;
        for (const PickleRef item : pickle_.at(list).items) {
            if (pickle_.at(item).kind != PickleKind::whole) return std::nullopt;
            numbers.push_back(pickle_.at(item).whole);
        }
        return numbers;
    }

    // Without "torch." and "Storage"; a storage is "storage", type, key, place, count of numbers.
    std::string_view word_of_type(const PickleNode& storage) const {
        std::string_view type = pickle_.at(storage.items[1]).text;
        if (type.starts_with("torch.")) type.remove_prefix(6);
        if (type.ends_with("Storage")) type.remove_suffix(7);
        return type;
    }

    // Null: it is not known.
    const NumberType* type_of_storage(const PickleNode& storage) const {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTypes = {{{"Float", "F32"},
                                                                                           {"Half", "F16"},
                                                                                           {"BFloat16", "BF16"},
                                                                                           {"Double", "F64"},
                                                                                           {"Long", "I64"},
                                                                                           {"Int", "I32"},
                                                                                           {"Short", "I16"},
                                                                                           {"Char", "I8"},
                                                                                           {"Byte", "U8"},
                                                                                           {"Bool", "BOOL"}}};
        const std::string_view word = word_of_type(storage);
        const auto known = std::ranges::find_if(kTypes, [&](const auto& one) { return one.first == word; });
        return known == kTypes.end() ? nullptr : number_type_of(known->second);
    }

    void read_tensor(const std::string& name, const PickleNode& node) {
        const auto refuse = [&](std::string_view why) { fail(concat("has the tensor ", attn::quoted(name), why)); };
        const PickleNode& storage = pickle_.at(node.items[0]);
        const NumberType* const number = type_of_storage(storage);
        if (number == nullptr)
            return refuse(concat(" of the type ", attn::quoted(word_of_type(storage)), ", which is not known."));
        const auto entry = entries_.find(concat(prefix_, "data/", pickle_.at(storage.items[2]).text));
        if (entry == entries_.end()) return refuse(", whose numbers are not in the file.");
        const auto sizes = wholes(node.items[2]), strides = wholes(node.items[3]);
        const std::int64_t offset = pickle_.at(node.items[1]).whole;
        if (!sizes || !strides || sizes->size() != strides->size() || sizes->size() > kMaxTensorAxes)
            return refuse(", whose sizes cannot be read.");

        // The numbers from the first to the last that it has.
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        if (offset < 0 || offset > kMost) return refuse(" that reaches beyond its numbers.");
        std::int64_t last = offset, count = 1;
        for (std::size_t axis = 0; axis < sizes->size(); ++axis) {
            const std::int64_t size = (*sizes)[axis], stride = (*strides)[axis];
            if (size < 0 || size > kMost || stride < 0 || stride > kMost || (size > 0 && count > kMost / size))
                return refuse(", whose sizes are none.");
            count *= size;
            if (size > 1 && stride > (kMost - std::min(last, kMost)) / (size - 1))
                return refuse(" that reaches beyond its numbers.");
            last += size > 1 ? stride * (size - 1) : 0;
        }
        const std::int64_t bytes = number->bits / 8;
        const auto there = static_cast<std::int64_t>(entry->second.end - entry->second.begin);
        if (count == 0) last = offset - 1;
        if (offset > there / bytes || last >= there / bytes) return refuse(" that reaches beyond its numbers.");
        StoredTensor tensor = {.name = name, .type = number, .shape = *sizes};
        tensor.begin = entry->second.begin + static_cast<std::uint64_t>(offset * bytes);
        tensor.end = entry->second.begin + static_cast<std::uint64_t>((last + 1) * bytes);
        std::int64_t step = 1;  // of numbers that lie one after the other
        bool is_in_order = true;
        for (std::size_t axis = sizes->size(); axis-- > 0;) {
            is_in_order = is_in_order && ((*sizes)[axis] == 1 || (*strides)[axis] == step);
            step *= (*sizes)[axis];
        }
        if (!is_in_order && count > 0) tensor.strides = *strides;
        tensors_.push_back(std::move(tensor));
    }

    ZipSource file_;
    std::string what_, problem_, prefix_;
    std::map<std::string, Entry> entries_;
    Pickle pickle_;
    std::vector<StoredTensor> tensors_;
};

}  // namespace

bool begins_like_torch_file(std::string_view first_bytes) {
    return first_bytes.starts_with("PK\x03\x04") || first_bytes.starts_with(kOldForm);
}

Result<TensorsOfFile> read_torch_file(ByteSource& file) {
    return TorchFileReader(file).read();
}

}  // namespace attn
