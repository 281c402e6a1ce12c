// What view=door offers below its scene: who reads, sentences to start from, and the doors.
#pragma once

#include "ui/frame/frame.h"
#include "views/door/doors.h"

namespace attn {

// The one button of the scene.
ImVec2 large_button_size(const Look& look, std::string_view label);
bool large_button(Canvas& canvas, const std::string& name, std::string_view label);

// Of random heads: the trained model, or the matrix view.
void put_ways_to_read(UiFrame& frame, float width);

// Sentences, an own one, and the scene as it was at first.
void put_door_starts(UiFrame& frame, float width);

float doors_height(const Display& display, float width);
void put_doors(UiFrame& frame, const DoorDrawing& drawing, float width);

}  // namespace attn
