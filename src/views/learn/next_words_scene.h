// The table of next words of view=learn, for paper and for the screen.
#pragma once

#include "scene/kit/figure_parts.h"
#include "views/learn/next_words.h"

namespace attn {

// A row for each position: its token, the probability of each word, a ring around the wanted one, its loss. Wider than
// `width` where the vocabulary is large.
FigureBlock next_words_scene(const SceneStyle& style, const NextWords& words, double width, bool has_tips);

}  // namespace attn
