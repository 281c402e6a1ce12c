// Writes the steps for one query token with their numbers, as a student would. See solution_parts.h.
#include <algorithm>

#include "core/attention/masking.h"
#include "core/explain/explain.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "playground/text/adding_digits.h"
#include "playground/text/format.h"
#include "share/solution/solution_parts.h"

namespace attn {
namespace {

constexpr int kMostTableColumns = 8;

std::string with_index(std::string_view symbol, int index) {
    return concat(symbol, "_{", index, "}");
}

// The sums of the first columns of a stage and of the last one; "\vdots" for those between.
void write_sums(Solution& s, std::string_view symbol, TensorId stage, int count) {
    std::vector<std::string> rows;
    for (const int c : printed_indices(count, kMostSums))
        rows.push_back(c == kGap ? std::string("&\\;\\;\\vdots") : s.sum(with_index(symbol, c), stage, c));
    s.aligned(rows);
}

// "Key 5 is hidden", "Keys 5, 6 and 9 are hidden"; empty when none is.
std::string hidden_keys(const Solution& s) {
    std::vector<std::string> keys;
    for (int j = 0; j < s.num_tokens(); ++j) {
        if (s.hides(s.row, j)) keys.push_back(concat(j));
    }
    if (keys.empty()) return "";
    if (keys.size() == 1) return concat("Key ", keys[0], " is hidden");
    std::string list;
    const std::size_t printed = std::min<std::size_t>(keys.size(), 12);
    for (std::size_t i = 0; i + 1 < printed; ++i) list += concat(i > 0 ? ", " : "", keys[i]);
    if (printed < keys.size()) return concat("Keys ", list, " and ", keys.size() - printed + 1, " more are hidden");
    return concat("Keys ", list, " and ", keys.back(), " are hidden");
}

Term number_term(double value) {
    Term term;
    term.a.value = value;
    return term;
}

void write_embedding(Solution& s) {
    s.heading("Embedding");
    const EmbeddingParts& parts = s.evaluation.parts;
    const int d_in = s.problem.d_in();
    std::vector<Term> token, position;
    bool is_changed = false;
    int digits = 4;
    for (int c = 0; c < d_in; ++c) {
        const double vector = static_cast<double>(parts.token_vectors(s.row, c));
        const double place = parts.positions.size() == 0 ? 0 : static_cast<double>(parts.positions(s.row, c));
        token.push_back(number_term(vector));
        position.push_back(number_term(place));
        const double sum = vector + place;
        is_changed = is_changed || static_cast<float>(sum) != s.problem.embeddings(s.row, c);
        digits = std::max(digits, adding_digits({token.back(), position.back()}, sum));
    }
    const std::string x = s.row_vector(TensorId::embeddings, 0, s.row);
    if (is_changed) {
        s.paragraph(concat("The vector of token ", s.row, ", with numbers set by hand:"));
        s.formula(concat("x = ", x));
        return;
    }
    if (parts.positions.size() == 0) {
        s.paragraph(concat("The vector of token ", s.row, ":"));
        s.formula(concat("x = ", x));
        return;
    }
    const auto vector = [&](const std::vector<Term>& terms) {
        return latex_matrix(
            1, d_in, [&](int, int c) { return latex_number(terms[static_cast<std::size_t>(c)].a.value, digits); });
    };
    s.paragraph(concat("The vector of token ", s.row,
                       parts.has_learned_positions ? " plus the learned vector of its position:"
                                                   : " plus the vector of its position:"));
    s.aligned({concat("x &= ", vector(token), " \\\\\n&\\quad + ", vector(position), " \\\\\n&= ", x)});
}

void write_query(Solution& s) {
    s.heading("Query");
    const RoleParts role = roles_of(s.problem)[0];
    const int first = s.head * s.head_dim(), last = first + s.head_dim() - 1;
    const std::string columns = s.head_dim() == 1 ? concat("column ", first) : concat("columns ", first, " to ", last);
    if (role.weight.size() == 0) {
        s.paragraph(concat("There are no learned matrices: the query is ", columns, " of $x$."));
        s.formula(concat("q = ", s.row_vector(TensorId::queries, s.head, s.row)));
        return;
    }
    const bool has_bias = role.bias.size() != 0;
    const Matrix& w_down = s.problem.projections->w_down_query;
    if (w_down.size() != 0) {
        s.paragraph("The query is made of fewer numbers: $c^Q = x \\, W_{DQ}$:");
        s.formula(concat("W_{DQ} = ", latex_columns(w_down, 0, length(w_down, 1))));
        write_sums(s, "c^Q", TensorId::query_latents, length(w_down, 1));
    }
    s.paragraph(concat("$q = ", w_down.size() != 0 ? "c^Q" : "x", " \\, W_Q", has_bias ? " + b_Q" : "", "$. Head ",
                       s.head + 1, " owns ", columns, " of $W_Q$:"));
    s.formula(concat("W_Q = ", latex_columns(role.weight, first, s.head_dim())));
    write_sums(s, "q", TensorId::queries, s.head_dim());
}

void write_keys_and_values(Solution& s, bool all_keys) {
    s.heading("Keys and values");
    const bool has_weights = s.problem.projections->w_query.size() != 0;
    const bool has_bias = s.problem.projections->b_key.size() != 0;
    const Matrix& w_down = s.problem.projections->w_down_kv;
    if (w_down.size() != 0) {
        s.paragraph(
            "Keys and values of all heads are made of one latent a token, $c^{KV} = x \\, W_{DKV}$. Of this token:");
        s.formula(concat("W_{DKV} = ", latex_columns(w_down, 0, length(w_down, 1))));
        write_sums(s, "c^{KV}", TensorId::latents, length(w_down, 1));
    }
    s.paragraph(has_weights ? concat(w_down.size() != 0 ? "Of each token's latent" : "The same way",
                                     " with $W_K$ and $W_V$", has_bias ? ", $b_K$ and $b_V$" : "", ":")
                            : "The same numbers of each token:");
    const std::string shared = shared_columns_in_words(s);
    if (!shared.empty()) s.paragraph(shared.substr(1));
    const std::vector<int> channels = printed_indices(s.head_dim(), kMostTableColumns / 2);
    std::vector<std::string> titles = {"key", "token"};
    for (const std::string_view letter : {"k", "v"}) {
        for (const int c : channels) titles.push_back(c == kGap ? "…" : math(with_index(letter, c)));
    }
    std::vector<std::vector<std::string>> rows;
    for (const int j : s.printed_keys(all_keys, kMostTableRows)) {
        if (j == kGap) {
            rows.emplace_back(titles.size(), "…");
            continue;
        }
        rows.push_back({concat(j), s.token(j)});
        for (const TensorId stage : {TensorId::keys, TensorId::values}) {
            for (const int c : channels) rows.back().push_back(c == kGap ? "…" : math(s.number(stage, s.head, j, c)));
        }
    }
    s.table(titles, rows);
}

void write_scores(Solution& s, bool all_keys) {
    write_norm(s);
    if (s.has(TensorId::rotated_queries) && s.goes_to(TensorId::rotated_queries)) {
        s.heading("Rotary positions");
        const int own = s.problem.rope_dim();
        if (own != 0) {
            const Projections& p = s.problem.projections;
            s.paragraph(concat("Query and keys are not turned. Some numbers are made for that alone, $q^R = ",
                               p.w_down_query.size() != 0 ? "c^Q" : "x", " \\, W_{QR}$ and $k^R = x \\, W_{KR}$, the ",
                               "latter for all heads. Of this head and token:"));
            s.formula(concat("W_{QR} = ", latex_columns(p.w_query_rope, s.head * own, own)));
            write_sums(s, "q^R", TensorId::position_queries, own);
        }
        s.paragraph(turning_in_words(s.inputs, own == 0 ? s.head_dim() : own));
        if (own != 0) s.paragraph("$q'$ has the numbers of $q$ as they are, then those of $q^R$, turned:");
        write_sums(s, "q'", TensorId::rotated_queries, s.problem.score_dim());
        s.paragraph(own == 0 ? "The keys are turned the same way, each by the angles of its own position."
                             : "Behind each key stands its $k^R$, turned by the angles of its own position.");
    }
    if (!s.goes_to(TensorId::scores)) return;
    s.heading("Scores");
    s.paragraph(concat(s.has(TensorId::rotated_queries)  ? "$s_j = q' \\cdot k'_j$"
                       : s.has(TensorId::normed_queries) ? "$s_j = \\tilde q \\cdot \\tilde k_j$"
                                                         : "$s_j = q \\cdot k_j$",
                       ", the dot product of the query with ", all_keys ? "each key" : "each key it may see", ":"));
    std::vector<std::string> rows;
    for (const int j : s.printed_keys(all_keys, kMostSums))
        rows.push_back(j == kGap ? std::string("&\\;\\;\\vdots") : s.sum(with_index("s", j), TensorId::scores, j));
    s.aligned(rows);
}

using Cells = std::vector<std::string>;

void write_scaling(Solution& s, bool all_keys) {
    const Inputs& inputs = s.inputs;
    const std::string divisor = divisor_formula(inputs);
    s.heading(s.has(TensorId::masked_scores) ? "Scale and mask" : "Scale");
    if (divisor.empty()) {
        s.paragraph("The scores are not scaled: $\\hat s_j = s_j$.");
    } else {
        const double number = static_cast<double>(score_divisor(s.problem.settings, s.head_dim()));
        const std::string where = concat(
            inputs.scale == Scale::none ? "" : concat("$d_{head} = ", s.head_dim(), "$"),
            inputs.scale == Scale::none || inputs.rope_dim == 0 ? "" : concat(", $d_{rope} = ", inputs.rope_dim, "$"),
            inputs.scale == Scale::none || inputs.temperature == 1 ? "" : " and ",
            inputs.temperature == 1 ? "" : concat("the temperature $\\tau = ", exact_number(inputs.temperature), "$"));
        s.paragraph(concat("$\\hat s_j = s_j / ", divisor, " = s_j / ", latex_number(number), "$ with ", where, ":"));
    }
    const bool is_capped = s.has(TensorId::capped_scores), is_biased = s.has(TensorId::biased_scores);
    const std::string cap = exact_number(inputs.score_cap);
    if (is_capped)
        s.paragraph(concat("The cap keeps each between $-", cap, "$ and $", cap, "$: $c_j = ", cap,
                           " \\tanh(\\hat s_j / ", cap, ")$."));
    if (is_biased)
        s.paragraph(concat("ALiBi takes off what the distance of token ", s.row,
                           " and key $j$ costs in this head: $b_j = ", is_capped ? "c_j" : "\\hat s_j", " - ",
                           slope_text(s), " \\, |", s.row, " - j|$."));
    Cells titles;
    std::vector<TensorId> columns;
    const auto add_column = [&](TensorId stage, std::string_view title) {
        if (!s.has(stage)) return;
        columns.push_back(stage);
        titles.emplace_back(title);
    };
    add_column(TensorId::scores, "$s_j$");
    add_column(TensorId::scaled_scores, "$\\hat s_j$");
    add_column(TensorId::capped_scores, "$c_j$");
    add_column(TensorId::biased_scores, "$b_j$");
    s.key_table(titles, all_keys, [&](int j) -> Cells {
        Cells cells;
        for (const TensorId column : columns) cells.push_back(s.number(column, j));
        return cells;
    });
    const std::string hidden = hidden_keys(s);
    if (s.has(TensorId::masked_scores) && !hidden.empty())
        s.paragraph(concat(hidden, ": there the masked score is $-\\infty$, and $e^{-\\infty} = 0$."));
}

// The largest score of the row, and the exponentials with their sum.
void write_softmax(Solution& s, bool all_keys) {
    const MaskAt mask_at = s.inputs.mask_at;
    const TensorId stage = softmax_stage(mask_at), source = softmax_source(layer_parts(s.problem));
    const std::string_view score = unmasked_symbol(s);
    const std::string_view symbol = mask_at == MaskAt::before ? "a" : "p";
    s.heading("Softmax");
    const Vector scores = stage_row(s.problem, s.evaluation.trace, source, s.head, s.row);
    int largest = 0;
    for (int j = 0; j < s.num_tokens(); ++j) {
        if (scores(j) > scores(largest)) largest = j;
    }
    const bool has_sink = s.problem.has_sink();
    const float logit = has_sink ? s.problem.projections->sink_logits(s.head) : 0;
    const bool is_sink = has_sink && logit > scores(largest);
    const double row_max = static_cast<double>(is_sink ? logit : scores(largest));
    const std::string max = is_sink ? latex_number(row_max) : s.number(source, largest);
    const bool shows_max = max != kLatexBlank;
    if (has_sink)
        s.paragraph(concat("The head has learned a sink: a number $\\ell = ", latex_number(static_cast<double>(logit)),
                           "$ beside the scores of each row, which takes its share and has no value."));
    s.paragraph(concat("The largest ", has_sink ? "of the scores and $\\ell$" : "score", " is $m = ", max,
                       "$. $e_j = e^{", score, " - m}$, their sum", has_sink ? ", with $e^{\\ell - m}$," : "",
                       " is $Z$, and $", symbol, "_j = e_j / Z$:"));
    const Explanation explanation =
        explain(s.problem, s.evaluation.trace, s.evaluation.parts, stage, s.head, s.row, largest);
    // A weight is one of these over their sum: with both printed, nothing is left to work out.
    const bool is_asked = s.asks_in_row(stage) || (has_sink && s.asks_in_row(TensorId::sink_weights));
    std::vector<LatexTerm> exps = s.terms(explanation.divisor_terms);
    bool shows_sum = true;
    for (LatexTerm& term : exps) {
        term.shows_a = term.shows_a && shows_max && !is_asked;
        shows_sum = shows_sum && term.shows_a;
    }
    s.key_table({concat("$", score, " - m$"), "$e_j$", concat("$", symbol, "_j$")}, all_keys, [&](int j) -> Cells {
        const bool is_shown = shows_max && !s.is_blank(source, s.head, s.row, j);
        const double difference = static_cast<double>(scores(j)) - row_max;
        return {is_shown ? latex_number(difference) : std::string(kLatexBlank),
                is_shown && !is_asked ? latex_number(portable::exp(difference)) : std::string(kLatexBlank),
                s.number(stage, j)};
    });
    s.aligned({latex_sum("Z", exps, explanation.divisor,
                         shows_sum ? latex_number(explanation.divisor) : std::string(kLatexBlank))});
    if (has_sink)
        s.paragraph(concat(
            "The rest of the row is the sink's: $e^{\\ell - m} / Z = ", s.number(TensorId::sink_weights, 0), "$."));
}

// The mask after the softmax: hidden keys lose their weights, and what is left may be made to sum to 1 again.
void write_late_mask(Solution& s) {
    s.heading("Mask");
    const bool is_divided = s.inputs.mask_at == MaskAt::after;
    const std::string hidden = hidden_keys(s);
    const std::string loses = hidden.empty() ? "No key is hidden" : concat(hidden, " and gets the weight 0");
    if (is_divided) {
        s.paragraph(concat(loses, ". What is left of the row is divided by its sum $R$, $a_j = p_j / R$:"));
    } else {
        s.paragraph(
            concat(loses, ". The others keep theirs",
                   hidden.empty() ? "." : ", so that the row no longer sums to 1: as weights these are wrong."));
    }
    s.key_table({"$p_j$", "$a_j$"}, true, [&](int j) -> Cells {
        return {s.number(TensorId::unmasked_weights, j), s.number(TensorId::weights, j)};
    });
    if (!is_divided) return;
    const Explanation explanation = explain(s.problem, s.evaluation.trace, s.evaluation.parts, TensorId::weights,
                                            s.head, s.row, s.printed_keys(false, s.num_tokens())[0]);
    const std::vector<LatexTerm> left = s.terms(explanation.divisor_terms);
    const bool shows_sum = !s.asks_in_row(TensorId::weights) &&
                           std::all_of(left.begin(), left.end(), [](const LatexTerm& term) { return term.shows_a; });
    s.aligned({latex_sum("R", left, explanation.divisor,
                         shows_sum ? latex_number(explanation.divisor) : std::string(kLatexBlank))});
}

void write_dropout(Solution& s) {
    s.heading("Dropout");
    const double scale = static_cast<double>(keep_scale(s.inputs.dropout));
    s.paragraph(concat("Each weight is dropped with probability $p = ", exact_number(s.inputs.dropout),
                       "$; those that are kept are multiplied by $1 / (1 - p) = ", latex_number(scale), "$:"));
    s.key_table({"$a_j$", "keep", "$d_j$"}, false, [&](int j) -> Cells {
        const bool is_kept = s.evaluation.trace.keep(s.head, s.row, j) != 0;
        return {s.number(TensorId::weights, j), is_kept ? "1" : "0", s.number(TensorId::dropped_weights, j)};
    });
}

void write_context(Solution& s) {
    s.heading("Context");
    s.paragraph(concat("The values, mixed by the weights: $c = \\sum_j ", s.has(TensorId::dropped_weights) ? "d" : "a",
                       "_j \\, v_j$, channel by channel:"));
    write_sums(s, "c", TensorId::context, s.head_dim());
}

void write_output(Solution& s) {
    const int num_heads = s.inputs.num_heads;
    if (num_heads == 1 && !s.has(TensorId::output)) return;
    s.heading(s.has(TensorId::output) ? "Output" : "Heads side by side");
    const std::string merged = s.row_vector(TensorId::merged, 0, s.row);
    if (num_heads > 1) {
        const int first = s.head * s.head_dim();
        s.paragraph(concat(
            "The context vectors of all heads side by side; this head's is ",
            s.head_dim() == 1 ? concat("column ", first) : concat("columns ", first, " to ", first + s.head_dim() - 1),
            ":"));
    } else {
        s.paragraph("One head: its context vector is the whole row.");
    }
    s.formula(concat("h = ", merged));
    if (!s.has(TensorId::output) || !s.goes_to(TensorId::output)) return;
    const Projections& p = s.problem.projections;
    s.paragraph("The output projection mixes them, $y = h \\, W_O + b_O$:");
    s.formula(concat("W_O = ", latex_columns(p.w_out, 0, s.problem.d_out())));
    write_sums(s, "y", TensorId::output, s.problem.d_out());
}

}  // namespace

void write_row_steps(Solution& s) {
    const bool is_late = s.inputs.mask_at != MaskAt::before;  // then all keys have scores and a softmax
    write_embedding(s);
    if (!s.goes_to(TensorId::queries)) return;
    write_query(s);
    if (!s.goes_to(TensorId::keys)) return;
    write_keys_and_values(s, is_late);
    write_scores(s, is_late);
    if (!s.goes_to(TensorId::scaled_scores)) return;
    write_scaling(s, is_late);
    if (!s.goes_to(softmax_stage(s.inputs.mask_at))) return;
    write_softmax(s, is_late);
    if (!s.goes_to(TensorId::weights)) return;
    if (is_late) write_late_mask(s);
    if (s.has(TensorId::dropped_weights) && s.goes_to(TensorId::dropped_weights)) write_dropout(s);
    if (!s.goes_to(TensorId::context)) return;
    write_context(s);
    if (s.goes_to(TensorId::merged)) write_output(s);
}

}  // namespace attn
