// The models of the project that are part of the program: of the desktop's and of the attn command. The page has them
// beside it and fetches one when it is asked for.
#pragma once

namespace attn {

// Opens them, under their names. On the page nothing happens.
void open_own_models();

}  // namespace attn
