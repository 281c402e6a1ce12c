// Halves a matrix again and again, and keeps the largest of each four numbers.
#include "render/pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"

namespace attn {
namespace {

constexpr int kManyCells = 129;  // a side; a map of fewer is hardly drawn at less than 32 pixels

// The value by which texels are compared.
float rank(float texel) {
    return texel <= kHiddenTexel ? -1.0F : std::abs(texel);
}

}  // namespace

float to_texel(float value) {
    if (value == -std::numeric_limits<float>::infinity()) return kHiddenTexel;
    if (std::isnan(value)) return kNotANumberTexel;
    return std::clamp(value, -kLargestTexel, kLargestTexel);
}

void to_texels(std::span<const float> values, std::span<float> texels) {
    std::transform(values.begin(), values.end(), texels.begin(), to_texel);
}

float largest_texel(float first, float second) {
    return rank(second) > rank(first) ? second : first;
}

std::vector<float> halved(std::span<const float> texels, int width, int height) {
    ATTN_CHECK(width > 0 && height > 0 && width % 2 == 0 && height % 2 == 0, "a level of (", height, ", ", width,
               ") cannot be halved");
    ATTN_CHECK(texels.size() == static_cast<std::size_t>(width) * height, texels.size(), " texels for (", height, ", ",
               width, ")");
    std::vector<float> half(texels.size() / 4);
    float* target = half.data();
    for (int row = 0; row < height; row += 2) {
        const float* upper = texels.data() + static_cast<std::size_t>(row) * width;
        const float* lower = upper + width;
        for (int column = 0; column < width; column += 2) {
            const float above = largest_texel(upper[column], upper[column + 1]);
            const float below = largest_texel(lower[column], lower[column + 1]);
            *target++ = largest_texel(above, below);
        }
    }
    return half;
}

int num_levels(int rows, int columns) {
    return std::max(rows, columns) < kManyCells ? 1 : kMostLevels;
}

int level_alignment(int num_levels) {
    return 1 << (num_levels - 1);
}

int level_for(double columns_a_pixel, double rows_a_pixel, int num_levels) {
    const double fewest = std::min(columns_a_pixel, rows_a_pixel);
    int level = 0;
    while (level + 1 < num_levels && std::ldexp(1.0, level + 2) <= fewest) ++level;
    return level;
}

}  // namespace attn
