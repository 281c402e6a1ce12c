// What the files of the vectors view share.
#pragma once

#include <imgui.h>

#include <optional>

#include "ui/frame/frame.h"
#include "ui/kit/scene_pen.h"
#include "views/vectors/vectors_scene.h"

namespace attn {

// What decides the layout of a drawing, besides the numbers of the evaluation.
struct VectorsKey {
    int version;  // of the evaluation
    VectorChoice choice;
    Plane axes;
    VectorsLayout layout;

    bool operator==(const VectorsKey&) const = default;
};

// Principal directions are slow to find, and drawings take a while to lay out, so they are kept.
struct VectorsMemory {
    int version = -1;  // of the evaluation
    int head = -1;
    Plane plane;
    HeadPlanes planes;
    KeptScene<VectorsKey> keys, chain;
};

// One frame of the view.
struct VectorsPicture {
    UiFrame& frame;
    const HeadPlanes& planes;
    VectorPlane plane;
    bool shows_values = true;               // false: a teacher hides the numbers
    std::optional<int> pointed_key = {};    // under the pointer in the last frame, seen from the chosen query
    std::optional<int> pointed_token = {};  // pointed at elsewhere: its query and its key are lit

    // The key whose arithmetic is shown: the one that is pointed at, else the pinned one.
    std::optional<int> shown_key() const { return pointed_key ? pointed_key : plane.choice.key; }
    VectorsDrawn drawn() const { return {.evaluation = frame.evaluation, .planes = planes, .plane = plane}; }
    bool is_lit(int token) const { return token == shown_key() || token == pointed_token; }
};

// Pins the row of `query`, and the chosen key in it if there is one.
void choose_query(const VectorsPicture& picture, int query);
// Pins the cell of the chosen query and `key`; a stage without keys gives way to the weights.
void choose_key(const VectorsPicture& picture, int key);
// Tells the other panels what the pointer is over.
void point_at_key(const VectorsPicture& picture, int key);

// The two drawings, each a panel of this size at the cursor.
void draw_key_plane(const VectorsPicture& picture, ImVec2 size);
void draw_value_chain(const VectorsPicture& picture, ImVec2 size);

// The arithmetic of the shown key, and the list of all keys, at most `height` high.
void put_dot_product(const VectorsPicture& picture);
float dot_product_height(const VectorsPicture& picture, float width);
void put_key_list(const VectorsPicture& picture, float height);

}  // namespace attn
