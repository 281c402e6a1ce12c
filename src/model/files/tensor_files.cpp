// One list of the tensors of all files, sorted by name for look-ups.
#include "model/files/tensor_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"

namespace attn {
namespace {

using Opened = Result<TensorFiles>;

}  // namespace

Opened TensorFiles::open(std::vector<std::unique_ptr<ByteSource>> files, std::string_view index) {
    TensorFiles result;
    for (std::size_t i = 0; i < files.size(); ++i) {
        Result<SafetensorsHeader> header = read_safetensors_header(*files[i]);
        if (!header) return Opened::failure(header.error());
        for (StoredTensor& tensor : header->tensors) {
            result.tensors_.push_back({.tensor = std::move(tensor), .file = i});
        }
    }
    result.files_ = std::move(files);
    const auto name_of = [&](std::size_t place) -> const std::string& { return result.tensors_[place].tensor.name; };
    for (std::size_t i = 0; i < result.tensors_.size(); ++i) result.by_name_.push_back(i);
    std::sort(result.by_name_.begin(), result.by_name_.end(),
              [&](std::size_t a, std::size_t b) { return name_of(a) < name_of(b); });
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
