// The end of the way back: from queries, keys and values to what they were made of.
#include "core/explain/explain_matrices.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/learn/gradient_rows.h"

namespace attn {
namespace {

// The way from one role to its matrix.
struct Way {
    TensorId role, gradient, w_id, at_w, at_b;
    const Matrix& w;
};

std::array<Way, 3> ways_of(const Projections& p) {
    return {
        {{TensorId::queries, TensorId::grad_queries, TensorId::w_query, TensorId::grad_w_query, TensorId::grad_b_query,
          p.w_query},
         {TensorId::keys, TensorId::grad_keys, TensorId::w_key, TensorId::grad_w_key, TensorId::grad_b_key, p.w_key},
         {TensorId::values, TensorId::grad_values, TensorId::w_value, TensorId::grad_w_value, TensorId::grad_b_value,
          p.w_value}}};
}

// The cell of a role's gradient that stands at `column` before the cut into heads.
CellRef head_cell(const TraceCells& in, TensorId gradient, int row, int column) {
    const int head_dim = in.problem.head_dim();
    const int readers = has_kv_heads(gradient) ? in.problem.heads_per_kv_head() : 1;
    return {gradient, column / head_dim * readers, row, column % head_dim};
}

// The products of the row's gradients at the position queries and a row of w_query_rope.
void add_position_terms(const TraceCells& in, TensorId source, const CellRef& cell, std::vector<Term>& terms) {
    const int own = in.problem.rope_dim();
    if (own == 0 || in.problem.source_of(TensorId::position_queries) != source) return;
    const Matrix& w = in.problem.projections->w_query_rope;
    for (int c = 0; c < length(w, 1); ++c) {
        terms.push_back({.a = in.factor({TensorId::grad_position_queries, c / own, cell.row, c % own}),
                         .b = cell_value(w(cell.column, c), {TensorId::w_query_rope, 0, cell.column, c}),
                         .label = ""});
    }
}

// From latents to the embeddings.
struct WayDown {
    TensorId latents, gradient, w_id, at_w;
    const Matrix& w;
};

std::array<WayDown, 3> ways_down(const Projections& p) {
    return {{{TensorId::query_latents, TensorId::grad_query_latents, TensorId::w_down_query,
              TensorId::grad_w_down_query, p.w_down_query},
             {TensorId::latents, TensorId::grad_latents, TensorId::w_down_kv, TensorId::grad_w_down_kv, p.w_down_kv},
             {TensorId::position_keys, TensorId::grad_position_keys, TensorId::w_key_rope, TensorId::grad_w_key_rope,
              p.w_key_rope}}};
}

// The ways back that meet in `source`, the embeddings or latents: of the queries, keys and values that are made of it,
// without the numbers that were typed.
std::vector<Term> source_terms(const TraceCells& in, TensorId source, const CellRef& cell) {
    std::vector<Term> terms;
    for (const Way& way : ways_of(in.problem.projections)) {
        if (!has_stage(in.problem, way.gradient) || in.problem.source_of(way.role) != source) continue;
        const bool is_identity = way.w.size() == 0;
        for (int c = 0; c < in.problem.role_width(way.role); ++c) {
            if (is_typed(in.problem, way.role, cell.row, c) || (is_identity && c != cell.column)) continue;
            const Factor gradient = in.factor(head_cell(in, way.gradient, cell.row, c));
            if (is_identity) {
                terms.push_back(single(gradient));
            } else {
                terms.push_back({.a = gradient,
                                 .b = cell_value(way.w(cell.column, c), {way.w_id, 0, cell.column, c}),
                                 .label = ""});
            }
        }
    }
    add_position_terms(in, source, cell, terms);
    return terms;
}

}  // namespace

std::vector<Term> latent_gradient_terms(const TraceCells& in, const CellRef& cell) {
    const bool is_query = cell.tensor == TensorId::grad_query_latents;
    std::vector<Term> terms = source_terms(in, is_query ? TensorId::query_latents : TensorId::latents, cell);
    if (terms.empty()) terms.push_back(single(constant(0), "typed"));
    return terms;
}

std::vector<Term> embedding_gradient_terms(const TraceCells& in, const CellRef& cell) {
    std::vector<Term> terms = source_terms(in, TensorId::embeddings, cell);
    for (const WayDown& way : ways_down(in.problem.projections)) {
        if (!has_stage(in.problem, way.gradient)) continue;
        for (int l = 0; l < length(way.w, 1); ++l) {
            terms.push_back({.a = in.factor({way.gradient, 0, cell.row, l}),
                             .b = cell_value(way.w(cell.column, l), {way.w_id, 0, cell.column, l}),
                             .label = ""});
        }
    }
    if (terms.empty()) terms.push_back(single(constant(0), "typed"));
    return terms;
}

// What the other sentences of a batch add, as one number.
void add_other_sentences(const TraceCells& in, Explanation& explanation) {
    const std::span<const float> own =
        parameter_gradient_row(in.trace, explanation.cell.tensor, explanation.cell.row, false);
    const double of_others = static_cast<double>(explanation.shown) -
                             static_cast<double>(own[static_cast<std::size_t>(explanation.cell.column)]);
    if (of_others != 0) explanation.terms.push_back(single(constant(of_others), "other sentences"));
}

// X^T (or that of the latents or of merged, or ones) times the gradient behind the matrix.
void explain_matrix_gradient(const TraceCells& in, Explanation& explanation) {
    const CellRef& cell = explanation.cell;
    std::vector<Term>& terms = explanation.terms;
    const bool is_out = cell.tensor == TensorId::grad_w_out || cell.tensor == TensorId::grad_b_out;
    for (int i = 0; is_out && i < in.problem.num_tokens(); ++i) {
        const Factor gradient = in.factor({TensorId::grad_output, 0, i, cell.column});
        if (cell.tensor == TensorId::grad_b_out) {
            terms.push_back(single(gradient));
        } else {
            terms.push_back({.a = in.factor({TensorId::merged, 0, i, cell.row}), .b = gradient, .label = ""});
        }
    }
    for (const Way& way : ways_of(in.problem.projections)) {
        const bool is_bias = cell.tensor == way.at_b;
        if (!is_bias && cell.tensor != way.at_w) continue;
        for (int i = 0; i < in.problem.num_tokens(); ++i) {
            if (is_typed(in.problem, way.role, i, cell.column)) continue;
            const Factor gradient = in.factor(head_cell(in, way.gradient, i, cell.column));
            if (is_bias) {
                terms.push_back(single(gradient));
            } else {
                const TensorId source = in.problem.source_of(way.role);
                terms.push_back({.a = in.factor({source, 0, i, cell.row}), .b = gradient, .label = ""});
            }
        }
    }
    for (int i = 0; cell.tensor == TensorId::grad_w_query_rope && i < in.problem.num_tokens(); ++i) {
        const int own = in.problem.rope_dim();
        terms.push_back({.a = in.factor({in.problem.source_of(TensorId::position_queries), 0, i, cell.row}),
                         .b = in.factor({TensorId::grad_position_queries, cell.column / own, i, cell.column % own}),
                         .label = ""});
    }
    for (const WayDown& way : ways_down(in.problem.projections)) {
        for (int i = 0; cell.tensor == way.at_w && i < in.problem.num_tokens(); ++i) {
            terms.push_back({.a = in.factor({TensorId::embeddings, 0, i, cell.row}),
                             .b = in.factor({way.gradient, 0, i, cell.column}),
                             .label = ""});
        }
    }
    add_other_sentences(in, explanation);
    if (terms.empty()) terms.push_back(single(constant(0), "typed"));
}

}  // namespace attn
