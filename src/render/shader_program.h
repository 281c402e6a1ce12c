// Compiles and links GLSL. Shader texts carry no #version; it is added here. Must not know what is drawn.
#pragma once

#include <string_view>

#include "core/result.h"

namespace attn {

// Begins to compile and link a vertex and a fragment shader in the current GL context and returns the program's name at
// once, to be deleted by the caller. Drivers go on with it beside the program, so ask for the outcome as late as can
// be. The error is a sentence.
Result<unsigned> begin_program(std::string_view vertex, std::string_view fragment);

// Waits until the program is linked. The error is a sentence with the compiler's or linker's message.
Result<bool> finish_program(unsigned program);

}  // namespace attn
