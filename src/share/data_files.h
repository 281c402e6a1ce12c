// Numbers as files for other programs: one stage as CSV, TSV, JSON or NPY, everything as NPZ. docs/files.md has the
// names and shapes. Knows no figures and no scripts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/result.h"
#include "playground/evaluation.h"
#include "playground/state.h"
#include "playground/trace_export.h"
#include "share/exports.h"

namespace attn {

// Numbers of a file: beyond this the page would run out of memory (a few hundred MiB of text, 32 MiB of floats).
inline constexpr std::int64_t kMaxFileNumbers = 1 << 23;

// Each fails with a sentence when there is nothing to write (empty sentences, a stage that these inputs do not have),
// when its numbers are blank (View::check, View::hide), and beyond kMaxFileNumbers.

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
