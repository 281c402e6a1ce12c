// The keys of a link: one table that the reader, the writer, `attn keys`, the settings of the page and the
// documentation walk.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "playground/link/key_info.h"
#include "playground/state/state.h"

namespace attn {

std::span<const KeyInfo> key_table();
const KeyInfo& key_info(std::string_view key);  // the key must exist

// Empties the list of a key that repeats: reading such a key adds to its list.
void empty_list(Inputs& inputs, std::string_view key);

}  // namespace attn
