// Rotary positions: pairs of a head's numbers are points of a plane, which are turned by an angle that grows with the
// position (Su et al. 2021, 2104.09864, section 3.4.2). Turned queries and keys give scores in which only the distance
// of the two positions counts. Knows rows of numbers, nothing of heads or projections.
#pragma once

#include <span>
#include <vector>

namespace attn {

// Which two of a head's n numbers make pair p: p and p + n/2, as in Llama's files of Hugging Face ("rotate half"), or
// 2p and 2p + 1, as the paper writes it and Meta's files have it ("interleaved").
enum class RotaryPairs { halves, neighbours };

// Largest |position| that portable sines know: a base of at least 1 makes no angle larger than the position.
constexpr int kMaxRotaryPosition = 1 << 20;

// The place of a pair's first number, of its second, the other number of the pair that `column` is in, and the pair.
int first_of_pair(RotaryPairs pairs, int size, int pair);
int second_of_pair(RotaryPairs pairs, int size, int pair);
int partner_of(RotaryPairs pairs, int size, int column);
int pair_of(RotaryPairs pairs, int size, int column);

// The angle of pair p at a position, in radians: position * base^(-2p / size). `size` even, base >= 1.
double rotary_angle(int position, int pair, int size, double base);

// Cosine and sine of each pair's angle at one position, in double; the same bits everywhere.
struct Rotation {
    std::vector<double> cosines, sines;  // [size / 2]
};
Rotation rotation_at(int position, int size, double base);

// Turns a row of as many numbers as the rotation has, twice its pairs: (x, y) becomes (x cos - y sin, y cos + x sin),
// each in double and rounded once.
void rotate(RotaryPairs pairs, const Rotation& rotation, std::span<float> row);
void rotate(RotaryPairs pairs, const Rotation& rotation, std::span<double> row);

// The way back: the gradient at the turned row becomes that at the row before. A rotation's transpose turns by the
// opposite angle.
void rotate_back(RotaryPairs pairs, const Rotation& rotation, std::span<float> row);
void rotate_back(RotaryPairs pairs, const Rotation& rotation, std::span<double> row);

}  // namespace attn
