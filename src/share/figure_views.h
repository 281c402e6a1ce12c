// The figure of each view: one generator a view, in a file of its own.
#pragma once

#include "core/result.h"
#include "share/figure_parts.h"

namespace attn {

// The sentence is not empty, and the view shows no blank stage that it could not draw as "?".
using FigureGenerator = Result<Figure> (*)(const FigureTask& task);

Result<Figure> figure_of_matrix(const FigureTask& task);
Result<Figure> figure_of_lines(const FigureTask& task);
Result<Figure> figure_of_numbers(const FigureTask& task);
Result<Figure> figure_of_compare(const FigureTask& task);
Result<Figure> figure_of_edit(const FigureTask& task);
Result<Figure> figure_of_vectors(const FigureTask& task);
Result<Figure> figure_of_split(const FigureTask& task);
Result<Figure> figure_of_stacked(const FigureTask& task);
Result<Figure> figure_of_cost(const FigureTask& task);
Result<Figure> figure_of_dots(const FigureTask& task);
Result<Figure> figure_of_softmax(const FigureTask& task);

}  // namespace attn
