// Writes the way back for one query token with its numbers: from the loss to the gradients of its scores and its query.
// See solution_parts.h; core/operations has the same steps.
#include <algorithm>

#include "core/attention/attention.h"
#include "core/attention/score_changes.h"
#include "core/explain/stage_numbers.h"
#include "core/fast/attend.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "core/words/embeddings.h"
#include "core/words/tokens.h"
#include "playground/text/format.h"
#include "playground/text/notes.h"
#include "share/solution/way_back.h"

namespace attn {
Vector WayBack::softmax() const {
    return stage_row(s_.problem, trace(), is_raw() ? TensorId::unmasked_weights : TensorId::weights, s_.head, s_.row);
}

bool WayBack::write_from_target() {
    const auto row = std::ranges::find_if(
        goal().rows, [&](const TargetRow& one) { return one.head == s_.head && one.query == s_.row; });
    if (row == goal().rows.end()) {
        s_.paragraph(
            "No target is set for this query in this head: the loss does not depend on the row, and all its "
            "gradients are 0.");
        return false;
    }
    std::vector<LatexTerm> terms;
    double sum = 0;
    for (int j = 0; j < s_.num_tokens(); ++j) {
        if (row->shares(j) <= 0) continue;
        terms.push_back(product(wide(row->shares(j)), -portable::log(weight(j))));
        sum += terms.back().term.product();
    }
    s_.paragraph(
        concat("The row is to have the shares $w_j$ that the targets ask for. Its loss is $\\ell = -\\sum_j w_j \\ln "
               "a_j$, and $L$ is the mean over ",
               counted(goal().num_terms, "row"), ":"));
    s_.aligned({latex_sum("\\ell", terms, sum, latex_number(sum))});
    const std::string_view symbol = softmax_symbol();
    s_.paragraph(concat("Loss and softmax together have the simplest of gradients, the weight minus its target: $",
                        unmasked_gradient(), " = (", symbol, "_j - w_j) / ", goal().num_terms, "$:"));
    const Vector shares = softmax();
    for (int j = 0; j < s_.num_tokens(); ++j)
        at_unmasked_.push_back((wide(shares(j)) - wide(row->shares(j))) / num_terms());
    write_key_table({concat("$", symbol, "_j$"), "$w_j$", math(unmasked_gradient())}, is_raw(),
                    [&](int j) -> std::vector<double> {
                        return {wide(shares(j)), wide(row->shares(j)), at_unmasked_[static_cast<std::size_t>(j)]};
                    });
    return true;
}

bool WayBack::write_from_next_word() {
    const int wanted = goal().next[static_cast<std::size_t>(s_.row)];
    if (wanted < 0) {
        s_.paragraph(
            "No word follows the last token: the loss does not depend on the row, and all its gradients are 0.");
        return false;
    }
    write_words(wanted);
    write_through_output();
    write_through_mixing();
    write_through_softmax();
    return true;
}

// The words of the vocabulary, how likely each is, and the gradient at the output.
void WayBack::write_words(int wanted) {
    std::vector<std::string> tokens;
    for (const std::string& text : s_.inputs.texts) {
        for (Token& token : tokenize(text, s_.inputs.tokens).tokens) tokens.push_back(std::move(token.text));
    }
    const std::vector<std::string> words = vocabulary_of(tokens);
    const Matrix& vectors = goal().vocabulary;
    const bool has_output = s_.has(TensorId::output);
    const std::string_view symbol = has_output ? "y" : "h";
    const Vector last = stage_row(s_.problem, trace(), has_output ? TensorId::output : TensorId::merged, 0, s_.row);
    std::vector<double> logits;
    for (int v = 0; v < length(vectors, 0); ++v) {
        double logit = 0;
        for (int c = 0; c < length(vectors, 1); ++c) logit += wide(last(c)) * wide(vectors(v, c));
        logits.push_back(logit);
    }
    const double cap = s_.inputs.logit_cap;
    std::vector<double> given = logits;  // before the cap
    for (double& logit : logits) logit = cap > 0 ? cap * portable::tanh(logit / cap) : logit;
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const double logit : logits) sum += portable::exp(logit - largest);
    const Vector capped_row = cap > 0 ? stage_row(s_.problem, trace(), TensorId::capped_logits, 0, s_.row) : Vector();
    std::vector<double> shares, at_capped, at_logits;
    for (std::size_t v = 0; v < logits.size(); ++v) {
        shares.push_back(portable::exp(logits[v] - largest) / sum);
        at_capped.push_back((shares[v] - (static_cast<int>(v) == wanted ? 1 : 0)) / num_terms());
        // The slope in float, as training has it: near the cap only its last digits are left.
        const double slope_of_cap =
            cap > 0 ? wide(cap_slope(capped_row(static_cast<int>(v)), static_cast<float>(cap))) : 1;
        at_logits.push_back(at_capped[v] * slope_of_cap);
    }
    const std::string cap_text = exact_number(cap);
    const std::string_view letter = cap > 0 ? "c" : "z";
    const std::string capping =
        cap > 0 ? concat("capped it is $c_v = ", cap_text, " \\tanh(z_v / ", cap_text, ")$, and ") : "";
    const std::string slope =
        cap > 0 ? concat(", and $\\bar z_v = \\bar c_v (1 - (c_v / ", cap_text, ")^2)$ behind the cap") : "";
    s_.paragraph(
        concat("The next word is “", markdown_text(words[static_cast<std::size_t>(wanted)]),
               "”. The score of a word is $z_v = ", symbol, " \\cdot e_v$ with the word's vector $e_v$, ", capping,
               "its share $r_v$ is the softmax of all. The loss of the position is $-\\ln r_v$ of the next word, ",
               math(latex_number(largest + portable::log(sum) - logits[static_cast<std::size_t>(wanted)])),
               ", and $L$ is the mean over ", counted(goal().num_terms, "position"), ". So $\\bar ", letter,
               "_v = (r_v - t_v) / ", goal().num_terms, "$, $t_v$ being 1 for the next word", slope, ":"));
    std::vector<std::string> titles = {"$v$", "word", "$z_v$", "$c_v$", "$r_v$", "$t_v$", "$\\bar c_v$", "$\\bar z_v$"};
    if (cap == 0)
        std::erase_if(titles, [](const std::string& title) { return title.find("c_v") != std::string::npos; });
    std::vector<std::vector<std::string>> rows;
    for (const int v : printed_indices(length(vectors, 0), kMostTableRows)) {
        if (v == kGap) {
            rows.emplace_back(titles.size(), "…");
            continue;
        }
        const auto word = static_cast<std::size_t>(v);
        std::vector<std::string>& row = rows.emplace_back();
        row = {concat(v), markdown_text(words[word]), math(latex_number(given[word]))};
        if (cap > 0) row.push_back(math(latex_number(logits[word])));
        row.push_back(math(latex_number(shares[word])));
        row.emplace_back(v == wanted ? "$1$" : "$0$");
        if (cap > 0) row.push_back(math(latex_number(at_capped[word])));
        row.push_back(math(latex_number(at_logits[word])));
    }
    s_.table(titles, rows);
    const Matrix& at_last = has_output ? gradients().output : gradients().merged;
    s_.paragraph(concat("$\\bar ", symbol, " = \\sum_v \\bar z_v \\, e_v$, channel by channel:"));
    write_sums(
        concat("\\bar ", symbol), printed_indices(length(vectors, 1), kMostSums),
        [&](int c) {
            std::vector<LatexTerm> terms;
            for (std::size_t v = 0; v < at_logits.size(); ++v)
                terms.push_back(product(at_logits[v], wide(vectors(static_cast<int>(v), c))));
            return terms;
        },
        [&](int c) { return wide(at_last(s_.row, c)); });
}

void WayBack::write_through_output() {
    if (!s_.has(TensorId::output)) return;
    s_.heading("Back through the output projection");
    const Matrix& w_out = s_.problem.projections->w_out;
    s_.paragraph(concat("$\\bar h = \\bar y \\, W_O^\\top$: channel $c$ of the heads side by side is row $c$ of $W_O$ ",
                        "times $\\bar y$. Of this head:"));
    std::vector<int> channels;
    for (const int c : printed_indices(s_.head_dim(), kMostSums))
        channels.push_back(c == kGap ? kGap : first_channel() + c);
    write_sums(
        "\\bar h", channels,
        [&](int c) {
            std::vector<LatexTerm> terms;
            for (int k = 0; k < length(w_out, 1); ++k)
                terms.push_back(product(wide(gradients().output(s_.row, k)), wide(w_out(c, k))));
            return terms;
        },
        [&](int c) { return wide(gradients().merged(s_.row, c)); });
}

void WayBack::write_through_mixing() {
    const bool drops = s_.has(TensorId::dropped_weights);
    s_.heading("Back to the weights");
    s_.paragraph(concat("A weight multiplies a value, so its gradient is $\\bar ", drops ? "d" : "a",
                        "_j = \\bar h \\cdot v_j$, with this head's channels of $\\bar h$:"));
    const auto terms_of = [&](int j) {
        std::vector<LatexTerm> terms;
        for (int c = 0; c < s_.head_dim(); ++c) {
            terms.push_back(product(wide(gradients().merged(s_.row, first_channel() + c)),
                                    wide(trace().value(s_.problem.kv_head(s_.head), j, c))));
        }
        return terms;
    };
    const auto number_of = [&](int j) {
        double sum = 0;
        for (const LatexTerm& term : terms_of(j)) sum += term.term.product();
        return sum;
    };
    write_sums(drops ? "\\bar d" : "\\bar a", s_.printed_keys(false, kMostSums), terms_of, number_of);
    const double scale = drops ? wide(keep_scale(s_.inputs.dropout)) : 1;
    for (int j = 0; j < s_.num_tokens(); ++j) {
        const bool is_kept = !drops || trace().keep(s_.head, s_.row, j) != 0;
        at_weights_.push_back(s_.hides(s_.row, j) || !is_kept ? 0 : number_of(j) * scale);
    }
    if (!drops) return;
    s_.paragraph(concat(
        "Back through dropout as the weights came: a dropped one has the gradient 0, and a kept one $\\bar a_j = ",
        latex_number(scale), " \\, \\bar d_j$."));
}

void WayBack::write_through_softmax() {
    s_.heading("Back through the softmax");
    const Vector shares = softmax();
    std::vector<LatexTerm> terms;
    double average = 0;
    for (int j = 0; j < s_.num_tokens(); ++j) {
        if (s_.hides(s_.row, j)) continue;
        terms.push_back(product(weight(j), at_weights_[static_cast<std::size_t>(j)]));
        average += terms.back().term.product();
    }
    s_.paragraph("The average of the row, weighted by the weights, is $D = \\sum_j a_j \\, \\bar a_j$:");
    s_.aligned({latex_sum("D", terms, average, latex_number(average))});
    for (int j = 0; j < s_.num_tokens(); ++j)
        at_unmasked_.push_back(wide(shares(j)) * (at_weights_[static_cast<std::size_t>(j)] - average));
    const std::string_view symbol = softmax_symbol();
    s_.paragraph(
        concat("The gradient of a score is its weight times how far the weight's gradient lies above the average: $",
               unmasked_gradient(), " = ", symbol, "_j (\\bar a_j - D)$",
               is_raw() ? ", where $\\bar a_j$ of a hidden key is 0" : "", ":"));
    write_key_table({concat("$", symbol, "_j$"), "$\\bar a_j$", math(unmasked_gradient())}, is_raw(),
                    [&](int j) -> std::vector<double> {
                        const auto key = static_cast<std::size_t>(j);
                        return {wide(shares(j)), at_weights_[key], at_unmasked_[key]};
                    });
}

void write_backward_steps(Solution& s, int sentence) {
    WayBack(s, sentence).write();
}

}  // namespace attn
