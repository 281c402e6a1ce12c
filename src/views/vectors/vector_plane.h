// view=vectors: the queries and keys of one head as arrows in a plane, and the context vector of one query as the chain
// of its weighted values. Holds all numbers of the view; knows no screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "playground/text/text_table.h"
#include "scene/kit/plane_scale.h"
#include "views/vectors/vector_directions.h"

namespace attn {

// At most this many keys get arrows, and at most this many weighted values get a link of their own in the chain: those
// with the largest weights, and the chosen one.
inline constexpr int kMostArrows = 24;

// What the view shows: the enlarged head, else the pinned cell's, else the first; the pinned row, else the last token;
// the pinned column, if the shown stage has keys as its columns.
struct VectorChoice {
    int head = 0;
    int query = 0;
    std::optional<int> key;

    bool operator==(const VectorChoice&) const = default;
};
VectorChoice vector_choice(const Evaluation& evaluation, const View& view);

// The planes of a head: one for its queries and keys together, one for its values. Two channels are drawn as they are;
// only more than two have principal directions.
struct HeadPlanes {
    PlaneDirections keys, values;
};
HeadPlanes head_planes(const Evaluation& evaluation, int head, const Plane& plane);

// A key seen from the chosen query, in all its dimensions.
struct KeyMeasure {
    bool is_hidden = false;
    double length = 0;   // |k|
    double dot = 0;      // q . k
    double cosine = 0;   // q . k / (|q| |k|), -1 to 1; NaN where a length is 0
    double degrees = 0;  // the angle, 0 to 180; NaN where a length is 0
    float weight = 0;    // after dropout, if there is any
};

// One step of the chain from the origin to the context: weight * value, `to` - `from` in the plane.
struct ChainLink {
    int key = 0;  // if num_keys > 1: all keys without a link of their own
    int num_keys = 1;
    double weight = 0;  // of them together
    PlanePoint from = {}, to = {};
};

struct VectorPlane {
    VectorChoice choice;
    int head_dim = 1;                      // numbers of a value
    int score_dim = 1;                     // of a query or a key: rope_dim more
    TensorId weights = TensorId::weights;  // what the values are multiplied by: weights or dropped_weights
    double query_length = 0;               // |q|
    std::vector<KeyMeasure> measures;      // one a token
    std::vector<int> drawn;                // tokens with arrows for query and key, ascending
    std::vector<PlanePoint> queries;       // of the drawn tokens, in their order
    std::vector<PlanePoint> keys;
    PlanePoint query_at;
    std::vector<ChainLink> chain;  // in the order of keys, the rest together last; a weight of 0 has no link
    PlanePoint context;            // where the chain ends: the context as the stage shows it

    // Whether the picture leaves out something that the numbers count.
    bool is_projection() const { return score_dim > 2; }
    int num_left_out() const { return static_cast<int>(measures.size() - drawn.size()); }
};

// The numbers of the view. `planes` are those of choice.head.
VectorPlane make_vector_plane(const Evaluation& evaluation, const VectorChoice& choice, const HeadPlanes& planes);

// "channel 0" or "direction 1", of the x axis and of the y axis.
std::string axis_name(const PlaneDirections& directions, bool is_y);

// What the plane shows of the vectors, for people: "both channels", "channels 0 and 1 of 8: 42% of squared lengths",
// "principal directions: 61% + 20% of squared lengths".
std::string plane_words(const PlaneDirections& directions);

// "q·k = |q| |k| cos θ = 1.2000 × 0.5000 × 0.8000 = 0.4800"; if a vector has length 0, says that there is no angle.
std::string dot_words(const VectorPlane& plane, int key);

// The view as text.
std::vector<TextTable> tables_of_vectors(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
