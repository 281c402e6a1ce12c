// Cells of the core become cells of the model.
#include "model/explain/explain_attention.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/attention/rotary.h"
#include "core/explain/explain.h"
#include "core/explain/stage_numbers.h"
#include "core/ground/check.h"
#include "core/ground/portable_math.h"
#include "model/explain/explain_steps.h"

namespace attn {
namespace {

class AttentionExplainer {
public:
    AttentionExplainer(const ModelRun& run, const AttentionProblem& problem, const AttentionTrace& trace,
                       Explanation& to)
        : run_(run),
          model_(run.model()),
          config_(model_.config),
          problem_(problem),
          trace_(trace),
          edited_(model_, to.cell.layer, run.input().edits),
          to_(to) {}

    void explain() {
        const TensorId stage = to_.cell.tensor;
        const Explanation core =
            attn::explain(problem_, trace_, EmbeddingParts(), stage, to_.cell.head, to_.cell.row, to_.cell.column);
        to_.shown = core.shown;
        to_.is_hidden = core.is_hidden;
        if (is_role(stage)) return explain_role(stage, core);
        to_.formula = formula(stage);
        if (core.is_hidden) {
            to_.formula = stage == TensorId::weights ? "0: the key is hidden" : "−∞: the key is hidden";
            return;
        }
        if (core.is_softmax) return explain_weight();
        const std::string name(tensor_name(stage));
        if (stage == TensorId::capped_scores) {
            const Factor scaled = number(TensorId::scaled_scores, to_.cell.head, to_.cell.row, to_.cell.column);
            to_.steps.push_back(sum_step("score", {term_of(scaled)}));
            return add_cap_step(config_.score_cap, name, to_.steps);
        }
        to_.steps.push_back(sum_step(name, terms_of(core.terms), core.divisor));
    }

private:
    std::string formula(TensorId stage) const {
        if (stage == TensorId::scores) return "query · key";
        if (stage == TensorId::scaled_scores) {
            if (config_.temperature != 1) return "score / √query_pre_attn_scalar";
            return config_.scale == Scale::sqrt ? "score / √head_dim" : "score: this model does not divide";
        }
        if (stage == TensorId::capped_scores) return "cap · tanh(scaled score / cap)";
        if (stage == TensorId::biased_scores) return "scaled score − slope · distance";
        if (stage == TensorId::masked_scores) {
            if (config_.positions == PositionKind::alibi) return "biased score: the key is visible";
            return config_.score_cap > 0 ? "capped score: the key is visible" : "scaled score: the key is visible";
        }
        return stage == TensorId::weights ? "e^(score − row max) / row sum" : "weights · values";
    }

    bool is_set_by_hand(TensorId role) const {
        const int column = column_of_head(to_.cell.column);
        return std::ranges::any_of(run_.input().edits, [&](const LayerEdit& edit) {
            return edit.layer == to_.cell.layer && edit.tensor == role && edit.row == to_.cell.row &&
                   edit.column == column;
        });
    }

    // A number of the layer's attention, named by a head that reads it.
    Factor number(TensorId stage, int reader, int row, int column) const {
        const CellRef cell = {stage, reader, row, column, to_.cell.layer};
        return factor_of(static_cast<double>(stage_row(problem_, trace_, stage, reader, row)(column)), cell);
    }

    Factor factor(const Factor& core) const {
        Factor result = core;
        if (core.has_source) result.source.layer = to_.cell.layer;
        return result;
    }

    std::vector<Term> terms_of(std::span<const Term> terms) const {
        std::vector<Term> result;
        for (const Term& term : terms) result.push_back({factor(term.a), factor(term.b), term.label});
        return result;
    }

    // What a role is projected from, but for the positions that some models add there.
    std::vector<Factor> input_row() const {
        std::vector<Factor> row;
        for (int k = 0; k < config_.width; ++k)
            row.push_back(factor_of(static_cast<double>(problem_.embeddings(to_.cell.row, k)),
                                    {TensorId::embeddings, 0, to_.cell.row, k, to_.cell.layer}));
        return row;
    }

    NamedLinear linear_of(TensorId role) const {
        const LayerWeights& own = model_.weights.layers[static_cast<std::size_t>(to_.cell.layer)];
        const LayerWeights& used = edited_.weights();
        const auto named = [&](const LinearWeights& linear, const LinearWeights& unedited, TensorId w, TensorId b) {
            return NamedLinear{.linear = linear,
                               .is_edited = linear.weight != unedited.weight,
                               .layer = to_.cell.layer,
                               .weight = w,
                               .bias = b};
        };
        if (role == TensorId::queries) return named(used.query, own.query, TensorId::w_query, TensorId::b_query);
        if (role == TensorId::keys) return named(used.key, own.key, TensorId::w_key, TensorId::b_key);
        return named(used.value, own.value, TensorId::w_value, TensorId::b_value);
    }

    // The column of the role's matrix.
    int column_of_head(int column) const {
        const int head = to_.cell.head / (has_kv_heads(to_.cell.tensor) ? problem_.heads_per_kv_head() : 1);
        return head * config_.head_dim + column;
    }

    // x . w + b, unless it was set by hand. The core takes what the model's rules make of queries and keys as typed.
    void explain_role(TensorId role, const Explanation& core) {
        const bool is_typed_to_core = core.terms.size() == 1 && core.terms[0].label == "typed";
        if (is_typed_to_core && !is_set_by_hand(role)) return explain_made_role(role);
        if (is_typed_to_core) {
            to_.formula = "the number set here by hand";
            to_.steps.push_back(sum_step(std::string(tensor_name(to_.cell.tensor)), terms_of(core.terms)));
            return;
        }
        const NamedLinear linear = linear_of(role);
        to_.formula = product_formula(linear, "embeddings");
        to_.steps.push_back(sum_step(std::string(tensor_name(to_.cell.tensor)),
                                     product_terms(linear, input_row(), column_of_head(to_.cell.column))));
    }

    // The product of one column, with what the positions add to what it is made of (Press et al. 2020).
    std::vector<Term> projected(const NamedLinear& linear, int column) const {
        std::vector<Term> terms = product_terms(linear, input_row(), column_of_head(column));
        if (config_.positions != PositionKind::queries_and_keys) return terms;
        for (int k = 0; k < config_.width; ++k) {
            const std::int64_t at = std::int64_t{to_.cell.row} * config_.width + k;
            terms.push_back(product_of(factor_of_tensor(*model_.weights.position_embedding, at),
                                       terms[static_cast<std::size_t>(k)].b));
        }
        return terms;
    }

    std::string_view norm_words() const {
        if (config_.query_key_norm == QueryKeyNorm::none) return "";
        return config_.query_key_norm == QueryKeyNorm::whole ? ", normed over all heads" : ", normed over the head";
    }

    // Queries and keys that are normed, turned, or have their positions added alone.
    void explain_made_role(TensorId role) {
        const NamedLinear linear = linear_of(role);
        const std::string name(tensor_name(to_.cell.tensor));
        const RopeScaling& rope = config_.rope_of(to_.cell.layer);
        const bool turns = config_.turns(to_.cell.layer) && to_.cell.column < rope.dim;
        const std::string of =
            config_.positions == PositionKind::queries_and_keys ? "(embeddings + position)" : "embeddings";
        to_.formula =
            concat(product_formula(linear, of), norm_words(), turns ? ", turned by the position's angle" : "");
        if (!turns) return add_before_turning(role, linear, to_.cell.column, name);
        const int size = rope.dim, column = to_.cell.column;
        const int partner = partner_of(config_.pairs, size, column);
        const int pair = pair_of(config_.pairs, size, column);
        const bool is_first = column == first_of_pair(config_.pairs, size, pair);
        const Rotation rotation = rope_rotation(rope, to_.cell.row, run_.input().num_tokens());
        add_before_turning(role, linear, column, "before turning");
        const Factor own = result_of(to_.steps.back());
        add_before_turning(role, linear, partner, "partner");
        const Factor other = result_of(to_.steps.back());
        const auto at = static_cast<std::size_t>(pair);
        Term cosine = product_of(own, factor_of(rotation.cosines[at]));
        cosine.label = "cos";
        Term sine = product_of(other, factor_of(is_first ? -rotation.sines[at] : rotation.sines[at]));
        sine.label = "sin";
        to_.steps.push_back(sum_step(name, {std::move(cosine), std::move(sine)}));
    }

    void add_before_turning(TensorId role, const NamedLinear& linear, int column, const std::string& name) {
        if (config_.query_key_norm == QueryKeyNorm::none) {
            to_.steps.push_back(sum_step(name, projected(linear, column)));
            return;
        }
        // The norm is over many numbers; only the number's own product shows where its terms stand. No model that norms
        // here adds positions to what it projects.
        const NormWeights& weights =
            role == TensorId::queries ? edited_.weights().query_norm : edited_.weights().key_norm;
        to_.steps.push_back(sum_step(concat("projected ", column), projected(linear, column)));
        const Factor own = result_of(to_.steps.back());
        const bool is_whole = config_.query_key_norm == QueryKeyNorm::whole;
        const int before = is_whole ? column_of_head(0) : 0;  // numbers of the heads before
        const int count = is_whole ? linear.linear.outputs : config_.head_dim;
        const std::vector<Factor> input = input_row();
        std::vector<std::vector<Term>> row;
        for (int c = -before; c < count - before; ++c) {
            row.push_back({term_of(c == column ? own : factor_of(product_value(linear, input, column_of_head(c))))});
        }
        add_norm_steps({.kind = NormKind::rms, .eps = config_.norm_eps, .weights = weights}, row, before + column, name,
                       to_.steps);
    }

    void explain_weight() {
        std::vector<Factor> row;
        std::size_t own = 0;
        for (int j = 0; j < problem_.num_tokens(); ++j) {
            if (problem_.hidden(to_.cell.row, j) != 0) continue;
            if (j == to_.cell.column) own = row.size();
            row.push_back(number(softmax_source(layer_parts(problem_)), to_.cell.head, to_.cell.row, j));
        }
        add_softmax_steps(row, own, "weights", to_.steps);
    }

    const ModelRun& run_;
    const Model& model_;
    const ModelConfig& config_;
    const AttentionProblem& problem_;
    const AttentionTrace& trace_;
    EditedWeights edited_;
    Explanation& to_;
};

}  // namespace

void explain_attention(const ModelRun& run, const AttentionProblem& problem, const AttentionTrace& trace,
                       Explanation& to) {
    AttentionExplainer(run, problem, trace, to).explain();
}

void add_softmax_steps(std::span<const Factor> row, std::size_t own, std::string name,
                       std::vector<ExplainedStep>& steps) {
    const auto largest = std::ranges::max_element(row, {}, &Factor::value);
    steps.push_back(sum_step("row max", {term_of(*largest)}));
    const double most = largest->value;
    const auto exponential = [&](const Factor& score) {
        Factor factor = score;
        factor.value = portable::exp(score.value - most);
        return factor;
    };
    std::vector<Term> terms;
    for (const Factor& score : row) terms.push_back(term_of(exponential(score), "exp"));
    steps.push_back(sum_step("row sum", std::move(terms)));
    const double sum = steps.back().value;
    steps.push_back(sum_step(std::move(name), {term_of(exponential(row[own]), "exp")}, sum));
}

}  // namespace attn
