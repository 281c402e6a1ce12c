// What the program is, and the digest of all its numbers, for two people to compare. The open card computes the digest
// in slices.
#pragma once

#include <string>

#include "playground/numbers/digest.h"
#include "ui/frame/frame.h"

namespace attn {

struct AboutMemory {
    DigestWork digest;
};

// The word that opens the card, at the cursor; and the card while it is open.
void put_about_link(UiFrame& frame);

// To the author's page with this state. Nothing where the page has none beside it: a single file, the desktop.
void put_prepare_link(UiFrame& frame, const std::string& name);

}  // namespace attn
