// The names of two layers' tensors differ by the layer's number alone.
#include "share/scripts/script_tensors.h"

#include <vector>

#include "core/ground/check.h"
#include "share/scripts/python_text.h"

namespace attn {
namespace {

constexpr std::string_view kReadTensors =
    R"py(def read_tensors(folder):  # of safetensors files, or of files of torch.save, as doubles
    types = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    tensors = {}
    for path in sorted(folder.glob("*.safetensors")):
        file = bytearray(path.read_bytes())
        start = 8 + int.from_bytes(file[:8], "little")
        for name, entry in json.loads(file[8:start]).items():
            if entry.get("dtype") in types:
                begin, end = entry["data_offsets"]
                numbers = torch.frombuffer(file[start + begin : start + end], dtype=types[entry["dtype"]])
                tensors[name] = numbers.reshape(entry["shape"]).double()
    if tensors:
        return tensors
    for path in sorted(path for end in ("bin", "pt", "pth") for path in folder.glob(f"*.{end}")):
        # A pickle may run anything. Where it holds more than PyTorch takes for harmless, --trust reads it all the same.
        saved = torch.load(path, map_location="cpu", weights_only="--trust" not in sys.argv)
        for entries in [saved, *(entry for entry in saved.values() if isinstance(entry, dict))]:  # a training program's own
            tensors.update({name: entry.double() for name, entry in entries.items() if torch.is_tensor(entry)})
    return tensors)py";

// The place of the layer's number in a tensor's name: it is "{n}" there. `names` are those of all layers.
std::string name_of_all(const std::vector<std::string_view>& names) {
    const std::string_view first = names.front();
    for (std::size_t at = first.find('0'); at != std::string_view::npos; at = first.find('0', at + 1)) {
        const auto with = [&](std::string_view number) {
            return concat(first.substr(0, at), number, first.substr(at + 1));
        };
        bool fits = true;
        for (std::size_t layer = 0; layer < names.size(); ++layer) fits = fits && names[layer] == with(concat(layer));
        if (fits) return with("{n}");
    }
    ATTN_CHECK(false, "the tensors of ", first, " have no layer's number");
    return "";
}

std::string columns_text(const LinearWeights& linear) {
    return concat(linear.first_output, ":", linear.first_output + linear.outputs);
}

// Of a matrix with several in it, head by head.
std::string group_of(const LinearWeights& linear) {
    const FiledMatrix& filed = linear.weight->matrix();
    const int num_heads = filed.outputs / filed.roles / filed.head_dim;
    return concat(".unflatten(0, (", num_heads, ", ", filed.roles, ", ", filed.head_dim, "))[:, ",
                  linear.first_output / linear.outputs, "]");
}

std::string as_used(const LinearWeights& linear, std::string text) {
    const FiledMatrix& filed = linear.weight->matrix();
    if (filed.layout == MatrixLayout::in_groups)
        return concat(text, group_of(linear), ".reshape(", linear.outputs, ", -1).T");
    if (filed.layout == MatrixLayout::transposed) text += ".T";
    if (filed.layout == MatrixLayout::by_head) text += concat(".permute(1, 0, 2).reshape(", linear.inputs, ", -1)");
    const bool has_more_axes = linear.weight->filed().tensor.shape.size() > 2;
    if (filed.layout == MatrixLayout::as_used && has_more_axes) text += concat(".reshape(", linear.inputs, ", -1)");
    return linear.outputs == filed.outputs ? text : concat(text, "[:, ", columns_text(linear), "]");
}

std::string as_vector(const LinearWeights& linear, std::string text) {
    if (linear.weight->matrix().layout == MatrixLayout::in_groups)
        return concat(text, group_of(linear), ".reshape(-1)");
    if (linear.bias->filed().tensor.shape.size() > 1) text += ".reshape(-1)";
    return linear.bias->num_numbers() == linear.outputs ? text : concat(text, "[", columns_text(linear), "]");
}

// `of` finds the tensor in a layer.
template <class Of>
std::string text_of_layers(const ModelWeights& weights, const Of& of) {
    if (weights.layers.size() == 1) return tensor_text(*of(weights.layers.front()));
    std::vector<std::string_view> names;
    for (const LayerWeights& layer : weights.layers) names.push_back(of(layer)->name());
    return concat("tensors[f", python_string(name_of_all(names)), "]");
}

}  // namespace

std::string_view read_tensors_text() {
    return kReadTensors;
}

std::string_view typed_over_text() {
    return R"py(def typed_over(n, name, numbers):  # heads, (heads, T, head_dim), count their numbers head after head
    numbers = numbers.clone()
    for layer, tensor, row, column, number in typed:
        if (layer, tensor) == (n, name):
            if numbers.dim() == 3:
                numbers[column // head_dim, row, column % head_dim] = number
            else:
                numbers[(row, column) if numbers.dim() == 2 else column] = number
    return numbers)py";
}

std::string tensor_text(const ModelTensor& tensor) {
    return concat("tensors[", python_string(tensor.name()), "]");
}

std::string rows_text(const ModelTensor& tensor) {
    return concat(tensor_text(tensor), tensor.filed().tensor.shape.size() == 3 ? "[0]" : "");
}

std::string matrix_text(const LinearWeights& linear) {
    return as_used(linear, tensor_text(*linear.weight));
}

std::string bias_text(const LinearWeights& linear) {
    return as_vector(linear, tensor_text(*linear.bias));
}

std::string matrix_text(const ModelWeights& weights, LinearOfLayer of) {
    return as_used(weights.layers.front().*of,
                   text_of_layers(weights, [of](const LayerWeights& layer) { return (layer.*of).weight; }));
}

std::string bias_text(const ModelWeights& weights, LinearOfLayer of) {
    return as_vector(weights.layers.front().*of,
                     text_of_layers(weights, [of](const LayerWeights& layer) { return (layer.*of).bias; }));
}

std::string norm_text(const NormWeights& norm) {
    return concat(norm.weight == nullptr ? "" : concat(", ", tensor_text(*norm.weight)),
                  norm.bias == nullptr ? "" : concat(", ", tensor_text(*norm.bias)));
}

std::string norm_text(const ModelWeights& weights, NormOfLayer of) {
    const NormWeights& first = weights.layers.front().*of;
    std::string text;
    if (first.weight != nullptr)
        text += concat(", ", text_of_layers(weights, [of](const LayerWeights& layer) { return (layer.*of).weight; }));
    if (first.bias != nullptr)
        text += concat(", ", text_of_layers(weights, [of](const LayerWeights& layer) { return (layer.*of).bias; }));
    return text;
}

}  // namespace attn
