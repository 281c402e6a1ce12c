// Names and order are those of the kind's files; the generator draws in that order.
#include "model/learn/learned_numbers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/ground/check.h"
#include "core/ground/decimal.h"
#include "core/ground/random.h"
#include "model/files/memory_file.h"
#include "model/files/safetensors_writer.h"
#include "model/layers/model_load.h"

namespace attn {

LearnedLayout::LearnedLayout(const LearnedShape& shape) : shape_(shape) {
    ATTN_CHECK(shape.num_heads > 0 && shape.width % shape.num_heads == 0, shape.width, " channels for ",
               shape.num_heads, " heads");
    ATTN_CHECK(shape.kind == ModelKind::gpt2 || shape.kind == ModelKind::llama, "a kind that is not trained");
    if (shape.kind == ModelKind::llama)
        add_llama();
    else
        add_gpt2();
}

void LearnedLayout::add_gpt2() {
    const int width = shape_.width;
    token_embedding = add("wte.weight", {shape_.vocabulary, width});
    position_embedding = add("wpe.weight", {shape_.positions, width});
    for (int l = 0; l < shape_.num_layers; ++l) {
        const std::string name = concat("h.", l, ".");
        LearnedLayer layer;
        layer.norm_1 = add_norm(name + "ln_1", true);
        layer.qkv = {add_linear(name + "attn.c_attn", width, 3 * width, false)};
        layer.out = add_linear(name + "attn.c_proj", width, width, false);
        layer.norm_2 = add_norm(name + "ln_2", true);
        layer.mlp_in = add_linear(name + "mlp.c_fc", width, shape_.mlp_width, false);
        layer.mlp_out = add_linear(name + "mlp.c_proj", shape_.mlp_width, width, false);
        layers.push_back(std::move(layer));
    }
    final_norm = add_norm("ln_f", true);
}

void LearnedLayout::add_llama() {
    const int width = shape_.width;
    token_embedding = add("model.embed_tokens.weight", {shape_.vocabulary, width});
    for (int l = 0; l < shape_.num_layers; ++l) {
        const std::string name = concat("model.layers.", l, ".");
        LearnedLayer layer;
        layer.norm_1 = add_norm(name + "input_layernorm", false);
        for (const std::string_view part : {"q", "k", "v"})
            layer.qkv.push_back(add_linear(concat(name, "self_attn.", part, "_proj"), width, width, true));
        layer.out = add_linear(name + "self_attn.o_proj", width, width, true);
        layer.norm_2 = add_norm(name + "post_attention_layernorm", false);
        layer.mlp_in = add_linear(name + "mlp.gate_proj", width, shape_.mlp_width, true);
        layer.mlp_up = add_linear(name + "mlp.up_proj", width, shape_.mlp_width, true);
        layer.mlp_out = add_linear(name + "mlp.down_proj", shape_.mlp_width, width, true);
        layers.push_back(std::move(layer));
    }
    final_norm = add_norm("model.norm", false);
}

LearnedNorm LearnedLayout::add_norm(const std::string& name, bool has_bias) {
    LearnedNorm norm{.weight = add(name + ".weight", {shape_.width}), .bias = std::nullopt};
    if (has_bias) norm.bias = add(name + ".bias", {shape_.width});
    return norm;
}

// As nn.Linear's, by outputs and without a bias; or as GPT-2's.
LearnedLinear LearnedLayout::add_linear(const std::string& name, int inputs, int outputs, bool is_nn_linear) {
    LearnedLinear linear{
        .inputs = static_cast<std::size_t>(inputs),
        .outputs = static_cast<std::size_t>(outputs),
        .weight = is_nn_linear ? add(name + ".weight", {outputs, inputs}) : add(name + ".weight", {inputs, outputs}),
        .is_by_outputs = is_nn_linear,
        .bias = std::nullopt};
    if (!is_nn_linear) linear.bias = add(name + ".bias", {outputs});
    return linear;
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
    const bool is_by_outputs = layout.shape().kind == ModelKind::llama;
    for (const LearnedTensor& tensor : layout.tensors()) {
        const std::span<float> part(numbers.data() + tensor.begin, tensor.size);
        if (tensor.begin == layout.token_embedding || tensor.begin == layout.position_embedding) {
            fill_randn(generator, part);
            for (float& number : part) number *= static_cast<float>(embedding_deviation);
        } else if (tensor.is_matrix()) {
            const std::int64_t inputs = is_by_outputs ? tensor.shape.back() : tensor.shape.front();
            const auto bound = static_cast<float>(1 / std::sqrt(static_cast<double>(inputs)));
            fill_uniform(generator, part, -bound, bound);
        } else if (tensor.name.ends_with("weight")) {  // a norm's
            std::fill(part.begin(), part.end(), 1.0F);
        }
    }
    return numbers;
}

namespace {

// `number` above 0 in as few digits as read back the same: "1e-05", "10000", "123456789e-1".
std::string json_number(double number) {
    const auto [digits, point] = shortest_digits(number);
    const int count = static_cast<int>(digits.size());
    return count <= kGeneralDigits ? general_text(number) : concat(digits, 'e', point - count);
}

std::string llama_config_json(const LearnedShape& shape) {
    return concat(
        "{\n"
        "  \"architectures\": [\"LlamaForCausalLM\"],\n"
        "  \"model_type\": \"llama\",\n"
        "  \"attention_bias\": false,\n"
        "  \"bos_token_id\": ",
        shape.beginning, ",\n  \"eos_token_id\": ", shape.beginning,
        ",\n  \"hidden_act\": \"silu\",\n  \"hidden_size\": ", shape.width,
        ",\n  \"intermediate_size\": ", shape.mlp_width, ",\n  \"max_position_embeddings\": ", shape.positions,
        ",\n  \"mlp_bias\": false,\n  \"num_attention_heads\": ", shape.num_heads,
        ",\n  \"num_hidden_layers\": ", shape.num_layers, ",\n  \"num_key_value_heads\": ", shape.num_heads,
        ",\n  \"rms_norm_eps\": ", json_number(shape.norm_eps), ",\n  \"rope_theta\": ", json_number(shape.rope_base),
        ",\n  \"tie_word_embeddings\": true,\n"
        "  \"vocab_size\": ",
        shape.vocabulary, "\n}\n");
}

}  // namespace

std::string config_json(const LearnedShape& shape) {
    if (shape.kind == ModelKind::llama) return llama_config_json(shape);
    return concat(
        "{\n"
        "  \"architectures\": [\"GPT2LMHeadModel\"],\n"
        "  \"model_type\": \"gpt2\",\n"
        "  \"activation_function\": \"gelu_new\",\n"
        "  \"bos_token_id\": ",
        shape.beginning, ",\n  \"eos_token_id\": ", shape.beginning,
        ",\n"
        "  \"layer_norm_epsilon\": ",
        json_number(shape.norm_eps), ",\n  \"n_ctx\": ", shape.positions, ",\n  \"n_embd\": ", shape.width,
        ",\n  \"n_head\": ", shape.num_heads, ",\n  \"n_inner\": ", shape.mlp_width,
        ",\n  \"n_layer\": ", shape.num_layers, ",\n  \"n_positions\": ", shape.positions,
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
