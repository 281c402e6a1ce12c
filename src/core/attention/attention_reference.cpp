// Attention as the textbook writes it: one loop for each index, in double, nothing saved or reordered.
// Vaswani et al. 2017, section 3.2. The fast twin is core/fast/attend.cpp.
#include "core/attention/attention_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ground/check.h"
#include "core/ground/random.h"

namespace attn {
namespace {

// A matrix or bias (row 0) in double, with its nudge. A bias that is absent has size 0.
template <class Tensor>
MatrixD nudged_copy(const NudgedNumber& nudged, TensorId id, const Tensor& tensor) {
    const std::span<const float> from = elements(tensor);
    const std::size_t columns = tensor.shape(tensor.dimension() - 1);
    MatrixD copy = zeros<MatrixD>(columns == 0 ? 0 : from.size() / columns, columns);
    std::copy(from.begin(), from.end(), copy.begin());
    if (nudged.by != 0 && nudged.tensor == id) copy(nudged.row, nudged.column) += nudged.by;
    return copy;
}

// x . w + b; without a matrix x itself.
MatrixD project(const MatrixD& x, const MatrixD& w, const MatrixD& b) {
    if (w.size() == 0) return x;
    MatrixD product = zeros<MatrixD>(x.shape(0), w.shape(1));
    for (int i = 0; i < length(product, 0); ++i) {
        for (int column = 0; column < length(product, 1); ++column) {
            for (int k = 0; k < length(x, 1); ++k) product(i, column) += x(i, k) * w(k, column);
            if (b.size() != 0) product(i, column) += b(0, column);
        }
    }
    return product;
}

// Cut into heads: (num_heads, T, head_dim).
CubeD split(const MatrixD& rows, int num_heads) {
    const int head_dim = length(rows, 1) / num_heads;
    CubeD heads = zeros<CubeD>(num_heads, rows.shape(0), head_dim);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < length(rows, 0); ++i) {
            for (int c = 0; c < head_dim; ++c) heads(h, i, c) = rows(i, h * head_dim + c);
        }
    }
    return heads;
}

void nudge(const NudgedNumber& nudged, TensorId stage, CubeD& cube) {
    if (nudged.by != 0 && nudged.tensor == stage) cube(nudged.head, nudged.row, nudged.column) += nudged.by;
}

// The same for keys and values: `nudged` names a head that reads them.
void nudge_shared(const AttentionProblem& problem, NudgedNumber nudged, TensorId stage, CubeD& cube) {
    nudged.head = problem.kv_head(nudged.head);
    nudge(nudged, stage, cube);
}

void nudge(const NudgedNumber& nudged, TensorId stage, MatrixD& matrix) {
    if (nudged.by != 0 && nudged.tensor == stage) matrix(nudged.row, nudged.column) += nudged.by;
}

// Puts what was typed in the place of what the projection gave.
void put_typed(const AttentionProblem& problem, TensorId role, CubeD& heads) {
    const int head_dim = problem.head_dim();
    for (const TypedNumber& typed : problem.typed_roles) {
        if (typed.role != role) continue;
        heads(typed.column / head_dim, typed.row, typed.column % head_dim) = static_cast<double>(typed.value);
    }
}

// Latents where the problem has them, then queries, keys and values.
void make_roles(const AttentionProblem& problem, const NudgedNumber& nudged, ReferenceTrace& trace) {
    const Projections& p = problem.projections;
    const MatrixD x = nudged_copy(nudged, TensorId::embeddings, problem.embeddings);
    const auto down = [&](const Matrix& w, TensorId w_id, TensorId stage, MatrixD& latents) {
        if (w.size() == 0) return;
        latents = project(x, nudged_copy(nudged, w_id, w), MatrixD());
        nudge(nudged, stage, latents);
    };
    down(p.w_down_query, TensorId::w_down_query, TensorId::query_latents, trace.query_latents);
    down(p.w_down_kv, TensorId::w_down_kv, TensorId::latents, trace.latents);
    const MatrixD& of_queries = problem.query_latent() == 0 ? x : trace.query_latents;
    const MatrixD& of_keys = problem.latent() == 0 ? x : trace.latents;
    const auto role = [&](const MatrixD& from, const Matrix& w, TensorId w_id, const Vector& b, TensorId b_id) {
        return project(from, nudged_copy(nudged, w_id, w), nudged_copy(nudged, b_id, b));
    };
    trace.query =
        split(role(of_queries, p.w_query, TensorId::w_query, p.b_query, TensorId::b_query), problem.settings.num_heads);
    trace.key = split(role(of_keys, p.w_key, TensorId::w_key, p.b_key, TensorId::b_key), problem.num_kv_heads());
    trace.value =
        split(role(of_keys, p.w_value, TensorId::w_value, p.b_value, TensorId::b_value), problem.num_kv_heads());
    if (problem.rope_dim() == 0) return;
    const MatrixD no_bias;
    trace.position_query =
        split(project(of_queries, nudged_copy(nudged, TensorId::w_query_rope, p.w_query_rope), no_bias),
              problem.settings.num_heads);
    trace.position_key = project(x, nudged_copy(nudged, TensorId::w_key_rope, p.w_key_rope), no_bias);
    nudge(nudged, TensorId::position_queries, trace.position_query);
    nudge(nudged, TensorId::position_keys, trace.position_key);
}

// The numbers of `heads` (heads, T, head_dim), then those that are turned alone: of head h those of `own` (heads, T,
// rope_dim), which may have one head for all.
CubeD with_own_part(const CubeD& heads, const CubeD& own) {
    const int head_dim = length(heads, 2);
    CubeD both = zeros<CubeD>(heads.shape(0), heads.shape(1), heads.shape(2) + own.shape(2));
    for (int h = 0; h < length(heads, 0); ++h) {
        for (int i = 0; i < length(heads, 1); ++i) {
            for (int c = 0; c < length(both, 2); ++c) {
                const int own_head = length(own, 0) == 1 ? 0 : h;
                both(h, i, c) = c < head_dim ? heads(h, i, c) : own(own_head, i, c - head_dim);
            }
        }
    }
    return both;
}

// What the scores are the products of, with the positions in it.
void rotate_roles(const AttentionProblem& problem, const NudgedNumber& nudged, ReferenceTrace& trace) {
    const RotarySettings& rotary = problem.settings.rotary;
    const bool has_own = problem.rope_dim() != 0;
    const CubeD as_one_head = has_own ? (split)(trace.position_key, 1) : CubeD();
    trace.rotated_query =
        rotate_heads(rotary, has_own ? with_own_part(trace.query, trace.position_query) : trace.query);
    trace.rotated_key = rotate_heads(rotary, has_own ? with_own_part(trace.key, as_one_head) : trace.key);
    nudge(nudged, TensorId::rotated_queries, trace.rotated_query);
    nudge_shared(problem, nudged, TensorId::rotated_keys, trace.rotated_key);
}

// The queries times what makes keys of latents: absorbed(h, i) = sum over c of query(h, i, c) * w_key(., column of c).
void absorb_keys(const AttentionProblem& problem, ReferenceTrace& trace) {
    if (problem.latent() == 0) return;
    const Matrix& w_key = problem.projections->w_key;
    trace.absorbed_queries = zeros<CubeD>(trace.query.shape(0), trace.query.shape(1), problem.latent());
    for (int h = 0; h < length(trace.query, 0); ++h) {
        const int first = problem.kv_head(h) * problem.head_dim();
        for (int i = 0; i < length(trace.query, 1); ++i) {
            for (int l = 0; l < problem.latent(); ++l) {
                for (int c = 0; c < problem.head_dim(); ++c)
                    trace.absorbed_queries(h, i, l) += trace.query(h, i, c) * static_cast<double>(w_key(l, first + c));
            }
        }
    }
}

// The latents mixed by the weights: what w_value makes the context of.
void mix_latents(const AttentionProblem& problem, const CubeD& mix, ReferenceTrace& trace) {
    if (problem.latent() == 0) return;
    trace.mixed_latents = zeros<CubeD>(mix.shape(0), mix.shape(1), problem.latent());
    for (int h = 0; h < length(mix, 0); ++h) {
        for (int i = 0; i < length(mix, 1); ++i) {
            for (int j = 0; j < length(mix, 2); ++j) {
                if (problem.hidden(i, j) != 0) continue;
                for (int l = 0; l < problem.latent(); ++l)
                    trace.mixed_latents(h, i, l) += mix(h, i, j) * trace.latents(j, l);
            }
        }
    }
}

void score(const AttentionProblem& problem, const NudgedNumber& nudged, ReferenceTrace& trace) {
    const int num_heads = problem.settings.num_heads;
    const int T = problem.num_tokens();
    const double divisor = static_cast<double>(score_divisor(problem.settings, problem.head_dim()));
    trace.scores = zeros<CubeD>(num_heads, T, T);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            for (int j = 0; j < T; ++j) {
                for (int c = 0; c < problem.score_dim(); ++c)
                    trace.scores(h, i, j) +=
                        trace.scored_query()(h, i, c) * trace.scored_key()(problem.kv_head(h), j, c);
            }
        }
    }
    nudge(nudged, TensorId::scores, trace.scores);
    trace.scaled_scores = trace.scores / divisor;
    nudge(nudged, TensorId::scaled_scores, trace.scaled_scores);
    if (!is_alibi(problem.settings)) return;
    trace.biased_scores = trace.scaled_scores;
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            for (int j = 0; j < T; ++j)
                trace.biased_scores(h, i, j) -= slope_of_head(problem.settings, h) * std::abs(i - j);
        }
    }
    nudge(nudged, TensorId::biased_scores, trace.biased_scores);
}

// `hidden_value` where the key is hidden, the number of `cube` elsewhere.
CubeD hide(const CubeD& cube, const Flags& hidden, double hidden_value) {
    CubeD result = cube;
    for (int h = 0; h < length(cube, 0); ++h) {
        for (int i = 0; i < length(cube, 1); ++i) {
            for (int j = 0; j < length(cube, 2); ++j) {
                if (hidden(i, j) != 0) result(h, i, j) = hidden_value;
            }
        }
    }
    return result;
}

// Each row divided by its sum.
CubeD divide_by_sums(const CubeD& cube) {
    CubeD result = cube;
    for (int h = 0; h < length(cube, 0); ++h) {
        for (int i = 0; i < length(cube, 1); ++i) {
            double row_sum = 0;
            for (int j = 0; j < length(cube, 2); ++j) row_sum += cube(h, i, j);
            for (int j = 0; j < length(cube, 2); ++j) result(h, i, j) = cube(h, i, j) / row_sum;
        }
    }
    return result;
}

// exp(score - row max) over the row's sum of the same; 0 for a score of -inf.
CubeD softmax(const CubeD& scores) {
    CubeD exponentials = scores;
    for (int h = 0; h < length(scores, 0); ++h) {
        for (int i = 0; i < length(scores, 1); ++i) {
            double row_max = -std::numeric_limits<double>::infinity();
            for (int j = 0; j < length(scores, 2); ++j) row_max = std::max(row_max, scores(h, i, j));
            for (int j = 0; j < length(scores, 2); ++j) exponentials(h, i, j) = std::exp(scores(h, i, j) - row_max);
        }
    }
    return divide_by_sums(exponentials);
}

// The mask comes in before the softmax or after it.
void weigh(const AttentionProblem& problem, const NudgedNumber& nudged, ReferenceTrace& trace) {
    const MaskAt mask_at = problem.settings.mask_at;
    if (mask_at == MaskAt::before) {
        trace.masked_scores =
            hide(trace.scores_before_mask(), problem.hidden, -std::numeric_limits<double>::infinity());
        nudge(nudged, TensorId::masked_scores, trace.masked_scores);
        const MatrixD logits = nudged_copy(nudged, TensorId::sink_logits, problem.projections->sink_logits);
        trace.weights = problem.has_sink() ? softmax_with_sink(trace.masked_scores, logits, trace.sink_weights)
                                           : softmax(trace.masked_scores);
    } else {
        trace.unmasked_weights = softmax(trace.scores_before_mask());
        nudge(nudged, TensorId::unmasked_weights, trace.unmasked_weights);
        trace.weights = hide(trace.unmasked_weights, problem.hidden, 0);
        if (mask_at == MaskAt::after) trace.weights = divide_by_sums(trace.weights);
    }
    nudge(nudged, TensorId::weights, trace.weights);
}

void drop_weights(const AttentionSettings& settings, ReferenceTrace& trace) {
    const int num_heads = length(trace.weights, 0);
    const int T = length(trace.weights, 1);
    trace.keep = zeros<FlagCube>(num_heads, T, T);
    TorchGenerator generator(settings.dropout_seed);
    fill_keep_mask(generator, elements(trace.keep), settings.dropout, settings.dropout_skip);
    trace.dropped_weights = zeros<CubeD>(num_heads, T, T);
    for (int h = 0; h < num_heads; ++h) {
        for (int i = 0; i < T; ++i) {
            for (int j = 0; j < T; ++j) {
                trace.dropped_weights(h, i, j) = trace.weights(h, i, j) * trace.keep(h, i, j) / (1 - settings.dropout);
            }
        }
    }
}

// context(h, i) = sum over visible keys j of mix(h, i, j) * value(kv head of h, j).
CubeD mix_values(const AttentionProblem& problem, const CubeD& mix, const CubeD& value) {
    CubeD context = zeros<CubeD>(mix.shape(0), value.shape(1), value.shape(2));
    for (int h = 0; h < length(context, 0); ++h) {
        for (int i = 0; i < length(context, 1); ++i) {
            for (int c = 0; c < length(context, 2); ++c) {
                for (int j = 0; j < length(value, 1); ++j) {
                    if (problem.hidden(i, j) == 0) context(h, i, c) += mix(h, i, j) * value(problem.kv_head(h), j, c);
                }
            }
        }
    }
    return context;
}

void merge_and_project(const Projections& projections, const NudgedNumber& nudged, ReferenceTrace& trace) {
    const int T = length(trace.context, 1);
    const int head_dim = length(trace.context, 2);
    const int d_out = length(trace.context, 0) * head_dim;
    trace.merged = zeros<MatrixD>(T, d_out);
    for (int i = 0; i < T; ++i) {
        for (int c = 0; c < d_out; ++c) trace.merged(i, c) = trace.context(c / head_dim, i, c % head_dim);
    }
    nudge(nudged, TensorId::merged, trace.merged);
    if (projections.w_out.size() == 0) return;
    trace.output = zeros<MatrixD>(T, d_out);
    for (int i = 0; i < T; ++i) {
        for (int c = 0; c < d_out; ++c) {
            for (int k = 0; k < d_out; ++k)
                trace.output(i, c) += trace.merged(i, k) * static_cast<double>(projections.w_out(k, c));
            if (projections.b_out.size() != 0) trace.output(i, c) += static_cast<double>(projections.b_out(c));
        }
        if (nudged.by == 0) continue;
        if (nudged.tensor == TensorId::w_out) trace.output(i, nudged.column) += trace.merged(i, nudged.row) * nudged.by;
        if (nudged.tensor == TensorId::b_out) trace.output(i, nudged.column) += nudged.by;
    }
    nudge(nudged, TensorId::output, trace.output);
}

const CubeD& kept_cube(const ReferenceTrace& trace, TensorId stage) {
    switch (stage) {
        case TensorId::queries:
            return trace.query;
        case TensorId::keys:
            return trace.key;
        case TensorId::values:
            return trace.value;
        case TensorId::rotated_queries:
            return trace.rotated_query;
        case TensorId::rotated_keys:
            return trace.rotated_key;
        case TensorId::position_queries:
            return trace.position_query;
        case TensorId::scores:
            return trace.scores;
        case TensorId::scaled_scores:
            return trace.scaled_scores;
        case TensorId::biased_scores:
            return trace.biased_scores;
        case TensorId::masked_scores:
            return trace.masked_scores;
        case TensorId::unmasked_weights:
            return trace.unmasked_weights;
        case TensorId::weights:
            return trace.weights;
        case TensorId::sink_weights:
            return trace.sink_weights;
        case TensorId::dropped_weights:
            return trace.dropped_weights;
        case TensorId::absorbed_queries:
            return trace.absorbed_queries;
        case TensorId::mixed_latents:
            return trace.mixed_latents;
        case TensorId::context:
            return trace.context;
        default:
            fail_check(__FILE__, __LINE__, concat("stage ", tensor_name(stage), " has no heads"));
    }
}

}  // namespace

ReferenceTrace attend_reference(const AttentionProblem& problem, const NudgedNumber& nudged) {
    const Projections& p = problem.projections;
    ReferenceTrace trace;
    make_roles(problem, nudged, trace);
    put_typed(problem, TensorId::queries, trace.query);
    put_typed(problem, TensorId::keys, trace.key);
    put_typed(problem, TensorId::values, trace.value);
    nudge(nudged, TensorId::queries, trace.query);
    nudge_shared(problem, nudged, TensorId::keys, trace.key);
    nudge_shared(problem, nudged, TensorId::values, trace.value);
    absorb_keys(problem, trace);
    if (is_rotary(problem.settings)) rotate_roles(problem, nudged, trace);
    score(problem, nudged, trace);
    weigh(problem, nudged, trace);
    const bool drops = has_stage(problem, TensorId::dropped_weights);
    if (drops) drop_weights(problem.settings, trace);
    if (drops) nudge(nudged, TensorId::dropped_weights, trace.dropped_weights);
    const CubeD& mix = drops ? trace.dropped_weights : trace.weights;
    mix_latents(problem, mix, trace);
    trace.context = mix_values(problem, mix, trace.value);
    nudge(nudged, TensorId::context, trace.context);
    merge_and_project(p, nudged, trace);
    return trace;
}

MatrixD reference_matrix(const AttentionProblem& problem, const ReferenceTrace& trace, TensorId stage, int head) {
    ATTN_CHECK(has_stage(problem, stage), "this problem has no stage ", tensor_name(stage));
    if (stage == TensorId::merged) return trace.merged;
    if (stage == TensorId::output) return trace.output;
    if (stage == TensorId::query_latents) return trace.query_latents;
    if (stage == TensorId::latents) return trace.latents;
    if (stage == TensorId::position_keys) return trace.position_key;
    if (stage == TensorId::embeddings) {
        MatrixD embeddings = zeros<MatrixD>(problem.num_tokens(), problem.d_in());
        std::copy(problem.embeddings.begin(), problem.embeddings.end(), embeddings.begin());
        return embeddings;
    }
    const CubeD& cube = kept_cube(trace, stage);
    if (has_kv_heads(stage)) head = problem.kv_head(head);
    ATTN_CHECK(head >= 0 && head < length(cube, 0), "head is ", head, ", want 0 to ", length(cube, 0) - 1);
    MatrixD matrix = zeros<MatrixD>(cube.shape(1), cube.shape(2));
    const std::span<const double> kept = head_of(cube, head);
    std::copy(kept.begin(), kept.end(), matrix.begin());
    return matrix;
}

}  // namespace attn
