// The tensors by their usual names; the settings are gguf_settings.cpp's.
#include "model/layers/gguf_model.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/packed_type.h"

namespace attn {
namespace {

// "blk.3.attn_q.weight" is "3", "attn_q" and ".weight"; of what is in no layer the first is empty.
struct NameParts {
    std::string_view layer, part, end;
};
NameParts parts_of(std::string_view name, std::string_view layers) {
    NameParts parts;
    for (const std::string_view end : {".weight", ".bias"}) {
        if (!name.ends_with(end)) continue;
        parts.end = end;
        name.remove_suffix(end.size());
    }
    parts.part = name;
    if (!name.starts_with(layers)) return parts;
    name.remove_prefix(layers.size());
    const std::size_t dot = name.find('.');
    const std::string_view digits = name.substr(0, dot);
    const bool is_number = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (dot == std::string_view::npos || digits.empty() || !is_number) return parts;
    parts.layer = digits;
    parts.part = name.substr(dot + 1);
    return parts;
}

constexpr std::string_view kFiledLayers = "blk.";
constexpr std::array<std::string_view, 3> kRoles = {"q_proj", "k_proj", "v_proj"};

// The file's name of a part with a usual name; "" where the kind has none.
std::string filed_name_of(const GgufKind& kind, std::string_view usual) {
    const NameParts parts = parts_of(usual, kind.layers);
    for (const GgufName& one : parts.layer.empty() ? kind.of_model : kind.of_layers) {
        const bool is_role = kind.cuts_roles && one.usual.ends_with('.') && parts.part.starts_with(one.usual);
        if (one.usual != parts.part && !is_role) continue;
        return parts.layer.empty() ? concat(one.filed, parts.end)
                                   : concat(kFiledLayers, parts.layer, ".", one.filed, parts.end);
    }
    return "";
}

class TensorsReader {
public:
    TensorsReader(const TensorFiles& files, GgufModel& model)
        : files_(files), kind_(*model.kind), model_(model), head_dim_(model.head_dim) {}
    std::string problem;

    void read_all() {
        for (const FiledTensor& filed : files_.tensors()) {
            const std::string& name = filed.tensor.name;
            if (files_.gguf()->setting_tensors.contains(name) || name.ends_with(".attn_rot_embd")) continue;
            if (problem.empty()) read(filed);
        }
        std::set<std::string_view> packed;
        for (const FiledTensor& one : model_.tensors)
            if (one.tensor.packed != nullptr) packed.insert(one.tensor.packed->name);
        std::string names;
        for (const std::string_view one : packed) names += concat(names.empty() ? "" : ", ", one);
        if (!packed.empty())
            model_.remarks.push_back(concat("the file's numbers are packed (", names,
                                            "): each becomes a float of 32 bits where it is read"));
    }

private:
    void read(const FiledTensor& filed) {
        const NameParts parts = parts_of(filed.tensor.name, kFiledLayers);
        const std::span<const GgufName> names = parts.layer.empty() ? kind_.of_model : kind_.of_layers;
        const auto found = std::ranges::find(names, parts.part, &GgufName::filed);
        if (found == names.end() || parts.end.empty()) return refuse(filed.tensor.name);
        FiledTensor tensor = filed;
        const std::string before = parts.layer.empty() ? "" : concat(kind_.layers, parts.layer, ".");
        tensor.tensor.name = concat(before, found->usual, parts.end);
        const std::int64_t rows = filed.tensor.shape.front();
        const bool is_turned = parts.part == "attn_q" || parts.part == "attn_k";
        if (kind_.has_paired_rows && is_turned && head_dim_ > 0 && head_dim_ % 2 == 0 && rows % head_dim_ == 0)
            tensor.tensor.paired_rows = head_dim_;
        if (kind_.cuts_roles && parts.part == "attn_qkv") return cut(tensor, rows);
        model_.tensors.push_back(std::move(tensor));
    }

    void cut(const FiledTensor& whole, std::int64_t rows) {
        if (rows % 3 != 0) return refuse(filed_name_of(kind_, whole.tensor.name));
        const std::uint64_t size = (whole.tensor.end - whole.tensor.begin) / 3;
        const std::size_t dot = whole.tensor.name.rfind('.');
        for (std::uint64_t role = 0; role < 3; ++role) {
            FiledTensor part = whole;
            part.tensor.name.insert(dot, kRoles[static_cast<std::size_t>(role)]);
            part.tensor.shape.front() = rows / 3;
            part.tensor.begin += role * size;
            part.tensor.end = part.tensor.begin + size;
            model_.tensors.push_back(std::move(part));
        }
    }

    void refuse(std::string_view name) {
        const bool is_of_experts =
            name.find("_exps.") != std::string_view::npos || name.find("ffn_gate_inp") != std::string_view::npos;
        problem = concat("The file ", attn::quoted(model_.file), " has the tensor ", attn::quoted(name),
                         is_of_experts ? " of a mixture of experts, and this program does not compute those."
                                       : concat(", which ", kind_.architecture, " does not have in this program."));
    }

    const TensorFiles& files_;
    const GgufKind& kind_;
    GgufModel& model_;
    int head_dim_;
};

}  // namespace

std::string GgufModel::in_its_words(std::string_view sentence) const {
    std::string words;
    while (!sentence.empty()) {
        constexpr std::string_view kConfig = "config.json";
        if (sentence.starts_with(kConfig)) {
            words += concat(words.empty() ? "The file " : "the file ", attn::quoted(file));
            sentence.remove_prefix(kConfig.size());
            continue;
        }
        const std::size_t end = sentence.front() == '"' ? sentence.find('"', 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            words += sentence.front();
            sentence.remove_prefix(1);
            continue;
        }
        const std::string_view quote = sentence.substr(1, end - 1);
        std::string own = filed_name_of(*kind, quote);
        const auto key = std::ranges::find_if(keys, [&](const auto& one) { return one.first == quote; });
        if (own.empty() && key != keys.end()) own = key->second;
        words += concat('"', own.empty() ? quote : std::string_view(own), '"');
        sentence.remove_prefix(end + 1);
    }
    return words;
}

namespace {

std::string known_architectures() {
    std::string names;
    for (const GgufKind& kind : gguf_kinds())
        names += concat(names.empty() ? "" : &kind == &gguf_kinds().back() ? " and " : ", ", kind.architecture);
    return names;
}

}  // namespace

Result<GgufModel> model_of_gguf(const TensorFiles& files) {
    ATTN_CHECK(files.gguf() != nullptr, "no GGUF file");
    const Gguf& gguf = *files.gguf();
    const auto refuse = [&](std::string_view what) {
        return Result<GgufModel>::failure(concat("The file ", attn::quoted(gguf.file), " ", what, "."));
    };
    const std::string_view architecture = gguf.text("general.architecture"), type = gguf.text("general.type");
    if (!type.empty() && type != "model")
        return refuse(concat("says that it is ", attn::quoted(type), ", not a whole model"));
    if (architecture.empty()) return refuse("has no \"general.architecture\", which says what kind of model it is");
    GgufModel model;
    model.file = gguf.file;
    model.kind = gguf_kind_of(architecture);
    if (model.kind == nullptr)
        return refuse(concat("is of the architecture ", attn::quoted(architecture), "; this program reads ",
                             known_architectures()));
    std::string problem = read_gguf_settings(gguf, model);
    if (!problem.empty()) return Result<GgufModel>::failure(std::move(problem));
    TensorsReader tensors(files, model);
    tensors.read_all();
    if (!tensors.problem.empty()) return Result<GgufModel>::failure(tensors.problem);
    return model;
}

}  // namespace attn
