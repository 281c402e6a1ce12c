// The steps behind one number of a model as text, JSON or CSV.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/graph/explanation.h"
#include "playground/print/trace_export.h"
#include "playground/text/json_writer.h"
#include "playground/text/notes.h"

namespace attn {

// What tokens are called: those of the text, by their place, and for logits and probabilities the one of the column.
struct ModelNames {
    std::vector<std::string> tokens;
    std::string word;  // empty where the column is no token
    int heads_per_kv_head = 1;
};

// The steps as an array of the JSON below, and as lines of the CSV. Of keys and values the head of keys is named.
void write_steps(JsonWriter& json, std::span<const ExplainedStep> steps, int heads_per_kv_head);
std::string steps_as_csv(std::span<const ExplainedStep> steps, int heads_per_kv_head);

// "mlp_hidden of layer 2, token 3 "sees", channel 5".
std::string cell_title(const CellRef& cell, const ModelNames& names);

// JSON: {"notes", "stage", "layer", "head", "row", "column", "row_token", "column_token", "shown", "is_hidden",
// "formula", "steps": [{"name", "terms": [{"label", "a", "a_source", "b", "b_source", "product"}], "divisor", "rule",
// "value"}], "lines"}, a source {"name", "layer", "head", "place"}; layers and heads from 1, places from 0; all terms.
// CSV: step,label,a,a_source,b,b_source,value, without notes. Text: title and lines.
std::string export_explanation(const Explanation& explanation, const ModelNames& names, const Notes& notes,
                               ExportFormat format);

}  // namespace attn
