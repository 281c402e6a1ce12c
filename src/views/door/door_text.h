// What view=door says: its sentences, and its numbers as tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/text/text_table.h"
#include "views/door/door_picture.h"

namespace attn {

inline constexpr std::string_view kDoorQuestion = "Which word decides what comes next?";
inline constexpr std::string_view kRandomQuestion = "Where does the last word look?";
inline constexpr std::string_view kDoorRandom = "These heads are random: they have learned nothing.";
inline constexpr std::string_view kDoorAbsent =
    "The trained model could not be opened. Every number of the sentence is one press away.";
inline constexpr std::string_view kReadTrained = "Read it with the trained model";

// Who reads, and where the heads in use look back: "A small trained model reads your sentence. Head 4 of layer 2 looks
// back from “cat” to “dogs”."
std::string door_subtitle(const DoorDrawing& drawing, std::string_view model);
// "Switch this head off", "Switch both heads on again"
std::string_view switch_label(const DoorDrawing& drawing);
// Before the press, what the heads in use do; after it, what was lost. Every number in it is computed.
std::string door_effect(const DoorDrawing& drawing);

std::vector<TextTable> tables_of_drawing(const DoorDrawing& drawing);
std::string drawing_in_words(const DoorDrawing& drawing, std::string_view model);

}  // namespace attn
