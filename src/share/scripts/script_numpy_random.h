// The lines of the NumPy script that draw PyTorch's random numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "playground/state/state.h"
#include "share/scripts/python_text.h"
#include "share/scripts/script_parts.h"

namespace attn {

inline constexpr std::size_t kLargeRandn = 16;  // with this many elements or more torch.randn uses another method

// Which of PyTorch's random numbers the state needs.
struct Draws {
    bool rand = false, linear = false, linear_bias = false, small_randn = false, large_randn = false, dropout = false;

    bool any() const { return rand || small_randn || large_randn || dropout; }
    bool uniform53() const { return small_randn || dropout; }
    void add_randn(std::size_t size) { (size < kLargeRandn ? small_randn : large_randn) = true; }
};

Draws draws_of(const Inputs& inputs, const std::vector<ScriptSentence>& sentences);

// The class TorchRandom with the methods that `draws` needs; nothing if it needs none.
void write_random(PythonText& python, const Draws& draws);

}  // namespace attn
