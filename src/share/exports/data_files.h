// Numbers as files for other programs: one stage as CSV, TSV, JSON or NPY, everything as NPZ. docs/files.md has the
// names and shapes. Knows no figures and no scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/ground/result.h"
#include "playground/numbers/evaluation.h"
#include "playground/print/trace_export.h"
#include "playground/state/state.h"
#include "share/exports/export_kinds.h"

namespace attn {

// Numbers of a file: beyond this the page would run out of memory (a few hundred MiB of text, 32 MiB of floats).
inline constexpr std::int64_t kMaxFileNumbers = 1 << 23;

// Each fails with a sentence when there is nothing to write (empty sentences, a stage that these inputs do not have),
// when its numbers are blank (View::check, View::hide), and beyond kMaxFileNumbers.

// Why a file of the stage (npz: of all stages) would be too large, in a sentence; empty where it is not. Counts tokens
// only where a text is so long that it may be.
std::string export_obstacle(ExportKind kind, const PlaygroundState& state, TensorId stage);

// Why a trace of the stage, or of all stages, of all sentences would be too large; empty where it is not.
std::string trace_obstacle(const Inputs& inputs, std::optional<TensorId> stage);

// A sentence when the state, whose shown sentence has these sizes, cannot become a spreadsheet: it is too large, its
// sentence is empty, it shows a trained model or trained numbers, or some of its numbers are blank. Else empty.
std::string spreadsheet_obstacle(const PlaygroundState& state, const Sizes& sizes);

// Whether this part of the stage can be chosen for csv, tsv and npy: there is one, and it fits into a file.
bool has_export_part(const PlaygroundState& state, const Sizes& sizes, TensorId stage, ExportPart part);

// Which head ExportPart::head is.
int head_of_part(const View& view);

// A part of the shown sentence's stage as csv or tsv, in pieces.
class PartText {
public:
    static Result<PartText> begin(ExportKind kind, const PlaygroundState& state, const Evaluation& shown,
                                  TensorId stage, ExportPart part);
    // Writes some rows. Returns whether all are written.
    bool advance(const Evaluation& shown);
    std::string take() { return std::move(text_); }

private:
    struct Cells {
        int first_head = 0, end_head = 1;
        CellWindow window;
    };
    friend Result<std::string> write_part_npy(const PlaygroundState&, const Evaluation&, TensorId, ExportPart);
    static Cells cells_of(const PlaygroundState& state, const Sizes& sizes, TensorId stage, ExportPart part);

    char separator_ = ',';
    int sentence_ = 1;
    TensorId stage_ = {};
    Cells cells_;
    int head_ = 0;
    int row_ = 0;
    std::string text_;
};

// The same part as an array of float32: (rows, columns) of a head, (num_heads, rows, columns) of a window.
Result<std::string> write_part_npy(const PlaygroundState& state, const Evaluation& shown, TensorId stage,
                                   ExportPart part);

// csv, tsv or json of the stage for all sentences of the batch, as TraceWriter has it: for a long text in many pieces.
class StageText {
public:
    static Result<StageText> begin(ExportKind kind, const PlaygroundState& state, TensorId stage);
    // Goes on for some milliseconds. `shown`: the complete evaluation of the shown sentence. Returns whether all is
    // written.
    bool advance(const Evaluation& shown);
    // What was written so far, to be taken once.
    std::string take() { return std::move(text_); }

private:
    StageText(ExportKind kind, TraceWriter writer, std::int64_t num_numbers);

    ExportKind kind_;
    TraceWriter writer_;
    std::string text_;
};

// The stage of the shown sentence as a float32 array of stage_shape, hidden keys as stage_matrix makes them.
Result<std::string> write_stage_npy(const PlaygroundState& state, const Evaluation& shown, TensorId stage);

// Every stage of every sentence, its mask (1 hidden), and the learned matrices; `shown` as above. In a batch of several
// the names of what is a sentence's own begin with its number, from 1: "2/weights". Blank stages are left out.
Result<std::string> write_state_npz(const PlaygroundState& state, const Evaluation& shown);

}  // namespace attn
