// NumPy's file for several arrays, .npz: a ZIP archive with an .npy file a name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/result.h"
#include "share/formats/npy.h"

namespace attn {

struct NpzArray {
    std::string name;  // "weights"; the file in the archive is "weights.npy"
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};

std::string write_npz(std::span<const NpzArray> arrays);

struct NamedArray {
    std::string name;
    NumberArray array;
};

struct NpzContents {
    std::vector<NamedArray> arrays;   // those that were wanted
    std::vector<std::string> others;  // names of the others
    std::vector<std::string> files;   // what is no array, with their extensions
};

// Why an array is not read, once its header is: a sentence; empty where it is.
using WhyNoArray = std::function<std::string(std::string_view name, const NpyHeader& header)>;

// Reads the arrays that `is_wanted` names, unless `why_not` speaks against one. The error is a sentence that names the
// array: see read_zip and read_npy. Together they hold at most kMaxArrayNumbers numbers.
Result<NpzContents> read_npz(std::string_view bytes, const std::function<bool(std::string_view name)>& is_wanted,
                             const WhyNoArray& why_not = {});

}  // namespace attn
