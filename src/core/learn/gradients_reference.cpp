// The chain rule from the loss back to the embeddings, one loop for each index.
#include "core/learn/gradients_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

MatrixD zeros_like(const MatrixD& matrix) {
    return zeros<MatrixD>(matrix.shape(0), matrix.shape(1));
}

CubeD zeros_like(const CubeD& cube) {
    return zeros<CubeD>(cube.shape(0), cube.shape(1), cube.shape(2));
}

const MatrixD& layer_output(const ReferenceTrace& trace) {
    return trace.output.size() != 0 ? trace.output : trace.merged;
}

MatrixD logits_of(const ReferenceTrace& trace, const Goal& goal) {
    const MatrixD& output = layer_output(trace);
    MatrixD logits = zeros<MatrixD>(output.shape(0), goal.vocabulary.shape(0));
    for (int i = 0; i < length(logits, 0); ++i) {
        for (int v = 0; v < length(logits, 1); ++v) {
            for (int c = 0; c < length(output, 1); ++c)
                logits(i, v) += output(i, c) * static_cast<double>(goal.vocabulary(v, c));
        }
    }
    return logits;
}

MatrixD softmax_rows(const MatrixD& logits) {
    MatrixD probabilities = zeros_like(logits);
    for (int i = 0; i < length(logits, 0); ++i) {
        double row_max = -std::numeric_limits<double>::infinity();
        for (int v = 0; v < length(logits, 1); ++v) row_max = std::max(row_max, logits(i, v));
        double row_sum = 0;
        for (int v = 0; v < length(logits, 1); ++v) row_sum += std::exp(logits(i, v) - row_max);
        for (int v = 0; v < length(logits, 1); ++v) probabilities(i, v) = std::exp(logits(i, v) - row_max) / row_sum;
    }
    return probabilities;
}

double pattern_loss(const ReferenceTrace& trace, const Goal& goal) {
    double loss = 0;
    for (const TargetRow& row : goal.rows) {
        for (int j = 0; j < length(trace.weights, 2); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0) loss -= share * std::log(trace.weights(row.head, row.query, j));
        }
    }
    return loss / goal.num_terms;
}

double next_loss(const MatrixD& probabilities, const Goal& goal) {
    double loss = 0;
    for (int i = 0; i < length(probabilities, 0); ++i) {
        const int next = goal.next[static_cast<std::size_t>(i)];
        if (next >= 0) loss -= std::log(probabilities(i, next));
    }
    return loss / goal.num_terms;
}

// At the output: sum over words of (probability - 1 for the wanted one) * its vector.
MatrixD at_output_of(const MatrixD& probabilities, const Goal& goal) {
    MatrixD gradient = zeros<MatrixD>(probabilities.shape(0), goal.vocabulary.shape(1));
    for (int i = 0; i < length(gradient, 0); ++i) {
        const int next = goal.next[static_cast<std::size_t>(i)];
        if (next < 0) continue;
        for (int v = 0; v < length(probabilities, 1); ++v) {
            const double at_logit = (probabilities(i, v) - (v == next ? 1 : 0)) / goal.num_terms;
            for (int c = 0; c < length(gradient, 1); ++c)
                gradient(i, c) += at_logit * static_cast<double>(goal.vocabulary(v, c));
        }
    }
    return gradient;
}

void through_output(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    const Matrix& w_out = problem.projections->w_out;
    g.merged = zeros_like(trace.merged);
    if (w_out.size() == 0) {
        g.merged = g.output;
        g.output = MatrixD();
        return;
    }
    g.w_out = zeros<MatrixD>(w_out.shape(0), w_out.shape(1));
    if (problem.projections->b_out.size() != 0) g.b_out = zeros<VectorD>(w_out.shape(1));
    for (int i = 0; i < length(g.output, 0); ++i) {
        for (int c = 0; c < length(g.output, 1); ++c) {
            if (g.b_out.size() != 0) g.b_out(c) += g.output(i, c);
            for (int k = 0; k < length(g.merged, 1); ++k) {
                g.merged(i, k) += g.output(i, c) * static_cast<double>(w_out(k, c));
                g.w_out(k, c) += trace.merged(i, k) * g.output(i, c);
            }
        }
    }
}

// From merged to context, and from there to the values and to the weights that mixed them. A hidden key is not mixed.
void through_mixing(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    const bool drops = trace.dropped_weights.size() != 0;
    const CubeD& mix = drops ? trace.dropped_weights : trace.weights;
    g.context = zeros_like(trace.context);
    g.value = zeros_like(trace.value);
    CubeD at_mix = zeros_like(mix);
    const int head_dim = length(g.context, 2);
    for (int h = 0; h < length(mix, 0); ++h) {
        for (int i = 0; i < length(mix, 1); ++i) {
            for (int c = 0; c < head_dim; ++c) {
                g.context(h, i, c) = g.merged(i, h * head_dim + c);
                for (int j = 0; j < length(mix, 2); ++j) {
                    if (problem.hidden(i, j) != 0) continue;
                    at_mix(h, i, j) += g.context(h, i, c) * trace.value(problem.kv_head(h), j, c);
                    g.value(problem.kv_head(h), j, c) += mix(h, i, j) * g.context(h, i, c);
                }
            }
        }
    }
    g.weights = at_mix;
    if (!drops) return;
    g.dropped_weights = at_mix;
    for (int h = 0; h < length(mix, 0); ++h) {
        for (int i = 0; i < length(mix, 1); ++i) {
            for (int j = 0; j < length(mix, 2); ++j)
                g.weights(h, i, j) = at_mix(h, i, j) * trace.keep(h, i, j) / (1 - problem.settings.dropout);
        }
    }
}

// The pattern's own gradient at the weights: -p / A.
void add_targets(const ReferenceTrace& trace, const Goal& goal, CubeD& weights) {
    for (const TargetRow& row : goal.rows) {
        for (int j = 0; j < length(weights, 2); ++j) {
            const double share = static_cast<double>(row.shares(j));
            if (share > 0)
                weights(row.head, row.query, j) -= share / trace.weights(row.head, row.query, j) / goal.num_terms;
        }
    }
}

// From a row of a softmax to its scores: G_j = P_j (g_j - sum over k of g_k P_k).
CubeD through_softmax(const CubeD& shares, const CubeD& at_shares) {
    CubeD at_scores = zeros_like(shares);
    for (int h = 0; h < length(shares, 0); ++h) {
        for (int i = 0; i < length(shares, 1); ++i) {
            double average = 0;
            for (int j = 0; j < length(shares, 2); ++j) average += at_shares(h, i, j) * shares(h, i, j);
            for (int j = 0; j < length(shares, 2); ++j)
                at_scores(h, i, j) = shares(h, i, j) * (at_shares(h, i, j) - average);
        }
    }
    return at_scores;
}

// From weights that were masked after the softmax to the unmasked ones: where rows were divided by their sums again,
// through that division, (g_j - sum over k of g_k A_k) / row sum; 0 at hidden keys.
CubeD through_late_mask(const AttentionProblem& problem, const ReferenceTrace& trace, const CubeD& at_weights) {
    CubeD at_unmasked = zeros_like(at_weights);
    const bool divides = problem.settings.mask_at == MaskAt::after;
    for (int h = 0; h < length(at_weights, 0); ++h) {
        for (int i = 0; i < length(at_weights, 1); ++i) {
            double average = 0;
            double row_sum = 0;
            for (int j = 0; j < length(at_weights, 2); ++j) {
                if (problem.hidden(i, j) != 0) continue;
                average += at_weights(h, i, j) * trace.weights(h, i, j);
                row_sum += trace.unmasked_weights(h, i, j);
            }
            for (int j = 0; j < length(at_weights, 2); ++j) {
                if (problem.hidden(i, j) != 0) continue;
                at_unmasked(h, i, j) = divides ? (at_weights(h, i, j) - average) / row_sum : at_weights(h, i, j);
            }
        }
    }
    return at_unmasked;
}

// The sink is one more share of each row, which nothing behind the softmax reads: G = P (0 - sum over k of g_k P_k).
void through_sink(const ReferenceTrace& trace, GradientsReference& g) {
    g.sink_logits = zeros<VectorD>(trace.sink_weights.shape(0));
    for (int h = 0; h < length(trace.weights, 0); ++h) {
        for (int i = 0; i < length(trace.weights, 1); ++i) {
            for (int j = 0; j < length(trace.weights, 2); ++j)
                g.sink_logits(h) -= trace.sink_weights(h, i, 0) * g.weights(h, i, j) * trace.weights(h, i, j);
        }
    }
}

void through_weighing(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    if (problem.settings.mask_at == MaskAt::before) {
        g.masked_scores = through_softmax(trace.weights, g.weights);
        g.scaled_scores = g.masked_scores;  // hidden keys have a weight of 0, and so a gradient of 0
    } else {
        g.unmasked_weights = through_late_mask(problem, trace, g.weights);
        g.scaled_scores = through_softmax(trace.unmasked_weights, g.unmasked_weights);
    }
    if (problem.has_sink()) through_sink(trace, g);
    if (is_alibi(problem.settings)) g.biased_scores = g.scaled_scores;  // the bias is a constant
    const double divisor = static_cast<double>(score_divisor(problem.settings, problem.head_dim()));
    g.scores = g.scaled_scores / divisor;
}

// What was turned alone stands behind the numbers of queries and keys: those of the keys are the same in all heads.
void take_own_part(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    const CubeD of_queries = g.query, of_keys = g.key;
    g.query = zeros_like(trace.query);
    g.key = zeros_like(trace.key);
    g.position_query = zeros_like(trace.position_query);
    g.position_key = zeros_like(trace.position_key);
    const int head_dim = problem.head_dim();
    for (int i = 0; i < problem.num_tokens(); ++i) {
        for (int c = 0; c < problem.score_dim(); ++c) {
            const int own = c - head_dim;
            for (int h = 0; h < length(of_queries, 0); ++h)
                (own < 0 ? g.query(h, i, c) : g.position_query(h, i, own)) = of_queries(h, i, c);
            for (int h = 0; h < length(of_keys, 0); ++h) {
                if (own < 0) {
                    g.key(h, i, c) = of_keys(h, i, c);
                } else {
                    g.position_key(i, own) += of_keys(h, i, c);
                }
            }
        }
    }
}

void through_scores(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    g.query = zeros_like(trace.scored_query());
    g.key = zeros_like(trace.scored_key());
    for (int h = 0; h < length(g.scores, 0); ++h) {
        const int shared = problem.kv_head(h);
        for (int i = 0; i < length(g.scores, 1); ++i) {
            for (int j = 0; j < length(g.scores, 2); ++j) {
                for (int c = 0; c < length(g.query, 2); ++c) {
                    g.query(h, i, c) += g.scores(h, i, j) * trace.scored_key()(shared, j, c);
                    g.key(shared, j, c) += g.scores(h, i, j) * trace.scored_query()(h, i, c);
                }
            }
        }
    }
    if (!is_rotary(problem.settings)) return;
    g.rotated_query = g.query;
    g.rotated_key = g.key;
    g.query = rotate_heads(problem.settings.rotary, g.rotated_query, -1);
    g.key = rotate_heads(problem.settings.rotary, g.rotated_key, -1);
    if (problem.rope_dim() != 0) take_own_part(problem, trace, g);
}

// Heads side by side, (T, d_out), and 0 where a number was typed over what the projection gives.
MatrixD at_projection(const AttentionProblem& problem, TensorId role, const CubeD& heads) {
    const int head_dim = length(heads, 2);
    MatrixD gradient = zeros<MatrixD>(heads.shape(1), heads.shape(0) * heads.shape(2));
    for (int i = 0; i < length(gradient, 0); ++i) {
        for (int c = 0; c < length(gradient, 1); ++c) gradient(i, c) = heads(c / head_dim, i, c % head_dim);
    }
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.role == role) gradient(typed.row, typed.column) = 0;
    }
    return gradient;
}

struct Role {
    TensorId id;
    const CubeD& heads;
    const Matrix& w;
    const Vector& b;
    MatrixD& at_w;
    VectorD& at_b;
};

// From the role to its matrix, its bias and to what it was projected from, `source` with the gradient `at_source`.
void through_projection(const AttentionProblem& problem, const Role& role, const MatrixD& source, MatrixD& at_source) {
    const MatrixD gradient = at_projection(problem, role.id, role.heads);
    const bool is_identity = role.w.size() == 0;
    if (!is_identity) role.at_w = zeros<MatrixD>(role.w.shape(0), role.w.shape(1));
    if (role.b.size() != 0) role.at_b = zeros<VectorD>(role.b.shape(0));
    for (int i = 0; i < length(gradient, 0); ++i) {
        for (int c = 0; c < length(gradient, 1); ++c) {
            if (is_identity) {
                at_source(i, c) += gradient(i, c);
                continue;
            }
            if (role.b.size() != 0) role.at_b(c) += gradient(i, c);
            for (int k = 0; k < length(role.w, 0); ++k) {
                at_source(i, k) += gradient(i, c) * static_cast<double>(role.w(k, c));
                role.at_w(k, c) += source(i, k) * gradient(i, c);
            }
        }
    }
}

// From latents to what made them of the embeddings.
void through_down(const Matrix& w, const MatrixD& at_latents, const MatrixD& x, MatrixD& at_w, MatrixD& at_x) {
    at_w = zeros<MatrixD>(w.shape(0), w.shape(1));
    for (int i = 0; i < length(x, 0); ++i) {
        for (int k = 0; k < length(w, 0); ++k) {
            for (int l = 0; l < length(w, 1); ++l) {
                at_x(i, k) += at_latents(i, l) * static_cast<double>(w(k, l));
                at_w(k, l) += x(i, k) * at_latents(i, l);
            }
        }
    }
}

// From the weights, and from the values, back to the embeddings.
void through_attention(const AttentionProblem& problem, const ReferenceTrace& trace, GradientsReference& g) {
    const Projections& p = problem.projections;
    through_weighing(problem, trace, g);
    through_scores(problem, trace, g);
    MatrixD x = zeros<MatrixD>(problem.num_tokens(), problem.d_in());
    std::copy(problem.embeddings.begin(), problem.embeddings.end(), x.begin());
    g.embeddings = zeros_like(x);
    g.query_latents = zeros_like(trace.query_latents);
    g.latents = zeros_like(trace.latents);
    const bool has_query_latent = problem.query_latent() != 0;
    const bool has_latent = problem.latent() != 0;
    const MatrixD& of_queries = has_query_latent ? trace.query_latents : x;
    const MatrixD& of_keys = has_latent ? trace.latents : x;
    MatrixD& at_queries = has_query_latent ? g.query_latents : g.embeddings;
    MatrixD& at_keys = has_latent ? g.latents : g.embeddings;
    through_projection(problem, {TensorId::queries, g.query, p.w_query, p.b_query, g.w_query, g.b_query}, of_queries,
                       at_queries);
    through_projection(problem, {TensorId::keys, g.key, p.w_key, p.b_key, g.w_key, g.b_key}, of_keys, at_keys);
    through_projection(problem, {TensorId::values, g.value, p.w_value, p.b_value, g.w_value, g.b_value}, of_keys,
                       at_keys);
    if (problem.rope_dim() != 0) {
        Vector none;  // no bias
        VectorD at_none;
        through_projection(
            problem, {TensorId::position_queries, g.position_query, p.w_query_rope, none, g.w_query_rope, at_none},
            of_queries, at_queries);
        through_down(p.w_key_rope, g.position_key, x, g.w_key_rope, g.embeddings);
    }
    if (has_query_latent) through_down(p.w_down_query, g.query_latents, x, g.w_down_query, g.embeddings);
    if (has_latent) through_down(p.w_down_kv, g.latents, x, g.w_down_kv, g.embeddings);
}

}  // namespace

double loss_reference(const ReferenceTrace& trace, const Goal& goal, const NudgedNumber& nudged) {
    if (goal.kind == GoalKind::pattern) return pattern_loss(trace, goal);
    if (goal.kind != GoalKind::next) return 0;
    MatrixD logits = logits_of(trace, goal);
    if (nudged.by != 0 && nudged.tensor == TensorId::logits) logits(nudged.row, nudged.column) += nudged.by;
    return next_loss(softmax_rows(logits), goal);
}

GradientsReference gradients_from_output(const AttentionProblem& problem, const ReferenceTrace& trace,
                                         const MatrixD& at_output) {
    GradientsReference g;
    g.output = at_output;
    through_output(problem, trace, g);
    through_mixing(problem, trace, g);
    through_attention(problem, trace, g);
    return g;
}

GradientsReference gradients_reference(const AttentionProblem& problem, const ReferenceTrace& trace, const Goal& goal) {
    GradientsReference g;
    g.loss = loss_reference(trace, goal);
    g.output = zeros_like(layer_output(trace));
    if (goal.kind == GoalKind::next) {
        g.logits = logits_of(trace, goal);
        g.probabilities = softmax_rows(g.logits);
        g.output = at_output_of(g.probabilities, goal);
    }
    through_output(problem, trace, g);
    through_mixing(problem, trace, g);
    if (goal.kind == GoalKind::pattern) add_targets(trace, goal, g.weights);
    through_attention(problem, trace, g);
    return g;
}

}  // namespace attn
