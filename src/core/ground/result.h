// A value, or a sentence that says why there is none. For what the world may refuse: a shader, a window, a file.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace attn {

template <class Value>
class Result {
public:
    Result(Value value) : value_(std::move(value)) {}
    static Result failure(std::string sentence) {
        Result result;
        result.error_ = std::move(sentence);
        return result;
    }
    explicit operator bool() const { return value_.has_value(); }
    Value& operator*() { return *value_; }
    const Value& operator*() const { return *value_; }
    Value* operator->() { return &*value_; }
    const Value* operator->() const { return &*value_; }
    const std::string& error() const { return error_; }  // empty when there is a value

private:
    Result() = default;
    std::optional<Value> value_;
    std::string error_;
};

}  // namespace attn
