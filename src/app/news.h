// What screen readers and the share panel are told.
#pragma once

#include <string>

#include "app/program.h"

namespace attn {

// Says what became of something, in the share panel and to screen readers.
void tell(Program& program, const std::string& outcome);

// What went wrong is to be read whether the share panel is open or not.
// The same; it stays among the notes until it is read.
void tell_success(Program& program, const std::string& sentence);
void tell_failure(Program& program, const std::string& sentence);

// What a screen reader should say now that the state rests; empty when it was said already. Each thing is said once.
std::string take_news(Program& program);

}  // namespace attn
