// A matrix at several sizes, for pictures that are smaller than it: each level has half the rows and columns of the one
// before, and each of its texels is the largest in absolute value of the four below it, so that no cell ever vanishes.
// Plain arithmetic; knows no GL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// What GLSL cannot be trusted with (infinities and NaN) is written as numbers that no cell can have.
inline constexpr float kLargestTexel = 1e38F;  // larger ones are drawn like this one; twice this is still a float
inline constexpr float kHiddenTexel = -3.3e38F;
inline constexpr float kNotANumberTexel = 3.3e38F;

// -inf is a hidden cell.
float to_texel(float value);
// Of each; there is room for as many.
void to_texels(std::span<const float> values, std::span<float> texels);

// Which of the texels stands for all of them: the largest in absolute value; one that is not a number before all that
// are, so that it stays visible; a hidden one only where all are hidden. Of equals the first.
float largest_texel(float first, float second);

// The next level: (height / 2, width / 2) of (height, width), row-major. Both are even.
std::vector<float> halved(std::span<const float> texels, int width, int height);

// Levels that a matrix of these sides has: 1 where no picture of it will be small enough to need more, else
// kMostLevels.
inline constexpr int kMostLevels = 5;
int num_levels(int rows, int columns);

// Rows and columns are filled up with hidden texels to a multiple of this, so that every level halves evenly.
int level_alignment(int num_levels);

// The level to draw from if a pixel covers this many cells: its texels are at most half as wide and half as high as
// the pixel, so a cell shows at most half a pixel away from its place.
int level_for(double columns_a_pixel, double rows_a_pixel, int num_levels);

}  // namespace attn
