// How an export looks and what of the state it holds, as a query string says it.
#pragma once

#include <string_view>

#include "playground/state/state.h"
#include "playground/text/notes.h"
#include "share/exports/export_kinds.h"

namespace attn {

// "dark=1&transparent=1&title=0&legend=0&head=2&scale=3&stage=weights&part=window&paper=letter&key=1"; heads count
// from 1. Bad values are moved to the nearest legal ones, with notes.
ExportOptions read_export_options(std::string_view query, const PlaygroundState& state, Notes& notes);

}  // namespace attn
