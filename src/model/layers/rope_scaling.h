// How far a model turns its queries and keys at each position: the pairs' frequencies, and how files stretch them over
// longer texts than the model was first trained on. "frequency" is the angle from one position to the next, in radians.
//
//   linear    all are divided by the factor (Chen et al. 2023, 2306.15595)
//   dynamic   none changes up to max_position_embeddings tokens, and this program takes no more
//   llama3    slow ones are divided, fast ones stay, those between are mixed (Llama 3.1, 2407.21783)
//   yarn      the same along a ramp of the pairs, and cosines and sines are lengthened (Peng et al. 2023, 2309.00071)
//   longrope  each is divided by a factor of its own, other ones for long texts (Ding et al. 2024, 2402.13753)
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/rotary.h"
#include "model/files/json_tree.h"

namespace attn {

enum class RopeType { plain, linear, dynamic, llama3, yarn, longrope };

// By "rope_type", or "type" of older files.
struct RopeTypeName {
    std::string_view name;
    RopeType type;
};
inline constexpr std::array kRopeTypes = {
    RopeTypeName{"default", RopeType::plain},   RopeTypeName{"linear", RopeType::linear},
    RopeTypeName{"dynamic", RopeType::dynamic}, RopeTypeName{"llama3", RopeType::llama3},
    RopeTypeName{"yarn", RopeType::yarn},       RopeTypeName{"longrope", RopeType::longrope},
    RopeTypeName{"su", RopeType::longrope}};

struct RopeScaling {
    int dim = 0;            // so many numbers of each head are turned, the first ones; even
    double base = 10000;    // the slowest pair turns about that much slower than the first
    int max_positions = 0;  // of a text
    RopeType type = RopeType::plain;
    double factor = 1;                                 // > 0
    double original_positions = 0;                     // of the first training; 0: max_positions
    double low_freq_factor = 1, high_freq_factor = 4;  // llama3
    double beta_fast = 32, beta_slow = 1;              // yarn: turns within the original positions
    bool truncates = true;                             // yarn: the ramp begins and ends at whole pairs
    double length = 1;                                 // of what cosine and sine stand for: both are multiplied by it
    std::vector<double> short_factors, long_factors;   // longrope, [dim / 2]
};

// Reads the object "rope_scaling" or "rope_parameters" of a config.json into what has its first members already.
// Returns nothing, or a sentence: a type or a member that this program does not know, by its name, or a number out of
// bounds.
std::string read_rope_scaling(JsonValue object, RopeScaling& scaling);

// [dim / 2], for a text of so many tokens.
std::vector<double> rope_frequencies(const RopeScaling& scaling, int num_tokens);

// Of the first `dim` numbers of each head, at one position of such a text.
Rotation rope_rotation(const RopeScaling& scaling, int position, int num_tokens);

// Whether a text of `after` tokens turns the tokens that a text of `before` tokens had otherwise than that one.
bool turns_otherwise(const RopeScaling& scaling, int before, int after);

}  // namespace attn
