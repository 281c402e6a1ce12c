// view=cost: the learned numbers, memory and multiply-adds that attention takes, each as a formula with its values.
// Knows shapes only, no numbers of a matrix and no pixels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "playground/numbers/evaluation.h"
#include "playground/state/shapes.h"
#include "playground/text/text_table.h"

namespace attn {

// The compared ways to lay out the same d_out: heads cut from one matrix a role, as shown; one head of the whole d_out;
// each head a small layer of its own.
enum class CostLayout { shown, one_head, separate };
inline constexpr std::array<std::string_view, 3> kCostLayouts = {"as shown", "one head", "separate heads"};

// One number of the table.
struct CostCell {
    std::string letters;     // "3 · d_in · d_out"
    std::string values;      // "3 · 8 · 4"
    std::int64_t count = 0;  // 96

    bool is_single() const;       // the values are the count already
    std::string formula() const;  // "3 · d_in · d_out = 3 · 8 · 4 = 96"
};

struct CostRow {
    std::string name;               // "w_query, w_key, w_value"
    std::array<CostCell, 3> cells;  // one a layout
    bool is_total = false;          // of the section's rows above it
};

struct CostSection {
    std::string title;   // "Learned numbers"
    std::string remark;  // one sentence
    std::vector<CostRow> rows;
};

// For one sentence of sizes.num_tokens >= 1 tokens.
std::vector<CostSection> cost_of(const Inputs& inputs, const Sizes& sizes);

// What more heads cost and what they do not cost, in this state's numbers: one or two sentences.
std::string cost_in_words(const std::vector<CostSection>& sections, const Sizes& sizes);

std::vector<TextTable> tables_of_cost(const PlaygroundState& state, const Evaluator& evaluator);

}  // namespace attn
