// Opens the files of a trained model that were dropped on the picture or named on the command line.
#pragma once

#include <vector>

#include "app/program.h"

namespace attn {

// Takes those of `files` that are a model's and begins to read them; what is wrong with them is told.
void take_model_files(Program& program, std::vector<FileData>& files);

// Goes on until `end` (World::seconds). Once all is read the state shows the model. Returns whether there is more.
bool read_model(Program& program, double end);

}  // namespace attn
