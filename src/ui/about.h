// What the program is, and the digest of all its numbers, for two people to compare. The digest is computed while the
// card is open, in slices.
#pragma once

#include "playground/digest.h"
#include "ui/ui.h"

namespace attn {

struct AboutMemory {
    DigestWork digest;
};

// The word that opens the card, at the cursor; and the card while it is open.
void put_about_link(UiFrame& frame);

}  // namespace attn
