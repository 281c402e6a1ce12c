// Every stage as JSON, CSV or plain text: for the attn command, the page without a canvas, and tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "playground/numbers/evaluation.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/state/state.h"

namespace attn {

enum class ExportFormat { json, csv, text };

// Writes all sentences of the batch, one after the other, so that no more than one is in memory; only `stage` when
// given, which must be present. Each number is the shortest text (at most 9 significant digits) that gives the same
// float again. JSON: {"link", "notes", "sentences": [{"text", "tokens", "notes", "stages": [{"name", "letters",
// "shape", "values"}]}], "digest"}; values are nested arrays in the order of the shape; null stands for minus infinity
// (a hidden key). The digest (digest.h) is there when all stages are.
// CSV: a line a number, sentence,stage,head,row,column,value; sentences and heads count from 1, rows and columns from
// 0; head is empty for stages without heads. It has neither notes nor digest. Text: tables with four decimals, the
// digest last.
class TraceWriter {
public:
    // The state is legal.
    TraceWriter(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage, ExportFormat format);
    ~TraceWriter();
    TraceWriter(TraceWriter&&) noexcept;
    TraceWriter& operator=(TraceWriter&&) noexcept;

    // Goes on for about `multiply_adds`, or what takes as long. `known`, if not null, is the complete evaluation of the
    // state's shown sentence. Returns whether all is written.
    bool advance(std::int64_t multiply_adds, const Evaluation* known = nullptr);
    // What was written since it was asked last.
    std::string take_text();

private:
    struct Body;
    std::unique_ptr<Body> body_;
};

// Writes all of it at once. The sink takes it piece by piece, so the text need not fit into memory.
using TextSink = std::function<void(std::string_view piece)>;
void write_trace(const TextSink& sink, const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                 ExportFormat format);
std::string export_trace(const PlaygroundState& state, const Notes& notes, std::optional<TensorId> stage,
                         ExportFormat format);

// One explanation in the same formats, all its terms listed; `notes` are those of the link, the sentence's are added
// (not in CSV). JSON: {"notes", "stage", "head", "row", "column", "row_token", "column_token", "shown", "is_hidden",
// "terms": [{"label", "a", "a_source", "b", "b_source", "product"}], "sum", "divisor", "divisor_terms", "row_max",
// "score", "lines"}; shown = sum / divisor, null for what the stage does not have. CSV: texts are csv_field's.
std::string export_explanation(const Evaluation& evaluation, const Explanation& explanation, const Notes& notes,
                               ExportFormat format);

// A text as one CSV field (RFC 4180), whatever it holds. A spreadsheet computes a cell that begins with a sign of a
// formula; after an apostrophe it is text. So one stands before such a sign at the front, behind what a spreadsheet
// passes over (blanks, what cannot be seen) and behind what parts cells for some of them (";", a tab, a line's end).
std::string csv_field(std::string_view text);

}  // namespace attn
