// What a worksheet has to give so that what it asks for can be worked out: the numbers that the rows of the layer
// (core/operations) take. Knows no HTML.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/ground/result.h"
#include "playground/check/check_me.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"

namespace attn {

// Cells of one matrix of a tensor: these rows and columns, in their order.
struct SheetTable {
    TensorId tensor = {};
    int head = 0;  // from 0; 0 for tensors without heads
    std::set<int> rows, columns;
};

// The number of a cell: a stage's, or one that stages are made of.
double number_of(const Evaluation& evaluation, const SheetTable& table, int row, int column);

// What is asked for, on paper.
struct SheetTask {
    std::vector<Question> asked;      // in the order of the stages
    std::vector<SheetTable> to_fill;  // the asked stages, and those between two of them: whole rows
    std::vector<SheetTable> given;    // in the order in which the lecture computes them
    std::vector<TensorId> computed;   // the stages of to_fill, in order: their formulas are given
};

// So many numbers one worksheet has at most: some forty pages.
inline constexpr std::size_t kMostSheetNumbers = 8000;

// The cells that a state asks for (View::check, single values in View::hide; in a lesson's exercise the one that it
// pins): none where nothing is asked, or more than kMaxQuestions of one stage, and none of the stages around the
// attention of a model, which no row of the layer makes. `evaluation` is of the state.
std::vector<Question> asked_cells(const PlaygroundState& state, const Evaluation& evaluation);

// The number that answers a question, as the screen has it.
double answer_of(const Evaluation& evaluation, const Question& question);

// The task of a state. The error is a sentence: an empty sentence, nothing asked, too much of it, numbers of a model
// that are made in no row of the layer.
Result<SheetTask> sheet_task(const PlaygroundState& state, const Evaluation& evaluation);

// The task of some of asked_cells alone, at least one: what it gives and fills in is what these need. The error is a
// sentence: too many numbers for one sheet.
Result<SheetTask> sheet_task_of(const PlaygroundState& state, const Evaluation& evaluation,
                                std::vector<Question> asked);

}  // namespace attn
