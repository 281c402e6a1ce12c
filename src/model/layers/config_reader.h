// The settings of a config.json, or of the tensors where it does not say them. Remembers the first thing that is wrong,
// and what it took from elsewhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/files/json_tree.h"
#include "model/layers/tensor_kinds.h"

namespace attn {

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
    // What the tensors say, where they are asked.
    const TensorFacts* facts() const { return facts_; }

    // A whole number from 1 to `most`; `fallback` where the key is missing, unless that is 0.
    int whole(std::string_view key, int most, int fallback = 0);
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

}  // namespace attn
