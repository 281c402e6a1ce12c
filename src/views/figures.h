// The chosen view as a figure. One generator a view; they share figure_parts.h.
#pragma once

#include <memory>
#include <optional>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "scene/kit/figure.h"
#include "scene/kit/figure_options.h"
#include "views/learn/film_strip.h"
#include "views/lines/figure_lines.h"
#include "views/stacked/stacked_heads.h"
#include "views/stage/figure_stage.h"

namespace attn {

// A figure in pieces, for long texts: first all numbers of its stage are read, the weights of earlier steps computed,
// or heads computed a second time; then the figure is made.
class FigureWork {
public:
    // `evaluator` is up to date with the legal `state`, and both are the same in each call.
    FigureWork(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options);
    // Continues for some milliseconds. Returns whether figure() may be asked for.
    bool advance(const Evaluator& evaluator);
    // As figure_of.
    Result<Figure> figure(const PlaygroundState& state, const Evaluator& evaluator) const;

private:
    FigureOptions options_;
    std::unique_ptr<StageScan> scan_;
    bool is_scanned_ = false;
    std::optional<LineScan> lines_;
    bool has_lines_ = false;
    bool shows_stacked_ = false;
    std::optional<StackedPicture> stacked_;
    std::optional<EarlierWeights> earlier_;
};

// The same at once. `evaluator` is up to date with the legal `state`. Numbers that are blank (View::check, View::hide)
// are drawn as "?". The error is a sentence: an empty sentence has no figure, and beyond kMaxFigureElements rectangles
// no program opens it.
Result<Figure> figure_of(const PlaygroundState& state, const Evaluator& evaluator, const FigureOptions& options);

inline constexpr std::size_t kMaxFigureElements = 200000;

}  // namespace attn
