// What the files of the vectors view share.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "playground/vector_plane.h"
#include "ui/ui.h"

namespace attn {

// Principal directions are slow to find, so they are kept.
struct VectorsMemory {
    int version = -1;  // of the evaluation
    int head = -1;
    Plane plane;
    HeadPlanes planes;
};

// One frame of the view.
struct VectorsPicture {
    UiFrame& frame;
    const HeadPlanes& planes;
    VectorPlane plane;
    bool shows_values = true;               // false: a teacher hides the numbers
    std::optional<int> pointed_key = {};    // under the pointer in the last frame, seen from the chosen query
    std::optional<int> pointed_token = {};  // pointed at elsewhere: its query and its key are lit
    ImU32 color = 0;                        // of the head

    // The key whose arithmetic is shown: the one that is pointed at, else the pinned one.
    std::optional<int> shown_key() const { return pointed_key ? pointed_key : plane.choice.key; }
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
