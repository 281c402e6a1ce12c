// A checkpoint of random numbers by the shapes of its tensors, as files: config.json and safetensors.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ground/check.h"
#include "core/ground/random.h"
#include "model/files/memory_source.h"
#include "model/layers/model_load.h"

namespace attn::test {

struct Checkpoint {
    std::string config;
    std::map<std::string, std::vector<std::int64_t>> shapes;
    std::string type = "F32";
    std::map<std::string, std::vector<float>> numbers = {};  // in the place of random ones

    std::string file() const {
        TorchGenerator generator(7);
        std::string header = "{", bytes;
        for (const auto& [name, shape] : shapes) {
            const std::size_t begin = bytes.size();
            std::int64_t size = 1;
            for (const std::int64_t one : shape) size *= one;
            std::vector<float> drawn(static_cast<std::size_t>(size));
            fill_uniform(generator, drawn, -0.5F, 0.5F);
            // A norm's weights lie around 1.
            const bool is_weight = shape.size() == 1 && (name.ends_with("weight") || name.ends_with(".w"));
            for (float& one : drawn) one += is_weight ? 1.0F : 0.0F;
            if (const auto own = numbers.find(name); own != numbers.end()) drawn = own->second;
            for (const float one : drawn) append(bytes, one);
            header += concat(header.size() > 1 ? "," : "", '"', name, R"(":{"dtype":")", type, R"(","shape":)",
                             list_of(shape), R"(,"data_offsets":[)", begin, ",", bytes.size(), "]}");
        }
        return safetensors(header + "}", bytes);
    }

    Result<Model> load() const {
        Result<TensorFiles> files = TensorFiles::open(sources({{"model.safetensors", file()}}));
        if (!files) return Result<Model>::failure(files.error());
        return load_model(config, std::move(*files));
    }

    static std::string list_of(const std::vector<std::int64_t>& shape) {
        std::string text = "[";
        for (const std::int64_t size : shape) text += concat(text.size() > 1 ? "," : "", size);
        return text + "]";
    }

private:
    // Cut off, not rounded: any number will do. Halves beyond their range are not made here.
    void append(std::string& bytes, float number) const {
        const auto bits = std::bit_cast<std::uint32_t>(number);
        std::uint32_t kept = bits;
        const int size = type.ends_with("16") ? 2 : 4;
        if (type == "BF16") kept = bits >> 16U;
        if (type == "F16") {
            const int exponent = static_cast<int>(bits >> 23U & 255U) - 127 + 15;
            kept = (bits >> 16U & 0x8000U) |
                   (exponent <= 0 ? 0 : static_cast<std::uint32_t>(exponent) << 10U | (bits >> 13U & 0x3ffU));
        }
        for (int i = 0; i < size; ++i) bytes += static_cast<char>(kept >> 8 * i & 255U);
    }
};

}  // namespace attn::test
