// Activation patching: numbers of a text's run put in the place of another one's, to find out which part carries what
// tells two texts apart (Vig et al. 2020, 2004.12265; Meng et al. 2022, 2202.05262, which calls it causal tracing).
#pragma once

#include <compare>
#include <vector>

namespace attn {

// What a text takes over from the other one, of one of its tokens.
enum class PatchOf {
    stream,   // the residual stream before the layer
    mlp,      // what the MLP adds to it
    head,     // what a head hands on
    weights,  // whom a head looks at: it hands on what these weights make of the text's own values
};

struct Patch {
    PatchOf of = PatchOf::stream;
    int layer = 0;
    int head = 0;  // 0 for what has no heads
    int row = 0;   // the token, of both texts
    auto operator<=>(const Patch&) const = default;
};

// In the place of a row: each token that both texts have (take_over).
inline constexpr int kEveryToken = -1;

constexpr bool is_of_head(PatchOf of) {
    return of == PatchOf::head || of == PatchOf::weights;
}

// The numbers that one of them brings: [width], [head_dim], or of weights [T] of the other text.
struct TakenRow {
    Patch patch;
    std::vector<float> numbers;
};
using TakenRows = std::vector<TakenRow>;

}  // namespace attn
