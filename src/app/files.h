// Opens files that were dropped on the picture or chosen.
#pragma once

#include <vector>

#include "app/program.h"

namespace attn {

// Uses each file at once where there is but one thing to do with it; else the panels ask, and the files behind it wait.
// `files` are moved away. Returns whether a large one waits until a frame has said that it is being read.
bool take_files(Program& program, std::vector<FileData>& files);

}  // namespace attn
