// Numbers as files for other programs: one stage as CSV, TSV, JSON or NPY, everything as NPZ. docs/files.md has the
// names and shapes. Knows no figures and no scripts.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"
#include "playground/evaluation.h"
#include "playground/state.h"
#include "share/exports.h"

namespace attn {

// Numbers of a file: beyond this the page would run out of memory (a few hundred MiB of text, 32 MiB of floats).
inline constexpr std::int64_t kMaxFileNumbers = 1 << 23;

// Each fails with a sentence when there is nothing to write (empty sentences, a stage that these inputs do not have),
// when its numbers are blank (View::check, View::hide), and beyond kMaxFileNumbers.

// csv, tsv or json of the stage for all sentences of the batch, as write_trace has it.
Result<std::string> write_stage_text(ExportKind kind, const PlaygroundState& state, TensorId stage);

// The stage of the shown sentence as a float32 array of stage_shape, hidden keys as stage_matrix makes them.
Result<std::string> write_stage_npy(const PlaygroundState& state, const Evaluation& shown, TensorId stage);

// Every stage of every sentence, its mask (1 hidden), and the learned matrices. In a batch of several the names of what
// is a sentence's own begin with its number, from 1: "2/weights". Blank stages are left out.
Result<std::string> write_state_npz(const PlaygroundState& state);

}  // namespace attn
