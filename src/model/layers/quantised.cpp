// The tensors come first: a config may be left over from before.
#include "model/layers/quantised.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "model/files/json_tree.h"

namespace attn {
namespace {

struct Quantiser {
    std::string_view method;  // "quant_method" in the config
    std::string_view name;
    std::string_view end;  // of a tensor's name
};
// GPTQ has all of AWQ's tensors and one more, and both have MLX's.
constexpr std::array kQuantisers = {Quantiser{"bitsandbytes", "bitsandbytes", ".absmax"},
                                    Quantiser{"bitsandbytes", "bitsandbytes", ".quant_map"},
                                    Quantiser{"bitsandbytes", "bitsandbytes", ".SCB"},
                                    Quantiser{"gptq", "GPTQ", ".g_idx"},
                                    Quantiser{"awq", "AWQ", ".qweight"},
                                    Quantiser{"compressed-tensors", "compressed-tensors", ".weight_packed"},
                                    Quantiser{"mxfp4", "MXFP4", "_proj_blocks"},
                                    Quantiser{"fp8", "FP8", ".weight_scale_inv"},
                                    Quantiser{"mlx", "MLX", ".scales"}};

// The first tensor whose numbers are packed or of a type that is not computed.
const FiledTensor* first_packed(const TensorFiles& files) {
    const auto is_packed = [](const FiledTensor& filed) {
        return !filed.tensor.type->is_computed && filed.tensor.shape.size() >= 2 &&
               filed.tensor.name.ends_with("weight");
    };
    const auto found = std::ranges::find_if(files.tensors(), is_packed);
    return found == files.tensors().end() ? nullptr : &*found;
}

}  // namespace

std::string why_quantised(std::string_view config, const TensorFiles& files) {
    const Result<JsonTree> tree = JsonTree::read(config.empty() ? "{}" : config, "config.json");
    std::string method, bits;
    if (tree && tree->root().is(JsonKind::object)) {
        for (const std::string_view key : {"quantization_config", "quantization"}) {
            const std::optional<JsonValue> part = tree->root().find(key);
            if (!part || !part->is(JsonKind::object)) continue;
            if (const auto said = part->find("quant_method")) method = said->text();
            for (const std::string_view width : {"bits", "w_bit"}) {
                const auto number = part->find(width);
                if (number && number->whole()) bits = concat(*number->whole());
            }
            if (const auto four = part->find("load_in_4bit"); four && four->boolean()) bits = "4";
            if (const auto eight = part->find("load_in_8bit"); eight && eight->boolean()) bits = "8";
        }
    }
    const FiledTensor* tensor = nullptr;
    std::string_view name;
    for (const Quantiser& one : kQuantisers) {
        const auto found = std::ranges::find_if(
            files.tensors(), [&](const FiledTensor& filed) { return filed.tensor.name.ends_with(one.end); });
        if (found == files.tensors().end()) continue;
        tensor = &*found;
        name = one.name;
        break;
    }
    if (tensor == nullptr && !method.empty()) tensor = first_packed(files);
    if (tensor == nullptr) return "";
    const auto known = std::ranges::find_if(kQuantisers, [&](const Quantiser& one) { return one.method == method; });
    const std::string quantiser = known != kQuantisers.end() ? std::string(known->name)
                                  : method.empty()           ? std::string(name)
                                                             : attn::quoted(method);
    return concat("The model's numbers are quantised by ", quantiser, bits.empty() ? "" : concat(" to ", bits, " bits"),
                  " (the tensor ", attn::quoted(tensor->tensor.name),
                  "): this program computes with F32, F16 and BF16. Bring the model's files as they were before.");
}

}  // namespace attn
