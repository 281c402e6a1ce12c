// Builds the tree while nlohmann/json's parser, which does not recurse, goes through the text.
#include "model/files/json_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

class JsonTreeBuilder {
public:
    JsonTree tree;
    std::string error;  // a sentence's end, once reading stopped on purpose
    std::size_t error_position = 0;

    bool key(std::string& name) {
        name_at_ = keep(name);
        name_size_ = static_cast<std::uint32_t>(name.size());
        return true;
    }
    bool null() { return add({.kind = JsonKind::null}); }
    bool boolean(bool value) { return add({.kind = JsonKind::boolean, .number = value ? 1.0 : 0.0}); }
    bool number_integer(std::int64_t value) {
        return add({.kind = JsonKind::number, .number = static_cast<double>(value)});
    }
    bool number_unsigned(std::uint64_t value) {
        constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53U) - 1;
        return add({.kind = JsonKind::number, .is_whole = value <= kLargest, .number = static_cast<double>(value)});
    }
    bool number_float(double value, const std::string&) { return add({.kind = JsonKind::number, .number = value}); }
    bool string(std::string& value) {
        const std::uint32_t at = keep(value);
        return add({.kind = JsonKind::text, .text_at = at, .text_size = static_cast<std::uint32_t>(value.size())});
    }
    bool binary(std::vector<std::uint8_t>&) { return true; }  // JSON has none
    bool start_object(std::size_t) { return open(JsonKind::object); }
    bool start_array(std::size_t) { return open(JsonKind::list); }
    bool end_array() { return close(); }
    bool end_object() {
        const std::size_t at = open_.back();
        if (!close()) return false;
        std::vector<std::string_view> names;
        for (const JsonValue member : JsonValue(tree, at)) names.push_back(member.name());
        std::sort(names.begin(), names.end());
        const auto twice = std::adjacent_find(names.begin(), names.end());
        if (twice == names.end()) return true;
        error = concat("has the name ", attn::quoted(*twice), " twice in one object");
        return false;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
        error_position = position;
        return false;
    }

private:
    std::uint32_t keep(const std::string& text) {
        const std::size_t at = tree.texts_.size();
        tree.texts_ += text;
        return static_cast<std::uint32_t>(at);
    }
    bool add(JsonTree::Node node) {
        if (tree.nodes_.size() == JsonTree::kMaxValues) {
            error = concat("has more than ", JsonTree::kMaxValues, " values, more than can be read");
            return false;
        }
        node.name_at = name_at_;
        node.name_size = name_size_;
        name_at_ = name_size_ = 0;
        node.end = static_cast<std::uint32_t>(tree.nodes_.size() + 1);
        tree.nodes_.push_back(node);
        return true;
    }
    bool open(JsonKind kind) {
        if (open_.size() == JsonTree::kMaxDepth) {
            error = concat("has lists and objects in each other more than ", JsonTree::kMaxDepth, " deep");
            return false;
        }
        open_.push_back(tree.nodes_.size());
        return add({.kind = kind});
    }
    bool close() {
        tree.nodes_[open_.back()].end = static_cast<std::uint32_t>(tree.nodes_.size());
        open_.pop_back();
        return true;
    }

    std::vector<std::size_t> open_;
    std::uint32_t name_at_ = 0, name_size_ = 0;  // of the member whose value comes next
};

Result<JsonTree> JsonTree::read(std::string_view bytes, std::string_view what) {
    if (bytes.size() > kMaxBytes)
        return Result<JsonTree>::failure(concat(what, " has more than ", kMaxBytes >> 20U, " MiB of JSON."));
    JsonTreeBuilder builder;
    const bool is_whole = nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &builder);
    if (!builder.error.empty()) return Result<JsonTree>::failure(concat(what, " ", builder.error, "."));
    if (!is_whole) {
        const std::size_t at = std::min(builder.error_position > 0 ? builder.error_position - 1 : 0, bytes.size());
        const std::string_view before = bytes.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
        return Result<JsonTree>::failure(concat(what, " is not valid JSON: it cannot be read from line ", line,
                                                ", column ", before.size() - line_start + 1, " on."));
    }
    return std::move(builder.tree);
}

JsonKind JsonValue::kind() const {
    return tree_->nodes_[at_].kind;
}

bool JsonValue::boolean() const {
    return is(JsonKind::boolean) && tree_->nodes_[at_].number != 0;
}

double JsonValue::number() const {
    return is(JsonKind::number) ? tree_->nodes_[at_].number : 0;
}

std::string_view JsonValue::text() const {
    return tree_->piece(tree_->nodes_[at_].text_at, tree_->nodes_[at_].text_size);
}

std::optional<std::uint64_t> JsonValue::whole() const {
    if (!tree_->nodes_[at_].is_whole) return std::nullopt;
    return static_cast<std::uint64_t>(tree_->nodes_[at_].number);
}

std::string_view JsonValue::name() const {
    return tree_->piece(tree_->nodes_[at_].name_at, tree_->nodes_[at_].name_size);
}

JsonValue::Iterator& JsonValue::Iterator::operator++() {
    at_ = tree_->nodes_[at_].end;
    return *this;
}

JsonValue::Iterator JsonValue::begin() const {
    return {*tree_, at_ + 1};
}

JsonValue::Iterator JsonValue::end() const {
    return {*tree_, tree_->nodes_[at_].end};
}

std::size_t JsonValue::count() const {
    std::size_t count = 0;
    for (Iterator at = begin(); at != end(); ++at) ++count;
    return count;
}

std::optional<JsonValue> JsonValue::find(std::string_view name) const {
    if (!is(JsonKind::object)) return std::nullopt;
    for (const JsonValue member : *this) {
        if (member.name() == name) return member;
    }
    return std::nullopt;
}

}  // namespace attn
