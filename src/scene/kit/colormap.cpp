// The maps are curves through a few control points in CIE L*a*b* (D65), so that equal steps of a number look like equal
// steps of colour: L* changes linearly, a* and b* follow a Catmull-Rom spline. Must not know who draws with them.
#include "scene/kit/colormap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/ground/check.h"

namespace attn {
namespace {

struct Lab {
    double lightness, a, b;
};

// a* and b* at equal distances along t = 0 to 1; L* from `first` to `last`.
template <std::size_t Count>
struct Curve {
    double first, last;
    std::array<double, Count> a, b;
};

// Chosen by eye; tests/scene/kit/colormap_test.cpp checks that the steps are even, that the colours lie in the sRGB
// gamut, and that colour-blind eyes can tell them apart.
constexpr Curve<5> kSequentialLight = {97, 19, {-2, -19, -21, -6, 10}, {5, 0, -15, -31, -32}};
constexpr Curve<5> kSequentialDark = {18, 92, {3, -9, -24, -27, -11}, {-24, -24, -7, 17, 45}};
// From the paper outwards.
constexpr Curve<3> kPositiveLight = {97.9, 42, {-0.2, 22, 50}, {1.6, 30, 51}};
constexpr Curve<3> kNegativeLight = {97.9, 42, {-0.2, 15, 34}, {1.6, -23, -47}};
constexpr Curve<3> kPositiveDark = {7.2, 72, {0.2, 22, 31}, {-3.1, 26, 52}};
constexpr Curve<3> kNegativeDark = {7.2, 72, {0.2, 20, 19}, {-3.1, -34, -35}};

template <std::size_t Count>
double spline(const std::array<double, Count>& points, double t) {
    const double place = t * (Count - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(place), Count - 2);
    const double u = place - static_cast<double>(i);
    const double p1 = points[i];
    const double p2 = points[i + 1];
    const double p0 = i > 0 ? points[i - 1] : 2 * p1 - p2;  // straight on beyond the ends
    const double p3 = i + 2 < Count ? points[i + 2] : 2 * p2 - p1;
    return p1 + 0.5 * u * (p2 - p0 + u * (2 * p0 - 5 * p1 + 4 * p2 - p3 + u * (3 * (p1 - p2) + p3 - p0)));
}

template <std::size_t Count>
Lab at(const Curve<Count>& curve, double t) {
    return {curve.first + (curve.last - curve.first) * t, spline(curve.a, t), spline(curve.b, t)};
}

// IEC 61966-2-1.
double to_linear(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
double to_encoded(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// CIE 15: 6/29 is where the cube root gives way to a straight line.
double from_lab_axis(double f) {
    return f > 6.0 / 29 ? f * f * f : 3 * (6.0 / 29) * (6.0 / 29) * (f - 4.0 / 29);
}

Rgb to_rgb(const Lab& lab) {
    const double fy = (lab.lightness + 16) / 116;
    const double x = 0.95047 * from_lab_axis(fy + lab.a / 500);  // D65 white
    const double y = from_lab_axis(fy);
    const double z = 1.08883 * from_lab_axis(fy - lab.b / 200);
    const auto encode = [](double linear) {
        return static_cast<float>(std::clamp(to_encoded(std::max(linear, 0.0)), 0.0, 1.0));
    };
    return {encode(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            encode(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            encode(0.0556434 * x - 0.2040259 * y + 1.0572252 * z)};
}

// Relative luminance: CIE Y, 0 to 1.
double luminance(Rgb color) {
    return 0.2126729 * to_linear(color.r) + 0.7151522 * to_linear(color.g) + 0.0721750 * to_linear(color.b);
}

constexpr Rgb from_hex(unsigned hex) {
    return {static_cast<float>(hex >> 16U & 0xFFU) / 255, static_cast<float>(hex >> 8U & 0xFFU) / 255,
            static_cast<float>(hex & 0xFFU) / 255};
}

// Green, purple, olive, teal, brown, grey, plum, dark green: not blue, orange, violet or red, which say something else
// (palette.h); each with 3 : 1 or more on the paper. Any two differ for all eyes: found by a search for the set near
// Okabe and Ito's whose two likest colours are the least alike.
constexpr std::array<Rgb, 8> kHeadsLight = {from_hex(0x009E70), from_hex(0x894F9C), from_hex(0x8B7F06),
                                            from_hex(0x1A6571), from_hex(0x8B4C2C), from_hex(0x687681),
                                            from_hex(0x542E4E), from_hex(0x104306)};
constexpr std::array<Rgb, 8> kHeadsDark = {from_hex(0x42C197), from_hex(0xEEA0C8), from_hex(0xF5E151),
                                           from_hex(0x42CEF4), from_hex(0xBD8267), from_hex(0x8C96A8),
                                           from_hex(0xB1B51B), from_hex(0x9E62AA)};

}  // namespace

Rgb map_color(ColorMap map, bool is_dark, float t) {
    const double place = t > 0 ? std::min<double>(t, 1) : 0;
    if (map == ColorMap::sequential) return to_rgb(at(is_dark ? kSequentialDark : kSequentialLight, place));
    const double distance = std::abs(2 * place - 1);  // from zero, 0 to 1
    if (distance == 0) return paper_color(is_dark);   // to the last bit
    if (place > 0.5) return to_rgb(at(is_dark ? kPositiveDark : kPositiveLight, distance));
    return to_rgb(at(is_dark ? kNegativeDark : kNegativeLight, distance));
}

float map_position(float value, float low, float high) {
    ATTN_CHECK(low < high, "the range of a map is ", low, " to ", high);
    // In double, so that a range as wide as all floats does not overflow.
    const double place = (static_cast<double>(value) - low) / (static_cast<double>(high) - low);
    return place > 0 ? static_cast<float>(std::min(place, 1.0)) : 0;
}

double lightness(Rgb color) {
    const double y = luminance(color);
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : 24389.0 / 27 * y;
}

double contrast(Rgb a, Rgb b) {
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

Rgb ink_on(Rgb background) {
    // With any lighter black, middle greys would have less than 4.5 : 1 against both inks.
    constexpr float kBlack = 0.02F;
    constexpr double kBlackLuminance = kBlack / 12.92;  // to_linear() of it
    constexpr double kWhiteLuminance = 1;
    // Where both have the same contrast, the background stands as far from one as from the other, as a ratio.
    const double ground = luminance(background) + 0.05;
    const bool is_light = ground * ground >= (kBlackLuminance + 0.05) * (kWhiteLuminance + 0.05);
    return is_light ? Rgb{kBlack, kBlack, kBlack} : Rgb{1, 1, 1};
}

InkScale::InkScale(ColorMap map, bool is_dark) {
    for (std::size_t k = 0; k < inks_.size(); ++k) {
        inks_[k] = ink_on(map_color(map, is_dark, static_cast<float>(k) / static_cast<float>(inks_.size() - 1)));
    }
}

Rgb InkScale::at(float place) const {
    return inks_[static_cast<std::size_t>(std::lround(place * static_cast<float>(inks_.size() - 1)))];
}

Rgb paper_color(bool is_dark) {
    return is_dark ? from_hex(0x14161A) : from_hex(0xFAF9F6);
}

Rgb head_color(int head, bool is_dark) {
    ATTN_CHECK(head >= 0, "head ", head);
    const auto& colors = is_dark ? kHeadsDark : kHeadsLight;
    return colors[static_cast<std::size_t>(head) % colors.size()];
}

}  // namespace attn
