// The steps behind one number of a model as text, JSON or CSV.
#pragma once

#include <string>
#include <vector>

#include "model/explain/model_explanation.h"
#include "playground/print/trace_export.h"
#include "playground/text/notes.h"

namespace attn {

// What tokens are called: those of the text, by their place, and for logits and probabilities the one of the column.
struct ModelNames {
    std::vector<std::string> tokens;
    std::string word;  // empty where the column is no token
};

// "mlp_hidden of layer 2, token 3 "sees", channel 5".
std::string cell_title(const ModelCell& cell, const ModelNames& names);

// The formula, a line for each step, and the number. Of long sums the first terms and the last ones.
std::vector<std::string> explanation_lines(const ModelExplanation& explanation);

// JSON: {"notes", "stage", "layer", "head", "row", "column", "row_token", "column_token", "shown", "is_hidden",
// "formula", "steps": [{"name", "terms": [{"label", "a", "a_source", "b", "b_source", "product"}], "divisor", "rule",
// "value"}], "lines"}, a source {"name", "layer", "head", "place"}; layers and heads from 1, places from 0; all terms.
// CSV: step,label,a,a_source,b,b_source,value, without notes. Text: title and lines.
std::string export_explanation(const ModelExplanation& explanation, const ModelNames& names, const Notes& notes,
                               ExportFormat format);

}  // namespace attn
