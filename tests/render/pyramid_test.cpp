// The levels of a large matrix: no cell vanishes in any of them.
#include "render/pyramid.h"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace attn;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Numbers of both signs, hidden cells, NaN and infinities.
std::vector<float> random_texels(int count, std::mt19937& generator, unsigned num_in_ten_hidden) {
    std::vector<float> texels(static_cast<std::size_t>(count));
    for (float& texel : texels) {
        const unsigned dice = static_cast<unsigned>(generator() % 1000);
        const float number = (static_cast<float>(generator() & 0xFFFFU) - 32768) / 32768;
        texel = to_texel(dice < num_in_ten_hidden * 100 ? -kInfinity : dice == 999 ? kNan : number);
    }
    return texels;
}

float rank(float texel) {
    return texel == kHiddenTexel ? -1 : std::abs(texel);
}

}  // namespace

TEST_CASE("infinities and NaN are texels that GLSL can be trusted with", "[pyramid][bad-input]") {
    CHECK(to_texel(0.5F) == 0.5F);
    CHECK(to_texel(-kInfinity) == kHiddenTexel);
    CHECK(to_texel(kInfinity) == kLargestTexel);
    CHECK(to_texel(-3.4e38F) == -kLargestTexel);
    CHECK(to_texel(kNan) == kNotANumberTexel);
}

TEST_CASE("many numbers become the texels that each of them becomes", "[pyramid]") {
    std::vector<float> numbers = {0.5F, -kInfinity, kInfinity, -3.4e38F, kNan, -0.25F, 0};
    for (int k = 0; k < 40; ++k) numbers.push_back(static_cast<float>(k) - 20);
    std::vector<float> texels(numbers.size() + 1, 7);
    to_texels(numbers, texels);
    for (std::size_t k = 0; k < numbers.size(); ++k) CHECK(texels[k] == to_texel(numbers[k]));
    CHECK(texels.back() == 7);
}

TEST_CASE("the larger of two texels in absolute value stands for both", "[pyramid]") {
    CHECK(largest_texel(0.5F, -0.75F) == -0.75F);
    CHECK(largest_texel(-0.5F, 0.5F) == -0.5F);  // of equals the first
    CHECK(largest_texel(kHiddenTexel, 0) == 0);
    CHECK(largest_texel(0, kHiddenTexel) == 0);
    CHECK(largest_texel(kHiddenTexel, kHiddenTexel) == kHiddenTexel);
    CHECK(largest_texel(kLargestTexel, kNotANumberTexel) == kNotANumberTexel);
    CHECK(largest_texel(kNotANumberTexel, kHiddenTexel) == kNotANumberTexel);
}

TEST_CASE("every cell's level holds at least that cell, and nothing that is not below it", "[pyramid][property]") {
    std::mt19937 generator(3);
    // Odd sides and sides that are no powers of two, filled up as the renderer does it.
    const auto [rows, columns] = GENERATE(table<int, int>(
        {{1, 129}, {129, 1}, {130, 7}, {131, 131}, {200, 333}, {257, 64}, {777, 100}, {1000, 1023}, {2048, 17}}));
    const unsigned num_in_ten_hidden = GENERATE(0U, 5U, 10U);
    const int count = num_levels(rows, columns);
    REQUIRE(count == kMostLevels);
    const int step = level_alignment(count);
    const int width = (columns + step - 1) / step * step;
    const int height = (rows + step - 1) / step * step;
    std::vector<float> base(static_cast<std::size_t>(width) * height, kHiddenTexel);
    for (int i = 0; i < rows; ++i) {
        const std::vector<float> row = random_texels(columns, generator, num_in_ten_hidden);
        std::copy(row.begin(), row.end(), base.begin() + static_cast<std::ptrdiff_t>(i) * width);
    }
    std::vector<float> level = base;
    for (int l = 1; l < count; ++l) {
        level = halved(level, width >> (l - 1), height >> (l - 1));
        REQUIRE(level.size() == static_cast<std::size_t>(width >> l) * (height >> l));
        int num_wrong = 0;
        for (int i = 0; i < height >> l; ++i) {
            for (int j = 0; j < width >> l; ++j) {
                const float texel = level[static_cast<std::size_t>(i) * (width >> l) + j];
                float most = -1;
                bool is_below = false;  // the texel is one of its cells
                for (int y = i << l; y < (i + 1) << l; ++y) {
                    for (int x = j << l; x < (j + 1) << l; ++x) {
                        const float cell = base[static_cast<std::size_t>(y) * width + x];
                        most = std::max(most, rank(cell));
                        is_below = is_below || cell == texel;
                    }
                }
                num_wrong += rank(texel) == most && is_below ? 0 : 1;
            }
        }
        CAPTURE(rows, columns, l, num_in_ten_hidden);
        CHECK(num_wrong == 0);
    }
}

TEST_CASE("the level's texels are at most half a pixel wide, and small matrices have one level", "[pyramid]") {
    CHECK(num_levels(11, 11) == 1);
    CHECK(num_levels(128, 128) == 1);
    CHECK(num_levels(129, 2) == kMostLevels);
    CHECK(level_alignment(1) == 1);
    CHECK(level_alignment(kMostLevels) == 16);
    CHECK(level_for(0.02, 0.02, kMostLevels) == 0);
    CHECK(level_for(3.99, 3.99, kMostLevels) == 0);
    CHECK(level_for(4, 4, kMostLevels) == 1);
    CHECK(level_for(20.48, 20.48, kMostLevels) == 3);
    CHECK(level_for(20.48, 20.48, 1) == 0);
    CHECK(level_for(2048, 0.5, kMostLevels) == 0);  // a pixel covers half a row
    CHECK(level_for(2048, 2048, kMostLevels) == kMostLevels - 1);
    for (double cells = 4; cells < 64; cells *= 1.1)
        CHECK(std::exp2(level_for(cells, cells, kMostLevels)) <= cells / 2);
}
