// Checks the shape before the numbers, and each number before it is taken.
#include "share/opening/array_block.h"

#include <algorithm>
#include <cmath>

#include "core/ground/check.h"
#include "core/words/code_points.h"
#include "playground/link/link_numbers.h"
#include "playground/text/notes.h"

namespace attn {
namespace {

// Where a number stands: "row 1, column 0" of a matrix, "(0, 1, 0)" of others.
std::string place_of(std::size_t index, std::size_t columns) {
    return concat("row ", index / columns, ", column ", index % columns);
}

// Without the axis of length 1 before a matrix.
std::span<const std::int64_t> axes_of(std::span<const std::int64_t> shape) {
    return shape.size() == 3 && shape.front() == 1 ? shape.subspan(1) : shape;
}

}  // namespace

std::string why_no_tensor(std::string_view name, std::span<const std::int64_t> shape) {
    constexpr auto kMost = static_cast<std::int64_t>(kMaxBlockSide);
    const std::span<const std::int64_t> axes = axes_of(shape);
    const std::string what = concat(quoted(name), " is ", shape_text(shape), ": ");
    if (axes.empty() || axes.size() > 2)
        return what + "an array needs one or two axes, or three of which the first has length 1.";
    if (std::find(axes.begin(), axes.end(), 0) != axes.end()) return what + "it holds no numbers.";
    if (*std::max_element(axes.begin(), axes.end()) <= kMost) return "";
    const bool is_long = axes.size() == 2 && axes.front() > kMost;
    return concat(what, "no matrix here has more than ", with_thousands(kMost), is_long ? " rows." : " columns.");
}

Result<NumberBlock> block_of(std::string_view name, const NumberArray& array) {
    using Block = Result<NumberBlock>;
    std::string refusal = why_no_tensor(name, array.shape);
    if (!refusal.empty()) return Block::failure(std::move(refusal));
    const auto columns = static_cast<std::size_t>(array.shape.back());
    NumberBlock block;
    for (std::size_t at = 0; at < array.numbers.size(); ++at) {
        const double number = array.numbers[at];
        if (!std::isfinite(number) || is_too_large_for_float(number)) {
            const std::string_view what = std::isnan(number)   ? "NaN"
                                          : std::isinf(number) ? number > 0 ? "infinity" : "minus infinity"
                                                               : "a number too large for a float";
            return Block::failure(concat(quoted(name), " has ", what, " at ", place_of(at, columns),
                                         ": only finite numbers can be used."));
        }
        if (at % columns == 0) block.emplace_back().reserve(columns);
        block.back().push_back(nearest_float(number));
    }
    return block;
}

NumberBlock turned(const NumberBlock& block) {
    NumberBlock result(block.front().size(), std::vector<float>(block.size()));
    for (std::size_t i = 0; i < block.size(); ++i) {
        for (std::size_t c = 0; c < block[i].size(); ++c) result[c][i] = block[i][c];
    }
    return result;
}

bool is_mask(const NumberBlock& block) {
    return std::ranges::all_of(block, [](const std::vector<float>& row) {
        return std::ranges::all_of(row, [](float number) { return number == 0 || number == 1; });
    });
}

std::vector<MaskReading> mask_readings(const NumberBlock& mask, bool is_boolean) {
    const bool hides_all = std::ranges::any_of(
        mask, [](const std::vector<float>& row) { return std::ranges::find(row, 0.0F) == row.end(); });
    if (!is_boolean && !hides_all) return {{.ones_hide = true, .words = ""}};
    const MaskReading hides = {.ones_hide = true, .words = "1 hides the key, as True in nn.MultiheadAttention"};
    const MaskReading shows = {.ones_hide = false,
                               .words = "1 lets it through, as True in scaled_dot_product_attention"};
    if (hides_all) return {shows, hides};
    return {hides, shows};
}

NumberBlock hidden_by(NumberBlock mask, const MaskReading& reading) {
    if (reading.ones_hide) return mask;
    for (std::vector<float>& row : mask) {
        for (float& number : row) number = 1 - number;
    }
    return mask;
}

}  // namespace attn
