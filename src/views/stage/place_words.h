// Where a cell of a stage stands, in words.
#pragma once

#include <string>
#include <string_view>

#include "playground/check/check_me.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// Where a cell of the stage stands: "artist → brush", "artist · channel 3", "artist · word brush", "row 2 · column 1";
// `between` stands in place of " · ".
std::string place_text(const Evaluation& evaluation, TensorId stage, int row, int column,
                       std::string_view between = " · ");

// What stands before a column's text: "channel ", "word ", or nothing where the text says all.
std::string_view kind_of_column(const StageInfo& info);

// "Head 2 · woman → portrait", "woman · channel 3"
std::string question_in_words(const Evaluation& evaluation, const Question& question);

}  // namespace attn
