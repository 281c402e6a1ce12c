// Compiles and links GLSL. Shader texts carry no #version; it is added here. Must not know what is drawn.
#pragma once

#include <string_view>

#include "core/ground/result.h"

namespace attn {

// Links a vertex and a fragment shader in the current GL context and returns the program's name, to be deleted by the
// caller. The error is a sentence with the compiler's or linker's message.
Result<unsigned> build_program(std::string_view vertex, std::string_view fragment);

}  // namespace attn
