// What view=compare shows, for paper and for the screen: its matrices, their colours, and all its words. Knows no
// pixels.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/stage_range.h"
#include "scene/kit/figure_map_data.h"
#include "views/compare/comparison.h"

namespace attn {

// The maps by their index: 0 is A, 1 is B, 2 is A - B.
struct Compared {
    const Evaluation& a;
    const Evaluation& b;
    const StageInfo& info;
    const Comparison& comparison;
    int head_a = 0, head_b = 0;
    StageRange stage_range = {};  // of A's heat maps

    bool has_keys() const { return info.columns == Axis::key_token; }
    // A, B and, if there is one, the difference.
    std::vector<const Matrix*> matrices() const;
    bool has_head(std::size_t map) const { return info.has_heads && map < 2; }
    int head(std::size_t map) const { return map == 0 ? head_a : head_b; }

    // One scale for A and B: for weights the scale of A's heat maps, for others plus and minus the largest of both. A
    // difference is always signed.
    ColorMap colors(std::size_t map) const;
    StageRange range(std::size_t map) const;
    // Whether numbers beyond the range are drawn in its last colour.
    bool is_cut(std::size_t map) const;

    std::string title(std::size_t map) const;                             // "A · Head 2"
    std::string label(std::size_t map, bool is_column, int index) const;  // of a row or a column
    std::string cell_in_words(std::size_t map,
                              const Place& place) const;                  // "woman → artist", each cut if it is long
    std::string place_in_words(const std::optional<Place>& place) const;  // "woman → artist: A 0.3910, B 0.2000, ..."
};

// "A", "B", "A − B".
std::string_view compared_name(std::size_t map);

// The number, "masked", or "not there".
std::string compared_value(const Matrix& matrix, const Place& place);

bool lies_in(const Matrix& matrix, const std::optional<Place>& place);

// "B: seed 124; 4 heads", or "B is the same as A".
std::string other_in_words(const PlaygroundState& a, const PlaygroundState& b);

}  // namespace attn
