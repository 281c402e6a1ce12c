// What the two drawings of the vectors view share: what can be pointed at, readouts, headings, the arrow keys.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/text.h"
#include "ui/vectors_picture.h"

namespace attn {

// What can be pointed at in a drawing.
struct Target {
    enum class Kind { query, key, link } kind;
    int index;  // token, or place in the chain
    ImVec2 from, to;
};

// The target nearest to the pointer, if near enough. Near the origin all arrows are close, so their outer parts count.
std::optional<Target> target_at(const std::vector<Target>& targets, ImVec2 point);

// Left and right choose the query, up and down the key, while the drawing (the last ImGui item) has the focus.
void move_with_arrow_keys(const VectorsPicture& picture);

// The text of a token, cut to what a label may take.
std::string label_of(const VectorsPicture& picture, const TextStyle& style, int token);
// What lies under a label: half of the ground, so that the picture shows through.
ImU32 label_ground(const UiFrame& frame);

// For tests: where the tip of an arrow is.
void record_tip(const VectorsPicture& picture, const std::string& name, ImVec2 tip);

// Beside the pointer: a title and up to two lines of arithmetic. Not for a finger, which would cover it.
void put_readout(const UiFrame& frame, std::string_view title, std::string_view first, std::string_view second);

// A drawing's title, and under it what its plane shows; returns the top of what is left.
float put_panel_heading(const VectorsPicture& picture, ImVec2 corner, float width, std::string_view title,
                        const std::string& words);

}  // namespace attn
