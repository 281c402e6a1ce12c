// A value that costs nothing to copy: copies are one value in memory until one of them changes.
#pragma once

#include <atomic>
#include <utility>

namespace attn {

// Reads as a const Value. Copies may be read, copied and changed in several threads; one and the same Shared may not.
// One that was moved from may only be assigned to or destroyed.
template <class Value>
class Shared {
public:
    Shared() : Shared(Value{}) {}
    Shared(Value value) : kept_(new Kept{.value = std::move(value)}) {}
    Shared(const Shared& other) : kept_(other.kept_) {
        if (kept_ != nullptr) kept_->num_copies.fetch_add(1, std::memory_order_relaxed);
    }
    Shared(Shared&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
    Shared& operator=(Shared other) noexcept {
        std::swap(kept_, other.kept_);
        return *this;
    }
    ~Shared() {
        if (kept_ != nullptr && kept_->num_copies.fetch_sub(1, std::memory_order_acq_rel) == 1) delete kept_;
    }

    const Value& operator*() const { return kept_->value; }
    const Value* operator->() const { return &kept_->value; }
    operator const Value&() const { return kept_->value; }

    // For changing this copy alone: it gets a value of its own if others share it. The reference holds until this is
    // copied.
    Value& edit() {
        if (kept_->num_copies.load(std::memory_order_acquire) != 1) *this = Shared(kept_->value);
        return kept_->value;
    }

private:
    struct Kept {
        Value value;
        std::atomic<int> num_copies = 1;
    };

    Kept* kept_;
};

}  // namespace attn
