// Writes all steps of one head as matrices. See solution_parts.h.
#include "core/attention/masking.h"
#include "core/ground/check.h"
#include "share/solution/solution_parts.h"

namespace attn {

void write_stage(Solution& s, std::string_view title, std::string_view formula, TensorId stage) {
    if (!s.goes_to(stage)) return;
    s.heading(title);
    s.formula(concat(formula, " = ", s.matrix(stage, stage_info(stage).has_heads ? s.head : 0)));
}

namespace {

// Q, K or V with the head's columns of its matrix.
void write_role(Solution& s, const RoleParts& role) {
    const std::string_view letter = role.letter;
    if (!s.goes_to(role.stage)) return;
    s.heading(role.title);
    if (role.weight.size() == 0) {
        s.formula(concat(letter, " = X = ", s.matrix(role.stage, s.head)));
        return;
    }
    const int head = has_kv_heads(role.stage) ? s.problem.kv_head(s.head) : s.head;
    const int first = head * s.head_dim();
    std::string given = concat("W_", letter, " = ", latex_columns(role.weight, first, s.head_dim()));
    if (role.bias.size() != 0) {
        const std::string bias = latex_matrix(
            1, s.head_dim(), [&](int, int c) { return latex_number(static_cast<double>(role.bias(first + c))); });
        given += concat(", \\qquad b_", letter, " = ", bias);
    }
    s.formula(given);
    s.formula(concat(letter, " = ", source_letter(s.problem, role.stage), " \\, W_", letter,
                     role.bias.size() != 0 ? concat(" + b_", letter) : "", " = ", s.matrix(role.stage, s.head)));
}

}  // namespace

void write_head_matrices(Solution& s) {
    const Inputs& inputs = s.inputs;
    write_stage(s, "Embeddings", "X", TensorId::embeddings);
    const auto write_latents = [&](TensorId stage, std::string_view title, std::string_view letter, const Matrix& w) {
        if (w.size() == 0 || !s.goes_to(stage)) return;
        write_stage(s, title, concat("C^{", letter, "} = X \\, W_{D", letter, "}"), stage);
        s.formula(concat("W_{D", letter, "} = ", latex_columns(w, 0, length(w, 1))));
    };
    write_latents(TensorId::query_latents, "Query latents", "Q", s.problem.projections->w_down_query);
    write_latents(TensorId::latents, "Latents", "KV", s.problem.projections->w_down_kv);
    for (const RoleParts& role : roles_of(s.problem)) write_role(s, role);
    const bool turns = s.has(TensorId::rotated_queries);
    const int own = s.problem.rope_dim();
    if (own != 0 && s.goes_to(TensorId::position_queries)) {
        const Projections& p = s.problem.projections;
        const std::string_view source = source_letter(s.problem, TensorId::position_queries);
        write_stage(s, "Position queries", concat("Q^R = ", source, " \\, W_{QR}"), TensorId::position_queries);
        s.formula(concat("W_{QR} = ", latex_columns(p.w_query_rope, s.head * own, own)));
        write_stage(s, "Position keys, the same for all heads", "K^R = X \\, W_{KR}", TensorId::position_keys);
        s.formula(concat("W_{KR} = ", latex_columns(p.w_key_rope, 0, own)));
        s.paragraph("Queries and keys stay as they are. Behind their numbers stand those of $Q^R$ and $K^R$, turned:");
    }
    write_norm_matrices(s);
    if (turns && s.goes_to(TensorId::rotated_queries)) {
        s.paragraph(turning_in_words(inputs, own == 0 ? s.head_dim() : own));
        write_stage(s, "Rotated queries", "Q'", TensorId::rotated_queries);
        write_stage(s, "Rotated keys", "K'", TensorId::rotated_keys);
    }
    if (!s.goes_to(TensorId::scores)) return;
    write_stage(s, "Scores",
                turns                             ? "S = Q' \\, K'^\\top"
                : s.has(TensorId::normed_queries) ? "S = \\tilde Q \\, \\tilde K^\\top"
                                                  : "S = Q \\, K^\\top",
                TensorId::scores);
    const std::string divisor = divisor_formula(inputs);
    write_stage(s, "Scaled scores", concat("\\hat S = S", divisor.empty() ? "" : concat(" / ", divisor)),
                TensorId::scaled_scores);
    const bool is_capped = s.has(TensorId::capped_scores), is_biased = s.has(TensorId::biased_scores);
    const std::string cap = exact_number(inputs.score_cap);
    std::string_view unmasked = "\\hat S";
    if (is_capped) {
        write_stage(s, "Capped scores", concat("\\check S = ", cap, " \\tanh(\\hat S / ", cap, ")"),
                    TensorId::capped_scores);
        unmasked = "\\check S";
    }
    if (is_biased) {
        write_stage(s, "Biased scores", concat("B_{ij} = ", unmasked, "_{ij} - ", slope_text(s), " \\, |i - j|"),
                    TensorId::biased_scores);
        unmasked = "B";
    }
    if (inputs.mask_at == MaskAt::before) {
        write_stage(s, "Masked scores", "M", TensorId::masked_scores);
        const bool has_sink = s.problem.has_sink();
        if (has_sink && s.goes_to(TensorId::weights))
            s.paragraph(concat("Beside the masked scores of each row stands the head's sink logit $\\ell = ",
                               latex_number(static_cast<double>(s.problem.projections->sink_logits(s.head))),
                               "$, which takes part in the softmax and has no value:"));
        write_stage(s, "Weights",
                    has_sink ? "(A, a_\\ell) = \\operatorname{softmax}(M, \\ell)" : "A = \\operatorname{softmax}(M)",
                    TensorId::weights);
        if (has_sink) write_stage(s, "The sink's share of each row", "a_\\ell", TensorId::sink_weights);
    } else {
        write_stage(s, "Softmax of whole rows", concat("P = \\operatorname{softmax}(", unmasked, ")"),
                    TensorId::unmasked_weights);
        if (!s.goes_to(TensorId::weights)) return;
        s.paragraph(inputs.mask_at == MaskAt::after
                        ? "Hidden keys lose their weights, and each row is divided by its sum:"
                        : "Hidden keys lose their weights; the rows no longer sum to 1:");
        write_stage(s, "Weights", "A", TensorId::weights);
    }
    const bool drops = s.has(TensorId::dropped_weights);
    if (drops) write_stage(s, "Weights after dropout", "D", TensorId::dropped_weights);
    write_stage(s, "Context", drops ? "C = D \\, V" : "C = A \\, V", TensorId::context);
}

}  // namespace attn
