// Every stage as JSON, CSV or plain text: for the attn command, the page without a canvas, and tests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "playground/evaluation.h"
#include "playground/explanation_lines.h"
#include "playground/state.h"

namespace attn {

enum class ExportFormat { json, csv, text };

// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view piece)>;

// All sentences of the batch, one after the other, so that no more than one is in memory; only `stage` when given,
// which must be present. Each number is the shortest text (at most 9 significant digits) that gives the same float
// again. JSON: {"link", "notes", "sentences": [{"text", "tokens", "notes", "stages": [{"name", "letters", "shape",
// "values"}]}], "digest"}; values are nested arrays in the order of the shape; null stands for minus infinity (a hidden
// key). The digest (digest.h) is there when all stages are.
// CSV: a line a number, sentence,stage,head,row,column,value; sentences and heads count from 1, rows and columns from
// 0; head is empty for stages without heads. It has neither notes nor digest. Text: tables with four decimals, the
// digest last.
void write_trace(const TextSink& sink, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                 ExportFormat format);
std::string export_trace(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format);

// One explanation in the same formats, all its terms listed; `notes` are those of the link, the sentence's are added
// (not in CSV). JSON: {"notes", "stage", "head", "row", "column", "row_token", "column_token", "shown", "is_hidden",
// "terms": [{"label", "a", "a_source", "b", "b_source", "product"}], "sum", "divisor", "divisor_terms", "row_max",
// "score", "lines"}; shown = sum / divisor, null for what the stage does not have.
std::string export_explanation(const Evaluation& evaluation, const Explanation& explanation, const Notes& notes,
                               ExportFormat format);

}  // namespace attn
