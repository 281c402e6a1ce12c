// Opens the files of a trained model that were dropped on the picture or named on the command line.
#pragma once

#include <optional>
#include <vector>

#include "app/program.h"

namespace attn {

// Takes those of `files` that are a model's and begins to read them; what is wrong with them is told.
void take_model_files(Program& program, std::vector<FileData>& files);

// Goes on until `end` (World::seconds). Once all is read the state shows the model. Returns whether there is more.
bool read_model(Program& program, double end);

// The part of the model's bytes that is read, 0 to 1; nothing where none is being read.
std::optional<float> read_share(const Program& program);

// Ends the reading, if there is one: what was there stays, and a sentence says so.
void stop_reading_model(Program& program);

}  // namespace attn
