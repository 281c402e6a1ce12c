// What is said of a cell that is not there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ground/check.h"

namespace attn {

// A sentence when `index` is not one of `first` to `first + size - 1`, else nothing.
inline std::string why_outside(std::string_view name, int index, int first, std::int64_t size, std::string_view stage) {
    if (index >= first && index < first + size) return "";
    return concat("There is no ", name, " ", index, ": ", stage, " has ", name, "s ", first, " to ", first + size - 1,
                  " here.");
}

}  // namespace attn
