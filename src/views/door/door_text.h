// What view=door says: its sentences, and its numbers as tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "playground/state/origin.h"
#include "playground/text/text_table.h"
#include "views/door/door_picture.h"

namespace attn {

inline constexpr std::string_view kDoorQuestion = "Which word decides what comes next?";
inline constexpr std::string_view kRandomQuestion = "Where does the last word look?";
inline constexpr std::string_view kDoorRandom = "These heads are random: they have learned nothing.";
inline constexpr std::string_view kDoorAbsent =
    "The trained model could not be opened. Every number of the sentence is one press away.";
// For each of the project's own models that could read the sentence in the place of random heads, the one that reads
// any words first: the label of what is pressed, and what comes then.
struct DoorReading {
    const OwnModel& model;
    std::string name, label;  // "read=own-words", "Read it with own-words (2.6 MB)"
    std::string_view help;
};
std::vector<DoorReading> door_readings();
inline constexpr std::string_view kReadRandom = "Read it with random heads";

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
