// Every stage as JSON, CSV or plain text: for the attn command, the page without a canvas, and tests.
#pragma once

#include <optional>
#include <string>

#include "playground/evaluation.h"
#include "playground/state.h"

namespace attn {

enum class ExportFormat { json, csv, text };

// All sentences of the batch; only `stage` when given. Numbers with 9 significant digits, so that a float survives.
// JSON: {"link", "notes", "sentences": [{"text", "tokens", "notes", "stages": [{"name", "letters", "shape", "values"}]}]};
// values are nested arrays in the order of the shape; null stands for minus infinity (a hidden key).
std::string export_trace(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format);

// One explanation in the same formats.
std::string export_explanation(const Evaluation& evaluation, const Explanation& explanation, ExportFormat format);

// The formula of a cell in symbols, then with its numbers, then the result: lines of plain text, e.g.
// "score = q . k", "= 0.227 x 1.750 + 0.060 x 0.182", "= 0.4086". Shared by inspector, mirror and command.
std::vector<std::string> explanation_lines(const Evaluation& evaluation, const Explanation& explanation);

}  // namespace attn
