// The memory meter of view=cache, for paper and for the screen.
#pragma once

#include <string>

#include "playground/cache/cache_counts.h"
#include "playground/text/text_table.h"
#include "scene/kit/figure_parts.h"

namespace attn {

FigureBlock cache_meter(const SceneStyle& style, const Inputs& inputs, const Sizes& sizes, const View& view,
                        double width);

// What the cache of the visitor's own model takes, or of the layer where no model is open: "2.10 MB".
std::string own_cache_in_words(const Inputs& inputs, const Sizes& sizes, const View& view);

// The meter as a table of text.
TextTable table_of_meter(const Inputs& inputs, const Sizes& sizes, const View& view);

}  // namespace attn
