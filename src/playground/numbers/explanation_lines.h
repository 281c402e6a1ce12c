// One explanation in words and numbers, for people: inspector, text mirror of the page, and the attn command.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/explain/explain.h"
#include "playground/numbers/evaluation.h"

namespace attn {

// The formula of a cell in words, then with its numbers, then the result, one line each: "score = query · key",
// "= 0.2270 × 1.7500 + 0.0600 × 0.1820", "= 0.4082". Sums of more than eight terms leave out their middle and say so.
std::vector<std::string> explanation_lines(const Evaluation& evaluation, const Explanation& explanation);

// The first of them alone: "score = query · key".
std::string explanation_formula(const Evaluation& evaluation, const Explanation& explanation);

// The terms, added up as `sum` says, over the divisor: "(0.2 + 0.3) / 2.0000", without brackets where there is one.
std::string quotient_text(std::string_view sum, const Explanation& explanation);

// What is done to a raw score before the softmax of a weight: "÷ √2", with a cap "÷ √2, capped at 50", with ALiBi "÷ √2
// + −0.2500 × 3.0000".
std::string scaling_text(const Inputs& inputs, const Evaluation& evaluation, const CellRef& weight);

// "0.2270 × 1.7500", or the one factor alone where the other is the constant 1.
std::string product_text(const Term& term);

// A step with its numbers: "1 / √(0.0312 + 0.0000)". Of long sums the first terms and the last ones.
std::string step_text(const ExplainedStep& step);
// The same with factors as `text_of` writes them.
std::string step_text(const ExplainedStep& step, const std::function<std::string(const Factor&)>& text_of);

// The formula, a line for each step, and the number: of an explanation that has steps, or of a hidden key.
std::vector<std::string> lines_of_steps(const Explanation& explanation);

// Where a cell stands, e.g. `weights, head 1, query 9 "a", key 6 "of"`. Heads count from 1.
std::string cell_title(const Evaluation& evaluation, const CellRef& cell);

// "768 PRODUCTS: merged × w_out + b_out", or "13 PARTS" where each term is one number. Products of several pairs of
// tensors, as in a gradient at the embeddings, are those of the formula above.
std::string terms_heading(const std::vector<Term>& terms);

}  // namespace attn
