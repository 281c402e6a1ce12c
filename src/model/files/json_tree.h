// JSON from strangers, as a tree that a reader walks: config.json, tokenizer.json, the header of a safetensors file.
// nlohmann/json parses; the tree is ours, because theirs keeps the last of two members of one name and takes five times
// the memory. Knows no file and no model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"

namespace attn {

enum class JsonKind : std::uint8_t { null, boolean, number, text, list, object };

class JsonTree;
class JsonTreeBuilder;

// One value of a tree, which must outlive it. Cheap to copy.
class JsonValue {
public:
    JsonKind kind() const;
    bool is(JsonKind kind) const { return this->kind() == kind; }

    // What it holds; false, 0 and "" for values of another kind. Texts are valid UTF-8 and may hold any character.
    bool boolean() const;
    double number() const;
    std::string_view text() const;
    // The number if it is whole and from 0 to 2^53 - 1, written without a point or an exponent.
    std::optional<std::uint64_t> whole() const;

    // The name of a member of an object; "" for all others.
    std::string_view name() const;

    // Members or elements, in the order of the file; nothing for values without.
    class Iterator {
    public:
        JsonValue operator*() const { return {*tree_, at_}; }
        Iterator& operator++();
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        friend class JsonValue;
        Iterator(const JsonTree& tree, std::size_t at) : tree_(&tree), at_(at) {}
        const JsonTree* tree_;
        std::size_t at_;
    };
    Iterator begin() const;
    Iterator end() const;
    std::size_t count() const;  // of them

    // The member of this name, found by going through all of them.
    std::optional<JsonValue> find(std::string_view name) const;

private:
    friend class JsonTree;
    friend class JsonTreeBuilder;
    JsonValue(const JsonTree& tree, std::size_t at) : tree_(&tree), at_(at) {}
    const JsonTree* tree_;
    std::size_t at_;
};

class JsonTree {
public:
    static constexpr int kMaxDepth = 64;  // lists and objects within each other
    // The largest tokenizer.json (Gemma 3's) has 33 MiB and 2 million values; a value takes 32 bytes here.
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
    static constexpr std::size_t kMaxValues = 4'000'000;  // with lists and objects

    // Reads one value and white space around it (RFC 8259). Fails with a sentence that begins with `what` ("The header
    // of a.safetensors"): for text that is no JSON (with the place), for invalid UTF-8, for two members of one name in
    // an object, for more than kMaxDepth levels, kMaxValues values or kMaxBytes bytes.
    static Result<JsonTree> read(std::string_view bytes, std::string_view what);

    JsonValue root() const { return {*this, 0}; }

private:
    friend class JsonValue;
    friend class JsonTreeBuilder;
    struct Node {
        JsonKind kind = JsonKind::null;
        bool is_whole = false;
        std::uint32_t end = 0;  // the node after it and all it holds
        std::uint32_t name_at = 0, name_size = 0;
        std::uint32_t text_at = 0, text_size = 0;
        double number = 0;  // 0 or 1 of a boolean
    };
    JsonTree() = default;
    std::string_view piece(std::uint32_t at, std::uint32_t size) const {
        return std::string_view(texts_).substr(at, size);
    }

    std::vector<Node> nodes_;  // each before what it holds
    std::string texts_;
};

}  // namespace attn
