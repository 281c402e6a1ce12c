// The map beside the table of view=edit.
#pragma once

#include <imgui.h>

#include "ui/edit/edit_picture.h"

namespace attn {

inline constexpr int kMostMapped = 256;  // tokens: beyond, redrawing the map for each number would slow typing down

// How table and map share the room; no map if it would be too small.
struct EditRoom {
    ImVec2 table;
    ImVec2 map;          // 0: none
    ImVec2 corner = {};  // of the map, from the room's

    bool has_map() const { return map.x > 0; }
};

// `table`: the size the table would like.
EditRoom edit_room(const EditPicture& picture, ImVec2 room, ImVec2 table);

void draw_edit_map(const EditPicture& picture, ImVec2 corner, ImVec2 room);

}  // namespace attn
