// The Python dictionary that is the header of an NPY file. Of Python only what NumPy writes there is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
struct NpyDictionary {
    std::string type;  // "<f4"
    bool is_fortran = false;
    std::vector<std::int64_t> shape;
};

// Nothing when it is no such dictionary, or a key is missing, comes twice, or is unknown.
std::optional<NpyDictionary> read_npy_dictionary(std::string_view text);

}  // namespace attn
