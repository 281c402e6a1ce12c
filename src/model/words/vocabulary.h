// The tokens of a model by number and by text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ground/result.h"

namespace attn {

class Vocabulary {
public:
    static constexpr int kMaxTokens = 1 << 21;  // the largest one that is known has a million

    // Each text with its number, which is from 0 to kMaxTokens - 1. Fails with a sentence: a text or a number twice.
    static Result<Vocabulary> make(std::vector<std::pair<std::string, int>> tokens);

    std::optional<int> find(std::string_view text) const;
    // The tokens that a text begins with, the shortest first: the number of each, and how many bytes it has.
    std::vector<std::pair<int, std::size_t>> prefixes_of(std::string_view text) const;
    // "" for numbers that have no text.
    std::string_view text(int id) const;
    // One more than the largest number.
    int size() const { return static_cast<int>(places_.size()); }

private:
    Vocabulary() = default;
    std::vector<std::pair<std::string, int>> tokens_;  // sorted by text
    std::vector<std::int32_t> places_;                 // in tokens_, by number; -1: no text
};

}  // namespace attn
