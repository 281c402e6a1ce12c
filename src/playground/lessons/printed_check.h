// Numbers that a lecture printed, held against what the method gives for the inputs of the moment: which of them
// follow.
#pragma once

#include <string>
#include <vector>

#include "playground/lessons/lessons.h"
#include "playground/numbers/evaluation.h"
#include "playground/text/text_table.h"

namespace attn {

struct PrintedCell {
    float printed = 0;
    float computed = 0;    // meaningless unless exists
    bool exists = false;   // the present numbers have this cell
    bool follows = false;  // and it is within half a unit of the last printed digit
};

struct PrintedTable {
    std::string title;  // "weights, head 2"
    std::string source;
    int digits = 4;
    std::vector<std::string> row_labels, column_labels;  // tokens, or channels; empty where there is no such cell
    std::vector<std::vector<PrintedCell>> rows;
};

// One printed block against the shown sentence, or against view=softmax. Minus infinity stands for a hidden key.
PrintedTable check_printed(const Printed& printed, const View& view, const Evaluation& evaluation);

// All blocks of the step that is on; none outside lessons, without tokens, or during a check.
std::vector<PrintedTable> check_printed(const View& view, const Evaluation& evaluation);

struct PrintedCount {
    int follow = 0;
    int all = 0;
    std::string source;  // of the first table
};
PrintedCount count_printed(const std::vector<PrintedTable>& tables);

// Whether the visitor changed numbers of the step that is on: printed ones need not come out then.
bool has_other_numbers(const PlaygroundState& state);

// "All 36 numbers printed in the notes come out here", "18 of 36 numbers printed in the notes come out here"; with
// other numbers "You changed this step: 0 of 36 numbers printed in the notes still come out"; empty when there are
// none.
std::string sentence_of(const PrintedCount& count, bool has_other_numbers = false);

// As text: each cell "0.1385" where it follows, else "0.0724 (really 1.0000)".
TextTable printed_as_text(const PrintedTable& table);

// A printed number with its digits: "−0.0739"; "−∞" for a hidden key.
std::string printed_number(float value, int digits);

}  // namespace attn
