// What the parts of a worked solution share: whose numbers it is about, and how they are printed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "playground/check/withheld.h"
#include "playground/link/blanks.h"
#include "playground/numbers/evaluation.h"
#include "playground/state/state.h"
#include "share/solution/latex_text.h"

namespace attn {

// One query token in one head, and the Markdown so far.
class Solution {
public:
    Solution(const PlaygroundState& state, const Evaluation& evaluation, int head, int row);

    const PlaygroundState& state;
    const Inputs& inputs;
    const Evaluation& evaluation;
    const AttentionProblem& problem;
    const Blanks blanks;  // and what would give them away
    const int head;
    const int row;

    int num_tokens() const { return problem.num_tokens(); }
    int head_dim() const { return problem.head_dim(); }
    bool has(TensorId stage) const { return has_stage(problem, stage); }
    bool hides(int query, int key) const { return problem.hidden(query, key) != 0; }
    // Whether the step that makes the stage is written: later ones than the last with a blank would give it away.
    bool goes_to(TensorId stage) const { return is_up_to_blanks(state, stage); }
    // Whether a number of this row of the solution's head is blank: then its sums are, too.
    bool asks_in_row(TensorId stage) const;

    // --- Markdown
    // --------------------------------------------------------------------------------------------------------
    void heading(std::string_view title);                // numbered
    void paragraph(std::string_view text);               // with an empty line behind it
    void formula(std::string_view latex);                // "$$ … $$"
    void aligned(const std::vector<std::string>& rows);  // each a row or, with breaks, several
    void table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);
    // One line a key: its number, its token, then these cells in LaTeX; the keys as in printed_keys().
    void key_table(const std::vector<std::string>& titles, bool all_keys,
                   const std::function<std::vector<std::string>(int key)>& cells_of);
    const std::string& text() const { return text_; }

    // --- numbers in LaTeX, \square where they are blank
    // -------------------------------------------------------------------
    bool is_blank(TensorId stage, int h, int i, int column) const;
    // A number of a stage; of this head and row.
    std::string number(TensorId stage, int column) const;
    std::string number(TensorId stage, int h, int i, int column) const;
    // The stage of one head as a pmatrix; one row of it.
    std::string matrix(TensorId stage, int h) const;
    std::string row_vector(TensorId stage, int h, int i) const;
    // "q_{0} &= … " of a number of this head and row: rows of an `aligned`.
    std::string sum(std::string_view symbol, TensorId stage, int column) const;
    std::vector<LatexTerm> terms(const std::vector<Term>& terms) const;

    std::string token(int i) const;  // in Markdown
    // The first key to the last, a gap where there are too many; those that are hidden from the row only if `all`.
    std::vector<int> printed_keys(bool all, int most) const;

private:
    std::string text_;
    int num_headings_ = 0;
};

inline constexpr int kMostTableRows = 24;
inline constexpr int kMostSums = 10;  // sums that are written out one below the other

std::string math(std::string_view latex);  // "$ … $"

// The stage of the solution's head under a heading: "S = …".
void write_stage(Solution& solution, std::string_view title, std::string_view formula, TensorId stage);

// Norms of queries and keys, where there are some: of the row's query; of the head.
void write_norm(Solution& solution);
void write_norm_matrices(Solution& solution);

// The steps for the solution's row: sections.
void write_row_steps(Solution& solution);

// With a goal: from the loss back to the row's scores and its query. `sentence` is the one shown, from 0.
void write_backward_steps(Solution& solution, int sentence);

// The matrices of the solution's head: sections.
void write_head_matrices(Solution& solution);

// "\sqrt{d_{head}}", "(d_{head} \cdot \tau)", with numbers: what the scores are divided by; empty when by 1.
std::string divisor_formula(const Inputs& inputs);

// How rotary positions turn pairs of channels; the slope of the solution's head in ALiBi, in LaTeX.
std::string turning_in_words(const Inputs& inputs, int head_dim);
std::string slope_text(const Solution& solution);
// What the mask takes in of key j: "\\hat s_j", capped "c_j", biased "b_j".
std::string_view unmasked_symbol(const Solution& solution);

// What "W_Q" and "b_Q" are called, by role: 'Q', 'K', 'V'.
struct RoleParts {
    TensorId stage;
    std::string_view title;   // "Queries"
    std::string_view letter;  // "Q"
    const Matrix& weight;     // size 0 without matrices
    const Vector& bias;       // size 0 without bias
};
std::vector<RoleParts> roles_of(const AttentionProblem& problem);

// What a role is made of: "X", or in LaTeX the matrix of latents.
std::string_view source_letter(const AttentionProblem& problem, TensorId role);

// " Of W_K and W_V ...": where heads share keys and values; else nothing.
std::string shared_columns_in_words(const Solution& solution);

// `count` columns of `matrix` from `first` on as a pmatrix.
std::string latex_columns(const Matrix& matrix, int first, int count);

}  // namespace attn
