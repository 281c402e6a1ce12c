// view=lines as a figure, and the search for the lines that it draws.
#pragma once

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "scene/kit/figure_options.h"
#include "scene/kit/figure_parts.h"
#include "views/lines/attention_lines.h"

namespace attn {

// Finds the strongest lines, a few rows at a time: a long text has millions.
class LineScan {
public:
    LineScan(const PlaygroundState& state, const Evaluation& evaluation, const FigureOptions& options);
    // Continues for some milliseconds with the same evaluation. Returns whether it has seen all.
    bool advance(const Evaluation& evaluation);
    const LineChoice& choice() const { return choice_; }
    // Ask once advance has returned true.
    const LineSet& lines() const { return lines_; }

private:
    ShownWeights weights(const Evaluation& evaluation) const { return {evaluation, stage_, combine_}; }

    TensorId stage_;
    Combine combine_;
    LineChoice choice_;
    LineSearch search_;
    bool is_found_ = false;
    LineSet lines_;
};

// Needs a sentence, task.stage and task.lines.
Result<Figure> figure_of_lines(const FigureTask& task);

}  // namespace attn
