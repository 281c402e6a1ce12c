// The hints of a check, from the explanation of the number: its formula, its first numbers, all of them.
#include <cmath>

#include "core/check.h"
#include "core/masking.h"
#include "playground/check_me.h"
#include "playground/explanation_lines.h"
#include "playground/format.h"

namespace attn {
namespace {

constexpr std::size_t kMostTerms = 16;  // of a sum in a hint

class HintWriter {
public:
    HintWriter(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
               const Question& question)
        : state_(state),
          answers_(answers),
          evaluation_(evaluation),
          explanation_(explain(*evaluation.problem, evaluation.trace, evaluation.parts, question.stage, question.head,
                               question.row, question.column)) {}

    std::string formula() const { return explanation_lines(evaluation_, explanation_).front(); }

    std::string first_numbers() const {
        if (explanation_.is_softmax) return concat("= exp(", score_text(own_cell()), " − row max) / row sum");
        const std::vector<Term>& terms = explanation_.terms;
        if (terms.size() == 1) return concat("= ", title_of(terms[0].a), explanation_.divisor == 1 ? "" : " / divisor");
        return concat("= ", sum_text(terms, 1), explanation_.divisor == 1 ? "" : " / divisor");
    }

    std::string all_numbers() const {
        if (explanation_.is_softmax) return concat("= ", exp_text(own_cell()), " / (", exp_sum_text(), ")");
        const std::string sum = sum_text(explanation_.terms, kMostTerms);
        if (!explanation_.divisor_terms.empty())
            return concat("= ", sum, " / (", sum_text(explanation_.divisor_terms, kMostTerms), ")");
        return concat("= ", sum, explanation_.divisor == 1 ? "" : concat(" / ", shown_number(explanation_.divisor)));
    }

private:
    // A number of another blank stage would be an answer: it is told once it is solved.
    bool is_secret(const CellRef& cell) const {
        if (cell.tensor > TensorId::output || !is_blank(state_, cell.tensor)) return false;
        return !is_solved(answers_, {cell.tensor, cell.head, cell.row, cell.column});
    }

    std::string factor_text(const Factor& factor) const {
        return factor.has_source && is_secret(factor.source) ? "?" : shown_number(factor.value);
    }

    std::string term_text(const Term& term) const {
        const bool is_alone = !term.b.has_source && term.b.value == 1;
        return is_alone ? factor_text(term.a) : concat(factor_text(term.a), " × ", factor_text(term.b));
    }

    std::string sum_text(const std::vector<Term>& terms, std::size_t most) const {
        std::string text;
        for (std::size_t i = 0; i < terms.size() && i < most; ++i)
            text += concat(i > 0 ? " + " : "", term_text(terms[i]));
        if (terms.size() > most) text += concat(" + … (", terms.size() - most, " more)");
        return text;
    }

    // Where the one number of a short formula stands.
    std::string title_of(const Factor& factor) const {
        const bool is_of_stage = factor.has_source && factor.source.tensor <= TensorId::output;
        return is_of_stage ? cell_title(evaluation_, factor.source) : factor_text(factor);
    }

    CellRef own_cell() const {
        CellRef cell = explanation_.cell;
        cell.tensor = softmax_source(state_.inputs.mask_at);
        return cell;
    }

    double score_at(const CellRef& cell) const {
        const Vector row = stage_row(*evaluation_.problem, evaluation_.trace, cell.tensor, cell.head, cell.row);
        return static_cast<double>(row(cell.column));
    }

    std::string score_text(const CellRef& cell) const { return is_secret(cell) ? "?" : shown_number(score_at(cell)); }

    std::string exp_text(const CellRef& cell) const {
        return concat("exp(", score_text(cell), " − ", is_secret(cell) ? "?" : shown_number(explanation_.row_max), ")");
    }

    std::string exp_sum_text() const {
        std::string text;
        const std::vector<Term>& terms = explanation_.divisor_terms;
        for (std::size_t i = 0; i < terms.size() && i < kMostTerms; ++i)
            text += concat(i > 0 ? " + " : "", exp_text(terms[i].a.source));
        if (terms.size() > kMostTerms) text += concat(" + … (", terms.size() - kMostTerms, " more)");
        return text;
    }

    const PlaygroundState& state_;
    const Answers& answers_;
    const Evaluation& evaluation_;
    Explanation explanation_;
};

}  // namespace

std::vector<std::string> hints_of(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
                                  const Question& question) {
    const auto place = answers.given.find(question);
    const int count = place == answers.given.end() ? 0 : place->second.num_hints;
    if (count == 0) return {};
    const HintWriter writer(state, answers, evaluation, question);
    std::vector<std::string> hints = {writer.formula()};
    if (count > 1) hints.push_back(writer.first_numbers());
    if (count > 2) hints.push_back(writer.all_numbers());
    return hints;
}

}  // namespace attn
