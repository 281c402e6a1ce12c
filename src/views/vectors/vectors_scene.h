// The two drawings of view=vectors, for paper and for the screen: the queries and keys of one head as arrows, and the
// context of one query as the chain of its weighted values.
#pragma once

#include <optional>
#include <string>

#include "scene/kit/figure_parts.h"
#include "views/vectors/vector_plane.h"

namespace attn {

// What is drawn: all from one evaluation and one head.
struct VectorsDrawn {
    const Evaluation& evaluation;
    const HeadPlanes& planes;
    const VectorPlane& plane;
};

struct VectorsLayout {
    double width = 440, height = 400;  // of a drawing under its heading
    bool has_values = true;
    std::optional<int> shown_key = {};      // lit, with its angle
    std::optional<int> pointed_token = {};  // its query and its key are lit

    bool is_lit(int token) const { return token == shown_key || token == pointed_token; }
    bool operator==(const VectorsLayout&) const = default;
};

// The name, cut to what fits in a label.
std::string vector_label(const SceneStyle& style, const Evaluation& evaluation, int token, const TextLook& look);

// Places: "query arrow=2" and "key arrow=2" of token 2.
FigureBlock keys_scene(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout);
// Places: "link=4" of key 4, whose index is its place in the chain, and "context arrow".
FigureBlock chain_scene(const SceneStyle& style, const VectorsDrawn& drawn, const VectorsLayout& layout);

}  // namespace attn
