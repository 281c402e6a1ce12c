// What the machine can do at most, in pieces of work that a caller times: the native program and, compiled to
// WebAssembly, contenders/limits.mjs. Each function returns the amount of work it did.
#pragma once

extern "C" {

// A micro-kernel of plain multiplications and additions on numbers in the first cache, `repetitions` times. shape 0: 4
// rows by 2 vectors of sums; 1: 2 by 4; 2: 6 by 2; 3: 8 by 2 (more sums than 16 registers hold). Returns floating point
// operations; 0 for a shape there is none of.
double limits_multiply_add(int shape, int repetitions);

// The engine's exp of the same 4,096 numbers. Returns exps.
double limits_exp(int repetitions);

// The engine's softmax of a row of 1,024 scores. Returns exps.
double limits_softmax(int repetitions);

// Writes 64 MB, more than the caches hold. Returns bytes.
double limits_write(int repetitions);
}
