// Angles, cosines and sines from core/ground/portable_math, and the turning of one row.
#include "core/attention/rotary.h"

#include "core/ground/check.h"
#include "core/ground/portable_math.h"

namespace attn {
namespace {

double rotary_frequency(int pair, int size, double log_base) {
    return portable::exp(-2.0 * pair / size * log_base);
}

// `direction` 1 or -1.
template <class Number>
void turn_row(RotaryPairs pairs, const Rotation& rotation, double direction, std::span<Number> row) {
    const int size = static_cast<int>(row.size());
    ATTN_CHECK(rotation.cosines.size() * 2 == row.size(), "a rotation of ", rotation.cosines.size(), " pairs, want ",
               row.size(), " / 2");
    for (int pair = 0; pair < size / 2; ++pair) {
        const double cosine = rotation.cosines[static_cast<std::size_t>(pair)];
        const double sine = direction * rotation.sines[static_cast<std::size_t>(pair)];
        Number& first = row[static_cast<std::size_t>(first_of_pair(pairs, size, pair))];
        Number& second = row[static_cast<std::size_t>(second_of_pair(pairs, size, pair))];
        const double x = static_cast<double>(first), y = static_cast<double>(second);
        first = static_cast<Number>(x * cosine - y * sine);
        second = static_cast<Number>(y * cosine + x * sine);
    }
}

}  // namespace

int first_of_pair(RotaryPairs pairs, [[maybe_unused]] int size, int pair) {
    return pairs == RotaryPairs::halves ? pair : 2 * pair;
}

int second_of_pair(RotaryPairs pairs, int size, int pair) {
    return pairs == RotaryPairs::halves ? pair + size / 2 : 2 * pair + 1;
}

int pair_of(RotaryPairs pairs, int size, int column) {
    return pairs == RotaryPairs::halves ? column % (size / 2) : column / 2;
}

int partner_of(RotaryPairs pairs, int size, int column) {
    const int pair = pair_of(pairs, size, column);
    const int first = first_of_pair(pairs, size, pair);
    return column == first ? second_of_pair(pairs, size, pair) : first;
}

double rotary_angle(int position, int pair, int size, double base) {
    return position * rotary_frequency(pair, size, portable::log(base));
}

Rotation rotation_at(int position, int size, double base) {
    ATTN_CHECK(size % 2 == 0, size, " numbers make no pairs");
    Rotation rotation;
    const double log_base = portable::log(base);
    for (int pair = 0; pair < size / 2; ++pair) {
        const double angle = position * rotary_frequency(pair, size, log_base);
        rotation.cosines.push_back(portable::cos(angle));
        rotation.sines.push_back(portable::sin(angle));
    }
    return rotation;
}

void rotate(RotaryPairs pairs, const Rotation& rotation, std::span<float> row) {
    turn_row(pairs, rotation, 1, row);
}
void rotate(RotaryPairs pairs, const Rotation& rotation, std::span<double> row) {
    turn_row(pairs, rotation, 1, row);
}
void rotate_back(RotaryPairs pairs, const Rotation& rotation, std::span<float> row) {
    turn_row(pairs, rotation, -1, row);
}
void rotate_back(RotaryPairs pairs, const Rotation& rotation, std::span<double> row) {
    turn_row(pairs, rotation, -1, row);
}

}  // namespace attn
