// What view=door offers below its scene: who reads, sentences to start from, and the doors.
#pragma once

#include "ui/frame/frame.h"
#include "views/door/doors.h"

namespace attn {

// The one button of the scene.
ImVec2 large_button_size(const Look& look, std::string_view label);
bool large_button(Canvas& canvas, const std::string& name, std::string_view label);

// For random heads: reading the sentence with a trained model.
void put_ways_to_read(UiFrame& frame, float width);
// For a model that will not come: reading it with random heads.
void put_way_back(UiFrame& frame);

// Places chips from left to right.
class ChipRow {
public:
    explicit ChipRow(float width) : left_(ImGui::GetCursorScreenPos().x), width_(width) {}
    // Puts the cursor where one of this width goes: beside the last one, or below it.
    void next(float width);

private:
    float left_, width_, end_ = 0;
    bool is_first_ = true;
};

// Sentences to start from, at most `width` wide. Returns the row, for what comes behind them.
ChipRow put_sentence_chips(UiFrame& frame, float width);

// These, the way to an own one, and, once the scene `has_begun`, the scene as it was at first.
void put_door_starts(UiFrame& frame, float width, bool has_begun);

float doors_height(const Display& display, float width);
void put_doors(UiFrame& frame, const DoorDrawing& drawing, float width);

}  // namespace attn
