// Names and order are GPT-2's; the generator draws in that order.
#include "model/learn/learned_numbers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/random.h"
#include "model/files/memory_file.h"
#include "model/files/safetensors_writer.h"
#include "model/layers/model_load.h"

namespace attn {

LearnedLayout::LearnedLayout(const LearnedShape& shape) : shape_(shape) {
    ATTN_CHECK(shape.num_heads > 0 && shape.width % shape.num_heads == 0, shape.width, " channels for ",
               shape.num_heads, " heads");
    const std::int64_t width = shape.width, mlp_width = shape.mlp_width;
    token_embedding = add("wte.weight", {shape.vocabulary, width});
    position_embedding = add("wpe.weight", {shape.positions, width});
    for (int l = 0; l < shape.num_layers; ++l) {
        const std::string name = concat("h.", l, ".");
        LearnedLayer layer = {};
        layer.norm_1_weight = add(name + "ln_1.weight", {width});
        layer.norm_1_bias = add(name + "ln_1.bias", {width});
        layer.qkv_weight = add(name + "attn.c_attn.weight", {width, 3 * width});
        layer.qkv_bias = add(name + "attn.c_attn.bias", {3 * width});
        layer.out_weight = add(name + "attn.c_proj.weight", {width, width});
        layer.out_bias = add(name + "attn.c_proj.bias", {width});
        layer.norm_2_weight = add(name + "ln_2.weight", {width});
        layer.norm_2_bias = add(name + "ln_2.bias", {width});
        layer.mlp_in_weight = add(name + "mlp.c_fc.weight", {width, mlp_width});
        layer.mlp_in_bias = add(name + "mlp.c_fc.bias", {mlp_width});
        layer.mlp_out_weight = add(name + "mlp.c_proj.weight", {mlp_width, width});
        layer.mlp_out_bias = add(name + "mlp.c_proj.bias", {width});
        layers.push_back(layer);
    }
    final_norm_weight = add("ln_f.weight", {width});
    final_norm_bias = add("ln_f.bias", {width});
}

std::size_t LearnedLayout::add(std::string name, std::vector<std::int64_t> shape) {
    std::size_t size = 1;
    for (const std::int64_t axis : shape) size *= static_cast<std::size_t>(axis);
    tensors_.push_back({.name = std::move(name), .shape = std::move(shape), .begin = num_numbers_, .size = size});
    return std::exchange(num_numbers_, num_numbers_ + size);
}

const LearnedTensor* LearnedLayout::find(std::string_view name) const {
    const auto found =
        std::find_if(tensors_.begin(), tensors_.end(), [&](const LearnedTensor& one) { return one.name == name; });
    return found == tensors_.end() ? nullptr : &*found;
}

std::vector<float> first_numbers(const LearnedLayout& layout, double embedding_deviation, std::uint64_t seed) {
    std::vector<float> numbers(layout.num_numbers(), 0.0F);
    TorchGenerator generator(seed);
    for (const LearnedTensor& tensor : layout.tensors()) {
        const std::span<float> part(numbers.data() + tensor.begin, tensor.size);
        if (tensor.begin == layout.token_embedding || tensor.begin == layout.position_embedding) {
            fill_randn(generator, part);
            for (float& number : part) number *= static_cast<float>(embedding_deviation);
        } else if (tensor.is_matrix()) {
            const auto bound = static_cast<float>(1 / std::sqrt(static_cast<double>(tensor.shape.front())));
            fill_uniform(generator, part, -bound, bound);
        } else if (tensor.name.find("ln_") != std::string::npos && tensor.name.ends_with("weight")) {
            std::fill(part.begin(), part.end(), 1.0F);
        }
    }
    return numbers;
}

std::string config_json(const LearnedShape& shape) {
    return concat(
        "{\n"
        "  \"architectures\": [\"GPT2LMHeadModel\"],\n"
        "  \"model_type\": \"gpt2\",\n"
        "  \"activation_function\": \"gelu_new\",\n"
        "  \"bos_token_id\": ",
        shape.beginning, ",\n  \"eos_token_id\": ", shape.beginning,
        ",\n"
        "  \"layer_norm_epsilon\": 1e-05,\n"
        "  \"n_ctx\": ",
        shape.positions, ",\n  \"n_embd\": ", shape.width, ",\n  \"n_head\": ", shape.num_heads,
        ",\n  \"n_inner\": ", shape.mlp_width, ",\n  \"n_layer\": ", shape.num_layers,
        ",\n  \"n_positions\": ", shape.positions,
        ",\n  \"tie_word_embeddings\": true,\n  \"vocab_size\": ", shape.vocabulary, "\n}\n");
}

std::string tensors_file(const LearnedLayout& layout, std::span<const float> numbers, std::string_view type) {
    ATTN_CHECK(numbers.size() == layout.num_numbers(), numbers.size(), " numbers, want ", layout.num_numbers());
    std::vector<WrittenTensor> tensors;
    for (const LearnedTensor& tensor : layout.tensors())
        tensors.push_back(
            {.name = tensor.name, .shape = tensor.shape, .numbers = numbers.subspan(tensor.begin, tensor.size)});
    const std::vector<std::pair<std::string, std::string>> metadata = {{"format", "pt"}};
    return write_safetensors(tensors, type, metadata);
}

Result<Model> model_of_numbers(const LearnedLayout& layout, std::span<const float> numbers, std::string_view type) {
    std::vector<std::unique_ptr<ByteSource>> files;
    files.push_back(std::make_unique<MemoryFile>("model.safetensors", tensors_file(layout, numbers, type)));
    Result<TensorFiles> opened = TensorFiles::open(std::move(files));
    if (!opened) return Result<Model>::failure(opened.error());
    return load_model(config_json(layout.shape()), std::move(*opened));
}

Result<std::vector<float>> numbers_of_model(const LearnedLayout& layout, const Model& model) {
    std::vector<float> numbers(layout.num_numbers());
    for (const LearnedTensor& tensor : layout.tensors()) {
        const auto own = std::find_if(model.tensors.begin(), model.tensors.end(), [&](const auto& one) {
            return one->name() == tensor.name || one->name() == "transformer." + tensor.name;
        });
        if (own == model.tensors.end() || (*own)->filed().tensor.shape != tensor.shape) {
            return Result<std::vector<float>>::failure(
                concat("The model has no tensor \"", tensor.name, "\" of this shape."));
        }
        (*own)->copy(0, std::span<float>(numbers.data() + tensor.begin, tensor.size));
    }
    return numbers;
}

}  // namespace attn
