// The settings of a config.json, or of the tensors where it does not say them. Remembers the first thing that is wrong,
// and what it took from elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/files/json_tree.h"
#include "model/layers/tensor_kinds.h"

namespace attn {

enum class Activation;
struct ModelConfig;

class ConfigReader {
public:
    // `facts`: of the tensors whose kind the config does not say; null for a config that says it.
    explicit ConfigReader(JsonValue root, const TensorFacts* facts = nullptr) : root_(root), facts_(facts) {}
    std::string problem;         // the first: a sentence, or nothing
    std::string taken, assumed;  // keys that the tensors answered, and what no file says: "\"n_embd\": 768, ..."

    // The member if it is there and not null.
    std::optional<JsonValue> find(std::string_view key) const;
    // The first of two keys that is there; else `key`.
    std::string_view either(std::string_view key, std::string_view other) const { return find(other) ? other : key; }
    // Whether it says the key, null or not.
    bool says(std::string_view key) const { return root_.find(key).has_value(); }
    // What the tensors say, where they are asked.
    const TensorFacts* facts() const { return facts_; }

    // A whole number from 1 to `most`; `fallback` where the key is missing, unless that is 0.
    int whole(std::string_view key, int most, int fallback = 0);
    // The same from 0 on.
    int whole_or_0(std::string_view key, int most, int fallback);
    // The same of heads, which no tensor tells.
    int heads(std::string_view key);
    double positive(std::string_view key, double fallback);
    bool flag(std::string_view key, bool fallback);

    // What is computed in one way only.
    void want_flag(std::string_view key, bool wanted);
    void want_text(std::string_view key, std::string_view wanted);

    // Takes a value that no file says.
    void assume(std::string_view key, std::string_view value);

    void fail(std::string sentence) {
        if (problem.empty()) problem = std::move(sentence);
    }

private:
    JsonValue root_;
    const TensorFacts* facts_;
};

// What the readers of several kinds have in common. Each remembers in the reader what is wrong.

// Bounds that keep all products of two of them far below 2^63.
inline constexpr int kMaxWidth = 1 << 16;
inline constexpr int kMaxLayers = 1 << 10;
inline constexpr int kMaxHeads = 1 << 10;
inline constexpr int kMaxVocabulary = 1 << 24;
inline constexpr int kMaxPositions = 1 << 24;

// A key of ours: what is added to each weight of a norm, 0 or 1.
inline constexpr std::string_view kNormOffsetKey = "norm_weight_offset";

// GELU in its two forms, ReLU or SiLU by the names of transformers; others are refused.
Activation read_activation(ConfigReader& reader, std::string_view key, std::string_view fallback);

// Heads share the width evenly, and each has keys of its own. `width` and `heads` are the keys that say both.
void cut_into_heads(ConfigReader& reader, ModelConfig& config, std::string_view width, std::string_view heads);

// Of kinds with the names and rules of Llama, and those that came after them: what the kind of the config says differs.
void read_decoder(ConfigReader& reader, ModelConfig& config);

}  // namespace attn
