// Lines for people on standard error.
#pragma once

#include <ostream>
#include <string_view>

#include "core/words/code_points.h"

namespace attn {

// One line. What came from a stranger may be in it: one_line keeps a terminal from acting on that.
inline void tell(std::ostream& err, std::string_view sentence) {
    err << one_line(sentence) << '\n';
}

inline void tell_note(std::ostream& err, std::string_view note) {
    err << "note: " << one_line(note) << '\n';
}

}  // namespace attn
