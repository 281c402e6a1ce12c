// Which way a stacked matrix is cut, its shape tells, and where that is not enough the output projection beside it.
#include "share/opening/module_arrays.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "share/opening/tensor_names.h"

namespace attn {
namespace {

// "attn.c_attn.weight" is the "weight" of "c_attn".
struct LayerName {
    std::string_view layer, member;
};
LayerName layer_name(std::string_view name) {
    const std::size_t member = name.rfind('.');
    if (member == std::string_view::npos) return {.layer = "", .member = name};
    const std::string_view before = name.substr(0, member);
    return {.layer = before.substr(before.rfind('.') + 1), .member = name.substr(member + 1)};
}

bool is_stacked_layer(const LayerName& name) {
    constexpr std::array<std::string_view, 3> kStacked = {"c_attn", "qkv", "to_qkv"};
    return (name.member == "weight" || name.member == "bias") &&
           std::ranges::find(kStacked, name.layer) != kStacked.end();
}

// GPT-2's output projection lies as the matrix beside it does: it is square, so its shape does not tell.
bool is_c_proj(std::string_view name) {
    const LayerName layer = layer_name(name);
    return layer.layer == "c_proj" && (layer.member == "weight" || layer.member == "bias");
}

bool is_c_attn(std::string_view name) {
    return layer_name(name).layer == "c_attn" && is_stacked_name(name);
}

enum class Stacking { rows, columns };  // nn.Linear's (3E, d_in), Conv1D's (d_in, 3E)

// Nothing where it could be neither or either.
std::optional<Stacking> stacking_of(const NamedArray& stacked, const std::vector<NamedArray>& arrays) {
    const std::vector<std::int64_t>& shape = stacked.array.shape;
    if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0) return std::nullopt;
    bool may_be_rows = shape[0] % 3 == 0;
    bool may_be_columns = shape[1] % 3 == 0 && layer_name(stacked.name).layer == "c_attn";
    if (may_be_rows && may_be_columns) {
        const auto is_out = [](const NamedArray& one) {
            const std::optional<ArrayRole> role = role_of_name(one.name);
            const bool is_w_out = role && role->tensor == TensorId::w_out;
            return (is_w_out || (is_c_proj(one.name) && layer_name(one.name).member == "weight")) &&
                   one.array.shape.size() == 2;
        };
        const auto out = std::ranges::find_if(arrays, is_out);
        const bool has_out = out != arrays.end();
        may_be_rows = shape[0] == 3 * (has_out ? out->array.shape[0] : shape[1]);
        may_be_columns = shape[1] == 3 * (has_out ? out->array.shape[0] : shape[0]);
    }
    if (may_be_rows == may_be_columns) return std::nullopt;
    return may_be_rows ? Stacking::rows : Stacking::columns;
}

std::vector<double> part_of(const NumberArray& array, std::size_t part, Stacking stacking) {
    const std::size_t size = array.numbers.size() / 3;
    std::vector<double> numbers;
    if (stacking == Stacking::rows) {
        const auto begin = array.numbers.begin() + static_cast<std::ptrdiff_t>(part * size);
        numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
        return numbers;
    }
    const auto width = static_cast<std::size_t>(array.shape[1]);
    for (std::size_t row = 0; row < static_cast<std::size_t>(array.shape[0]); ++row) {
        const auto begin = array.numbers.begin() + static_cast<std::ptrdiff_t>(row * width + part * (width / 3));
        numbers.insert(numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(width / 3));
    }
    return numbers;
}

}  // namespace

bool is_stacked_name(std::string_view name) {
    const LayerName layer = layer_name(name);
    return layer.member == "in_proj_weight" || layer.member == "in_proj_bias" || is_stacked_layer(layer);
}

bool is_buffer_name(std::string_view name) {
    const LayerName layer = layer_name(name);
    return layer.member == "tril" || layer.member == "masked_bias" ||
           (layer.member == "bias" && (layer.layer.empty() || layer.layer == "attn"));
}

std::vector<bool> usable_arrays(const std::vector<std::string>& names) {
    const bool has_matrices = std::ranges::any_of(names, [](const std::string& name) {
        const std::optional<ArrayRole> role = role_of_name(name);
        return is_stacked_name(name) || (role && is_learned_matrix(role->tensor));
    });
    const bool has_c_attn = std::ranges::any_of(names, is_c_attn);
    std::vector<bool> usable;
    for (const std::string& name : names) {
        const std::optional<ArrayRole> role = role_of_name(name);
        usable.push_back(is_stacked_name(name) || (has_c_attn && is_c_proj(name)) ||
                         (role && !(has_matrices && is_role(role->tensor))));
    }
    return usable;
}

Result<std::vector<NamedArray>> cut_stacked(std::vector<NamedArray> arrays) {
    using Arrays = Result<std::vector<NamedArray>>;
    const auto c_attn = std::ranges::find_if(
        arrays, [](const NamedArray& one) { return is_c_attn(one.name) && layer_name(one.name).member == "weight"; });
    const bool is_conv = c_attn != arrays.end() && stacking_of(*c_attn, arrays) == Stacking::columns;
    std::vector<NamedArray> cut;
    for (const NamedArray& named : arrays) {
        const bool is_bias = named.name.ends_with("bias");
        if (is_c_proj(named.name)) {
            cut.push_back({.name = is_bias   ? "out_proj.bias"
                                   : is_conv ? "w_out"
                                             : "out_proj.weight",
                           .array = named.array});
            continue;
        }
        if (!is_stacked_name(named.name)) {
            cut.push_back(named);
            continue;
        }
        const std::vector<std::int64_t>& shape = named.array.shape;
        const bool is_stacked_bias = is_bias && shape.size() == 1 && shape[0] > 0 && shape[0] % 3 == 0;
        const std::optional<Stacking> stacking = is_stacked_bias ? std::optional(Stacking::rows)
                                                 : is_bias       ? std::nullopt
                                                                 : stacking_of(named, arrays);
        if (!stacking) {
            return Arrays::failure(concat(quoted(named.name), " is ", shape_text(shape), ", want ",
                                          is_bias                                    ? "(3E,)"
                                          : layer_name(named.name).layer == "c_attn" ? "(3E, E) or (E, 3E)"
                                                                                     : "(3E, E)",
                                          ": the queries', keys' and values' below each other",
                                          layer_name(named.name).layer == "c_attn" ? " or side by side." : "."));
        }
        for (std::size_t part = 0; part < 3; ++part) {
            const std::string_view role = std::array{"query", "key", "value"}[part];
            NamedArray one = {.name = *stacking == Stacking::columns
                                          ? concat("w_", role)
                                          : concat(role[0], is_bias ? "_proj.bias" : "_proj.weight"),
                              .array = {}};
            one.array.shape = shape;
            one.array.shape[*stacking == Stacking::rows ? 0 : 1] /= 3;
            one.array.numbers = part_of(named.array, part, *stacking);
            cut.push_back(std::move(one));
        }
    }
    return cut;
}

}  // namespace attn
