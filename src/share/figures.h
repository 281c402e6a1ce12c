// The view that is on as a figure. One generator a view; they share figure_parts.h.
#pragma once

#include "core/result.h"
#include "playground/evaluation.h"
#include "playground/state.h"
#include "share/figure.h"
#include "share/figure_options.h"

namespace attn {

// `evaluator` is up to date with the legal `state`. Numbers that are blank (View::check, View::hide) are drawn as "?".
// The error is a sentence: an empty sentence has no figure, and beyond kMaxFigureElements rectangles no program opens
// it.
Result<Figure> figure_of(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options);

inline constexpr std::size_t kMaxFigureElements = 200000;

}  // namespace attn
