// What the two drawings of the vectors view share: targets for the pointer, readouts, the arrow keys.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/item.h"
#include "ui/kit/text.h"
#include "ui/vectors/vectors_picture.h"

namespace attn {

// What can be pointed at in a drawing.
struct Target {
    enum class Kind { query, key, link } kind;
    int index;  // token, or place in the chain
    ImVec2 from, to;
};

// The target nearest to the pointer, if near enough. Near the origin all arrows are close, so their outer parts count.
std::optional<Target> target_at(const std::vector<Target>& targets, ImVec2 point);

// Left and right choose the query, up and down the key, once Enter has given the arrow keys to the drawing, ImGui's
// last item. Tells what it is, the query and the key while it has the focus.
void move_with_arrow_keys(const VectorsPicture& picture, const std::string& name, const ItemState& state,
                          std::string_view what);

// What the layout of a drawing of this size depends on, its heading included.
VectorsKey vectors_key(const VectorsPicture& picture, ImVec2 size);

// Puts a drawing on the screen. Returns what can be pointed at in it.
std::vector<Target> draw_with_targets(const VectorsPicture& picture, const FigureBlock& scene, ImVec2 corner);

// Beside the pointer: a title and up to two lines of arithmetic. Not for a finger, which would cover it.
void put_readout(const Look& look, std::string_view title, std::string_view first, std::string_view second);

}  // namespace attn
