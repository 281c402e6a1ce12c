// Whether two tensors are the same, bit for bit. Problems that share their matrices have them in one place, which is
// seen without reading them.
#pragma once

#include <cstring>
#include <span>

#include "core/ground/tensor.h"

namespace attn {

template <class Value>
bool same_values(std::span<const Value> a, std::span<const Value> b) {
    return a.size() == b.size() &&
           (a.data() == b.data() || a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

template <class Tensor>
bool same_tensor(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && same_values(elements(a), elements(b));
}

}  // namespace attn
