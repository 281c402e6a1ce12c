// The way back of a worked solution, for one query token: from the loss to the gradients of its scores and its query.
// solution_backward.cpp has its steps down to the softmax, way_back_scores.cpp those behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "share/solution/solution_parts.h"

namespace attn {

inline LatexTerm product(double a, double b = 1) {
    LatexTerm latex;
    latex.term.a.value = a;
    latex.term.b.value = b;
    return latex;
}

inline double wide(float number) {
    return static_cast<double>(number);
}

// The goal of the solution's sentence, and the gradients at its tensors.
class WayBack {
public:
    WayBack(Solution& solution, int sentence) : s_(solution), number_(number_of(*solution.evaluation.run, sentence)) {}

    void write() {
        s_.heading("The way back: the loss");
        s_.paragraph(
            "A bar stands for the gradient of the loss $L$ at a number, $\\bar s_j = \\partial L / \\partial s_j$: how "
            "much the loss grows when the number grows by a little, divided by that little.");
        if (!(goal().kind == GoalKind::next ? write_from_next_word() : write_from_target())) return;
        write_scores();
        write_query();
    }

private:
    // The place of a sentence in the training of the batch, which leaves out those without tokens.
    static int number_of(const TrainingRun& run, int sentence) {
        int number = 0;
        while (&run.training().sentence(number) != &run.problem(sentence)) ++number;
        return number;
    }

    const Training& training() const { return s_.evaluation.run->training(); }
    const Goal& goal() const { return training().sentence(number_).goal; }
    const Gradients& gradients() const { return training().gradients(number_); }
    const AttentionTrace& trace() const { return s_.evaluation.trace; }
    bool is_raw() const { return s_.inputs.mask_at == MaskAt::after_raw; }
    double num_terms() const { return goal().num_terms; }
    std::string_view softmax_symbol() const { return is_raw() ? "p" : "a"; }
    // The gradient at the scores before the mask. A bias is a constant: it is that of the scores before it, too.
    std::string_view unmasked_gradient() const;
    int first_channel() const { return s_.head * s_.head_dim(); }

    // The softmax that the weights come from: where a row is masked after it and not divided again, that of all keys.
    Vector softmax() const;
    double weight(int j) const { return wide(row_of(trace().weights, s_.head, s_.row)[static_cast<std::size_t>(j)]); }

    // One sum for each printed index.
    template <class TermsOf, class NumberOf>
    void write_sums(std::string_view symbol, const std::vector<int>& indices, const TermsOf& terms_of,
                    const NumberOf& number_of) {
        std::vector<std::string> rows;
        for (const int c : indices) {
            if (c == kGap) {
                rows.emplace_back("&\\;\\;\\vdots");
                continue;
            }
            const double number = number_of(c);
            rows.push_back(latex_sum(concat(symbol, "_{", c, "}"), terms_of(c), number, latex_number(number)));
        }
        s_.aligned(rows);
    }

    // One line a key.
    template <class NumbersOf>
    void write_key_table(const std::vector<std::string>& titles, bool all_keys, const NumbersOf& numbers_of) {
        s_.key_table(titles, all_keys, [&](int j) {
            std::vector<std::string> cells;
            for (const double number : numbers_of(j)) cells.push_back(latex_number(number));
            return cells;
        });
    }

    // Each returns whether the loss depends on this row, and sets at_unmasked_.
    bool write_from_target();
    bool write_from_next_word();
    void write_words(int wanted);
    void write_through_output();
    void write_through_mixing();
    void write_through_softmax();
    void write_scores();
    std::vector<double> write_through_cap();
    void write_query();
    void write_back_through_turn();
    void write_through_norm();

    Solution& s_;
    int number_;
    std::vector<double> at_weights_;   // (T)
    std::vector<double> at_unmasked_;  // (T): gradient at the scores that the mask takes in
};

}  // namespace attn
