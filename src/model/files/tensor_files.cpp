// One list of the tensors of all files, sorted by name for look-ups.
#include "model/files/tensor_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"
#include "model/files/torch_file.h"

namespace attn {
namespace {

using Opened = Result<TensorFiles>;

// What people download in the place of a model's numbers, by its first bytes.
struct OtherFile {
    std::string_view begins;
    std::string_view words;
};
constexpr std::array<OtherFile, 11> kOthers = {{
    {"version https://git-lfs",
     "is a pointer of Git LFS, not the file itself: run \"git lfs pull\", or download the file from its page"},
    {"<!doctype html", "is a web page, not the file that it shows: use the page's link for downloads"},
    {"<html", "is a web page, not the file that it shows: use the page's link for downloads"},
    {"{\"error", "is the answer of a server that did not hand out the file: download it anew, or ask for access to it"},
    {"\x1f\x8b", "is packed by gzip: unpack it, and open the files in it"},
    {"7z\xbc\xaf", "is packed by 7-Zip: unpack it, and open the files in it"},
    {"\xfd"
     "7zXZ",
     "is packed by xz: unpack it, and open the files in it"},
    {"Rar!", "is packed by RAR: unpack it, and open the files in it"},
    {"\x89HDF", "is an HDF5 file, of Keras or TensorFlow: take the model's safetensors"},
    {"\x93NUMPY", "is an array of NumPy, not a model's file"},
    {"\x80", "is a pickle of Python without an archive around it: save the model's state_dict() with torch.save"},
}};

void choose_files(std::vector<std::unique_ptr<ByteSource>>& files) {
    const auto keep = [&](const auto& is_wanted) {
        if (std::ranges::any_of(files, [&](const auto& file) { return is_wanted(file->name()); }))
            std::erase_if(files, [&](const auto& file) { return !is_wanted(file->name()); });
    };
    keep([](std::string_view name) { return name.ends_with(".safetensors"); });
    keep([](std::string_view name) { return name.ends_with(".safetensors") || name.starts_with("pytorch_model"); });
    if (std::ranges::none_of(files, [](const auto& file) { return file->name().starts_with("pytorch_model"); }))
        keep([](std::string_view name) { return name.ends_with(".safetensors") || name.ends_with(".gguf"); });
}

// A sentence about what a file is instead, or nothing.
std::string what_else_it_is(std::string_view first_bytes, std::string_view name) {
    const std::size_t blank = std::min(first_bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf"), first_bytes.size());
    std::string begin(first_bytes.substr(blank));
    for (char& c : begin)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    for (const OtherFile& other : kOthers) {
        const bool is_text = other.begins.starts_with('<') || other.begins.starts_with('{');
        if (is_text ? begin.starts_with(other.begins) : first_bytes.starts_with(other.begins))
            return concat("The file ", attn::quoted(name), " ", other.words, ".");
    }
    return "";
}

// The tensors of a file, whichever of the three forms it has; `gguf` gets what the third one says beside them.
Result<TensorsOfFile> tensors_in(ByteSource& file, std::shared_ptr<const Gguf>& gguf) {
    using Tensors = Result<TensorsOfFile>;
    std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 64)), '\0');
    const std::string problem = file.read(0, {reinterpret_cast<std::uint8_t*>(first.data()), first.size()});
    if (!problem.empty()) return Tensors::failure(problem);
    if (begins_like_torch_file(first)) return read_torch_file(file);
    if (begins_like_gguf(first)) {
        if (gguf != nullptr)
            return Tensors::failure(concat("There are several GGUF files, ", attn::quoted(gguf->file), " and ",
                                           attn::quoted(file.name()), ": open one of them."));
        Result<Gguf> read = read_gguf(file);
        if (!read) return Tensors::failure(read.error());
        gguf = std::make_shared<const Gguf>(std::move(*read));
        return TensorsOfFile{.tensors = gguf->tensors};
    }
    // The length of a safetensors header is small, so its later bytes are 0.
    const bool may_be_safetensors =
        first.size() >= 8 && std::string_view(first).substr(4, 4) == std::string_view("\0\0\0\0", 4);
    std::string other = may_be_safetensors ? "" : what_else_it_is(first, file.name());
    if (!other.empty()) return Tensors::failure(std::move(other));
    Result<SafetensorsHeader> header = read_safetensors_header(file);
    if (!header) return Tensors::failure(header.error());
    return TensorsOfFile{.tensors = std::move(header->tensors)};
}

}  // namespace

std::vector<std::uint8_t> bytes_in_order(const StoredTensor& tensor, std::vector<std::uint8_t> bytes) {
    if (tensor.strides.empty()) return bytes;
    const auto size = static_cast<std::size_t>(tensor.type->bits) / 8;
    std::vector<std::uint8_t> ordered(static_cast<std::size_t>(tensor.num_numbers()) * size);
    std::vector<std::int64_t> place(tensor.shape.size(), 0);
    std::int64_t from = 0;
    for (std::size_t to = 0; to < ordered.size(); to += size) {
        std::memcpy(ordered.data() + to, bytes.data() + static_cast<std::size_t>(from) * size, size);
        for (std::size_t axis = place.size(); axis-- > 0;) {
            from += tensor.strides[axis];
            if (++place[axis] < tensor.shape[axis]) break;
            from -= tensor.strides[axis] * tensor.shape[axis];
            place[axis] = 0;
        }
    }
    return ordered;
}

Opened TensorFiles::open(std::vector<std::unique_ptr<ByteSource>> files, std::string_view index) {
    TensorFiles result;
    choose_files(files);
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
            if (files[k]->name() == files[i]->name())
                return Opened::failure(
                    concat("Two files are called ", attn::quoted(files[i]->name()), ": open one model at a time."));
        Result<TensorsOfFile> read = tensors_in(*files[i], result.gguf_);
        if (!read) return Opened::failure(read.error());
        if (result.settings_.empty()) result.settings_ = std::move(read->settings);
        for (StoredTensor& tensor : read->tensors) result.tensors_.push_back({.tensor = std::move(tensor), .file = i});
    }
    result.files_ = std::move(files);
    if (result.gguf_ && result.files_.size() > 1)
        return Opened::failure(concat("The file ", attn::quoted(result.gguf_->file),
                                      " is a whole model, and there are other files of tensors: open it alone."));
    const auto name_of = [&](std::size_t place) -> const std::string& { return result.tensors_[place].tensor.name; };
    result.sort_names();
    const auto twice = std::adjacent_find(result.by_name_.begin(), result.by_name_.end(),
                                          [&](std::size_t a, std::size_t b) { return name_of(a) == name_of(b); });
    if (twice != result.by_name_.end()) {
        const auto file_of = [&](std::size_t place) {
            return attn::quoted(result.files_[result.tensors_[place].file]->name());
        };
        return Opened::failure(concat("The tensor ", attn::quoted(name_of(*twice)),
                                      " is in two files: ", file_of(*twice), " and ", file_of(*(twice + 1)), "."));
    }
    const std::string problem = index.empty() ? "" : result.compare_with(index);
    if (!problem.empty()) return Opened::failure(problem);
    return result;
}

void TensorFiles::sort_names() {
    by_name_.clear();
    for (std::size_t i = 0; i < tensors_.size(); ++i) by_name_.push_back(i);
    std::ranges::sort(by_name_, {}, [&](std::size_t i) -> const std::string& { return tensors_[i].tensor.name; });
}

void TensorFiles::replace_tensors(std::vector<FiledTensor> tensors) {
    tensors_ = std::move(tensors);
    gguf_.reset();
    sort_names();
}

std::string TensorFiles::compare_with(std::string_view index) const {
    const Result<JsonTree> tree = JsonTree::read(index, "The index of the model's files");
    if (!tree) return tree.error();
    const std::optional<JsonValue> map = tree->root().find("weight_map");
    if (!map || !map->is(JsonKind::object))
        return "The index of the model's files has no \"weight_map\", which says what is in which file.";
    for (const JsonValue entry : *map) {
        if (!entry.is(JsonKind::text))
            return concat("The index of the model's files names no file for the tensor ", attn::quoted(entry.name()),
                          ".");
        const std::string_view wanted = entry.text();
        const bool has_file =
            std::any_of(files_.begin(), files_.end(), [&](const auto& file) { return file->name() == wanted; });
        if (!has_file) {
            return concat("The file ", attn::quoted(wanted),
                          " is missing: the index of the model's files says that the tensor ",
                          attn::quoted(entry.name()), " is in it.");
        }
        const FiledTensor* tensor = find(entry.name());
        if (tensor == nullptr) {
            return concat("The tensor ", attn::quoted(entry.name()), " is missing: the index says that it is in ",
                          attn::quoted(wanted), ", and it is in no file.");
        }
        const std::string& file = files_[tensor->file]->name();
        if (file != wanted) {
            return concat("The tensor ", attn::quoted(entry.name()), " is in ", attn::quoted(file),
                          ", but the index says it is in ", attn::quoted(wanted),
                          ": these files do not belong together.");
        }
    }
    return "";
}

const FiledTensor* TensorFiles::find(std::string_view name) const {
    const auto place =
        std::lower_bound(by_name_.begin(), by_name_.end(), name,
                         [&](std::size_t at, std::string_view n) { return tensors_[at].tensor.name < n; });
    if (place == by_name_.end() || tensors_[*place].tensor.name != name) return nullptr;
    return &tensors_[*place];
}

std::string TensorFiles::read(const FiledTensor& tensor, std::uint64_t first_byte, std::span<std::uint8_t> into) const {
    const std::uint64_t size = tensor.tensor.end - tensor.tensor.begin;
    ATTN_CHECK(first_byte <= size && into.size() <= size - first_byte, "bytes ", first_byte, " to ",
               first_byte + into.size(), " of a tensor of ", size);
    return files_[tensor.file]->read(tensor.tensor.begin + first_byte, into);
}

}  // namespace attn
