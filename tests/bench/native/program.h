// What the bench's native programs share: a problem from a file, commands on standard input, a line of JSON for each.
//   start T d_in d_out num_heads with_weights problem_file answer_file   the first call; its numbers go to answer_file
//   batch calls                                                          {"ms": milliseconds a call}, after one more
// hosts.mjs is the other side. Knows nothing about any library.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attn::bench {

struct Problem {
    int num_tokens = 0, d_in = 0, d_out = 0, num_heads = 0;
    std::vector<float> x;                        // (T, d_in)
    std::vector<float> w_query, w_key, w_value;  // (d_in, d_out)

    int head_dim() const { return d_out / num_heads; }
};

// Valid until the next call.
struct Answer {
    std::span<const float> context;  // (T, d_out)
    std::span<const float> weights;  // (num_heads, T, T); empty when they are not wanted
};

using Attend = std::function<Answer()>;

// What a person does once, then the function that is timed.
using Prepare = std::function<Attend(const Problem& problem, bool with_weights)>;

// Answers commands until standard input ends; returns the exit code. `version` goes into the report.
int answer_commands(const std::string& version, const Prepare& prepare);

// Milliseconds of a steady clock.
double now_ms();

}  // namespace attn::bench
