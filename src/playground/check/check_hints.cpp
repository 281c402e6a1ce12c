// The hints of a check, from the explanation of the number: its formula, its first numbers, all of them.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/attention/masking.h"
#include "core/attention/rms_norm.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "playground/check/check_me.h"
#include "playground/link/own_task.h"
#include "playground/numbers/explanation_lines.h"
#include "playground/numbers/stage_labels.h"
#include "playground/text/format.h"

namespace attn {
namespace {

constexpr std::size_t kMostTerms = 16;  // of a sum in a hint

class HintWriter {
public:
    HintWriter(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
               const Question& question)
        : state_(state),
          blanks_(state),
          answers_(answers),
          evaluation_(evaluation),
          explanation_(explain(evaluation, question.stage, question.head, question.row, question.column)) {
        if (question.stage == TensorId::scores && has_stage(*evaluation.problem, TensorId::absorbed_queries)) absorb();
    }

    std::string formula() const {
        if (is_absorbed_) return "score = absorbed query · latent";
        return explanation_formula(evaluation_, explanation_);
    }

    std::string first_numbers() const {
        if (has_steps()) return line_of(explanation_.steps.front());
        if (explanation_.is_softmax) return concat("= exp(", score_text(own_cell()), " − row max) / row sum");
        const std::vector<Term>& terms = explanation_.terms;
        if (is_capped()) return concat("= cap · tanh(", score_text(terms[0].a.source), " / cap)");
        if (explanation_.is_normed) return concat("= (", sum_text(terms, 1), terms.size() > 1 ? " + …" : "", ") / rms");
        if (terms.size() == 1) return concat("= ", title_of(terms[0].a), explanation_.divisor == 1 ? "" : " / divisor");
        return concat("= ", sum_text(terms, 1), explanation_.divisor == 1 ? "" : " / divisor");
    }

    std::string all_numbers() const {
        if (has_steps()) {
            std::string lines;
            for (const ExplainedStep& step : explanation_.steps)
                lines += concat(lines.empty() ? "" : "; ", line_of(step));
            return lines;
        }
        if (explanation_.is_softmax) return concat("= ", exp_text(own_cell()), " / (", exp_sum_text(), ")");
        if (is_capped()) {
            const std::string cap = cap_text();
            return concat("= ", cap, " × tanh(", score_text(explanation_.terms[0].a.source), " / ", cap, ")");
        }
        const std::string sum = sum_text(explanation_.terms, kMostTerms);
        if (explanation_.is_normed) return concat("= (", sum, ") / ", rms_text());
        if (!explanation_.divisor_terms.empty())
            return concat("= ", sum, " / (", sum_text(explanation_.divisor_terms, kMostTerms), ")");
        return concat("= ", explanation_.divisor == 1 ? sum : quotient_text(sum, explanation_));
    }

    std::vector<std::string> needs() const {
        std::vector<std::string> lines;
        for (const ExplainedStep& step : explanation_.steps) {
            for (const auto side : {&Term::a, &Term::b}) add_needs_of_step(lines, step.terms, side);
            add_named_needs(lines, step.terms);
        }
        if (has_steps()) return lines;
        if (!explanation_.divisor_terms.empty()) {
            add_needs(lines, explanation_.divisor_terms, &Term::a);
            if (explanation_.is_normed) add_norm_needs(lines);
            return lines;
        }
        add_needs(lines, explanation_.terms, &Term::a);
        add_needs(lines, explanation_.terms, &Term::b);
        for (const Term& term : explanation_.terms) {
            if (term.label == "bias") lines.push_back(concat("bias:  ", factor_text(term.a)));
        }
        if (is_capped()) lines.push_back(concat("cap:  ", cap_text()));
        if (explanation_.divisor != 1) lines.push_back(concat("divisor:  ", shown_number(explanation_.divisor)));
        return lines;
    }

private:
    bool has_steps() const { return !explanation_.steps.empty(); }

    // "variance = (0.2 × 0.2 + 0.3 × 0.3) / 2.0000"; "normed × h.0.ln_1.weight" where an earlier step is meant.
    std::string line_of(const ExplainedStep& step) const {
        const auto text_of = [&](const Factor& factor) {
            const bool is_step = factor.named && factor.named->place.empty();
            return is_step ? factor.named->name : factor_text(factor);
        };
        const std::string text = step_text(step, text_of);
        const bool is_own = &step == &explanation_.steps.back();
        return is_own ? concat("= ", text) : concat(step.name, " = ", text);
    }

    // The numbers of the model's files: a weight and a bias, or a column of a matrix.
    static void add_named_needs(std::vector<std::string>& lines, const std::vector<Term>& terms) {
        std::map<std::string, std::string> of_tensor;
        for (const Term& term : terms) {
            for (const Factor* factor : {&term.a, &term.b}) {
                if (!factor->named || factor->named->place.empty()) continue;
                of_tensor[factor->named->name] += "  " + shown_number(factor->value);
            }
        }
        for (const auto& [name, numbers] : of_tensor) lines.push_back(concat(name, ":", numbers));
    }

    // A score in the absorbed order, in which no key is made: the numbers that are not turned come from the latent.
    void absorb() {
        const AttentionProblem& problem = *evaluation_.problem;
        const CellRef& cell = explanation_.cell;
        const auto factors_of = [&](TensorId tensor, int head, int row) {
            std::vector<Factor> factors;
            const Vector numbers = stage_row(problem, evaluation_.trace, tensor, head, row);
            for (int c = 0; c < static_cast<int>(numbers.size()); ++c) {
                factors.push_back(
                    {.value = static_cast<double>(numbers(c)), .has_source = true, .source = {tensor, head, row, c}});
            }
            return factors;
        };
        const std::vector<Factor> query = factors_of(TensorId::absorbed_queries, cell.head, cell.row);
        const std::vector<Factor> latent = factors_of(TensorId::latents, 0, cell.column);
        std::vector<Term> terms;
        for (std::size_t c = 0; c < latent.size(); ++c) terms.push_back({.a = query[c], .b = latent[c], .label = ""});
        const auto turned = explanation_.terms.begin() + problem.head_dim();
        is_absorbed_ = turned == explanation_.terms.end();
        terms.insert(terms.end(), turned, explanation_.terms.end());
        explanation_.terms = std::move(terms);
    }

    // Its term is the tangent of a score or a logit, times the cap.
    bool is_capped() const { return !explanation_.terms.empty() && explanation_.terms.front().label == "tanh"; }
    std::string cap_text() const { return exact_number(explanation_.terms.front().b.value); }

    // "√((0.2 × 0.2 + 0.3 × 0.3) / 2 + 1e-6)"
    std::string rms_text() const {
        return concat("√((", sum_text(explanation_.divisor_terms, kMostTerms), ") / ",
                      explanation_.divisor_terms.size(), " + ", exact_number(kQueryKeyNormEps), ")");
    }

    // Beside the row that is normed: its weight, and on the way back the gradient and the normed row.
    void add_norm_needs(std::vector<std::string>& lines) const {
        const std::vector<Term>& averages = explanation_.average_terms;
        add_needs(lines, averages, &Term::a);
        add_needs(lines, averages, &Term::b);
        add_needs(lines, explanation_.terms, &Term::b);
    }

    // A number of another blank stage would be an answer: it is told once it is solved.
    bool is_secret(const CellRef& cell) const {
        if (!is_stage(cell.tensor) || !blanks_.has(cell.tensor, cell.head, cell.row, cell.column)) return false;
        return !is_solved(answers_, {cell.tensor, cell.head, cell.row, cell.column});
    }

    std::string factor_text(const Factor& factor) const {
        return factor.has_source && is_secret(factor.source) ? "?" : shown_number(factor.value);
    }

    std::string term_text(const Term& term) const {
        return is_one(term.b) ? factor_text(term.a) : concat(factor_text(term.a), " × ", factor_text(term.b));
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
        const bool is_of_stage = factor.has_source && is_stage(factor.source.tensor);
        return is_of_stage ? cell_title(evaluation_, factor.source) : factor_text(factor);
    }

    CellRef own_cell() const {
        CellRef cell = explanation_.cell;
        const bool is_word = cell.tensor == TensorId::probabilities;
        const LayerParts parts = layer_parts(state_.inputs);
        cell.tensor = is_word ? softmax_source_of_words(parts) : softmax_source(parts);
        return cell;
    }

    double score_at(const CellRef& cell) const {
        const Vector row = stage_row(*evaluation_.problem, evaluation_.trace, cell.tensor, cell.head, cell.row);
        return static_cast<double>(row(cell.column));
    }

    std::string score_text(const CellRef& cell) const { return is_secret(cell) ? "?" : shown_number(score_at(cell)); }

    std::string exp_text(const CellRef& cell) const {
        return concat("exp(", score_text(cell), " − ", is_secret(cell) ? "?" : after_minus(explanation_.row_max), ")");
    }

    std::string exp_sum_text() const {
        std::string text;
        const std::vector<Term>& terms = explanation_.divisor_terms;
        for (std::size_t i = 0; i < terms.size() && i < kMostTerms; ++i)
            text += concat(i > 0 ? " + " : "", exp_text(terms[i].a.source));
        if (terms.size() > kMostTerms) text += concat(" + … (", terms.size() - kMostTerms, " more)");
        return text;
    }

    // "masked scores of woman", "w_query, column 3": what the sources of these factors have in common.
    std::string name_of(const std::vector<const Factor*>& factors) const {
        const CellRef& first = factors.front()->source;
        const bool is_of_row = std::all_of(factors.begin(), factors.end(),
                                           [&](const Factor* factor) { return factor->source.row == first.row; });
        const bool is_of_stage = is_stage(first.tensor);
        std::string name(tensor_name(first.tensor));
        if (is_of_stage) std::replace(name.begin(), name.end(), '_', ' ');
        if (is_of_row && is_of_stage) return concat(name, " of “", token_text(evaluation_, first.row), "”");
        return is_of_row ? concat(name, ", row ", first.row) : concat(name, ", column ", first.column);
    }

    // The numbers of one tensor among the factors on one side.
    void add_needs(std::vector<std::string>& lines, const std::vector<Term>& terms, Factor Term::* side) const {
        std::vector<const Factor*> factors;
        for (const Term& term : terms) {
            const Factor& factor = term.*side;
            const bool is_alike = factors.empty() || factors.front()->source.tensor == factor.source.tensor;
            const bool is_new = std::none_of(factors.begin(), factors.end(),
                                             [&](const Factor* known) { return known->source == factor.source; });
            if (factor.has_source && is_alike && is_new) factors.push_back(&factor);
        }
        if (factors.empty()) return;
        std::string line = concat(name_of(factors), ":");
        for (std::size_t i = 0; i < factors.size() && i < kMostTerms; ++i) {
            const bool is_score = explanation_.is_softmax || is_capped();
            line += concat("  ", is_score ? score_text(factors[i]->source) : factor_text(*factors[i]));
        }
        lines.push_back(factors.size() > kMostTerms ? line + "  …" : line);
    }

    // The same of all tensors on that side: the stream and what is added to it.
    void add_needs_of_step(std::vector<std::string>& lines, std::vector<Term> terms, Factor Term::* side) const {
        while (true) {
            const auto first = std::ranges::find_if(terms, [&](const Term& term) { return (term.*side).has_source; });
            if (first == terms.end()) return;
            const TensorId tensor = (*first.*side).source.tensor;
            const auto others = std::stable_partition(first, terms.end(), [&](const Term& term) {
                return (term.*side).has_source && (term.*side).source.tensor == tensor;
            });
            add_needs(lines, {first, others}, side);
            terms.erase(terms.begin(), others);
        }
    }

    const PlaygroundState& state_;
    const Blanks blanks_;
    const Answers& answers_;
    const Evaluation& evaluation_;
    Explanation explanation_;
    bool is_absorbed_ = false;  // the whole score
};

}  // namespace

std::vector<std::string> needs_of(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
                                  const Question& question) {
    return HintWriter(state, answers, evaluation, question).needs();
}

std::vector<std::string> hints_of(const PlaygroundState& state, const Answers& answers, const Evaluation& evaluation,
                                  const Question& question) {
    const auto place = answers.given.find(question);
    const int count = place == answers.given.end() ? 0 : place->second.num_hints;
    if (count == 0) return {};
    const HintWriter writer(state, answers, evaluation, question);
    const std::string_view teachers = own_hint(state.view.lesson, state.view.step);
    if (!teachers.empty() && count == 1) return {std::string(teachers)};
    std::vector<std::string> hints = {writer.formula()};
    if (!teachers.empty()) hints.insert(hints.begin(), std::string(teachers));
    if (count > 1) hints.push_back(writer.first_numbers());
    if (count > 2) hints.push_back(writer.all_numbers());
    return hints;
}

}  // namespace attn
