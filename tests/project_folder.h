// Where the project's files stand that tests read: golden numbers, the project's own model.
#pragma once

namespace attn::test {

// Without a slash at its end. Compiled alone, so that no other test holds the name of a folder and a cache of compiled
// files knows it in every clone.
extern const char* const kProjectFolder;

}  // namespace attn::test
