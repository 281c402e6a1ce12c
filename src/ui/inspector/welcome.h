// The first screen in a few words: what the rows show, that the matrices are random, what a click gives; and ways on:
// sentences to try, the first lesson, start over.
#pragma once

#include <string_view>

#include "ui/frame/frame.h"

namespace attn {

// Whether the visitor sees the settings as they come and has not put the words away.
bool shows_welcome(const Display& display);

// What a newcomer needs to know, in three sentences.
std::string_view welcome_words(const Look& look);

// The ways on, as links in a row. At the cursor.
void put_ways_on(UiFrame& frame);

// Words and ways, with a button that puts them away. At the cursor, over the whole width.
void put_welcome(UiFrame& frame);

}  // namespace attn
