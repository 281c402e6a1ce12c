// The words around a picture of a stage: what its rows and columns stand for, how it is named, what its legend says.
// Screen and figures share them. Knows no screen.
#pragma once

#include <string>
#include <string_view>

#include "playground/numbers/evaluation.h"
#include "playground/numbers/stage_range.h"

namespace attn {

// The text of a token, "3" for a token the sentence does not have.
std::string token_text(const Evaluation& evaluation, int token);

// " (6)", its place, behind a word that the sentence has more than once; else nothing.
std::string place_if_repeated(const Evaluation& evaluation, int token);

// What a row of the stage stands for: the token's text, or the number of the channel.
std::string row_text(const Evaluation& evaluation, TensorId stage, int row);

// What a column of the stage stands for: the key's text, the number of the channel, or a word of the vocabulary.
std::string column_text(const Evaluation& evaluation, TensorId stage, int column);

// The name of a stage wherever it is named in a word: "weights", "embeddings", "scaled".
std::string stage_title(TensorId stage);

// "Head 3", or where heads share this stage "Head 3: key head 2", which it reads. `head` from 0.
std::string head_title(const Sizes& sizes, TensorId stage, int head);

// What the scores are divided by, in symbols: "√2", "2 · 0.7", "1".
std::string divisor_text(const Inputs& inputs);

// "rows: query · columns: key"
std::string_view axes_in_words(TensorId stage);

// What the hatching of hidden cells means; `summary` has some.
std::string_view hidden_in_words(const StageSummary& summary);

// What a hidden cell of a table holds: no score at all, a weight of zero.
std::string hidden_number(TensorId stage);

// How a legend of printed numbers shows it, before hidden_in_words: "−∞ ", or "grey 0 ".
std::string_view hidden_sign(TensorId stage);

// What else is true of all maps of the stage: "every row sums to 1"; empty for nothing. `num_maps` is 1 where heads are
// put together; `has_colors` is false for a table of numbers.
std::string stage_remark(const Evaluation& evaluation, TensorId stage, const StageSummary& summary, Combine combine,
                         int num_maps, bool has_colors);

// Over the numbers beside the rows: "Σ", "bits", "max"; what it means: "Σ: sum of the row". Not for RowStat::none.
std::string_view row_stat_heading(RowStat stat);
std::string_view row_stat_in_words(RowStat stat);

// Whether rows of this stage may fail to sum to 1.
bool rows_may_miss_one(const Evaluation& evaluation, TensorId stage, Combine combine);

// Every how many cells a label is drawn where a label needs `line` and a cell has `cell`: 1, 2, 5, 10, ...
int label_step(double line, double cell);

}  // namespace attn
