// Which way a stacked matrix is cut, its shape tells, and where that is not enough the output projection beside it.
#include "share/opening/module_arrays.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/state/state_edits.h"
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

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view without_last(std::string_view name) {
    const std::size_t at = name.rfind('.');
    return at == std::string_view::npos ? std::string_view() : name.substr(0, at);
}

// Whether a module's name ends as that of a head in a list does: "sa.heads.1".
bool is_head(std::string_view module) {
    return is_number(layer_name(module).member) && layer_name(module).layer.find("head") != std::string_view::npos;
}

// The module that has this array or its layer.
std::string_view own_module(std::string_view name) {
    const bool is_of_layer = name.ends_with(".weight") || name.ends_with(".bias");
    std::string_view module = without_last(name);
    if (is_of_layer) module = without_last(module);
    // "to_out.0.weight" is in a layer's first part, "heads.0.weight" would be a head.
    if (is_of_layer && name.substr(module.size()).starts_with(".0.") && !is_head(concat(module, ".0")))
        module = without_last(module);
    return module;
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

// The arrays of one name in all heads, head after head.
struct ArraysOfHeads {
    std::string name;
    std::vector<NamedArray> arrays;
};

std::string why_not_joined(const ArraysOfHeads& heads, std::size_t num_heads) {
    const NamedArray& first = heads.arrays.front();
    if (heads.arrays.size() != num_heads)
        return concat("There are ", num_heads, " heads, and ", heads.arrays.size(), " of them have ",
                      quoted(heads.name), ".");
    for (const NamedArray& one : heads.arrays)
        if (one.array.shape != first.array.shape)
            return concat(quoted(one.name), " is ", shape_text(one.array.shape), ", and ", quoted(first.name), " is ",
                          shape_text(first.array.shape), ": heads of one module have the same shapes.");
    const std::optional<ArrayRole> role = role_of_name(first.name);
    if (role && role->tensor == TensorId::mask) {
        for (const NamedArray& one : heads.arrays)
            if (one.array.numbers != first.array.numbers)
                return "Each head has a mask of its own, and here all have the same.";
        return "";
    }
    if (!role || role->tensor == TensorId::w_out || role->tensor == TensorId::b_out)
        return concat(quoted(first.name), ": each head has one of its own, and here all heads have one together.");
    return first.array.shape.empty() || first.array.shape.size() > 2
               ? concat(quoted(first.name), " is ", shape_text(first.array.shape), ", which is no matrix.")
               : "";
}

// Below each other, or side by side where the last axis is the head's.
NumberArray joined(const ArraysOfHeads& heads) {
    NumberArray all = heads.arrays.front().array;
    const std::optional<ArrayRole> role = role_of_name(heads.arrays.front().name);
    if (role->tensor == TensorId::mask) return all;
    const auto count = static_cast<std::int64_t>(heads.arrays.size());
    const bool is_side_by_side = all.shape.size() == 2 && !role->is_turned;
    const auto width =
        static_cast<std::size_t>(is_side_by_side ? all.shape[1] : static_cast<std::int64_t>(all.numbers.size()));
    const std::size_t rows = width == 0 ? 0 : all.numbers.size() / width;
    all.shape[is_side_by_side ? 1 : 0] *= count;
    all.numbers.clear();
    for (std::size_t row = 0; row < rows; ++row) {
        for (const NamedArray& one : heads.arrays) {
            const auto begin = one.array.numbers.begin() + static_cast<std::ptrdiff_t>(row * width);
            all.numbers.insert(all.numbers.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        }
    }
    return all;
}

}  // namespace

std::string_view module_of(std::string_view name) {
    std::string_view module = own_module(name);
    if (is_head(module)) module = without_last(without_last(module));
    return module;
}

std::vector<std::string_view> attention_modules(const std::vector<std::string>& names) {
    std::vector<std::string_view> modules;
    for (const std::string& name : names) {
        const std::optional<ArrayRole> role = role_of_name(name);
        const bool is_matrix = role && is_learned_matrix(role->tensor) && role->tensor != TensorId::w_out;
        if (!is_stacked_name(name) && !is_matrix) continue;
        if (std::ranges::find(modules, module_of(name)) == modules.end()) modules.push_back(module_of(name));
    }
    return modules;
}

bool belongs_to(std::string_view name, std::string_view module) {
    if (module_of(name) == module) return true;
    if (!module.empty() && name.starts_with(module) && name.substr(module.size()).starts_with('.')) return true;
    const std::optional<ArrayRole> role = role_of_name(name);
    return role && name.find('.') == std::string_view::npos && !is_of_projections(role->tensor);
}

Result<int> join_heads(std::vector<NamedArray>& arrays) {
    std::vector<NamedArray> others;
    std::vector<ArraysOfHeads> heads;
    std::size_t num_heads = 0;
    for (NamedArray& named : arrays) {
        const std::string_view module = own_module(named.name);
        if (!is_head(module)) {
            others.push_back(std::move(named));
            continue;
        }
        const std::string_view before = without_last(without_last(module));
        std::string name = concat(before, before.empty() ? "" : ".", named.name.substr(module.size() + 1));
        auto place = std::ranges::find(heads, name, &ArraysOfHeads::name);
        if (place == heads.end()) place = heads.insert(heads.end(), {.name = std::move(name), .arrays = {}});
        place->arrays.push_back(std::move(named));
        num_heads = std::max(num_heads, place->arrays.size());
    }
    // Names may come in any order, "heads.10" before "heads.2".
    const auto number = [](const NamedArray& one) {
        const std::string_view text = layer_name(own_module(one.name)).member;
        return std::pair(text.size(), text);
    };
    for (ArraysOfHeads& one : heads) {
        std::ranges::sort(one.arrays, {}, number);
        std::string problem = why_not_joined(one, num_heads);
        if (!problem.empty()) return Result<int>::failure(std::move(problem));
        others.push_back({.name = one.name, .array = joined(one)});
    }
    arrays = std::move(others);
    return static_cast<int>(num_heads);
}

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
